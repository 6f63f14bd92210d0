#include "models/strand/bases/skin_motion.h"

#include "math/functions.h"
#include "math/jet.h"
#include "models/strand/bases/track_motion.h"

#include <algorithm>
#include <array>

namespace sinew::strand {

namespace {

using Point = Vec3T<Jet2>;

Point make_point(const Vec3& x, const Vec3& v, const Vec3& a)
{
    return {Jet2{x.x, v.x, a.x}, Jet2{x.y, v.y, a.y}, Jet2{x.z, v.z, a.z}};
}

/// A piece of a skin's time.
struct Piece {
    std::size_t first = 0; ///< the time it begins at
    double s = 0, span = 0;
};

Piece piece_at(const Skin& skin, double time)
{
    const auto next = std::ranges::upper_bound(skin.times, time);
    const auto k = static_cast<std::size_t>(next - skin.times.begin());
    if (k == 0)
        return {0, 0, 0};
    if (k == skin.times.size())
        return {k - 1, 0, 0};
    const double span = skin.times[k] - skin.times[k - 1];
    return {k - 1, (time - skin.times[k - 1]) / span, span};
}

Vec3 corner(const Skin& skin, std::size_t time, std::uint32_t vertex)
{
    return skin.vertices[time * skin.vertex_count() + vertex];
}

Vec3 slope(const Skin& skin, std::size_t time, std::uint32_t vertex)
{
    if (time == 0 || time + 1 == skin.times.size())
        return {0, 0, 0};
    return (corner(skin, time + 1, vertex) - corner(skin, time - 1, vertex)) /
           (skin.times[time + 1] - skin.times[time - 1]);
}

Point point_at(const Skin& skin, const Piece& piece, std::uint32_t vertex)
{
    const Vec3 a = corner(skin, piece.first, vertex);
    if (piece.span == 0)
        return make_point(a, {0, 0, 0}, {0, 0, 0});
    const double h = piece.span, s = piece.s;
    const Vec3 b = corner(skin, piece.first + 1, vertex) - a;
    const Vec3 p = slope(skin, piece.first, vertex) * h;
    const Vec3 q = slope(skin, piece.first + 1, vertex) * h;
    const Vec3 c2 = b * 3.0 - p * 2.0 - q, c3 = p + q - b * 2.0;
    return make_point(a + (p + (c2 + c3 * s) * s) * s, (p + (c2 * 2.0 + c3 * (3 * s)) * s) / h,
                      (c2 * 2.0 + c3 * (6 * s)) / (h * h));
}

} // namespace

/// x along the triangle's first side, y its normal.
PoseMotion motion_on_skin(const Skin& skin, const StrandRoot& root, double time)
{
    const Piece piece = piece_at(skin, time);
    std::array<Point, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
        corners[k] = point_at(skin, piece, skin.triangles[root.triangle][k]);
    const Point along = corners[1] - corners[0], other = corners[2] - corners[0];
    AffineT<Jet2> frame;
    frame.origin = corners[0] + along * Jet2(root.u) + other * Jet2(root.v);
    const Point x = normalised(along), y = normalised(cross(along, other));
    frame.linear = {x, y, cross(x, y)};
    return motion_of(frame);
}

/// Coriolis and all.
PoseMotion carried_by(const PoseMotion& outer, const PoseMotion& inner)
{
    const auto turned = [&](const Vec3& v) { return rotate(outer.pose.rotation, v); };
    const Vec3 &w = outer.angular_velocity, arm = turned(inner.pose.translation),
               v = turned(inner.velocity), spin = turned(inner.angular_velocity);
    return {{outer.pose.rotation * inner.pose.rotation, outer.pose.translation + arm},
            outer.velocity + cross(w, arm) + v,
            w + spin,
            outer.acceleration + cross(outer.angular_acceleration, arm) + cross(w, cross(w, arm)) +
                cross(w, v) * 2.0 + turned(inner.acceleration),
            outer.angular_acceleration + turned(inner.angular_acceleration) + cross(w, spin)};
}

} // namespace sinew::strand
