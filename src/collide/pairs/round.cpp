#include "collide/pairs/round.h"

#include "collide/pairs/clip.h"
#include "collide/pairs/convex.h"
#include "math/functions.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kParallel = 1e-3; // sine: two lines touch along their length

/// The middle line of a capsule, or the middle of a sphere.
struct Core {
    Vec3 p, q; ///< world

    explicit Core(const Placed& round)
        : p(round.to_world({0, -round.shape->half.y, 0})),
          q(round.to_world({0, round.shape->half.y, 0}))
    {
    }
    Core(const Vec3& from, const Vec3& to) : p(from), q(to) {}
    Vec3 at(double share) const { return p + (q - p) * share; }
};

double clamp_share(double share) { return min(1.0, max(0.0, share)); }

/// The place on a core nearest to a point.
double nearest_share(const Core& core, const Vec3& x)
{
    const Vec3 along = core.q - core.p;
    const double size = squared_length(along);
    return size > 0 ? clamp_share(dot(along, x - core.p) / size) : 0;
}

/// The nearest places of two cores.
std::array<double, 2> nearest_shares(const Core& a, const Core& b)
{
    const Vec3 u = a.q - a.p, v = b.q - b.p, w = a.p - b.p;
    if (v == Vec3{0, 0, 0}) // a sphere: most of what hair lies on, and the same numbers
        return {nearest_share(a, b.p), 0};
    const double uu = squared_length(u), uv = dot(u, v), vv = squared_length(v);
    const double determinant = uu * vv - uv * uv;
    double s = 0.5;
    if (determinant > kParallel * kParallel * uu * vv)
        s = clamp_share((uv * dot(v, w) - vv * dot(u, w)) / determinant);
    const double t = nearest_share(b, a.at(s));
    s = nearest_share(a, b.at(t));
    return {s, t};
}

Vec3 any_normal(const Vec3& along)
{
    return normalised(
        cross(along, abs(along.x) < 0.5 * length(along) ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
}

void add_point(const Placed& a, const Placed& b, const Vec3& on_a, const Vec3& on_b,
               std::uint32_t feature, double reach, Manifold& m)
{
    const double gap = dot(m.normal, on_b - on_a);
    if (gap <= reach && m.count < 4)
        m.point[static_cast<std::size_t>(m.count++)] = {a.to_local(on_a), b.to_local(on_b), gap,
                                                        feature};
}

void set_normal(const Placed& own, const Vec3& normal, bool is_of_a, Manifold& m)
{
    m.normal = normal;
    m.local_normal = transpose(own.R) * normal;
    m.is_of_a = is_of_a;
}

/// Where two nearly parallel cores run beside each other: the shares of a at both ends.
std::array<double, 2> common_shares(const Core& a, const Core& b)
{
    return {nearest_share(a, b.p), nearest_share(a, b.q)};
}

// ---------------------------------------------------------------- hulls

struct Nearest {
    double gap = kInfinity; ///< from the surface of the hull, negative inside
    Vec3 place = {0, 0, 0}; ///< on the hull
    Vec3 normal = {0, 0, 0};
    std::uint32_t feature = 0;
};

/// The place on a face's outline nearest to a point of its plane, which lies outside it.
Vec3 nearest_on_outline(const Hull& hull, const Hull::Face& face, const Vec3& x)
{
    const std::span<const std::uint32_t> corners = hull.corners_of(face);
    Vec3 best = hull.vertices[corners[0]];
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 p = hull.vertices[corners[k]];
        const Vec3 along = hull.vertices[corners[(k + 1) % corners.size()]] - p;
        const Vec3 at = p + along * clamp_share(dot(along, x - p) / squared_length(along));
        if (squared_length(x - at) < squared_length(x - best))
            best = at;
    }
    return best;
}

bool is_within(const Hull& hull, const Hull::Face& face, const Vec3& x)
{
    const std::span<const std::uint32_t> corners = hull.corners_of(face);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 p = hull.vertices[corners[k]];
        const Vec3 along = hull.vertices[corners[(k + 1) % corners.size()]] - p;
        if (dot(cross(along, face.normal), x - p) > 0)
            return false;
    }
    return true;
}

/// The place on a hull nearest to a point, both in the hull's frame.
Nearest nearest_on_hull(const Hull& hull, const Vec3& x)
{
    Nearest inside{.gap = -kInfinity}, outside;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const Hull::Face& face = hull.faces[f];
        const double height = dot(face.normal, x) - face.offset;
        if (height > inside.gap)
            inside = {height, x - face.normal * height, face.normal, f};
        if (height <= 0)
            continue;
        const Vec3 foot = x - face.normal * height;
        const Vec3 place =
            is_within(hull, face, foot) ? foot : nearest_on_outline(hull, face, foot);
        if (const double distance = length(x - place); distance < outside.gap)
            outside = {distance, place, {0, 0, 0}, f};
    }
    if (inside.gap <= 0)
        return inside;
    outside.normal = outside.gap > 0 ? (x - outside.place) / outside.gap : inside.normal;
    return outside;
}

