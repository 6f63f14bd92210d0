// Sparse L D Lᵀ with a plan: the pattern of L from the elimination tree once, then numbers only.
//
// Row i of L is the solution of a triangular system with the rows above it ("up-looking",
// [Davis06, §4.8]); its pattern is the union of the paths in the elimination tree from the entries
// of row i of A upwards to i.

#include "solve/linear/sparse/sparse_ldl.h"

#include "base/contract.h"
#include "math/eigen.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

double magnitude(double x) { return std::abs(x); }
double magnitude(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

double product(double a, double b) { return a * b; }
/// Without the checks for infinities that the library's product makes.
std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

bool is_usable(double pivot, PivotKind kind, double limit)
{
    if (kind == PivotKind::mass)
        return pivot > limit;
    return kind == PivotKind::constraint ? pivot < -limit : magnitude(pivot) > limit;
}
bool is_usable(const std::complex<double>& pivot, PivotKind, double limit)
{
    return magnitude(pivot) > limit;
}

} // namespace

std::vector<std::uint32_t> find_elimination_order(std::size_t size,
                                                  std::span<const MatrixEntry> entries)
{
    using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
    std::vector<Eigen::Triplet<double, int>> triplets;
    triplets.reserve(2 * entries.size());
    for (const MatrixEntry& entry : entries) {
        const int i = static_cast<int>(entry.row), j = static_cast<int>(entry.column);
        triplets.emplace_back(i, j, 1.0);
        if (i != j)
            triplets.emplace_back(j, i, 1.0);
    }
    Matrix pattern(static_cast<int>(size), static_cast<int>(size));
    pattern.setFromTriplets(triplets.begin(), triplets.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(pattern, permutation);
    std::vector<std::uint32_t> order(size);
    for (std::size_t k = 0; k < size; ++k)
        order[k] = static_cast<std::uint32_t>(permutation.indices()[static_cast<int>(k)]);
    return order;
}

LdlPlan::LdlPlan(std::size_t size, std::span<const MatrixEntry> entries,
                 std::vector<std::uint32_t> order)
    : order_(std::move(order)), place_(size, kNone)
{
    SINEW_EXPECTS(order_.size() == size);
    for (std::uint32_t k = 0; k < size; ++k)
        place_[order_[k]] = k;
    plan_rows(entries);
    plan_panels();
}

void LdlPlan::plan_rows(std::span<const MatrixEntry> entries)
{
    const auto n = static_cast<std::uint32_t>(size());
    input_start_.assign(n + 1, 0);
    const auto row_of = [&](const MatrixEntry& e) {
        return std::max(place_[e.row], place_[e.column]);
    };
    for (const MatrixEntry& entry : entries)
        ++input_start_[row_of(entry) + 1];
    for (std::uint32_t i = 0; i < n; ++i)
        input_start_[i + 1] += input_start_[i];
    input_column_.resize(entries.size());
    input_entry_.resize(entries.size());
    std::vector<std::uint32_t> next(input_start_.begin(), input_start_.end() - 1);
    for (std::uint32_t k = 0; k < entries.size(); ++k) {
        const std::uint32_t to = next[row_of(entries[k])]++;
        input_column_[to] = std::min(place_[entries[k].row], place_[entries[k].column]);
        input_entry_[to] = k;
    }

    // Climb from every entry of row i until a node that row i has visited.
    std::vector<std::uint32_t> parent(n, kNone), visited(n, kNone), column_count(n, 0);
    row_start_.assign(1, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        visited[i] = i;
        for (std::uint32_t p = input_start_[i]; p < input_start_[i + 1]; ++p)
            for (std::uint32_t k = input_column_[p]; visited[k] != i; k = parent[k]) {
                if (parent[k] == kNone)
                    parent[k] = i;
                visited[k] = i;
                row_column_.push_back(k);
                ++column_count[k];
            }
        std::sort(row_column_.begin() + row_start_.back(), row_column_.end());
        row_start_.push_back(static_cast<std::uint32_t>(row_column_.size()));
    }

    column_start_.assign(n + 1, 0);
    for (std::uint32_t k = 0; k < n; ++k)
        column_start_[k + 1] = column_start_[k] + column_count[k];
    column_row_.resize(row_column_.size());
    row_slot_.resize(row_column_.size());
    next.assign(column_start_.begin(), column_start_.end() - 1);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t p = row_start_[i]; p < row_start_[i + 1]; ++p) {
            const std::uint32_t slot = next[row_column_[p]]++;
            row_slot_[p] = slot;
            column_row_[slot] = i;
        }
}

