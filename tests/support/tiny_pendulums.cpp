#include "solve/rows/row_stages.h"
#include "support/tiny_models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew::test {

namespace {

using Pair = std::array<double, 2>;

/// A symmetric 2×2 matrix.
struct Sym2 {
    double a = 0, b = 0, c = 0;
    Pair operator*(const Pair& y) const { return {a * y[0] + b * y[1], b * y[0] + c * y[1]}; }
    Sym2 inverse() const
    {
        const double det = a * c - b * b;
        return {c / det, -b / det, a / det};
    }
};

struct Inverses final : Scratch {
    std::vector<Sym2> W_inverse;
};

const Sym2& inverse_of(const Trial& trial, std::uint32_t i)
{
    return static_cast<const Inverses&>(*trial.scratch).W_inverse[i];
}

Pair load_pair(const std::vector<double>& numbers, std::size_t i)
{
    return {numbers[2 * i], numbers[2 * i + 1]};
}

void store_pair(std::vector<double>& numbers, std::size_t i, const Pair& value)
{
    numbers[2 * i] = value[0];
    numbers[2 * i + 1] = value[1];
}

Sym2 mass_matrix(const Pendulums::Pendulum& p, const Pair& q)
{
    const double m = p.mass[0] + p.mass[1];
    return {m * p.length[0] * p.length[0],
            p.mass[1] * p.length[0] * p.length[1] * std::cos(q[0] - q[1]),
            p.mass[1] * p.length[1] * p.length[1]};
}

/// Gravity and what turning links do to each other; M q̈ = force.
Pair force_of(const Pendulums::Pendulum& p, double g, const Pair& q, const Pair& v)
{
    const double m = p.mass[0] + p.mass[1];
    const double s = p.mass[1] * p.length[0] * p.length[1] * std::sin(q[0] - q[1]);
    return {-s * v[1] * v[1] - m * g * p.length[0] * std::sin(q[0]),
            s * v[0] * v[0] - p.mass[1] * g * p.length[1] * std::sin(q[1])};
}

/// ∂(end of link e)/∂q_i, for i ≤ e.
Vec3 lever(const Pendulums::Pendulum& p, const Pair& q, int i)
{
    return Vec3{std::cos(q[std::size_t(i)]), std::sin(q[std::size_t(i)]), 0} * p.length[i];
}

/// Jᵀ d of a wrench at the end of link `element`.
Pair generalised(const Pendulums::Pendulum& p, const Pair& q, std::uint32_t element,
                 const Wrench& d)
{
    const Pair upper = {dot(lever(p, q, 0), d.force), 0};
    if (element == 0)
        return {upper[0] + d.torque.z, 0};
    return {upper[0], dot(lever(p, q, 1), d.force) + d.torque.z};
}

/// Σ Jᵀ d λ over the touches.
Pair load_of(const Pendulums::Pendulum& p, const Pair& q, std::span<const Touch> touches,
             const RowSet& rows, const std::vector<double>& plus, const std::vector<double>* minus)
{
    Pair sum = {0, 0};
    for (const Touch& touch : touches) {
        const double impulse = plus[touch.row] - (minus ? (*minus)[touch.row] : 0);
        const Pair d =
            generalised(p, q, rows.site[touch.side].element, rows.direction[touch.direction]);
        sum = {sum[0] + d[0] * impulse, sum[1] + d[1] * impulse};
    }
    return sum;
}

Pair stage_residual(const Pendulums::Pendulum& p, double g, const Cohort& cohort,
                    const Member& member, const RowSet& rows, const std::vector<double>& impulse,
                    double theta, const Trial& trial)
{
    const Pair q = load_pair(trial.state.x, member.block),
               v = load_pair(trial.state.v, member.block),
               base = load_pair(trial.v_base, member.block);
    const Pair momentum = mass_matrix(p, q) * Pair{v[0] - base[0], v[1] - base[1]};
    const Pair force = force_of(p, g, q, v);
    const Pair load = load_of(p, q, cohort.touches_of(member), rows, impulse, nullptr);
    return {momentum[0] - theta * force[0] - load[0], momentum[1] - theta * force[1] - load[1]};
}

Vec3 end_of(const Pendulums::Pendulum& p, const Pair& q, int element)
{
    Vec3 end = p.pivot;
    for (int i = 0; i <= element; ++i)
        end += Vec3{std::sin(q[std::size_t(i)]), -std::cos(q[std::size_t(i)]), 0} * p.length[i];
    return end;
}

double energy_of(const Pendulums::Pendulum& p, double g, const Pair& q, const Pair& v)
{
    const Pair Mv = mass_matrix(p, q) * v;
    return 0.5 * (v[0] * Mv[0] + v[1] * Mv[1]) +
           g * (p.mass[0] * end_of(p, q, 0).y + p.mass[1] * end_of(p, q, 1).y);
}

} // namespace

