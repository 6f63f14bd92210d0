// What the colours of stack layers mean, over the picture.

import { element } from "./dom";
import type { Scene } from "./protocol";

export class Legend {
    private readonly bar = element("span", { class: "ramp" });
    private readonly top = element("span");
    private readonly air = element("span", { class: "swatch" });
    private readonly node = element("div", { class: "legend", "data-testid": "layer-legend" },
        element("span", {}, "Layer 1"), this.bar, this.top, this.air, element("span", {}, "in the air"));

    constructor(parent: HTMLElement) {
        parent.append(this.node);
        this.show(null, 0);
    }

    /** Without a scene: hidden. `top`: the highest layer seen so far. */
    show(scene: Scene | null, top: number): void {
        this.node.hidden = scene?.layer_colours === undefined;
        if (!scene?.layer_colours) return;
        const { ramp, air } = scene.layer_colours, css = (colour: number[]) => `rgb(${colour.map((each) => Math.round(255 * each)).join(" ")})`;
        this.bar.style.background = `linear-gradient(to right, ${ramp.map(css).join(", ")})`;
        this.air.style.background = css(air);
        this.top.textContent = `${Math.max(1, top)}`;
    }
}
