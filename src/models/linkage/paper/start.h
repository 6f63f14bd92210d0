#pragma once

#include "models/linkage/paper/instant.h"

#include <span>

namespace sinew::charli_method {

/// Whether places on paths are looked for, or stay as they are in the state.
enum class Places { find, keep };

/// Overwrites values and rates of all unknowns and followers from the script's coordinates, each by
/// its definition.
void place_unknowns(const System& system, std::span<const ImportFunction> imports, double time,
                    Places places, std::span<const double> coordinates,
                    std::span<const double> coordinate_rates, std::span<double> values,
                    std::span<double> rates);

/// Angles that are no unknowns follow their ξ and η: overwrites their rates.
void update_follower_rates(const System& system, std::span<const double> values,
                           std::span<double> rates);

/// Puts each such angle where its ξ and η are, on the turn it is on.
void settle_followers(const System& system, std::span<double> values);

} // namespace sinew::charli_method
