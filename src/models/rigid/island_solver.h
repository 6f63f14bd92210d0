#pragma once

#include "models/rigid/patch.h"
#include "solve/block_cholesky.h"

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
    };

    std::vector<SolverBody> bodies; ///< with v_free at first; the fixed ones too
    std::vector<double> mass;       ///< 0 for fixed bodies
    std::vector<Mat3> inertia;      ///< world axes
    std::vector<Patch> patches;
    std::vector<BlockCholesky::Link> near; ///< free bodies that may come to touch

    /// Solves; `mood` goes on to the next step.
    void solve(const Settings& settings, SolverMood& mood);

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
    bool is_too_dense();
    bool may_go_direct(SolverMood& mood);
    double go_direct(SolverMood& mood);
    bool try_rounds(double& best_residual, double energy_before);
    bool run_newton();
    void note_stall(double residual, SolverMood& mood);

    // --- Newton
    struct Model;
    void lag_bounds();
    double update_gradient();
    bool refactor();
    void move(double share);
    double search_along(double slope, double defect, double goal);
    void take_impulses();

    // --- impulses as one vector
    void pack(std::vector<double>& x) const;
    void unpack(const std::vector<double>& x, bool is_projected);
    void rebuild();
    double kinetic_energy(std::span<const SolverBody> bodies) const;

    Settings settings_;
    double penalty_ = 1e3;
    std::vector<SolverBody> free_, centre_;
    std::vector<std::uint32_t> node_; ///< of each body; none for fixed ones
    std::uint32_t node_count_ = 0;
    BlockCholesky cholesky_;
    std::vector<Row6> right_, step_;
    std::vector<double> best_;
    bool is_factored_ = false;
    std::uint64_t active_ = 0; ///< which points and frictions are in force, hashed
};

} // namespace sinew
