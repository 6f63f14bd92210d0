#pragma once

/// The matrix of an island, see exposed_rows.h, without rows that must say what others say: where
/// more equal rows touch the same numbers of rods than there are such numbers, as a thousand holes
/// on one span do, they become as many rows as that.
///
///   symbol | code     | unit | meaning
///   -------|----------|------|------------------------------------------------------
///   A      | columns  | -    | rows of a set, by columns, m × c
///   Q, N   | Q, N     | -    | A = Q N, QᵀQ = 1, by Gram and Schmidt, the largest first
///
/// A δ = −u is N δ = −Qᵀu where the rows agree, u = Q Qᵀu, and the smallest impulses that push as μ
/// on the rows of N are λ = Q μ: redundant rows share. Where rows contradict each other the same is
/// the δ of least |A δ + u|; then N is without what would have to move far for little. Rows that
/// touch some of the same numbers come along, else they would stand against what is left.

#include "solve/rows/exposed_rows.h"

namespace sinew {

class MergedMatrix {
public:
    BlockPattern pattern;        ///< to be filled; then begin()
    std::uint32_t first_row = 0; ///< of the rows in vectors
    std::vector<double> values;  ///< to be filled after begin()

    /// Plans where the pattern is not the one before.
    void begin(bool is_banded);

    /// As ExposedMatrix.
    RowSolveReport solve(const ExposedRows& rows, double tolerance, bool keeps_matrix = false);

private:
    /// Rows that become one vertex.
    struct Set {
        std::vector<std::uint32_t> row;        ///< of each: its number among the rows
        std::vector<std::uint32_t> entry;      ///< of each and each column: in the given values
        std::vector<std::uint32_t> to;         ///< of each column: in the values of the matrix
        std::vector<std::uint32_t> stride;     ///< likewise, from one row of N to the next
        std::uint32_t diagonal = 0, first = 0; ///< in those values, in the rows of the matrix
        std::vector<double> Q, N;              ///< by columns; by rows
        std::vector<std::size_t> order;        ///< of the columns as they stand in Q

        std::size_t height() const { return row.size(); }
        std::size_t width() const { return to.size(); }
    };
    struct Copy { ///< of a block that stays
        std::uint32_t from, to, count;
    };

    void find_sets();
    void make_pattern();
    void add_set(std::span<const std::uint32_t> vertices, std::span<const std::uint32_t> columns);
    void fill(Set& set, double rank);
    /// Largest number of u that no δ takes off.
    double project(const Set& set, const ExposedRows& rows);
    bool merge(const ExposedRows& rows, double tolerance); ///< false: rows contradict each other
    void part(const ExposedRows& rows) const;

    BlockPattern given_;
    ExposedMatrix merged_, all_;
    bool is_planned_ = false; ///< the matrix of all rows
    bool is_banded_ = false;
    std::vector<Set> sets_;
    std::vector<std::vector<std::uint32_t>> members_, touched_; ///< vertices of the sets, and whose
    std::vector<Copy> copies_;
    std::vector<std::uint32_t> kept_; ///< rows that stay, as they are numbered
    std::vector<Law> law_;
    std::vector<double> off_, held_, lo_, hi_, impulse_;
};

} // namespace sinew
