// Short messages that go away by themselves; errors stay until they are dismissed.

import { by_id, element } from "./dom";
import { icon } from "./icons";
import type { Severity } from "./protocol";

const kShown = 5000; // [ms]

export function notify(severity: Severity, text: string): void {
    const layer = by_id("notices");
    const close = element("button", { class: "quiet", "aria-label": "Dismiss", click: () => note.remove() }, icon("close"));
    const note = element("div", { class: `notice ${severity}`, "data-testid": "notice" }, element("span", {}, text), close);
    layer.append(note);
    while (layer.children.length > 4) layer.firstElementChild!.remove();
    if (severity !== "error") window.setTimeout(() => note.remove(), kShown);
}
