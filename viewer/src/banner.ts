// What is said over the picture while there is no connection.

import type { Link } from "./connection";
import { element } from "./dom";

const kPatience = 4; // attempts before we say that the program has ended

export class Banner {
    private readonly text = element("span");
    private readonly box: HTMLElement;

    constructor(host: HTMLElement, retry: () => void) {
        this.box = element("div", { class: "banner", "data-testid": "banner", hidden: true }, this.text,
            element("button", { type: "button", class: "button", click: retry }, "Try now"));
        host.append(this.box);
    }

    show(state: Link, attempt: number): void {
        if (state === "open") this.box.hidden = true;
        if (state !== "waiting") return;
        this.box.hidden = false;
        this.text.replaceChildren(...(attempt < kPatience
            ? ["The connection is lost. Trying again …"]
            : ["The program has ended, or this page has lost its key. Start ", element("code", {}, "sinew view"), " again or open the last address it printed; this page keeps trying."]));
    }
}
