#pragma once

#include "sinew/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// A number that a mesh file has for each of its vertices, in the order of `read_mesh`: `red`,
/// `green`, `blue` or `alpha` of its colours, any property of the vertices of PLY, any attribute of
/// glTF. Whole numbers that stand for fractions come as fractions.
Result<std::vector<double>> read_vertex_numbers(const std::string& name, std::string_view bytes,
                                                const std::string& which);

} // namespace sinew
