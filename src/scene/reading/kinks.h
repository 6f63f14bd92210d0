#pragma once

#include "sinew/scene.h"

#include <vector>

namespace sinew {

/// True when a value is made with an operation that switches: abs, min, max, mod, floor, ceil,
/// a comparison, a choice.
bool has_switches(const Scene& scene, Value value);

/// The formulas with such operations whose operands depend on the motion; without choices, whose
/// conditions are made of others, and without what depends on events.
std::vector<std::uint32_t> find_switches_of_state(const Scene& scene, Value value);

/// The times up to the end of the scene at which such operations switch, ascending: there the value
/// has a kink or a jump. Of operands that are known in advance; a switch that depends on the motion
/// itself is not among them.
std::vector<double> find_kinks(const Scene& scene, Value value);

} // namespace sinew
