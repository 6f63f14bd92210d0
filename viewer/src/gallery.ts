// What can be opened: every example with its picture, the scripts of the folder, a new one.

import { element } from "./dom";
import { make_dialog } from "./help";
import { icon } from "./icons";
import type { Command, Example, Files } from "./protocol";
import type { Store } from "./store";

export class Gallery {
    private readonly search = element("input", {
        type: "search", placeholder: "Search examples", "aria-label": "Search examples", "data-testid": "gallery-search", input: () => this.draw(),
    });
    private readonly cards = element("ul", { class: "cards", "data-testid": "gallery-cards" });
    private readonly files = element("ul", { class: "files", "data-testid": "gallery-files" });
    private readonly folder = element("section", {}, element("h2", {}, "In this folder"), this.files);
    private readonly none = element("p", { class: "faint" }, "No example has that in its name or its text.");
    private readonly dialog: HTMLDialogElement;
    private known: Files | null = null;

    constructor(private readonly store: Store, private readonly send: (command: Command) => void) {
        const make_new = element("button", {
            type: "button", class: "button primary", "data-testid": "gallery-new", click: () => this.open({ type: "new" }),
        }, icon("plus"), "New script");
        this.dialog = make_dialog("gallery", "Open",
            element("div", { class: "gallery-bar" }, this.search, make_new), this.folder,
            element("section", {}, element("h2", {}, "Examples"), this.cards, this.none));
        this.dialog.classList.add("gallery");
    }

    show(): void {
        this.send({ type: "list" });
        if (!this.dialog.open) this.dialog.showModal();
        this.search.focus();
    }

    set_files(files: Files): void {
        this.known = files;
        this.draw();
    }

    private draw(): void {
        const wanted = this.search.value.trim().toLowerCase(), own = this.store.welcome?.name;
        const examples = (this.known?.examples ?? []).filter((each) => `${each.name} ${each.title} ${each.text}`.toLowerCase().includes(wanted));
        this.cards.replaceChildren(...examples.map((each) => this.card(each)));
        this.none.hidden = examples.length > 0;
        const files = (this.known?.files ?? []).filter((each) => each !== own);
        this.folder.hidden = files.length === 0;
        this.files.replaceChildren(...files.map((name) => element("li", {}, element("button", {
            type: "button", class: "button", "data-testid": `file-${name}`, click: () => this.open({ type: "open", name, is_example: false }),
        }, name))));
    }

    private card({ name, title, text, picture }: Example): HTMLElement {
        const image = picture ? element("img", { src: picture, alt: "", loading: "lazy", width: 240, height: 135 }) : element("span", { class: "no-picture" });
        return element("li", {}, element("button", {
            type: "button", class: "card", "data-testid": `example-${name}`, click: () => this.open({ type: "open", name, is_example: true }),
        }, image, element("b", {}, title), element("span", { class: "about" }, text)));
    }

    /** Unsaved changes are asked for: they would be gone. */
    private open(command: Command): void {
        if (this.store.status?.is_changed && !window.confirm("The script has changes that are not saved. Open another one without them?")) return;
        this.dialog.close();
        this.send(command);
    }
}
