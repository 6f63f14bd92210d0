// Sweeps, their acceleration, and when to do what.

#include "models/rigid/island_solver.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kFixed = 0xffffffff;
constexpr std::size_t kNumbers = 7; // of a patch: four points, two of friction, twist

double mass_ratio(std::span<const double> masses)
{
    double least = 0, most = 0;
    for (const double mass : masses)
        if (mass > 0) {
            least = least == 0 ? mass : min(least, mass);
            most = max(most, mass);
        }
    return least > 0 ? most / least : 1;
}

double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// next −= Σ c_i images_i with the c that make |f − Σ c_i steps_i| least: normal equations with a
/// little ridge, at most four.
void subtract_best(const std::vector<std::vector<double>>& steps,
                   const std::vector<std::vector<double>>& images, const std::vector<double>& f,
                   std::vector<double>& next)
{
    const std::size_t n = steps.size();
    double A[4][5] = {}, c[4] = {};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            A[i][j] = dot(steps[i], steps[j]);
        A[i][4] = dot(steps[i], f);
        A[i][i] *= 1 + 1e-8;
        if (!(A[i][i] > 0))
            return; // nothing changes any more
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t r = i + 1; r < n; ++r) {
            const double share = A[r][i] / A[i][i];
            for (std::size_t j = i; j < 5; ++j)
                A[r][j] -= share * A[i][j];
        }
    for (std::size_t i = n; i-- > 0;) {
        double sum = A[i][4];
        for (std::size_t j = i + 1; j < n; ++j)
            sum -= A[i][j] * c[j];
        c[i] = sum / A[i][i];
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t t = 0; t < next.size(); ++t)
            next[t] -= c[i] * images[i][t];
}

} // namespace

// ---------------------------------------------------------------- impulses as one vector

void IslandSolver::pack(std::vector<double>& x) const
{
    x.resize(patches.size() * kNumbers);
    for (std::size_t i = 0; i < patches.size(); ++i) {
        const Patch& p = patches[i];
        for (std::size_t k = 0; k < 4; ++k)
            x[kNumbers * i + k] = k < std::size_t(p.count) ? p.lambda[k] : 0;
        for (std::size_t k = 0; k < 3; ++k)
            x[kNumbers * i + 4 + k] = p.f[k];
    }
}

void IslandSolver::unpack(const std::vector<double>& x, bool is_projected)
{
    for (std::size_t i = 0; i < patches.size(); ++i) {
        Patch& p = patches[i];
        for (std::size_t k = 0; k < std::size_t(p.count); ++k)
            p.lambda[k] = is_projected ? max(0.0, x[kNumbers * i + k]) : x[kNumbers * i + k];
        for (std::size_t k = 0; k < 3; ++k)
            p.f[k] = x[kNumbers * i + 4 + k];
        if (!is_projected)
            continue;
        const Load load = load_of(p);
        const double size = sqrt(p.f[0] * p.f[0] + p.f[1] * p.f[1]), most = p.mu * load.sum;
        if (size > most) {
            p.f[0] *= most / size;
            p.f[1] *= most / size;
        }
        p.f[2] = std::clamp(p.f[2], -p.mu * load.turning, p.mu * load.turning);
    }
    rebuild();
}

/// v = v_free + M⁻¹ Jᵀ λ
void IslandSolver::rebuild()
{
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].v = free_[i].v;
        bodies[i].w = free_[i].w;
    }
    for (const Patch& p : patches)
        apply_wrench(p, wrench_of(p, p.lambda, p.f), bodies[p.a], bodies[p.b]);
}

double IslandSolver::kinetic_energy(std::span<const SolverBody> moving) const
{
    double energy = 0; // twice
    for (std::size_t i = 0; i < moving.size(); ++i)
        if (mass[i] > 0)
            energy +=
                mass[i] * squared_length(moving[i].v) + dot(moving[i].w, inertia[i] * moving[i].w);
    return 0.5 * energy;
}

// ---------------------------------------------------------------- sweeps

