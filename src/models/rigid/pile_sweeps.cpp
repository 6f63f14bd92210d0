// Projected Gauss-Seidel sweeps and, between them, the nonlinear conjugate gradient of
// [Silcowitz10]: the change of a sweep is the gradient g, the direction is p ← β p + g with
// β = |g|² / |g_before|², dropped where β > 1, and the impulses go on by β p before the next sweep.

#include "models/rigid/pile_sweeps.h"

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
    if (p.rolling > 0 || (a.inverse_mass == 0 && a.w != still) ||
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

void PileSweeps::start(std::span<Patch* const> patches, std::vector<SolverBody>& bodies)
{
    bodies_ = &bodies;
    balls_.clear();
    ball_patches_.clear();
    others_.clear();
    for (Patch* p : patches)
        (take_ball(*p) ? ball_patches_ : others_).push_back(p);
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

void PileSweeps::relax_ball(std::size_t i)
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
    worst_ = max(worst_, max(change * change / (ball.normal * ball.normal),
                             squared / (ball.slip * ball.slip)));
    energy_ += change * change / ball.normal + squared / ball.slip;
}

void PileSweeps::relax_other(std::size_t i)
{
    Patch& p = *others_[i];
    const Numbers before = numbers_of(p);
    relax(p, (*bodies_)[p.a], (*bodies_)[p.b]);
    Numbers& change = other_changes_[i] = numbers_of(p);
    for (std::size_t k = 0; k < 7; ++k) {
        change[k] -= before[k];
        const double response = k < 4 ? p.K[k][k] : k < 6 ? p.slip : p.turn;
        worst_ = max(worst_, k == 6 ? 0 : change[k] * change[k] * response * response);
        energy_ += change[k] * change[k] * response;
    }
}

void PileSweeps::sweep(bool is_backward)
{
    worst_ = energy_ = 0;
    const std::size_t n = balls_.size(), m = others_.size();
    for (std::size_t i = 0; i < n; ++i)
        relax_ball(is_backward ? n - 1 - i : i);
    for (std::size_t i = 0; i < m; ++i)
        relax_other(is_backward ? m - 1 - i : i);
    worst_ = sqrt(worst_);
}

/// λ += β p, and p ← β p + g
void PileSweeps::go_along(double share)
{
    for (std::size_t i = 0; i < balls_.size(); ++i) {
        Step& p = directions_[i];
        p = {p.lambda * share, p.f * share};
        balls_[i].lambda += p.lambda;
        balls_[i].f += p.f;
        push(balls_[i], p.lambda, p.f);
        p.lambda += changes_[i].lambda;
        p.f += changes_[i].f;
    }
    for (std::size_t i = 0; i < others_.size(); ++i) {
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
