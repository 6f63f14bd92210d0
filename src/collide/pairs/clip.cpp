#include "collide/pairs/clip.h"

#include "math/functions.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// A polygon being cut. Each corner knows the corner of b or the cut it came from, and each edge
/// behind it the edge of b or the cut it lies on: so features keep their numbers.
struct CutCorner {
    Vec3 place;
    std::uint32_t feature, edge;
    double beyond;
};
template <int most>
struct Polygon {
    std::array<CutCorner, most> corner;
    int count = 0;

    void add(const CutCorner& c)
    {
        if (count < most)
            corner[static_cast<std::size_t>(count++)] = c;
    }
};

constexpr std::uint32_t kCut = 0x80; // edges made by cuts are numbered from here

constexpr double kSameDirection = 1e-9; // between cosines: of equal faces the first is taken
constexpr double kSamePlace = 1e-3;     // of a unit: of equal corners the first is taken

/// The face of a hull that looks most against a direction.
std::uint32_t find_facing(const Hull& hull, const Vec3& direction)
{
    std::uint32_t best = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f)
        if (const double along = dot(hull.faces[f].normal, direction);
            along < lowest - kSameDirection)
            lowest = along, best = f;
    return best;
}

/// Keeps what is not beyond a side of the face by more than `clip`.
template <int most>
void cut(const Polygon<most>& from, std::uint32_t side, double clip, Polygon<most>& to)
{
    to.count = 0;
    for (int i = 0; i < from.count; ++i) {
        const CutCorner& s = from.corner[static_cast<std::size_t>(i)];
        const CutCorner& e = from.corner[static_cast<std::size_t>((i + 1) % from.count)];
        const bool keeps_s = s.beyond <= clip, keeps_e = e.beyond <= clip;
        if (keeps_s)
            to.add(s);
        if (keeps_s == keeps_e)
            continue;
        const double share = min(1.0, max(0.0, s.beyond / (s.beyond - e.beyond)));
        to.add({s.place + (e.place - s.place) * share, ((side + 1) << 8) + s.edge,
                keeps_s ? kCut + side : s.edge, 0});
    }
}

Vec3 tangent_of(const Vec3& n)
{
    return normalised(abs(n.x) < 0.7 ? Vec3{0, n.z, -n.y} : Vec3{-n.z, 0, n.x});
}

/// The deepest corner in place of the nearest of those kept, unless one of them is as deep.
void keep_deepest(std::span<const PatchCorner> corners, std::span<PatchCorner> kept, double unit)
{
    constexpr double kAlike = 0.05; // units: as deep
    const auto is_shallower = [](const PatchCorner& a, const PatchCorner& b) {
        return a.gap < b.gap;
    };
    const PatchCorner& deepest = *std::ranges::min_element(corners, is_shallower);
    if (deepest.gap >= std::ranges::min_element(kept, is_shallower)->gap - kAlike * unit)
        return;
    const auto way = [&](const PatchCorner& c) { return length(c.place - deepest.place); };
    *std::ranges::min_element(kept, {}, way) = deepest;
}

} // namespace

int reduce_patch(std::span<PatchCorner> corners, const Vec3& normal, double unit)
{
    if (corners.size() <= 4)
        return static_cast<int>(corners.size());
    const auto find_best = [&](auto&& score, double least) {
        std::size_t best = corners.size();
        double highest = least;
        for (std::size_t i = 0; i < corners.size(); ++i)
            if (const double value = score(corners[i]); value > highest)
                highest = value + kSamePlace * unit, best = i;
        return best;
    };
    const Vec3 t1 = tangent_of(normal), slant = t1 * 0.8 + cross(normal, t1) * 0.6;
    const std::size_t first =
        find_best([&](const PatchCorner& c) { return dot(c.place, slant) - 0.5 * c.gap; },
                  -std::numeric_limits<double>::infinity());
    const Vec3 p = corners[first].place;
    const std::size_t second =
        find_best([&](const PatchCorner& c) { return length(c.place - p); }, -1);
    const Vec3 across = cross(normal, corners[second].place - p);
    const double size = length(across);
    const Vec3 aside = size > 0 ? across / size : Vec3{0, 0, 0};
    const auto left = [&](const PatchCorner& c) { return dot(aside, c.place - p); };
    const auto right = [&](const PatchCorner& c) { return -dot(aside, c.place - p); };
    std::array<PatchCorner, 4> kept = {corners[first], corners[second]};
    int count = second == first ? 1 : 2;
    for (const std::size_t found : {find_best(left, 0.1 * unit), find_best(right, 0.1 * unit)})
        if (found < corners.size())
            kept[static_cast<std::size_t>(count++)] = corners[found];
    keep_deepest(corners, std::span(kept).first(static_cast<std::size_t>(count)), unit);
    std::copy_n(kept.begin(), count, corners.begin());
    return count;
}

