#pragma once

#include <memory>

namespace sinew::bench {

/// The nested chain in Simbody: point masses of 1 kg on massless links of 1 m with pin joints,
/// whose angles are the coordinates; recursion in linear time, no constraints, no matrix.
class SimbodyChain {
public:
    /// Nothing when built without Simbody.
    static std::unique_ptr<SimbodyChain> make(int masses, double angle);
    virtual ~SimbodyChain() = default;

    virtual void step(double h) = 0; ///< Runge-Kutta of order four
    virtual double angle(int link) const = 0;
};

} // namespace sinew::bench
