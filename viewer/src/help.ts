// The dialogs: what the page can do, at the first visit; and the keyboard.

import { element } from "./dom";
import { icon, type IconName } from "./icons";
import { type Key, make_sheet } from "./keys";

const kSeen = "sinew.seen_help";

const kHints: [IconName, string, string][] = [
    ["play", "Play and scrub", "Space plays and pauses. Drag along the timeline: green frames are computed, amber ones are left from before a change."],
    ["pin", "Pull and pin", "Drag a mass, a rope or a hair and a spring pulls it while time runs. The tools over the picture pin, tie, thread and cut; the script says so."],
    ["frame", "Look around", "Drag the background to turn, wheel to come nearer, right button to shift, F to see everything."],
    ["editor", "Change the script", "Type: what is sound takes effect at once, what is not is marked at its line. Sliders and pins can be saved into it."],
];

export function make_dialog(testid: string, title: string, ...children: Node[]): HTMLDialogElement {
    const close = element("button", { class: "quiet", "aria-label": "Close", type: "button", click: () => dialog.close() }, icon("close"));
    const dialog = element("dialog", { "data-testid": testid, "aria-label": title },
        element("header", {}, element("h1", {}, title), close), ...children);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    return dialog;
}

export class Help {
    private readonly overlay: HTMLDialogElement;
    private readonly sheet: HTMLDialogElement;

    constructor(keys: Key[]) {
        const start = element("button", {
            class: "button primary", type: "button", "data-testid": "help-close", click: () => this.overlay.close(),
        }, "Start");
        const more = element("button", { class: "button", type: "button", click: () => { this.overlay.close(); this.show_keys(); } }, "All keys");
        this.overlay = make_dialog("help", "A script in motion",
            element("div", { class: "hints" }, ...kHints.map(([name, title, text]) =>
                element("section", {}, icon(name), element("div", {}, element("h2", {}, title), element("p", {}, text))))),
            element("footer", {}, more, start));
        this.sheet = make_dialog("keys", "Keyboard", make_sheet(keys));
    }

    show(): void {
        if (!this.overlay.open) this.overlay.showModal();
    }

    show_keys(): void {
        if (this.sheet.open) this.sheet.close();
        else this.sheet.showModal();
    }

    show_on_first_visit(): void {
        if (localStorage.getItem(kSeen)) return;
        localStorage.setItem(kSeen, "1");
        this.show();
    }
}
