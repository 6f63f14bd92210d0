// The selected object: its name, its numbers, and what can be done with it.

import { element } from "./dom";
import { icon } from "./icons";
import type { Command } from "./protocol";
import type { Store } from "./store";
import type { Spot } from "./tools";

export class Inspector {
    private readonly title = element("h2", { "data-testid": "inspector-name" });
    private readonly facts = element("div", { class: "facts" });
    private readonly numbers = element("dl", { class: "numbers", "data-testid": "inspector-rows" });
    private readonly pin = element("button", { type: "button", class: "button", "data-testid": "pin", click: () => this.toggle_pin() });
    private readonly line = element("button", { type: "button", class: "button", "data-testid": "go-to-line" }, "Show in script");
    private readonly follow: HTMLButtonElement;
    private readonly box: HTMLElement;

    constructor(container: HTMLElement, private readonly store: Store, private readonly send: (command: Command) => void,
                private readonly select: (object: number | null) => void, private readonly go_to_line: (line: number) => void,
                private readonly clicked: () => Spot | null, toggle_follow: () => void) {
        this.follow = element("button", {
            type: "button", class: "button", "data-testid": "follow", "aria-pressed": "false", title: "The camera goes along (B)", click: toggle_follow,
        }, icon("follow"), "Follow");
        const close = element("button", { class: "quiet", "aria-label": "Close the inspector", click: () => select(null) }, icon("close"));
        this.line.addEventListener("click", () => this.go_to_line(this.object?.line ?? 0));
        this.box = element("section", { class: "inspector", "data-testid": "inspector", hidden: true, "aria-label": "Inspector" },
            element("header", {}, this.title, close), this.facts, this.numbers,
            element("div", { class: "row" }, this.pin, this.follow, this.line));
        container.append(this.box);
        store.on("selection", () => this.draw());
        store.on("scene", () => this.draw());
    }

    show_follow(object: number | null): void {
        this.follow.setAttribute("aria-pressed", String(object !== null));
    }

    show_rows(object: number, rows: [string, string][]): void {
        if (object !== this.store.selection) return;
        const cells = [...this.numbers.children] as HTMLElement[];
        if (cells.length !== rows.length * 2)
            this.numbers.replaceChildren(...rows.flatMap(() => [element("dt"), element("dd")]));
        rows.forEach(([label, text], i) => {
            set_text(this.numbers.children[2 * i], label);
            set_text(this.numbers.children[2 * i + 1], text);
        });
    }

    private get object() {
        return this.store.selection === null ? undefined : this.store.scene?.objects[this.store.selection];
    }

    private draw(): void {
        const object = this.object;
        this.box.hidden = !object;
        if (!object) return;
        this.title.textContent = object.name || `object ${this.store.selection}`;
        this.numbers.replaceChildren();
        const parent = object.parent > 0 ? this.store.scene!.objects[object.parent] : undefined;
        this.facts.replaceChildren(
            element("span", { class: "chip" }, object.is_pinned ? "pinned" : object.is_dynamic ? "moves" : object.is_fixed ? "fixed" : "driven"),
            ...(object.mass > 0 ? [element("span", { class: "chip" }, `${Number(object.mass.toPrecision(4))} kg`)] : []),
            ...(parent ? [element("button", { class: "chip link", type: "button", click: () => this.select(object.parent) }, `in ${parent.name}`)] : []));
        this.pin.hidden = !object.is_dynamic && !object.is_pinned;
        this.pin.replaceChildren(icon("pin"), object.is_pinned ? "Unpin" : "Pin here");
        this.line.hidden = object.line <= 0;
    }

    private toggle_pin(): void {
        const { selection } = this.store, clicked = this.clicked();
        if (selection === null) return;
        if (this.object?.is_pinned) this.send({ type: "unpin", object: selection });
        else this.send({ type: "pin", object: selection, ...(clicked?.object === selection ? { place: clicked.place } : {}) });
    }
}

function set_text(node: Element, text: string): void {
    if (node.textContent !== text) node.textContent = text;
}
