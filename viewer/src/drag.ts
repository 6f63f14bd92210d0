// Mouse on the picture: a click selects, a drag pulls what moves and shifts what is fixed; the
// camera turns when nothing is hit.

import { Plane, Vector3 } from "three";
import type { Command, Vec } from "./protocol";
import type { View } from "./scene3d/view";
import type { Store } from "./store";
import type { Spot, Tools } from "./tools";

const kThreshold = 4; // [px] before a click becomes a drag
const kHoverPause = 60; // [ms]

interface Grip {
    object: number;
    kind: "pull" | "shift" | "tool" | "none";
    plane: Plane; // through what was picked, facing the camera
    picked: Vector3;
    offset: Vector3; // from the point picked to the one that is pulled
    start: [number, number];
    is_dragging: boolean;
}

export class Drag {
    private grip: Grip | null = null;
    private target: Vector3 | null = null;
    private is_scheduled = false;
    private hovered_at = 0;
    clicked: Spot | null = null; // the last thing, if it was not dragged

    constructor(private readonly canvas: HTMLCanvasElement, private readonly view: View, private readonly store: Store,
                private readonly send: (command: Command) => void, private readonly select: (object: number | null) => void,
                private readonly tools: Tools) {
        // On the parent and in the capture phase: before the camera's controls hear of it.
        const stage = canvas.parentElement!;
        stage.addEventListener("pointerdown", (event) => this.press(event), true);
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.lift(event));
        canvas.addEventListener("pointercancel", () => this.end(false));
    }

    get is_active(): boolean {
        return this.grip?.is_dragging ?? false;
    }

    /** Lets go without effect. */
    cancel(): void {
        this.end(false);
    }

    private press(event: PointerEvent): void {
        if (event.target !== this.canvas || event.button !== 0) return;
        const hit = this.view.pick(event.clientX, event.clientY);
        const start: [number, number] = [event.clientX, event.clientY];
        if (!hit) {
            this.grip = { object: -1, kind: "none", plane: new Plane(), picked: new Vector3(), offset: new Vector3(), start, is_dragging: false };
            return;
        }
        const [object, kind]: [number, Grip["kind"]] = this.tools.is_armed ? [hit.object, "tool"] : this.handle_of(hit.object);
        this.view.framing.controls.enabled = kind === "none";
        const facing = this.view.framing.camera.getWorldDirection(new Vector3());
        const known = this.store.scene?.objects[object], is_anywhere = known?.is_body === true || known?.curve != null;
        const pulled = kind === "pull" && !is_anywhere && this.view.places?.is_solid(object) ? this.view.place_of(object) : null;
        this.grip = {
            object: kind === "none" ? hit.object : object, kind, start, is_dragging: false, picked: hit.point,
            plane: new Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
            offset: pulled ? new Vector3(...pulled).sub(hit.point) : new Vector3(),
        };
        this.canvas.setPointerCapture(event.pointerId);
        if (kind !== "tool") this.select(hit.object);
    }

    /** What the mouse can take: the object itself or what it is part of. */
    private handle_of(object: number): [number, Grip["kind"]] {
        const objects = this.store.scene?.objects ?? [];
        for (let i = object; i > 0 && objects[i]; i = objects[i].parent) {
            if (objects[i].is_dynamic) return [i, "pull"];
            if (objects[i].is_fixed) return [i, "shift"];
            if (objects[i].parent === i) break;
        }
        return [object, "none"];
    }

    private move(event: PointerEvent): void {
        if (!this.grip) return this.hover(event);
        if (this.grip.kind === "none" || this.grip.kind === "tool") return;
        if (!this.grip.is_dragging) {
            if (Math.hypot(event.clientX - this.grip.start[0], event.clientY - this.grip.start[1]) < kThreshold) return;
            this.grip.is_dragging = this.view.framing.is_held = true;
            if (this.grip.kind === "pull")
                this.send({ type: "grab", object: this.grip.object, target: vec(this.grip.picked.clone().add(this.grip.offset)) });
        }
        const at = this.view.ray(event.clientX, event.clientY).intersectPlane(this.grip.plane, new Vector3());
        if (!at) return;
        this.target = at;
        this.schedule();
    }

    /** At most one message per drawn frame. */
    private schedule(): void {
        if (this.is_scheduled) return;
        this.is_scheduled = true;
        requestAnimationFrame(() => {
            this.is_scheduled = false;
            this.apply();
        });
    }

    private apply(): void {
        if (!this.grip?.is_dragging || !this.target) return;
        if (this.grip.kind === "pull") this.send({ type: "drag", target: vec(this.target.clone().add(this.grip.offset)) });
        else this.view.ghost(vec(this.target.clone().sub(this.grip.picked)));
    }

    private lift(event: PointerEvent): void {
        if (event.button !== 0 || !this.grip) return;
        const moved = Math.hypot(event.clientX - this.grip.start[0], event.clientY - this.grip.start[1]);
        const { object, kind, picked } = this.grip, is_click = moved < kThreshold;
        if (object < 0 && is_click) this.select(null);
        this.clicked = is_click && kind === "pull" ? { object, place: vec(picked) } : null;
        this.end(true);
        if (kind === "tool" && is_click) this.tools.use({ object, place: vec(picked) });
    }

    private end(is_meant: boolean): void {
        const { grip, target } = this;
        this.grip = this.target = null;
        this.view.framing.controls.enabled = true;
        this.view.framing.is_held = false;
        this.view.invalidate();
        if (!grip?.is_dragging) return;
        this.view.ghost(null);
        if (grip.kind === "pull") this.send({ type: "release" });
        else if (is_meant && target) this.send({ type: "move", object: grip.object, by: vec(target.sub(grip.picked)) });
    }

    private hover(event: PointerEvent): void {
        if (event.buttons !== 0 || performance.now() - this.hovered_at < kHoverPause) return;
        this.hovered_at = performance.now();
        const hit = this.view.pick(event.clientX, event.clientY);
        this.view.hover(hit ? hit.object : null);
        const kind = hit ? this.handle_of(hit.object)[1] : "none";
        this.canvas.dataset.cursor = !hit ? "turn" : this.tools.is_armed ? "tool" : kind === "none" ? "point" : "grab";
    }
}

const vec = (v: Vector3): Vec => [v.x, v.y, v.z];
