// Materials whose vertices are placed by shaders.ts: lit, for shadows, and for the outline.

import {
    BackSide, Color, DataTexture, DoubleSide, FrontSide, type Material, MeshDepthMaterial, MeshStandardMaterial, NearestFilter,
    RedFormat, RGBADepthPacking, ShaderMaterial, UnsignedByteType, type WebGLProgramParametersWithUniforms,
} from "three";
import type { Field } from "./field";
import { kContactTint, kDeclarations, kForceTint, kPlacing, kTint, type Placing } from "./shaders";

/** Uniforms that all materials share: one change is seen by every one of them. */
export class Shared {
    readonly uniforms;

    constructor(field: Field) {
        this.uniforms = {
            uData: field.uniform,
            uPoses: { value: 0 },
            uResiduals: { value: -1 },
            uLayers: { value: -1 },
            uTop: { value: 1 },
            uRamp: { value: Array.from({ length: 9 }, () => new Color()) },
            uAir: { value: new Color() },
            uContacts: { value: 0 },
            uContactSize: { value: 0.01 },
            uForces: { value: 0 },
            uForceScale: { value: 1 },
            uForceWidth: { value: 0.01 },
            uSelected: { value: -1 },
            uHovered: { value: -1 },
            uHidden: { value: make_flags([], 1) },
            uLift: { value: 0 },
            uAccent: { value: new Color() },
            uGhost: { value: [0, 0, 0] },
        };
    }
}

/** Puts what is hidden outside the picture. */
const kHide = "\nif (is_hidden()) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);\n";

const kFlagsWidth = 1024; // the shader's masks and shifts know it too

/** One texel for each object: 255 where its number is among those given. */
export function make_flags(numbers: Iterable<number>, count: number): DataTexture {
    const flags = new Uint8Array(kFlagsWidth * Math.max(1, Math.ceil(count / kFlagsWidth)));
    for (const each of numbers) flags[each] = 255;
    const texture = new DataTexture(flags, kFlagsWidth, flags.length / kFlagsWidth, RedFormat, UnsignedByteType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
}

/** Nothing but the lights is mirrored: a whole metal would be black. */
const kMetal = "0.6";

function head_of(placing: Placing): string {
    const sizes = placing === "force" ? "uniform float uForceScale;\nuniform float uForceWidth;\n"
        : placing === "contact" ? "uniform float uContactSize;\n" : "";
    return `${kDeclarations}${sizes}${kPlacing[placing]}\n`;
}

const tint_of = (placing: Placing): string => (placing === "force" ? kForceTint : placing === "contact" ? kContactTint : kTint);

export function make_lit_material(placing: Placing, shared: Shared): MeshStandardMaterial {
    const is_flat = placing === "polygon";
    const material = new MeshStandardMaterial({
        flatShading: is_flat,
        side: placing === "polygon" || placing === "mesh" ? DoubleSide : FrontSide,
    });
    material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
        Object.assign(shader.uniforms, shared.uniforms);
        shader.vertexShader = (head_of(placing) + tint_of(placing) + shader.vertexShader)
            .replace("#include <beginnormal_vertex>",
                "vec3 placed; vec3 objectNormal; place(placed, objectNormal); tint();")
            .replace("#include <begin_vertex>", "vec3 transformed = placed;")
            .replace("#include <project_vertex>", `#include <project_vertex>${kHide}`);
        shader.fragmentShader = ("varying vec3 vTint;\nvarying float vGlow;\nvarying vec2 vLook;\nuniform vec3 uAccent;\n" +
            shader.fragmentShader)
            .replace("#include <color_fragment>", "diffuseColor.rgb *= vTint;")
            .replace("#include <roughnessmap_fragment>", "float roughnessFactor = max(vLook.x, 0.12);")
            .replace("#include <metalnessmap_fragment>", `float metalnessFactor = ${kMetal} * vLook.y;`)
            .replace("#include <emissivemap_fragment>",
                `float rim = 1.0 - abs(dot(normalize(vViewPosition), normal));
                 totalEmissiveRadiance += vGlow * uAccent * (0.10 + 0.55 * rim * rim);`);
    };
    material.customProgramCacheKey = () => `lit ${placing}`;
    return material;
}

export function make_depth_material(placing: Placing, shared: Shared): Material {
    const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, shared.uniforms);
        shader.vertexShader = (head_of(placing) + shader.vertexShader)
            .replace("#include <begin_vertex>", "vec3 transformed, placed_normal; place(transformed, placed_normal);")
            .replace("#include <project_vertex>", `#include <project_vertex>${kHide}`);
    };
    material.customProgramCacheKey = () => `depth ${placing}`;
    return material;
}

/** A hull a little larger than the selected object, seen from inside: its outline. */
export function make_outline_material(placing: Placing, shared: Shared): Material {
    return new ShaderMaterial({
        uniforms: shared.uniforms as never,
        side: placing === "polygon" ? DoubleSide : BackSide,
        vertexShader: `${head_of(placing)}
void main() {
    if (aTag.x != uSelected) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
    vec3 p, n;
    place(p, n);
    vec4 at = viewMatrix * vec4(p, 1.0);
    gl_Position = projectionMatrix * (viewMatrix * vec4(p + n * 0.0032 * -at.z, 1.0));
}`,
        fragmentShader: "uniform vec3 uAccent;\nvoid main() { gl_FragColor = vec4(uAccent, 1.0);\n#include <colorspace_fragment>\n}",
    });
}

/** Where something fixed would go: itself, shifted and half transparent. */
export function make_ghost_material(placing: Placing, shared: Shared): Material {
    return new ShaderMaterial({
        uniforms: shared.uniforms as never,
        transparent: true,
        depthWrite: false,
        side: placing === "polygon" ? DoubleSide : FrontSide,
        vertexShader: `${head_of(placing)}
uniform vec3 uGhost;
void main() {
    if (aTag.x != uSelected) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
    vec3 p, n;
    place(p, n);
    gl_Position = projectionMatrix * (viewMatrix * vec4(p + uGhost, 1.0));
}`,
        fragmentShader: "uniform vec3 uAccent;\nvoid main() { gl_FragColor = vec4(uAccent, 0.45);\n#include <colorspace_fragment>\n}",
    });
}
