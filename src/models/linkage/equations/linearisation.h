#pragma once

#include "models/linkage/equations/system.h"

#include <complex>
#include <span>
#include <vector>

namespace sinew {

/// The equations of motion linearised at one instant, for implicit steps: solves with
/// (μ − ∂f/∂y), y the positions and rates of the state.
///
///     [W Jᵀ; J 0] [δq; ν] = [M (r₂ + μ r₁) + D r₁; J (r₂ + μ r₁) / μ²],   δv = μ δq − r₁
///     W = μ² M + μ D + K                                            [notes: linkages, eq. 6]
///
///   symbol | code     | unit       | meaning
///   -------|----------|------------|-------------------------------------------------------
///   μ      | shift    | 1/s        | real or complex, from the implicit method
///   D, K   |          | kg/s, kg/s²| of springs, dampers, drag and tension; not of geometry
///   r₁, r₂ | rhs      |            | right-hand sides of positions and of rates
///
/// An approximation: what it leaves out slows Newton's iteration down and changes no result.
class LinkageLinearisation {
public:
    /// `with_springs`: a plan that has them.
    LinkageLinearisation(const LinkagePlan& plan, const MatrixPlan& masses,
                         const MatrixPlan& with_springs,
                         const std::vector<ImportFunction>& imports);

    /// Linearises at an instant. False when the motion is singular or not finite there.
    bool update(const Instant& instant, std::span<const double> memory);

    bool factor(double real_shift, std::complex<double> complex_shift);
    void solve_real(std::span<double> rhs) { solve(real_, rhs); }
    void solve_complex(std::span<std::complex<double>> rhs) { solve(complex_, rhs); }

private:
    template <class S>
    struct Shifted {
        Shifted(const LinkagePlan& plan, const MatrixPlan& with_springs);

        LinkageMatrix<S> matrix;
        S shift = S(0);
        std::vector<S> position, mixed; ///< r₁ and r₂ + μ r₁ of all columns
        std::vector<S> column_side, row_side, solution;
    };

    template <class S>
    void solve(Shifted<S>& shifted, std::span<S> rhs);

    const LinkagePlan* plan_;
    LinkageSystem system_;
    std::vector<double> accelerations_, forces_;
    std::span<const double> dropped_; ///< rows, at the instant
    Shifted<double> real_;
    Shifted<std::complex<double>> complex_;
};

/// True when a linkage has something that can be stiff.
bool has_springs(const LinkagePlan& plan);

} // namespace sinew
