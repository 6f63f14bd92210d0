#include "render/shade/texture.h"

namespace sinew::picture {

namespace {

std::uint32_t hash(std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    std::uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ z * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    return h ^ (h >> 12);
}

float corner(int x, int y, int z)
{
    return float(hash(std::uint32_t(x), std::uint32_t(y), std::uint32_t(z)) >> 8) * 0x1p-23f - 1;
}

float fade(float t) { return t * t * (3 - 2 * t); }

float mix_of(float a, float b, float t) { return a + (b - a) * t; }

/// Noise of several sizes, each half the one before.
float cloud(Vec p, int octaves)
{
    float sum = 0, size = 0.5f;
    for (int i = 0; i < octaves; ++i) {
        sum += size * noise(p);
        p = p * 2.03f + Vec{17.3f, 5.1f, 9.7f};
        size *= 0.5f;
    }
    return sum;
}

/// The normal tilted against the slope of a height.
template <class Height>
Vec tilt(const Vec& normal, const Vec& p, float amount, Height height)
{
    constexpr float kStep = 0.02f;
    const float h = height(p);
    const Vec slope{(height(p + Vec{kStep, 0, 0}) - h) / kStep,
                    (height(p + Vec{0, kStep, 0}) - h) / kStep,
                    (height(p + Vec{0, 0, kStep}) - h) / kStep};
    const Vec flat = slope - normal * dot(slope, normal);
    return normalised(normal - flat * amount);
}

/// Rings about the axis it grew along, beside the middle of the thing.
void paint_wood(const Paint& paint, Vec p, Surface& out)
{
    if (paint.axis == 0)
        p = {p.y, p.x, p.z};
    else if (paint.axis == 2)
        p = {p.x, p.z, p.y};
    const float seed = float(paint.object % 61u);
    const Vec q{p.x * 2.6f + 1.7f, p.y * 0.22f + seed, p.z * 2.6f - 2.3f};
    const float r = sqrt(q.x * q.x + q.z * q.z) + 0.35f * cloud({q.x * 0.7f, q.y, q.z * 0.7f}, 2);
    const float turn = r * 1.9f - floor(r * 1.9f);
    const float ring = turn * turn * (1 - smooth_step(0.88f, 1.0f, turn));
    const float fibre = noise({q.x * 14, q.y * 1.5f, q.z * 14});
    const float dark = paint.relief * (0.5f * ring + 0.09f * fibre + 0.06f * cloud(q * 0.5f, 2));
    out.colour = multiply(out.colour, Vec{1 - 0.78f * dark, 1 - 0.90f * dark, 1 - 1.0f * dark});
    out.roughness += 0.08f * ring;
}

void paint_brick(const Paint& paint, const Vec& p, Surface& out)
{
    const Vec q = p * 3.0f + Vec{float(paint.object % 97u) * 7.1f, 0, 0};
    const float spots = cloud(q * 1.5f, 3), grit = noise(q * 9);
    const float shade = 1 + paint.relief * (0.5f * spots + 0.14f * grit);
    out.colour = out.colour * max(0.2f, shade);
    out.normal = paint.frame.world(
        tilt(paint.frame.local(out.normal + paint.frame.origin), q, 0.12f * paint.relief,
             [](const Vec& x) { return noise(x * 5) * 0.3f + 0.6f * min(0.0f, noise(x * 2)); }));
}

void paint_stone(const Paint& paint, const Vec& p, Surface& out)
{
    const Vec q = p * 1.6f + Vec{float(paint.object % 89u) * 5.3f, 0, 0};
    const float clouds = cloud(q, 4), vein = abs(noise(q * 1.3f + Vec{3, 3, 3}));
    out.colour =
        out.colour * (1 + paint.relief * (0.4f * clouds - 0.16f * max(0.0f, 1 - 9 * vein)));
    out.normal =
        paint.frame.world(tilt(paint.frame.local(out.normal + paint.frame.origin), q,
                               0.1f * paint.relief, [](const Vec& x) { return cloud(x * 2, 2); }));
}

void paint_weave(const Paint& paint, const Vec& p, Surface& out)
{
    const Vec q = p * 26.0f;
    const float threads = sin(q.x) * sin(q.y) + sin(q.y) * sin(q.z) + sin(q.z) * sin(q.x);
    out.colour = out.colour * (1 + 0.16f * paint.relief * threads);
}

/// Three strands laid about each other: grooves that wind with the section.
void paint_rope(const Paint& paint, const Hit& hit, Surface& out)
{
    constexpr float kStrands = 3, kPitch = 1.15f; // turns of a groove for each radius of length
    const float phase =
        0.5f * (kStrands * hit.angle - kPitch * hit.along / max(1e-9f, paint.grain));
    const float ridge = abs(cos(phase)), groove = sin(phase) * (cos(phase) > 0 ? 1.0f : -1.0f);
    const Vec around = normalised(cross(hit.tangent, out.normal));
    const float fibre = noise({phase * 9, hit.along / max(1e-9f, paint.grain) * 2.2f, 1});
    out.normal = normalised(out.normal + around * (0.75f * paint.relief * groove) -
                            hit.tangent * (0.3f * paint.relief * groove));
    out.colour =
        out.colour * (1 - paint.relief * (0.6f * (1 - ridge) * (1 - ridge) - 0.1f * fibre));
}

/// A plane has the pattern of a floor, in its own colour.
Surface paint_ground(const Paint& paint, const Hit& hit, Surface out)
{
    const Floor like = paint.pattern == LookPattern::grass   ? Floor::grass
                       : paint.pattern == LookPattern::wood  ? Floor::wood
                       : paint.pattern == LookPattern::brick ? Floor::tiles
                                                             : Floor::stone;
    const float dark = paint.relief * 0.6f * (1 - floor_pattern(like, hit.position));
    out.colour = out.colour * max(0.1f, 1 - dark);
    return out;
}

} // namespace

float noise(const Vec& p)
{
    constexpr float kLargest = 1e6f; // beyond, floats have no place for its features
    if (!(abs(p.x) < kLargest && abs(p.y) < kLargest && abs(p.z) < kLargest))
        return 0;
    const float fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    const int x = int(fx), y = int(fy), z = int(fz);
    const float u = fade(p.x - fx), v = fade(p.y - fy), w = fade(p.z - fz);
    const auto edge = [&](int j, int k) {
        return mix_of(corner(x, y + j, z + k), corner(x + 1, y + j, z + k), u);
    };
    return mix_of(mix_of(edge(0, 0), edge(1, 0), v), mix_of(edge(0, 1), edge(1, 1), v), w);
}

Surface surface_at(const Hit& hit)
{
    const Paint& paint = *hit.paint;
    Surface out{paint.colour, hit.normal, paint.roughness};
    if (paint.pattern == LookPattern::none || paint.relief == 0)
        return out;
    const Vec p = paint.frame.local(hit.position) / max(1e-9f, paint.grain);
    if (hit.is_plane)
        return paint_ground(paint, hit, out);
    switch (paint.pattern) {
    case LookPattern::wood: paint_wood(paint, p, out); break;
    case LookPattern::brick: paint_brick(paint, p, out); break;
    case LookPattern::stone: paint_stone(paint, p, out); break;
    case LookPattern::weave: paint_weave(paint, p, out); break;
    case LookPattern::rope:
        if (length(hit.tangent) > 0)
            paint_rope(paint, hit, out);
        break;
    case LookPattern::grass: // darker where blades stand close
        out.colour = out.colour * mix_of(1 - 0.6f * paint.relief, 1,
                                         smooth_step(0, 30 * paint.grain, hit.along));
        break;
    default: break;
    }
    return out;
}

float floor_pattern(Floor floor_kind, const Vec& place)
{
    const float x = place.x, z = place.z;
    switch (floor_kind) {
    case Floor::grass:
        return 0.5f + 0.45f * cloud({x * 9, 0, z * 9}, 3) + 0.35f * noise({x * 90, 0, z * 60});
    case Floor::wood: {
        constexpr float kPlank = 0.085f;
        const float plank = floor(x / kPlank), part = x / kPlank - plank;
        const float tone = corner(int(plank), 3, 5);
        const float grain = cloud({x * 60 + plank * 3.7f, 1, z * 5 + tone * 9}, 3);
        const float end = z * 1.6f + tone * 5, joint = abs(end - round(end));
        const float gap = min(min(part, 1 - part) / 0.03f, joint / 0.004f);
        return (0.62f + 0.22f * tone + 0.5f * grain) * min(1.0f, 0.25f + 0.75f * gap);
    }
    case Floor::stone:
        return 0.6f + 0.4f * cloud({x * 7, 0, z * 7}, 4) + 0.2f * noise({x * 160, 0, z * 160});
    case Floor::tiles: {
        constexpr float kTile = 0.22f;
        const float i = floor(x / kTile), k = floor(z / kTile);
        const float u = abs(x / kTile - i - 0.5f), v = abs(z / kTile - k - 0.5f);
        const float tone =
            0.82f + 0.14f * corner(int(i), 1, int(k)) + 0.14f * cloud({x * 14, i, z * 14 + k}, 2);
        return max(u, v) > 0.488f ? 0.0f : tone;
    }
    default: return 1;
    }
}

} // namespace sinew::picture
