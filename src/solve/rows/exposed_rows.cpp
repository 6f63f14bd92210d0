// Rows with the matrix of their island. Laws with bounds by active sets: rows at a bound are taken
// out, all others solved as equal ones, until none changes its mind [Hintermueller02].

#include "solve/rows/exposed_rows.h"

#include "math/rank.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr int kMostSets = 30;
constexpr int kRefinements = 3;
constexpr double kRounding = 1e-13; // of the velocities that add up to nothing
constexpr double kShared = 1000;    // or of the tolerance

struct Bounds {
    double lo, hi;
};

Bounds bounds_of(const ExposedRows& rows, std::size_t i)
{
    constexpr double kFree = std::numeric_limits<double>::infinity();
    switch (rows.law[i]) {
    case Law::push: return {0, kFree};
    case Law::box: return {rows.lo[i], rows.hi[i]};
    default: return {-kFree, kFree};
    }
}

} // namespace

void ExposedMatrix::begin(bool is_banded)
{
    values.assign(pattern.value_count, 0.0);
    const bool has_other = is_banded ? !fronts_ : !band_;
    if (pattern == planned_ && has_other && (fronts_ || band_))
        return;
    planned_ = pattern;
    ++plan_count_;
    fronts_.reset();
    band_.reset();
    if (is_banded) {
        band_ = std::make_unique<BandLu>(pattern);
    } else {
        plan_ = FrontPlan(pattern);
        fronts_ = std::make_unique<FrontLdl>(plan_);
    }
    side_.resize(pattern.size());
    solution_.resize(pattern.size());
    left_.resize(pattern.size());
    is_bound_.resize(pattern.size());
}

/// Rows at a bound without their neighbours: their unknown is what the right side says.
void ExposedMatrix::mask(std::span<const char> is_bound)
{
    masked_ = values;
    for (const BlockPattern::Block& block : pattern.blocks) {
        if (!pattern.vertices[block.row].is_row)
            continue;
        const std::uint32_t rows = pattern.vertices[block.row].size;
        const std::uint32_t columns = pattern.vertices[block.column].size;
        for (std::uint32_t r = 0; r < rows; ++r)
            for (std::uint32_t c = 0; c < columns; ++c) {
                const std::uint32_t i = pattern.start[block.row] + r;
                const std::uint32_t j = pattern.start[block.column] + c;
                if (is_bound[i] || is_bound[j])
                    masked_[block.first + r * columns + c] =
                        block.row == block.column && i == j ? -1 : 0;
            }
    }
}

void ExposedMatrix::factor_and_solve(std::span<double> x)
{
    if (band_)
        band_->solve(x);
    else
        fronts_->solve(x);
}

/// For the rows that are not at a bound; nothing to do where that was done.
void ExposedMatrix::factor(bool is_factored)
{
    if (is_factored && is_bound_ == factored_bound_)
        return;
    factored_bound_ = is_bound_;
    mask(is_bound_);
    if (band_)
        band_->factor(pattern, masked_);
    else
        fronts_->factor(masked_);
}

/// Rows that stand at a bound and are pushed against it are taken to stay there; returns the
/// largest velocity that a law is off by.
double ExposedMatrix::guess_bounds(const ExposedRows& rows)
{
    std::ranges::fill(is_bound_, char(0));
    double scale = 0;
    for (std::size_t i = 0; i < rows.law.size(); ++i) {
        const auto [lo, hi] = bounds_of(rows, i);
        is_bound_[first_row + i] = rows.held[i] <= lo   ? rows.off[i] > 0 || lo == hi
                                   : rows.held[i] >= hi ? rows.off[i] < 0
                                                        : false;
        scale = std::max(scale, std::abs(rows.off[i]));
    }
    return scale;
}

/// What rows at their bounds do to the others; theirs is known.
void ExposedMatrix::set_right_side(const ExposedRows& rows)
{
    std::ranges::fill(solution_, 0.0);
    for (std::size_t i = 0; i < rows.law.size(); ++i)
        if (is_bound_[first_row + i]) {
            const auto [lo, hi] = bounds_of(rows, i);
            const double bound = rows.impulse[i] <= lo || lo == hi ? lo : hi;
            solution_[first_row + i] = rows.held[i] - bound;
        }
    std::ranges::fill(side_, 0.0);
    add_product(pattern, values, solution_, side_);
    for (std::size_t i = 0; i < side_.size(); ++i)
        side_[i] = i < first_row  ? -side_[i]
                   : is_bound_[i] ? -solution_[i]
                                  : -rows.off[i - first_row] - side_[i];
}

/// Solves for the right side, refined until the residual of the rows, which it returns, is
/// `wanted`.
double ExposedMatrix::solve_refined(double wanted)
{
    std::ranges::copy(side_, solution_.begin());
    factor_and_solve(solution_);
    for (int k = 0;; ++k) {
        std::ranges::fill(left_, 0.0);
        add_product(pattern, masked_, solution_, left_);
        double largest = 0;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            left_[i] = side_[i] - left_[i];
            if (i >= first_row)
                largest = std::max(largest, std::abs(left_[i]));
        }
        if (k == kRefinements || largest <= wanted)
            return largest;
        factor_and_solve(left_);
        for (std::size_t i = 0; i < left_.size(); ++i)
            solution_[i] += left_[i];
    }
}

/// Takes the impulses of the solution, each within its bounds; true when a row reaches a bound or
/// leaves it.
bool ExposedMatrix::change_bounds(const ExposedRows& rows, double tolerance)
{
    std::ranges::fill(left_, 0.0);
    add_product(pattern, values, solution_, left_);
    bool has_changed = false;
    for (std::size_t i = 0; i < rows.law.size(); ++i) {
        const auto [lo, hi] = bounds_of(rows, i);
        char& bound = is_bound_[first_row + i];
        double& impulse = rows.impulse[i];
        impulse = rows.held[i] - solution_[first_row + i];
        if (bound) {
            const double w = rows.off[i] + left_[first_row + i];
            const bool leaves = lo < hi && (impulse <= lo ? w < -tolerance : w > tolerance);
            has_changed |= leaves;
            bound = !leaves;
        } else if (impulse < lo || impulse > hi) {
            impulse = impulse < lo ? lo : hi;
            bound = 1;
            has_changed = true;
        }
    }
    return has_changed;
}

RowSolveReport ExposedMatrix::solve(const ExposedRows& rows, double tolerance, bool keeps_matrix)
{
    RowSolveReport report;
    const double scale = guess_bounds(rows);
    std::ranges::copy(rows.held, rows.impulse.begin());
    for (int set = 0; set < kMostSets; ++set) {
        ++report.iterations;
        factor(set > 0 || keeps_matrix);
        set_right_side(rows);
        report.residual = solve_refined(std::max(0.01 * tolerance, kRounding * scale));
        if (change_bounds(rows, tolerance))
            continue;
        report.is_redundant = fronts_ ? fronts_->dependent_rows() > 0 : band_->has_dependent_rows();
        const double wanted = report.is_redundant
                                  ? std::max(kShared * tolerance, kContradicting * scale)
                                  : std::max(tolerance, kRounding * scale);
        report.converged = report.residual <= wanted;
        return report;
    }
    report.converged = false;
    return report;
}

} // namespace sinew