void LdlPlan::plan_panels()
{
    const auto n = static_cast<std::uint32_t>(size());
    const auto count = [&](std::uint32_t k) { return column_start_[k + 1] - column_start_[k]; };
    panel_width_.assign(n, 0);
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        // The rows of column k - 1 below k are among those of column k if k is its parent.
        const bool is_like_last =
            k > 0 && count(k - 1) == count(k) + 1 && column_row_[column_start_[k - 1]] == k;
        if (!is_like_last || k - first == kWidestPanel)
            first = k;
        ++panel_width_[first];
    }
    constexpr double kLongColumn = 9; // measured: strips ten wide are below, nets above
    factors_by_panels_ = factor_cost() > kLongColumn * double(factor_entry_count());
}

double LdlPlan::factor_cost() const
{
    double sum = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        const double count = column_start_[k + 1] - column_start_[k];
        sum += count * (count + 3) / 2;
    }
    return sum;
}

template <class S>
Ldl<S>::Ldl(const LdlPlan& plan)
    : plan_(&plan), factor_(plan.factor_entry_count()), pivot_inverse_(plan.size()),
      share_(plan.size()), terms_(plan.size()), work_(plan.size())
{
}

/// Columns k .. k + Width - 1 of row i, which start at place p in the plan's rows: their elements
/// of L, what they take from the diagonal, and from the elements right of them.
template <class S>
template <std::uint32_t Width>
typename Ldl<S>::Pivot Ldl<S>::eliminate(std::uint32_t p, Pivot pivot)
{
    const LdlPlan& plan = *plan_;
    const std::uint32_t k = plan.row_column_[p];
    S* const y = work_.data();
    const S* column[Width]; // its rows below the panel
    S value[Width];
    for (std::uint32_t j = 0; j < Width; ++j) {
        column[j] = factor_.data() + plan.column_start_[k + j] + (Width - 1 - j);
        value[j] = y[k + j];
        y[k + j] = S(0);
        for (std::uint32_t l = 0; l < j; ++l)
            value[j] -= product(factor_[plan.column_start_[k + l] + (j - l - 1)], value[l]);
    }
    // Elements above row i: those stored so far.
    const std::uint32_t begin = plan.column_start_[k] + (Width - 1);
    const std::uint32_t count = plan.row_slot_[p] - begin;
    const std::uint32_t* const rows = plan.column_row_.data() + begin;
    for (std::uint32_t m = 0; m < count; ++m) {
        S sum = y[rows[m]];
        for (std::uint32_t j = 0; j < Width; ++j)
            sum -= product(column[j][m], value[j]);
        y[rows[m]] = sum;
    }
    for (std::uint32_t j = 0; j < Width; ++j) {
        const S element = product(value[j], pivot_inverse_[k + j]);
        factor_[plan.row_slot_[p + j]] = element;
        const S term = product(element, value[j]);
        pivot.value -= term;
        pivot.terms += magnitude(term);
    }
    return pivot;
}

/// Takes the columns k .. k + Width - 1 times their unknowns from the right-hand side.
template <class S>
template <std::uint32_t Width>
void Ldl<S>::substitute(std::uint32_t k)
{
    const LdlPlan& plan = *plan_;
    S* const y = work_.data();
    const S* column[Width];
    S value[Width];
    for (std::uint32_t j = 0; j < Width; ++j) {
        column[j] = factor_.data() + plan.column_start_[k + j] + (Width - 1 - j);
        for (std::uint32_t l = 0; l < j; ++l)
            y[k + j] -= product(factor_[plan.column_start_[k + l] + (j - l - 1)], value[l]);
        value[j] = y[k + j];
    }
    const std::uint32_t begin = plan.column_start_[k] + (Width - 1);
    const std::uint32_t count = plan.column_start_[k + 1] - begin;
    const std::uint32_t* const rows = plan.column_row_.data() + begin;
    for (std::uint32_t m = 0; m < count; ++m) {
        S sum = y[rows[m]];
        for (std::uint32_t j = 0; j < Width; ++j)
            sum -= product(column[j][m], value[j]);
        y[rows[m]] = sum;
    }
}