/// The place of a core nearest to a hull: the distance is convex along it.
double nearest_to_hull(const Hull& hull, const Vec3& p, const Vec3& q)
{
    constexpr double kGolden = 0.3819660112501051;
    constexpr int kMostCuts = 40;
    constexpr double kNarrow = 1e-7;  // of the core: a minimum is flat to the root of rounding
    constexpr double kAsGood = 1e-12; // of the core's length: rounding of a gap
    const auto gap = [&](double share) { return nearest_on_hull(hull, p + (q - p) * share).gap; };
    double low = 0, high = 1;
    double s = kGolden, t = 1 - kGolden, gap_s = gap(s), gap_t = gap(t);
    for (int i = 0; i < kMostCuts && high - low > kNarrow; ++i)
        if (gap_s <= gap_t) {
            high = t, t = s, gap_t = gap_s;
            s = low + kGolden * (high - low), gap_s = gap(s);
        } else {
            low = s, s = t, gap_s = gap_t;
            t = high - kGolden * (high - low), gap_t = gap(t);
        }
    const double middle = 0.5 * (low + high);
    double best = middle;
    for (const double end : {0.0, 1.0}) // exactly at an end where that is as good
        if (gap(end) <= gap(best) + kAsGood * length(q - p))
            best = end;
    return best;
}

/// Cuts a line to the sides of a face: the shares of it above the face.
std::array<double, 2> cut_to_face(const Hull& hull, const Hull::Face& face, const Vec3& p,
                                  const Vec3& q)
{
    double low = 0, high = 1;
    const std::span<const std::uint32_t> corners = hull.corners_of(face);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 a = hull.vertices[corners[k]];
        const Vec3 out = cross(hull.vertices[corners[(k + 1) % corners.size()]] - a, face.normal);
        const double at_p = dot(out, p - a), at_q = dot(out, q - a);
        if (at_p > 0 && at_q > 0)
            return {1, 0};
        if (at_p * at_q < 0) {
            const double share = at_p / (at_p - at_q);
            (at_p > 0 ? low : high) = at_p > 0 ? max(low, share) : min(high, share);
        }
    }
    return {low, high};
}

/// How high the fourth lowest corner of a hull is above a level; infinite where there are fewer.
double fourth_lowest(const Placed& hull, const Vec3& up, double level)
{
    std::array<double, 4> lowest = {kInfinity, kInfinity, kInfinity, kInfinity};
    for (const Vec3& v : hull.shape->hull.vertices) {
        double height = dot(up, hull.to_world(v)) - level;
        for (double& low : lowest)
            if (height < low)
                std::swap(height, low);
    }
    return lowest[3];
}

} // namespace

void collide_round(const Placed& a, const Placed& b, const CollideLengths& lengths, Manifold& m)
{
    m.count = 0;
    const Core core_a(a), core_b(b);
    const auto [s, t] = nearest_shares(core_a, core_b);
    const Vec3 apart = core_b.at(t) - core_a.at(s);
    const double distance = length(apart);
    const double radii = a.shape->radius + b.shape->radius;
    if (distance - radii > lengths.reach)
        return;
    const Vec3 u = core_a.q - core_a.p, v = core_b.q - core_b.p;
    const double uv = length(u) * length(v);
    Vec3 normal = distance > 0 ? apart / distance : Vec3{0, 1, 0};
    if (distance == 0 && uv > 0)
        normal = any_normal(u);
    set_normal(a, normal, true, m);
    const auto add = [&](double share_a, double share_b, std::uint32_t feature) {
        add_point(a, b, core_a.at(share_a) + normal * a.shape->radius,
                  core_b.at(share_b) - normal * b.shape->radius, feature, lengths.reach, m);
    };
    const bool is_beside = uv > 0 && length(cross(u, v)) <= kParallel * uv;
    const std::array<double, 2> ends = common_shares(core_a, core_b);
    if (!is_beside || ends[0] == ends[1])
        return add(s, t, 1);
    for (std::uint32_t i = 0; i < 2; ++i)
        add(ends[i], nearest_share(core_b, core_a.at(ends[i])), 2 + i);
}

std::optional<double> find_gap_of_stick(const Vec3& p, const Vec3& q, double radius,
                                        const Placed& other)
{
    const CollisionShape& shape = *other.shape;
    if (shape.kind == CollisionKind::plane)
        return min(dot(other.R.y, p - other.x), dot(other.R.y, q - other.x)) - radius;
    if (shape.kind != CollisionKind::sphere && shape.kind != CollisionKind::capsule)
        return {};
    const Core stick(p, q), core(other);
    const auto [s, t] = nearest_shares(stick, core);
    return length(core.at(t) - stick.at(s)) - radius - shape.radius;
}

