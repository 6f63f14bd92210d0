// Straight legs and arcs of a rope that passes through eyes and round wheels.
//
//   in:  where the ends of the rope, the eyes and the wheels are
//   out: directions, lengths, angles; points of the path                  [notes: rods, eqs 10, 13]
//
// A wheel keeps the rope in the plane across its axis. A point beside that plane is seen from its
// projection, so that lengths are off by the square of the angle between rope and plane.

#include "islands/rows/eye_geometry.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kTurn = 6.283185307179586;

/// Less what lies along the axis.
Vec3 across(const Vec3& v, const Vec3& axis) { return v - axis * dot(axis, v); }

Wheel wheel_of(const EyePass& pass, const SiteMotion& motion)
{
    return {.centre = apply_to_point(motion.pose, pass.point),
            .axis = apply_to_direction(motion.pose, pass.axis),
            .radius = pass.radius,
            .sense = pass.sense};
}

} // namespace

Vec3 Wheel::side_of(const Vec3& e) const
{
    const Vec3 side = cross(e, axis) * sense;
    const double size = length(side);
    return size > 0 ? side / size : turned({1, 0, 0}, 0);
}

Vec3 Wheel::tangent_through(const Vec3& p, double turn) const
{
    const Vec3 d = across(p - centre, axis);
    const double far = length(d);
    if (!(far > 0))
        return side_of({1, 0, 0});
    const double cosine = min(1.0, radius / far), sine = sqrt(1 - cosine * cosine);
    return d * (cosine / far) + cross(axis, d) * (turn * sine / far);
}

double Wheel::angle_between(const Vec3& from, const Vec3& to) const
{
    return atan2(sense * dot(axis, cross(from, to)), dot(from, to));
}

Vec3 Wheel::turned(const Vec3& side, double angle) const
{
    return side * cos(angle) + cross(axis, side) * (sense * sin(angle));
}

WheelLeg find_leg(const Wheel& first, const Wheel& second)
{
    constexpr int kMost = 60;
    constexpr double kStill = 1e-15;
    WheelLeg leg{first.departure_to(second.centre), {}};
    for (int k = 0; k < kMost; ++k) {
        leg.to = second.arrival_from(first.centre + leg.from * first.radius);
        const Vec3 from = first.departure_to(second.centre + leg.to * second.radius);
        const double change = length(from - leg.from);
        leg.from = from;
        if (change < kStill)
            break;
    }
    return leg;
}

double EyeLegs::arrival(std::size_t eye) const
{
    double sum = 0;
    for (std::size_t i = 0; i <= eye; ++i)
        sum += size[i] + (i < eye ? arc[i] : 0);
    return sum;
}

namespace {

/// Finds legs and arcs; sides are unit vectors from the centres of wheels.
class LegFinder {
public:
    LegFinder(const EyePath& path, std::span<const SiteMotion> motion)
        : path_(path), motion_(motion), count_(std::min(path.passes.size(), EyeLegs::kMost))
    {
        legs_.count = count_ + 1;
        for (std::size_t i = 0; i < count_; ++i)
            legs_.wheel[i] = wheel_of(path.passes[i], motion[2 + i]);
    }

    EyeLegs run()
    {
        for (std::size_t i = 0; i <= count_; ++i)
            find(i);
        for (std::size_t i = 0; i < count_; ++i)
            wind(i);
        return legs_;
    }

private:
    bool is_drum(std::size_t leg) const
    {
        return leg == 0 ? path_.drums[0] : leg == count_ && path_.drums[1];
    }
    bool is_wheel(std::size_t eye) const { return legs_.wheel[eye].radius > 0; }

