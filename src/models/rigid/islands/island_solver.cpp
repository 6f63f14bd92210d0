// Sweeps, their acceleration, and when to do what.

#include "models/rigid/islands/island_solver.h"
#include "sinew/stop.h"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

constexpr std::size_t kNumbers = 7; // of a patch: four points, two of friction, twist

/// Errors above this many times |g| h throw a light body through a wall: the step counts as
/// unsolved, and sweeps go on for as long as they may.
constexpr double kBad = 3;

/// How many sweeps an island may still get, so that no step takes long.
int most_sweeps(std::size_t patches, std::size_t work)
{
    constexpr std::size_t kMost = 900;
    return static_cast<int>(std::min(kMost, work / std::max<std::size_t>(patches, 1)));
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
    x.resize(patches.size() * kNumbers + joints.size() * JointRows::kMost);
    for (std::size_t i = 0; i < patches.size(); ++i) {
        const Patch& p = *patches[i];
        for (std::size_t k = 0; k < 4; ++k)
            x[kNumbers * i + k] = k < std::size_t(p.count) ? p.lambda[k] : 0;
        for (std::size_t k = 0; k < 3; ++k)
            x[kNumbers * i + 4 + k] = p.f[k];
    }
    std::size_t at = patches.size() * kNumbers;
    for (const JointRows* rows : joints)
        for (std::size_t k = 0; k < JointRows::kMost; ++k)
            x[at++] = k < rows->count ? rows->row[k].impulse : 0;
}

void IslandSolver::unpack(const std::vector<double>& x, bool is_projected)
{
    for (std::size_t i = 0; i < patches.size(); ++i) {
        Patch& p = *patches[i];
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
    std::size_t at = patches.size() * kNumbers;
    for (JointRows* rows : joints) {
        for (std::size_t k = 0; k < rows->count; ++k)
            rows->row[k].impulse = std::clamp(x[at + k], rows->row[k].low, rows->row[k].high);
        at += JointRows::kMost;
    }
    rebuild();
}

/// v = v_free + M⁻¹ Jᵀ λ
void IslandSolver::rebuild()
{
    recall(free_);
    apply_all();
    hold_joints();
}

void IslandSolver::apply_all()
{
    for (const Patch* p : patches)
        apply_impulses(*p, body(p->a), body(p->b));
    for (const JointRows* rows : joints)
        for (std::size_t k = 0; k < rows->count; ++k)
            push(rows->row[k], rows->row[k].impulse, body(rows->a), body(rows->b));
}

void IslandSolver::remember(std::vector<Velocity>& velocities) const
{
    velocities.clear();
    for (const std::uint32_t i : members)
        velocities.push_back({body(i).v, body(i).w});
}

void IslandSolver::recall(const std::vector<Velocity>& velocities)
{
    for (std::size_t k = 0; k < members.size(); ++k) {
        body(members[k]).v = velocities[k].v;
        body(members[k]).w = velocities[k].w;
    }
}

double IslandSolver::kinetic_energy() const
{
    double twice = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SolverBody& moving = body(members[k]);
        twice +=
            mass_of(k) * squared_length(moving.v) + sinew::dot(moving.w, inertia_[k] * moving.w);
    }
    return 0.5 * twice;
}

// ---------------------------------------------------------------- sweeps

double IslandSolver::residual() const
{
    double worst = 0;
    for (const Patch* p : patches)
        worst = max(worst, residual_of(*p, body(p->a), body(p->b)));
    for (const JointRows* rows : joints)
        worst = max(worst, residual_of(*rows, body(rows->a), body(rows->b)));
    return worst;
}

WorstPair IslandSolver::worst(double for_joints, double for_contacts) const
{
    WorstPair worst;
    double most = 1;
    const auto look = [&](const auto& held, bool is_contact) {
        const double error = residual_of(held, body(held.a), body(held.b));
        const double share = error / (is_contact ? for_contacts : for_joints);
        if (share > most) {
            most = share;
            worst = {held.a, held.b, error, is_contact};
        }
    };
    for (const JointRows* rows : joints)
        look(*rows, false);
    for (const Patch* patch : patches)
        look(*patch, true);
    return worst;
}

void IslandSolver::sweep(bool is_backward)
{
    ++sweep_count;
    const auto once = [&](auto* p) { relax(*p, body(p->a), body(p->b)); };
    if (is_backward) {
        std::for_each(patches.rbegin(), patches.rend(), once);
        std::for_each(joints.rbegin(), joints.rend(), once);
    } else {
        std::for_each(joints.begin(), joints.end(), once);
        std::for_each(patches.begin(), patches.end(), once);
    }
}

