// Elements in one expression.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element with attributes (functions become listeners) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        if (typeof value === "function") node.addEventListener(name, value as (event: Event) => void);
        else if (name === "class") node.className = String(value);
        else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children);
    return node;
}

/** The element of index.html with this id, which is there. */
export function by_id<T extends HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`index.html lacks #${id}`);
    return found as T;
}
