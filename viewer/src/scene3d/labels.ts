// Names and residuals as text over the picture; so many and no more, or nobody could read them.

import { type PerspectiveCamera, Vector3 } from "three";
import { element } from "../dom";
import type { Vec } from "../protocol";

const kMost = 120;

export interface Label {
    text: string;
    kind: "name" | "selected" | "residual" | "newtons" | "length";
    place: Vec;
}

export class Labels {
    private readonly nodes: HTMLElement[] = [];
    private readonly at = new Vector3();

    constructor(private readonly layer: HTMLElement) {}

    update(labels: Label[], camera: PerspectiveCamera): void {
        const width = this.layer.clientWidth, height = this.layer.clientHeight;
        const count = Math.min(labels.length, kMost);
        for (let i = 0; i < count; ++i) {
            const node = this.nodes[i] ?? this.add_node();
            const { text, kind, place } = labels[i];
            this.at.set(...place).project(camera);
            node.hidden = this.at.z > 1;
            if (node.textContent !== text) node.textContent = text;
            if (node.dataset.kind !== kind) node.dataset.kind = kind;
            const x = Math.round((this.at.x * 0.5 + 0.5) * width), y = Math.round((0.5 - this.at.y * 0.5) * height);
            node.style.transform = `translate(${x}px, ${y}px)`;
        }
        for (let i = count; i < this.nodes.length; ++i) this.nodes[i].hidden = true;
    }

    private add_node(): HTMLElement {
        const node = element("div", { class: "label" });
        this.layer.append(node);
        this.nodes.push(node);
        return node;
    }
}
