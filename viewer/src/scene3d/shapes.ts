// The base geometries that instances are made from.

import {
    BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Float32BufferAttribute,
    IcosahedronGeometry, PlaneGeometry, SphereGeometry,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { ElementKind } from "../protocol";

export const kMostRounded = 600; // boxes; where there are more, their edges are sharp

/** Fewer triangles where there are many instances. */
export function make_base(kind: Exclude<ElementKind, "polygon" | "surface" | "mesh">, instances: number): BufferGeometry {
    switch (kind) {
    case "sphere":
        if (instances > 5000) return new IcosahedronGeometry(1, 1);
        return instances > 200 ? new SphereGeometry(1, 16, 10) : new SphereGeometry(1, 36, 24);
    case "curve":
        if (instances > 5000) return make_capsule(5, 0);
        return instances > 1000 ? make_capsule(8, 1) : make_capsule(14, 3);
    case "spring": return make_tube(instances > 100 ? 120 : 360, instances > 100 ? 5 : 10);
    case "box": return instances > kMostRounded ? new BoxGeometry(1, 1, 1) : new RoundedBoxGeometry(1, 1, 1, 2, 0.1);
    case "capsule": return make_capsule(28, 8);
    case "cylinder": return new CylinderGeometry(1, 1, 1, 48);
    case "cone": return new ConeGeometry(1, 1, 48);
    case "plane": return new PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
    }
}

/** A capsule of radius 1 along y and without length; uv.y is 0 in its lower half, 1 in its upper. */
export function make_capsule(sides: number, cap_rings: number): BufferGeometry {
    const rings: [height: number, radius: number, half: number][] = [];
    for (let i = 0; i <= cap_rings; ++i) {
        const angle = cap_rings === 0 ? 0 : (Math.PI / 2) * (1 - i / cap_rings);
        rings.push([-Math.sin(angle), Math.cos(angle), 0]);
    }
    for (const [height, radius] of [...rings].reverse()) rings.push([-height, radius, 1]);
    const positions: number[] = [], uvs: number[] = [];
    for (const [height, radius, half] of rings)
        for (let i = 0; i < sides; ++i) {
            const angle = (2 * Math.PI * i) / sides;
            positions.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
            uvs.push(0, half);
        }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new Float32BufferAttribute(positions, 3));
    geometry.setAttribute("uv", new Float32BufferAttribute(uvs, 2));
    geometry.setIndex(lattice(rings.length, sides));
    return geometry;
}

/** position.x: 0 to 1 along the tube, position.y: the angle around it. */
function make_tube(steps: number, sides: number): BufferGeometry {
    const positions: number[] = [];
    for (let i = 0; i <= steps; ++i)
        for (let j = 0; j < sides; ++j) positions.push(i / steps, (2 * Math.PI * j) / sides, 0);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.setIndex(lattice(steps + 1, sides));
    return geometry;
}

/** Triangles between neighbouring rings of vertices, seen from outside. */
function lattice(rings: number, sides: number): BufferAttribute {
    const indices: number[] = [];
    for (let i = 0; i + 1 < rings; ++i)
        for (let j = 0; j < sides; ++j) {
            const a = i * sides + j, b = i * sides + ((j + 1) % sides), c = a + sides, d = b + sides;
            indices.push(a, c, b, b, c, d);
        }
    return new BufferAttribute(new Uint32Array(indices), 1);
}

/** A dot with a needle along y, for the placing `contact`. */
export function make_needle(): BufferGeometry {
    return join([new SphereGeometry(1, 12, 8), new CylinderGeometry(0.3, 0.3, 5, 6).translate(0, 2.5, 0)]);
}

/** An arrow along y: a shaft (uv.y 0) and a head (uv.y 1), for the placing `force`. */
export function make_arrow(): BufferGeometry {
    const shaft = new CylinderGeometry(1, 1, 1, 10, 1, true).translate(0, 0.5, 0);
    const head = new ConeGeometry(2.6, 1, 16).translate(0, 0.5, 0);
    return join([shaft, head]);
}

/** Parts as one; uv.y tells which. */
function join(parts: BufferGeometry[]): BufferGeometry {
    const positions: number[] = [], normals: number[] = [], uvs: number[] = [], indices: number[] = [];
    parts.forEach((part, half) => {
        const base = positions.length / 3;
        positions.push(...part.getAttribute("position").array);
        normals.push(...part.getAttribute("normal").array);
        for (let i = 0; i < part.getAttribute("position").count; ++i) uvs.push(0, half);
        for (const i of part.getIndex()!.array) indices.push(base + i);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
    geometry.setAttribute("uv", new Float32BufferAttribute(uvs, 2));
    geometry.setIndex(indices);
    return geometry;
}
