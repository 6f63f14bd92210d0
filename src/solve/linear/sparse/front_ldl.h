#pragma once

#include "solve/linear/sparse/front_plan.h"

namespace sinew {

/// A = L D Lᵀ by fronts, numbers only: no pivoting, no allocation. For matrices of islands, whose W
/// is positive.
///
/// Dual regularisation: a row whose pivot cancels to nearly nothing of what it is made of says
/// what others said. Then all rows give a little, so that a least-violating answer comes out.
class FrontLdl {
public:
    /// `give`: what rows give where some say what others say, of what their pivots are made of.
    /// What rounding leaves of contradictions comes out larger by its inverse.
    explicit FrontLdl(const FrontPlan& plan, double give = 1e-9);

    /// False where W is not positive.
    bool factor(std::span<const double> values);
    int dependent_rows() const { return int(dependent_.size()); }
    /// Numbers of vectors whose rows say what others said.
    std::span<const std::uint32_t> dependent() const { return dependent_; }

    /// x ← A⁻¹ x.
    void solve(std::span<double> x);

private:
    bool factor_once(std::span<const double> values);
    void gather(const Front& front, std::span<const double> values);
    bool eliminate(const Front& front);
    bool eliminate_panel(const Front& front, std::size_t first, std::size_t count,
                         double* diagonal);
    double checked(double pivot, std::uint32_t number, bool& is_positive);

    const FrontPlan* plan_;
    std::vector<double> factor_, pivot_, rest_, stack_, terms_, part_;
    std::vector<std::uint32_t> dependent_;
    std::size_t top_ = 0;
    double give_;
    bool is_soft_ = false;
};

} // namespace sinew
