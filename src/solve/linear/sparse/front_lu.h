#pragma once

#include "solve/linear/sparse/front_plan.h"

namespace sinew {

/// A = L U by the fronts of a symmetric pattern, for values that are not symmetric. No pivoting, no
/// allocation.
class FrontLu {
public:
    explicit FrontLu(const FrontPlan& plan);

    /// `lower` are the values of the pattern, of diagonal blocks all of them; `upper` those of the
    /// transposed matrix, of which the diagonal blocks are not read. False where a pivot vanishes.
    bool factor(std::span<const double> lower, std::span<const double> upper);

    /// x ← A⁻¹ x.
    void solve(std::span<double> x);

private:
    void gather(const Front& front, std::span<const double> lower, std::span<const double> upper);
    bool eliminate(const Front& front);
    void keep(const Front& front);

    const FrontPlan* plan_;
    std::vector<double> lower_, upper_; ///< columns of L, rows of U: own × all of each front
    std::vector<double> pivot_;         ///< their inverses, as FrontPlan::index has them
    std::vector<double> front_, stack_, part_;
    std::size_t top_ = 0;
};

} // namespace sinew
