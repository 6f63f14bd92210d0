#pragma once

/// Which blocks move together.

#include "islands/ensemble.h"

namespace sinew {

/// Blocks that rows join, directly or through each other.
struct Island {
    std::vector<BlockId> blocks;            ///< ascending
    std::vector<std::uint32_t> attachments; ///< ascending indices
};

struct Islands {
    std::vector<Island> islands; ///< ascending by their first block
    std::vector<BlockId> alone;  ///< ascending: mobile, touched by no row
};

/// Joins mobile blocks by the attachments between them. Driven, frozen and fixed blocks are not
/// mobile: they carry rows but join nothing, so that the floor does not make the world one island.
/// An attachment between two of them is in no island. `mobile[model][block]`.
Islands make_islands(std::span<const std::vector<char>> mobile,
                     std::span<const Attachment> attachments);

} // namespace sinew
