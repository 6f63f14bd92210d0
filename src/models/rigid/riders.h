#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/pile.h"

namespace sinew {

/// What stands on a body adds to how it would move without contacts, and to how it answers them:
///
///     (M + K) (v⁺ − v_free) = push − K (v_free − v),                   [notes: strands, eq. 34]
///
/// of which contacts see the largest mass and moment, the same in all directions.
void take_riders(const Body& model, const Quat& turned, BodyRiders& riders, SolverBody& body);

/// What the bodies were given by their riders, now that their end velocities are known.
void note_given(std::span<BodyRiders> riders, std::span<const SolverBody> bodies);

/// How a body with what stands on it answers impulses: the inverse of [A Bᵀ; B C], symmetric and
/// positive, the velocity first.
class RidersFactor {
public:
    RidersFactor() = default;
    RidersFactor(const Body& model, const Quat& turned, const BodyRiders& riders);

    struct Change {
        Vec3 v = {0, 0, 0}, w = {0, 0, 0};
    };
    Change solve(const Vec3& push, const Vec3& twist) const;

private:
    Mat3 A_inverse_, BA_, S_inverse_; ///< BA_ = B A⁻¹, S = C − B A⁻¹ Bᵀ
};

} // namespace sinew
