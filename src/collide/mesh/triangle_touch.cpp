// A convex body against a single triangle. Triangles have a front only. A touch at an edge or
// corner counts where the surface really bends outwards there, and in the directions between the
// neighbours' normals; elsewhere the triangle's own normal is the only one.

#include "collide/mesh/triangle_touch.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

using Triangle = CollisionMesh::Triangle;

namespace {

using Bend = CollisionMesh::Bend;

constexpr double kSlack = 1e-6; // sine: normals at the limits of what an edge allows

/// Whether something may touch edge i alone, in direction n.
bool allows(const Triangle& t, std::size_t i, const Vec3& n)
{
    switch (t.bend[i]) {
    case Bend::inner: return false;
    case Bend::open: return dot(n, t.normal) > 0;
    case Bend::ridge: break;
    }
    const Vec3 along = normalised(t.corner[(i + 1) % 3] - t.corner[i]);
    return dot(cross(t.normal, n), along) >= -kSlack &&
           dot(cross(n, t.beyond[i]), along) >= -kSlack;
}

/// The same for a corner: as one of its two edges here does.
bool allows_corner(const Triangle& t, std::size_t i, const Vec3& n)
{
    return allows(t, i, n) || allows(t, (i + 2) % 3, n);
}

// ---------------------------------------------------------------- spheres

struct OnTriangle {
    Vec3 place;
    std::uint32_t features; ///< as TriangleTouch
};

OnTriangle nearest_on(const Triangle& t, const Vec3& x)
{
    OnTriangle best{x - t.normal * dot(t.normal, x - t.corner[0]), 0};
    bool is_inside = true;
    double nearest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 p = t.corner[i], along = t.corner[(i + 1) % 3] - p;
        if (!(dot(cross(along, t.normal), x - p) > 0))
            continue;
        const double share = dot(along, x - p) / squared_length(along);
        const Vec3 place = p + along * min(1.0, max(0.0, share));
        const double distance = squared_length(x - place);
        if (!is_inside && distance >= nearest)
            continue;
        is_inside = false;
        nearest = distance;
        best = {place, share <= 0   ? corner_bit(i)
                       : share >= 1 ? corner_bit((i + 1) % 3)
                                    : edge_bit(i)};
    }
    return best;
}

bool allows(const Triangle& t, std::uint32_t features, const Vec3& n)
{
    bool is_allowed = features == 0;
    for (std::size_t i = 0; i < 3; ++i)
        is_allowed = is_allowed || (features & edge_bit(i) && allows(t, i, n)) ||
                     (features & corner_bit(i) && allows_corner(t, i, n));
    return is_allowed;
}

Verdict touch_sphere(const Triangle& t, const Convex& ball, const CollideLengths& lengths,
                     TriangleTouch& touch)
{
    const double height = dot(t.normal, ball.x - t.corner[0]);
    const auto [place, features] = nearest_on(t, ball.x);
    const Vec3 apart = ball.x - place;
    const double distance = features == 0 ? height : length(apart);
    if (distance - ball.radius > lengths.reach)
        return Verdict::far;
    touch.normal = features == 0 || !(distance > 0) ? t.normal : apart / distance;
    if (features != 0 && (height < 0 || !allows(t, features, touch.normal)))
        return distance < ball.radius ? Verdict::left_to_others : Verdict::far;
    touch.features = features;
    touch.count = 1;
    touch.corner[0] = {ball.x - touch.normal * ball.radius, distance - ball.radius, 0};
    return Verdict::touched;
}

// ---------------------------------------------------------------- other shapes

/// The edges and corners of a triangle that a direction touches.
std::uint32_t features_along(const Triangle& t, const Vec3& n, double tolerance)
{
    std::array<double, 3> along;
    for (std::size_t i = 0; i < 3; ++i)
        along[i] = dot(n, t.corner[i]);
    const double farthest = max(along[0], max(along[1], along[2]));
    std::array<bool, 3> is_far;
    for (std::size_t i = 0; i < 3; ++i)
        is_far[i] = along[i] >= farthest - tolerance;
    if (is_far[0] && is_far[1] && is_far[2])
        return 0;
    for (std::size_t i = 0; i < 3; ++i)
        if (is_far[i] && is_far[(i + 1) % 3])
            return edge_bit(i);
    return is_far[0] ? corner_bit(0) : is_far[1] ? corner_bit(1) : corner_bit(2);
}

