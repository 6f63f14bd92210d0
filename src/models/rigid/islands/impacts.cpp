// Restitution: sets of patches that close are reflected, those that close then after them, until
// none does [Smith12]. Differs from the paper: friction acts after each set, and a set that would
// gain energy is cut short.

#include "models/rigid/islands/island_solver.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

/// x = A⁻¹ b of n numbers, A symmetric and perhaps singular with b in its range: a ridge of
/// rounding's size, and once more for what it left.
void solve_in_range(const double (&A)[4][4], const std::array<double, 4>& b, std::size_t n,
                    std::array<double, 4>& x)
{
    constexpr double kRidge = 1e-9;
    double L[4][4] = {}, trace = 0;
    for (std::size_t i = 0; i < n; ++i)
        trace += A[i][i];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = A[i][j] + (i == j ? kRidge * trace : 0);
            for (std::size_t k = 0; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(max(sum, 1e-3 * kRidge * trace)) : sum / L[j][j];
        }
    x = {};
    for (int pass = 0; pass < 3; ++pass) {
        std::array<double, 4> y = b;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                y[i] -= A[i][j] * x[j];
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                y[i] -= L[i][k] * y[k];
            y[i] /= L[i][i];
        }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = i + 1; k < n; ++k)
                y[i] -= L[k][i] * y[k];
            y[i] /= L[i][i];
            x[i] += y[i];
        }
    }
}

/// Changes of impulses of the points `which` that bring their velocities `off` to zero: all at
/// once where the sums stay positive, else one after the other.
std::array<double, 4> find_pushes(const Patch& p, std::span<const std::size_t> which,
                                  std::array<double, 4> off, const std::array<double, 4>& sums)
{
    constexpr int kMostSweeps = 50;
    const std::size_t n = which.size();
    double K[4][4];
    std::array<double, 4> change, wanted;
    for (std::size_t i = 0; i < n; ++i) {
        wanted[i] = -off[i];
        for (std::size_t j = 0; j < n; ++j)
            K[i][j] = p.K[which[i]][which[j]];
    }
    solve_in_range(K, wanted, n, change);
    bool pulls = false;
    for (std::size_t i = 0; i < n; ++i)
        pulls |= sums[i] + change[i] < 0;
    if (!pulls)
        return change;
    change = {};
    for (int sweep = 0; sweep < kMostSweeps; ++sweep)
        for (std::size_t i = 0; i < n; ++i) {
            const double by = max(-sums[i] - change[i], -off[i] / K[i][i]);
            change[i] += by;
            for (std::size_t j = 0; j < n; ++j)
                off[j] += K[j][i] * by;
        }
    return change;
}

} // namespace

/// What comes to rest instead of bouncing approaches no faster than what presses it brings in a few
/// steps: of two that hang beside each other nothing does.
double IslandSolver::least_approach(const Patch& p, double times) const
{
    constexpr double kLeast = 1e-3; // of |g| h
    const auto pressed = [&](std::uint32_t i) { return abs(sinew::dot(p.n, change_in_step(i))); };
    return times * max(kLeast * settings_.speed, max(pressed(p.a), pressed(p.b)));
}

bool IslandSolver::has_impact(double times)
{
    if (std::ranges::all_of(patches, [](const Patch* p) { return p->bounce == 0; }))
        return false;
    number_members();
    return std::ranges::any_of(patches, [&](const Patch* p) {
        const double least = p->bounce > 0 ? least_approach(*p, times) : 0;
        for (std::size_t i = 0; p->bounce > 0 && i < std::size_t(p->count); ++i)
            if (p->approach[i] < -least && p->lambda[i] > 0)
                return true;
        return false;
    });
}

/// The patches that bounce and have points, among those that meet in this step, which close faster
/// than what presses them brings in so many steps.
bool IslandSolver::find_impacts(double times)
{
    impacts_.clear();
    for (std::size_t k = 0; k < patches.size(); ++k) {
        const Patch& p = *patches[k];
        if (touching_[k] == 0 || p.bounce == 0)
            continue;
        const double least = least_approach(p, times);
        Impact impact{.patch = patches[k]};
        const Wrench6 U = relative_twist(p, body(p.a), body(p.b));
        for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
            const double w = point_velocity(p, int(i), U);
            if (!(touching_[k] >> i & 1u) || !(w < -least))
                continue;
            impact.points |= 1u << i;
            impact.target[i] = -p.bounce * w;
        }
        if (impact.points != 0)
            impacts_.push_back(impact);
    }
    return !impacts_.empty();
}

/// The patch's points to their targets; returns how far the worst was off [m/s].
double IslandSolver::relax_impact(Impact& impact)
{
    Patch& p = *impact.patch;
    const Wrench6 U = relative_twist(p, body(p.a), body(p.b));
    std::array<std::size_t, 4> which;
    std::array<double, 4> off, sums;
    std::size_t n = 0;
    double worst = 0;
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        if (!(impact.points >> i & 1u))
            continue;
        which[n] = i;
        off[n] = point_velocity(p, int(i), U) - impact.target[i];
        sums[n] = impact.push[i];
        worst = max(worst, abs(min(off[n], sums[n] * p.K[i][i])));
        ++n;
    }
    const auto change = find_pushes(p, std::span(which).first(n), off, sums);
    std::array<double, 4> by = {};
    for (std::size_t k = 0; k < n; ++k) {
        by[which[k]] = change[k];
        impact.push[which[k]] += change[k];
        p.lambda[which[k]] += change[k];
        p.struck += change[k];
    }
    apply_wrench(p, wrench_of(p, by, {}), body(p.a), body(p.b));
    return worst;
}