void IslandSolver::polish(int sweeps)
{
    for (int k = 0; k < sweeps && !is_stopping(); ++k)
        sweep(k % 2 != 0);
    hold_joints();
}

/// Anderson's acceleration of symmetric double sweeps, memory 4, guarded by the residual.
void IslandSolver::accelerate(int sweeps)
{
    steps_.clear(); // differences of f, and of the swept x
    images_.clear();
    last_f_.clear();
    pack(x_);
    for (int k = 0; k < sweeps && !is_stopping(); k += 2) {
        polish(2);
        pack(swept_);
        f_.resize(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i)
            f_[i] = swept_[i] - x_[i];
        next_ = swept_;
        if (!last_f_.empty()) {
            remember_step();
            subtract_best(steps_, images_, f_, next_);
        }
        last_f_ = f_;
        last_swept_ = swept_;
        const double plain = residual();
        unpack(next_, true);
        if (const double now = residual(); !(now < 2 * plain)) {
            unpack(swept_, true);
            steps_.clear();
            images_.clear();
        } else if (now < settings_.tolerance) {
            return;
        }
        pack(x_);
    }
}

/// What changed since the last double sweep; four are kept.
void IslandSolver::remember_step()
{
    constexpr std::size_t kMemory = 4;
    std::vector<double> df(x_.size()), dx(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
        df[i] = f_[i] - last_f_[i];
        dx[i] = swept_[i] - last_swept_[i];
    }
    steps_.push_back(std::move(df));
    images_.push_back(std::move(dx));
    if (steps_.size() > kMemory) {
        steps_.erase(steps_.begin());
        images_.erase(images_.begin());
    }
}

/// Normal velocities before any impulse of this step, half of gravity's change taken back, of
/// points that carried nothing.
void IslandSolver::note_approach()
{
    const auto change_of = [&](std::uint32_t i) { return change_by_gravity(i); };
    for (Patch* p : patches) {
        if (p->bounce == 0)
            continue;
        const Wrench6 U = relative_twist(*p, body(p->a), body(p->b));
        const double by_gravity = 0.5 * sinew::dot(p->n, change_of(p->b) - change_of(p->a));
        for (int i = 0; i < p->count; ++i)
            p->approach[std::size_t(i)] =
                p->lambda[std::size_t(i)] == 0 ? point_velocity(*p, i, U) - by_gravity : 0;
    }
}

// ---------------------------------------------------------------- when to do what

void IslandSolver::set_bodies(const Pile& pile, const std::vector<BodyState>& poses,
                              std::span<const Quat> turned, IslandPlans& plans,
                              std::vector<SolverBody>& all)
{
    plans_ = &plans;
    pile_ = &pile;
    poses_ = &poses;
    turned_ = turned;
    all_ = &all;
}

void IslandSolver::begin(const Settings& settings)
{
    settings_ = settings;
    find_held();
    remember(free_);
    note_approach();
}

void IslandSolver::start()
{
    remember(free_);
    is_factored_ = false;
    note_approach();
    apply_all(); // warm
    hold_joints();
}

/// Whether most contacts are of faces on faces, as in masonry. Sweeps do not hold that up when it
/// is high, and thin bricks are near many others that they never touch.
bool IslandSolver::is_masonry() const
{
    std::size_t points = 0;
    for (const Patch* patch : patches)
        points += std::size_t(patch->count);
    return points >= 3 * patches.size();
}

/// A three-dimensional pile fills the factor: sweeps are cheaper.
bool IslandSolver::is_large_pile() const
{
    constexpr std::size_t kFewBodies = 150, kNearBalls = 4, kNearBricks = 9; // pairs a body
    if (members.size() <= kFewBodies || near.size() <= kNearBalls * members.size())
        return false;
    return near.size() > kNearBricks * members.size() || !is_masonry();
}

/// Sweeps until what is left moves nothing by more than a part of what it falls in a step. While a
/// pile lands that takes some dozens, at rest the fewest.
double IslandSolver::solve_pile()
{
    constexpr double kGoal = 0.5; // of |g| h
    constexpr int kLeastSweeps = 6, kMostSweeps = 80, kSafeSweeps = 20;
    constexpr std::size_t kMostPatches = 600'000; // in sweeps of what lands hard
    remember(free_);
    note_approach();
    set_inertia();
    energy_before_ = kinetic_energy();
    pile_sweeps_.start(patches, *poses_, *all_, settings_.threads);
    const auto forget_impulses = [&] {
        pile_sweeps_.forget();
        recall(free_);
    };
    if (has_exploded())
        forget_impulses();
    sweep_count +=
        pile_sweeps_.solve(settings_.tolerance, kGoal * settings_.speed, kLeastSweeps, kMostSweeps);
    if (has_exploded()) {
        forget_impulses(); // sweeps from nothing only ever take energy away
        sweep_count += pile_sweeps_.sweep_plainly(kSafeSweeps);
    }
    double left = pile_sweeps_.residual();
    if (left > kBad * settings_.speed) {
        sweep_count += pile_sweeps_.solve(settings_.tolerance, settings_.speed, kLeastSweeps,
                                          most_sweeps(patches.size(), kMostPatches));
        left = pile_sweeps_.residual();
    }
    pile_sweeps_.finish();
    return left;
}

