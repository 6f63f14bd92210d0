#pragma once

/// A symmetric sparse matrix in small dense blocks: the matrix of an island,
///
///     [W  Jᵀ]
///     [J  −(C + Σ)],
///
/// whose vertices are the control points of rods (W) and the groups of rows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct BlockPattern {
    struct Vertex {
        std::uint32_t size = 0;  ///< numbers
        std::uint32_t owner = 0; ///< vertices of one owner are one thing: a rod
        bool is_row = false;     ///< its diagonal is negative or zero
        bool may_merge = false;  ///< of rows: all equal, without Σ, touching W alone

        bool operator==(const Vertex&) const = default;
    };
    /// Entry (r, c) of a block stands at first + r · size of its column + c. Each pair of vertices
    /// once, each vertex with itself; of those the lower half counts.
    struct Block {
        std::uint32_t row = 0, column = 0, first = 0;

        bool operator==(const Block&) const = default;
    };

    std::vector<Vertex> vertices;
    std::vector<Block> blocks;
    std::vector<std::uint32_t> start; ///< of each vertex in vectors; then their length
    std::uint32_t value_count = 0;

    void clear();
    std::uint32_t add_vertex(std::uint32_t size, std::uint32_t owner, bool is_row);
    /// Says where its numbers begin.
    std::uint32_t add_block(std::uint32_t row, std::uint32_t column);
    std::size_t size() const { return start.empty() ? 0 : start.back(); }

    bool operator==(const BlockPattern&) const = default;
};

/// y ← y + A x.
void add_product(const BlockPattern& pattern, std::span<const double> values,
                 std::span<const double> x, std::span<double> y);

} // namespace sinew
