#pragma once

/// One island as numbers: blocks with their W, groups of rows with their directions and laws.
///
///     W u = Jᵀ (λ − λ_held),     w = J u + w_held                          [notes: island, eq. 1]
///
///   symbol  | code             | unit       | meaning
///   --------|------------------|------------|------------------------------------------------
///   u       | numbers          | of blocks  | how velocities change by what impulses change
///   W       | System::W       | kg, kg m²  | of all blocks, symmetric, positive
///   J       | System::weight  | 1, m       | rows in the numbers of the vertices they meet
///   w       | velocity         | m/s        | of rows, what their laws speak of; bias included
///   λ       | impulse          | N s        | of rows
///   Σ       | compliance       | 1/kg       | of rows

#include "solve/rows/rows.h"

namespace sinew::island {

/// A block: W over a chain of vertices, each joined to the next `reach` ones.
struct Block {
    std::uint32_t vertices = 0, size = 0, reach = 0;
    bool is_unit = false; ///< W is 1: it has no numbers
    std::uint32_t first_vertex = 0, first_number = 0, first_value = 0;

    std::uint32_t number_count() const { return vertices * size; }
    bool operator==(const Block&) const = default;
};

/// Numbers of a block that stand together in the matrix: a body, a control point.
struct Vertex {
    std::uint32_t block = 0, size = 0, first_number = 0;
};

/// One contact point, joint or keyhole. Its directions are `row_count` rows of `width` numbers, one
/// for each number of its vertices in their order.
struct Group {
    std::uint64_t key = 0;
    std::array<Law, 6> law = {};
    std::uint32_t row_count = 0, first_row = 0;
    std::uint32_t first_slot = 0, slot_count = 0; ///< of its vertices in System::slots
    std::uint32_t first_weight = 0, width = 0;
};

class System {
public:
    std::vector<Block> blocks;
    std::vector<Vertex> vertices;
    std::vector<Group> groups;
    std::vector<std::uint32_t> slots; ///< vertices of all groups
    std::vector<double> W; ///< of all blocks: vertex by vertex its own, then with the next ones
    std::vector<double> weight; ///< J of all groups
    // Of rows:
    std::vector<double> velocity;   ///< w at λ_held
    std::vector<double> compliance; ///< Σ; velocity holds Σ λ_held not yet
    std::vector<double> friction, lo, hi;
    std::vector<double> held; ///< λ_held

    void clear();

    /// Says which it is. Its W is to be filled, of the diagonal the lower half.
    std::uint32_t add_block(std::uint32_t vertices, std::uint32_t size, std::uint32_t reach);
    /// A block of one vertex whose W is 1.
    std::uint32_t add_unit_block(std::uint32_t size);
    std::span<double> W_of(const Block& block);

    /// Then its vertices, then end_group(), then its weights.
    void add_group(const RowGroup& group, std::uint32_t first_row);
    void add_vertex(std::uint32_t vertex); ///< of the last group; once is enough
    void end_group();
    /// Adds to the weights of a row of the last group at one of its vertices.
    void add_weights(std::uint32_t row, std::uint32_t vertex, std::span<const double> numbers);

    void set_row_count(std::size_t count);

    std::size_t number_count() const { return number_count_; }
    std::size_t row_count() const { return held.size(); }
    std::span<const std::uint32_t> slots_of(const Group& group) const
    {
        return std::span(slots).subspan(group.first_slot, group.slot_count);
    }
    const double* weights_of(const Group& group, std::uint32_t row) const
    {
        return weight.data() + group.first_weight + std::size_t(row) * group.width;
    }

private:
    std::size_t number_count_ = 0;
};

/// w ← J u, rows in order.
void multiply_rows(const System& system, std::span<const double> u, std::span<double> w);

/// y ← y + factor Jᵀ λ.
void add_impulses(const System& system, std::span<const double> impulse, double factor,
                  std::span<double> y);

} // namespace sinew::island
