// Joints of two frames as equations of velocities and what these are the rates of. Every row acts
// on the two bodies alone: what carries both wheels of a gear may move as it likes.

#include "math/pair_law.h"

#include "math/functions.h"
#include "math/so3.h"

#include <algorithm>
#include <numbers>

namespace sinew {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kParallel = 1e-6; // sine of axes that are one direction but for rounding

Vec3 unit(std::size_t i) { return {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0}; }

double continued(double angle, double last)
{
    return angle + kTurn * round((last - angle) / kTurn);
}

/// The angle of a direction about an axis, from a direction across it.
double angle_about(const Vec3& axis, const Vec3& from, const Vec3& direction)
{
    return atan2(dot(axis, cross(from, direction)), dot(from, direction));
}

Vec3 across(const Vec3& x, const Vec3& axis) { return x - axis * dot(x, axis); }

// ---------------------------------------------------------------- six axes

/// Axes of both frames in the world, and which turns are free.
struct Axes {
    Axes(const PairLaw& law, const PairFrames& frames)
        : R_a(rotation_matrix(frames.q_a)), R_b(rotation_matrix(frames.q_b))
    {
        for (std::size_t i = 0; i < 3; ++i)
            if (!law.is_locked[3 + i])
                free[free_count++] = i;
    }

    Vec3 of_a(std::size_t i) const { return R_a * unit(i); }
    Vec3 of_b(std::size_t i) const { return R_b * unit(i); }

    Mat3 R_a, R_b;
    std::array<std::size_t, 3> free = {};
    std::size_t free_count = 0;
};

/// Nothing turns: the rotation vector. One axis turns: it stays with itself. Two axes turn, the
/// first one A's and the other B's: they stay at a right angle.            [notes: rigid, eq. 13]
std::size_t lay_turns(const Axes& axes, const PairFrames& frames, PairRow* row)
{
    if (axes.free_count == 0) {
        const Vec3 off = log_quat(frames.q_b * conjugate(frames.q_a));
        for (std::size_t i = 0; i < 3; ++i)
            row[i] = {.twist_a = unit(i), .twist_b = unit(i), .error = off[int(i)]};
        return 3;
    }
    if (axes.free_count == 1) {
        const std::size_t k = axes.free[0];
        const Vec3 off = cross(axes.of_a(k), axes.of_b(k));
        for (std::size_t i = 0; i < 2; ++i) {
            const Vec3 about = axes.of_a((k + 1 + i) % 3);
            row[i] = {.twist_a = about, .twist_b = about, .error = dot(off, about)};
        }
        return 2;
    }
    if (axes.free_count == 3)
        return 0;
    const std::size_t i = axes.free[0], j = axes.free[1];
    const double side = (i + 1) % 3 == j ? 1 : -1; // x and z turn about −y
    const Vec3 normal = cross(axes.of_a(i), axes.of_b(j)) * side;
    const double size = length(normal);
    const double by = size > kParallel ? 1 / size : 1;
    row[0] = {.twist_a = normal * by,
              .twist_b = normal * by,
              .error = -side * dot(axes.of_a(i), axes.of_b(j)) * by};
    return 1;
}

std::size_t lay_axes(const PairLaw& law, const PairFrames& frames,
                     std::array<PairRow, kMostPairRows>& rows)
{
    const Axes axes(law, frames);
    const Vec3 d = frames.b - frames.a;
    const bool is_point = law.is_locked[0] && law.is_locked[1] && law.is_locked[2];
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!law.is_locked[i])
            continue;
        const Vec3 l = is_point ? unit(i) : axes.of_a(i);
        rows[count++] = {
            .l = l, .at = is_point ? (frames.a + frames.b) * 0.5 : frames.b, .error = dot(l, d)};
    }
    return count + lay_turns(axes, frames, rows.data() + count);
}

// ---------------------------------------------------------------- wheels

/// Axes and angles of the two wheels of a gear.
struct Wheels {
    Vec3 n_a, n_b, c = {0, 0, 0}; ///< axes; from A's to B's where these are parallel
    double apart = 0;
    bool is_parallel = false;
    double angle_a = 0, angle_b = 0;

    Wheels(const PairLaw& law, const PairFrames& frames)
        : n_a(rotate(frames.q_a, unit(0))), n_b(rotate(frames.q_b, unit(0)))
    {
        constexpr double kBearing = 1e-3; // bearings give a little: parallel axes stay so
        is_parallel = length(cross(n_a, n_b)) < kBearing;
        Vec3 from_a = across(n_b, n_a), from_b = across(n_a, n_b);
        if (is_parallel) {
            n_b = n_a; // however their lines were drawn, wheels turn with or against each other
            c = across(frames.b - frames.a, n_a);
            apart = length(c);
            const bool is_coaxial = law.reference != Vec3{0, 0, 0};
            from_a = from_b = is_coaxial ? across(law.reference, n_a) : c;
        }
        angle_a = angle_about(n_a, from_a, across(rotate(frames.q_a, unit(1)), n_a));
        angle_b = angle_about(n_b, from_b, across(rotate(frames.q_b, unit(1)), n_b));
    }
};

