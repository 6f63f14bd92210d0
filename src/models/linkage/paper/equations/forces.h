#pragma once

#include "models/linkage/paper/instant.h"

#include <span>

namespace sinew::charli_method {

/// Overwrites the applied forces Q on the unknowns: gravity, fields, forces, torques, drag,
/// springs.
void update_forces(const System& system, std::span<const ImportFunction> imports,
                   const Instant& instant, std::span<double> forces);

} // namespace sinew::charli_method
