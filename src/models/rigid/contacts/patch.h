#pragma once

/// One contact patch: up to four points that share a normal act as one wrench.
///
/// Frame (t1, t2, n) at the mean point c. The relative velocity there is a twist U = (u_t1, u_t2,
/// u_n, ω_t1, ω_t2, ω_n), the impulse a wrench W in the same order; point i at (x_i, y_i) moves
/// with
///
///     w_i = U_n + y_i U_ω1 − x_i U_ω2                                     normal velocity of a
///     point
///
///   law      | w_i + b_i ≥ 0, λ_i ≥ 0, complementary        b = max(gap − band, 0) / h
///   friction | |f| ≤ μ Σ λ_i against the slip, |τ| ≤ μ Σ λ_i r_i against the turn about n

#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

#include <array>

namespace sinew {

/// Velocity of a body being solved for, and how it answers impulses.
struct SolverBody {
    Vec3 v, w;
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::diagonal({0, 0, 0});
    double extra = 0; ///< moment of inertia added about every axis [kg m²]
    double extra_mass = 0;
};

using Wrench6 = std::array<double, 6>;
using Matrix6 = double[6][6];

struct Patch {
    std::uint32_t a = 0, b = 0; ///< bodies
    int count = 0;
    double mu = 0, bounce = 0;
    double sticking = 0, sliding = 0; ///< what mu is, as they begin the step
    double struck = 0;                ///< impulse of impacts, of all points [N s]
    double rolling = 0;               ///< arm [m]: |ρ| ≤ rolling Σ λ_i against ω_t1, ω_t2
    Vec3 n, t1, t2;
    Vec3 arm_a, arm_b;      ///< from the bodies' centres to c
    Vec3 drift = {0, 0, 0}; ///< of b's surface there against a's, beyond what the bodies do [m/s]
    std::array<double, 4> x = {}, y = {}, r = {}; ///< of the points, and their distances from c
    std::array<double, 4> gap = {}, bias = {};
    std::array<double, 4> approach = {}; ///< normal velocity before impulses, where they bounce

    std::array<double, 4> lambda = {};
    std::array<double, 3> f = {};    ///< along t1, t2, and the twist about n
    std::array<double, 2> roll = {}; ///< about t1, t2

    Matrix6 G = {};      ///< response: ΔU = G ΔW
    double K[4][4] = {}; ///< response of the points' normal velocities
    double K_inverse[4][4] = {};
    double T[3][3] = {};       ///< inverse response of t1, t2, twist
    double slip = 1, turn = 1; ///< largest response of the tangents; of the twist
    double stiffness = 1;
    double most_friction = 0, most_twist = 0; ///< lagged, in the direct method
    bool has_twist = false;
    bool has_belt = false;    ///< one of the surfaces runs
    bool was_carried = false; ///< `drift` counts that a driven body turns
};

/// One point, on balls or what is fixed: arms along the normal, the same inertia about every axis.
bool is_ball_patch(const Patch& patch, const SolverBody& a, const SolverBody& b);

/// The patch of a contact with points: of where its manifold was found, so that it lasts while that
/// does.
void make_patch(const Pile& pile, const ContactState& contact, Patch& patch);

/// The same for bodies that answer impulses as these do.
void set_responses(const SolverBody& a, const SolverBody& b, Patch& patch);

/// Gaps and impulses as they are now.
void update_patch(const ContactState& contact, const StepLengths& lengths, Patch& patch);

/// The same of how the surfaces rub: belts that run, and whether they slide.
void update_rubbing(const Pile& pile, const PileState& state, const StepLengths& lengths,
                    const ContactState& contact, Patch& patch);

/// R diag(d) Rᵀ
Mat3 inertia_at(const Quat& q, const Vec3& d);

/// 1/m and I⁻¹ of a body somewhere; zero where nothing moves it.
void set_response(const Body& body, const Quat& q, SolverBody& solver, double extra = 0);

inline Vec3 to_world(const Patch& p, double t1, double t2, double n)
{
    return p.t1 * t1 + p.t2 * t2 + p.n * n;
}

inline Wrench6 relative_twist(const Patch& p, const SolverBody& a, const SolverBody& b)
{
    const Vec3 u = b.v - a.v + cross(b.w, p.arm_b) - cross(a.w, p.arm_a) + p.drift, w = b.w - a.w;
    return {dot(p.t1, u), dot(p.t2, u), dot(p.n, u), dot(p.t1, w), dot(p.t2, w), dot(p.n, w)};
}

inline void apply_wrench(const Patch& p, const Wrench6& W, SolverBody& a, SolverBody& b)
{
    const Vec3 F = to_world(p, W[0], W[1], W[2]), T = to_world(p, W[3], W[4], W[5]);
    // Fixed bodies belong to no island: only read, as other threads do.
    if (b.inverse_mass > 0) {
        b.v += F * b.inverse_mass;
        b.w += b.inverse_inertia * (cross(p.arm_b, F) + T);
    }
    if (a.inverse_mass > 0) {
        a.v -= F * a.inverse_mass;
        a.w -= a.inverse_inertia * (cross(p.arm_a, F) + T);
    }
}

inline double point_velocity(const Patch& p, int i, const Wrench6& U)
{
    return U[2] + p.y[std::size_t(i)] * U[3] - p.x[std::size_t(i)] * U[4];
}

/// The wrench of impulses of the points and of friction.
inline Wrench6 wrench_of(const Patch& p, const std::array<double, 4>& lambda,
                         const std::array<double, 3>& f)
{
    Wrench6 W = {f[0], f[1], 0, 0, 0, f[2]};
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        W[2] += lambda[i];
        W[3] += p.y[i] * lambda[i];
        W[4] -= p.x[i] * lambda[i];
    }
    return W;
}

/// All its impulses on the bodies.
inline void apply_impulses(const Patch& p, SolverBody& a, SolverBody& b)
{
    Wrench6 W = wrench_of(p, p.lambda, p.f);
    W[3] += p.roll[0];
    W[4] += p.roll[1];
    apply_wrench(p, W, a, b);
}

/// One local solve: normals together, then friction and twist together. Changes the patch's
/// impulses and the velocities of both bodies.
void relax(Patch& patch, SolverBody& a, SolverBody& b);

/// Friction and twist alone, within what the present normal impulses allow.
void relax_friction(Patch& patch, SolverBody& a, SolverBody& b);

/// How far the patch is from its laws, as a velocity [m/s]: the natural map.
double residual_of(const Patch& patch, const SolverBody& a, const SolverBody& b);

/// Sums of λ and λ r.
struct Load {
    double sum = 0, turning = 0;
};
Load load_of(const Patch& patch);

} // namespace sinew