Pendulums::Pendulums(std::vector<Pendulum> pendulums, double gravity)
    : pendulums_(std::move(pendulums)), gravity_(gravity)
{
    for (std::uint32_t i = 0; i < pendulums_.size(); ++i) {
        shapes_.push_back({.x_first = 2 * i, .x_count = 2, .v_first = 2 * i, .v_count = 2});
        shapes_[i].length = pendulums_[i].length[0] + pendulums_[i].length[1];
    }
}

ModelState Pendulums::start() const
{
    ModelState state;
    for (const Pendulum& p : pendulums_) {
        state.x.insert(state.x.end(), {p.angle[0], p.angle[1]});
        state.v.insert(state.v.end(), {p.rate[0], p.rate[1]});
    }
    return state;
}

Vec3 Pendulums::position(const ModelState& state, std::size_t i, int element) const
{
    return end_of(pendulums_[i], load_pair(state.x, i), element);
}

double Pendulums::energy(const ModelState& state) const
{
    double sum = 0;
    for (std::size_t i = 0; i < pendulums_.size(); ++i)
        sum += energy_of(pendulums_[i], gravity_, load_pair(state.x, i), load_pair(state.v, i));
    return sum;
}

std::unique_ptr<Scratch> Pendulums::make_scratch() const
{
    auto scratch = std::make_unique<Inverses>();
    scratch->W_inverse.resize(pendulums_.size());
    return scratch;
}

void Pendulums::locate(const Trial& trial, double, std::span<const Site> sites,
                       std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::size_t i = sites[s].block.index, e = sites[s].element;
        const Pendulum& p = pendulums_[i];
        const Pair q = load_pair(trial.state.x, i), v = load_pair(trial.state.v, i);
        const Vec3 speed = lever(p, q, 0) * v[0] + (e == 1 ? lever(p, q, 1) * v[1] : Vec3{});
        motions[s] = {.pose = {.rotation = rotation_about(Vec3{0, 0, 1}, q[e]),
                               .translation = end_of(p, q, int(e))},
                      .twist = {{0, 0, v[e]}, speed},
                      .tangent = {}};
    }
}

void Pendulums::begin_stage(const Cohort& cohort, const Stage& stage, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members)
        begin_flat_stage(shapes_[member.block], stage, trial);
}

void Pendulums::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                        Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::uint32_t i = member.block;
        const Pendulum& p = pendulums_[i];
        const Pair q = load_pair(trial.state.x, i), v = load_pair(trial.state.v, i);
        Sym2 W = mass_matrix(p, q);
        const double weight = gravity_ * stage.theta * stage.theta;
        W.a += weight * (p.mass[0] + p.mass[1]) * p.length[0] * std::max(0.0, std::cos(q[0]));
        W.c += weight * p.mass[1] * p.length[1] * std::max(0.0, std::cos(q[1]));
        Sym2& inverse = static_cast<Inverses&>(*trial.scratch).W_inverse[i];
        inverse = W.inverse();
        const Pair r =
            stage_residual(p, gravity_, cohort, member, rows, rows.held, stage.theta, trial);
        const Pair step = inverse * r;
        store_pair(trial.state.v, i, {v[0] - overshoot * step[0], v[1] - overshoot * step[1]});
        if (int(i) == broken)
            trial.state.v[2 * i] = std::numeric_limits<double>::quiet_NaN();
    }
}

