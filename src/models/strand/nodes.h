#pragma once

// Where the ends of a tree's segments are, from its root outwards.

#include "models/strand/plan.h"
#include "sinew/math.h"

#include <span>

namespace sinew::strand {

/// How the segments of a tree are turned and turn: four and three numbers each. Lengths and their
/// speeds, null where they do not move.
struct TreeMotion {
    const double *turns = nullptr, *rates = nullptr, *lengths = nullptr, *speeds = nullptr;
};

/// As many as the tree has segments; velocities null where nobody asks for them.
struct TreeNodes {
    Vec3 *joint = nullptr, *tip = nullptr, *joint_velocity = nullptr, *tip_velocity = nullptr;
};

/// A tree by its segments, as they are.
struct WholeForm {
    std::span<const SegmentData> segments;

    int parent(std::size_t k) const { return segments[k].parent; }
    double attach(std::size_t k) const { return segments[k].attach; }
    double length(std::size_t k) const { return segments[k].length; }
};

/// The same by what trees of one shape share, and lengths of its own: segments are looked up only
/// where a branch begins. A tenth of the memory to read.
struct LeanForm {
    std::span<const SegmentData> segments;
    Topology shape;
    const double* lengths;

    int parent(std::size_t k) const { return shape.parent[k]; }
    double attach(std::size_t k) const { return shape.follows[k] ? 1 : segments[k].attach; }
    double length(std::size_t k) const { return lengths[k]; }
};

template <bool has_velocities, class Form>
void place_outward(const Form& form, const TreeMotion& motion, const PoseMotion& base,
                   const TreeNodes& nodes)
{
    for (std::size_t k = 0; k < form.segments.size(); ++k) {
        const auto p = static_cast<std::size_t>(form.parent(k));
        const auto between = [&](const Vec3& a, const Vec3& b) {
            const double attach = form.attach(k);
            return attach == 1 ? b : a + (b - a) * attach;
        };
        const bool is_root = form.parent(k) < 0;
        const Vec3 arm = is_root ? rotate(base.pose.rotation, form.segments[k].offset) : Vec3{};
        nodes.joint[k] =
            is_root ? base.pose.translation + arm : between(nodes.joint[p], nodes.tip[p]);
        const double* t = motion.turns + 4 * k;
        const Quat q{t[0], t[1], t[2], t[3]};
        const Vec3 r = rotate(q, Vec3{0, motion.lengths ? motion.lengths[k] : form.length(k), 0});
        nodes.tip[k] = nodes.joint[k] + r;
        if constexpr (has_velocities) {
            const double* rate = motion.rates + 3 * k;
            nodes.joint_velocity[k] = is_root
                                          ? base.velocity + cross(base.angular_velocity, arm)
                                          : between(nodes.joint_velocity[p], nodes.tip_velocity[p]);
            const Vec3 w = rotate(q, Vec3{rate[0], rate[1], rate[2]});
            nodes.tip_velocity[k] = nodes.joint_velocity[k] + cross(w, r);
            if (motion.speeds)
                nodes.tip_velocity[k] += rotate(q, Vec3{0, motion.speeds[k], 0});
        }
    }
}

} // namespace sinew::strand
