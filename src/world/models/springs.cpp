// Energy of springs between models.

#include "math/functions.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

/// ½ k (|x_a − x_b| − L)² of all springs that hold bodies, rods or strands; those of linkages count
/// with these.
double World::Parts::energy_of_springs() const
{
    const auto is_rod_spring = [](const RodConstraint& c) {
        return c.kind == RodConstraintKind::spring;
    };
    const auto is_strand_spring = [](const StrandConstraint& c) {
        return c.kind == StrandConstraintKind::spring;
    };
    if (coupling.springs.empty() && !std::ranges::any_of(scene.rod_constraints, is_rod_spring) &&
        !std::ranges::any_of(scene.strand_constraints, is_strand_spring))
        return 0;
    Instant at;
    const Posture now = update_instant(state.time, at);
    const auto number = [&](Value value) { return value_at(scene, value, now, at.objects); };
    double energy = spring_energy(coupling, scene, now, at.objects);
    const auto add = [&](ObjectId a, ObjectId b, Value rest, Value stiffness) {
        const double stretch =
            length(at.objects[b.index].origin - at.objects[a.index].origin) - number(rest);
        energy += 0.5 * number(stiffness) * stretch * stretch;
    };
    for (std::size_t i = 0; i < scene.rod_constraints.size(); ++i)
        if (const RodConstraint& c = scene.rod_constraints[i];
            is_rod_spring(c) && !state.constraints.links[i].is_released &&
            number(c.release.active) > 0.5)
            add(c.a, c.b, c.distance, c.stiffness);
    for (const StrandConstraint& c : scene.strand_constraints)
        if (is_strand_spring(c) && number(c.active) > 0.5)
            add(c.a, c.b, *c.distance, c.stiffness);
    return energy;
}

} // namespace sinew
