// Newton over bodies: minimises ½ |v − v_c|²_M + Σ ψ(J v), the augmented Lagrangian of the contact
// laws with the present impulses as multipliers λ̂.                                    [eqs 5, 6]
//
//   λ(v) = max(0, λ̂ − ρ (w + b)),   f(v) = P_disc(f̂ − ρ u),   ρ = κ s / K_ii
//   grad = M (v − v_c) − Jᵀ (λ(v) − λ̂)
//   H    = M + Σ Eᵀ S E,  S: ρ N Nᵀ of points in force; friction ρ, or ρ R/|s| where it slips
//
// Bounds of friction are those of λ̂ (lagged: else there is no energy to descend), the stiffness of
// slipping friction is the secant, not the tangent, which is zero along the slip.

#include "models/rigid/islands/island_solver.h"
#include "sinew/stop.h"

#include <algorithm>
#include <utility>

namespace sinew {

/// A patch's impulses at a velocity, and how stiff they are.
struct IslandSolver::Model {
    std::array<double, 4> lambda = {};
    std::array<double, 3> f = {};
    std::uint32_t active = 0; ///< bits: points, stick, no turn

    Model(const Patch& p, const Wrench6& U, double penalty, double (*S)[6])
    {
        const double kappa = penalty * p.stiffness;
        for (int i = 0; i < p.count; ++i)
            add_point(p, i, kappa / p.K[i][i], point_velocity(p, i, U), S);
        add_friction(p, kappa / p.slip, U, S);
        if (p.has_twist)
            add_twist(p, kappa / p.turn, U[5], S);
    }

    /// As if all that touches held fast, whichever way it is pulled.
    static Model held(const Patch& p, const Wrench6& U, double penalty, double least_gap,
                      double (*S)[6])
    {
        constexpr double kGrip = 0.3; // measured: 0.1 to 0.4 guesses best
        Model model;
        const double kappa = penalty * p.stiffness;
        for (int i = 0; i < p.count; ++i)
            if (p.bias[std::size_t(i)] < least_gap)
                model.hold_point(p, i, kappa / p.K[i][i], point_velocity(p, i, U), S);
        if (!model.active)
            return model;
        const double rho = kGrip * kappa / p.slip,
                     turning = p.has_twist ? kGrip * kappa / p.turn : 0;
        model.f = {p.f[0] - rho * U[0], p.f[1] - rho * U[1], p.f[2] - turning * U[5]};
        if (S) {
            S[0][0] += rho;
            S[1][1] += rho;
            S[5][5] += turning;
        }
        return model;
    }

private:
    Model() = default;

    void hold_point(const Patch& p, int i, double rho, double w, double (*S)[6])
    {
        const auto k = std::size_t(i);
        lambda[k] = p.lambda[k] - rho * (w + p.bias[k]);
        stiffen(p, i, rho, S);
    }
    void stiffen(const Patch& p, int i, double rho, double (*S)[6])
    {
        const auto k = std::size_t(i);
        active |= 1u << i;
        const double N[3] = {1, p.y[k], -p.x[k]};
        for (int a = 0; S && a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                S[2 + a][2 + b] += rho * N[a] * N[b];
    }
    void add_point(const Patch& p, int i, double rho, double w, double (*S)[6])
    {
        const auto k = std::size_t(i);
        lambda[k] = max(0.0, p.lambda[k] - rho * (w + p.bias[k]));
        if (lambda[k] > 0)
            stiffen(p, i, rho, S);
    }
    void add_friction(const Patch& p, double rho, const Wrench6& U, double (*S)[6])
    {
        f[0] = p.f[0] - rho * U[0];
        f[1] = p.f[1] - rho * U[1];
        const double size = sqrt(f[0] * f[0] + f[1] * f[1]);
        double share = 1;
        if (size <= p.most_friction)
            active |= 16;
        else
            share = p.most_friction / size;
        f[0] *= share;
        f[1] *= share;
        if (S) {
            S[0][0] += rho * share;
            S[1][1] += rho * share;
        }
    }
    void add_twist(const Patch& p, double rho, double turn, double (*S)[6])
    {
        const double wanted = p.f[2] - rho * turn;
        f[2] = std::clamp(wanted, -p.most_twist, p.most_twist);
        const bool holds = abs(wanted) <= p.most_twist;
        active |= holds ? 32 : 0;
        if (S)
            S[5][5] += holds ? rho : rho * p.most_twist / abs(wanted);
    }
};

namespace {

void add(Row6& row, const Vec3& force, const Vec3& torque, double sign)
{
    row[0] += sign * force.x;
    row[1] += sign * force.y;
    row[2] += sign * force.z;
    row[3] += sign * torque.x;
    row[4] += sign * torque.y;
    row[5] += sign * torque.z;
}

double inner(std::span<const Row6> a, std::span<const Row6> b)
{
    Row6 sum = {};
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5];
}

/// E of one side: from a body's (v, ω) to the patch's twist.
void set_lever(const Patch& p, const Vec3& arm, Matrix6& E)
{
    const Vec3 axes[3] = {p.t1, p.t2, p.n};
    for (int i = 0; i < 3; ++i) {
        const Vec3 turn = cross(arm, axes[i]);
        for (int k = 0; k < 3; ++k) {
            E[i][k] = axes[i][k];
            E[i][3 + k] = turn[k];
            E[3 + i][k] = 0;
            E[3 + i][3 + k] = axes[i][k];
        }
    }
}

void multiply(const Matrix6& A, const Matrix6& B, Matrix6& C)
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            double sum = 0;
            for (int k = 0; k < 6; ++k)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
}

/// C = sign Aᵀ B
void multiply_transposed(const Matrix6& A, const Matrix6& B, double sign, Matrix6& C)
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            double sum = 0;
            for (int k = 0; k < 6; ++k)
                sum += A[k][i] * B[k][j];
            C[i][j] = sign * sum;
        }
}

} // namespace

