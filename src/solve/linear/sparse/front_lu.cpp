// Fronts, one after the other, as in front_ldl.cpp; but both halves. What is left of the border is
// a whole square.

#include "solve/linear/sparse/front_lu.h"

#include "base/clones.h"
#include "base/contract.h"

#include <algorithm>
#include <cmath>

namespace sinew {

FrontLu::FrontLu(const FrontPlan& plan)
    : plan_(&plan), lower_(plan.factor_count), upper_(plan.factor_count), pivot_(plan.size),
      rest_(plan.largest_rest), stack_(plan.stack_count), part_(plan.largest)
{
}

namespace {

/// Where entry (row, column) of a front stands: in an own column, an own row, or the rest.
struct Place {
    double *lower, *upper, *rest;
    std::size_t own, all;

    double& at(std::size_t row, std::size_t column) const
    {
        if (column < own && column <= row)
            return lower[column * all + row];
        if (row < own)
            return upper[row * all + column];
        return rest[(column - own) * (all - own) + row - own];
    }
};

} // namespace

void FrontLu::gather(const Front& front, std::span<const double> lower,
                     std::span<const double> upper)
{
    const std::size_t all = front.all, border = all - front.own;
    const Place F{&lower_[front.first_factor], &upper_[front.first_factor], rest_.data(), front.own,
                  all};
    std::fill_n(F.lower, front.own * all, 0.0);
    std::fill_n(F.upper, front.own * all, 0.0);
    std::fill_n(F.rest, border * border, 0.0);
    for (std::uint32_t i = front.first_input; i < front.first_input + front.inputs; ++i) {
        const FrontInput& input = plan_->inputs[i];
        for (std::uint32_t r = 0; r < input.rows; ++r)
            for (std::uint32_t c = 0; c < input.columns; ++c) {
                const std::size_t value = input.value + r * input.columns + c;
                F.at(input.row + r, input.column + c) += lower[value];
                if (!input.is_diagonal)
                    F.at(input.column + c, input.row + r) += upper[value];
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
                for (std::size_t r = 0; r < child.runs; ++r)
                    for (std::size_t i = 0; i < runs[r].count; ++i)
                        F.at(runs[r].to + i, runs[c].to + j) +=
                            left[(runs[c].from + j) * size + runs[r].from + i];
    }
}

/// to ← to − a x, from `first` on.
SINEW_CLONES void subtract_multiple(const double* __restrict a, double x, std::size_t first,
                                    std::size_t last, double* __restrict to)
{
    for (std::size_t i = first; i < last; ++i)
        to[i] -= a[i] * x;
}

/// The rest, column by column, less what all own pivots explain, four at a time.
SINEW_CLONES void update_square(const double* lower, const double* upper, std::size_t own,
                                std::size_t all, double* rest)
{
    const std::size_t border = all - own;
    for (std::size_t j = 0; j < border; ++j) {
        double* __restrict to = rest + j * border;
        std::size_t p = 0;
        for (; p + 4 <= own; p += 4) {
            const double* __restrict l = lower + p * all + own;
            const double* u = upper + p * all + own + j;
            const double a = u[0], b = u[all], c = u[2 * all], d = u[3 * all];
            for (std::size_t i = 0; i < border; ++i)
                to[i] -= (l[i] * a + l[all + i] * b) + (l[2 * all + i] * c + l[3 * all + i] * d);
        }
        for (; p < own; ++p) {
            const double* __restrict l = lower + p * all + own;
            const double a = upper[p * all + own + j];
            for (std::size_t i = 0; i < border; ++i)
                to[i] -= l[i] * a;
        }
    }
}

bool FrontLu::eliminate(const Front& front)
{
    const std::size_t all = front.all, own = front.own;
    double *lower = &lower_[front.first_factor], *upper = &upper_[front.first_factor];
    const std::uint32_t* index = &plan_->index[front.first_index];
    bool is_regular = true;
    for (std::size_t p = 0; p < own; ++p) {
        double *l = lower + p * all, *u = upper + p * all;
        double d = l[p];
        if (!(std::abs(d) > 1e-290)) {
            is_regular &= plan_->is_row[index[p]] != 0 && d == 0; // a row that moves nothing
            d = plan_->is_row[index[p]] ? -1e290 : 1e290;
        }
        const double inverse = pivot_[index[p]] = 1 / d;
        for (std::size_t i = p + 1; i < all; ++i)
            l[i] *= inverse;
        for (std::size_t j = p + 1; j < own; ++j) {
            subtract_multiple(l, u[j], j, all, lower + j * all);
            subtract_multiple(u, l[j], j + 1, all, upper + j * all);
        }
    }
    update_square(lower, upper, own, all, rest_.data());
    return is_regular;
}

bool FrontLu::factor(std::span<const double> lower, std::span<const double> upper)
{
    top_ = 0;
    bool is_regular = true;
    for (const Front& front : plan_->fronts) {
        gather(front, lower, upper);
        is_regular &= eliminate(front);
        const std::size_t size = front.all - front.own;
        std::copy_n(rest_.data(), size * size, stack_.data() + top_);
        top_ += size * size;
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
        for (std::uint32_t k = 0; k < front.own; ++k)
            subtract_multiple(&lower_[front.first_factor + std::size_t(k) * front.all], part_[k],
                              k + 1, front.all, part_.data());
        for (std::uint32_t i = 0; i < front.all; ++i)
            x[index[i]] = part_[i];
    }
    for (std::size_t f = plan_->fronts.size(); f-- > 0;) {
        const Front& front = plan_->fronts[f];
        const std::uint32_t* index = &plan_->index[front.first_index];
        for (std::uint32_t i = 0; i < front.all; ++i)
            part_[i] = x[index[i]];
        for (std::size_t k = front.own; k-- > 0;) {
            const double* u = &upper_[front.first_factor + k * front.all];
            double sum = part_[k];
            for (std::size_t i = k + 1; i < front.all; ++i)
                sum -= u[i] * part_[i];
            part_[k] = sum * pivot_[index[k]];
        }
        for (std::uint32_t i = 0; i < front.own; ++i)
            x[index[i]] = part_[i];
    }
}

} // namespace sinew
