#pragma once

/// Bodies that only joints hold, while no motor, spring, limit or contact acts: RATTLE on rotations
/// [Andersen83] [HairerLubichWanner06, VII.1.4].
///
///     p½ = p + ½ h f + J(q)ᵀ λ,   q⁺ = φ_h(q, p½),   g(q⁺) = 0
///     p⁺ = p½ + ½ h f + J(q⁺)ᵀ μ,   J(q⁺) v⁺ = 0                          [notes: rigid, eq. 7]
///
/// φ is the free flight of each body, turning included, so that a body may spin fast in its joint.
/// Symmetric and symplectic: of second order, energy oscillates and does not drift, momenta are
/// kept, joints are closed at the end of every step.

#include "models/rigid/joints/jointed_factor.h"

namespace sinew {

class SwingSolver {
public:
    /// What an island brings: rows and their impulses, and the velocities that gravity and forces
    /// alone lead to, at the orientations `turned`.
    struct Island {
        std::span<const std::uint32_t> members;
        std::span<JointRows* const> joints;
        std::span<Patch* const> patches;
        std::span<const SolverBody> free;
        std::span<const Quat> turned;
        std::span<const double> haste; ///< by body: (hω)² with which pulls turn it; none: little
        const JointModel* tip = nullptr; ///< of rows that are of no joint of the pile
        const JointModel& model(const Pile& pile, const JointRows& rows) const
        {
            return tip ? *tip : pile.joints[rows.joint];
        }
    };

    /// One step, in parts where something turns fast, or would gain energy. False, and nothing is
    /// changed, where the island is of another kind, turns too fast, or meets something. `end` is
    /// by body; on success rows hold the impulses of the step.
    bool step(const Pile& pile, const PileState& state, const StepLengths& lengths,
              const Island& island, JointedFactor& factor, std::vector<BodyState>& end);

    int factor_count = 0, solve_count = 0;

private:
    /// A free body: what forces give it in half a part of the step, and its motion in one.
    struct Member {
        Vec3 push, torque; ///< [N s, N m s]
        Vec3 v, L;         ///< with the first half of these
        Vec3 v_half, L_half;
    };
    struct Part {
        double h, unit;
    };

    static bool is_undriven(const Pile& pile, const Island& island);
    static int parts_of(double h, std::span<const BodyState> bodies, const Island& island);
    void begin(const Pile& pile, const PileState& state, const Island& island, int parts);
    bool step_part(const Pile& pile, const Part& part, const Island& island, JointedFactor& factor);
    double lay_rows(const Pile& pile, const Island& island, std::span<const BodyState> bodies,
                    std::vector<JointRows>& rows) const;
    bool factor_at(const Pile& pile, double h, const Island& island,
                   std::span<const BodyState> bodies, const std::vector<JointRows>& rows,
                   JointedFactor& factor);
    void push_off(const Pile& pile);
    double fly_on(const Pile& pile, double h, const Island& island);
    bool close(const Pile& pile, const Part& part, const Island& island, JointedFactor& factor);
    void correct(JointedFactor& factor, double h, std::size_t n);
    double find_speeds();
    bool finish(const Pile& pile, const Part& part, const Island& island, JointedFactor& factor);
    bool gains(const Pile& pile, const PileState& state, const StepLengths& lengths,
               const Island& island) const;
    bool is_free(const Pile& pile, const PileState& state, double h, const Island& island) const;

    std::vector<Member> members_;
    std::vector<BodyState> now_, then_; ///< by body: where the part begins, where it leads to
    std::vector<std::uint32_t> node_;   ///< by body: which member
    std::vector<std::uint32_t> driven_; ///< what joints hold the members to
    std::vector<JointedFactor::Joint> shape_;
    std::vector<JointRows> first_, last_; ///< rows at the beginning and at the end
    std::vector<double> impulse_, error_, change_, sum_;
    std::vector<std::vector<double>> steps_;
    std::vector<Row6> right_;
};

} // namespace sinew