/// Heavy loads, as multiples of a body's own weight, get stiffer rows, in steps of four with
/// hysteresis. True: the stiffness is another.
static bool stiffen_for(double load, double& stiffness)
{
    constexpr double kLoadUnit = 4, kMost = 1e6;
    const double wanted = load / kLoadUnit;
    if (wanted <= 4 * stiffness && wanted >= 0.06 * stiffness)
        return false;
    double next = 1;
    while (next * 2 < wanted && next < kMost)
        next *= 4;
    return std::exchange(stiffness, next) != next;
}

/// Friction's bounds from the present impulses, and stiffnesses.
void IslandSolver::lag_bounds()
{
    for (Patch* patch : patches) {
        Patch& p = *patch;
        const Load load = load_of(p);
        p.most_friction = p.mu * load.sum;
        p.most_twist = p.mu * load.turning;
        is_factored_ &= !stiffen_for(load.sum * p.G[2][2] / settings_.speed, p.stiffness);
    }
}

/// The same for motors and limits.
void IslandSolver::lag_drives()
{
    for (JointRows* rows : joints) {
        double load = 0;
        for (std::size_t i = rows->equal_count; i < rows->count; ++i)
            load = max(load, abs(rows->row[i].impulse) * rows->row[i].response);
        is_factored_ &= !stiffen_for(load / settings_.speed, rows->stiffness);
    }
}

/// ρ of a motor or limit; what gives way is as stiff as it is.
double IslandSolver::stiffness_of(const JointRow& row, const JointRows& rows) const
{
    return row.give > 0 ? 1 / row.give : penalty_ * rows.stiffness / row.response;
}

/// λ(v) = λ̂ − ρ (w + b) within its bounds: a joint's law is that of a contact with others. What
/// gives way needs no multiplier.
double IslandSolver::joint_impulse(const JointRow& row, const JointRows& rows) const
{
    const double w = row_velocity(row, body(rows.a), body(rows.b)) + row.bias;
    const double held = row.give > 0 ? 0 : row.impulse;
    return std::clamp(held - stiffness_of(row, rows) * w, row.low, row.high);
}

void IslandSolver::add_drive_gradient(const JointRows& rows)
{
    const std::uint32_t a = node_[rows.a], b = node_[rows.b];
    for (std::size_t i = rows.equal_count; i < rows.count; ++i) {
        const JointRow& row = rows.row[i];
        const double next = joint_impulse(row, rows), by = next - row.impulse;
        active_ =
            (active_ ^ std::uint64_t(next > row.low && next < row.high)) * 0x9e3779b97f4a7c15ull;
        if (b != kFixed)
            add(right_[b], row.l, row.turn_b, by);
        if (a != kFixed)
            add(right_[a], row.l, row.turn_a, -by);
    }
}

