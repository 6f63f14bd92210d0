// The tree of objects: folded where it is long, searched, and with an eye to hide what is in the way.
// On the keyboard it is one stop: arrows go along it and fold, Enter selects, Delete hides.

import { element } from "./dom";
import { icon } from "./icons";
import type { Scene, SceneObject } from "./protocol";
import type { Store } from "./store";

const kMost = 300; // rows
const kManyChildren = 12; // more are folded at first

/** An object, or several that differ only in their number: b[0], b[1], ... */
interface Node {
    key: string;
    name: string;
    object: number | null;
    children: Node[];
}

interface Row {
    node: Node;
    item: HTMLElement;
    level: number;
    is_open: boolean;
}

export class Objects {
    private readonly search = element("input", {
        type: "search", placeholder: "Search objects", "aria-label": "Search objects", "data-testid": "object-search",
        input: () => this.draw(),
    });
    private readonly list = element("ul", {
        class: "objects", "data-testid": "objects", role: "tree", "aria-label": "Objects", tabindex: 0,
        keydown: (event: KeyboardEvent) => this.press(event), focus: () => this.go_to(this.active), blur: () => this.mark_active(),
    });
    private readonly more = element("p", { class: "faint" });
    private readonly rows = new Map<number, HTMLElement>();
    private shown: Row[] = []; // from top to bottom
    private active = 0; // of these, for the keyboard
    private readonly folds = new Map<string, boolean>(); // by key: what a person chose
    private readonly hidden = new Set<number>();
    private nodes: Node[] = [];
    private signature = "";
    private count = 0;

    constructor(container: HTMLElement, private readonly store: Store, private readonly select: (object: number) => void,
                private readonly hover: (object: number | null) => void, private readonly hide: (objects: Set<number>) => void) {
        container.append(element("h2", {}, "Objects"), this.search, this.list, this.more);
        store.on("scene", (scene) => this.update(scene));
        store.on("selection", (object) => this.mark(object));
    }

    focus(): void {
        this.search.focus();
    }

    private update(scene: Scene): void {
        const signature = scene.objects.map((each) => `${each.name} ${each.parent}`).join("\n");
        if (signature !== this.signature) {
            this.hidden.clear();
            this.hide(this.hidden);
            this.nodes = make_tree(scene);
        }
        this.signature = signature;
        this.draw();
    }

    private draw(): void {
        const { scene } = this.store, wanted = this.search.value.trim().toLowerCase();
        this.list.replaceChildren();
        this.rows.clear();
        this.shown = [];
        this.count = 0;
        if (!scene) return;
        for (const node of this.nodes) this.add(scene, node, 1, wanted);
        this.more.textContent = this.count > kMost ? `and ${this.count - kMost} more: search for them` : this.count === 0 ? "none" : "";
        this.mark(this.store.selection);
        this.active = Math.min(this.active, Math.max(0, this.shown.length - 1));
        this.mark_active();
    }

    /** A search shows everything that fits, and what it is part of. */
    private add(scene: Scene, node: Node, level: number, wanted: string): void {
        if (wanted && !fits(node, wanted)) return;
        const is_open = wanted !== "" || this.is_open(node);
        if (++this.count <= kMost) {
            const item = this.row(scene, node, level, is_open);
            item.id = `object-row-${this.shown.length}`;
            this.shown.push({ node, item, level, is_open });
            this.list.append(item);
        }
        if (is_open) for (const child of node.children) this.add(scene, child, level + 1, wanted);
    }

    private is_open(node: Node): boolean {
        return this.folds.get(node.key) ?? node.children.length <= kManyChildren;
    }

    private row(scene: Scene, node: Node, level: number, is_open: boolean): HTMLElement {
        const object = node.object === null ? null : scene.objects[node.object], kind = object ? kind_of(object) : "";
        const all = objects_of(node), is_hidden = this.is_hidden(node);
        const has_children = node.children.length > 0;
        const fold = element("button", {
            type: "button", class: "fold", tabindex: -1, "aria-label": `${is_open ? "Fold" : "Unfold"} ${node.name}`, click: () => this.fold(node, !is_open),
        }, icon("fold"));
        if (!has_children) fold.classList.add("is-leaf");
        fold.disabled = !has_children;
        fold.classList.toggle("is-open", is_open);
        const name = element("button", {
            type: "button", class: "pick", tabindex: -1, ...(node.object === null ? {} : { "data-testid": `object-${node.object}` }),
            click: () => (node.object === null ? this.fold(node, !is_open) : this.select(node.object)),
            mouseenter: () => this.hover(node.object), mouseleave: () => this.hover(null),
        }, element("span", { class: "dot", "data-kind": kind }), element("span", { class: "name", title: object?.name ?? node.name }, node.name),
            element("span", { class: "faint" }, node.object === null ? `${node.children.length}` : kind));
        const eye = element("button", {
            type: "button", class: "eye", tabindex: -1, "data-testid": `eye-${node.object ?? node.key}`, "aria-pressed": String(is_hidden),
            "aria-label": `${is_hidden ? "Show" : "Hide"} ${node.name}`, title: is_hidden ? "Show" : "Hide", click: () => this.toggle_hidden(all, !is_hidden),
        }, icon(is_hidden ? "eye_off" : "eye"));
        const item = element("li", {
            role: "treeitem", "aria-level": level, "aria-selected": "false", ...(has_children ? { "aria-expanded": String(is_open) } : {}),
        }, fold, name, eye);
        item.style.paddingLeft = `${(level - 1) * 14}px`;
        if (node.object !== null) this.rows.set(node.object, item);
        return item;
    }