void collide_round_hull(const Placed& round, const Placed& other, bool hull_is_a,
                        const CollideLengths& lengths, Manifold& m)
{
    m.count = 0;
    const Hull& hull = other.shape->hull;
    const Core core(round);
    const Vec3 p = other.to_local(core.p), q = other.to_local(core.q);
    const bool is_sphere = round.shape->half.y == 0;
    const double share = is_sphere ? 0 : nearest_to_hull(hull, p, q);
    const Nearest nearest = nearest_on_hull(hull, p + (q - p) * share);
    const double radius = round.shape->radius;
    if (nearest.gap - radius > lengths.reach)
        return;
    // From the hull to the round shape.
    const Vec3 outwards = other.R * nearest.normal;
    set_normal(other, hull_is_a ? outwards : -outwards, hull_is_a, m);
    const auto add = [&](double at, std::uint32_t feature) {
        const Vec3 middle = core.at(at);
        const double height = dot(nearest.normal, other.to_local(middle) - nearest.place);
        const Vec3 on_hull = middle - outwards * height, on_round = middle - outwards * radius;
        add_point(hull_is_a ? other : round, hull_is_a ? round : other,
                  hull_is_a ? on_hull : on_round, hull_is_a ? on_round : on_hull, feature,
                  lengths.reach, m);
    };
    const Hull::Face& face = hull.faces[nearest.feature];
    constexpr double kAlongNormal = 1 - 1e-9; // cosine: rounding of a unit vector, squared
    const bool is_on_face = dot(face.normal, nearest.normal) > kAlongNormal;
    const bool lies =
        !is_sphere && is_on_face && abs(dot(face.normal, q - p)) <= kParallel * length(q - p);
    if (!lies)
        return add(share, 1);
    const auto [low, high] = cut_to_face(hull, face, p, q);
    if (!(low < high))
        return add(share, 1);
    add(low, 2);
    add(high, 3);
}

void collide_plane(const Placed& plane, const Placed& other, bool plane_is_a,
                   const CollideLengths& lengths, Manifold& m)
{
    m.count = 0;
    const Vec3 up = plane.R.y;
    set_normal(plane, plane_is_a ? up : -up, plane_is_a, m);
    std::array<PatchCorner, 64> corners;
    std::size_t count = 0;
    // Of a body that is deep inside, or fast and so with a long reach, only what is lowest: else it
    // would come to rest on corners half way up.
    const double highest =
        min(lengths.reach, fourth_lowest(other, up, dot(up, plane.x)) + lengths.clip);
    const auto add = [&](const Vec3& world, std::uint32_t feature) {
        const double gap = dot(up, world - plane.x);
        if (gap <= highest && count < corners.size())
            corners[count++] = {world, gap, feature};
    };
    if (other.shape->kind == CollisionKind::sphere || other.shape->kind == CollisionKind::capsule) {
        const Core core(other);
        add(core.p - up * other.shape->radius, 1);
        if (other.shape->kind == CollisionKind::capsule)
            add(core.q - up * other.shape->radius, 2);
    } else if (other.shape->kind == CollisionKind::ellipsoid) {
        add(core_support(Convex{.shape = other.shape, .x = other.x, .R = other.R}, -up), 1);
    } else if (other.shape->kind == CollisionKind::cylinder ||
               other.shape->kind == CollisionKind::cone) {
        SupportFace face;
        const Convex revolved{.shape = other.shape, .x = other.x, .R = other.R};
        constexpr double kFlat = 1e-5; // of the length to clip by: how level a face stands
        find_support_face(revolved, -up, kFlat * lengths.clip, face);
        for (std::size_t i = 0; i < static_cast<std::size_t>(face.count); i += face.is_disc ? 2 : 1)
            add(face.corner[i], face.id[i] + 1);
    } else {
        for (std::uint32_t v = 0; v < other.shape->hull.vertices.size(); ++v)
            add(other.to_world(other.shape->hull.vertices[v]), v + 1);
    }
    m.count = reduce_patch(std::span(corners).first(count), up, lengths.clip);
    for (int i = 0; i < m.count; ++i) {
        const PatchCorner& c = corners[static_cast<std::size_t>(i)];
        const Vec3 on_plane = plane.to_local(c.place - up * c.gap);
        const Vec3 on_other = other.to_local(c.place);
        m.point[static_cast<std::size_t>(i)] = {plane_is_a ? on_plane : on_other,
                                                plane_is_a ? on_other : on_plane, c.gap, c.feature};
    }
}

} // namespace sinew