namespace {

/// `most`: corners of the patch before it is reduced; few where few can come, for speed.
template <int most>
void clip_within(const Placed& own, const Placed& other, std::uint32_t face, bool is_flipped,
                 std::uint32_t facing, const CollideLengths& lengths, Manifold& manifold)
{
    const Hull &p = own.shape->hull, &q = other.shape->hull;
    const Hull::Face& reference = p.faces[face];
    const Vec3 n = reference.normal;
    const Mat3 R = transpose(own.R) * other.R; // from the other's frame to our own
    const Vec3 shift = own.to_local(other.x);
    std::array<Polygon<most>, 2> polygons;
    for (const std::uint32_t corner : q.corners_of(q.faces[facing]))
        polygons[0].add({R * q.vertices[corner] + shift, corner, corner, 0});
    const std::span<const std::uint32_t> corners = p.corners_of(reference);
    std::size_t now = 0;
    for (std::size_t k = 0; k < corners.size() && polygons[now].count > 0; ++k, now ^= 1) {
        const Vec3 a = p.vertices[corners[k]], b = p.vertices[corners[(k + 1) % corners.size()]];
        const Vec3 outwards = normalised(cross(b - a, n));
        for (int i = 0; i < polygons[now].count; ++i) {
            CutCorner& c = polygons[now].corner[static_cast<std::size_t>(i)];
            c.beyond = dot(outwards, c.place - a);
        }
        cut(polygons[now], static_cast<std::uint32_t>(k), lengths.clip, polygons[now ^ 1]);
    }

    std::array<PatchCorner, most> patch;
    std::size_t count = 0;
    for (int i = 0; i < polygons[now].count; ++i) {
        const CutCorner& c = polygons[now].corner[static_cast<std::size_t>(i)];
        if (const double gap = dot(n, c.place) - reference.offset; gap < lengths.reach)
            patch[count++] = {c.place, gap, c.feature};
    }
    manifold.count = reduce_patch(std::span(patch).first(count), n, lengths.clip);
    manifold.is_of_a = !is_flipped;
    manifold.local_normal = is_flipped ? -n : n;
    manifold.normal = own.R * manifold.local_normal;
    const std::uint32_t faces = (is_flipped ? 0x80000000u : 0u) ^ (face * 0x9e3779b1u) ^
                                (facing * 0x85ebca6bu & 0x7fffffffu);
    for (int i = 0; i < manifold.count; ++i) {
        const PatchCorner& c = patch[static_cast<std::size_t>(i)];
        ContactPoint& point = manifold.point[static_cast<std::size_t>(i)];
        const Vec3 on_face = c.place - n * c.gap;
        const Vec3 on_other = transpose(R) * (c.place - shift);
        point = {is_flipped ? on_other : on_face, is_flipped ? on_face : on_other, c.gap,
                 faces ^ c.feature};
    }
}

} // namespace

void clip_faces(const Placed& own, const Placed& other, std::uint32_t face, bool is_flipped,
                const CollideLengths& lengths, Manifold& manifold)
{
    constexpr int kFew = 12, kMany = 128;
    const Vec3 n = own.R * own.shape->hull.faces[face].normal;
    const std::uint32_t facing = find_facing(other.shape->hull, transpose(other.R) * n);
    const std::uint32_t corners = // every side may add one
        own.shape->hull.faces[face].count + other.shape->hull.faces[facing].count;
    const auto clip = corners <= kFew ? clip_within<kFew> : clip_within<kMany>;
    clip(own, other, face, is_flipped, facing, lengths, manifold);
}

} // namespace sinew
