#pragma once

// How air moves, and what else pushes a place from outside.

#include "models/strand/lanes/waves.h"
#include "scene/placement.h"
#include "sinew/scene.h"

#include <array>
#include <span>
#include <vector>

namespace sinew::strand {

/// A smooth random vector field without sources, of root mean square 1: waves with random
/// directions, each across its own. A function of its seed alone.
class RandomField {
public:
    RandomField(std::uint32_t seed, double length, double period);

    Vec3 at(const Vec3& place, double time) const { return sum_of<double>(waves_, place, time); }
    std::span<const Wave> waves() const { return waves_; }

private:
    static constexpr int kWaves = 12;
    std::array<Wave, kWaves> waves_;
};

/// One statement about air, made ready for a step.
class AirFlow {
public:
    explicit AirFlow(const Air& air);

    /// `begin`, `end`: where objects are at the two times, a time `span` apart.
    void prepare(const Scene& scene, const Posture& posture, std::span<const Affine> begin,
                 std::span<const Affine> end, double span);

    /// Velocity of the air at a place [m/s], or of a noise the acceleration [m/s²].
    Vec3 at(const Vec3& place, double time) const;

    /// Only waves, everywhere alike: what kernels blow with by themselves.
    bool is_of_waves() const
    {
        return (air_.kind == AirKind::turbulence || air_.kind == AirKind::wind) &&
               air_.weight.is_constant();
    }
    std::span<const Wave> waves() const
    {
        return air_.kind == AirKind::wind ? std::span(&steady_, 1) : field_.waves();
    }
    double strength() const
    {
        return (air_.kind == AirKind::wind ? 1 : strength_) * air_.weight.number;
    }

    /// True when it must be known where objects are.
    bool needs_objects() const
    {
        const auto is_known = [](const Value& v) { return v.is_constant(); };
        return (has_direction() && air_.frame.is_valid()) || air_.behind.is_valid() ||
               !(is_known(air_.x) && is_known(air_.y) && is_known(air_.z) &&
                 is_known(air_.strength) && is_known(air_.weight));
    }

    bool is_force() const { return air_.kind == AirKind::noise; }
    const Air& air() const { return air_; }

private:
    bool has_direction() const
    {
        return air_.kind != AirKind::turbulence && air_.kind != AirKind::noise;
    }

    Air air_;
    RandomField field_;
    Affine frame_ = {};
    Vec3 wind_ = {0, 0, 0};
    Wave steady_ = {}; ///< the wind, as a wave without length or rate
    double strength_ = 0;
    Vec3 source_ = {0, 0, 0}, motion_ = {0, 0, 0}; ///< of a wake
};

} // namespace sinew::strand
