#pragma once

// One linkage advanced in steps of fixed size. The public World chooses its steps itself; this
// reaches into src/ to measure one evaluation, and to compare equal steps with other programs.

#include "models/linkage/system.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sinew::bench {

class FixedStep {
public:
    /// Requires a sound scene of one linkage.
    explicit FixedStep(const Scene& scene);

    /// The accelerations at the present state: numbers of the mechanism, factors, solution.
    void evaluate();
    void update();
    void factor();
    void solve();

    /// Runge-Kutta of order four; then positions and rates are projected onto the constraints.
    void step(double h);

    std::uint64_t state_hash() const;
    std::vector<double>& x() { return x_; }
    double residual() const { return system_->constraints().largest_residual(); }
    LinkageSystem& system() { return *system_; }
    const LinkagePlan& plan() const { return plan_; }
    std::span<const double> accelerations() const { return a_; }

private:
    void accelerate(const std::vector<double>& x, const std::vector<double>& v);

    Scene scene_;
    std::vector<ImportFunction> imports_;
    LinkagePlan plan_;
    MatrixPlan matrix_plan_;
    std::unique_ptr<LinkageSystem> system_;
    double time_ = 0;
    std::vector<double> x_, v_, a_, memory_;
    std::vector<double> x_stage_, v_stage_, x_sum_, v_sum_; ///< of a step
};

} // namespace sinew::bench
