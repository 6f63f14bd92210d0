// Fronts, one after the other, as in front_ldl.cpp; but whole squares, column by column. Pivots are
// taken four at a time, so that the rest is read and written less often.

#include "solve/linear/sparse/front_lu.h"

#include "base/contract.h"
#include "solve/linear/sparse/front_lanes.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kPanel = 4; // pivots at a time
constexpr std::size_t kTile = 4;  // columns at a time

/// Count columns, less what a whole panel explains of them: first their entries in its rows, which
/// are of U then, and with these all below. Below the last row numbers without meaning are read.
template <std::size_t Count>
SINEW_IN_CLONES void update_columns(const double* panel, std::size_t all, std::size_t first,
                                    double* columns)
{
    double u[kPanel][Count];
    for (std::size_t k = 0; k < Count; ++k)
        for (std::size_t p = 0; p < kPanel; ++p) {
            double entry = columns[k * all + first + p];
            for (std::size_t q = 0; q < p; ++q)
                entry -= panel[q * all + first + p] * u[q][k];
            u[p][k] = columns[k * all + first + p] = entry;
        }
    for (std::size_t i = first + kPanel; i < all; i += kLanes) {
        Lanes a, b, c, d, entry;
        load(panel + i, a);
        load(panel + all + i, b);
        load(panel + 2 * all + i, c);
        load(panel + 3 * all + i, d);
        for (std::size_t k = 0; k < Count; ++k) {
            load(columns + k * all + i, entry);
            entry -= (a * u[0][k] + b * u[1][k]) + (c * u[2][k] + d * u[3][k]);
            store(entry, all - i, columns + k * all + i);
        }
    }
}

} // namespace

/// What `count` pivots from `first` on explain of the columns behind them.
SINEW_CLONES void update_behind(double* F, std::size_t all, std::size_t first, std::size_t count)
{
    const double* panel = F + first * all;
    std::size_t j = first + count;
    if (count == kPanel) {
        for (; j + kTile <= all; j += kTile)
            update_columns<kTile>(panel, all, first, F + j * all);
        for (; j < all; ++j)
            update_columns<1>(panel, all, first, F + j * all);
        return;
    }
    for (; j < all; ++j)
        for (std::size_t p = 0; p < count; ++p) {
            const double* __restrict l = panel + p * all;
            double* __restrict to = F + j * all;
            const double u = to[first + p];
            for (std::size_t i = first + p + 1; i < all; ++i)
                to[i] -= l[i] * u;
        }
}

/// A pivot's column, less what those of its panel before it explain.
SINEW_CLONES void update_in_panel(double* F, std::size_t all, std::size_t first, std::size_t pivot)
{
    double* __restrict to = F + pivot * all;
    for (std::size_t q = first; q < pivot; ++q) {
        const double* __restrict l = F + q * all;
        const double u = to[q];
        for (std::size_t i = q + 1; i < all; ++i)
            to[i] -= l[i] * u;
    }
}

SINEW_CLONES void multiply_column(double factor, std::size_t first, std::size_t last,
                                  double* column)
{
    for (std::size_t i = first; i < last; ++i)
        column[i] *= factor;
}