void Pendulums::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                        Responses& responses) const noexcept
{
    for (const Member& member : cohort.members) {
        const Pair q = load_pair(trial.state.x, member.block);
        const auto touches = cohort.touches_of(member);
        const auto force = [&](const Touch& touch) {
            return generalised(pendulums_[member.block], q, rows.site[touch.side].element,
                               rows.direction[touch.direction]);
        };
        const std::span<double> C = responses.port_of(member);
        for (std::size_t i = 0; i < touches.size(); ++i) {
            const Pair answer = inverse_of(trial, member.block) * force(touches[i]);
            for (std::size_t j = 0; j < touches.size(); ++j) {
                const Pair d = force(touches[j]);
                C[i * touches.size() + j] = d[0] * answer[0] + d[1] * answer[1];
            }
        }
    }
}

void Pendulums::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                        Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::uint32_t i = member.block;
        const Pair q = load_pair(trial.state.x, i);
        const Pair change =
            inverse_of(trial, i) *
            load_of(pendulums_[i], q, cohort.touches_of(member), rows, rows.impulse, &rows.held);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::size_t at = 2 * i + k;
            if (part == Part::velocity) {
                trial.state.v[at] += change[k];
                trial.state.x[at] = trial.x_base[at] + stage.theta * trial.state.v[at];
            } else if (part == Part::position) {
                trial.state.x[at] += change[k];
            } else {
                trial.v_start[at] += change[k];
            }
        }
    }
}

void Pendulums::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                        const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const Member& member = cohort.members[k];
        const Pendulum& p = pendulums_[member.block];
        const Pair q = load_pair(trial.state.x, member.block),
                   v = load_pair(trial.state.v, member.block);
        const Pair r =
            stage_residual(p, gravity_, cohort, member, rows, rows.impulse, stage.theta, trial);
        reports[k].residual = std::max(std::abs(r[0]), std::abs(r[1]));
        reports[k].potential = energy_of(p, gravity_, q, {0, 0});
        reports[k].kinetic = energy_of(p, gravity_, q, v) - reports[k].potential;
    }
}

void Pendulums::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                              std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) { // classical Runge-Kutta, fine steps
        const std::uint32_t i = cohort.members[k].block;
        const Pendulum& p = pendulums_[i];
        const int count = int(std::ceil((t1 - t0) / 1e-3));
        const double h = (t1 - t0) / count;
        std::array<double, 4> y = {trial.state.x[2 * i], trial.state.x[2 * i + 1],
                                   trial.state.v[2 * i], trial.state.v[2 * i + 1]};
        const auto slope = [&](const std::array<double, 4>& s) {
            const Pair q = {s[0], s[1]}, v = {s[2], s[3]};
            const Pair a = mass_matrix(p, q).inverse() * force_of(p, gravity_, q, v);
            return std::array<double, 4>{v[0], v[1], a[0], a[1]};
        };
        const auto along = [](std::array<double, 4> s, const std::array<double, 4>& d, double f) {
            for (std::size_t n = 0; n < 4; ++n)
                s[n] += f * d[n];
            return s;
        };
        for (int n = 0; n < count; ++n) {
            const auto k1 = slope(y), k2 = slope(along(y, k1, h / 2)),
                       k3 = slope(along(y, k2, h / 2)), k4 = slope(along(y, k3, h));
            for (std::size_t j = 0; j < 4; ++j)
                y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
        }
        store_pair(trial.state.x, i, {y[0], y[1]});
        store_pair(trial.state.v, i, {y[2], y[3]});
        if (int(i) == broken)
            trial.state.v[2 * i] = std::numeric_limits<double>::quiet_NaN();
        reports[k].reached = t1;
        reports[k].steps = count;
    }
}

} // namespace sinew::test
