// Which rows of a linkage are kept where some depend on others [notes: linkages, dependent rows].
// First those that are far from dependent, in the order of elimination; then, of the rest, again
// and again the row that is farthest from depending on those chosen so far.

#include "math/functions.h"
#include "math/rank.h"
#include "models/linkage/equations/system.h"

#include <algorithm>

namespace sinew {

namespace {

/// A row weaker than this is chosen with care, and where one is, all are chosen again.
constexpr double kWeak = 0.05;

} // namespace

/// The sum of a row's squares, and what of it is the place on a path.
LinkageSystem::RowSquares LinkageSystem::squares_of(const PlannedTie& tie, std::uint32_t row) const
{
    const std::uint32_t u = tie.path == kNoIndex ? kNoIndex : plan_->paths[tie.path].column;
    const Range columns = plan_->rows[row].columns;
    RowSquares squares;
    for (std::uint32_t c = columns.first; c < columns.end(); ++c) {
        const double J = constraints_.jacobian()[c];
        (plan_->row_columns[c] == u ? squares.place : squares.point) += J * J;
    }
    return squares;
}

/// How much of what moves the ends of a tie a row feels: zero where it says nothing. The place on a
/// path has a unit of its own; it counts as much as all that moves the point.
void LinkageSystem::update_grips()
{
    for (const PlannedTie& tie : plan_->ties) {
        const bool is_one = tie.kind == TieKind::distance && !is_short(tie, motion_.instant());
        RowSquares all;
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r) {
            const RowSquares own = squares_of(tie, r);
            all.point += own.point;
            all.place += own.place;
        }
        const double share = all.place > 0 && all.point > 0 ? all.point / all.place : 1;
        double sum = all.point + share * all.place;
        if (is_one) {
            sum = 0;
            for (const std::uint32_t point : {tie.a, tie.b})
                for (const Vec3& partial : motion_.partials(point))
                    sum += squared_length(partial);
        }
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r) {
            const RowSquares own = squares_of(tie, r);
            grip_[r] = sum > 0 ? min((own.point + share * own.place) / sum, 1.0) : 0;
        }
    }
}

void LinkageSystem::update_weakest()
{
    update_grips();
    weakest_row_ = 1;
    for (const PlannedTie& tie : plan_->ties)
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r)
            if (!is_dropped(r))
                weakest_row_ = std::min(weakest_row_, strength(r));
    weakest_ = weakest_row_;
    for (const PlannedGimbal& gimbal : plan_->gimbals)
        weakest_ = std::min(
            weakest_, squared_length(cross(motion_.axis(gimbal.first), motion_.axis(gimbal.last))));
}

std::uint32_t LinkageSystem::count_rows(std::span<const double> memory) const
{
    std::uint32_t count = 0;
    for (const PlannedTie& tie : plan_->ties)
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r)
            count += memory[plan_->memory_size + r] >= 1 ? 0 : 1;
    return count;
}

bool LinkageSystem::decide_rows(std::span<double> memory, bool is_new)
{
    const std::span<double> dropped = memory.subspan(plan_->memory_size);
    if (is_new)
        return choose(dropped, kNoIndex, kDependent);
    if (!factor())
        return false;
    update_weakest();
    return weakest_row_ >= kWeak || is_singular() || choose(dropped, count_rows(memory), 0);
}

bool LinkageSystem::choose_rows(std::span<double> memory, std::uint32_t count)
{
    return choose(memory.subspan(plan_->memory_size), count, 0);
}

/// Marks the rows that are weak when they are eliminated in order; false: leave them as they are.
bool LinkageSystem::find_postponed(std::span<double> dropped)
{
    postponed_.clear();
    postponed_scale_.clear();
    for (const PlannedTie& tie : plan_->ties)
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r) {
            dropped[r] = is_dropped(r) || strength(r) < kWeak ? 1 : 0;
            const double scale = grip_[r] > 0 ? matrix_.terms(r) / grip_[r] : 0;
            if (dropped[r] == 0 || !(scale > 0))
                continue;
            if (postponed_.size() == kMostPostponed)
                return false;
            postponed_.push_back(r);
            postponed_scale_.push_back(scale);
        }
    return true;
}

/// What the postponed rows add to those that are kept.
void LinkageSystem::update_remainders()
{
    const std::span<const double> J = constraints_.jacobian();
    const std::size_t n = postponed_.size();
    remainder_.resize(n * n);
    std::fill(row_side_.begin(), row_side_.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        std::fill(column_side_.begin(), column_side_.end(), 0.0);
        const Range own = plan_->rows[postponed_[i]].columns;
        for (std::uint32_t c = own.first; c < own.end(); ++c)
            column_side_[plan_->row_columns[c]] += J[c];
        solve(column_side_, row_side_);
        for (std::size_t j = 0; j < n; ++j) {
            const Range other = plan_->rows[postponed_[j]].columns;
            double sum = 0;
            for (std::uint32_t c = other.first; c < other.end(); ++c)
                sum += J[c] * solution_[plan_->row_columns[c]];
            remainder_[j * n + i] = sum;
        }
    }
}

/// Keeps at most `most` rows, none of which is weaker than the tolerance.
bool LinkageSystem::choose(std::span<double> dropped, std::uint32_t most, double tolerance)
{
    if (!factor_freely(kDependent))
        return false;
    update_weakest();
    const bool is_careful = find_postponed(dropped);
    std::uint32_t count = 0;
    for (const PlannedTie& tie : plan_->ties)
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r) {
            if (!is_careful)
                dropped[r] = is_dropped(r) ? 1 : 0;
            count += dropped[r] == 0 ? 1 : 0;
        }
    if (!factor())
        return false;
    if (is_careful && !postponed_.empty() && count < most) {
        update_remainders();
        const std::size_t n = postponed_.size();
        for (; count < most; ++count) {
            std::size_t best = 0;
            double strongest = -1;
            for (std::size_t i = 0; i < n; ++i)
                if (const double s = remainder_[i * n + i] / postponed_scale_[i];
                    dropped[postponed_[i]] != 0 && s > strongest) {
                    strongest = s;
                    best = i;
                }
            if (!(strongest > tolerance))
                break;
            dropped[postponed_[best]] = 0;
            const double pivot = remainder_[best * n + best];
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n && i != best; ++j)
                    remainder_[i * n + j] -=
                        j == best ? 0 : remainder_[i * n + best] * remainder_[best * n + j] / pivot;
        }
        if (!factor())
            return false;
    }
    update_weakest();
    return true;
}

} // namespace sinew
