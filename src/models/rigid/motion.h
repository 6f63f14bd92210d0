#pragma once

#include "models/rigid/contacts/contacts.h"
#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/joints/joints.h"

namespace sinew {

/// Positions from the velocities solved for. Where forces are smooth the mean velocity of the step
/// counts, x += h (v⁻ + v⁺)/2: a first-order update slides 0.3 % too far. Turning keeps the angular
/// momentum, that of before up to `turned`, the orientations at which impulses act, and that of
/// after from there. Velocities become those `after` impacts have bounced.
struct SolvedMotion {
    const std::vector<SolverBody>&bodies, &after;
    std::span<const Quat> turned;
    std::span<const char> is_hit;     ///< of the bodies: they go to where they met
    std::span<const BodyState> swung; ///< where bodies go that only joints hold,
    std::span<const char> is_swung;   ///< and which these are; empty: none
};
void move_bodies(const Pile& pile, PileState& state, const StepLengths& lengths, int threads,
                 const SolvedMotion& solved, std::span<const char> smoothness);

constexpr char kHeld = 1;   ///< by contacts that are not new, or joints that are not followed
constexpr char kSwings = 2; ///< on joints alone: smooth however fast
constexpr char kFlies = 3;  ///< nothing touches it: forces alone change its velocity

/// How smooth the forces on each body are; 0: one of its loaded contacts is new.
void find_smooth(const Pile& pile, const PileState& state, std::span<const JointRows> joints,
                 int threads, std::vector<char>& smoothness);

/// Whether a body whose velocity changes by dv moves by the mean of the step.
bool moves_by_mean(char smoothness, const Vec3& dv, const StepLengths& lengths);

double kinetic_energy(const Body& body, const BodyState& state);

/// ω of a body at an orientation that carries the angular momentum L, and L of ω.
Vec3 spin_of(const Body& body, const Quat& q, const Vec3& L);
Vec3 momentum_of(const Body& body, const Quat& q, const Vec3& w);

/// An orientation after a turn by a rotation vector; after a time h with a constant L.
Quat turn_by(const Quat& q, const Vec3& by);
Quat turn_with(const Body& body, const Quat& q, const Vec3& L, double h);

/// What turns by more than its axes may be taken to stand still in a step.
bool is_turning(const Body& body, const Vec3& w, double h);

/// Where a body turns to in a time t, and with which ω, while nothing acts on it.
struct Turned {
    Quat q;
    Vec3 w;
};
Turned turn_ahead(const Body& body, const BodyState& state, double t);

/// Free flight for a time h under a constant acceleration and torque.
void fly(const Body& body, const Vec3& acceleration, const Vec3& torque, double h,
         BodyState& state);

inline bool is_asleep(const PileState& state, std::size_t body)
{
    return !state.rest.empty() && (state.rest[body].is_asleep || state.rest[body].is_taken);
}

/// Room for what follows.
struct Projection {
    std::vector<SolverBody> bodies;
    std::vector<double> deepest; ///< by portions of the contacts
};

/// Removes overlap in a first-order world: J δx ≥ −g, normals only, every body of mass one, which
/// makes it blind to mass ratios; no momentum is at stake. [Erleben04]
void project(const Pile& pile, PileState& state, const StepLengths& lengths, int threads,
             const ContactWork& work, const BodyIslands& islands, Projection& room,
             PileReport& report);

} // namespace sinew
