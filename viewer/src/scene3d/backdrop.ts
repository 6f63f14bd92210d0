// Sky and ground as `sinew render` draws them: a sky that darkens upwards, a ground that melts into it.
// In the dark theme both are night: the same shapes, other colours.

import { BackSide, Color, Mesh, PlaneGeometry, ShaderMaterial, SphereGeometry, SRGBColorSpace, Vector3 } from "three";

/** Linear colours. */
export interface Hues {
    low: Color; // of the sky below the horizon
    high: Color;
    near: Color; // of the ground, where the script has none
}

export const kDay: Hues = { low: new Color(0.66, 0.72, 0.78), high: new Color(0.24, 0.33, 0.45), near: new Color(0.8, 0.81, 0.81) };
export const kNight: Hues = { low: new Color(0.022, 0.026, 0.034), high: new Color(0.008, 0.01, 0.014), near: new Color(0.03, 0.034, 0.042) };

export const kDaySun = new Vector3(-0.362, 0.788, 0.498); // towards it: as rendered, 36 degrees aside and 52 high
const kUncoloured = new Color().setRGB(0.8, 0.81, 0.83, SRGBColorSpace); // of a plane without a colour: kGroundColour of sinew/display.h
const kSunlit = 1.38; // light that falls on the ground, of what shows its colour as it is written
const kSheen = 0.2; // of the sky, seen in a ground that one looks along

const kSky = /* glsl */ `
uniform vec3 uLow;
uniform vec3 uHigh;
vec3 background(vec3 direction) { return mix(uLow, uHigh, smoothstep(-0.3, 0.45, direction.y)); }
`;

const kOut = "#include <tonemapping_fragment>\n#include <colorspace_fragment>\n";

const kWorldVertex = /* glsl */ `
varying vec3 vWorld;
varying vec2 vAt;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vWorld = world.xyz;
    vAt = position.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;

/** A sphere around the camera, behind everything. */
export class Sky {
    readonly mesh: Mesh<SphereGeometry, ShaderMaterial>;

    constructor() {
        this.mesh = new Mesh(new SphereGeometry(1, 32, 24), new ShaderMaterial({
            side: BackSide, depthWrite: false, depthTest: false,
            uniforms: { uLow: { value: kDay.low.clone() }, uHigh: { value: kDay.high.clone() } },
            vertexShader: /* glsl */ `
varying vec3 vDirection;
void main() {
    vDirection = position;
    gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
    gl_Position.z = gl_Position.w * 0.99999;
}`,
            fragmentShader: `${kSky}varying vec3 vDirection;\nvoid main() {\n    gl_FragColor = vec4(background(normalize(vDirection)), 1.0);\n    ${kOut}}`,
        }));
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = -10;
    }

    set_hues({ low, high }: Hues): void {
        this.mesh.material.uniforms.uLow.value.copy(low);
        this.mesh.material.uniforms.uHigh.value.copy(high);
    }
}

/** Seen from above only: from below one looks through it. */
export class Sheet {
    readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
    private hues = kDay;
    private written: Color | null = null;

    constructor(plane: PlaneGeometry) {
        this.mesh = new Mesh(plane, new ShaderMaterial({
            polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
            uniforms: {
                uLow: { value: kDay.low.clone() }, uHigh: { value: kDay.high.clone() }, uNear: { value: kDay.near.clone() },
                uSize: { value: 1 }, uEnd: { value: 40 }, uMelts: { value: 1 }, uSheen: { value: 0 },
            },
            vertexShader: kWorldVertex,
            fragmentShader: `${kSky}
uniform vec3 uNear;
uniform float uSize;
uniform float uEnd;
uniform float uMelts;
uniform float uSheen;
varying vec3 vWorld;
varying vec2 vAt;
void main() {
    float away = length(vAt) / uSize;
    float far = max(uMelts * smoothstep(0.6, 4.5, away), smoothstep(0.3, 1.0, away / uEnd));
    vec3 view = normalize(vWorld - cameraPosition), behind = background(view);
    float along = 1.0 - abs(view.y);
    gl_FragColor = vec4(mix(uNear + uSheen * along * along * along * along * behind, behind, far), 1.0);
    ${kOut}}`,
        }));
        this.mesh.renderOrder = -3;
        this.mesh.frustumCulled = false;
    }

    set_hues(hues: Hues): void {
        this.hues = hues;
        this.mesh.material.uniforms.uLow.value.copy(hues.low);
        this.mesh.material.uniforms.uHigh.value.copy(hues.high);
        this.apply();
    }

    /** The colour of the script's plane; null: there is none. One without a colour is as the ground is where there is no plane. */
    set_colour(colour: Color | null): void {
        this.written = colour && !is_same(colour, kUncoloured) ? colour : null;
        this.apply();
    }

    fit(size: number, end: number): void {
        this.mesh.material.uniforms.uSize.value = size;
        this.mesh.material.uniforms.uEnd.value = end;
    }

    private apply(): void {
        const { uNear, uMelts, uSheen } = this.mesh.material.uniforms, is_dark = this.hues === kNight;
        uNear.value.copy(this.written ?? this.hues.near);
        if (this.written) uNear.value.multiplyScalar(is_dark ? 0.35 : kSunlit);
        uSheen.value = this.written && !is_dark ? kSheen : 0;
        uMelts.value = this.written ? 0 : 1;
    }
}

const is_same = (a: Color, b: Color) => Math.max(Math.abs(a.r - b.r), Math.abs(a.g - b.g), Math.abs(a.b - b.b)) < 1e-3;
