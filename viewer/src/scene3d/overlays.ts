// What is drawn over the scene: arrows for forces, dots for contacts, and the spring between the mouse and what it holds.

import { Color, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { offsets_of, type FrameData } from "../decode";
import type { Vec } from "../protocol";
import type { Label } from "./labels";
import { make_lit_material, type Shared } from "./materials";
import { make_arrow, make_base, make_needle } from "./shapes";

const kMostArrows = 20000;
const kMostContacts = 50000;
const kMostHands = 16;
const kMostNumbers = 16;
const kLongestArrow = 0.17; // of the scene's size

export class Overlays {
    readonly group = new Group();
    private readonly arrows: Mesh<InstancedBufferGeometry>;
    private readonly contacts: Mesh<InstancedBufferGeometry>;
    private readonly hands: Mesh<InstancedBufferGeometry>;
    private readonly ends: Mesh[] = [];
    private largest = 0; // [N] seen lately, so that arrows keep their scale from frame to frame

    constructor(private readonly shared: Shared) {
        const arrow = instances(make_arrow(), kMostArrows, (i) => [8 * i, 0]);
        this.arrows = overlay(arrow, make_lit_material("force", shared));
        const needle = instances(make_needle(), kMostContacts, (i) => [8 * i, 0]), dots = make_lit_material("contact", shared);
        dots.depthTest = false; // contacts are between bodies: seen through them
        dots.transparent = true;
        this.contacts = overlay(needle, dots);
        this.contacts.renderOrder = 3;
        const coil = instances(make_base("spring", 1), kMostHands, () => [0, 0]);
        this.hands = overlay(coil, make_lit_material("spring", shared));
        const material = new MeshBasicMaterial({ color: 0xcc6699 });
        for (let i = 0; i < 2; ++i) this.ends.push(new Mesh(new SphereGeometry(1, 20, 14), material));
        this.group.add(this.arrows, this.contacts, this.hands, ...this.ends);
    }

    forget(): void {
        this.largest = 0;
    }

    update(frame: FrameData, size: number, unit: number): void {
        const offsets = offsets_of(frame);
        this.update_arrows(frame, offsets.forces, size);
        this.shared.uniforms.uContacts.value = offsets.contacts;
        this.shared.uniforms.uContactSize.value = 0.0032 * size;
        this.contacts.geometry.instanceCount = Math.min(frame.contacts, kMostContacts);
        this.contacts.visible = frame.contacts > 0;
        this.update_hands(frame, offsets.hands, unit);
    }

    /** At the tips of the longest arrows; weights are many, and known. */
    newtons_of_forces(frame: FrameData): Label[] {
        const begin = offsets_of(frame).forces, scale = this.shared.uniforms.uForceScale.value as number, f = frame.floats;
        const found: [number, Label][] = [];
        for (let i = 0, at = begin; i < Math.min(frame.forces, kMostArrows); ++i, at += 8) {
            const newtons = Math.hypot(f[at + 3], f[at + 4], f[at + 5]);
            if (f[at + 6] === 0 || newtons === 0) continue;
            found.push([newtons, newtons_label(newtons, [0, 1, 2].map((k) => f[at + k] + scale * f[at + 3 + k]) as Vec)]);
        }
        return largest_of(found);
    }

    newtons_of_contacts(frame: FrameData): Label[] {
        const begin = offsets_of(frame).contacts, f = frame.floats, found: [number, Label][] = [];
        for (let i = 0, at = begin; i < Math.min(frame.contacts, kMostContacts); ++i, at += 8)
            if (f[at + 7] > 0) found.push([f[at + 7], newtons_label(f[at + 7], [f[at], f[at + 1], f[at + 2]])]);
        return largest_of(found);
    }

    private update_arrows(frame: FrameData, begin: number, size: number): void {
        const count = Math.min(frame.forces, kMostArrows);
        let largest = 0;
        for (let i = 0, at = begin; i < count; ++i, at += 8) {
            const f = frame.floats;
            largest = Math.max(largest, f[at + 3] ** 2 + f[at + 4] ** 2 + f[at + 5] ** 2);
        }
        this.largest = Math.max(this.largest * 0.995, Math.sqrt(largest), 1e-9);
        this.shared.uniforms.uForces.value = begin;
        this.shared.uniforms.uForceScale.value = (kLongestArrow * size) / this.largest;
        this.shared.uniforms.uForceWidth.value = 0.0034 * size;
        this.arrows.geometry.instanceCount = count;
        this.arrows.visible = count > 0;
    }

    private update_hands(frame: FrameData, begin: number, unit: number): void {
        const count = Math.min(frame.hands, kMostHands);
        const at = this.hands.geometry.getAttribute("aAt") as InstancedBufferAttribute;
        const shape = this.hands.geometry.getAttribute("aShape") as InstancedBufferAttribute;
        for (let i = 0; i < count; ++i) {
            at.setXY(i, begin + 6 * i, begin + 6 * i + 3);
            shape.setXYZW(i, unit * 1.3, unit * 0.22, 14, 0);
        }
        at.needsUpdate = shape.needsUpdate = count > 0;
        this.hands.geometry.instanceCount = count;
        this.hands.visible = count > 0;
        this.ends.forEach((end, i) => {
            end.visible = count > 0;
            if (count > 0) end.position.fromArray(frame.floats, begin + 3 * i);
            end.scale.setScalar(unit * (i === 0 ? 0.6 : 1));
        });
    }
}

function newtons_label(newtons: number, place: Vec): Label {
    return { text: `${Number(newtons.toPrecision(3))} N`, kind: "newtons", place };
}

const largest_of = (found: [number, Label][]) => found.sort((a, b) => b[0] - a[0]).slice(0, kMostNumbers).map(([, label]) => label);

function overlay(geometry: InstancedBufferGeometry, material: Mesh["material"]): Mesh<InstancedBufferGeometry> {
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.visible = false;
    return mesh;
}

function instances(base: ReturnType<typeof make_arrow>, most: number,
                   address: (i: number) => [number, number]): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry(), colour = new Color(0xcc6699);
    geometry.index = base.index;
    for (const [name, attribute] of Object.entries(base.attributes)) geometry.setAttribute(name, attribute);
    const fill = (size: number, row: (i: number) => number[]) => {
        const rows = new Float32Array(most * size);
        for (let i = 0; i < most; ++i) rows.set(row(i), i * size);
        return new InstancedBufferAttribute(rows, size);
    };
    geometry.setAttribute("aAt", fill(2, address));
    geometry.setAttribute("aShape", fill(4, () => [1, 1, 1, 1]));
    geometry.setAttribute("aColour", fill(3, () => colour.toArray()));
    geometry.setAttribute("aTag", fill(2, () => [-2, -1]));
    geometry.setAttribute("aBody", fill(1, () => [-1]));
    geometry.instanceCount = 0;
    return geometry;
}
