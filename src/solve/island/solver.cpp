// One sparse Newton over the blocks of an island.
//
//   in:  W of the blocks, directions and laws of the rows, impulses of the step before
//   out: impulses that fulfil every law
//
// Semi-smooth Newton on the natural map F(λ) = 0 [AlartCurnier91] with velocities as unknowns: the
// rows' own slopes are eliminated group by group, what remains has the pattern of the blocks. Where
// it stalls proximal steps go on, each from the last that was solved. [notes: island, §3]

#include "solve/island/solver.h"

#include "sinew/stop.h"

#include <algorithm>
#include <cmath>

namespace sinew::island {

namespace {

constexpr double kIdle = 1e-15;     // of the largest K: less, and the row moves nothing
constexpr double kRounding = 1e-13; // of velocities
constexpr double kProximal = 10;    // proximal steps are solved to the tolerance, all to so many
constexpr double kLeast = 1e-4;     // share of a step: less is none
constexpr double kRough = 1;        // times `near`: what may be left of the speed
constexpr double kShort = 0.02;     // the same: so short a step leads nowhere,
constexpr int kShortSteps = 2;      // after so many
constexpr double kSame = 4;         // times what the last solve left: no worse
constexpr double kFirstRho = 1e-4;  // of proximal steps
constexpr double kInner = 0.05;     // they are solved to so much of the least residual
constexpr int kQuick = 3;           // iterations of one that was easy
constexpr double kFalls = 0.01;     // of the merit: no more may a step with old factors leave to be
                                    // followed by another,
constexpr double kGains = 0.25;     // and no more to be taken at all

} // namespace

void Solver::prepare()
{
    matrix_.begin(system);
    inertia_.factor(system);
    rows_.resize(system.row_count());
    inertia_.update_responses(system, rows_.K);
    factored_.clear();
    change_.resize(system.number_count());
    pieces_.resize(system.groups.size());
    for (std::vector<double>* list : {&row_step_, &impulse_step_})
        list->resize(system.row_count());
}

void Solver::update_held_velocities(std::span<double> w)
{
    std::ranges::fill(change_, 0.0);
    add_impulses(system, system.held, 1, change_);
    inertia_.solve(system, change_);
    multiply_rows(system, change_, w);
}

void Solver::begin()
{
    report_ = {};
    matrix_.symmetric_count = matrix_.general_count = 0;
    rows_.lambda = system.held;
    leave();
    double largest = 0;
    for (const double K : rows_.K)
        largest = std::max(largest, K);
    for (std::size_t i = 0; i < rows_.K.size(); ++i)
        rows_.scale[i] = rows_.K[i] > kIdle * largest ? rows_.K[i] + system.compliance[i] : 0;
    share_scales(system, rows_.scale);
    for (std::size_t i = 0; i < rows_.K.size(); ++i)
        if (rows_.is_idle(i))
            rows_.lambda[i] = 0;
}

/// What the impulses make of the velocities.
void Solver::update_velocities()
{
    std::ranges::fill(change_, 0.0);
    for (std::size_t i = 0; i < row_step_.size(); ++i)
        row_step_[i] = rows_.lambda[i] - system.held[i];
    add_impulses(system, row_step_, 1, change_);
    inertia_.solve(system, change_);
    multiply_rows(system, change_, rows_.w);
    for (std::size_t i = 0; i < rows_.w.size(); ++i)
        rows_.w[i] += system.velocity[i];
}

void Solver::update_pieces(bool with_slopes)
{
    for (std::size_t g = 0; g < pieces_.size(); ++g)
        update_piece(system, system.groups[g], rows_, with_slopes, pieces_[g]);
}

/// Largest error of a law [m/s].
double Solver::residual() const
{
    double largest = 0;
    for (std::size_t g = 0; g < pieces_.size(); ++g)
        for (std::uint32_t r = 0; r < system.groups[g].row_count; ++r) {
            const double size =
                std::abs(pieces_[g].F[r]) * rows_.scale[system.groups[g].first_row + r];
            if (!(size <= largest))
                largest = std::isnan(largest) ? largest : size;
        }
    return largest;
}

/// What a search lowers [J].
double Solver::merit() const
{
    double sum = 0;
    for (std::size_t g = 0; g < pieces_.size(); ++g)
        for (std::uint32_t r = 0; r < system.groups[g].row_count; ++r)
            sum += pieces_[g].F[r] * pieces_[g].F[r] * rows_.scale[system.groups[g].first_row + r];
    return sum;
}

/// The largest that rows have or would have without their impulses [m/s].
double Solver::speed() const
{
    double largest = 0;
    for (std::size_t i = 0; i < rows_.w.size(); ++i)
        largest = std::max(largest, std::abs(system.velocity[i]) +
                                        rows_.scale[i] * std::abs(rows_.lambda[i]));
    return largest;
}

/// The tolerance, or what rounding leaves; but rows that contradict each other and drive impulses
/// without bound are not solved by that.
double Solver::attainable(double tolerance) const
{
    return std::max(tolerance, std::min(kRounding * speed(), 1e3 * tolerance));
}

/// Contacts that say the same, each with a gap of its own, contradict each other a little: what
/// they leave is a share of the velocities that they change.
double Solver::rough_tolerance(const Options& options) const
{
    return std::max(fine_tolerance(options), kRough * options.near * speed());
}

/// Of what proximal steps leave.
double Solver::fine_tolerance(const Options& options) const
{
    return attainable(kProximal * options.tolerance);
}

/// A start is left alone only when rounding is all that is wrong with it: within a mere tolerance
/// the errors of many warm steps would add up, and things at rest would creep. Where the same rows
/// were just solved nothing adds up.
bool Solver::may_start_stay(const Options& options) const
{
    const double left = residual();
    if (!options.goes_on)
        return left <= std::min(options.tolerance, kRounding * speed());
    const double known = kSame * rough_; // what the last solve left, and no more
    return left <= std::max(options.tolerance, std::min(known, rough_tolerance(options)));
}

/// The Newton step from where the pieces are. False where there is none.
bool Solver::find_step()
{
    update_pieces(true);
    factored_.clear();
    if (!matrix_.factor(system, rows_, pieces_))
        return false;
    factored_ = pieces_;
    factored_give_ = rows_.give;
    compute_step(pieces_);
    return std::ranges::all_of(impulse_step_, [](double by) { return std::isfinite(by); });
}

/// The step from where the pieces are by the factors there are, which have these slopes.
void Solver::compute_step(std::span<const Piece> slopes)
{
    step_.assign(matrix_.size(), 0.0);
    for (std::size_t g = 0; g < pieces_.size(); ++g)
        for (std::uint32_t r = 0; r < system.groups[g].row_count; ++r) {
            const std::size_t row = system.groups[g].first_row + r;
            const bool is_equal = matrix_.place_of(row) != Matrix::kNone;
            impulse_step_[row] = is_equal ? 0 : pieces_[g].a[r];
            if (is_equal && !rows_.is_idle(row))
                step_[matrix_.place_of(row)] = -rows_.velocity(row);
        }
    add_impulses(system, impulse_step_, 1, step_);
    matrix_.solve(step_);
    multiply_rows(system, step_, row_step_);
    for (std::size_t g = 0; g < pieces_.size(); ++g) {
        const Group& group = system.groups[g];
        double* by = impulse_step_.data() + group.first_row;
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (const std::uint32_t place = matrix_.place_of(group.first_row + r);
                place != Matrix::kNone)
                by[r] = -step_[place];
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] != Law::equal)
                for (std::uint32_t q = 0; q < group.row_count; ++q)
                    by[r] += slopes[g].T[r][q] * by[q] -
                             slopes[g].S[r][q] * row_step_[group.first_row + q];
    }
}

