#pragma once

/// Orders of elimination by nested dissection.

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// Neighbours of each vertex, both ways, itself not among them.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// Vertices in an order in which those that separate two parts follow both: parts are cut across
/// the narrowest of the middle levels of searches from their far ends and corners [George73], made
/// narrower by narrow_separator(); those of at most `leaf` vertices are ordered by approximate
/// minimum degree.
std::vector<std::uint32_t> dissect(const Graph& graph, std::size_t leaf);

/// Reverse Cuthill-McKee [CuthillMcKee69].
std::vector<std::uint32_t> find_band_order(const Graph& graph);

} // namespace sinew
