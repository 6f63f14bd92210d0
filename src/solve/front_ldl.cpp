// Fronts, one after the other: the pattern's numbers and what children left over go in, the own
// columns become factors, what is left of the border goes on the stack.
//
// Fronts are columns of `all` numbers, lower half. Four pivots at a time, so that the rest is read
// and written less often.

#include "solve/front_ldl.h"

#include "base/clones.h"
#include "base/contract.h"

#include <algorithm>
#include <cmath>

namespace sinew {

/// F(i, j) −= Σₚ L(i, p) · (D L)(j, p) for the columns from `first` on; `count` pivots stand
/// before.
SINEW_CLONES void update_rest(double* F, std::size_t all, std::size_t pivot, std::size_t count,
                              const double* diagonal)
{
    const std::size_t first = pivot + count;
    const double* L = F + pivot * all;
    if (count == 4) {
        const double *a = L, *b = a + all, *c = b + all, *d = c + all;
        std::size_t j = first;
        for (; j + 1 < all; j += 2) {
            const double aj = a[j] * diagonal[0], bj = b[j] * diagonal[1], cj = c[j] * diagonal[2],
                         dj = d[j] * diagonal[3];
            const double ak = a[j + 1] * diagonal[0], bk = b[j + 1] * diagonal[1],
                         ck = c[j + 1] * diagonal[2], dk = d[j + 1] * diagonal[3];
            double *to = F + j * all, *next = to + all;
            to[j] -= (a[j] * aj + b[j] * bj) + (c[j] * cj + d[j] * dj);
            for (std::size_t i = j + 1; i < all; ++i) {
                to[i] -= (a[i] * aj + b[i] * bj) + (c[i] * cj + d[i] * dj);
                next[i] -= (a[i] * ak + b[i] * bk) + (c[i] * ck + d[i] * dk);
            }
        }
        for (; j < all; ++j) {
            const double aj = a[j] * diagonal[0], bj = b[j] * diagonal[1], cj = c[j] * diagonal[2],
                         dj = d[j] * diagonal[3];
            F[j * all + j] -= (a[j] * aj + b[j] * bj) + (c[j] * cj + d[j] * dj);
        }
        return;
    }
    for (std::size_t p = 0; p < count; ++p) {
        const double* column = L + p * all;
        for (std::size_t j = first; j < all; ++j) {
            const double factor = column[j] * diagonal[p];
            double* to = F + j * all;
            for (std::size_t i = j; i < all; ++i)
                to[i] -= column[i] * factor;
        }
    }
}

/// What a child left over, into its parent's front.
SINEW_CLONES void add_rest(const double* rest, std::size_t size, const FrontRun* runs,
                           std::size_t run_count, double* F, std::size_t all)
{
    for (std::size_t c = 0; c < run_count; ++c)
        for (std::size_t j = 0; j < runs[c].count; ++j) {
            const double* from = rest + (runs[c].from + j) * size;
            double* to = F + (runs[c].to + j) * all;
            for (std::size_t i = j; i < runs[c].count; ++i)
                to[runs[c].to + i] += from[runs[c].from + i];
            for (std::size_t r = c + 1; r < run_count; ++r)
                for (std::size_t i = 0; i < runs[r].count; ++i)
                    to[runs[r].to + i] += from[runs[r].from + i];
        }
}

SINEW_CLONES void solve_forward(const double* L, std::size_t own, std::size_t all, double* part)
{
    for (std::size_t k = 0; k < own; ++k) {
        const double* column = L + k * all;
        const double x = part[k];
        for (std::size_t i = k + 1; i < all; ++i)
            part[i] -= column[i] * x;
    }
}

SINEW_CLONES void solve_backward(const double* L, std::size_t own, std::size_t all, double* part)
{
    for (std::size_t k = own; k-- > 0;) {
        const double* column = L + k * all;
        double sum[4] = {0, 0, 0, 0};
        std::size_t i = k + 1;
        for (; i + 3 < all; i += 4)
            for (std::size_t m = 0; m < 4; ++m)
                sum[m] += column[i + m] * part[i + m];
        for (; i < all; ++i)
            sum[0] += column[i] * part[i];
        part[k] -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
}

FrontLdl::FrontLdl(const FrontPlan& plan)
    : plan_(&plan), factor_(plan.factor_count), pivot_(plan.size),
      front_(plan.largest * plan.largest), stack_(plan.stack_count), terms_(plan.size),
      part_(plan.largest)
{
    dependent_.reserve(plan.size);
}

void FrontLdl::gather(const Front& front, std::span<const double> values)
{
    const std::size_t all = front.all;
    double* F = front_.data();
    for (std::size_t j = 0; j < all; ++j)
        std::fill(F + j * all + j, F + (j + 1) * all, 0.0);
    for (std::uint32_t i = front.first_input; i < front.first_input + front.inputs; ++i) {
        const FrontInput& input = plan_->inputs[i];
        const double* from = &values[input.value];
        for (std::uint32_t r = 0; r < input.rows; ++r)
            for (std::uint32_t c = 0; c < (input.is_diagonal ? r + 1 : input.columns); ++c) {
                const std::size_t row = input.row + r, column = input.column + c;
                F[input.is_turned ? row * all + column : column * all + row] +=
                    from[r * input.columns + c];
            }
    }
    for (std::uint32_t k = front.children; k-- > 0;) { // the last pushed first
        const Front& child = plan_->fronts[plan_->child[front.first_child + k]];
        const std::size_t size = child.all - child.own;
        top_ -= size * size;
        add_rest(&stack_[top_], size, &plan_->runs[child.first_run], child.runs, F, all);
    }
}

/// The own columns, four at a time: each from those of its four before it, then the rest at once.
bool FrontLdl::eliminate(const Front& front)
{
    const std::size_t all = front.all;
    double* F = front_.data();
    const std::uint32_t* index = &plan_->index[front.first_index];
    bool is_positive = true;
    double diagonal[4];
    for (std::size_t first = 0; first < front.own; first += 4) {
        const std::size_t count = std::min<std::size_t>(4, front.own - first);
        for (std::size_t p = 0; p < count; ++p) {
            double* column = F + (first + p) * all;
            for (std::size_t q = 0; q < p; ++q) {
                const double* before = F + (first + q) * all;
                const double factor = before[first + p] * diagonal[q];
                for (std::size_t i = first + p; i < all; ++i)
                    column[i] -= before[i] * factor;
            }
            const std::uint32_t number = index[first + p];
            double& d = column[first + p];
            if (!plan_->is_row[number]) {
                is_positive &= d > 0;
                if (!(d > 0))
                    d = std::max(std::abs(d), 1e-300);
            } else if (!(-d > kRank * terms_[number])) {
                dependent_.push_back(number);
                d = -std::max(kGive * terms_[number], 1e-300);
            }
            diagonal[p] = d;
            pivot_[number] = 1 / d;
            for (std::size_t i = first + p + 1; i < all; ++i)
                column[i] *= pivot_[number];
            if (front.has_rows && d > 0)
                for (std::size_t i = first + p + 1; i < all; ++i)
                    terms_[index[i]] += column[i] * column[i] * d;
        }
        update_rest(F, all, first, count, diagonal);
    }
    return is_positive;
}

bool FrontLdl::factor(std::span<const double> values)
{
    top_ = 0;
    dependent_.clear();
    std::ranges::fill(terms_, 0.0);
    bool is_positive = true;
    for (const Front& front : plan_->fronts) {
        gather(front, values);
        is_positive &= eliminate(front);
        std::copy_n(front_.data(), std::size_t(front.own) * front.all,
                    &factor_[front.first_factor]);
        const std::size_t all = front.all, size = all - front.own;
        for (std::size_t j = 0; j < size; ++j)
            std::copy_n(&front_[(front.own + j) * all + front.own + j], size - j,
                        &stack_[top_ + j * size + j]);
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