/// Every row is on the piece that it was on when the matrix was factored.
bool Solver::may_reuse() const
{
    if (factored_.size() != pieces_.size() || factored_give_ != rows_.give)
        return false;
    for (std::size_t g = 0; g < pieces_.size(); ++g)
        if (pieces_[g].side != factored_[g].side)
            return false;
    return true;
}

/// A step with the factors of an earlier one. What is left of the merit, of what there was: 1 where
/// it was not worth taking.
double Solver::step_again()
{
    const double start = merit();
    if (!(start > 0) || !may_reuse())
        return 1;
    update_pieces(true);
    start_lambda_ = rows_.lambda;
    compute_step(factored_);
    take(1);
    const double left = merit() / start;
    if (left <= kGains)
        return left;
    take(0);
    return 1;
}

/// How far along the step the merit falls: 0 where nowhere. Leaves the rows where they were.
double Solver::search_line()
{
    const double start = merit();
    double best = start, best_share = 0;
    for (double share = 1; share > kLeast; share /= 2) {
        for (std::size_t i = 0; i < row_step_.size(); ++i) {
            rows_.w[i] = start_w_[i] + share * row_step_[i];
            rows_.lambda[i] = start_lambda_[i] + share * impulse_step_[i];
        }
        update_pieces(false);
        const double now = merit();
        if (now < best) {
            best = now;
            best_share = share;
        }
        if (now <= (1 - 1e-4 * share) * start)
            break;
    }
    return best_share;
}