SINEW_CLONES void solve_lower(const double* L, std::size_t own, std::size_t all,
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
SINEW_CLONES void solve_upper(const double* U, const double* inverse, std::size_t own,
                              std::size_t all, double* __restrict part)
{
    for (std::size_t k = own; k-- > 0;) {
        const double* __restrict row = U + k * all;
        double sum[kLanes] = {};
        std::size_t i = k + 1;
        for (; i + kLanes <= all; i += kLanes)
            for (std::size_t m = 0; m < kLanes; ++m)
                sum[m] += row[i + m] * part[i + m];
        for (std::size_t m = 0; i < all; ++i, ++m)
            sum[m] += row[i] * part[i];
        part[k] = (part[k] - (((sum[0] + sum[4]) + (sum[2] + sum[6])) +
                              ((sum[1] + sum[5]) + (sum[3] + sum[7])))) *
                  inverse[k];
    }
}

FrontLu::FrontLu(const FrontPlan& plan)
    : plan_(&plan), lower_(plan.factor_count), upper_(plan.factor_count), pivot_(plan.index.size()),
      front_(plan.largest * plan.largest + kLanes), stack_(plan.stack_count), part_(plan.largest)
{
}

void FrontLu::gather(const Front& front, std::span<const double> lower,
                     std::span<const double> upper)
{
    const std::size_t all = front.all;
    double* F = front_.data();
    std::fill_n(F, all * all, 0.0);
    for (std::uint32_t i = front.first_input; i < front.first_input + front.inputs; ++i) {
        const FrontInput& input = plan_->inputs[i];
        double *own = F + input.column * all + input.row,
               *turned = F + input.row * all + input.column;
        const double *from = &lower[input.value], *other = &upper[input.value];
        for (std::uint32_t r = 0; r < input.rows; ++r)
            for (std::uint32_t c = 0; c < input.columns; ++c) {
                own[c * all + r] += from[r * input.columns + c];
                if (!input.is_diagonal)
                    turned[r * all + c] += other[r * input.columns + c];
            }
    }
    for (std::uint32_t k = front.children; k-- > 0;) { // the last pushed first
        const Front& child = plan_->fronts[plan_->child[front.first_child + k]];
        const std::size_t size = child.all - child.own;
        top_ -= size * size;
        const double* left = stack_.data() + top_;
        const FrontRun* runs = plan_->runs.data() + child.first_run;
        for (std::size_t c = 0; c < child.runs; ++c)
            for (std::size_t j = 0; j < runs[c].count; ++j)
                for (std::size_t r = 0; r < child.runs; ++r) {
                    const double* from = left + (runs[c].from + j) * size + runs[r].from;
                    double* to = F + (runs[c].to + j) * all + runs[r].to;
                    for (std::size_t i = 0; i < runs[r].count; ++i)
                        to[i] += from[i];
                }
    }
}

bool FrontLu::eliminate(const Front& front)
{
    const std::size_t all = front.all, own = front.own;
    double* F = front_.data();
    const std::uint32_t* index = &plan_->index[front.first_index];
    bool is_regular = true;
    for (std::size_t first = 0; first < own; first += kPanel) {
        const std::size_t count = std::min(kPanel, own - first);
        for (std::size_t p = first; p < first + count; ++p) {
            update_in_panel(F, all, first, p);
            double d = F[p * all + p];
            if (!(std::abs(d) > 1e-290)) {
                is_regular &= plan_->is_row[index[p]] != 0 && d == 0; // a row that moves nothing
                d = plan_->is_row[index[p]] ? -1e290 : 1e290;
            }
            pivot_[front.first_index + p] = 1 / d;
            multiply_column(1 / d, p + 1, all, F + p * all);
        }
        update_behind(F, all, first, count);
    }
    return is_regular;
}

/// Columns of L and rows of U to the factors, what is left to the stack.
void FrontLu::keep(const Front& front)
{
    const std::size_t all = front.all, own = front.own;
    const double* F = front_.data();
    std::copy_n(F, own * all, &lower_[front.first_factor]);
    double* upper = &upper_[front.first_factor];
    for (std::size_t j = 1; j < all; ++j)
        for (std::size_t p = 0; p < std::min(own, j); ++p)
            upper[p * all + j] = F[j * all + p];
    for (std::size_t j = own; j < all; ++j, top_ += all - own)
        std::copy_n(F + j * all + own, all - own, stack_.data() + top_);
}

bool FrontLu::factor(std::span<const double> lower, std::span<const double> upper)
{
    top_ = 0;
    bool is_regular = true;
    for (const Front& front : plan_->fronts) {
        gather(front, lower, upper);
        is_regular &= eliminate(front);
        keep(front);
    }
    SINEW_ASSERT(top_ <= stack_.size());
    return is_regular;
}

void FrontLu::solve(std::span<double> x)
{
    for (const Front& front : plan_->fronts) {
        const std::uint32_t* index = &plan_->index[front.first_index];
        for (std::uint32_t i = 0; i < front.all; ++i)
            part_[i] = x[index[i]];
        solve_lower(&lower_[front.first_factor], front.own, front.all, part_.data());
        for (std::uint32_t i = 0; i < front.all; ++i)
            x[index[i]] = part_[i];
    }
    for (std::size_t f = plan_->fronts.size(); f-- > 0;) {
        const Front& front = plan_->fronts[f];
        const std::uint32_t* index = &plan_->index[front.first_index];
        for (std::uint32_t i = 0; i < front.all; ++i)
            part_[i] = x[index[i]];
        solve_upper(&upper_[front.first_factor], &pivot_[front.first_index], front.own, front.all,
                    part_.data());
        for (std::uint32_t i = 0; i < front.own; ++i)
            x[index[i]] = part_[i];
    }
}

} // namespace sinew
