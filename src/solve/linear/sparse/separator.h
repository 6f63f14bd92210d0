#pragma once

/// Vertices of a graph that stand between two parts of it.

#include "solve/linear/sparse/dissection.h"

namespace sinew {

/// Where a vertex stands in a cut of a piece of a graph.
enum class CutSide : std::uint8_t { before, behind, between, outside };

/// Makes the separator of a cut narrower: its vertices go to one side, and what they touch of the
/// other side takes their place, as long as that pays in the end [FiducciaMattheyses82]. `side`: of
/// all vertices of the graph. No side gets more than 62 % of the piece.
void narrow_separator(const Graph& graph, std::span<const std::uint32_t> piece,
                      std::vector<CutSide>& side);

} // namespace sinew