/// Whether a factor would be too large. Else the plan is made, or found as it was made before.
bool IslandSolver::is_too_dense()
{
    constexpr std::size_t kMostProducts = 400'000, kMostOfMasonry = 8'000'000;
    if (is_large_pile())
        return true;
    number_members();
    links_.clear();
    for (const BlockCholesky::Link& link : near)
        links_.push_back({node_[link.a], node_[link.b]});
    IslandPlan& planned = (*plans_)[members[0]];
    stiff_ = held_.empty() ? nullptr : &planned.stiff;
    if (stiff_) {
        constexpr double kOfBlocks = 216; // multiplications in a product of blocks
        stiff_->plan(static_cast<std::uint32_t>(members.size()), links_, held_);
        return stiff_->cost() > kOfBlocks * double(kMostProducts);
    }
    if (planned.links != links_ || planned.cholesky.row_count() != members.size()) {
        planned.links = links_;
        planned.cholesky.plan(static_cast<std::uint32_t>(members.size()), links_);
    }
    cholesky_ = &planned.cholesky;
    return cholesky_->cost() > (is_masonry() ? kMostOfMasonry : kMostProducts);
}

void IslandSolver::set_inertia()
{
    inertia_.clear();
    for (const std::uint32_t i : members)
        inertia_.push_back(
            inertia_at(turned_[i], pile_->bodies[i].inertia +
                                       Vec3{body(i).extra, body(i).extra, body(i).extra}));
}

