// Projected Gauss-Seidel sweeps and, between them, the nonlinear conjugate gradient of
// [Silcowitz10]: the change of a sweep is the gradient g, the direction is p ← β p + g with
// β = |g|² / |g_before|², dropped where β > 1, and the impulses go on by β p before the next sweep.

#include "models/rigid/islands/pile_sweeps.h"

#include "base/parallel.h"

#include <algorithm>

namespace sinew {

namespace {

std::array<double, 7> numbers_of(const Patch& p)
{
    return {p.lambda[0], p.lambda[1], p.lambda[2], p.lambda[3], p.f[0], p.f[1], p.f[2]};
}

} // namespace

bool PileSweeps::take_ball(const Patch& p)
{
    const SolverBody &a = (*bodies_)[p.a], &b = (*bodies_)[p.b];
    const Vec3 still = {0, 0, 0}; // what is fixed and turns has arms of its own
    if (p.rolling > 0 || p.drift != still || (a.inverse_mass == 0 && a.w != still) ||
        (b.inverse_mass == 0 && b.w != still) || !is_ball_patch(p, a, b))
        return false;
    Ball ball{.a = p.a,
              .b = p.b,
              .n = p.n,
              .f = p.t1 * p.f[0] + p.t2 * p.f[1],
              .arm_a = dot(p.arm_a, p.n),
              .arm_b = dot(p.arm_b, p.n),
              .light_a = a.inverse_mass,
              .light_b = b.inverse_mass,
              .lambda = p.lambda[0],
              .bias = p.bias[0],
              .mu = p.mu};
    ball.turn_a = ball.arm_a * a.inverse_inertia(0, 0);
    ball.turn_b = ball.arm_b * b.inverse_inertia(0, 0);
    const double light = ball.light_a + ball.light_b;
    ball.normal = 1 / light;
    ball.slip = 1 / (light + ball.arm_a * ball.turn_a + ball.arm_b * ball.turn_b);
    balls_.push_back(ball);
    return true;
}

/// Slabs of equally many of the bodies that the patches touch.
void PileSweeps::cut_into_slabs(std::span<Patch* const> patches, std::span<const BodyState> poses)
{
    constexpr std::size_t kWorth = 400, kMost = 16; // contacts of a slab; slabs
    slabs_ = std::clamp(patches.size() / kWorth, std::size_t(1), kMost);
    slab_of_.assign(poses.size(), 0);
    if (slabs_ == 1)
        return;
    std::vector<char> is_met(poses.size(), 0);
    Box around{Vec3{1, 1, 1} * 1e300, Vec3{-1, -1, -1} * 1e300};
    for (const Patch* p : patches)
        for (const std::uint32_t i : {p->a, p->b})
            if ((*bodies_)[i].inverse_mass > 0 && !std::exchange(is_met[i], 1))
                for (int k = 0; k < 3; ++k) {
                    around.low[k] = min(around.low[k], poses[i].x[k]);
                    around.high[k] = max(around.high[k], poses[i].x[k]);
                }
    const Vec3 size = around.high - around.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    heights_.clear();
    for (std::size_t i = 0; i < poses.size(); ++i)
        if (is_met[i])
            heights_.push_back(poses[i].x[axis]);
    std::ranges::sort(heights_);
    for (std::size_t i = 0; i < poses.size(); ++i)
        if (is_met[i]) {
            const auto below = std::ranges::lower_bound(heights_, poses[i].x[axis]);
            slab_of_[i] = std::size_t(below - heights_.begin()) * slabs_ / heights_.size();
        }
}

/// Sorts the patches by their groups, and within those as they come.
void PileSweeps::sort_in(std::span<Patch* const> patches)
{
    const std::size_t between = slabs_ - 1, even = (between + 1) / 2;
    stages_ = {0, slabs_, slabs_ + even, slabs_ + between, slabs_ + between + 1};
    groups_.assign(stages_[4], {});
    group_of_.clear();
    for (const Patch* p : patches) {
        const bool is_a_free = (*bodies_)[p->a].inverse_mass > 0;
        const bool is_b_free = (*bodies_)[p->b].inverse_mass > 0;
        const std::size_t a = slab_of_[is_a_free ? p->a : p->b];
        const std::size_t b = slab_of_[is_b_free ? p->b : p->a];
        const std::size_t low = std::min(a, b), way = std::max(a, b) - low;
        group_of_.push_back(way == 0   ? low
                            : way == 1 ? stages_[1 + low % 2] + low / 2
                                       : stages_[3]);
    }
    balls_.clear();
    ball_patches_.clear();
    others_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        groups_[g].first_ball = balls_.size();
        groups_[g].first_other = others_.size();
        for (std::size_t k = 0; k < patches.size(); ++k)
            if (group_of_[k] == g)
                (take_ball(*patches[k]) ? ball_patches_ : others_).push_back(patches[k]);
        groups_[g].last_ball = balls_.size();
        groups_[g].last_other = others_.size();
    }
}

