#pragma once

/// Segments that are inside a shape when the scene begins: near its root a strand stays in what it
/// grows from until it has once come apart; everything else is told, and eased out.

#include "islands/keys.h"

#include <algorithm>
#include <span>
#include <vector>

namespace sinew {

/// A segment that began inside a shape and has not come apart from it since.
struct InsidePair {
    static constexpr double kRooted = 1e300; ///< deeper than anything
    static constexpr double kEaseOut = 0.25; ///< how long easing out takes [s], as `ease` does

    AttachmentKey pair = {};
    double allowed = 0; ///< depth that contact allows when the step ends [m]
    double speed = 0;   ///< with which that depth falls [m/s]

    bool is_rooted() const { return allowed == kRooted; }

    /// What is left of it after a step of h that begins at a depth.
    InsidePair after(double depth, double h) const
    {
        InsidePair next = *this;
        if (!is_rooted())
            next.allowed = std::max(0.0, std::min(allowed, depth) - speed * h);
        return next;
    }

    bool operator==(const InsidePair&) const = default;
};

/// A contact that sticks: how far it has gone from where it began to, along the two tangents [m].
struct StuckPoint {
    AttachmentKey key = {};
    double first = 0, second = 0;

    bool operator==(const StuckPoint&) const = default;
};

/// Of a list ascending by pairs; null: such a pair touches as all others do.
inline const InsidePair* find_inside(std::span<const InsidePair> inside, AttachmentKey pair)
{
    const auto found = std::ranges::lower_bound(inside, pair, {}, &InsidePair::pair);
    return found != inside.end() && found->pair == pair ? &*found : nullptr;
}

} // namespace sinew
