#pragma once

// Products of a linkage's matrices with vectors of its unknowns, without the matrices.

#include "models/linkage/motion.h"

#include <span>

namespace sinew {

/// How fast a point moves along each axis when the unknowns move.
template <class S>
Vec3T<S> velocity_at(const Motion& motion, std::uint32_t point, std::span<const S> columns)
{
    const LinkagePlan& plan = motion.plan();
    const Range range = plan.points[point].partials;
    const std::span<const Vec3> P = motion.partials(point);
    Vec3T<S> sum;
    for (std::uint32_t c = 0; c < range.count; ++c) {
        const S rate = columns[plan.partial_columns[range.first + c]];
        sum.x += P[c].x * rate;
        sum.y += P[c].y * rate;
        sum.z += P[c].z * rate;
    }
    return sum;
}

/// out += Pᵀ f
template <class S>
void add_at(const Motion& motion, std::uint32_t point, const Vec3T<S>& force, std::span<S> out)
{
    const LinkagePlan& plan = motion.plan();
    const Range range = plan.points[point].partials;
    const std::span<const Vec3> P = motion.partials(point);
    for (std::uint32_t c = 0; c < range.count; ++c)
        out[plan.partial_columns[range.first + c]] +=
            P[c].x * force.x + P[c].y * force.y + P[c].z * force.z;
}

/// out += M x
template <class S>
void add_mass_product(const Motion& motion, std::span<const S> x, std::span<S> out)
{
    for (const PlannedMass& mass : motion.plan().masses) {
        const Vec3T<S> v = velocity_at(motion, mass.point, x);
        add_at<S>(motion, mass.point, {v.x * mass.mass, v.y * mass.mass, v.z * mass.mass}, out);
    }
    const std::span<const double> q = motion.instant().state;
    for (const PlannedTurn& turn : motion.plan().turns) {
        S along(0);
        for (const std::uint32_t c : turn.columns)
            along += q[c] * x[c];
        for (const std::uint32_t c : turn.columns)
            out[c] += motion.plan().turn_mass() * q[c] * along;
    }
}

} // namespace sinew