/// Parallel axes: the teeth push along the tangent where the pitch circles touch, which lies at
/// ρ / (1 + ρ) of the way. Else a couple that turns the one axis with the ratio to the other, and
/// about no axis that carries both. On one axis each wheel turns against the world.
///                                                                     [notes: rigid, eq. 14]
PairRow gear_row(const PairLaw& law, const PairFrames& frames, double last)
{
    const Wheels wheels(law, frames);
    const Vec3 &n_a = wheels.n_a, &n_b = wheels.n_b;
    const double ratio = law.ratio, angle_a = continued(wheels.angle_a, last);
    PairRow row;
    row.error = continued(wheels.angle_b, -ratio * angle_a) + ratio * angle_a;
    if (!wheels.is_parallel) {
        const double k = dot(n_a, n_b), by = -1 / (1 - k * k);
        row.twist_a = row.twist_b = (n_a * (k + ratio) - n_b * (1 + ratio * k)) * by;
        return row;
    }
    if (law.reference != Vec3{0, 0, 0}) {
        row.twist_b = n_a;
        row.twist_a = n_a * -ratio;
        return row;
    }
    const double arm = wheels.apart / (1 + abs(ratio)); // a speed of teeth rather than of angles
    const Vec3 tangent = cross(n_a, wheels.c / wheels.apart);
    row.l = tangent * (-(1 + ratio) / wheels.apart * arm);
    row.at = frames.a;
    row.twist_a = row.twist_b = n_a * (-ratio * arm);
    row.error *= arm;
    return row;
}

/// The wheel rolls on the rack at the place where its pitch circle touches it.
///                                                                     [notes: rigid, eq. 15]
PairRow rack_row(const PairLaw& law, const PairFrames& frames, double last)
{
    const Vec3 n = rotate(frames.q_a, unit(0)), s = rotate(frames.q_b, unit(0));
    const Vec3 side = normalised(cross(s, n));
    const double angle = pair_angle(law, frames, last);
    return {.l = s,
            .at = frames.a + side * law.ratio,
            .error = dot(s, frames.b - frames.a) - law.ratio * angle - law.phase};
}

std::size_t lay_screw(const PairLaw& law, const PairFrames& frames, double last,
                      std::array<PairRow, kMostPairRows>& rows)
{
    const Mat3 R = rotation_matrix(frames.q_a);
    const Vec3 x = R * unit(0), d = frames.b - frames.a;
    const Vec3 off = cross(x, rotate(frames.q_b, unit(0)));
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 e = R * unit(1 + i);
        rows[i] = {.l = e, .at = frames.b, .error = dot(e, d)};
        rows[2 + i] = {.twist_a = e, .twist_b = e, .error = dot(off, e)};
    }
    rows[4] = {.l = x,
               .at = frames.b,
               .twist_a = x * -law.ratio,
               .twist_b = x * -law.ratio,
               .error = dot(x, d) - law.ratio * pair_angle(law, frames, last)};
    return 5;
}

} // namespace

std::size_t PairLaw::equal_count() const
{
    if (kind != Kind::axes)
        return kind == Kind::none ? 0 : kind == Kind::screw ? 5 : 1;
    return static_cast<std::size_t>(std::ranges::count(is_locked, true));
}

std::size_t lay_pair(const PairLaw& law, const PairFrames& frames, double last,
                     std::array<PairRow, kMostPairRows>& rows)
{
    switch (law.kind) {
    case PairLaw::Kind::none: return 0;
    case PairLaw::Kind::axes: return lay_axes(law, frames, rows);
    case PairLaw::Kind::gear: rows[0] = gear_row(law, frames, last); return 1;
    case PairLaw::Kind::rack: rows[0] = rack_row(law, frames, last); return 1;
    case PairLaw::Kind::screw: return lay_screw(law, frames, last, rows);
    }
    return 0;
}

double pair_angle(const PairLaw& law, const PairFrames& frames, double last)
{
    switch (law.kind) {
    case PairLaw::Kind::none:
    case PairLaw::Kind::axes: return 0;
    case PairLaw::Kind::gear: return continued(Wheels(law, frames).angle_a, last);
    case PairLaw::Kind::rack: {
        const Vec3 n = rotate(frames.q_a, unit(0)), s = rotate(frames.q_b, unit(0));
        return continued(angle_about(n, across(s, n), rotate(frames.q_a, unit(1))), last);
    }
    case PairLaw::Kind::screw: break;
    }
    const Quat turn = conjugate(frames.q_a) * frames.q_b;
    return continued(2 * atan2(turn.x, turn.w), last);
}

PairFrames set_start(const PairFrames& frames, PairLaw& law)
{
    PairFrames start = frames;
    const auto turn_back = [](Quat& q, double angle) {
        q = q * rotation_about(Vec3{1, 0, 0}, -angle);
    };
    law.phase = 0;
    if (law.kind == PairLaw::Kind::gear) {
        // Axes apart by no more than the rounding of a drawing are one axis.
        const Wheels drawn(law, frames);
        if (drawn.is_parallel && drawn.apart < kParallel)
            law.reference = rotate(frames.q_a, unit(1));
        const Wheels wheels(law, frames);
        const double side = dot(wheels.n_b, rotate(frames.q_b, unit(0))) < 0 ? -1 : 1;
        turn_back(start.q_a, wheels.angle_a);
        turn_back(start.q_b, side * wheels.angle_b);
    } else if (law.kind == PairLaw::Kind::rack) {
        const Vec3 n = rotate(frames.q_a, unit(0)), s = rotate(frames.q_b, unit(0));
        if (dot(frames.b - frames.a, cross(s, n)) < 0)
            law.ratio = -law.ratio; // it lies on the other side
        turn_back(start.q_a, pair_angle(law, frames, 0));
        law.phase = dot(s, frames.b - frames.a);
    }
    return start;
}

} // namespace sinew
