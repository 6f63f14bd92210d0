// Semi-smooth Newton on the natural map of row laws, with a proximal fallback.
//                                                                        [notes: rows, eqs 3 to 5]
//
//   in:  C = J W⁻¹ Jᵀ, velocities q without impulses, laws, last step's impulses
//   out: impulses λ that fulfil every law
//
// F is piecewise smooth; Newton takes the slope of the piece it stands on, without the rows that
// have their bound, and goes along the step as far as the merit ½ F² [J] falls. Redundant contacts
// make the slope singular; where that stalls the iteration, proximal steps go on.
//
//   symbol | code         | unit | meaning
//   -------|--------------|------|------------------------------------------
//   ρ      | rho          | -    | weight of the proximal term

#include "solve/rows/row_newton.h"

#include "math/rank.h"
#include "sinew/stop.h"
#include "solve/linear/dense/dense_lu.h"
#include "solve/linear/dense/least_squares.h"
#include "solve/rows/row_map.h"

#include <algorithm>
#include <cmath>

namespace sinew {

using Eigen::Index, Eigen::VectorXd;
using List = std::vector<double>;

struct RowMemory::Room {
    ScaledProblem scaled, near;
    Piece piece, tried;
    List y, step, trial;             ///< of iterate()
    List best, good;                 ///< of proximal steps
    std::vector<std::uint32_t> free; ///< rows that are not bound
    DenseLu lu;
    LeastSquares least;
    List matrix; ///< of what is free, by rows
    std::vector<char> is_awake;
    std::vector<std::size_t> place;
    VectorXd w;
};

RowMemory::RowMemory() noexcept = default;
RowMemory::RowMemory(RowMemory&&) noexcept = default;
RowMemory& RowMemory::operator=(RowMemory&&) noexcept = default;
RowMemory::~RowMemory() = default;

RowMemory::Room& RowMemory::room()
{
    if (!room_)
        room_ = std::make_unique<Room>();
    return *room_;
}

namespace {

using Room = RowMemory::Room;

constexpr std::size_t kMany = 96; // rows
constexpr double kWork = 1e9;     // rows cubed and summed: what is not solved then will not be
constexpr int kLeastIterations = 40;
constexpr double kProximal =
    10; // its problems are solved to the tolerance, their limit to this many

/// The tolerance, or what rounding leaves; but rows that contradict each other and drive impulses
/// without bound are not solved by that.
double attainable(const ScaledProblem& p, const List& y, double tolerance)
{
    return std::max(tolerance, std::min(rounding_of(p, y), 1e3 * tolerance));
}

double square_of(const List& numbers)
{
    double sum = 0;
    for (const double number : numbers)
        sum += number * number;
    return sum;
}

/// x of M x = r, which x comes as; of a singular M, the smallest. True where M is regular.
bool solve_general(const List& M, Room& room, std::span<double> x)
{
    room.lu.begin(x.size());
    std::ranges::copy(M, room.lu.row(0));
    if (room.lu.factor() > kDependent) {
        room.lu.solve(x);
        return true;
    }
    room.least.solve(M, kDependent, x);
    return false;
}

/// The Newton step. Bound rows go to their bound; the others solve slope · step = −F. True where
/// that has one answer.
bool update_step(const Piece& piece, Room& room)
{
    const std::size_t n = piece.F.size();
    room.free.clear();
    for (std::size_t i = 0; i < n; ++i)
        if (!piece.bound[i])
            room.free.push_back(std::uint32_t(i));
    const std::size_t count = room.free.size();
    room.matrix.resize(count * count);
    room.trial.resize(count); // the right side, then the step of what is free
    for (std::size_t r = 0; r < count; ++r) {
        const double* slope = piece.slope.data() + room.free[r] * n;
        double side = -piece.F[room.free[r]];
        for (std::size_t j = 0; j < n; ++j)
            if (piece.bound[j])
                side += slope[j] * piece.F[j];
        room.trial[r] = side;
        for (std::size_t c = 0; c < count; ++c)
            room.matrix[r * count + c] = slope[room.free[c]];
    }
    const bool is_regular = solve_general(room.matrix, room, room.trial);
    room.step.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        room.step[i] = -piece.F[i];
    for (std::size_t r = 0; r < count; ++r)
        room.step[room.free[r]] = room.trial[r];
    return is_regular;
}

/// How far along the step the merit ½ F² [J] falls: 0 where nowhere.
double search_line(const ScaledProblem& p, const List& y, double merit, Room& room)
{
    double best_fraction = 0, best = merit;
    for (double fraction = 1; fraction > 1e-4; fraction /= 2) {
        room.trial.resize(y.size());
        for (std::size_t i = 0; i < y.size(); ++i)
            room.trial[i] = y[i] + fraction * room.step[i];
        update_piece(p, room.trial, false, room.tried);
        const double now = square_of(room.tried.F);
        if (now < best) {
            best = now;
            best_fraction = fraction;
        }
        if (now <= (1 - 1e-4 * fraction) * merit)
            break;
    }
    return best_fraction;
}

/// Iterates from y until the residual is within tolerance; true when it is. y ends where the merit
/// was last lowered.
bool iterate(const ScaledProblem& p, double tolerance, int limit, List& y, Room& room,
             int& iterations)
{
    Piece& piece = room.piece;
    update_piece(p, y, true, piece);
    for (int i = 0; i < limit && !is_stopping(); ++i) {
        // A start is left alone only when rounding is all that is wrong with it: within a mere
        // tolerance the errors of many warm steps would add up, and things at rest would creep.
        if (residual_of(p, piece) <=
            (i == 0 ? std::min(tolerance, 0.01 * rounding_of(p, y)) : attainable(p, y, tolerance)))
            return true;
        const bool is_regular = update_step(piece, room);
        ++iterations;
        if (!is_regular && y.size() > kMany)
            break; // least squares of many rows take long, proximal problems are regular
        const double fraction = search_line(p, y, square_of(piece.F), room);
        if (fraction == 0)
            break;
        for (std::size_t k = 0; k < y.size(); ++k)
            y[k] += fraction * room.step[k];
        update_piece(p, y, true, piece);
    }
    return residual_of(p, piece) <= attainable(p, y, tolerance);
}

/// The problem with ρ on its diagonal that stays near the last good y.
void update_near(const ScaledProblem& p, double rho, const List& good, ScaledProblem& near)
{
    near = p;
    for (std::size_t i = 0; i < p.size(); ++i) {
        near.A[i * p.size() + i] += rho;
        near.b[i] -= rho * good[i];
    }
}

/// Proximal Newton: each problem has one answer, also where contacts are redundant and the matrix
/// is singular.
void iterate_proximal(const ScaledProblem& p, const RowOptions& options, Room& room,
                      int& iterations)
{
    List& next = room.y;
    room.best = room.good = next;
    update_piece(p, next, false, room.piece);
    double least = residual_of(p, room.piece), rho = 0.1;
    const double n = double(p.size());
    const int most =
        int(std::clamp(kWork / (n * n * n), double(kLeastIterations), double(options.iterations)));
    while (iterations < most && !is_stopping()) {
        update_near(p, rho, room.good, room.near);
        next = room.good;
        const int limit = std::min(options.proximal_iterations, most - iterations);
        const int before = iterations;
        const bool has_solved =
            iterate(room.near, options.tolerance, limit, next, room, iterations);
        iterations = std::max(iterations, before + 1); // the loop ends
        update_piece(p, next, false, room.piece);
        if (const double residual = residual_of(p, room.piece); residual < least) {
            least = residual;
            room.best = next;
        }
        if (least <= attainable(p, room.best, kProximal * options.tolerance))
            break;
        if (has_solved)
            room.good = next;
        rho *= has_solved ? 0.5 : 4;
    }
    room.y = room.best;
}

void set_side(const ScaledProblem& p, List& y)
{
    for (std::size_t i = 0; i < p.size(); ++i)
        y[i] = -p.b[i];
}

/// All rows equal: A y = −b, refined. Of redundant rows the smallest solution, which is continuous
/// in time while the rank stays; of those that contradict each other the least violating one, which
/// leaves alone what would have to move far for little.
void solve_direct(const ScaledProblem& p, double tolerance, Room& room)
{
    List& y = room.y;
    set_side(p, y);
    if (p.size() == 0)
        return;
    const bool is_regular = solve_general(p.A, room, y);
    update_piece(p, y, false, room.piece);
    if (is_regular) {
        room.lu.solve(room.piece.F);
        for (std::size_t i = 0; i < p.size(); ++i)
            y[i] -= room.piece.F[i];
    } else if (!(residual_of(p, room.piece) <= attainable(p, y, tolerance))) {
        set_side(p, y);
        room.least.solve(p.A, kContradicting, y);
    }
}

/// Rows that move nothing: how many, and how far their law is from what cannot be changed.
void add_idle_rows(const RowProblem& problem, const Room& room, RowSolveReport& report)
{
    for (std::size_t i = 0; i < problem.law.size(); ++i) {
        if (!room.is_awake[i] || room.place[i] < problem.law.size())
            continue;
        const Law law = problem.law[i];
        const double q = problem.q[Index(i)];
        const double error = law == Law::equal  ? std::abs(q)
                             : law == Law::push ? std::max(0.0, -q)
                                                : 0;
        ++report.idle_rows;
        report.idle_residual = std::max(report.idle_residual, error);
    }
}

/// The rows that are awake, as scaled impulses.
void begin(const RowProblem& problem, const VectorXd& impulse, Room& room)
{
    const ScaledProblem& p = room.scaled;
    update_scaled(problem, room.is_awake, room.place, room.scaled);
    room.y.resize(p.size());
    for (std::size_t i = 0; i < p.size(); ++i)
        room.y[i] = impulse[p.row[i]] * p.scale[i];
}

RowSolveReport solve_awake(const RowProblem& problem, const RowOptions& options, Room& room,
                           VectorXd& impulse)
{
    begin(problem, impulse, room);
    const ScaledProblem& p = room.scaled;
    RowSolveReport report;
    if (std::ranges::all_of(p.law, [](Law law) { return law == Law::equal; })) {
        solve_direct(p, options.tolerance, room);
        report.iterations = 1;
    } else if (!iterate(p, options.tolerance, options.newton_iterations, room.y, room,
                        report.iterations)) {
        report.proximal = true;
        iterate_proximal(p, options, room, report.iterations);
    }
    update_piece(p, room.y, false, room.piece);
    report.residual = residual_of(p, room.piece);
    const double wanted = (report.proximal ? kProximal : 1) * options.tolerance;
    report.converged = report.residual <= attainable(p, room.y, wanted);
    add_idle_rows(problem, room, report);
    impulse.setZero();
    for (std::size_t i = 0; i < p.size(); ++i)
        impulse[p.row[i]] = room.y[i] / p.scale[i];
    return report;
}

} // namespace

double compute_row_residual(const RowProblem& problem, const VectorXd& impulse) noexcept
{
    RowMemory memory;
    Room& room = memory.room();
    room.is_awake.assign(problem.law.size(), 1);
    begin(problem, impulse, room);
    update_piece(room.scaled, room.y, false, room.piece);
    return residual_of(room.scaled, room.piece);
}

// ---------------------------------------------------------------- contacts that sleep

namespace {

constexpr Index kFew = 24;     // rows: fewer are solved at once
constexpr int kMostRounds = 8; // of waking

/// w of the laws at `impulse`.
void update_velocities(const RowProblem& problem, const VectorXd& impulse, VectorXd& w)
{
    w = problem.q + problem.compliance.cwiseProduct(impulse);
    for (Index k = 0; k < impulse.size(); ++k)
        if (impulse[k] != 0)
            w += problem.C.col(k) * impulse[k];
}

/// Wakes contacts that would be violated by more than `allowed`, with their friction. True if any.
bool wake(const RowProblem& problem, const VectorXd& w, double allowed, std::vector<char>& is_awake)
{
    bool has_woken = false, wakes = false;
    for (std::size_t i = 0; i < is_awake.size(); ++i) {
        if (!follows_push(problem.law[i]))
            wakes = problem.law[i] == Law::push && !is_awake[i] && w[Index(i)] < -allowed;
        is_awake[i] |= char(wakes);
        has_woken |= wakes;
    }
    return has_woken;
}

/// Who is awake at first: all but contacts that neither push nor are about to.
void find_awake(const RowProblem& problem, const VectorXd& impulse, Room& room)
{
    bool sleeps = false;
    for (std::size_t i = 0; i < room.is_awake.size(); ++i) {
        if (!follows_push(problem.law[i]))
            sleeps = problem.law[i] == Law::push && impulse[Index(i)] == 0;
        room.is_awake[i] = !sleeps;
    }
    update_velocities(problem, impulse, room.w);
    wake(problem, room.w, 0, room.is_awake);
}

/// The last round is what counts, and what all took.
void add_round(const RowSolveReport& round, RowSolveReport& report)
{
    const int before = report.iterations;
    const bool was_proximal = report.proximal;
    report = round;
    report.iterations += before;
    report.proximal |= was_proximal;
}

} // namespace

/// Contacts that do not push are left out until they would be violated: what is then solved is the
/// whole problem, for they obey their law without an impulse.
RowSolveReport solve_rows(const RowProblem& problem, const RowOptions& options, VectorXd& impulse,
                          RowMemory& memory) noexcept
{
    Room& room = memory.room();
    room.is_awake.assign(problem.law.size(), 1);
    if (problem.size() <= kFew)
        return solve_awake(problem, options, room, impulse);
    find_awake(problem, impulse, room);
    RowSolveReport report;
    for (int round = 0; round < kMostRounds && !is_stopping(); ++round) {
        if (std::ranges::all_of(room.is_awake, [](char awake) { return awake != 0; }))
            break;
        add_round(solve_awake(problem, options, room, impulse), report);
        update_velocities(problem, impulse, room.w);
        if (!wake(problem, room.w, options.tolerance, room.is_awake))
            return report;
    }
    std::ranges::fill(room.is_awake, char(1));
    add_round(solve_awake(problem, options, room, impulse), report);
    return report;
}

RowSolveReport solve_rows(const RowProblem& problem, const RowOptions& options,
                          VectorXd& impulse) noexcept
{
    RowMemory memory;
    return solve_rows(problem, options, impulse, memory);
}

} // namespace sinew
