#pragma once

// How air moves, and what else pushes a place from outside.

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

    Vec3 at(const Vec3& place, double time) const;

private:
    static constexpr int kWaves = 12;
    struct Wave {
        Vec3 number;    ///< [rad/m]
        Vec3 direction; ///< across it
        double rate = 0, phase = 0;
    };
    std::array<Wave, kWaves> waves_;
};

/// One statement about air, made ready for a step.
class AirFlow {
public:
    AirFlow(const Scene& scene, const Air& air);

    /// `begin`, `end`: where objects are at the two times, a time `span` apart.
    void prepare(const Scene& scene, const Posture& posture, std::span<const Affine> begin,
                 std::span<const Affine> end, double span);

    /// Velocity of the air at a place [m/s], or of a noise the acceleration [m/s²].
    Vec3 at(const Vec3& place, double time) const;

    bool is_force() const { return air_.kind == AirKind::noise; }
    const Air& air() const { return air_; }

private:
    Air air_;
    RandomField field_;
    Affine frame_ = {};
    Vec3 wind_ = {0, 0, 0};
    double strength_ = 0;
    Vec3 source_ = {0, 0, 0}, motion_ = {0, 0, 0}; ///< of a wake
};

} // namespace sinew::strand
