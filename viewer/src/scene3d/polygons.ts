// Flat outlines as plates.

import { ShapeUtils, Vector2, Vector3 } from "three";
import type { SceneElement } from "../protocol";

/** How an outline becomes a plate: its triangles, and three of its points that span its plane. */
export interface Plate {
    triangles: number[][];
    span: [number, number, number];
}

export function make_plate({ first, count = 1 }: SceneElement, floats: Float32Array): Plate {
    const points = floats.subarray(first * 3, (first + count) * 3);
    return { triangles: ShapeUtils.triangulateShape(flatten(points), []), span: find_span(points, count) };
}

/** The point farthest from the first, and the one farthest from the line through both. */
function find_span(points: Float32Array, count: number): [number, number, number] {
    const at = (i: number) => new Vector3().fromArray(points, 3 * i), origin = at(0);
    const indices = Array.from({ length: count }, (_, i) => i);
    const farthest = (measure: (i: number) => number) => indices.reduce((best, i) => (measure(i) > measure(best) ? i : best), 0);
    const far = farthest((i) => at(i).distanceToSquared(origin)), along = at(far).sub(origin);
    return [0, far, farthest((i) => at(i).sub(origin).cross(along).lengthSq())];
}

/** Drops the coordinate in which the outline is thinnest: the largest of its normal. */
function flatten(points: Float32Array): Vector2[] {
    const normal = [0, 0, 0]; // Newell's: right for outlines that are not quite flat or not convex
    for (let i = 0; i < points.length; i += 3) {
        const j = (i + 3) % points.length;
        for (let k = 0; k < 3; ++k) {
            const u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += (points[i + u] - points[j + u]) * (points[i + v] + points[j + v]);
        }
    }
    const sizes = normal.map(Math.abs), drop = sizes.indexOf(Math.max(...sizes));
    const u = (drop + 1) % 3, v = (drop + 2) % 3, outline: Vector2[] = [];
    for (let i = 0; i < points.length; i += 3) outline.push(new Vector2(points[i + u], points[i + v]));
    return outline;
}
