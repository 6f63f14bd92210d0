#pragma once

#include "models/linkage/paper/builder.h"
#include "models/linkage/paper/equations/forces.h"
#include "models/linkage/paper/equations/kkt.h"
#include "models/linkage/paper/start.h"
#include "scene/reading/equations.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <cmath>
#include <functional>

namespace sinew::test {

using namespace charli_method;

/// A system at one instant, with its equations.
struct CharliLook {
    System system;
    std::vector<ImportFunction> imports;
    std::vector<double> coordinates, rates, state;
    Instant instant;
    RowValues rows;
    std::vector<char> is_zero;

    CharliLook(const Scene& scene, double time, std::vector<ImportFunction> functions = {})
        : imports(std::move(functions))
    {
        Result<System> made = build_system(scene);
        REQUIRE(made);
        system = std::move(*made);
        for (const Coordinate& coordinate : scene.coordinates) {
            coordinates.push_back(coordinate.initial);
            rates.push_back(coordinate.initial_rate);
        }
        const std::size_t n = system.width();
        state.resize(2 * n);
        place_unknowns(system, imports, time, Places::find, coordinates, rates,
                       std::span(state).first(n), std::span(state).subspan(n));
        instant = {.time = time,
                   .values = std::span<const double>(state).first(n),
                   .rates = std::span<const double>(state).subspan(n)};
        update_instant(system, imports, instant);
        update_zeros(system, instant, is_zero);
        update_rows(system, instant, is_zero, rows);
    }

    /// The accelerations of the script's coordinates, where there are any.
    Eigen::VectorXd accelerations(CharliSolver solver, Solution& solution)
    {
        std::vector<double> forces(system.unknowns.size()), right, q(system.unknowns.size());
        update_forces(system, imports, instant, forces);
        for (const Jet2& f : rows.residuals)
            right.push_back(-f.second);
        Kkt kkt(system, solver, rows);
        solution = kkt.solve(rows, forces, right, 1e-9, q);
        Eigen::VectorXd result = Eigen::VectorXd::Zero(Eigen::Index(coordinates.size()));
        for (std::size_t i = 0; i < coordinates.size(); ++i)
            if (const std::uint32_t unknown = system.script_unknowns[i]; unknown != kNone) {
                result(Eigen::Index(i)) = q[unknown];
            } else if (system.script_turns[i] != kNone) {
                const Turn& turn = system.turns[system.script_turns[i]];
                result(Eigen::Index(i)) =
                    state[turn.xi] * q[turn.eta] - state[turn.eta] * q[turn.xi];
            }
        return result;
    }
};

/// The same in the script's coordinates alone: Σ m Jᵀ(J q̈ + J̇ q̇ − a) = Q with rows G q̈ = −g̈, all
/// from positions, which are differentiated numerically along the motion.
inline Eigen::VectorXd
accelerations_by_differences(const Scene& scene, double time,
                             const std::function<Vec3(const MassPoint&)>& pull)
{
    const auto n = Eigen::Index(scene.coordinates.size());
    const auto posture = [&](double s) {
        std::vector<double> q;
        for (const Coordinate& c : scene.coordinates)
            q.push_back(c.initial + s * c.initial_rate);
        return q;
    };
    constexpr double kStep = 1e-3;
    const double offsets[] = {-2 * kStep, -kStep, 0, kStep, 2 * kStep};
    constexpr double weights[] = {-1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12};
    std::vector<std::vector<double>> q;
    std::vector<Kinematics> at;
    for (const double s : offsets)
        q.push_back(posture(s));
    for (std::size_t k = 0; k < 5; ++k)
        at.emplace_back(scene, q[k], time + offsets[k]);

    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd Q = Eigen::VectorXd::Zero(n);
    const CharliLook look(scene, time); // for the list of mass points alone
    std::vector<std::pair<ObjectId, Vec3>> locals;
    for (const Mass& mass : scene.masses)
        locals.push_back({mass.object, {}});
    for (const BoxMass& box : scene.box_masses)
        for (int corner = 0; corner < 8; ++corner)
            locals.push_back({box.object, Vec3{corner & 1 ? box.size.x : -box.size.x,
                                               corner & 2 ? box.size.y : -box.size.y,
                                               corner & 4 ? box.size.z : -box.size.z} *
                                              (0.5 / std::sqrt(3.0))});
    for (std::size_t i = 0; i < locals.size(); ++i) {
        const auto& [object, local] = locals[i];
        const double mass = look.system.masses[i].mass;
        Vec3 bias;
        for (std::size_t k = 0; k < 5; ++k)
            bias += (weights[k] / (kStep * kStep)) * at[k].point(object, local).position;
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, n);
        for (const Partial<Vec3>& partial : at[2].point(object, local).partials)
            if (partial.column != at[2].time_column())
                for (int k = 0; k < 3; ++k)
                    J(k, partial.column) += partial.value[k];
        const Vec3 wanted = pull(look.system.masses[i]) - bias;
        M += mass * J.transpose() * J;
        Q += mass * J.transpose() * Eigen::Vector3d(wanted.x, wanted.y, wanted.z);
    }
    std::vector<std::vector<Equation>> equations;
    for (const Kinematics& kinematics : at)
        equations.push_back(make_equations(scene, kinematics));
    const auto m = Eigen::Index(equations[2].size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + m);
    K.topLeftCorner(n, n) = M;
    b.head(n) = Q;
    for (Eigen::Index i = 0; i < m; ++i) {
        for (const Partial<double>& partial : equations[2][std::size_t(i)].gradient)
            K(n + i, partial.column) = K(partial.column, n + i) = partial.value;
        for (std::size_t k = 0; k < 5; ++k)
            b(n + i) -= weights[k] / (kStep * kStep) * equations[k][std::size_t(i)].residual;
        // The scheme keeps |d|² with zero second derivative: where ġ ≠ 0 that is g̈ = −ġ²/|d|.
        const Equation& equation = equations[2][std::size_t(i)];
        double rate = equation.time_rate;
        for (const Partial<double>& partial : equation.gradient)
            rate += partial.value * scene.coordinates[partial.column].initial_rate;
        if (equation.size > 0)
            b(n + i) -= rate * rate / equation.size;
    }
    return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(K).solve(b).head(n);
}

inline Vec3 charli_fall(const MassPoint&) { return {0, -9.81, 0}; }

} // namespace sinew::test