/// Not while it backs off from a stall, unless the masses leave no choice.
bool IslandSolver::may_go_direct(SolverMood& mood)
{
    constexpr double kLeavesNoChoice = 100;
    if (mood.wait == 0)
        return true;
    --mood.wait;
    double least = mass_of(0), most = least;
    for (std::size_t k = 0; k < members.size(); ++k) {
        least = min(least, mass_of(k));
        most = max(most, mass_of(k));
    }
    return most >= kLeavesNoChoice * least;
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

/// Where something moves of itself: a motor, a driven body.
bool IslandSolver::may_gain_energy() const
{
    const auto is_driven = [&](std::uint32_t i) {
        return !pile_->bodies[i].is_free() &&
               (body(i).v != Vec3{0, 0, 0} || body(i).w != Vec3{0, 0, 0});
    };
    const auto has_driven_end = [&](const auto* p) { return is_driven(p->a) || is_driven(p->b); };
    const auto runs = [&](const Patch* p) { return p->has_belt || has_driven_end(p); };
    return std::ranges::any_of(patches, runs) ||
           std::ranges::any_of(joints, [&](const JointRows* rows) {
               const JointModel& joint = pile_->joints[rows->joint];
               return joint.has_motor || joint.has_spring() || has_driven_end(rows);
           });
}

/// Rounds of Newton and sweeps from the present impulses; the best are kept. True: within
/// tolerance.
bool IslandSolver::try_rounds(double& best_residual)
{
    // What is left grows until a later step must solve again: masonry, which stays, is done well.
    const double fine = (is_masonry() ? 0.1 : 1) * settings_.tolerance;
    int worse = 0;
    for (int k = 0; k < settings_.rounds && worse < 2 && !is_stopping(); ++k) {
        if (!run_newton())
            break;
        polish(2);
        double now = residual();
        if (has_gained())
            now = 1e300;
        if (now < fine) {
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
    return best_residual < settings_.tolerance;
}

double IslandSolver::go_direct(SolverMood& mood)
{
    constexpr int kColdSteps = 3, kColdSweeps = 30;
    double best = residual();
    pack(best_);
    if (try_rounds(best))
        return best;
    if (mood.steps <= kColdSteps) { // it finds its active set from nothing: let sweeps find it
        accelerate(kColdSweeps);
        best = residual();
        pack(best_);
        if (best >= settings_.tolerance)
            try_rounds(best);
    }
    return best;
}

/// Inelastic contacts gain no energy; joints that swing exchange a little with what they carry.
bool IslandSolver::has_gained() const
{
    const double most = held_.empty() ? 1e-6 : 0.05;
    return !may_gain_energy() && kinetic_energy() > energy_before_ * (1 + most);
}

/// An impact's impulses as a start would throw a pile into the air, and so would a solve that lost
/// its way. What a large pile that has not converged trembles with is less than this.
bool IslandSolver::has_exploded() const
{
    constexpr double kMostGain = 1.5, kTremble = 10; // of the energy gravity gives in a step
    double mass = 0;
    for (std::size_t k = 0; k < members.size(); ++k)
        mass += mass_of(k);
    const double least = 0.5 * mass * settings_.speed * settings_.speed;
    return !may_gain_energy() &&
           !(kinetic_energy() <= kMostGain * energy_before_ + kTremble * least);
}

/// The energy without contacts, joints holding.
void IslandSolver::note_energy()
{
    remember(centre_);
    if (!held_.empty())
        pack(best_);
    recall(free_);
    hold_joints();
    energy_before_ = kinetic_energy();
    if (!held_.empty())
        unpack(best_, false);
    recall(centre_);
}

void IslandSolver::forget_impulses()
{
    for (Patch* p : patches) {
        p->lambda = {};
        p->f = {};
        p->roll = {};
    }
    for (JointRows* rows : joints)
        for (JointRow& row : rows->row)
            row.impulse = 0;
}

void IslandSolver::forget()
{
    forget_impulses();
    recall(free_);
}

double IslandSolver::solve(const Settings& settings, SolverMood& mood)
{
    constexpr int kSafeSweeps = 20, kHardSweeps = 60;
    constexpr std::size_t kFewBodies = 100;
    constexpr std::size_t kMostPatches = 400'000; // in sweeps of what is hit hard
    settings_ = settings;
    if (mood.penalty == 0)
        mood.penalty = settings.penalty;
    ++mood.steps;
    find_held();
    if (is_large_pile() && joints.empty())
        return solve_pile();
    start();
    double left = residual();
    if (left < settings.tolerance)
        return left;
    set_inertia();
    note_energy();
    if (has_exploded())
        forget();
    left = improve(mood);
    if (has_exploded()) {
        forget(); // sweeps from nothing only ever take energy away
        polish(kSafeSweeps);
        left = residual();
    }
    const bool are_few = members.size() <= kFewBodies;
    // What few jointed bodies gain by impacts stays within what one go of sweeps leaves.
    int sweeps = are_few && !joints.empty()
                     ? kHardSweeps
                     : most_sweeps(patches.size() + joints.size(), kMostPatches);
    bool is_first = are_few; // few are swept once whatever comes of it
    for (; left > kBad * settings.speed && sweeps > 0 && !is_stopping(); sweeps -= kHardSweeps) {
        const double most = max(kinetic_energy(), energy_before_);
        pack(best_);
        accelerate(std::min(kHardSweeps, sweeps));
        if (!std::exchange(is_first, false) && !may_gain_energy() && kinetic_energy() > most) {
            unpack(best_, false); // sweeps that have lost their way
            return left;
        }
        left = residual();
    }
    return left;
}

double IslandSolver::solve_again(const Settings& settings, SolverMood& mood)
{
    recall(free_);
    --mood.steps;
    approach_.clear(); // now that impulses are known it could not be told
    for (const Patch* p : patches)
        approach_.push_back(p->approach);
    const double left = solve(settings, mood);
    for (std::size_t k = 0; k < patches.size(); ++k)
        patches[k]->approach = approach_[k];
    return left;
}

/// Sweeps, and what else is needed, in the order of their cost.
double IslandSolver::improve(SolverMood& mood)
{
    constexpr int kDenseSweeps = 6, kWaitSweeps = 10, kStallSweeps = 8;
    constexpr double kSlow = 2; // times |g| h: it is not falling yet
    polish(settings_.sweeps);
    double left = residual();
    if (left < settings_.tolerance)
        return left;
    if (is_too_dense()) {
        polish(kDenseSweeps);
        return residual();
    }
    if (!may_go_direct(mood)) {
        accelerate(kWaitSweeps);
        return residual();
    }
    penalty_ = mood.penalty;
    if (mood.steps == 1 && left < kSlow * settings_.speed)
        presume_rest();
    left = go_direct(mood);
    note_stall(left, mood);
    if (left <= 10 * settings_.tolerance)
        return left;
    accelerate(kStallSweeps);
    return residual();
}

} // namespace sinew
