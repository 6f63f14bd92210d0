// The paper's scheme, a step at a time.
//
//   in:  a scene; a state: all coordinates, then their rates; the step
//   out: the state a step later, or what stopped it
//
//   symbol | code          | unit     | meaning
//   -------|---------------|----------|-----------------------------------------
//   f      | residuals     | m or 1   | the equations
//   γ, δ   | stabilisation | 1/s      | equal: critical damping
//   q̈      | accelerations | m/s²     | from M q̈ + Jᵀλ = Q, J q̈ = −(f̈ − J q̈) − 2γḟ − δ²f
//
// Differs from the paper: steps end at the keys of tracks, where velocities are projected.

#include "models/linkage/charli_scheme.h"

#include "base/contract.h"
#include "math/functions.h"
#include "models/linkage/charli_builder.h"
#include "models/linkage/charli_faults.h"
#include "models/linkage/charli_forces.h"
#include "models/linkage/charli_kkt.h"
#include "models/linkage/charli_start.h"
#include "scene/problems.h"

#include <algorithm>

namespace sinew {

using namespace charli_method;

struct CharliScheme::Parts {
    System system;
    std::vector<ImportFunction> imports;
    CharliOptions options;
    double extent = 0; ///< of the mechanism at its start [m]
    std::optional<Kkt> kkt = {};

    Parts(System made, std::vector<ImportFunction> functions, const CharliOptions& chosen)
        : system(std::move(made)), imports(std::move(functions)), options(chosen)
    {
        imports.resize(system.scene.imports.size());
    }

    // Scratch, written before it is read in every step.
    Instant instant = {};
    RowValues rows = {};
    std::vector<char> is_zero = {};
    std::vector<double> forces = {}, right = {}, stage = {}, sum = {}, slope = {};

    std::size_t width() const { return system.width(); }

    void look_at(double t, Side side, double h, std::span<const double> state);
    std::optional<Problem> solve(double noise, std::span<double> out);
    std::optional<Problem> find_slope(double t, Side side, double h, std::span<double> state,
                                      std::span<double> out);
    std::pair<double, std::uint32_t> worst_violation(double ahead) const;
    void choose_extent();
};

namespace {

Problems unbound_imports(const Scene& scene, const std::vector<ImportFunction>& imports)
{
    Problems problems;
    for (std::size_t i = 0; i < scene.imports.size(); ++i)
        if (i >= imports.size() || !imports[i])
            problems.push_back(make_problem(
                scene, Severity::error, "import-unbound", scene.imports[i].origin,
                "imports[" + std::to_string(i) + "]",
                "import '" + scene.imports[i].name + "' has no function", "bind it to one"));
    return problems;
}

/// The first entry that is no finite number.
std::optional<std::size_t> find_not_finite(std::span<const double> values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!is_finite(values[i]))
            return i;
    return std::nullopt;
}

} // namespace

