// The bar at the head: whose script this is, and what can be done with the session.

import { by_id, element } from "./dom";
import { icon } from "./icons";
import type { Command } from "./protocol";
import type { Store } from "./store";
import { icon_button } from "./transport";

export interface Actions {
    send: (command: Command) => void;
    screenshot: () => void;
    toggle_theme: () => void;
    toggle_pane: (pane: "editor" | "plots" | "panel") => void;
    show_help: () => void;
    show_keys: () => void;
    frame_all: () => void;
    show_gallery: () => void;
}

export class Header {
    private readonly name = element("strong", { "data-testid": "name" }, "…");
    private readonly mark = element("span", { class: "changed", "data-testid": "changed", hidden: true, title: "The script differs from its file" }, "edited");
    private readonly more = icon_button("more", "More", "more", () => this.toggle_more());
    private readonly undo: HTMLButtonElement;
    private readonly redo: HTMLButtonElement;
    private readonly theme: HTMLButtonElement;

    constructor(store: Store, actions: Actions) {
        this.undo = icon_button("undo", "Undo (Ctrl+Z)", "undo", () => actions.send({ type: "undo" }));
        this.redo = icon_button("redo", "Redo (Ctrl+Shift+Z)", "redo", () => actions.send({ type: "redo" }));
        this.theme = icon_button("moon", "Light or dark (T)", "theme", actions.toggle_theme);
        this.undo.disabled = this.redo.disabled = true;
        this.more.classList.add("more-button");
        this.more.setAttribute("aria-expanded", "false");
        const group = (...nodes: Node[]) => element("div", { class: "group" }, ...nodes);
        const rare = (...nodes: Node[]) => element("div", { class: "group rare" }, ...nodes); // behind a button on a phone
        by_id("header").append(
            element("div", { class: "brand" }, mark(), element("span", {}, "Sinew")),
            element("h1", { class: "title" }, this.name, this.mark),
            group(icon_button("gallery", "Gallery: examples, scripts of this folder, a new one (Ctrl+O)", "show-gallery", actions.show_gallery)),
            rare(this.undo, this.redo),
            rare(icon_button("save", "Save the session as a script (Ctrl+S)", "save", () => actions.send({ type: "save" })),
                icon_button("record", "Write the recording, with the log of all inputs", "record", () => actions.send({ type: "record" })),
                icon_button("camera", "Picture as PNG (S)", "screenshot", actions.screenshot)),
            rare(icon_button("frame", "See everything (F)", "frame-all", actions.frame_all)),
            group(icon_button("editor", "Script (E)", "toggle-editor", () => actions.toggle_pane("editor")),
                icon_button("plots", "Plots (P)", "toggle-plots", () => actions.toggle_pane("plots")),
                icon_button("panel", "Panel (I)", "toggle-panel", () => actions.toggle_pane("panel"))),
            rare(this.theme, icon_button("keys", "Keyboard (?)", "show-keys", actions.show_keys),
                icon_button("help", "Help (H)", "show-help", actions.show_help)),
            this.more);
        store.on("welcome", (welcome) => {
            this.name.textContent = welcome.name;
            document.title = `${welcome.name} · Sinew`;
        });
        store.on("status", (status) => {
            this.undo.disabled = !status.can_undo;
            this.redo.disabled = !status.can_redo;
            this.mark.hidden = !status.is_changed;
        });
        store.on("theme", (theme) => this.theme.replaceChildren(icon(theme === "dark" ? "sun" : "moon")));
    }

    private toggle_more(): void {
        const is_open = by_id("header").classList.toggle("is-open");
        this.more.setAttribute("aria-expanded", String(is_open));
    }
}

/** The mark: a line that swings, and the mass at its end. */
function mark(): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 32 32");
    svg.setAttribute("class", "mark");
    svg.setAttribute("aria-hidden", "true");
    for (const [tag, attributes] of [
        ["path", { d: "M7 6c0 9 18 6 18 14", class: "line" }], ["circle", { cx: "7", cy: "6", r: "3", class: "pivot" }],
        ["circle", { cx: "25", cy: "22", r: "6", class: "bob" }]] as const) {
        const node = document.createElementNS(space, tag);
        for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
        svg.append(node);
    }
    return svg;
}
