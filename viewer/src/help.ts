// The dialogs: what the page can do, and the keyboard; and a line at the first visit.

import { element } from "./dom";
import { icon, type IconName } from "./icons";
import { type Key, make_sheet } from "./keys";

const kSeen = "sinew.seen_help";

const kHints: [IconName, string, string][] = [
    ["play", "Play and scrub", "Space plays and pauses. Drag along the timeline: green frames are computed, amber ones are left from before a change."],
    ["pin", "Pull and pin", "Drag a mass, a rope or a hair and a spring pulls it while time runs. The tools over the picture pin, tie, thread and cut; the script says so."],
    ["frame", "Look around", "Drag the background to turn, wheel to come nearer, right button to shift, F to see everything. B follows what is selected, M measures."],
    ["gallery", "Open another", "The gallery has every example, the scripts of your folder, and a new one (Ctrl O)."],
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

    /** At the first visit a line over the picture, which hides nothing; it goes with the first click on it. */
    hint_on_first_visit(stage: HTMLElement): void {
        if (localStorage.getItem(kSeen)) return;
        localStorage.setItem(kSeen, "1");
        const note = element("div", { class: "first-hint", "data-testid": "first-hint", role: "note" },
            element("span", {}, "Drag to turn · drag a thing to pull it · Space plays"),
            element("button", { type: "button", class: "button", click: () => { note.remove(); this.show(); } }, "Help"),
            element("button", { type: "button", class: "quiet", "aria-label": "Dismiss", click: () => note.remove() }, icon("close")));
        stage.append(note);
    }
}
