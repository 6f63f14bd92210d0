// The paper's scheme, a step at a time.
//
//   in:  a scene; a state: all coordinates, then their rates; the step
//   out: the state a step later, or what stopped it
//
// Differs from the paper: steps end at the keys of tracks, where velocities are projected.

#include "models/linkage/paper/scheme.h"

#include "base/contract.h"
#include "math/functions.h"
#include "models/linkage/paper/builder.h"
#include "models/linkage/paper/evaluator.h"
#include "models/linkage/paper/faults.h"
#include "models/linkage/paper/start.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

using namespace charli_method;

struct CharliScheme::Parts : Evaluator {
    using Evaluator::Evaluator;

    std::vector<double> stage = {}, sum = {}, slope = {}; ///< scratch
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
    parts.prepare();
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
