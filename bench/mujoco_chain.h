#pragma once

#include <memory>

namespace sinew::bench {

/// The nested chain in MuJoCo: masses of 1 kg on links of 1 m with hinges, Runge-Kutta of order
/// four. A body needs some moment of inertia there: 1e-9 kg m².
class MujocoChain {
public:
    /// Nothing when built without MuJoCo, or when it refuses the chain.
    static std::unique_ptr<MujocoChain> make(int masses, double angle, double step);
    virtual ~MujocoChain() = default;

    virtual void step() = 0;
    virtual double angle(int link) const = 0;
};

} // namespace sinew::bench
