// Elements of one kind and role as one mesh of instances.
//
//   in:  the scene's elements
//   out: batches: their meshes, and the same numbers for picking

import {
    BufferGeometry, Color, Float32BufferAttribute, Group, InstancedBufferAttribute,
    InstancedBufferGeometry, Mesh, SRGBColorSpace,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { ElementKind, ElementRole, Scene, SceneElement } from "../protocol";
import {
    make_depth_material, make_ghost_material, make_lit_material, make_outline_material, type Shared,
} from "./materials";
import { make_plate, type Plate } from "./polygons";
import { kMostRounded, make_base } from "./shapes";

/** Per instance: two addresses, four numbers of the shape, object and constraint; the body is for the shader alone. */
export interface Batch {
    kind: ElementKind;
    role: ElementRole;
    count: number;
    at: Float32Array;
    shape: Float32Array;
    tag: Float32Array;
    mesh: Mesh;
    outline: Mesh;
    ghost: Mesh;
    triangles: Uint32Array | null; // of a polygon's, surface's or mesh's own vertices
    vertices: Float32Array | null; // of a mesh
}

class Rows {
    readonly at: number[] = [];
    readonly shape: number[] = [];
    readonly colour: number[] = [];
    readonly tag: number[] = [];
    readonly body: number[] = [];
    readonly look: number[] = [];
    private readonly linear = new Color();

    add(element: SceneElement, from: number, to: number, shape: [number, number, number, number]): void {
        this.at.push(from, to);
        this.shape.push(...shape);
        this.linear.setRGB(...element.colour, SRGBColorSpace);
        this.colour.push(this.linear.r, this.linear.g, this.linear.b);
        this.tag.push(element.object ?? 0, element.constraint ?? -1);
        this.body.push(element.body ?? -1);
        this.look.push(element.roughness ?? 0, element.metal ?? 0);
    }
}

const kWire = 0.17; // of a coil's radius
const kEdge = 0.06; // radius of a box's edges, of its shortest side
const kCrease = (38 * Math.PI) / 180; // a sharper edge of a mesh is seen as one
const kMostCreased = 20000; // triangles; larger meshes are round everywhere
const kPlaneSize = 400; // of the scene's unit, which is a hundredth of the whole

/** The instances of an element: a curve has one for each piece, everything else one. */
function add_rows(rows: Rows, element: SceneElement, unit: number, are_round: boolean): void {
    const radius = element.radius ?? unit, size = element.size ?? [0, 0, 0];
    const point = element.first * 3, pose = element.first * 12, count = element.count ?? 1;
    if (element.kind === "curve") {
        const at = (i: number) => element.radii?.[i] ?? radius;
        const is_closed = element.is_closed === true && count > 2;
        const address = (i: number) => point + 3 * (is_closed ? (i + count) % count : Math.min(count - 1, Math.max(0, i)));
        for (let i = 0; i + 1 < count + (is_closed ? 1 : 0); ++i)
            rows.add(element, address(i), address(i + 1), [at(i), at((i + 1) % count), address(i - 1), address(i + 2)]);
    } else if (element.kind === "spring")
        rows.add(element, point, point + 3, [radius, radius * kWire, element.turns || 8, 0]);
    else if (element.kind === "sphere") rows.add(element, point, 0, [radius, 0, 0, 0]);
    else if (element.kind === "plane") rows.add(element, pose, 0, [unit * kPlaneSize, 0, 0, 0]);
    else if (element.kind === "box") rows.add(element, pose, 0, [are_round ? kEdge * Math.min(...size) : 0, ...size]);
    else rows.add(element, pose, 0, [radius, ...size]);
}

function make_geometry(base: BufferGeometry, rows: Rows): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    geometry.index = base.index;
    for (const [name, attribute] of Object.entries(base.attributes)) geometry.setAttribute(name, attribute);
    geometry.setAttribute("aAt", new InstancedBufferAttribute(new Float32Array(rows.at), 2));
    geometry.setAttribute("aShape", new InstancedBufferAttribute(new Float32Array(rows.shape), 4));
    geometry.setAttribute("aColour", new InstancedBufferAttribute(new Float32Array(rows.colour), 3));
    geometry.setAttribute("aTag", new InstancedBufferAttribute(new Float32Array(rows.tag), 2));
    geometry.setAttribute("aBody", new InstancedBufferAttribute(new Float32Array(rows.body), 1));
    geometry.setAttribute("aLook", new InstancedBufferAttribute(new Float32Array(rows.look), 2));
    geometry.instanceCount = rows.at.length / 2;
    return geometry;
}

/** Front, back and rim of every plate; its vertices are points of the frame, not instances. */
function add_plate(rows: Rows, indices: number[], element: SceneElement, { triangles, span }: Plate, unit: number): void {
    const base = rows.at.length / 2, count = element.count ?? 1, point = element.first * 3;
    const half = element.radius ?? 0.1 * unit, [a, b, c] = span.map((i) => point + 3 * i);
    for (const side of [half, -half])
        for (let i = 0; i < count; ++i) rows.add(element, point + 3 * i, 0, [side, a, b, c]);
    for (const [i, j, k] of triangles)
        indices.push(base + i, base + j, base + k, base + count + i, base + count + k, base + count + j);
    for (let i = 0; i < count; ++i) {
        const front = base + i, next = base + ((i + 1) % count);
        indices.push(front, front + count, next, next, front + count, next + count);
    }
}