/// Stage after stage; the groups of one side by side.
template <class Function>
void PileSweeps::for_each_group(Function&& function)
{
    for (std::size_t stage = 0; stage + 1 < stages_.size(); ++stage) {
        const std::size_t first = stages_[stage];
        for_each_index(stages_[stage + 1] - first, threads_,
                       [&](std::size_t k) { function(groups_[first + k]); });
    }
}

void PileSweeps::start(std::span<Patch* const> patches, std::span<const BodyState> poses,
                       std::vector<SolverBody>& bodies, int threads)
{
    bodies_ = &bodies;
    threads_ = threads;
    cut_into_slabs(patches, poses);
    sort_in(patches);
    for (const Ball& ball : balls_)
        push(ball, ball.lambda, ball.f);
    for (const Patch* p : others_)
        apply_impulses(*p, bodies[p->a], bodies[p->b]);
    changes_.assign(balls_.size(), {});
    directions_.assign(balls_.size(), {});
    other_changes_.assign(others_.size(), {});
    other_directions_.assign(others_.size(), {});
}

void PileSweeps::forget()
{
    for (Ball& ball : balls_) {
        ball.lambda = 0;
        ball.f = {0, 0, 0};
    }
    for (Patch* p : others_) {
        p->lambda = {};
        p->f = {};
        p->roll = {};
    }
}

/// The natural map, as residual_of of a patch.
double PileSweeps::ball_residual(const Ball& ball) const
{
    const SolverBody &a = (*bodies_)[ball.a], &b = (*bodies_)[ball.b];
    const Vec3 apart = b.v - a.v;
    const double along = dot(ball.n, apart);
    const Vec3 slip = apart - ball.n * along + cross(b.w * ball.arm_b - a.w * ball.arm_a, ball.n);
    Vec3 f = ball.f - slip * ball.slip;
    const double most = ball.mu * ball.lambda;
    if (const double size = squared_length(f); size > most * most)
        f = f * (most / sqrt(size));
    return max(abs(min(along + ball.bias, ball.lambda / ball.normal)),
               length(f - ball.f) / ball.slip);
}

double PileSweeps::residual() const
{
    double worst = 0;
    for (const Ball& ball : balls_)
        worst = max(worst, ball_residual(ball));
    for (const Patch* p : others_)
        worst = max(worst, residual_of(*p, (*bodies_)[p->a], (*bodies_)[p->b]));
    return worst;
}

void PileSweeps::finish()
{
    for (std::size_t i = 0; i < balls_.size(); ++i) {
        Patch& p = *ball_patches_[i];
        p.lambda[0] = balls_[i].lambda;
        p.f = {dot(p.t1, balls_[i].f), dot(p.t2, balls_[i].f), 0};
    }
}

void PileSweeps::push(const Ball& ball, double lambda, const Vec3& f)
{
    SolverBody &a = (*bodies_)[ball.a], &b = (*bodies_)[ball.b];
    const Vec3 P = ball.n * lambda + f, turn = cross(ball.n, f);
    if (ball.light_b > 0) { // fixed bodies are only read: other threads do so too
        b.v += P * ball.light_b;
        b.w += turn * ball.turn_b;
    }
    if (ball.light_a > 0) {
        a.v -= P * ball.light_a;
        a.w -= turn * ball.turn_a;
    }
}

