#include "models/strand/plan.h"

#include "math/functions.h"

namespace sinew::strand {

Vec3 inertia_of_cylinder(double mass, double length, double radius)
{
    const double across = mass * (length * length / 3 + radius * radius / 4);
    return {across, mass * radius * radius / 2, across};
}

Quat joint_axes(const SegmentData& segment)
{
    if (segment.parent < 0 || segment.is_clamped)
        return {};
    const Quat q = segment.rest.w < 0 ? -segment.rest : segment.rest;
    return normalised(Quat{q.x, q.y, q.z, q.w + 1}); // the square root
}

TreeShape::TreeShape(std::span<const SegmentData> segments)
{
    slot.assign(segments.size(), -1);
    for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
        const int on = segments[i].parent;
        parent.push_back(on);
        follows.push_back(on >= 0 && on == i - 1 && segments[i].attach == 1);
        if (on >= 0 && !follows[i] && slot[on] < 0)
            slot[on] = slots++;
    }
}

Units units_of(std::span<const SegmentData> segments, double time)
{
    Units units{0, 0, time};
    for (const SegmentData& segment : segments) {
        units.length += segment.length / static_cast<double>(segments.size());
        units.mass += segment.mass / static_cast<double>(segments.size());
    }
    return units;
}

namespace {

/// Least moment of inertia about a segment's own axis, of that across it: without any, nothing says
/// how fast an unbending needle spins.
constexpr double kThinnest = 1e-8;

/// Moments of mass of each subtree, its segments straightened out along the way from the joint:
/// how heavy a joint's residual weighs.
std::vector<double> find_reaches(std::span<const SegmentData> segments)
{
    struct Moments {
        double zeroth = 0, first = 0, second = 0;
    };
    std::vector<Moments> tip(segments.size());
    std::vector<double> reach(segments.size());
    for (std::size_t i = segments.size(); i-- > 0;) {
        const SegmentData& s = segments[i];
        const double l = s.length;
        const Moments at{tip[i].zeroth + s.mass, tip[i].first + l * tip[i].zeroth + s.mass * l / 2,
                         tip[i].second + 2 * l * tip[i].first + l * l * tip[i].zeroth +
                             s.mass * l * l / 3};
        reach[i] = at.second;
        if (s.parent >= 0) {
            Moments& to = tip[static_cast<std::size_t>(s.parent)];
            to.zeroth += at.zeroth, to.first += at.first, to.second += at.second;
        }
    }
    return reach;
}

} // namespace

/// The mass is split between tip and joint so that its centre stays: exact for a rigid segment, and
/// spares every block of its own. What is left of the inertia, I′ = I − m₁ L² across, may be
/// negative.                                                                          [eq. 1]
std::vector<double> make_params(std::span<const SegmentData> segments, const Units& units)
{
    const double length = units.length, mass = units.mass, time = units.time;
    const double inertia = mass * length * length, torque = inertia / (time * time);
    const double drag = mass / time;
    const std::vector<double> reach = find_reaches(segments);
    std::vector<double> numbers(segments.size() * Param::count);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const SegmentData& s = segments[i];
        double* p = &numbers[i * Param::count];
        const auto put = [&](int field, const Vec3& v, double unit) {
            p[field] = v.x / unit, p[field + 1] = v.y / unit, p[field + 2] = v.z / unit;
        };
        const auto put_quat = [&](int field, const Quat& q) {
            p[field] = q.x, p[field + 1] = q.y, p[field + 2] = q.z, p[field + 3] = q.w;
        };
        const double taken = 0.5 * s.mass * s.length * s.length;
        p[Param::length] = s.length / length;
        p[Param::tip_mass] = p[Param::joint_mass] = 0.5 * s.mass / mass;
        const double thin = max(s.inertia.y, kThinnest * max(s.inertia.x, s.inertia.z));
        put(Param::inertia, Vec3{s.inertia.x - taken, thin, s.inertia.z - taken}, inertia);
        put(Param::stiffness, s.stiffness, torque);
        put(Param::damping, s.damping, torque * time);
        const Quat axes = joint_axes(s);
        put_quat(Param::rest_inverse, axes * conjugate(s.rest));
        put_quat(Param::axes, conjugate(axes));
        p[Param::drag_along] = 0.5 * s.drag_along / drag;
        p[Param::drag_across] = 0.5 * s.drag_across / drag;
        put(Param::offset, s.offset, length);
        p[Param::reach] = reach[i] / inertia;
        p[Param::attach] = s.attach;
    }
    return numbers;
}

} // namespace sinew::strand
