#pragma once

#include "models/rigid/contacts/contacts.h"
#include "models/rigid/contacts/patch.h"

namespace sinew {

/// Positions from the velocities solved for. Where forces are smooth the mean velocity of the step
/// counts, x += h (v⁻ + v⁺)/2: a first-order update slides 0.3 % too far. Turning keeps the angular
/// momentum. Velocities become those `after` impacts have bounced. `is_smooth` is room.
void move_bodies(const Pile& pile, PileState& state, const StepLengths& lengths,
                 const std::vector<SolverBody>& bodies, const std::vector<SolverBody>& after,
                 std::vector<char>& is_smooth);

/// Free flight for a time h under a constant acceleration and torque.
void fly(const Body& body, const Vec3& acceleration, const Vec3& torque, double h,
         BodyState& state);

inline bool is_asleep(const PileState& state, std::size_t body)
{
    return !state.rest.empty() && (state.rest[body].is_asleep || state.rest[body].is_taken);
}

/// Removes overlap in a first-order world: J δx ≥ −g, normals only, every body of mass one, which
/// makes it blind to mass ratios; no momentum is at stake. [Erleben04]
void project(const Pile& pile, PileState& state, const StepLengths& lengths,
             const ContactWork& work, PileReport& report);

} // namespace sinew