bool Solver::may_go_on(const Options& options) const
{
    const double work = matrix_.cost() * (matrix_.symmetric_count + 2.0 * matrix_.general_count);
    return !is_stopping() && report_.iterations < options.iterations && work < options.work;
}

/// A part of the step from where the search began.
void Solver::take(double share)
{
    for (std::size_t k = 0; k < start_lambda_.size(); ++k)
        rows_.lambda[k] = start_lambda_[k] + share * impulse_step_[k];
    update_velocities();
    update_pieces(false);
}

/// Iterates until the residual is within tolerance; true when it is. Ends where the merit was last
/// lowered, or where steps have become too short to lead anywhere.
bool Solver::iterate(const Options& options, int limit, double tolerance)
{
    int short_steps = 0;
    bool may_stay = report_.iterations > 0, may_reuse = options.goes_on;
    for (int i = 0; i < limit && may_go_on(options) && short_steps < kShortSteps;) {
        if (may_stay && residual() <= attainable(tolerance))
            return true;
        may_stay = true;
        const double left = may_reuse ? step_again() : 1;
        may_reuse = left <= kFalls;
        if (left < 1)
            continue;
        ++i;
        ++report_.iterations;
        if (!find_step())
            break;
        start_w_ = rows_.w;
        start_lambda_ = rows_.lambda;
        const double share = search_line();
        take(share);
        if (share == 0)
            break;
        may_reuse = options.goes_on;
        short_steps = share < kShort ? short_steps + 1 : 0;
    }
    return residual() <= attainable(tolerance);
}

/// From here on rows give ρ K more, about `good`: of contacts at least what the options ask for.
void Solver::stay_near(double rho, std::span<const double> good)
{
    for (const Group& group : system.groups)
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            const std::size_t i = group.first_row + r;
            const bool is_contact = group.law[r] == Law::push || follows_push(group.law[r]);
            const double more = (is_contact ? std::max(rho, near_) : rho) * rows_.scale[i];
            rows_.give[i] = system.compliance[i] + more;
            rows_.shift[i] = more * good[i];
        }
}

/// Each problem has one answer, also where contacts say the same.
void Solver::iterate_proximal(const Options& options)
{
    report_.is_proximal = true;
    best_ = good_ = rows_.lambda;
    double least = residual(), rho = kFirstRho;
    while (may_go_on(options)) {
        rows_.lambda = good_;
        stay_near(rho, good_);
        update_velocities();
        update_pieces(false);
        const int before = report_.iterations;
        const bool is_solved = iterate(options, options.proximal_iterations,
                                       std::max(options.tolerance, kInner * least));
        report_.iterations = std::max(report_.iterations, before + 1); // the loop ends
        leave();
        update_pieces(false);
        if (const double now = residual(); now < least) {
            least = now;
            best_ = rows_.lambda;
        }
        const bool may_be_rough = report_.iterations >= options.patience;
        if (least <= (may_be_rough ? rough_tolerance(options) : fine_tolerance(options)))
            break;
        if (is_solved)
            good_ = rows_.lambda;
        rho *= !is_solved ? 4 : report_.iterations - before <= kQuick ? 0.2 : 0.5;
    }
    rows_.lambda = best_;
    leave();
    update_velocities();
    update_pieces(false);
}

/// Rows give what they give.
void Solver::leave()
{
    rows_.give = system.compliance;
    std::ranges::fill(rows_.shift, 0.0);
}

Report Solver::solve(const Options& options, std::span<double> impulse)
{
    begin();
    update_velocities();
    update_pieces(false);
    report_.converged = may_start_stay(options);
    if (!report_.converged) {
        near_ = options.near;
        stay_near(0, system.held);
        update_pieces(false);
        report_.converged = iterate(options, options.newton_iterations, options.tolerance);
        leave();
        update_pieces(false);
        report_.converged = report_.converged && residual() <= rough_tolerance(options);
        if (!report_.converged)
            iterate_proximal(options);
        rough_ = residual();
        report_.converged = report_.converged || residual() <= rough_tolerance(options);
    }
    report_.residual = residual();
    report_.factorisations = matrix_.symmetric_count + matrix_.general_count;
    report_.general = matrix_.general_count;
    report_.work = matrix_.cost() * (matrix_.symmetric_count + 2.0 * matrix_.general_count);
    std::ranges::copy(rows_.lambda, impulse.begin());
    return report_;
}

} // namespace sinew::island