CharliScheme::CharliScheme(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
CharliScheme::CharliScheme(CharliScheme&&) noexcept = default;
CharliScheme& CharliScheme::operator=(CharliScheme&&) noexcept = default;
CharliScheme::~CharliScheme() = default;

Result<CharliScheme> CharliScheme::create(const Scene& scene,
                                          const std::vector<ImportFunction>& imports,
                                          const CharliOptions& options)
{
    SINEW_EXPECTS(options.stabilisation >= 0);
    if (Problems problems = unbound_imports(scene, imports); !problems.empty())
        return problems;
    Result<System> system = build_system(scene);
    if (!system)
        return system.problems();
    constexpr std::size_t kMostDense = 5000; // a matrix of 200 MB
    const std::size_t size = system->unknowns.size() + system->rows.size();
    if (options.solver == CharliSolver::dense && size > kMostDense)
        return make_problem(scene, Severity::error, "too-large", {}, "linkages",
                            "elimination with all zeros would need a matrix of " +
                                std::to_string(size) + " rows",
                            "use the sparse solver");
    CharliScheme scheme(std::make_unique<Parts>(std::move(*system), imports, options));

    std::vector<double> coordinates, rates, state(scheme.state_size());
    for (const Coordinate& coordinate : scene.coordinates) {
        coordinates.push_back(coordinate.initial);
        rates.push_back(coordinate.initial_rate);
    }
    Parts& parts = *scheme.parts_;
    scheme.start(scene.settings.start, coordinates, rates, state);
    parts.look_at(scene.settings.start, Side::after, 0, state);
    parts.choose_extent();
    parts.kkt.emplace(parts.system, options.solver, parts.rows);
    return scheme;
}

std::size_t CharliScheme::state_size() const { return 2 * parts_->width(); }

void CharliScheme::start(double t, std::span<const double> coordinates,
                         std::span<const double> rates, std::span<double> state) const
{
    SINEW_EXPECTS(state.size() == state_size());
    const std::size_t n = parts_->width();
    std::fill(state.begin(), state.end(), 0.0);
    place_unknowns(parts_->system, parts_->imports, t, Places::find, coordinates, rates,
                   state.first(n), state.subspan(n));
}

void CharliScheme::read(std::span<const double> state, std::span<double> coordinates,
                        std::span<double> rates) const
{
    const std::size_t n = parts_->width();
    read_coordinates(parts_->system, state.first(n), state.subspan(n), coordinates, rates);
}

void CharliScheme::Parts::choose_extent()
{
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
        if (system.unknowns[j].is_length)
            extent = std::max(extent, abs(instant.values[j]));
    for (const Distance& distance : system.distances)
        extent = std::max(extent, abs(instant.value(distance.length)));
    extent = extent > 0 ? extent : 1;
}

/// The knowns and the equations at an instant. At the start of a step, or behind a key, it is also
/// chosen which distances are zero.
void CharliScheme::Parts::look_at(double t, Side side, double h, std::span<const double> state)
{
    instant.time = t;
    instant.side = side;
    instant.step = h;
    instant.values = state.first(width());
    instant.rates = state.subspan(width());
    update_instant(system, imports, instant);
    if (side == Side::after)
        update_zeros(system, instant, is_zero);
    update_rows(system, instant, is_zero, rows);
}

/// M x + Jᵀλ = forces, J x = right.
std::optional<Problem> CharliScheme::Parts::solve(double noise, std::span<double> out)
{
    if (const auto j = find_not_finite(instant.values))
        return not_finite(system, instant.time, std::uint32_t(*j));
    if (auto problem = find_not_finite(system, instant))
        return problem;
    if (const auto j = find_not_finite(forces))
        return not_finite(system, instant.time, std::uint32_t(*j));
    for (std::size_t i = 0; i < right.size(); ++i)
        if (!is_finite(right[i]))
            return contradiction(system, instant, std::uint32_t(i));
    const Solution solution = kkt->solve(rows, forces, right, noise, out);
    if (solution.is_singular)
        return no_mass(system, instant, solution);
    if (solution.contradiction != kNone)
        return contradiction(system, instant, solution.contradiction);
    if (const auto j = find_not_finite(out))
        return not_finite(system, instant.time, std::uint32_t(*j));
    return std::nullopt;
}

/// The rate of the state: velocities and accelerations.
std::optional<Problem> CharliScheme::Parts::find_slope(double t, Side side, double h,
                                                       std::span<double> state,
                                                       std::span<double> out)
{
    const std::size_t n = width(), unknowns = system.unknowns.size();
    update_follower_rates(system, state.first(n), state.subspan(n));
    look_at(t, side, h, state);
    forces.resize(unknowns);
    update_forces(system, imports, instant, forces);
    const double gamma = min(options.stabilisation, 1 / h);
    right.resize(system.rows.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
        const Jet2& f = rows.residuals[i];
        right[i] = -f.second - 2 * gamma * f.first - gamma * gamma * f.value;
    }
    std::copy(state.begin() + std::ptrdiff_t(n), state.end(), out.begin());
    std::fill(out.begin() + std::ptrdiff_t(n), out.end(), 0.0);
    return solve(1e-9 * extent * (1 + gamma * gamma), out.subspan(n, unknowns));
}

/// The largest violation in metres that an equation has, or would have `ahead` seconds later at its
/// present rate, and its row.
std::pair<double, std::uint32_t> CharliScheme::Parts::worst_violation(double ahead) const
{
    std::pair<double, std::uint32_t> worst{0, kNone};
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
        const Row& row = system.rows[i];
        const Jet2& f = rows.residuals[i];
        const bool is_square = row.kind == RowKind::distance && rows.floors[i] > 0;
        const double unit = is_square ? 1 / rows.floors[i] : row.is_length ? 1 : extent;
        const double violation = unit * (abs(f.value) + ahead * abs(f.first));
        if (violation > worst.first)
            worst = {violation, std::uint32_t(i)};
    }
    return worst;
}

