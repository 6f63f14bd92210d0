// The list of objects: searched, and cut where nobody would read on.

import { element } from "./dom";
import type { Scene } from "./protocol";
import type { Store } from "./store";

const kMost = 200;

export class Objects {
    private readonly search = element("input", {
        type: "search", placeholder: "Search objects", "aria-label": "Search objects", "data-testid": "object-search",
        input: () => this.draw(),
    });
    private readonly list = element("ul", { class: "objects", "data-testid": "objects", role: "listbox", "aria-label": "Objects" });
    private readonly more = element("p", { class: "faint" });
    private readonly rows = new Map<number, HTMLElement>();

    constructor(container: HTMLElement, private readonly store: Store, private readonly select: (object: number) => void,
                private readonly hover: (object: number | null) => void) {
        container.append(element("h2", {}, "Objects"), this.search, this.list, this.more);
        store.on("scene", () => this.draw());
        store.on("selection", (object) => this.mark(object));
    }

    focus(): void {
        this.search.focus();
    }

    private draw(): void {
        const scene = this.store.scene, wanted = this.search.value.trim().toLowerCase();
        this.list.replaceChildren();
        this.rows.clear();
        if (!scene) return;
        const is_seen = new Set(scene.elements.map((each) => each.object)); // the others are only ways to group
        let found = 0;
        scene.objects.forEach((object, index) => {
            if (index === 0 || !is_seen.has(index) || !object.name.toLowerCase().includes(wanted)) return;
            if (++found <= kMost) this.add_row(scene, index);
        });
        this.more.textContent = found > kMost ? `and ${found - kMost} more: search for them` : found === 0 ? "none" : "";
        this.mark(this.store.selection);
    }

    private add_row(scene: Scene, index: number): void {
        const object = scene.objects[index];
        const kind = object.is_pinned ? "pinned" : object.is_dynamic ? "moves" : object.is_fixed ? "fixed" : "";
        const button = element("button", {
            type: "button", role: "option", "aria-selected": "false", "data-testid": `object-${index}`,
            click: () => this.select(index), mouseenter: () => this.hover(index), mouseleave: () => this.hover(null),
        }, element("span", { class: "dot", "data-kind": kind }), element("span", { class: "name", title: object.name }, object.name || `object ${index}`),
            element("span", { class: "faint" }, kind));
        this.rows.set(index, button);
        this.list.append(element("li", { role: "presentation" }, button));
    }

    private mark(selected: number | null): void {
        for (const [index, row] of this.rows) row.setAttribute("aria-selected", String(index === selected));
        if (selected !== null) this.rows.get(selected)?.scrollIntoView({ block: "nearest" });
    }
}
