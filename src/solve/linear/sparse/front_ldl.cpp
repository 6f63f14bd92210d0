// Fronts, one after the other: the pattern's numbers and what children left over go in, the own
// columns become factors, what is left of the border goes on the stack.
//
// Fronts are columns of `all` numbers, lower half. Pivots are taken in blocks, so that the rest is
// read and written less often.

#include "solve/linear/sparse/front_ldl.h"

#include "base/contract.h"
#include "math/rank.h"
#include "solve/linear/sparse/front_lanes.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kDependentPivot = 10 * kDependent; // its terms are sums over whole fronts
constexpr std::size_t kPanel = 4;                   // pivots at a time
constexpr std::size_t kBlock = 32; // pivots before all that is behind them is touched
constexpr std::size_t kTile = 4;   // columns at a time

/// Columns of a front: its own, then those of the border, which hold border rows only.
struct Columns {
    double *own, *rest;
    std::size_t own_count, all;

    SINEW_IN_CLONES std::size_t border() const { return all - own_count; }
    /// Entry (0, j), so that entry (i, j) stands i behind it.
    SINEW_IN_CLONES double* at(std::size_t j) const
    {
        return j < own_count ? own + j * all : rest + (j - own_count) * border() - own_count;
    }
};

/// Count columns from j on, less what whole panels of pivots explain of them: what is read is used
/// for all columns, what is written stays in registers until the last pivot. Above the diagonal and
/// below the last row numbers without meaning are read, and above it written: nobody looks there.
template <std::size_t Count>
SINEW_IN_CLONES void update_columns(const Columns& F, std::size_t pivot, std::size_t count,
                                    std::size_t j, const double* diagonal)
{
    double factor[kBlock][Count]; // L D
    const double* first = F.at(pivot);
    for (std::size_t p = 0; p < count; ++p)
        for (std::size_t k = 0; k < Count; ++k)
            factor[p][k] = first[p * F.all + j + k] * diagonal[p];
    double* to[Count];
    for (std::size_t k = 0; k < Count; ++k)
        to[k] = F.at(j + k);
    for (std::size_t i = j; i < F.all; i += kLanes) {
        Lanes entry[Count];
        for (std::size_t k = 0; k < Count; ++k)
            load(to[k] + i, entry[k]);
        const double* l = first + i;
        for (std::size_t p = 0; p < count; p += kPanel, l += kPanel * F.all) {
            Lanes a, b, c, d;
            load(l, a);
            load(l + F.all, b);
            load(l + 2 * F.all, c);
            load(l + 3 * F.all, d);
            for (std::size_t k = 0; k < Count; ++k)
                entry[k] -= (a * factor[p][k] + b * factor[p + 1][k]) +
                            (c * factor[p + 2][k] + d * factor[p + 3][k]);
        }
        for (std::size_t k = 0; k < Count; ++k)
            store(entry[k], F.all - i, to[k] + i);
    }
}

} // namespace

/// What `count` pivots from `pivot` on, whole panels or less than one, explain of the columns from
/// `first` to `last`, all of them own or all of the border, taken off.
SINEW_CLONES void update_rest(double* own, double* rest, std::size_t own_count, std::size_t all,
                              std::size_t pivot, std::size_t count, const double* diagonal,
                              std::size_t first, std::size_t last)
{
    const Columns F{own, rest, own_count, all};
    std::size_t j = first;
    if (count >= kPanel) {
        for (; j + kTile <= last; j += kTile)
            update_columns<kTile>(F, pivot, count, j, diagonal);
        if (last - j == 3)
            update_columns<3>(F, pivot, count, j, diagonal);
        else if (last - j == 2)
            update_columns<2>(F, pivot, count, j, diagonal);
        else if (last - j == 1)
            update_columns<1>(F, pivot, count, j, diagonal);
        return;
    }
    for (std::size_t p = 0; p < count; ++p) {
        const double* __restrict column = F.at(pivot + p);
        for (std::size_t k = j; k < last; ++k) {
            const double factor = column[k] * diagonal[p];
            double* __restrict to = F.at(k);
            for (std::size_t i = k; i < all; ++i)
                to[i] -= column[i] * factor;
        }
    }
}

