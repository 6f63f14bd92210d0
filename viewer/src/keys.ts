// The keyboard, in one table that is also the sheet behind `?`.

import { element } from "./dom";

export interface Key {
    keys: string; // as people read it
    text: string;
    matches: (event: KeyboardEvent) => boolean;
    run: (event: KeyboardEvent) => void;
    works_in_editor?: boolean;
}

export const plain = (...names: string[]) => (event: KeyboardEvent) =>
    !event.ctrlKey && !event.metaKey && !event.altKey && names.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key);

export const control = (name: string, shift = false) => (event: KeyboardEvent) =>
    (event.ctrlKey || event.metaKey) && event.shiftKey === shift && event.key.toLowerCase() === name;

function is_typing(target: EventTarget | null): boolean {
    const node = target as HTMLElement | null;
    return node?.closest?.(".cm-editor, input[type=text], input[type=number], input[type=search], textarea, select") != null;
}

export function listen(keys: Key[]): void {
    window.addEventListener("keydown", (event) => {
        const typing = is_typing(event.target);
        if (document.querySelector("dialog[open]") && event.key !== "?") return;
        // Space on a focused button presses it.
        if (event.key === " " && (event.target as HTMLElement).closest?.("button, summary")) return;
        const key = keys.find((each) => (!typing || each.works_in_editor) && each.matches(event));
        if (!key) return;
        event.preventDefault();
        key.run(event);
    });
}

export function make_sheet(keys: Key[]): HTMLElement {
    return element("dl", { class: "sheet" }, ...keys.flatMap(({ keys: names, text }) => [
        element("dt", {}, ...names.split(" ").map((each) => element("kbd", {}, each))), element("dd", {}, text)]));
}
