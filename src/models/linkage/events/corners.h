#pragma once

#include "models/linkage/equations/plan.h"

#include <optional>
#include <span>

namespace sinew {

/// A corner of a polyline: there the direction changes at once, and so do velocities.
struct Corner {
    std::uint32_t column = 0; ///< of u
    double place = 0;         ///< u of the corner
    double side = 1;          ///< the way it is passed: 1 upwards, −1 downwards
};

/// u this close to a corner is at it.
constexpr double kAtCorner = 1e-9;

/// Where u stands after a corner was reached: beyond it, by less than can be seen.
constexpr double kBeyondCorner = 1e-12;

/// The corner that is passed first between two states, as far as the way is straight.
std::optional<Corner> find_corner(const LinkagePlan& plan, std::span<const double> from,
                                  std::span<const double> to);

/// The u of a point that stands at a corner, or so near that no step leads away from it.
std::optional<std::uint32_t> find_at_corner(const LinkagePlan& plan, std::span<const double> state);

} // namespace sinew