/// A pivot's column, less what the pivots of its panel before it explain.
SINEW_CLONES void update_pivot(double* F, std::size_t all, std::size_t first, std::size_t pivot,
                               const double* diagonal)
{
    double* __restrict column = F + pivot * all;
    for (std::size_t q = first; q < pivot; ++q) {
        const double* __restrict before = F + q * all;
        const double factor = before[pivot] * diagonal[q - first];
        for (std::size_t i = pivot; i < all; ++i)
            column[i] -= before[i] * factor;
    }
}

/// What a child left over, into its parent's front.
SINEW_CLONES void add_rest(const double* left, std::size_t size, const FrontRun* runs,
                           std::size_t run_count, double* own, double* rest, std::size_t own_count,
                           std::size_t all)
{
    const Columns F{own, rest, own_count, all};
    for (std::size_t c = 0; c < run_count; ++c)
        for (std::size_t j = 0; j < runs[c].count; ++j) {
            const double* __restrict from = left + (runs[c].from + j) * size;
            double* __restrict to = F.at(runs[c].to + j);
            for (std::size_t i = j; i < runs[c].count; ++i)
                to[runs[c].to + i] += from[runs[c].from + i];
            for (std::size_t r = c + 1; r < run_count; ++r)
                for (std::size_t i = 0; i < runs[r].count; ++i)
                    to[runs[r].to + i] += from[runs[r].from + i];
        }
}

SINEW_CLONES void solve_forward(const double* L, std::size_t own, std::size_t all,
                                double* __restrict part)
{
    for (std::size_t k = 0; k < own; ++k) {
        const double* __restrict column = L + k * all;
        const double x = part[k];
        for (std::size_t i = k + 1; i < all; ++i)
            part[i] -= column[i] * x;
    }
}

