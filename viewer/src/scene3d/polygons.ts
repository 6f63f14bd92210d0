// Fills flat outlines with triangles.

import { ShapeUtils, Vector2 } from "three";
import type { SceneElement } from "../protocol";

/** Indices into the vertices of all polygons, one polygon behind the other. */
export function triangulate(elements: SceneElement[], floats: Float32Array): Uint32Array {
    const indices: number[] = [];
    let base = 0;
    for (const { first, count = 1 } of elements) {
        const outline = flatten(floats.subarray(first * 3, (first + count) * 3));
        for (const [a, b, c] of ShapeUtils.triangulateShape(outline, [])) indices.push(base + a, base + b, base + c);
        base += count;
    }
    return new Uint32Array(indices);
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
