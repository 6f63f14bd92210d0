#pragma once

/// Joints as rows: each says what a combination of two bodies' velocities must be, and how large
/// its impulse may get.
///
///   symbol | code              | unit | meaning
///   -------|-------------------|------|--------------------------------------------------------
///   J      | l, turn_a, turn_b | 1, m | w = l·(v_b − v_a) + turn_b·ω_b − turn_a·ω_a  [m/s]
///   b      | bias              | m/s  | the law: w + b = 0 where the impulse is within bounds
///   λ      | impulse           | N s  | low ≤ λ ≤ high
///
/// J is that of the middle of the step and b = J_end v_end − J_mid v_mid of what flies on freely:
/// with positions that move by mean velocities, joints neither brake nor speed up what swings
/// [notes: rigid, eq. 7]. Rows about an axis are measured at an arm, so that all rows are speeds.

#include "models/rigid/contacts/patch.h"
#include "models/rigid/lengths.h"
#include "solve/linear/sparse/block_cholesky.h"

#include <array>

namespace sinew {

constexpr double kMostTurn = 0.3; ///< of what a joint holds in a step [rad] that is followed

struct JointRow {
    Vec3 l = {0, 0, 0}, turn_a = {0, 0, 0}, turn_b = {0, 0, 0};
    double bias = 0;
    double low = 0, high = 0;
    double impulse = 0;
    double response = 1; ///< J M⁻¹ Jᵀ, and what it gives way
    double give = 0;     ///< w + b + give λ = 0: of springs and dampers, 0 of what is rigid [1/kg]
    double error = 0;    ///< of positions: what is left to go, in the row's own measure [m]
};

/// The rows of a joint: those that always hold, then motor, spring, friction and limits.
struct JointRows {
    static constexpr std::size_t kMost = 8;

    std::uint32_t a = 0, b = 0, joint = 0;
    std::size_t count = 0, equal_count = 0;
    std::array<JointRow, kMost> row = {};
    double all_inverse[kMost][kMost] = {};   ///< (J M⁻¹ Jᵀ)⁻¹ of all rows
    double equal_inverse[kMost][kMost] = {}; ///< of those that always hold
    double K[kMost][kMost] = {};
    double stiffness = 1;
    double drive_arm = 1;        ///< of motor and limit: their impulses times this are torques
    std::size_t first_drive = 0; ///< of motor and limit; a motor without bound always holds
    double last = 0;             ///< JointState::coordinate when the step begins
    double turn = 0;             ///< of what it holds, in the step [rad]
    bool is_followed = false;    ///< what it holds turns slowly enough for second order
    bool is_gyroscope = false;   ///< one of the bodies spins, and the joint hardly sees it
    std::array<double, kMost> arm = {};    ///< of rows about an axis; 1 of others
    std::array<double, kMost> before = {}; ///< J_mid v_mid before any impulse [m/s]
};

/// True when a joint holds anything: not broken, one of its bodies free.
bool is_in_force(const Pile& pile, const PileState& state, std::size_t joint);

/// Whether the joints that carry the two wheels of a joint hold; true of others.
bool do_carriers_hold(const Pile& pile, const PileState& state, std::size_t joint);

/// Angle of a hinge or way of a slider: b against a, continued from `last`.
double joint_coordinate(const JointModel& joint, const BodyState& a, const BodyState& b,
                        double last);

/// Makes light bodies under strong pull as slow to turn as a step can follow: a force f at an arm r
/// turns them back and forth with (hω)² = h² f r / I, which a step of length h cannot above 4
/// [Andrews17]. About the arm itself it does not. Differs from the paper: only where that is above
/// 1, and about all axes alike. `haste`: the largest (hω)², by body; 0 where it is surely below 1.
void slow_down_links(const Pile& pile, const PileState& state, double h,
                     std::span<const Quat> turned, std::vector<SolverBody>& bodies,
                     std::vector<double>& haste);

/// The rows for the coming step.
void make_joint_rows(const Pile& pile, const PileState& state, std::uint32_t joint, double h,
                     const std::vector<SolverBody>& bodies, JointRows& rows);

/// b of the rows that always hold for the velocities solved for instead of those before: J_end
/// v_end = 0 of where they lead; of gyroscopes that touch nothing between that and what keeps the
/// energy. Returns the largest change [m/s].
double update_biases(const Pile& pile, const PileState& state, double h,
                     const std::vector<SolverBody>& bodies, bool touches_nothing, JointRows& rows);

/// Rows that always hold of bodies somewhere, with their errors; those about an axis are angles,
/// continued from rows.last.
void make_equal_rows(const JointModel& joint, const BodyState& a, const BodyState& b,
                     JointRows& rows);

/// Whether bodies somewhere keep the limits of their joint, its coordinate continued from `last`.
bool is_within_limits(const JointModel& joint, const BodyState& a, const BodyState& b, double last);

/// Rows of the present poses with their errors, for the projection.
void make_error_rows(const Pile& pile, const PileState& state, std::uint32_t joint,
                     JointRows& rows);

inline double row_velocity(const JointRow& row, const SolverBody& a, const SolverBody& b)
{
    return dot(row.l, b.v - a.v) + dot(row.turn_b, b.w) - dot(row.turn_a, a.w);
}

inline void push(const JointRow& row, double by, SolverBody& a, SolverBody& b)
{
    if (b.inverse_mass > 0) { // fixed bodies are only read
        b.v += row.l * (by * b.inverse_mass);
        b.w += b.inverse_inertia * row.turn_b * by;
    }
    if (a.inverse_mass > 0) {
        a.v -= row.l * (by * a.inverse_mass);
        a.w -= a.inverse_inertia * row.turn_a * by;
    }
}

/// K and its inverses for bodies that answer impulses as these do.
void update_responses(const SolverBody& a, const SolverBody& b, JointRows& rows);

/// One local solve: all rows at once; what leaves its bounds is held there and the rest solved
/// again.
void relax(JointRows& rows, SolverBody& a, SolverBody& b);

/// The natural map, as residual_of a patch [m/s].
double residual_of(const JointRows& rows, const SolverBody& a, const SolverBody& b);

/// What the spring of a joint does to its bodies in a step, for whoever else moves them: as if
/// nothing but the two were there.
void add_spring_forces(const Pile& pile, const PileState& state, std::size_t joint, double h,
                       std::vector<BodyForce>& forces);

/// Marks joints whose force in the step was above what they bear, and keeps impulses. Returns how
/// many broke.
int keep_joint(const JointModel& joint, const JointRows& rows, double h, JointState& state);

} // namespace sinew