    /// Where leg i begins and ends on the eyes at its ends.
    void find(std::size_t i)
    {
        if (is_drum(i))
            return;
        const std::optional<Vec3> frozen = i == 0        ? path_.frozen[0]
                                           : i == count_ ? path_.frozen[1]
                                                         : std::nullopt;
        const bool from_wheel = i > 0 && is_wheel(i - 1), to_wheel = i < count_ && is_wheel(i);
        Vec3 from = i == 0 ? motion_[0].pose.translation : legs_.wheel[i - 1].centre;
        Vec3 to = i == count_ ? motion_[1].pose.translation : legs_.wheel[i].centre;
        if (from_wheel && to_wheel) {
            const WheelLeg leg = find_leg(legs_.wheel[i - 1], legs_.wheel[i]);
            leaving_[i - 1] = leg.from;
            arriving_[i] = leg.to;
        } else if (to_wheel) {
            arriving_[i] =
                frozen ? legs_.wheel[i].side_of(*frozen) : legs_.wheel[i].arrival_from(from);
        } else if (from_wheel) {
            leaving_[i - 1] =
                frozen ? legs_.wheel[i - 1].side_of(*frozen) : legs_.wheel[i - 1].departure_to(to);
        }
        if (from_wheel)
            from += leaving_[i - 1] * legs_.wheel[i - 1].radius;
        if (to_wheel)
            to += arriving_[i] * legs_.wheel[i].radius;
        const double size = length(to - from);
        legs_.unit[i] = frozen ? *frozen : size > 0 ? (to - from) / size : Vec3{1, 0, 0};
        legs_.size[i] = frozen ? dot(*frozen, to - from) : size;
    }

    /// The arc on an eye. At a drum: what it has wound up since its mark was set.
    void wind(std::size_t i)
    {
        const Wheel& wheel = legs_.wheel[i];
        legs_.arrive[i] = legs_.leave[i] = wheel.centre;
        if (!is_wheel(i)) {
            const Vec3 &before = legs_.unit[i], &behind = legs_.unit[i + 1];
            legs_.angle[i] = atan2(length(cross(before, behind)), dot(before, behind));
            return;
        }
        const EyePass& pass = path_.passes[i];
        const Vec3 mark = apply_to_direction(motion_[2 + i].pose, pass.mark);
        const bool is_first = i == 0 && path_.drums[0], is_last = i + 1 == count_ && path_.drums[1];
        if (is_first)
            legs_.size[0] = wheel.radius * wheel.angle_between(mark, leaving_[i]);
        else
            legs_.arrive[i] += arriving_[i] * wheel.radius;
        if (is_last)
            legs_.size[count_] = wheel.radius * wheel.angle_between(arriving_[i], mark);
        else
            legs_.leave[i] += leaving_[i] * wheel.radius;
        if (is_first || is_last) {
            (is_first ? legs_.arrive[i] : legs_.leave[i]) =
                is_first ? legs_.leave[i] : legs_.arrive[i];
            return;
        }
        const double angle = wheel.angle_between(arriving_[i], leaving_[i]);
        legs_.angle[i] = angle + kTurn * round((pass.wrap - angle) / kTurn);
        legs_.arc[i] = wheel.radius * legs_.angle[i];
    }

    const EyePath& path_;
    std::span<const SiteMotion> motion_;
    std::size_t count_;
    std::array<Vec3, EyeLegs::kMost> arriving_ = {}, leaving_ = {};
    EyeLegs legs_;
};

} // namespace

EyeLegs measure_legs(const EyePath& path, std::span<const SiteMotion> motion)
{
    return LegFinder(path, motion).run();
}

PathPlace place_on(const EyePath& path, const EyeLegs& legs, double s)
{
    const auto on_wheel = [&](std::size_t eye, const Vec3& touch, double beyond) {
        const Wheel& wheel = legs.wheel[eye];
        const Vec3 side =
            wheel.turned((touch - wheel.centre) / wheel.radius, beyond / wheel.radius);
        return PathPlace{wheel.centre + side * wheel.radius, wheel.direction_at(side), eye,
                         eye + 1};
    };
    const std::size_t last = legs.count - 1;
    double before = 0;
    for (std::size_t i = 0; i <= last; ++i) {
        const std::size_t eye = i == 0 ? 0 : i - 1;
        const double end = before + legs.size[i];
        if (i == 0 && path.drums[0] && s < end)
            return on_wheel(0, legs.leave[0], s - end);
        if (i == last && path.drums[1])
            return on_wheel(eye, legs.arrive[eye], s - before);
        const bool is_leg = i > 0 || !path.drums[0];
        if (is_leg && i == last)
            return {legs.leave[eye] + legs.unit[i] * (s - before), legs.unit[i], eye, i, true};
        if (is_leg && s < end)
            return {legs.arrive[i] - legs.unit[i] * (end - s), legs.unit[i],
                    end - s < s - before ? i : eye, i, true};
        before = end;
        if (s < before + legs.arc[i])
            return on_wheel(i, legs.arrive[i], s - before);
        before += legs.arc[i];
    }
    return {};
}

} // namespace sinew
