// The examples as physics: each moves without a fault, and those with a law obey it.

#include "physics/motions.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kGravity = 9.81;
using AtwoodState = std::array<double, 4>; ///< r, θ, dr/dt, dθ/dt

/// (m + M) r̈ = m r θ̇² + g (m cos θ − M),  r θ̈ = −2 ṙ θ̇ − g sin θ, with m = 1.
AtwoodState atwood_slope(const AtwoodState& s, double M)
{
    const auto [r, theta, dr, dtheta] = s;
    return {dr, dtheta, (r * dtheta * dtheta + kGravity * (std::cos(theta) - M)) / (1 + M),
            (-2 * dr * dtheta - kGravity * std::sin(theta)) / r};
}

AtwoodState with(const AtwoodState& s, double h, const AtwoodState& slope)
{
    AtwoodState out = s;
    for (std::size_t i = 0; i < 4; ++i)
        out[i] += h * slope[i];
    return out;
}

/// Classical Runge-Kutta, at steps so short that its error is below 1e-10.
AtwoodState atwood_after(AtwoodState s, double M, double time)
{
    const int count = 40000;
    const double h = time / count;
    for (int i = 0; i < count; ++i) {
        const AtwoodState a = atwood_slope(s, M), b = atwood_slope(with(s, h / 2, a), M),
                          c = atwood_slope(with(s, h / 2, b), M),
                          d = atwood_slope(with(s, h, c), M);
        for (std::size_t k = 0; k < 4; ++k)
            s[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    }
    return s;
}

} // namespace

TEST_CASE("every example runs for a second and keeps its constraints")
{
    for (const std::string& name : list_repository_files("examples", ".charli")) {
        CAPTURE(name);
        Motion motion(repository_scene(name));
        // Piles whose bodies land at once: laws of contact are off by up to 0.2 m/s, and told.
        motion.may_be_unsolved =
            name == "examples/random_stack.charli" || name == "examples/roof.charli";
        motion.advance_in_frames(motion.world.scene().settings.start + 1, 24);
        // where bodies land at ten metres a second, they overlap before they are parted
        CHECK(motion.residual < (motion.world.scene().bodies.empty() ? 1e-10 : 0.08));
    }
}

TEST_CASE("Peaucellier's pen draws a straight line")
{
    Motion motion(repository_scene("examples/peaucellier.charli"));
    const double line = (2.6 * 2.6 - 1.3 * 1.3) / 2;
    double error = 0, low = 0, high = 0;
    for (int frame = 1; frame <= 144; ++frame) {
        motion.advance(frame / 24.0);
        const Vec3 pen = motion.place("pen");
        error = std::max(error, std::abs(pen.x - line));
        low = std::min(low, pen.y);
        high = std::max(high, pen.y);
    }

    CHECK(error < 1e-10);
    CHECK(high - low > 3);
}

TEST_CASE("a swinging Atwood machine obeys its equation")
{
    Motion motion(repository_scene("examples/swinging_atwood.charli"));
    motion.advance_in_frames(5, 24);
    const AtwoodState state = atwood_after({1, std::acos(-1.0) / 2, 0, 0}, 3, 5);

    CHECK(std::abs(motion.coordinate("r") - state[0]) < 1e-8);
    CHECK(std::abs(motion.coordinate("theta") - state[1]) < 1e-8);
}

TEST_CASE("one ball into Newton's cradle throws one ball out")
{
    Motion motion(repository_scene("examples/newtons_cradle.charli"));
    const double start = motion.energy();
    double first = 0, last = 0;
    for (int frame = 1; frame <= 30; ++frame) {
        motion.advance(frame / 24.0);
        first = std::min(first, motion.coordinate("p[1].theta") * (frame > 20));
        last = std::max(last, motion.coordinate("p[5].theta"));
    }

    CHECK(last > 0.95 * 40 * std::acos(-1.0) / 180);
    CHECK(std::abs(first) < 0.1);
    CHECK(std::abs(motion.energy() - start) < 1e-6);
}

TEST_CASE("a Strandbeest's foot returns with every turn of the crank")
{
    Motion motion(repository_scene("examples/strandbeest.charli"));
    motion.advance_in_frames(1, 24);
    const Vec3 foot = motion.place("foot.pin");
    motion.advance_in_frames(7, 24);

    CHECK(length(motion.place("foot.pin") - foot) < 1e-9);
}
