#pragma once

#include "sinew/scene.h"

#include <string>

namespace sinew {

/// A problem at its place in the script; or, in a scene made by a program, at `element`:
/// "masses[3]".
Problem make_problem(const Scene& scene, Severity severity, std::string code, Origin origin,
                     std::string element, std::string what, std::string hint);

/// The script's own words for a thing; empty in a scene made by a program.
std::string text_of(const Scene& scene, Origin origin);

} // namespace sinew