/// Sums in eight parts, so that they need not wait for each other.
SINEW_CLONES void solve_backward(const double* L, std::size_t own, std::size_t all,
                                 double* __restrict part)
{
    constexpr std::size_t kParts = 8;
    for (std::size_t k = own; k-- > 0;) {
        const double* __restrict column = L + k * all;
        double sum[kParts] = {};
        std::size_t i = k + 1;
        for (; i + kParts <= all; i += kParts)
            for (std::size_t m = 0; m < kParts; ++m)
                sum[m] += column[i + m] * part[i + m];
        for (std::size_t m = 0; i < all; ++i, ++m)
            sum[m] += column[i] * part[i];
        part[k] -=
            ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

FrontLdl::FrontLdl(const FrontPlan& plan, double give)
    : plan_(&plan), factor_(plan.factor_count + kLanes), pivot_(plan.size),
      rest_(plan.largest_rest + kLanes), stack_(plan.stack_count), terms_(plan.size),
      part_(plan.largest), give_(give)
{
    dependent_.reserve(plan.size);
}

void FrontLdl::gather(const Front& front, std::span<const double> values)
{
    const std::size_t border = front.all - front.own;
    const Columns F{&factor_[front.first_factor], rest_.data(), front.own, front.all};
    std::fill_n(F.own, front.own * std::size_t(front.all), 0.0);
    for (std::size_t j = 0; j < border; ++j)
        std::fill(F.rest + j * border + j, F.rest + (j + 1) * border, 0.0);
    for (std::uint32_t i = front.first_input; i < front.first_input + front.inputs; ++i) {
        const FrontInput& input =
            plan_->inputs[i]; // in an own column: one of its two is eliminated
        const double* from = &values[input.value];
        for (std::uint32_t r = 0; r < input.rows; ++r)
            for (std::uint32_t c = 0; c < (input.is_diagonal ? r + 1 : input.columns); ++c) {
                const std::size_t row = input.row + r, column = input.column + c;
                F.own[input.is_turned ? row * front.all + column : column * front.all + row] +=
                    from[r * input.columns + c];
            }
    }
    for (std::uint32_t k = front.children; k-- > 0;) { // the last pushed first
        const Front& child = plan_->fronts[plan_->child[front.first_child + k]];
        const std::size_t size = child.all - child.own;
        top_ -= size * size;
        add_rest(stack_.data() + top_, size, plan_->runs.data() + child.first_run, child.runs,
                 F.own, F.rest, front.own, front.all);
    }
}

double FrontLdl::checked(double d, std::uint32_t number, bool& is_positive)
{
    if (!plan_->is_row[number]) {
        is_positive &= d > 0;
        return d > 0 ? d : std::max(std::abs(d), 1e-300);
    }
    if (terms_[number] == 0 && d == 0)
        return -1e300; // moves nothing: no impulse
    if (is_soft_)
        return std::min(d, 0.0) - give_ * terms_[number];
    if (!(-d > kDependentPivot * terms_[number]))
        dependent_.push_back(number);
    return std::min(d, -give_ * terms_[number]);
}

/// Four pivots: each column from those before it.
bool FrontLdl::eliminate_panel(const Front& front, std::size_t first, std::size_t count,
                               double* diagonal)
{
    const std::size_t all = front.all;
    double* F = &factor_[front.first_factor];
    const std::uint32_t* index = &plan_->index[front.first_index];
    bool is_positive = true;
    for (std::size_t p = first; p < first + count; ++p) {
        double* column = F + p * all;
        update_pivot(F, all, first, p, diagonal);
        const double d = checked(column[p], index[p], is_positive), inverse = 1 / d;
        diagonal[p - first] = d;
        pivot_[index[p]] = inverse;
        for (std::size_t i = p + 1; i < all; ++i)
            column[i] *= inverse;
        if (front.has_rows && d > 0)
            for (std::size_t i = p + 1; i < all; ++i)
                terms_[index[i]] += column[i] * column[i] * d;
    }
    return is_positive;
}

/// The own columns in blocks: each panel of a block from those before it, then all behind the block
/// at once.
bool FrontLdl::eliminate(const Front& front)
{
    bool is_positive = true;
    double diagonal[kBlock];
    const auto update = [&](std::size_t pivot, std::size_t count, const double* d,
                            std::size_t first, std::size_t last) {
        update_rest(&factor_[front.first_factor], rest_.data(), front.own, front.all, pivot, count,
                    d, first, last);
    };
    for (std::size_t block = 0; block < front.own; block += kBlock) {
        const std::size_t end = std::min<std::size_t>(block + kBlock, front.own);
        const std::size_t whole = (end - block) / kPanel * kPanel;
        for (std::size_t first = block; first < end; first += kPanel) {
            const std::size_t count = std::min(kPanel, end - first);
            double* d = diagonal + (first - block);
            is_positive &= eliminate_panel(front, first, count, d);
            update(first, count, d, first + count, end);
        }
        update(block, whole, diagonal, end, front.own);
        update(block, whole, diagonal, front.own, front.all);
        update(block + whole, end - block - whole, diagonal + whole, end, front.all);
    }
    return is_positive;
}

/// Where rows are redundant all of them give a little, so that none hangs on what rounding left.
bool FrontLdl::factor(std::span<const double> values)
{
    dependent_.clear();
    is_soft_ = false;
    const bool is_positive = factor_once(values);
    if (dependent_.empty())
        return is_positive;
    is_soft_ = true;
    return factor_once(values);
}

bool FrontLdl::factor_once(std::span<const double> values)
{
    top_ = 0;
    std::ranges::fill(terms_, 0.0);
    bool is_positive = true;
    for (const Front& front : plan_->fronts) {
        gather(front, values);
        is_positive &= eliminate(front);
        const std::size_t size = front.all - front.own;
        for (std::size_t j = 0; j < size; ++j)
            std::copy_n(&rest_[j * size + j], size - j, &stack_[top_ + j * size + j]);
        top_ += size * size;
    }
    SINEW_ASSERT(top_ <= stack_.size());
    return is_positive;
}

void FrontLdl::solve(std::span<double> x)
{
    for (const Front& front : plan_->fronts) {
        const std::uint32_t* index = &plan_->index[front.first_index];
        for (std::uint32_t i = 0; i < front.all; ++i)
            part_[i] = x[index[i]];
        solve_forward(&factor_[front.first_factor], front.own, front.all, part_.data());
        for (std::uint32_t i = 0; i < front.all; ++i)
            x[index[i]] = part_[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] *= pivot_[i];
    for (std::size_t f = plan_->fronts.size(); f-- > 0;) {
        const Front& front = plan_->fronts[f];
        const std::uint32_t* index = &plan_->index[front.first_index];
        for (std::uint32_t i = 0; i < front.all; ++i)
            part_[i] = x[index[i]];
        solve_backward(&factor_[front.first_factor], front.own, front.all, part_.data());
        for (std::uint32_t i = 0; i < front.own; ++i)
            x[index[i]] = part_[i];
    }
}

} // namespace sinew
