#include "solve/linear/sparse/block_pattern.h"

namespace sinew {

void BlockPattern::clear()
{
    vertices.clear();
    blocks.clear();
    start.assign(1, 0);
    value_count = 0;
}

std::uint32_t BlockPattern::add_vertex(std::uint32_t size, std::uint32_t owner, bool is_row)
{
    if (start.empty())
        start.push_back(0);
    vertices.push_back({.size = size, .owner = owner, .is_row = is_row});
    start.push_back(start.back() + size);
    return std::uint32_t(vertices.size() - 1);
}

std::uint32_t BlockPattern::add_block(std::uint32_t row, std::uint32_t column)
{
    const std::uint32_t first = value_count;
    blocks.push_back({row, column, first});
    value_count += vertices[row].size * vertices[column].size;
    return first;
}

void add_product(const BlockPattern& pattern, std::span<const double> values,
                 std::span<const double> x, std::span<double> y)
{
    for (const BlockPattern::Block& block : pattern.blocks) {
        const std::uint32_t rows = pattern.vertices[block.row].size;
        const std::uint32_t columns = pattern.vertices[block.column].size;
        const std::uint32_t r0 = pattern.start[block.row], c0 = pattern.start[block.column];
        const double* entry = &values[block.first];
        const bool is_diagonal = block.row == block.column;
        for (std::uint32_t r = 0; r < rows; ++r)
            for (std::uint32_t c = 0; c < (is_diagonal ? r + 1 : columns); ++c) {
                const double a = entry[r * columns + c];
                y[r0 + r] += a * x[c0 + c];
                if (!is_diagonal || c < r)
                    y[c0 + c] += a * x[r0 + r];
            }
    }
}

} // namespace sinew
