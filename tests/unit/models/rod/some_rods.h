#pragma once

#include "models/rod/dynamics.h"

#include <cmath>
#include <functional>

namespace sinew::rod {

/// A rod along curve(u), u being the fraction of its arc length.
inline Drawing drawn(const std::function<Vec3(double)>& curve, double length, std::uint32_t spans,
                     const Material& material, bool is_straight = false)
{
    Drawing drawing;
    drawing.spans = spans;
    drawing.is_straight = is_straight;
    drawing.material = material;
    const std::uint32_t count = Drawing::kSamples * spans;
    for (std::uint32_t k = 0; k <= count; ++k)
        drawing.samples.push_back(curve(double(k) / count));
    drawing.drawn_length = drawing.rest_length = length;
    return drawing;
}

inline Drawing straight(double length, std::uint32_t spans, const Material& material)
{
    return drawn([=](double u) { return Vec3{u * length, 0, 0}; }, length, spans, material);
}

/// A helix: curved and twisted.
inline Drawing helix(std::uint32_t spans, const Material& material)
{
    const double radius = 0.1, rise = 0.05, turns = 1.5, angle = 2 * 3.14159265358979 * turns;
    const double length = angle * std::hypot(radius, rise);
    return drawn(
        [=](double u) {
            return Vec3{radius * std::cos(angle * u), rise * angle * u,
                        radius * std::sin(angle * u)};
        },
        length, spans, material);
}

/// Numbers from −1 to 1, the same in every run.
class Dice {
public:
    explicit Dice(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
    double operator()()
    {
        state_ = state_ * 1664525u + 1013904223u;
        return 2 * (double(state_) / 4294967296.0) - 1;
    }

private:
    std::uint32_t state_;
};

} // namespace sinew::rod