void IslandSolver::add_drive_stiffness(const JointRows& rows)
{
    const std::uint32_t a = node_[rows.a], b = node_[rows.b];
    Matrix6 aa = {}, bb = {}, ab = {};
    if (rows.count == rows.equal_count)
        return;
    for (std::size_t i = rows.equal_count; i < rows.count; ++i) {
        const JointRow& row = rows.row[i];
        const double next = joint_impulse(row, rows);
        if (!(next > row.low && next < row.high))
            continue;
        const double rho = stiffness_of(row, rows);
        const double ja[6] = {row.l.x, row.l.y, row.l.z, row.turn_a.x, row.turn_a.y, row.turn_a.z};
        const double jb[6] = {row.l.x, row.l.y, row.l.z, row.turn_b.x, row.turn_b.y, row.turn_b.z};
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) {
                aa[r][c] += rho * ja[r] * ja[c];
                bb[r][c] += rho * jb[r] * jb[c];
                ab[r][c] -= rho * ja[r] * jb[c];
            }
    }
    if (a != kFixed)
        add_body_block(a, aa);
    if (b != kFixed)
        add_body_block(b, bb);
    if (a != kFixed && b != kFixed)
        add_link_block(a, b, ab);
}

void IslandSolver::add_body_block(std::uint32_t node, const Matrix6& S)
{
    if (stiff_)
        stiff_->add_body(node, S);
    else
        cholesky_->add_diagonal(node, S);
}

void IslandSolver::add_link_block(std::uint32_t a, std::uint32_t b, const Matrix6& S)
{
    if (stiff_)
        stiff_->add_link(a, b, S);
    else
        cholesky_->add_link(a, b, S);
}

Matrix6& IslandSolver::mass_block(std::uint32_t node, Matrix6& M) const
{
    for (int k = 0; k < 3; ++k) {
        M[k][k] = mass_of(node);
        for (int j = 0; j < 3; ++j)
            M[3 + k][3 + j] = inertia_[node](k, j);
    }
    return M;
}

IslandSolver::Model IslandSolver::model_of(const Patch& p, double (*S)[6]) const
{
    constexpr double kTouching = 0.1; // of |g| h: nearer than it falls in a tenth of the step
    const Wrench6 U = relative_twist(p, body(p.a), body(p.b));
    return presumes_rest_ ? Model::held(p, U, penalty_, kTouching * settings_.speed, S)
                          : Model(p, U, penalty_, S);
}

/// −grad into `right_`; returns the largest |grad|/m [m/s].
double IslandSolver::update_gradient()
{
    right_.assign(members.size(), Row6{});
    active_ = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SolverBody& moving = body(members[k]);
        add(right_[k], (moving.v - centre_[k].v) * mass_of(k),
            inertia_[k] * (moving.w - centre_[k].w), -1);
    }
    for (const Patch* patch : patches) {
        const Patch& p = *patch;
        const Model model = model_of(p, nullptr);
        active_ = (active_ ^ model.active) * 0x9e3779b97f4a7c15ull;
        Wrench6 W = wrench_of(p, model.lambda, model.f);
        const Wrench6 before = wrench_of(p, p.lambda, p.f);
        for (std::size_t k = 0; k < 6; ++k)
            W[k] -= before[k];
        const Vec3 F = to_world(p, W[0], W[1], W[2]), T = to_world(p, W[3], W[4], W[5]);
        if (node_[p.b] != kFixed)
            add(right_[node_[p.b]], F, cross(p.arm_b, F) + T, 1);
        if (node_[p.a] != kFixed)
            add(right_[node_[p.a]], F, cross(p.arm_a, F) + T, -1);
    }
    for (const JointRows* rows : joints)
        add_drive_gradient(*rows);
    for_each_held([&](const JointRows& rows, const JointRow& row, std::size_t i) {
        if (node_[rows.b] != kFixed)
            add(right_[node_[rows.b]], row.l, row.turn_b, multiplier_[i]);
        if (node_[rows.a] != kFixed)
            add(right_[node_[rows.a]], row.l, row.turn_a, -multiplier_[i]);
    });
    double worst = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Row6& row = right_[k];
        worst = max(worst, sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) / mass_of(k));
    }
    return worst;
}

