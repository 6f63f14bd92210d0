#pragma once

#include <memory>
#include <span>

namespace sinew::bench {

/// The chain of points in the plane as the paper solves it: Gaussian elimination with row pivoting
/// on the full matrix [M Jᵀ; J 0] [HerrWyvill90], by the blocked routine of a library, which is
/// faster than the loops of the paper's time. Masses of 1 kg, links of 1 m, the first at the
/// origin.
class DenseChain {
public:
    /// At rest, straight, `angle` away from hanging.
    static std::unique_ptr<DenseChain> make(int masses, double angle);
    virtual ~DenseChain() = default;

    virtual void evaluate() = 0;     ///< the accelerations at the present state
    virtual void step(double h) = 0; ///< Runge-Kutta of order four, then onto the constraints
    virtual std::span<const double> positions() const = 0; ///< x and y of each mass
};

} // namespace sinew::bench
