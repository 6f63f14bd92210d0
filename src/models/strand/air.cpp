#include "models/strand/air.h"

#include "math/functions.h"

#include <numbers>
#include <random>

namespace sinew::strand {

namespace {

/// From the bits of the generator alone, so that every library draws the same.
double uniform(std::mt19937& random)
{
    return (static_cast<double>(random()) + 0.5) / 4294967296.0;
}

Vec3 random_direction(std::mt19937& random)
{
    const double z = 2 * uniform(random) - 1, a = 2 * std::numbers::pi * uniform(random);
    const double r = sqrt(1 - z * z);
    return {r * cos(a), r * sin(a), z};
}

} // namespace

/// Wave lengths from half to twice the length asked for; rates likewise about the period. Each wave
/// has the mean square 1/12.
RandomField::RandomField(std::uint32_t seed, double length, double period)
{
    std::mt19937 random(seed);
    for (Wave& wave : waves_) {
        const double turn = 2 * std::numbers::pi;
        const Vec3 along = random_direction(random);
        const Vec3 across = normalised(cross(along, random_direction(random)));
        wave.number = along * (turn / length * pow(2.0, 2 * uniform(random) - 1));
        wave.direction = across * sqrt(2.0 / kWaves);
        wave.rate = turn / period * pow(2.0, 2 * uniform(random) - 1);
        wave.phase = turn * uniform(random);
    }
}

AirFlow::AirFlow(const Air& air)
    : air_(air), field_(air.seed, air.size > 0 ? air.size : 1, air.period > 0 ? air.period : 1)
{
}

void AirFlow::prepare(const Scene& scene, const Posture& posture, std::span<const Affine> begin,
                      std::span<const Affine> end, double span)
{
    const auto value = [&](const Value& v) {
        return v.is_constant() ? v.number : value_at(scene, v, posture, end);
    };
    frame_ = air_.frame.is_valid() && has_direction() ? end[air_.frame.index] : Affine{};
    wind_ = along_axes(frame_, {value(air_.x), value(air_.y), value(air_.z)});
    steady_.direction = wind_;
    strength_ = value(air_.strength);
    if (!air_.behind.is_valid())
        return;
    source_ = end[air_.behind.index].origin;
    motion_ = (source_ - begin[air_.behind.index].origin) / span;
}

Vec3 AirFlow::at(const Vec3& place, double time) const
{
    switch (air_.kind) {
    case AirKind::continuum: return {0, 0, 0}; // no air: find_neighbours
    case AirKind::wind: return wind_;
    case AirKind::turbulence:
    case AirKind::noise: return field_.at(place, time) * strength_;
    case AirKind::vortex: {
        const Vec3 axis = normalised(along_axes(frame_, air_.axis));
        const Vec3 arm = place - apply(frame_, air_.point);
        const Vec3 across = cross(axis, arm);
        const double r2 = dot(across, across) / (air_.size * air_.size);
        return across * (strength_ / air_.size / max(r2, 1.0)); // ω r inside, ω R²/r outside
    }
    case AirKind::wake: {
        const double speed = length(motion_);
        if (speed == 0)
            return {0, 0, 0};
        const Vec3 ahead = motion_ / speed, arm = place - source_;
        const double s = dot(arm, ahead) / air_.size;
        const Vec3 across = arm - ahead * dot(arm, ahead);
        const double fall = s > 0 ? exp(-s * s) : exp(s / 4);
        return motion_ * (strength_ * fall * exp(-dot(across, across) / (air_.size * air_.size)));
    }
    }
    return {0, 0, 0};
}

} // namespace sinew::strand