bool IslandSolver::refactor()
{
    ++factor_count;
    if (stiff_)
        stiff_->clear();
    else
        cholesky_->clear();
    for (std::uint32_t n = 0; n < members.size(); ++n) {
        Matrix6 M = {};
        add_body_block(n, mass_block(n, M));
    }
    for (const Patch* patch : patches) {
        const Patch& p = *patch;
        Matrix6 S = {}, Ea, Eb, SE, X;
        model_of(p, S); // for its stiffness
        set_lever(p, p.arm_a, Ea);
        set_lever(p, p.arm_b, Eb);
        multiply(S, Eb, SE);
        if (node_[p.b] != kFixed) {
            multiply_transposed(Eb, SE, 1, X);
            add_body_block(node_[p.b], X);
        }
        if (node_[p.a] == kFixed)
            continue;
        if (node_[p.b] != kFixed) {
            multiply_transposed(Ea, SE, -1, X);
            add_link_block(node_[p.a], node_[p.b], X);
        }
        multiply(S, Ea, SE);
        multiply_transposed(Ea, SE, 1, X);
        add_body_block(node_[p.a], X);
    }
    for (const JointRows* rows : joints)
        add_drive_stiffness(*rows);
    if (!stiff_)
        return is_factored_ = cholesky_->factor();
    set_held_rows(*stiff_);
    return is_factored_ = stiff_->factor();
}

/// A step of Newton from `right_`; along it no row that always holds changes what it is off by
/// but to nothing.
void IslandSolver::solve_step()
{
    ++solve_count;
    step_ = right_;
    if (!stiff_)
        return cholesky_->solve(step_);
    held_errors(held_step_);
    stiff_->solve(step_, held_step_);
}

void IslandSolver::move(double share)
{
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Row6& d = step_[k];
        SolverBody& moving = body(members[k]);
        moving.v += Vec3{d[0], d[1], d[2]} * share;
        moving.w += Vec3{d[3], d[4], d[5]} * share;
    }
    for (std::size_t i = 0; i < multiplier_.size(); ++i)
        multiplier_[i] += held_step_[i] * share;
}

/// To where the slope along the step is small, by regula falsi; returns the defect there.
double IslandSolver::search_along(double slope, double defect, double goal)
{
    constexpr int kMostTrials = 4;
    double at = 0, to = 1;
    for (int trial = 0; trial < kMostTrials; ++trial) {
        move(to - at);
        at = to;
        defect = update_gradient();
        const double now = inner(right_, step_);
        if (abs(now) <= 0.3 * slope || defect < goal)
            break;
        to = min(at * slope / max(slope - now, 1e-3 * slope), 4 * at);
        if (abs(to - at) < 0.02)
            break;
    }
    return defect;
}

void IslandSolver::take_impulses()
{
    for (Patch* p : patches) {
        const Model model = model_of(*p, nullptr);
        p->lambda = model.lambda;
        p->f = model.f;
    }
    for (JointRows* rows : joints)
        for (std::size_t i = rows->equal_count; i < rows->count; ++i)
            rows->row[i].impulse = joint_impulse(rows->row[i], *rows);
    for_each_held(
        [&](const JointRows&, JointRow& row, std::size_t i) { row.impulse += multiplier_[i]; });
    rebuild();
}

/// Impulses for an island of which nothing is known: those that would hold all that touches as if
/// it were glued, softer along the faces than across them: one linear solve, then within their
/// bounds. Where things are to stay at rest that is nearly the answer; from nothing Newton would
/// find who carries whom layer by layer.
void IslandSolver::presume_rest()
{
    presumes_rest_ = true;
    set_centre();
    update_gradient();
    if (refactor()) {
        solve_step();
        move(1);
        take_impulses();
        presumes_rest_ = false;
        pack(x_);
        unpack(x_, true);
    }
    presumes_rest_ = false;
}

/// Newton starts here, with the present impulses as multipliers.
void IslandSolver::set_centre()
{
    remember(centre_);
    multiplier_.assign(held_.empty() ? 0 : held_row_count(), 0.0);
}

/// False when the matrix cannot be factored; then nothing has changed.
bool IslandSolver::run_newton()
{
    lag_bounds();
    lag_drives();
    set_centre();
    const double goal = (is_masonry() ? 0.05 : 0.3) * settings_.tolerance;
    double defect = update_gradient();
    bool is_new = false; // the factor was made in this call
    bool must_factor = !is_factored_;
    for (int i = 0; i < settings_.newton && defect > goal && !is_stopping(); ++i) {
        if (must_factor) {
            if (!refactor()) {
                recall(centre_);
                return false;
            }
            is_new = true;
        }
        const std::uint64_t active = active_;
        solve_step();
        const double before = defect;
        defect = search_along(inner(right_, step_), defect, goal);
        must_factor = defect > 0.3 * before && !(is_new && active == active_);
    }
    take_impulses();
    return true;
}

} // namespace sinew
