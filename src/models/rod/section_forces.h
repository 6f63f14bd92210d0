#pragma once

/// What a rod carries along it: tension, bending and twist moments, with what damping adds.

#include "models/rod/elastic.h"
#include "sinew/frame.h"

#include <vector>

namespace sinew::rod {

/// Of a rod, where they are measured.
struct SectionForces {
    std::vector<double> tension = {}; ///< of each span [N]; 0 where rows carry it (Loads::idle)
    std::vector<Vec3> bending = {};   ///< at each node [N m], world axes, across the rod
    std::vector<double> twist = {};   ///< at each node [N m]
};

SectionForces compute_section_forces(const Plan& plan, const Configuration& at, const Loads& loads);

/// The tension at each node: the mean of its two spans, at the ends continued from the two spans
/// next to them as far as the third agrees, so that a wave front makes no peak there.
std::vector<double> tension_at_nodes(std::span<const double> of_spans);

/// All of it at nodes.
std::vector<SectionForce> at_nodes(const SectionForces& forces);

} // namespace sinew::rod
