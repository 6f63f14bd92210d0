#include "models/rod/strain.h"

#include "math/functions.h"

namespace sinew::rod {

namespace {

/// 1 + t₀·t is no smaller than this: a tangent that turned straight back in one step.
constexpr double kStraightBack = 1e-9;

struct Curve {
    Vec3 t, t_s;
    double stretch;
};

Curve curve_of(const Local& local)
{
    const double size = max(length(local.p), 1e-12), inverse = 1 / size;
    const Vec3 t = local.p * inverse;
    return {t, (local.q - t * dot(t, local.q)) * inverse, size};
}

/// F and what it is linear in: δF = n · δt + m · δt_s.
struct Carried {
    double twist;
    Vec3 n, m;
};

Carried carried_twist(const Reference& from, const Vec3& t, const Vec3& t_s)
{
    const double d = max(1 + dot(from.t, t), kStraightBack);
    const Vec3 sum = from.t_s + t_s, turn = cross(t, from.t);
    const double inverse = 1 / d, twist = dot(turn, sum) * inverse;
    return {twist, (cross(from.t, sum) - from.t * twist) * inverse, turn * inverse};
}

/// a turned by the smallest turn from t₀ to t.
Vec3 carried_director(const Reference& from, const Vec3& t)
{
    const double d = max(1 + dot(from.t, t), kStraightBack);
    return from.a - (from.t + t) * (dot(t, from.a) / d);
}

} // namespace

Reference carry(const Reference& from, const Local& local)
{
    const Curve curve = curve_of(local);
    Vec3 a = carried_director(from, curve.t);
    a = normalised(a - curve.t * dot(curve.t, a));
    return {curve.t, curve.t_s, a, from.twist + carried_twist(from, curve.t, curve.t_s).twist};
}

Vec3 director(const Reference& carried, double phi)
{
    return carried.a * cos(phi) + cross(carried.t, carried.a) * sin(phi);
}

Rest measure_rest(const Local& local, const Reference& reference)
{
    const Strains now = compute_strains(local, reference, {.is_curved = true});
    return {now.strain[1], now.strain[2], now.strain[3], true};
}

void compute_strains(const Local& local, const Reference& reference, const Rest& rest, Strains& out)
{
    const auto [t, t_s, size] = curve_of(local);
    out.t = t;
    out.stretch = size;
    out.strain[0] = size - 1; // [eq. 1]
    out.slope[0].p = t;

    // Bending: c = p × q / |p|² in two directions across t. [eq. 2]
    Vec3 m_1, spin{0, 0, 0};
    if (rest.is_curved) {
        const Vec3 a = carried_director(reference, t);
        m_1 = a * cos(local.phi) + cross(t, a) * sin(local.phi);
        // What carrying adds to the turn of the frame about t when t changes.
        spin = cross(t, reference.t) / max(1 + dot(reference.t, t), kStraightBack);
    } else {
        m_1 = reference.a - t * dot(t, reference.a);
        const double across = length(m_1);
        m_1 = across > 0.1 ? m_1 / across : normalised(cross(t, reference.t + m_1));
    }
    out.m_1 = m_1;
    const Vec3 m_2 = cross(t, m_1);
    const double by_size = 1 / size, inverse = by_size * by_size;
    const Vec3 c = cross(local.p, local.q) * inverse;
    const double k_1 = dot(c, m_1), k_2 = dot(c, m_2);
    out.strain[1] = k_1 - rest.kappa_1;
    out.strain[2] = k_2 - rest.kappa_2;
    out.slope[1].p = cross(local.q, m_1) * inverse - t * (2 * k_1 * by_size);
    out.slope[1].q = cross(m_1, local.p) * inverse;
    out.slope[2].p = cross(local.q, m_2) * inverse - t * (2 * k_2 * by_size);
    out.slope[2].q = cross(m_2, local.p) * inverse;
    out.slope[1].phi = out.slope[2].phi = 0;
    if (rest.is_curved) { // else only |c| matters, whatever way the frame turns
        out.slope[1].p += spin * (k_2 * by_size);
        out.slope[2].p -= spin * (k_1 * by_size);
        out.slope[1].phi = k_2;
        out.slope[2].phi = -k_1;
    }

    // Twist. [eq. 3]
    const Carried carried = carried_twist(reference, t, t_s);
    out.strain[3] = local.omega + reference.twist + carried.twist - rest.tau;
    const Vec3 by_t = carried.n - carried.m * (dot(t, local.q) * by_size);
    out.slope[3].p = (by_t - t * (dot(t, by_t) + dot(carried.m, t_s))) * by_size;
    out.slope[3].q = carried.m * by_size;
    out.slope[3].omega = 1;
}

} // namespace sinew::rod
