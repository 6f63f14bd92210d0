#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/joints.h"
#include "models/rigid/islands/pile_sweeps.h"
#include "solve/linear/sparse/block_cholesky.h"

#include <map>
#include <span>
#include <vector>

namespace sinew {

/// Solves the contact laws of one island: sweeps over patches, then Newton over bodies.
///
/// On exit v = v_free + M⁻¹ Jᵀ λ always holds: momentum is exact whatever the residual.
class IslandSolver {
public:
    struct Settings {
        double tolerance = 2e-5;         ///< [m/s]
        double speed = 0.0981;           ///< |g| h [m/s]
        Vec3 gravity_change = {0, 0, 0}; ///< of a free body's velocity in the step
        int sweeps = 2, rounds = 4, newton = 8;
        double penalty = 1e3;
        int threads = 1; ///< at most; the same bits for any number
    };

    /// The bodies it works on: all of them, whatever the island.
    void set_bodies(const Pile& pile, const std::vector<BodyState>& poses,
                    std::vector<SolverBody>& all);

    std::span<const std::uint32_t> members; ///< the island's free bodies
    std::vector<Patch*> patches;
    std::vector<JointRows*> joints;
    std::span<const BlockCholesky::Link> near; ///< members that may come to touch

    /// Solves and returns the residual [m/s]; `mood` goes on to the next step.
    double solve(const Settings& settings, SolverMood& mood);

    /// Points that closed faster than `least` leave with e times their approach speed, in a few
    /// passes over these alone. Their impulses are no load: they are forgotten. False: none did.
    bool bounce(double least);

    double residual() const;
    int sweep_count = 0, factor_count = 0, solve_count = 0;

private:
    void start();
    void note_approach();
    void sweep(bool is_backward);
    void polish(int sweeps);
    void accelerate(int sweeps);
    void remember_step();
    bool is_too_dense();
    bool is_masonry() const;
    bool is_large_pile() const;
    double solve_pile();
    bool may_go_direct(SolverMood& mood);
    double go_direct(SolverMood& mood);
    bool try_rounds(double& best_residual);
    bool run_newton();
    void presume_rest();
    void note_stall(double residual, SolverMood& mood);

    // --- Newton
    struct Model;
    Model model_of(const Patch& p, double (*S)[6]) const;
    void add_joint_gradient(const JointRows& rows);
    void add_joint_stiffness(const JointRows& rows);
    double joint_impulse(const JointRow& row, const JointRows& rows) const;
    bool may_gain_energy() const;
    bool has_gained() const;
    bool has_exploded() const;
    void forget();
    double improve(SolverMood& mood);
    void lag_bounds();
    double update_gradient();
    bool refactor();
    void move(double share);
    double search_along(double slope, double defect, double goal);
    void take_impulses();

    double mass_of(std::size_t member) const { return pile_->bodies[members[member]].mass; }
    SolverBody& body(std::uint32_t i) { return (*all_)[i]; }
    const SolverBody& body(std::uint32_t i) const { return (*all_)[i]; }

    // --- impulses as one vector
    void pack(std::vector<double>& x) const;
    void unpack(const std::vector<double>& x, bool is_projected);
    void rebuild();
    void apply_all();
    double kinetic_energy() const;
    void set_inertia();

    struct Velocity {
        Vec3 v, w;
    };
    void remember(std::vector<Velocity>& velocities) const;
    void recall(const std::vector<Velocity>& velocities);

    static constexpr std::uint32_t kFixed = 0xffffffff;

    const Pile* pile_ = nullptr;
    const std::vector<BodyState>* poses_ = nullptr;
    std::vector<SolverBody>* all_ = nullptr;
    Settings settings_;
    double penalty_ = 1e3;
    std::vector<Velocity> free_, centre_; ///< of the members: without contacts; where Newton began
    std::vector<Mat3> inertia_;           ///< of the members, world axes
    double energy_before_ = 0;
    std::vector<std::uint32_t> node_; ///< of all bodies: which member; none for others
    std::vector<BlockCholesky::Link> links_;
    /// Plans of islands by their first bodies: functions of the links.
    struct Planned {
        std::vector<BlockCholesky::Link> links = {};
        BlockCholesky cholesky = {};
    };
    std::map<std::uint32_t, Planned> planned_;
    BlockCholesky* cholesky_ = nullptr;
    std::vector<Row6> right_, step_;
    std::vector<double> best_, x_, swept_, f_, last_f_, last_swept_, next_;
    std::vector<std::vector<double>> steps_, images_;
    PileSweeps pile_sweeps_;
    bool is_factored_ = false;
    bool presumes_rest_ = false; ///< within presume_rest()
    std::uint64_t active_ = 0;   ///< which points and frictions are in force, hashed
};

} // namespace sinew