void IslandSolver::solve_impacts()
{
    constexpr int kMostSweeps = 200;
    constexpr double kExact = 1e-13; // of the fastest
    double fastest = 0;
    for (const Impact& impact : impacts_)
        for (const double target : impact.target)
            fastest = max(fastest, target);
    for (int sweep = 0; sweep < kMostSweeps && !is_stopping(); ++sweep) {
        double worst = 0;
        for (Impact& impact : impacts_)
            worst = max(worst, relax_impact(impact));
        hold_joints();
        if (worst <= kExact * fastest || (impacts_.size() == 1 && held_.empty()))
            break;
    }
    for (const Impact& impact : impacts_) {
        Patch& p = *impact.patch;
        relax_friction(p, body(p.a), body(p.b));
        for (const std::uint32_t i : {p.a, p.b})
            if (node_[i] != kFixed)
                is_hit_[node_[i]] = 1;
    }
    hold_joints();
}

/// A set that has gained energy goes only as far as it has none too much: along the way
/// T(s) = T + s v·Mδ + ½ s² δ·Mδ.
void IslandSolver::limit_energy(double before)
{
    constexpr double kRounding = 1e-12;
    const double after = kinetic_energy();
    if (!(after > before * (1 + kRounding)))
        return;
    remember(centre_);
    for (std::size_t k = 0; k < members.size(); ++k) {
        body(members[k]).v -= before_impact_[k].v;
        body(members[k]).w -= before_impact_[k].w;
    }
    const double square = kinetic_energy(), along = after - before - square;
    const double share = square > 0 ? std::clamp(-along / square, 0.0, 1.0) : 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
        body(members[k]).v = before_impact_[k].v + body(members[k]).v * share;
        body(members[k]).w = before_impact_[k].w + body(members[k]).w * share;
    }
}

/// Points that meet in this step: those that are loaded, or touch already.
void IslandSolver::find_touching()
{
    touching_.clear();
    for (const Patch* p : patches) {
        unsigned points = 0;
        for (std::size_t i = 0; i < std::size_t(p->count); ++i)
            points |= (p->lambda[i] > 0 || p->bias[i] == 0 ? 1u : 0u) << i;
        touching_.push_back(points);
    }
}

/// Which part of the step has passed when the first points that close fast meet; velocities are
/// those without impulses.
double IslandSolver::first_impact(double times) const
{
    const auto change_of = [&](std::uint32_t i) { return change_by_gravity(i); };
    double first = 1;
    for (std::size_t k = 0; k < patches.size(); ++k) {
        const Patch& p = *patches[k];
        const Wrench6 U = relative_twist(p, body(p.a), body(p.b));
        const double by_gravity = sinew::dot(p.n, change_of(p.b) - change_of(p.a));
        const double least = least_approach(p, times);
        for (std::size_t i = 0; p.bounce > 0 && i < std::size_t(p.count); ++i) {
            const double before = point_velocity(p, int(i), U) - by_gravity;
            if (!(touching_[k] >> i & 1u) || !(before + 0.5 * by_gravity < -least))
                continue;
            double part = 0; // gap + part h before + ½ part² h by_gravity = 0
            for (int pass = 0; pass < 3; ++pass)
                part = max(p.gap[i], 0.0) / max(-before - 0.5 * part * by_gravity, least) /
                       settings_.step;
            first = min(first, part);
        }
    }
    return first;
}

void IslandSolver::reflect(double times)
{
    constexpr std::size_t kMostSets = 200;
    constexpr double kSlow = 0.6; // steps: what presses brings no more in a part of one
    number_members();
    set_inertia();
    find_touching();
    forget();
    is_hit_.assign(members.size(), 0);
    const double later = 1 - first_impact(times);
    for (const std::uint32_t i : members)
        body(i).v -= change_by_gravity(i) * later;
    hold_joints();
    const std::size_t most = std::min(kMostSets, 16 + 2 * patches.size());
    for (std::size_t set = 0; set < most && !is_stopping(); ++set) {
        if (!find_impacts(set == 0 ? times : kSlow))
            break;
        remember(before_impact_);
        const double before = kinetic_energy();
        solve_impacts();
        limit_energy(before);
    }
    for (std::size_t k = 0; k < members.size(); ++k)
        if (!is_hit_[k])
            body(members[k]).v += change_by_gravity(members[k]) * later;
    forget_impulses();
    leave_apart();
}

/// Patches that bounce and do not meet in this step: bodies have moved in it already, so whoever
/// flies at another since the impact meets it in the next one, and bounces there.
void IslandSolver::leave_apart()
{
    std::size_t kept = 0;
    for (std::size_t k = 0; k < patches.size(); ++k)
        if (touching_[k] != 0 || patches[k]->bounce == 0)
            patches[kept++] = patches[k];
    patches.resize(kept);
}

} // namespace sinew
