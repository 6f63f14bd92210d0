#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// Six numbers, and two that stay zero so that all lanes are filled.
typedef double Row6 __attribute__((vector_size(64)));

/// A 6 × 6 block by rows.
struct Block6 {
    Row6 row[6] = {};
};

/// Sparse Cholesky H = L Lᵀ of a symmetric positive matrix of 6 × 6 blocks: one block row for each
/// body [Davis06, ch. 4]. The pattern is planned once, for all pairs that may ever be filled.
class BlockCholesky {
public:
    struct Link {
        std::uint32_t a = 0, b = 0; ///< a ≠ b

        auto operator<=>(const Link&) const = default;
    };

    /// Plans for `count` block rows and the given links, each once or more often.
    void plan(std::uint32_t count, std::span<const Link> links);

    std::size_t row_count() const { return diagonal_.size(); }
    std::size_t block_count() const { return lower_.size() + diagonal_.size(); }

    /// Products of blocks in one factorisation.
    std::size_t cost() const { return cost_; }

    /// All entries zero.
    void clear();

    /// Adds S to a block of the diagonal.
    void add_diagonal(std::uint32_t i, const double (&S)[6][6]);

    /// Adds S to the block in row a, column b, and its transpose to b, a.
    void add_link(std::uint32_t a, std::uint32_t b, const double (&S)[6][6]);

    /// False when the matrix is not positive.
    bool factor();

    /// Solves in place; lanes 6 and 7 must be zero.
    void solve(std::span<Row6> x);

private:
    std::size_t find(std::uint32_t row, std::uint32_t column) const;

    std::vector<std::uint32_t> order_, place_; ///< place → index, index → place
    // L by columns below the diagonal, blocks transposed: row[k][r] = L(r, k).
    std::vector<std::uint32_t> start_, row_;
    std::vector<std::uint32_t> target_; ///< where each product of two blocks of a column goes
    std::vector<Block6> lower_, diagonal_;
    std::vector<Row6> work_;
    std::size_t cost_ = 0;
};

} // namespace sinew
