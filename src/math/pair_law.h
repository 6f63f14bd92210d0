#pragma once

#include "sinew/math.h"

#include <array>
#include <cstdint>

namespace sinew {

/// A joint between a frame on a body A and a frame on a body B that is more than a point or an
/// axis: some of six axes, wheels that roll on each other, a rack, a screw.
///
///   symbol   | code         | unit    | meaning
///   ---------|--------------|---------|---------------------------------------------------------
///   d        | b − a        | m       | from the origin of A's frame to that of B's
///   n, θ     |              | rad     | axes and angles of wheels, against what carries both
///   ρ, r, k  | ratio        | 1, m, m | of a gear, a rack, a screw
///   x        | phase        | m       | where a rack is along its axis at the start
struct PairLaw {
    enum class Kind : std::uint8_t {
        none,
        axes, ///< some of six are locked
        gear, ///< θ̇_B + ρ θ̇_A = 0 of wheels about the x axes of their frames
        rack, ///< B slides along its x axis with r θ̇_A of a wheel about A's x axis
        screw ///< a hinge about x whose B moves along x by k for each radian
    };

    Kind kind = Kind::none;
    std::array<bool, 6> is_locked = {}; ///< displacements along x, y, z, turns about them
    double ratio = 0, phase = 0;
    Vec3 reference = {0, 0, 0}; ///< of wheels on one axis: where angles are counted from

    /// Rows that always hold.
    std::size_t equal_count() const;
};

/// Frames of both bodies in the world.
struct PairFrames {
    Vec3 a = {0, 0, 0}, b = {0, 0, 0};
    Quat q_a = {}, q_b = {};
};

/// One equation of velocities: w = l·(v_B − v_A) at the place `at`, + twist_b·ω_B − twist_a·ω_A.
struct PairRow {
    Vec3 l = {0, 0, 0}, at = {0, 0, 0};
    Vec3 twist_a = {0, 0, 0}, twist_b = {0, 0, 0};
    double error = 0; ///< what w is the rate of [m or rad]
};

/// Most rows that a law may have.
constexpr std::size_t kMostPairRows = 6;

/// The rows that always hold; angles of wheels are continued from `last`. Returns their number.
std::size_t lay_pair(const PairLaw& law, const PairFrames& frames, double last,
                     std::array<PairRow, kMostPairRows>& rows);

/// The angle that a joint counts full turns of: of A's wheel, of a screw; else 0.
double pair_angle(const PairLaw& law, const PairFrames& frames, double last);

/// `phase` and `reference` for frames at the start. Returns these turned about their axes so that
/// all angles begin at 0, far from where they jump by a turn.
PairFrames set_start(const PairFrames& frames, PairLaw& law);

} // namespace sinew
