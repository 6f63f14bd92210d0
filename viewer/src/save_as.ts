// Asks for the name under which the session is saved as a script.

import { element } from "./dom";
import { make_dialog } from "./help";

export class SaveAs {
    private readonly name = element("input", { type: "text", "aria-label": "Name of the script", "data-testid": "save-name", autocomplete: "off", spellcheck: "false" });
    private readonly dialog: HTMLDialogElement;

    constructor(private readonly save: (name: string) => void) {
        const confirm = element("button", { type: "button", class: "button primary", "data-testid": "save-confirm", click: () => this.confirm() }, "Save");
        this.name.addEventListener("keydown", (event) => { if (event.key === "Enter") this.confirm(); });
        this.dialog = make_dialog("save-as", "Save the session as a script", this.name, element("footer", {}, confirm));
    }

    show(suggested: string): void {
        this.name.value = suggested;
        this.dialog.showModal();
        this.name.focus();
        this.name.setSelectionRange(0, Math.max(0, suggested.lastIndexOf(".")) || suggested.length);
    }

    private confirm(): void {
        const name = this.name.value.trim();
        if (!name) return;
        this.save(name);
        this.dialog.close();
    }
}