double IslandSolver::residual() const
{
    double worst = 0;
    for (const Patch& p : patches)
        worst = max(worst, residual_of(p, bodies[p.a], bodies[p.b]));
    return worst;
}

void IslandSolver::sweep(bool is_backward)
{
    ++sweep_count;
    const auto once = [&](Patch& p) { relax(p, bodies[p.a], bodies[p.b]); };
    if (is_backward)
        std::for_each(patches.rbegin(), patches.rend(), once);
    else
        std::for_each(patches.begin(), patches.end(), once);
}

void IslandSolver::polish(int sweeps)
{
    for (int k = 0; k < sweeps; ++k)
        sweep(k % 2 != 0);
}

/// Anderson's acceleration of symmetric double sweeps, memory 4, guarded by the residual.
void IslandSolver::accelerate(int sweeps)
{
    constexpr std::size_t kMemory = 4;
    std::vector<std::vector<double>> steps, images; // differences of f and of the swept x
    std::vector<double> x, swept, f, last_f, last_swept;
    pack(x);
    for (int k = 0; k < sweeps; k += 2) {
        polish(2);
        pack(swept);
        f.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            f[i] = swept[i] - x[i];
        std::vector<double> next = swept;
        if (!last_f.empty()) {
            std::vector<double> df(x.size()), dx(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                df[i] = f[i] - last_f[i];
                dx[i] = swept[i] - last_swept[i];
            }
            steps.push_back(std::move(df));
            images.push_back(std::move(dx));
            if (steps.size() > kMemory) {
                steps.erase(steps.begin());
                images.erase(images.begin());
            }
            subtract_best(steps, images, f, next);
        }
        last_f = f;
        last_swept = swept;
        const double plain = residual();
        unpack(next, true);
        if (const double now = residual(); !(now < 2 * plain)) {
            unpack(swept, true);
            steps.clear();
            images.clear();
        } else if (now < settings_.tolerance) {
            return;
        }
        pack(x);
    }
}

/// Normal velocities before any impulse of this step, half of gravity's change taken back, of
/// points that carried nothing.
void IslandSolver::note_approach()
{
    for (Patch& p : patches) {
        if (p.bounce == 0)
            continue;
        const Wrench6 U = relative_twist(p, bodies[p.a], bodies[p.b]);
        const Vec3 change_a = mass[p.a] > 0 ? settings_.gravity_change : Vec3{0, 0, 0};
        const Vec3 change_b = mass[p.b] > 0 ? settings_.gravity_change : Vec3{0, 0, 0};
        const double by_gravity = 0.5 * sinew::dot(p.n, change_b - change_a);
        for (int i = 0; i < p.count; ++i)
            p.approach[std::size_t(i)] =
                p.lambda[std::size_t(i)] == 0 ? point_velocity(p, i, U) - by_gravity : 0;
    }
}

bool IslandSolver::bounce(double least)
{
    constexpr int kPasses = 4;
    const auto bounces = [&](const Patch& p, std::size_t i) {
        return p.bounce > 0 && p.approach[i] < -least && p.lambda[i] > 0;
    };
    bool has_bounced = false;
    for (int pass = 0; pass < kPasses; ++pass)
        for (Patch& p : patches)
            for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
                if (!bounces(p, i))
                    continue;
                const Wrench6 U = relative_twist(p, bodies[p.a], bodies[p.b]);
                const double w = point_velocity(p, int(i), U) + p.bounce * p.approach[i];
                const double by = max(-p.lambda[i], -w / p.K[i][i]);
                p.lambda[i] += by;
                apply_wrench(p, {0, 0, by, p.y[i] * by, -p.x[i] * by, 0}, bodies[p.a], bodies[p.b]);
                has_bounced = true;
            }
    for (Patch& p : patches)
        for (std::size_t i = 0; i < std::size_t(p.count); ++i)
            if (bounces(p, i))
                p.lambda[i] = 0;
    return has_bounced;
}

// ---------------------------------------------------------------- when to do what