template <class S>
bool Ldl<S>::factor(std::span<const S> values, std::span<const PivotKind> kinds, double tolerance)
{
    return plan_->factors_by_panels_ ? factor_rows<true>(values, kinds, tolerance)
                                     : factor_rows<false>(values, kinds, tolerance);
}

template <class S>
template <bool ByPanels>
bool Ldl<S>::factor_rows(std::span<const S> values, std::span<const PivotKind> kinds,
                         double tolerance)
{
    const LdlPlan& plan = *plan_;
    const auto n = static_cast<std::uint32_t>(plan.size());
    S* const y = work_.data();
    S* const L = factor_.data();
    for (std::uint32_t i = 0; i < n; ++i) {
        S diagonal(0);
        for (std::uint32_t p = plan.input_start_[i]; p < plan.input_start_[i + 1]; ++p) {
            const std::uint32_t k = plan.input_column_[p];
            (k == i ? diagonal : y[k]) += values[plan.input_entry_[p]];
        }
        Pivot pivot{diagonal, magnitude(diagonal)};
        const std::uint32_t end = plan.row_start_[i + 1];
        for (std::uint32_t p = plan.row_start_[i], width = 1; p < end; p += width) {
            const std::uint32_t k = plan.row_column_[p];
            if constexpr (ByPanels) {
                // Row i may itself be in the panel: then it has those before it only.
                width = std::min<std::uint32_t>(plan.panel_width_[k], end - p);
                switch (width) {
                case 1: pivot = eliminate<1>(p, pivot); break;
                case 2: pivot = eliminate<2>(p, pivot); break;
                case 3: pivot = eliminate<3>(p, pivot); break;
                default: pivot = eliminate<4>(p, pivot); break;
                }
                continue;
            }
            const S value = y[k];
            y[k] = S(0);
            const std::uint32_t slot = plan.row_slot_[p];
            for (std::uint32_t s = plan.column_start_[k]; s < slot; ++s)
                y[plan.column_row_[s]] -= product(L[s], value);
            const S element = product(value, pivot_inverse_[k]);
            L[slot] = element;
            const S term = product(element, value);
            pivot.value -= term;
            pivot.terms += magnitude(term);
        }
        terms_[i] = pivot.terms;
        share_[i] = pivot.terms > 0 ? magnitude(pivot.value) / pivot.terms : 0;
        const PivotKind kind = kinds[plan.order_[i]];
        if (kind != PivotKind::dropped && is_usable(pivot.value, kind, tolerance * pivot.terms)) {
            pivot_inverse_[i] = S(1) / pivot.value;
        } else if (kind == PivotKind::dropped ||
                   (kind == PivotKind::constraint && std::isfinite(pivot.terms))) {
            pivot_inverse_[i] = S(0);
        } else {
            singular_ = plan.order_[i];
            std::fill(work_.begin(), work_.end(), S(0));
            return false;
        }
    }
    return true;
}

template <class S>
void Ldl<S>::solve(std::span<S> x)
{
    const LdlPlan& plan = *plan_;
    const auto n = static_cast<std::uint32_t>(plan.size());
    S* const y = work_.data();
    const S* const L = factor_.data();
    for (std::uint32_t i = 0; i < n; ++i)
        y[i] = x[plan.order_[i]];
    for (std::uint32_t k = 0; k < n; k += plan.panel_width_[k])
        switch (plan.panel_width_[k]) {
        case 1: substitute<1>(k); break;
        case 2: substitute<2>(k); break;
        case 3: substitute<3>(k); break;
        default: substitute<4>(k); break;
        }
    for (std::uint32_t k = n; k-- > 0;) {
        S value = product(y[k], pivot_inverse_[k]);
        for (std::uint32_t s = plan.column_start_[k]; s < plan.column_start_[k + 1]; ++s)
            value -= product(L[s], y[plan.column_row_[s]]);
        y[k] = value;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        x[plan.order_[i]] = y[i];
        y[i] = S(0);
    }
}

template class Ldl<double>;
template class Ldl<std::complex<double>>;

} // namespace sinew
