#include "solve/linear/sparse/block_cholesky.h"

#include "solve/linear/sparse/sparse_ldl.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// C[c][:] −= Σ_k P[k][c] Q[k][:]
void subtract_product(const Block6& P, const Block6& Q, Block6& C)
{
    for (int c = 0; c < 6; ++c) {
        Row6 sum = C.row[c];
        for (int k = 0; k < 6; ++k)
            sum -= P.row[k][c] * Q.row[k];
        C.row[c] = sum;
    }
}

/// The lower triangle in place.
bool factor_diagonal(Block6& D)
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = D.row[i][j];
            for (int k = 0; k < j; ++k)
                sum -= D.row[i][k] * D.row[j][k];
            if (i != j)
                D.row[i][j] = sum / D.row[j][j];
            else if (sum > 0)
                D.row[i][i] = std::sqrt(sum);
            else
                return false;
        }
    return true;
}

/// X ← L⁻¹ X for the columns of a transposed block.
void divide_by_diagonal(const Block6& D, Block6& X)
{
    for (int k = 0; k < 6; ++k) {
        Row6 sum = X.row[k];
        for (int m = 0; m < k; ++m)
            sum -= D.row[k][m] * X.row[m];
        X.row[k] = sum * (1 / D.row[k][k]);
    }
}

void solve_lower(const Block6& D, Row6& y)
{
    for (int k = 0; k < 6; ++k) {
        double sum = y[k];
        for (int m = 0; m < k; ++m)
            sum -= D.row[k][m] * y[m];
        y[k] = sum / D.row[k][k];
    }
}

void solve_upper(const Block6& D, Row6& y)
{
    for (int k = 5; k >= 0; --k) {
        double sum = y[k];
        for (int m = k + 1; m < 6; ++m)
            sum -= D.row[m][k] * y[m];
        y[k] = sum / D.row[k][k];
    }
}

/// The rows of each column of L below its diagonal, by eliminating in order.
std::vector<std::vector<std::uint32_t>> find_columns(std::uint32_t count,
                                                     std::span<const BlockCholesky::Link> links,
                                                     const std::vector<std::uint32_t>& place)
{
    std::vector<std::vector<std::uint32_t>> columns(count);
    for (const BlockCholesky::Link& link : links) {
        const auto [low, high] = std::minmax(place[link.a], place[link.b]);
        columns[low].push_back(high);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
        std::vector<std::uint32_t>& rows = columns[k];
        std::ranges::sort(rows);
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        if (!rows.empty()) // its parent in the elimination tree takes over what is below
            columns[rows[0]].insert(columns[rows[0]].end(), rows.begin() + 1, rows.end());
    }
    return columns;
}

} // namespace

void BlockCholesky::plan(std::uint32_t count, std::span<const Link> links)
{
    std::vector<MatrixEntry> entries;
    for (const Link& link : links)
        entries.push_back({std::max(link.a, link.b), std::min(link.a, link.b)});
    std::ranges::sort(entries);
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    for (std::uint32_t i = 0; i < count; ++i)
        entries.push_back({i, i});
    order_ = find_elimination_order(count, entries);
    place_.resize(count);
    for (std::uint32_t k = 0; k < count; ++k)
        place_[order_[k]] = k;
    const auto columns = find_columns(count, links, place_);
    start_ = {0};
    row_.clear();
    for (const std::vector<std::uint32_t>& rows : columns) {
        row_.insert(row_.end(), rows.begin(), rows.end());
        start_.push_back(static_cast<std::uint32_t>(row_.size()));
    }
    target_.clear();
    for (std::uint32_t k = 0; k < count; ++k)
        for (std::uint32_t p = start_[k]; p < start_[k + 1]; ++p)
            for (std::uint32_t q = p + 1; q < start_[k + 1]; ++q)
                target_.push_back(static_cast<std::uint32_t>(find(row_[q], row_[p])));
    cost_ = target_.size() + 2 * row_.size();
    lower_.resize(row_.size());
    diagonal_.resize(count);
    work_.resize(count);
}

std::size_t BlockCholesky::find(std::uint32_t row, std::uint32_t column) const
{
    const auto begin = row_.begin() + start_[column], end = row_.begin() + start_[column + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, row) - row_.begin());
}

void BlockCholesky::clear()
{
    std::ranges::fill(lower_, Block6{});
    std::ranges::fill(diagonal_, Block6{});
}

void BlockCholesky::add_diagonal(std::uint32_t i, const double (&S)[6][6])
{
    Block6& D = diagonal_[place_[i]];
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            D.row[r][c] += S[r][c];
}

void BlockCholesky::add_link(std::uint32_t a, std::uint32_t b, const double (&S)[6][6])
{
    const std::uint32_t i = place_[a], j = place_[b];
    Block6& L = lower_[find(std::max(i, j), std::min(i, j))];
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            L.row[i > j ? c : r][i > j ? r : c] += S[r][c];
}

bool BlockCholesky::factor()
{
    std::size_t next = 0;
    for (std::uint32_t j = 0; j < diagonal_.size(); ++j) {
        if (!factor_diagonal(diagonal_[j]))
            return false;
        for (std::uint32_t p = start_[j]; p < start_[j + 1]; ++p)
            divide_by_diagonal(diagonal_[j], lower_[p]);
        for (std::uint32_t p = start_[j]; p < start_[j + 1]; ++p) {
            subtract_product(lower_[p], lower_[p], diagonal_[row_[p]]);
            for (std::uint32_t q = p + 1; q < start_[j + 1]; ++q)
                subtract_product(lower_[p], lower_[q], lower_[target_[next++]]);
        }
    }
    return true;
}

void BlockCholesky::solve(std::span<Row6> x)
{
    const auto count = static_cast<std::uint32_t>(diagonal_.size());
    for (std::uint32_t j = 0; j < count; ++j)
        work_[j] = x[order_[j]];
    for (std::uint32_t j = 0; j < count; ++j) {
        solve_lower(diagonal_[j], work_[j]);
        for (std::uint32_t p = start_[j]; p < start_[j + 1]; ++p) {
            Row6 sum = work_[row_[p]];
            for (int k = 0; k < 6; ++k)
                sum -= work_[j][k] * lower_[p].row[k];
            work_[row_[p]] = sum;
        }
    }
    for (std::uint32_t j = count; j-- > 0;) {
        Row6 sums[6] = {};
        for (std::uint32_t p = start_[j]; p < start_[j + 1]; ++p)
            for (int k = 0; k < 6; ++k)
                sums[k] += lower_[p].row[k] * work_[row_[p]];
        for (int k = 0; k < 6; ++k)
            work_[j][k] -=
                sums[k][0] + sums[k][1] + sums[k][2] + sums[k][3] + sums[k][4] + sums[k][5];
        solve_upper(diagonal_[j], work_[j]);
    }
    for (std::uint32_t j = 0; j < count; ++j)
        x[order_[j]] = work_[j];
}

} // namespace sinew
