#include "models/strand/bases/skin_motion.h"

#include "math/functions.h"
#include "math/jet.h"
#include "math/sampled.h"
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

/// At the first time it moves already on the side after it, at the last one still on that before.
Piece piece_at(const Skin& skin, double time, Side side)
{
    const auto next = side == Side::after ? std::ranges::upper_bound(skin.times, time)
                                          : std::ranges::lower_bound(skin.times, time);
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

/// Whether a piece has a length: between the two times of a jump of velocity there is none.
bool is_piece(const Skin& skin, std::size_t first)
{
    return first + 1 < skin.times.size() && skin.times[first] < skin.times[first + 1];
}

/// The samples that tell how corners move at an end of a piece: of those on the same side of a jump
/// of velocity.
SampleWindow samples_about(const Skin& skin, std::size_t time, std::size_t piece)
{
    std::size_t low = piece, high = piece + 1;
    while (low > 0 && piece - low < kMostSamples && is_piece(skin, low - 1))
        --low;
    while (high - piece < kMostSamples && is_piece(skin, high))
        ++high;
    return window_about(skin.times, time, low, high);
}

Point point_at(const Skin& skin, const Piece& piece, std::uint32_t vertex)
{
    const Vec3 a = corner(skin, piece.first, vertex);
    if (piece.span == 0)
        return make_point(a, {0, 0, 0}, {0, 0, 0});
    const double h = piece.span, s = piece.s;
    const auto end = [&](std::size_t time) {
        const SampleRates<Vec3> rates =
            rates_in(skin.times, time, samples_about(skin, time, piece.first),
                     [&](std::size_t k) { return corner(skin, k, vertex); });
        return detail::Rates<double>{corner(skin, time, vertex), rates.first * h,
                                     rates.second * (h * h)};
    };
    const detail::Rates<double> at =
        detail::evaluate(detail::quintic(end(piece.first), end(piece.first + 1)), s);
    return make_point(at.value, at.first / h, at.second / (h * h));
}

} // namespace

/// x along the triangle's first side, y its normal.
PoseMotion motion_on_skin(const Skin& skin, const StrandRoot& root, double time, Side side)
{
    const Piece piece = piece_at(skin, time, side);
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

bool jumps(const Skin& skin, double t0, double t1)
{
    const std::vector<double>& times = skin.times;
    for (auto k = std::ranges::lower_bound(times, t0); k != times.end() && *k < t1; ++k)
        if (times.size() > 1 && (k == times.begin() || k + 1 == times.end() || *k == *(k + 1)))
            return true;
    return false;
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
