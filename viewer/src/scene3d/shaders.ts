// How each kind of element is placed, in the vertex shader.
//
//   in:  the frame's floats (uData), where poses begin (uPoses), per instance: aAt (addresses of
//        its numbers), aShape (radius, size or turns), aColour, aTag (object, constraint),
//        aLook (roughness, metal)
//   out: place(p, n): position and normal in the world

export const kDeclarations = /* glsl */ `
uniform highp sampler2D uData;
uniform int uPoses;
uniform int uResiduals;
uniform int uLayers;
uniform float uTop;
uniform vec3 uRamp[9];
uniform vec3 uAir;
uniform float uSelected;
uniform float uHovered;
uniform sampler2D uHidden;
attribute vec2 aAt;
attribute vec4 aShape;
attribute vec3 aColour;
attribute vec2 aTag;
attribute float aBody;
attribute vec2 aLook;

float data_at(int i) { return texelFetch(uData, ivec2(i & 4095, i >> 12), 0).r; }
vec3 vector_at(int i) { return vec3(data_at(i), data_at(i + 1), data_at(i + 2)); }

/// Whether a person has hidden the object: then it is put where nothing is drawn.
bool is_hidden() {
    int i = int(aTag.x);
    return i >= 0 && texelFetch(uHidden, ivec2(i & 1023, i >> 10), 0).r > 0.5;
}

/// Three axes, the second along d.
mat3 frame_along(vec3 d) {
    float l = length(d);
    vec3 y = l > 1e-12 ? d / l : vec3(0.0, 1.0, 0.0);
    vec3 x = normalize(abs(y.z) < 0.8 ? cross(y, vec3(0.0, 0.0, 1.0)) : cross(y, vec3(1.0, 0.0, 0.0)));
    return mat3(x, y, cross(x, y));
}
`;

const kPose = /* glsl */ `
void place_on_pose(vec3 q, vec3 m, out vec3 p, out vec3 n) {
    int i = uPoses + int(aAt.x);
    vec3 r0 = vector_at(i), r1 = vector_at(i + 4), r2 = vector_at(i + 8);
    p = vec3(dot(r0, q) + data_at(i + 3), dot(r1, q) + data_at(i + 7), dot(r2, q) + data_at(i + 11));
    // Normals go with the cofactors, right for uneven scales and reflections.
    n = normalize(vec3(dot(cross(r1, r2), m), dot(cross(r2, r0), m), dot(cross(r0, r1), m)));
}
`;

/** aShape: radius, size. */
const kScaled = (scale: string, normal = "normal") => /* glsl */ `${kPose}
void place(out vec3 p, out vec3 n) { place_on_pose(position * ${scale}, ${normal}, p, n); }
`;

export const kPlacing = {
    sphere: /* glsl */ `
void place(out vec3 p, out vec3 n) {
    p = vector_at(int(aAt.x)) + position * aShape.x;
    n = normal;
}`,

    // The base is a capsule without length; uv.y says at which end a vertex stays. aShape: both radii, and the
    // addresses of the points before and behind. Neighbouring pieces share the directions of their sections where
    // they meet, so that a bent rope has no facets.
    curve: /* glsl */ `
void place(out vec3 p, out vec3 n) {
    vec3 a = vector_at(int(aAt.x)), b = vector_at(int(aAt.y));
    mat3 R = frame_along(b - vector_at(int(aShape.z)));
    if (uv.y > 0.5) {
        vec3 d = vector_at(int(aShape.w)) - a;
        vec3 y = length(d) > 1e-12 ? normalize(d) : R[1];
        vec3 x = R[0] - y * dot(R[0], y);
        if (dot(x, x) > 1e-6) R = mat3(normalize(x), y, cross(normalize(x), y));
    }
    p = mix(a, b, uv.y) + R * (position * mix(aShape.x, aShape.y, uv.y));
    n = R * normal;
}`,

    // The base is a tube: position.x along it, position.y around it. aShape: radius, wire, turns.
    spring: /* glsl */ `
vec3 coil(vec3 a, vec3 d, mat3 R, float u) {
    float s = clamp((u - 0.08) / 0.84, 0.0, 1.0);
    float r = aShape.x * smoothstep(0.0, 0.06, s) * (1.0 - smoothstep(0.94, 1.0, s));
    float angle = 6.2831853 * aShape.z * s;
    return a + d * u + r * (R[0] * cos(angle) + R[2] * sin(angle));
}
void place(out vec3 p, out vec3 n) {
    vec3 a = vector_at(int(aAt.x)), d = vector_at(int(aAt.y)) - a;
    mat3 R = frame_along(d);
    float u = position.x;
    vec3 c = coil(a, d, R, u);
    mat3 S = frame_along(coil(a, d, R, min(1.0, u + 1e-3)) - coil(a, d, R, max(0.0, u - 1e-3)));
    n = S[0] * cos(position.y) + S[2] * sin(position.y);
    p = c + n * aShape.y;
}`,

    // A plate. aShape: half its thickness (negative on its back), then three points of its plane.
    polygon: /* glsl */ `
void place(out vec3 p, out vec3 n) {
    vec3 a = vector_at(int(aShape.y));
    vec3 m = cross(vector_at(int(aShape.z)) - a, vector_at(int(aShape.w)) - a);
    n = m / max(length(m), 1e-30);
    p = vector_at(int(aAt.x)) + n * aShape.x;
    n *= sign(aShape.x);
}`,

    // Corners stand where spheres of the edges' radius touch all three sides. aShape: that radius, size.
    box: /* glsl */ `${kPose}
void place(out vec3 p, out vec3 n) {
    place_on_pose(sign(position) * (0.5 * aShape.yzw - aShape.x) + normal * aShape.x, normal, p, n);
}`,
    cylinder: kScaled("vec3(aShape.x, aShape.z, aShape.x)"),
    cone: kScaled("vec3(aShape.x, aShape.z, aShape.x)",
        "normalize(vec3(normal.x * aShape.z, normal.y * aShape.x, normal.z * aShape.z))"),
    plane: kScaled("aShape.x"),
    mesh: kScaled("1.0"),
    capsule: /* glsl */ `${kPose}
void place(out vec3 p, out vec3 n) {
    place_on_pose(position * aShape.x + vec3(0.0, (uv.y - 0.5) * aShape.z, 0.0), normal, p, n);
}`,

    // The base is an arrow along y: a shaft (uv.y 0) and a head (uv.y 1), which short arrows have smaller.
    force: /* glsl */ `
uniform int uForces;
void place(out vec3 p, out vec3 n) {
    int i = uForces + int(aAt.x);
    vec3 f = vector_at(i + 3);
    mat3 R = frame_along(f);
    float l = length(f) * uForceScale;
    float head = min(1.0, l / (9.0 * uForceWidth)), head_length = 7.0 * uForceWidth * head;
    vec3 q = position * vec3(uForceWidth * head, 1.0, uForceWidth * head);
    q.y = uv.y < 0.5 ? q.y * (l - 0.9 * head_length) : l - (1.0 - q.y) * head_length;
    p = vector_at(i) + R * q;
    n = R * normal;
}`,

    // A dot (uv.y 0) and a needle along the normal (uv.y 1).
    contact: /* glsl */ `
uniform int uContacts;
void place(out vec3 p, out vec3 n) {
    int i = uContacts + int(aAt.x);
    mat3 R = frame_along(vector_at(i + 3));
    p = vector_at(i) + R * (position * uContactSize);
    n = R * normal;
}`,
} as const;

