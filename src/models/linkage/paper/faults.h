#pragma once

#include "models/linkage/paper/equations/kkt.h"

namespace sinew::charli_method {

/// Why there are no accelerations at an instant, in words.
Problem no_mass(const System& system, const Instant& instant, const Solution& solution);
Problem contradiction(const System& system, const Instant& instant, std::uint32_t row);
Problem not_finite(const System& system, double time, std::uint32_t unknown);
Problem constraint_lost(const System& system, double time, std::uint32_t row, double violation);

} // namespace sinew::charli_method