/// Where on the triangle the places of a touch lie.
std::uint32_t features_of(const Triangle& t, const ConvexTouch& touch, double tolerance)
{
    const std::uint32_t features = features_along(t, touch.axis.normal, tolerance);
    if (features >= 8 || features == 0 || touch.count != 1)
        return features;
    for (std::size_t i = 0; i < 3; ++i) // at the end of an edge
        if (squared_length(touch.point[0].on_a - t.corner[i]) < tolerance * tolerance)
            return corner_bit(i);
    return features;
}

/// Whether the surface goes on flat, or up, around the touched edge or corner.
bool is_inner(const Triangle& t, std::uint32_t features)
{
    for (std::size_t i = 0; i < 3; ++i) {
        const bool is_touched = features & (edge_bit(i) | corner_bit(i) | corner_bit((i + 1) % 3));
        if (is_touched && t.bend[i] != Bend::inner)
            return false;
    }
    return true;
}

void copy_touch(const ConvexTouch& from, TriangleTouch& to)
{
    to.normal = from.axis.normal;
    to.count = from.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(from.count); ++i)
        to.corner[i] = {from.point[i].on_b, from.point[i].gap, from.point[i].feature};
}

Verdict touch_convex(const Triangle& t, const Convex& body, const CollideLengths& lengths,
                     TriangleTouch& touch)
{
    const Convex triangle = make_triangle(t.corner, t.normal);
    const ConvexAxis face{
        ConvexAxis::Kind::face_a, separation_along(triangle, body, t.normal), t.normal, {}};
    if (face.separation > lengths.reach)
        return Verdict::far;
    ConvexTouch found;
    touch.features = 0;
    if (t.bend[0] == Bend::inner && t.bend[1] == Bend::inner && t.bend[2] == Bend::inner) {
        find_touch_along(triangle, body, face, lengths, found); // nothing else is allowed
        copy_touch(found, touch);
        return touch.count > 0 ? Verdict::touched : Verdict::far;
    }
    find_touch(triangle, body, lengths, found);
    if (found.axis.kind == ConvexAxis::Kind::none || found.count == 0)
        return Verdict::far;
    const Verdict otherwise = found.axis.separation < 0 ? Verdict::left_to_others : Verdict::far;
    if (found.axis.kind != ConvexAxis::Kind::face_a) {
        touch.features = features_of(t, found, lengths.clip);
        const Vec3 n = found.axis.normal;
        if (touch.features == 0 || !allows(t, touch.features, n)) {
            if (!is_inner(t, touch.features))
                return otherwise; // the triangle across the ridge is nearer
            touch.features = 0;
            find_touch_along(triangle, body, face, lengths, found);
        }
    }
    copy_touch(found, touch);
    return touch.count > 0 ? Verdict::touched : otherwise;
}

} // namespace

Verdict touch_triangle(const Triangle& t, const Convex& body, const CollideLengths& lengths,
                       TriangleTouch& touch)
{
    return body.shape->kind == CollisionKind::sphere ? touch_sphere(t, body, lengths, touch)
                                                     : touch_convex(t, body, lengths, touch);
}

TriangleTouch touch_plane_of(const Triangle& t, std::uint32_t number, const Convex& body)
{
    TriangleTouch touch{.normal = t.normal, .triangle = number, .count = 1};
    const Vec3 place = core_support(body, -t.normal) - t.normal * body.radius;
    touch.corner[0] = {place, dot(t.normal, place - t.corner[0]), 0};
    return touch;
}

double lowest_gap(const TriangleTouch& touch)
{
    double lowest = touch.corner[0].gap;
    for (std::size_t i = 1; i < static_cast<std::size_t>(touch.count); ++i)
        lowest = min(lowest, touch.corner[i].gap);
    return lowest;
}

} // namespace sinew
