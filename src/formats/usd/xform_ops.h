#pragma once

// The transformations of a USD prim: operations with their numbers, and the order they stand in.

#include "sinew/math.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// What a prim says of its place in its parent.
struct XformOps {
    std::vector<std::string> order = {};                                  ///< `xformOpOrder`
    std::map<std::string, std::vector<double>, std::less<>> numbers = {}; ///< of each operation

    /// From the prim to its parent; points are columns. Nothing where an operation cannot be read,
    /// which `fault` then names.
    std::optional<Affine> matrix(std::string& fault) const;
};

} // namespace sinew