void IslandSolver::start()
{
    free_ = bodies;
    node_.assign(bodies.size(), kFixed);
    node_count_ = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (mass[i] > 0)
            node_[i] = node_count_++;
    is_factored_ = false;
    note_approach();
    for (const Patch& p : patches) // warm
        apply_wrench(p, wrench_of(p, p.lambda, p.f), bodies[p.a], bodies[p.b]);
}

/// A three-dimensional pile fills the factor: sweeps are cheaper.
bool IslandSolver::is_too_dense()
{
    constexpr std::size_t kFewBodies = 150, kMostProducts = 400'000;
    if (node_count_ > kFewBodies && near.size() > 4 * std::size_t(node_count_))
        return true;
    std::vector<BlockCholesky::Link> links;
    for (const BlockCholesky::Link& link : near)
        links.push_back({node_[link.a], node_[link.b]});
    cholesky_.plan(node_count_, links);
    return cholesky_.cost() > kMostProducts;
}

/// Not while it backs off from a stall, unless the masses leave no choice.
bool IslandSolver::may_go_direct(SolverMood& mood)
{
    if (mood.wait == 0)
        return true;
    --mood.wait;
    return mass_ratio(mass) >= 100;
}

void IslandSolver::note_stall(double left, SolverMood& mood)
{
    constexpr double kStall = 50;
    constexpr int kLongestWait = 16, kManyGood = 20;
    constexpr double kLeastPenalty = 20;
    if (left < settings_.tolerance) {
        mood.backoff = 0;
        if (++mood.good >= kManyGood && mood.penalty < settings_.penalty) {
            mood.good = 0;
            mood.penalty *= 4;
        }
    } else if (left > kStall * settings_.tolerance) {
        mood.good = 0;
        if (mood.penalty > kLeastPenalty)
            mood.penalty *= 0.25;
        mood.backoff = std::min(kLongestWait, std::max(1, 2 * mood.backoff));
        mood.wait = mood.backoff;
    } else {
        mood.backoff = 0;
    }
}

/// Rounds of Newton and sweeps from the present impulses; the best are kept. True: within
/// tolerance.
bool IslandSolver::try_rounds(double& best_residual, double energy_before)
{
    int worse = 0;
    for (int k = 0; k < settings_.rounds && worse < 2; ++k) {
        if (!run_newton())
            break;
        polish(2);
        double now = residual();
        if (kinetic_energy(bodies) > energy_before * (1 + 1e-6) + 1e-9)
            now = 1e300; // an inelastic solution gains none
        if (now < settings_.tolerance) {
            best_residual = now;
            return true;
        }
        if (now < best_residual) {
            best_residual = now;
            pack(best_);
            worse = 0;
        } else {
            ++worse;
        }
    }
    unpack(best_, false);
    return false;
}

double IslandSolver::go_direct(SolverMood& mood)
{
    constexpr int kColdSteps = 3, kColdSweeps = 30;
    const double energy_before = kinetic_energy(free_);
    double best = residual();
    pack(best_);
    if (try_rounds(best, energy_before))
        return best;
    if (mood.steps <= kColdSteps) { // it finds its active set from nothing: let sweeps find it
        accelerate(kColdSweeps);
        best = residual();
        pack(best_);
        if (best >= settings_.tolerance)
            try_rounds(best, energy_before);
    }
    return best;
}

void IslandSolver::solve(const Settings& settings, SolverMood& mood)
{
    constexpr int kPileSweeps = 6, kWaitSweeps = 10, kStallSweeps = 8;
    settings_ = settings;
    if (mood.penalty == 0)
        mood.penalty = settings.penalty;
    ++mood.steps;
    start();
    if (residual() < settings.tolerance)
        return;
    polish(settings.sweeps);
    if (residual() < settings.tolerance)
        return;
    if (is_too_dense())
        return polish(kPileSweeps);
    if (!may_go_direct(mood))
        return accelerate(kWaitSweeps);
    penalty_ = mood.penalty;
    const double left = go_direct(mood);
    note_stall(left, mood);
    if (left > 10 * settings.tolerance)
        accelerate(kStallSweeps);
}

} // namespace sinew