std::optional<Problem> CharliScheme::step(double t, double h, std::span<double> state)
{
    SINEW_EXPECTS(h > 0 && state.size() == state_size());
    Parts& p = *parts_;
    const std::size_t n = p.width();
    p.stage.assign(state.begin(), state.end());
    p.sum.assign(state.begin(), state.end());
    p.slope.resize(state.size());

    // Runge-Kutta of order four: weights 1/6, 1/3, 1/3, 1/6 at t, t + h/2 twice, t + h.
    constexpr double kAt[] = {0, 0.5, 0.5, 1}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double violation = 0;
    for (int i = 0; i < 4; ++i) {
        if (i > 0)
            for (std::size_t k = 0; k < state.size(); ++k)
                p.stage[k] = state[k] + kAt[i] * h * p.slope[k];
        const Side side = i == 0 ? Side::after : Side::before;
        if (auto problem = p.find_slope(t + kAt[i] * h, side, h, p.stage, p.slope))
            return problem;
        if (i == 0) {
            violation = p.worst_violation(h).first;
            if (auto problem = find_import_of_state(p.system, p.imports, p.instant))
                return problem;
        }
        for (std::size_t k = 0; k < state.size(); ++k)
            p.sum[k] += kWeight[i] * h * p.slope[k];
    }
    const std::span<double> next = p.sum;
    if (const auto k = find_not_finite(next))
        return not_finite(p.system, t + h,
                          std::uint32_t(std::min(*k % n, p.system.unknowns.size() - 1)));
    settle_followers(p.system, next.first(n));
    update_follower_rates(p.system, next.first(n), next.subspan(n));

    p.look_at(t + h, Side::before, h, next);
    constexpr double kLost = 0.05; // of the mechanism's size, in one step
    const auto [now, row] = p.worst_violation(0);
    if (now > kLost * p.extent + 2 * violation)
        return constraint_lost(p.system, t + h, row, now);
    std::copy(next.begin(), next.end(), state.begin());
    return std::nullopt;
}

std::optional<Problem> CharliScheme::pass_key(double t, std::span<double> state)
{
    SINEW_EXPECTS(state.size() == state_size());
    Parts& p = *parts_;
    const std::size_t n = p.width(), unknowns = p.system.unknowns.size();
    p.sum.assign(state.begin(), state.end());
    const std::span<double> next = p.sum;
    p.look_at(t, Side::before, 0, next);
    const std::vector<Jet2> before = p.instant.knowns;
    p.look_at(t, Side::after, 0, next);
    const bool is_jump =
        !std::equal(before.begin(), before.end(), p.instant.knowns.begin(),
                    [](const Jet2& a, const Jet2& b) { return a.value == b.value; });
    if (is_jump) {
        std::vector<double> places(next.begin(), next.begin() + std::ptrdiff_t(n)), rates(n);
        place_unknowns(p.system, p.imports, t, Places::keep, p.instant.coordinates,
                       p.instant.coordinate_rates, places, rates);
        std::copy(places.begin(), places.end(), next.begin());
        p.look_at(t, Side::after, 0, next);
    }

    // M Δv + Jᵀμ = 0, J Δv = −ḟ
    p.forces.assign(unknowns, 0.0);
    p.right.resize(p.system.rows.size());
    for (std::size_t i = 0; i < p.right.size(); ++i)
        p.right[i] = -p.rows.residuals[i].first;
    p.slope.resize(unknowns);
    if (auto problem = p.solve(1e-9 * p.extent, std::span(p.slope).first(unknowns)))
        return problem;
    for (std::size_t j = 0; j < unknowns; ++j)
        next[n + j] += p.slope[j];
    update_follower_rates(p.system, next.first(n), next.subspan(n));
    std::copy(next.begin(), next.end(), state.begin());
    return std::nullopt;
}

} // namespace sinew