    private fold(node: Node, is_open: boolean): void {
        this.folds.set(node.key, is_open);
        this.draw();
    }

    private is_hidden(node: Node): boolean {
        const all = objects_of(node);
        return all.length > 0 && all.every((each) => this.hidden.has(each));
    }

    private toggle_hidden(objects: number[], is_hidden: boolean): void {
        for (const each of objects) if (is_hidden) this.hidden.add(each); else this.hidden.delete(each);
        this.hide(this.hidden);
        this.draw();
    }

    /** As trees of desktops do it. */
    private press(event: KeyboardEvent): void {
        const row = this.shown[this.active];
        if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
        const { node, is_open } = row, can_open = node.children.length > 0;
        const doings: Record<string, () => void> = {
            ArrowDown: () => this.go_to(this.active + 1),
            ArrowUp: () => this.go_to(this.active - 1),
            Home: () => this.go_to(0),
            End: () => this.go_to(this.shown.length - 1),
            ArrowRight: () => { if (can_open && !is_open) this.fold(node, true); else if (can_open) this.go_to(this.active + 1); },
            ArrowLeft: () => { if (can_open && is_open) this.fold(node, false); else this.go_to(this.parent_of(this.active)); },
            Enter: () => { if (node.object === null) this.fold(node, !is_open); else this.select(node.object); },
            Delete: () => this.toggle_hidden(objects_of(node), !this.is_hidden(node)),
        };
        const doing = doings[event.key === " " ? "Enter" : event.key];
        if (!doing) return;
        event.preventDefault();
        event.stopPropagation(); // not the picture's keys
        doing();
    }

    private parent_of(row: number): number {
        const { level } = this.shown[row];
        while (row > 0 && this.shown[row].level >= level) --row;
        return row;
    }

    private go_to(row: number): void {
        this.active = Math.min(Math.max(0, row), Math.max(0, this.shown.length - 1));
        this.mark_active();
        this.shown[this.active]?.item.scrollIntoView({ block: "nearest" });
    }

    private mark_active(): void {
        const is_here = document.activeElement === this.list, row = is_here ? this.shown[this.active]?.item : undefined;
        for (const { item } of this.shown) item.classList.toggle("is-active", item === row);
        if (row) this.list.setAttribute("aria-activedescendant", row.id);
        else this.list.removeAttribute("aria-activedescendant");
    }

    private mark(selected: number | null): void {
        for (const [index, row] of this.rows) row.setAttribute("aria-selected", String(index === selected));
        if (selected !== null) this.rows.get(selected)?.scrollIntoView({ block: "nearest" });
    }
}

const kind_of = (object: SceneObject) =>
    object.is_pinned ? "pinned" : object.is_dynamic ? "moves" : object.is_fixed ? "fixed" : "driven";

const fits = (node: Node, wanted: string): boolean =>
    node.name.toLowerCase().includes(wanted) || node.children.some((each) => fits(each, wanted));

const objects_of = (node: Node): number[] => [...(node.object === null ? [] : [node.object]), ...node.children.flatMap(objects_of)];

/** By what objects are part of; numbered ones in groups. Those that nothing shows and that hold nothing are left out. */
function make_tree(scene: Scene): Node[] {
    const is_seen = new Set(scene.elements.map((each) => each.object)), children = new Map<number, number[]>();
    scene.objects.forEach((object, index) => {
        if (index === 0) return;
        const parent = object.parent === index ? 0 : object.parent;
        children.set(parent, [...(children.get(parent) ?? []), index]);
    });
    const node_of = (index: number): Node | null => {
        const { name } = scene.objects[index], below = nodes_below(index, name);
        if (!is_seen.has(index) && below.length === 0) return null;
        return { key: name || `${index}`, name: name.slice(name.lastIndexOf(".") + 1) || `object ${index}`, object: index, children: below };
    };
    const nodes_below = (parent: number, name: string): Node[] =>
        group((children.get(parent) ?? []).map(node_of).filter((node): node is Node => node !== null), name);
    return nodes_below(0, "");
}

function group(nodes: Node[], parent: string): Node[] {
    const stem_of = (name: string) => /^(.*?)(?:\[\d+\]|#\d+)$/.exec(name)?.[1] ?? null, counts = new Map<string, number>();
    for (const { name } of nodes) {
        const stem = stem_of(name);
        if (stem !== null) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
    const groups = new Map<string, Node>(), out: Node[] = [];
    for (const node of nodes) {
        const stem = stem_of(node.name);
        if (stem === null || (counts.get(stem) ?? 0) < 4) {
            out.push(node);
            continue;
        }
        let found = groups.get(stem);
        if (!found) {
            found = { key: `${parent}/${stem}[]`, name: stem, object: null, children: [] };
            groups.set(stem, found);
            out.push(found);
        }
        found.children.push(node);
    }
    return out;
}
