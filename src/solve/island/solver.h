#pragma once

/// Impulses of an island's rows by one sparse Newton in the velocities of its blocks. No matrix of
/// rows is ever formed. [notes: island]

#include "solve/island/inertia.h"
#include "solve/island/matrix.h"

namespace sinew::island {

struct Options {
    double tolerance = 1e-10;     ///< of the laws [m/s]
    double near = 1e-6;           ///< contacts give so much of their K against a change of impulse
    int patience = 30;            ///< iterations; beyond, an error of some `near` of the largest
                                  ///< speed is none
    bool goes_on = false;         ///< the start was solved as well as these options ask for, and
                                  ///< what it was solved for has changed a little
    int newton_iterations = 15;   ///< plain, then proximal steps take over
    int proximal_iterations = 12; ///< for one proximal step
    int iterations = 200;         ///< in all, at most
    double work = 1e12;           ///< multiplications, about: no iteration begins beyond
};

struct Report {
    int iterations = 0;     ///< Newton steps
    int factorisations = 0; ///< of which
    int general = 0;        ///< were not symmetric
    double residual = 0;    ///< largest error of a law [m/s]
    double work = 0;        ///< multiplications of all factorisations
    bool converged = false;
    bool is_proximal = false; ///< the plain iteration stalled
};

class Solver {
public:
    System system; ///< to be filled; then prepare()

    /// Plans where the pattern is new, factors W of every block, finds how rows answer.
    void prepare();

    /// K: how rows answer to their own impulses [1/kg].
    std::span<const double> responses() const { return rows_.K; }

    /// Overwrites w with what held impulses alone do: J W⁻¹ Jᵀ λ_held.
    void update_held_velocities(std::span<double> w);

    /// Starts from system.held. Overwrites `impulse` with the best λ found. The same numbers give
    /// the same bits.
    Report solve(const Options& options, std::span<double> impulse);

    int plan_count() const { return matrix_.plan_count(); }
    /// Multiplications of a factorisation, about.
    double cost() const { return matrix_.cost(); }

private:
    void begin();
    void update_velocities();
    void update_pieces(bool with_slopes);
    double residual() const;
    double merit() const;
    double speed() const;
    double attainable(double tolerance) const;
    double fine_tolerance(const Options& options) const;
    double rough_tolerance(const Options& options) const;
    bool may_start_stay(const Options& options) const;
    bool find_step();
    void compute_step(std::span<const Piece> slopes);
    bool may_reuse() const;
    double step_again();
    double search_line();
    void take(double share);
    bool iterate(const Options& options, int limit, double tolerance);
    void leave();
    void stay_near(double rho, std::span<const double> good);
    void iterate_proximal(const Options& options);
    bool may_go_on(const Options& options) const;

    Matrix matrix_;
    Inertia inertia_;
    RowNumbers rows_;
    std::vector<Piece> pieces_;                   ///< of each group
    std::vector<Piece> factored_;                 ///< as they are in the factors; none: no factors
    std::vector<double> factored_give_;           ///< of rows, likewise
    std::vector<double> change_;                  ///< u, of blocks
    std::vector<double> step_;                    ///< (δu, −δλₑ)
    std::vector<double> row_step_, impulse_step_; ///< δw, δλ
    std::vector<double> start_w_, start_lambda_;  ///< of a search
    std::vector<double> best_, good_;
    Report report_;
    double near_ = 0;
    double rough_ = 0; ///< what the last solve that had to move left of its laws [m/s]
};

} // namespace sinew::island
