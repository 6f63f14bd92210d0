#pragma once

#include <cstdint>

namespace sinew {

/// Numbers without a pattern, the same in every run: a linear congruence, its bits mixed.
class Scatter {
public:
    explicit Scatter(std::uint32_t seed) : state_(seed * 2891336453u + 747796405u) {}

    std::uint32_t bits()
    {
        state_ = state_ * 747796405u + 2891336453u;
        const std::uint32_t word = ((state_ >> ((state_ >> 28) + 4)) ^ state_) * 277803737u;
        return (word >> 22) ^ word;
    }

    /// 0 to 1, 1 left out.
    double operator()() { return double(bits()) * 0x1p-32; }

private:
    std::uint32_t state_;
};

} // namespace sinew
