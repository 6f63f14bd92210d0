// Accelerations at an instant.
//
//   symbol | code                | unit   | meaning
//   -------|---------------------|--------|-------------------------------------------------------
//   f      | rows.residuals      | m or 1 | the equations
//   γ, δ   | gamma               | 1/s    | equal: critical damping
//   Q      | forces              | N      | applied forces
//   b      | right               | m/s²   | what J q̈ is to be, so that f̈ + 2γḟ + δ²f = 0

#include "models/linkage/paper/evaluator.h"

#include "math/functions.h"
#include "models/linkage/paper/equations/forces.h"
#include "models/linkage/paper/faults.h"
#include "models/linkage/paper/start.h"

#include <algorithm>

namespace sinew::charli_method {

std::optional<std::size_t> find_not_finite(std::span<const double> values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!is_finite(values[i]))
            return i;
    return std::nullopt;
}

Evaluator::Evaluator(System made, std::vector<ImportFunction> functions,
                     const CharliOptions& chosen)
    : system(std::move(made)), imports(std::move(functions)), options(chosen)
{
    imports.resize(system.scene.imports.size());
}

void Evaluator::prepare()
{
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
        if (system.unknowns[j].is_length)
            extent = std::max(extent, abs(instant.values[j]));
    for (const Distance& distance : system.distances)
        extent = std::max(extent, abs(instant.value(distance.length)));
    extent = extent > 0 ? extent : 1;
    kkt.emplace(system, options.solver, rows);
}

void Evaluator::look_at(double t, Side side, double h, std::span<const double> state)
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

std::optional<Problem> Evaluator::solve(double noise, std::span<double> out)
{
    if (const auto j = find_not_finite(instant.values))
        return not_finite(system, instant.time, std::uint32_t(*j));
    if (auto problem = find_not_finite(system, instant))
        return problem;
    if (const auto j = find_not_finite(forces))
        return not_finite(system, instant.time, std::uint32_t(*j));
    for (std::size_t i = 0; i < right.size(); ++i)
        if (!is_finite(right[i]) && system.rows[i].column_count > 0)
            return not_finite(system, instant.time, system.columns[system.rows[i].first_column]);
    const Solution solution = kkt->solve(rows, forces, right, noise, out);
    if (solution.is_singular)
        return no_mass(system, instant, solution);
    if (solution.contradiction != kNone)
        return contradiction(system, instant, solution.contradiction);
    if (const auto j = find_not_finite(out))
        return not_finite(system, instant.time, std::uint32_t(*j));
    return std::nullopt;
}

std::optional<Problem> Evaluator::find_slope(double t, Side side, double h, std::span<double> state,
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

std::pair<double, std::uint32_t> Evaluator::worst_violation(double ahead) const
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

} // namespace sinew::charli_method
