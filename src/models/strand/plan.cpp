#include "models/strand/plan.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew::strand {

Vec3 inertia_of_cylinder(double mass, double length, double radius)
{
    const double across = mass * (length * length / 3 + radius * radius / 4);
    return {across, mass * radius * radius / 2, across};
}

/// T/EA = λ − 1, below a half −1/4λ: the same there, and so is the slope.
Stretching stretched(const SegmentData& segment, double length)
{
    constexpr double kLeast = 1e-6;
    const double EA = segment.stretch, rest = segment.length, part = max(length / rest, kLeast);
    if (part >= 0.5)
        return {EA * (part - 1), EA / rest, 0.5 * EA * rest * (part - 1) * (part - 1)};
    return {-0.25 * EA / part, 0.25 * EA / (rest * part * part),
            EA * rest * (0.125 - 0.25 * log(2 * part))};
}

double length_for_tension(const SegmentData& segment, double tension)
{
    const double part = tension / segment.stretch;
    return segment.length * (part >= -0.5 ? 1 + part : -0.25 / part);
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

/// Into Param::reach: the second moment of mass of each subtree, its segments straightened out
/// along the way from the joint: how heavy a joint's residual weighs. Three fields that are written
/// later hold the moments at the tips.
void put_reaches(std::span<const SegmentData> segments, std::vector<double>& numbers)
{
    constexpr int kZeroth = Param::length, kFirst = Param::tip_mass, kSecond = Param::joint_mass;
    for (std::size_t i = segments.size(); i-- > 0;) {
        const SegmentData& s = segments[i];
        const double l = s.length;
        double* p = &numbers[i * Param::count];
        const double zeroth = p[kZeroth] + s.mass;
        const double first = p[kFirst] + l * p[kZeroth] + s.mass * l / 2;
        p[Param::reach] = p[kSecond] + 2 * l * p[kFirst] + l * l * p[kZeroth] + s.mass * l * l / 3;
        if (s.parent >= 0) {
            double* to = &numbers[static_cast<std::size_t>(s.parent) * Param::count];
            to[kZeroth] += zeroth, to[kFirst] += first, to[kSecond] += p[Param::reach];
        }
    }
}

} // namespace

/// The mass is split between tip and joint so that its centre stays: exact for a rigid segment, and
/// spares every block of its own. What is left of the inertia, I′ = I − m₁ L² across, may be
/// negative.                                                                          [eq. 1]
void make_params(std::span<const SegmentData> segments, const Units& units,
                 std::vector<double>& numbers)
{
    const double length = units.length, mass = units.mass, time = units.time;
    const double inertia = mass * length * length, torque = inertia / (time * time);
    const double drag = mass / time;
    numbers.assign(segments.size() * Param::count, 0.0);
    put_reaches(segments, numbers);
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
        p[Param::reach] /= inertia;
        p[Param::attach] = s.attach;
    }
}

void make_elastic_params(std::span<const SegmentData> segments, const Units& units,
                         std::vector<double>& numbers)
{
    const std::vector<double> rigid = make_params(segments, units);
    const double length = units.length, mass = units.mass, time = units.time;
    const double force = mass * length / (time * time), inertia = mass * length * length;
    numbers.assign(segments.size() * Spring::count, 0.0);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const SegmentData& s = segments[i];
        double* p = &numbers[i * Spring::count];
        std::copy_n(&rigid[i * Param::count], std::size_t{Param::count}, p);
        const double wide = s.spare_mass() * s.length * s.length / inertia;
        p[Spring::rest] = s.length / length;
        p[Spring::stiffness] = s.stretch / force;
        p[Spring::damping] = s.stretch_damping / s.length / (mass / time);
        p[Spring::mass] = s.spare_mass() / mass;
        p[Spring::bulk] = p[Param::inertia] + wide;
        p[Spring::bulk + 1] = p[Param::inertia + 2] + wide;
    }
}

std::vector<double> make_params(std::span<const SegmentData> segments, const Units& units)
{
    std::vector<double> numbers;
    make_params(segments, units, numbers);
    return numbers;
}

} // namespace sinew::strand