export type Placing = keyof typeof kPlacing;

/** The colour of a vertex: its element's, by residual where that is shown. */
export const kTint = /* glsl */ `
uniform float uLift;
varying vec3 vTint;
varying float vGlow;
varying vec2 vLook;

/// Blue-green for rounding, yellow for what can be seen, red from a millimetre on.
vec3 residual_colour(float residual) {
    float s = clamp((log(max(abs(residual), 1e-12)) / 2.302585 + 12.0) / 9.0, 0.0, 1.0);
    vec3 low = vec3(0.02, 0.35, 0.33), middle = vec3(0.85, 0.55, 0.04), high = vec3(0.75, 0.04, 0.03);
    return s < 0.5 ? mix(low, middle, s * 2.0) : mix(middle, high, s * 2.0 - 1.0);
}
/// Steps of the ramp from layer 1 to the highest; what is fixed keeps its colour.
vec3 layer_colour(float layer) {
    if (layer == 0.0) return aColour;
    if (layer < 0.0) return uAir;
    float at = 8.0 * clamp((layer - 1.0) / max(1.0, uTop - 1.0), 0.0, 1.0);
    int i = min(7, int(at));
    return mix(uRamp[i], uRamp[i + 1], at - float(i));
}
void tint() {
    vTint = aBody >= 0.0 && uLayers >= 0 ? layer_colour(data_at(uLayers + int(aBody)))
        : aTag.y >= 0.0 && uResiduals >= 0 ? residual_colour(data_at(uResiduals + int(aTag.y))) : aColour;
    // Black things on a dark ground: lifted, so that they can be seen.
    vTint += uLift * (1.0 - smoothstep(0.0, 0.16, max(vTint.r, max(vTint.g, vTint.b))));
    vGlow = aTag.x == uSelected ? 1.0 : aTag.x == uHovered ? 0.45 : 0.0;
    vLook = aLook;
}
`;

/** Contacts: dark on light, light on dark. */
export const kContactTint = /* glsl */ `
uniform float uLift;
varying vec3 vTint;
varying float vGlow;
varying vec2 vLook;
void tint() {
    vLook = vec2(0.42, 0.0);
    vTint = mix(vec3(0.012), vec3(0.9), step(0.01, uLift));
    vGlow = 0.0;
}
`;

/** Colours of the kinds of force, as PROTOCOL.md counts them. */
export const kForceTint = /* glsl */ `
varying vec3 vTint;
varying float vGlow;
varying vec2 vLook;
void tint() {
    vLook = vec2(0.42, 0.0);
    int kind = int(data_at(uForces + int(aAt.x) + 6) + 0.5);
    vTint = kind == 0 ? vec3(0.25, 0.28, 0.33) : kind == 1 ? vec3(0.0, 0.34, 0.55)
        : kind == 2 ? vec3(0.72, 0.16, 0.0) : kind == 3 ? vec3(0.1, 0.45, 0.75)
        : kind == 4 ? vec3(0.0, 0.35, 0.18) : vec3(0.6, 0.18, 0.38);
    vGlow = 0.25;
}
`;
