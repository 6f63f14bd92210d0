#pragma once

// Strands that hang still: the equilibrium that a pose settles into, and the rest shape under which
// a given pose is in equilibrium.

#include "models/strand/plan.h"

#include <span>
#include <vector>

namespace sinew::strand {

/// What pulls at a tree that stands still.
struct StillLoads {
    Quat base = {};
    Vec3 gravity = {0, 0, 0};          ///< [m/s²]
    std::span<const double> tips = {}; ///< Load::count per segment, SI; none: nothing but gravity
};

struct Equilibrium {
    std::vector<Quat> turns;          ///< of the segments, world
    bool is_found = false;            ///< false: the best that was met
    bool is_stable = false;           ///< a small push comes back
    std::vector<double> lengths = {}; ///< of the segments, where they move under load [m]
    int solves = 0;
};

/// Goes down from a pose: steps of gradient flow, each longer than the last, then Newton. Stays on
/// an equilibrium that is not stable when it starts on one.
Equilibrium find_equilibrium(std::span<const SegmentData> segments, const StillLoads& loads,
                             std::vector<Quat> from);

/// Whether the equilibrium at a pose is stable; one Newton step tells where the pose is one.
bool is_stable_at(std::span<const SegmentData> segments, const StillLoads& loads,
                  const std::vector<Quat>& turns);

/// What pulls the segments of a pose longer [N]. They have the lengths that they have then.
std::vector<double> tensions_of(std::span<const SegmentData> segments, const StillLoads& loads,
                                std::span<const Quat> turns);

/// Largest turn between two poses of a segment [rad].
double largest_turn(std::span<const Quat> a, std::span<const Quat> b);

/// Rest rotations of the joints, so that `turns` is in equilibrium. False where a joint that bears
/// a load has no stiffness: `segment` is one.
struct RestShape {
    std::vector<Quat> rest;
    bool is_found = true;
    int segment = -1;
};
RestShape find_rest_shape(std::span<const SegmentData> segments, const StillLoads& loads,
                          std::span<const Quat> turns);

/// The g whose elastic torque is τ, body axes: τ/K where bend and twist are alike.     [eq. 4]
Vec3 bend_for_torque(const Vec3& torque, const Vec3& stiffness);

} // namespace sinew::strand
