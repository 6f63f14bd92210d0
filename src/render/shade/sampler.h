#pragma once

// Which rays a pixel gets: points of the plane that fill it evenly, moved by an amount of the
// pixel's own. The pattern depends on the pixel alone, not on time or thread, so that what stands
// still in a film does not flicker.

#include <array>
#include <cstdint>
#include <numeric>

namespace sinew::picture {

struct Sample {
    float u, v; ///< 0 to 1
};

/// What a pair of random numbers is for.
enum class Purpose : std::uint32_t { pixel, sun, sky, mirror, choice, lens };

/// The order in which each purpose runs through the points: were it the same for all, they would
/// move together.
class Pattern {
public:
    explicit Pattern(std::uint32_t count) : count_(count)
    {
        for (std::uint32_t k = 0; k < strides_.size(); ++k) {
            strides_[k] = 1 + 2 * k * (count / 8 + 1);
            while (std::gcd(strides_[k], count) != 1)
                ++strides_[k];
        }
    }

    std::uint32_t count() const { return count_; }
    std::uint32_t place(std::uint32_t index, Purpose purpose) const
    {
        return index * strides_[std::uint32_t(purpose)] % count_;
    }

private:
    std::uint32_t count_;
    std::array<std::uint32_t, 6> strides_{};
};

class Sampler {
public:
    Sampler(const Pattern& pattern, std::uint32_t x, std::uint32_t y) : pattern_(pattern)
    {
        const std::uint32_t seed = scramble(x * 0x9e3779b9u + scramble(y + 0x7f4a7c15u));
        for (std::uint32_t k = 0; k < shifts_.size(); ++k)
            shifts_[k] = scramble(seed + k);
    }

    Sample operator()(std::uint32_t index, Purpose purpose) const
    {
        const std::uint32_t i = pattern_.place(index, purpose), k = 2 * std::uint32_t(purpose);
        // Multiples of 1/ρ and 1/ρ², ρ³ = ρ + 1: the plane's counterpart of the golden ratio.
        return {to_unit(shifts_[k] + i * 3242174889u), to_unit(shifts_[k + 1] + i * 2447445414u)};
    }

private:
    static float to_unit(std::uint32_t bits) { return float(bits >> 8) * 0x1p-24f; }

    static std::uint32_t scramble(std::uint32_t x)
    {
        x ^= x >> 16;
        x *= 0x45d9f3bu;
        x ^= x >> 15;
        x *= 0x2c1b3c6du;
        return x ^ (x >> 16);
    }

    const Pattern& pattern_;
    std::array<std::uint32_t, 12> shifts_{};
};

} // namespace sinew::picture