void PileSweeps::relax_ball(std::size_t i, Group& group)
{
    Ball& ball = balls_[i];
    const SolverBody &a = (*bodies_)[ball.a], &b = (*bodies_)[ball.b];
    const Vec3 apart = b.v - a.v;
    const double along = dot(ball.n, apart);
    const double change = max(-ball.lambda, -(along + ball.bias) * ball.normal);
    if (change == 0 && ball.lambda == 0 && ball.f == Vec3{0, 0, 0}) {
        changes_[i] = {};
        return;
    }
    ball.lambda += change;
    const Vec3 slip = apart - ball.n * along + cross(b.w * ball.arm_b - a.w * ball.arm_a, ball.n);
    Vec3 f = ball.f - slip * ball.slip;
    const double most = ball.mu * ball.lambda;
    if (const double size = squared_length(f); size > most * most)
        f = f * (most / sqrt(size));
    const Vec3 by = f - ball.f;
    ball.f = f;
    push(ball, change, by);
    changes_[i] = {change, by};
    const double squared = squared_length(by);
    group.worst = max(group.worst, max(change * change / (ball.normal * ball.normal),
                                       squared / (ball.slip * ball.slip)));
    group.energy += change * change / ball.normal + squared / ball.slip;
}

void PileSweeps::relax_other(std::size_t i, Group& group)
{
    Patch& p = *others_[i];
    const Numbers before = numbers_of(p);
    relax(p, (*bodies_)[p.a], (*bodies_)[p.b]);
    Numbers& change = other_changes_[i] = numbers_of(p);
    for (std::size_t k = 0; k < 7; ++k) {
        change[k] -= before[k];
        const double response = k < 4 ? p.K[k][k] : k < 6 ? p.slip : p.turn;
        group.worst = max(group.worst, k == 6 ? 0 : change[k] * change[k] * response * response);
        group.energy += change[k] * change[k] * response;
    }
}

void PileSweeps::sweep_group(Group& group, bool is_backward)
{
    group.worst = group.energy = 0;
    for (std::size_t i = group.first_ball; i < group.last_ball; ++i)
        relax_ball(is_backward ? group.last_ball - 1 - (i - group.first_ball) : i, group);
    for (std::size_t i = group.first_other; i < group.last_other; ++i)
        relax_other(is_backward ? group.last_other - 1 - (i - group.first_other) : i, group);
}

void PileSweeps::sweep(bool is_backward)
{
    for_each_group([&](Group& group) { sweep_group(group, is_backward); });
    worst_ = energy_ = 0;
    for (const Group& group : groups_) {
        worst_ = max(worst_, group.worst);
        energy_ += group.energy;
    }
    worst_ = sqrt(worst_);
}

/// λ += β p, and p ← β p + g
void PileSweeps::go_along_group(const Group& group, double share)
{
    for (std::size_t i = group.first_ball; i < group.last_ball; ++i) {
        Step& p = directions_[i];
        p = {p.lambda * share, p.f * share};
        balls_[i].lambda += p.lambda;
        balls_[i].f += p.f;
        push(balls_[i], p.lambda, p.f);
        p.lambda += changes_[i].lambda;
        p.f += changes_[i].f;
    }
    for (std::size_t i = group.first_other; i < group.last_other; ++i) {
        Patch& patch = *others_[i];
        Numbers& p = other_directions_[i];
        for (double& number : p)
            number *= share;
        for (std::size_t k = 0; k < 4; ++k)
            patch.lambda[k] += p[k];
        for (std::size_t k = 0; k < 3; ++k)
            patch.f[k] += p[4 + k];
        apply_wrench(patch, wrench_of(patch, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6]}),
                     (*bodies_)[patch.a], (*bodies_)[patch.b]);
        for (std::size_t k = 0; k < 7; ++k)
            p[k] += other_changes_[i][k];
    }
}

void PileSweeps::go_along(double share)
{
    for_each_group([&](const Group& group) { go_along_group(group, share); });
}

int PileSweeps::sweep_plainly(int times)
{
    for (int k = 0; k < times; ++k)
        sweep(k % 2 != 0);
    return times;
}

int PileSweeps::solve(double rest, double goal, int least, int most)
{
    double before = 0;
    for (int k = 1;; ++k) {
        sweep(false);
        if ((worst_ < goal && k >= least) || worst_ < rest || k >= most)
            return k;
        const double beta = before > 0 ? energy_ / before : 0;
        before = energy_;
        go_along(beta < 1 ? beta : 0);
    }
}

} // namespace sinew
