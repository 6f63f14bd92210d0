#pragma once

/// A symmetric positive matrix over a chain of nodes, four numbers each, every node joined to the
/// three next ones; and its factors.
///
///   A = L D Lᵀ     in the order: nodes from the first on, nodes from the last back, three between
///
/// Two chains that know nothing of each other until they meet: a processor works on both at once,
/// and right sides that begin near an end reach the middle only. No pivoting: a positive matrix
/// needs none.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class ChainLdl {
public:
    static constexpr std::size_t kNumbers = 4;                      ///< of a node
    static constexpr std::size_t kReach = 3;                        ///< nodes
    static constexpr std::size_t kColumn = kNumbers * (kReach + 1); ///< numbers of a column
    static constexpr std::size_t kNode = kNumbers * kColumn;        ///< numbers of a node's columns

    ChainLdl() = default;
    explicit ChainLdl(std::size_t nodes);

    std::size_t nodes() const { return nodes_; }

    void clear();

    /// Overwrites the matrix with another of as many nodes, times a factor. Neither is factored.
    void set_scaled(const ChainLdl& other, double factor);

    /// Where what joins `count` neighbours is added, at most four. Column by column of
    /// `columns`, each kColumn numbers, the first from its own node on; `is_turned`: the last
    /// neighbour comes first.
    struct Group {
        double* columns;
        bool is_turned;
    };
    Group group(std::size_t first, std::size_t count);

    /// Row r of node i + k, column c of node i. Requires the matrix not yet factored.
    double entry(std::size_t i, std::size_t k, std::size_t r, std::size_t c) const;

    /// Overwrites the matrix with L and 1/D. False where it is not positive; then a pivot is taken
    /// as large as it is, so that what follows stays finite.
    bool factor();

    /// x ← A⁻¹ x.
    void solve(std::span<double> x) const;

    /// y ← y + A x. Requires A not yet factored.
    void add_product(std::span<const double> x, std::span<double> y) const;

    /// Right sides B, each of them nonzero at up to four neighbours, and C = Bᵀ A⁻¹ B.
    struct Side {
        std::uint32_t first = 0, count = 0; ///< nodes
        std::array<double, kColumn> numbers = {};
    };
    struct Room {
        std::vector<std::uint32_t> place;  ///< of a side, its column in `sides`
        std::vector<std::uint32_t> active; ///< of a node, how many columns of its end have begun
        std::vector<double> sides, squares;
    };
    /// Overwrites C: p × p numbers, p the number of sides.
    void respond(std::span<const Side> sides, Room& room, std::span<double> C) const;

private:
    struct alignas(64) Line {
        double number[8];
    };

    double* left() { return entries_.data()->number; }
    const double* left() const { return entries_.data()->number; }
    double* right() { return left() + (own_left_ + 2 * kReach) * kNode; }
    const double* right() const { return left() + (own_left_ + 2 * kReach) * kNode; }
    /// Of a node that is eliminated from the last back: how many come before it.
    std::size_t turned(std::size_t node) const { return own_left_ + own_right_ + 2 - node; }
    std::size_t place_sides(std::span<const Side> sides, Room& room) const;

    std::size_t nodes_ = 0;
    std::size_t own_left_ = 0, own_right_ = 0; ///< nodes of an end that do not meet the other
    std::vector<Line> entries_; ///< left, right; each with the middle and room for updates
};

} // namespace sinew
