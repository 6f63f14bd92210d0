#pragma once

// Imports from shared libraries: the only place that loads native code, and only what the person at
// the command line names.

#include "sinew/error.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <map>
#include <string>

namespace sinew::app {

struct BoundImports {
    std::map<std::string, ImportFunction> functions;
    std::map<std::string, std::string> libraries; ///< name, and what tells the library apart
};

/// Binds every import of a scene to its library (`name`, `library`), or lists all that is wrong. No
/// library is loaded before all names are right.
Result<BoundImports> bind_imports(const Scene& scene,
                                  const std::map<std::string, std::string>& wishes);

} // namespace sinew::app
