// The measure: a line between two places of things, which goes along with them, and its length.

import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from "three";
import type { Vec } from "../protocol";
import type { Label } from "./labels";

interface End {
    object: number;
    place: Vec;
    offset: Vec | null; // from the object's place
}

export class Ruler {
    readonly line: Line<BufferGeometry, LineBasicMaterial>;
    length: number | null = null;
    private ends: End[] = [];

    constructor() {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
        this.line = new Line(geometry, new LineBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true }));
        this.line.frustumCulled = false;
        this.line.renderOrder = 5;
        this.line.visible = false;
    }

    set(ends: End[]): void {
        this.ends = ends;
    }

    update(place_of: (object: number) => Vec | null, labels: Label[]): void {
        this.line.visible = this.ends.length === 2;
        this.length = null;
        if (this.ends.length !== 2) return;
        const [a, b] = this.ends.map(({ object, place, offset }) => {
            const origin = offset && place_of(object);
            return origin ? (origin.map((each, i) => each + offset[i]) as Vec) : place;
        });
        const position = this.line.geometry.getAttribute("position") as BufferAttribute;
        position.setXYZ(0, ...a);
        position.setXYZ(1, ...b);
        position.needsUpdate = true;
        this.length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        const middle = a.map((each, i) => (each + b[i]) / 2) as Vec, by = b.map((each, i) => Number((each - a[i]).toPrecision(3)));
        labels.push({ kind: "length", place: middle, text: `${Number(this.length.toPrecision(4))} m (${by.join(", ")})` });
    }
}
