#pragma once

#include <span>
#include <vector>

namespace sinew {

/// Gauss' collocation on the unit interval [HairerNorsettWanner93, §II.7]: a polynomial whose
/// derivative is given at s nodes, none of them an end. The integral over the interval is exact for
/// derivatives up to degree 2 s − 1.
class GaussNodes {
public:
    static constexpr int kMost = 9;

    /// Requires 1 ≤ count ≤ kMost.
    explicit GaussNodes(int count);

    int count() const { return static_cast<int>(place_.size()); }
    double place(int i) const { return place_[static_cast<std::size_t>(i)]; } ///< in (0, 1)

    /// What each node's derivative contributes to the integral from 0 to `place`.
    void weigh(double place, std::span<double> weights) const;

    /// What each node's derivative contributes to the derivative at `place`.
    void interpolate(double place, std::span<double> weights) const;

    /// How far the nearest node is from a place, in parts of the interval.
    double distance_to(double place) const;

private:
    std::vector<double> place_, weight_;
    std::vector<double> polynomials_; ///< Legendre's P_k at node j: [j * count + k]
};

} // namespace sinew
