#pragma once

/// Constraints remember from step to step when they began to hold, where sliding ones are on their
/// rods, and what they pulled with.

#include "islands/ensemble.h"

namespace sinew {

/// A group of rows that did not hold from the start on remembers when it began to hold, how far it
/// was open then, and how fast that changed.
struct EaseState {
    static constexpr double kNever = -1e300;        ///< does not hold
    static constexpr double kFromTheStart = -1e299; ///< before every time

    double begin = kNever; ///< [s]
    std::array<double, 6> gap = {}, rate = {};

    /// How it closes within `span` seconds.
    Ease closing_in(double span) const { return {begin, span, gap, rate}; }

    bool operator==(const EaseState&) const = default;
};

/// A constraint of rods, as far as it changes.
struct RodLinkState {
    double u = 0; ///< of what slides: where on its rod; of a trajectory: where on its curve
    bool is_released = false;
    bool is_told = false;      ///< that it cannot be kept
    double force = 0;          ///< in the last step [N]
    bool has_eye_load = false; ///< an eye that its rod pushed in the last step, where and with what
    Vec3 eye_place = {0, 0, 0}, eye_force = {0, 0, 0};
    bool is_wheel = false;
    double reach = 0;            ///< of a pulley: half of what lies on it, as u
    double wrap = 0;             ///< of a pulley: by which angle it turns the rope
    Vec3 eye_torque = {0, 0, 0}; ///< of a wheel, about its middle

    bool operator==(const RodLinkState&) const = default;
};

struct ConstraintState {
    std::vector<EaseState> strand_eases = {}; ///< as Scene::strand_constraints
    std::vector<RodLinkState> links = {};     ///< as Scene::rod_constraints
    std::vector<EaseState> rod_eases = {};    ///< RodEases::kGroups for each that has a memory

    bool operator==(const ConstraintState&) const = default;
};

} // namespace sinew