/** A surface whose corners are points of the frame: as plates without thickness. */
function add_surface(rows: Rows, indices: number[], element: SceneElement, triangles: number[]): void {
    const base = rows.at.length / 2, count = element.count ?? 1, point = element.first * 3;
    for (let i = 0; i < count; ++i) rows.add(element, point + 3 * i, 0, [0, point, point, point]);
    for (const corner of triangles) indices.push(base + corner);
}

function make_plates_geometry(rows: Rows, indices: number[]): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array((rows.at.length / 2) * 3), 3));
    geometry.setAttribute("aAt", new Float32BufferAttribute(rows.at, 2));
    geometry.setAttribute("aShape", new Float32BufferAttribute(rows.shape, 4));
    geometry.setAttribute("aColour", new Float32BufferAttribute(rows.colour, 3));
    geometry.setAttribute("aTag", new Float32BufferAttribute(rows.tag, 2));
    geometry.setAttribute("aBody", new Float32BufferAttribute(rows.body, 1));
    geometry.setAttribute("aLook", new Float32BufferAttribute(rows.look, 2));
    geometry.setIndex(indices);
    geometry.instanceCount = 1;
    return geometry;
}

/** Round where the surface is, sharp at its edges. */
function make_mesh_base(scene: Scene, number: number): BufferGeometry {
    const { vertices, triangles } = scene.meshes[number], base = new BufferGeometry();
    base.setAttribute("position", new Float32BufferAttribute(vertices, 3));
    base.setIndex(triangles);
    if (triangles.length <= 3 * kMostCreased) return toCreasedNormals(base, kCrease);
    base.computeVertexNormals();
    return base;
}

function make_batch(kind: Exclude<ElementKind, "surface">, role: ElementRole, rows: Rows, geometry: BufferGeometry,
                    shared: Shared, triangles: Uint32Array | null): Batch {
    const placed = (material: Mesh["material"]) => {
        const mesh = new Mesh(geometry, material);
        mesh.frustumCulled = false; // its vertices are where the shader puts them
        return mesh;
    };
    const mesh = placed(make_lit_material(kind, shared));
    mesh.customDepthMaterial = make_depth_material(kind, shared);
    mesh.castShadow = role === "thing" && kind !== "plane";
    // What is thinner than the shadow map's grain would only be speckled by its own shadow.
    mesh.receiveShadow = role === "thing" && kind !== "curve" && kind !== "spring";
    const outline = placed(make_outline_material(kind, shared));
    const ghost = placed(make_ghost_material(kind, shared));
    outline.visible = ghost.visible = false;
    ghost.renderOrder = 2;
    return {
        kind, role, mesh, outline, ghost, triangles, count: rows.at.length / 2,
        at: new Float32Array(rows.at), shape: new Float32Array(rows.shape), tag: new Float32Array(rows.tag),
        vertices: null,
    };
}

function group_elements(elements: SceneElement[]): SceneElement[][] {
    const groups = new Map<string, SceneElement[]>();
    for (const element of elements) {
        const key = `${element.kind} ${element.role ?? "thing"} ${element.kind === "mesh" ? element.mesh : ""}`;
        const list = groups.get(key);
        if (list) list.push(element);
        else groups.set(key, [element]);
    }
    return [...groups.values()];
}

function batch_of(scene: Scene, elements: SceneElement[], shared: Shared, floats: Float32Array): Batch {
    const { kind, role = "thing", mesh = 0 } = elements[0], rows = new Rows();
    if (kind === "polygon") {
        const indices: number[] = [];
        for (const element of elements) add_plate(rows, indices, element, make_plate(element, floats), scene.unit);
        return make_batch(kind, role, rows, make_plates_geometry(rows, indices), shared, new Uint32Array(indices));
    }
    if (kind === "surface") {
        const indices: number[] = [];
        for (const element of elements) add_surface(rows, indices, element, scene.meshes[element.mesh ?? 0].triangles);
        return make_batch("polygon", role, rows, make_plates_geometry(rows, indices), shared, new Uint32Array(indices));
    }
    for (const element of elements) add_rows(rows, element, scene.unit, elements.length <= kMostRounded);
    const base = kind === "mesh" ? make_mesh_base(scene, mesh) : make_base(kind, rows.at.length / 2);
    const triangles = kind === "mesh" ? new Uint32Array(scene.meshes[mesh].triangles) : null;
    const batch = make_batch(kind, role, rows, make_geometry(base, rows), shared, triangles);
    return kind === "mesh" ? { ...batch, vertices: new Float32Array(scene.meshes[mesh].vertices) } : batch;
}

/** All batches of a scene; plates are cut from the first frame. */
export function make_batches(scene: Scene, shared: Shared, floats: Float32Array): Batch[] {
    return group_elements(scene.elements).map((elements) => batch_of(scene, elements, shared, floats));
}

export function add_to(group: Group, batches: Batch[]): void {
    for (const batch of batches) group.add(batch.mesh, batch.outline, batch.ghost);
}

export function dispose(batches: Batch[]): void {
    for (const batch of batches) {
        for (const mesh of [batch.mesh, batch.outline, batch.ghost]) {
            mesh.removeFromParent();
            mesh.geometry.dispose();
            for (const material of [mesh.material].flat()) material.dispose();
        }
        batch.mesh.customDepthMaterial?.dispose();
    }
}
