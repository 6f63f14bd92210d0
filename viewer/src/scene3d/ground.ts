// The ground: a sheet of its colour, a grid that fades into the distance, and the shadows on both.

import { Color, DoubleSide, Group, Matrix4, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";
import { type Hues, Sheet } from "./backdrop";

const kReach = 3; // of the scene's size
const kEnd = 40; // of the scene's size: there the sheet has become sky

const kVertex = /* glsl */ `
varying vec3 vAt;
varying vec3 vWorld;
void main() {
    vAt = position;
    vec4 world = modelMatrix * vec4(position, 1.0);
    vWorld = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Lines one pixel wide at any distance: the derivative says how much ground a pixel covers.
const kFragment = /* glsl */ `
uniform vec3 uColour;
uniform float uCell;
uniform float uReach;
uniform float uStrength;
varying vec3 vAt;
varying vec3 vWorld;
float lines(vec2 at, float cell) {
    vec2 q = at / cell, w = fwidth(q);
    vec2 near = abs(fract(q - 0.5) - 0.5) / max(w, vec2(1e-6));
    float fade = 1.0 - smoothstep(0.25, 0.6, max(w.x, w.y));
    return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
}
void main() {
    float far = length(vAt.xz) / uReach;
    float line = max(0.45 * lines(vAt.xz, uCell), lines(vAt.xz, uCell * 5.0));
    float facing = abs(normalize(cameraPosition - vWorld).y);
    float alpha = line * uStrength * (1.0 - smoothstep(0.25, 1.0, far)) * smoothstep(0.0, 0.12, facing);
    gl_FragColor = vec4(uColour, alpha);
    #include <colorspace_fragment>
}`;

export class Ground {
    readonly group = new Group();
    private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
    private readonly sheet: Sheet;
    private reach = 0;
    private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;

    constructor() {
        const sheet = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
        this.grid = new Mesh(sheet, new ShaderMaterial({
            vertexShader: kVertex, fragmentShader: kFragment, transparent: true, depthWrite: false, side: DoubleSide,
            uniforms: {
                uColour: { value: new Color() }, uCell: { value: 1 }, uReach: { value: 1 }, uStrength: { value: 0.3 },
            },
        }));
        this.shadow = new Mesh(sheet, new ShadowMaterial({ opacity: 0.2, depthWrite: false }));
        this.shadow.receiveShadow = true;
        this.shadow.renderOrder = -2;
        this.grid.renderOrder = -1;
        this.sheet = new Sheet(sheet.clone());
        this.group.add(this.sheet.mesh, this.shadow, this.grid);
    }

    /** The colour of the script's plane, as it is written; null: it has none. */
    set_colour(colour: Color | null): void {
        this.sheet.set_colour(colour);
    }

    set_colours(line: Color, strength: number, shadow: number, hues: Hues): void {
        this.sheet.set_hues(hues);
        this.grid.material.uniforms.uColour.value.copy(line);
        this.grid.material.uniforms.uStrength.value = strength;
        this.shadow.material.opacity = shadow;
    }

    show(grid: boolean, shadows: boolean): void {
        this.grid.visible = grid;
        this.shadow.visible = shadows;
    }

    /** As large as what stands on it needs, cells of 1, 2 or 5 times a power of ten. */
    fit(size: number): void {
        const reach = size * kReach, power = 10 ** Math.floor(Math.log10(size / 8)), ratio = size / 8 / power;
        const cell = power * (ratio < 2 ? 1 : ratio < 5 ? 2 : 5);
        this.reach = reach;
        this.sheet.mesh.geometry.dispose();
        this.sheet.mesh.geometry = new PlaneGeometry(2 * kEnd * size, 2 * kEnd * size).rotateX(-Math.PI / 2);
        this.sheet.fit(size, kEnd);
        this.grid.geometry.dispose();
        const sheet = new PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2);
        this.grid.geometry = this.shadow.geometry = sheet;
        this.grid.material.uniforms.uReach.value = reach;
        this.grid.material.uniforms.uCell.value = cell;
    }

    needs_fit(size: number): boolean {
        return size * kReach > this.reach * 1.4 || size * kReach < this.reach * 0.5;
    }

    put(height: number, x: number, z: number): void {
        this.group.matrixAutoUpdate = true;
        this.group.rotation.set(0, 0, 0);
        this.group.position.set(x, height, z);
    }

    /** Lies where the script has its plane. */
    put_on(pose: Matrix4): void {
        this.group.matrixAutoUpdate = false;
        this.group.matrix.copy(pose);
    }
}
