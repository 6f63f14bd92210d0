// Strands that hang still, against independent solutions.

#include "math/functions.h"
#include "models/strand/lanes/kernel.h"
#include "models/strand/statics.h"
#include "some_trees.h"

#include <Eigen/Dense>
#include <cmath>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

constexpr double kGravity = 9.81;

std::vector<Quat> rest_turns(std::span<const SegmentData> segments, Quat base = {})
{
    std::vector<Quat> turns;
    for (const SegmentData& s : segments)
        turns.push_back((s.parent < 0 ? base : turns[s.parent]) * s.rest);
    return turns;
}

Vec3 tip_of(std::span<const SegmentData> segments, std::span<const Quat> turns)
{
    Vec3 x{0, 0, 0};
    for (std::size_t i = 0; i < segments.size(); ++i)
        x += rotate(turns[i], Vec3{0, segments[i].length, 0});
    return x;
}

/// A heavy rod of unit length clamped horizontally, Γ = ρgAL³/EI.
std::vector<SegmentData> cantilever(int count, double gamma)
{
    const double r = 0.001, pi = std::numbers::pi, density = 1000;
    const double EI = density * kGravity * pi * r * r / gamma;
    return round_curve(count, 1, r, density, EI / (pi * r * r * r * r / 4), 0, [](double) {
        return Vec3{1, 0, 0};
    });
}

StillLoads weight() { return {.base = {}, .gravity = {0, -kGravity, 0}, .tips = {}}; }

} // namespace

TEST_CASE("strands: twenty links under their weight, against the discrete truth [eqs 4, 5]")
{
    struct Case {
        double gamma, x, drop;
    };
    // Solved independently in 40 digits for K tan(θ/2), K = 2EI/l, 4EI/l at the root.
    for (const Case& c : {Case{1, 0.99121658569197, 0.123773477064064},
                          Case{10, 0.656028474609952, 0.701201162769572},
                          Case{100, 0.158596393865343, 0.940629221904191},
                          Case{1000, 0.0413418961869526, 0.989021304054465}}) {
        const std::vector<SegmentData> segments = cantilever(20, c.gamma);
        const Equilibrium found = find_equilibrium(segments, weight(), rest_turns(segments));
        const Vec3 tip = tip_of(segments, found.turns);
        CAPTURE(c.gamma);
        CHECK(found.is_found);
        CHECK(found.is_stable);
        CHECK(tip.x == doctest::Approx(c.x).epsilon(1e-11));
        CHECK(tip.y == doctest::Approx(-c.drop).epsilon(1e-11));
    }
}

TEST_CASE("strands: the heavy cantilever is met with second order in the number of segments")
{
    // The continuum's reach and drop at Γ = 10, by shooting and by collocation.
    const Vec3 exact{0.6563537612386, -0.700199715514308, 0};
    double last = 0;
    for (const int count : {10, 20, 40, 80}) {
        const std::vector<SegmentData> segments = cantilever(count, 10);
        const Equilibrium found = find_equilibrium(segments, weight(), rest_turns(segments));
        const double error = length(tip_of(segments, found.turns) - exact);
        if (last > 0)
            CHECK(last / error > 3.73); // order 1.9
        last = error;
    }
    CHECK(last < 1e-4);
}

TEST_CASE("strands: a curl of 3 GPa under gravity, second order in the number of segments")
{
    // The Kirchhoff rod by shooting and as a boundary value problem; y up here.
    const Vec3 exact{0.000803729782, -0.101751263276, 0.000357798118};
    const Vec3 unloaded{-0.0030421433211765, -0.0861741548244003, 0.00718249472237544};
    const double a = 0.01, b = 0.03 / (2 * std::numbers::pi), c = sqrt(a * a + b * b);
    const double r = 5e-5, length_of_all = 0.2, nu = 0.45;
    double last = 0;
    for (const int count : {40, 80, 160}) {
        std::vector<SegmentData> segments =
            round_curve(count, length_of_all, r, 1300, 3e9, 0, [&](double u) {
                const double s = u * length_of_all / c;
                return Vec3{-a * sin(s), -b, -a * cos(s)};
            });
        for (SegmentData& s : segments)
            s.stiffness.y = s.stiffness.x / (1 + nu);
        const Equilibrium found = find_equilibrium(segments, weight(), rest_turns(segments));
        const double error = length(tip_of(segments, found.turns) - exact);
        CHECK(found.is_stable);
        if (count == 80)
            CHECK(error < 0.01 * length(exact - unloaded));
        if (last > 0)
            CHECK(last / error > 3.73);
        last = error;
    }
}

TEST_CASE("strands: an upright column is stable below its own buckling load and not above it")
{
    // Greenhill: a clamped column buckles under its weight at Γ = 7.8373.
    for (const double gamma : {7.7, 7.97}) {
        const double r = 0.001, pi = std::numbers::pi;
        const double EI = 1000 * kGravity * pi * r * r / gamma;
        const std::vector<SegmentData> segments =
            round_curve(80, 1, r, 1000, EI / (pi * r * r * r * r / 4), 0, [](double) {
                return Vec3{0, 1, 0};
            });
        const Equilibrium found = find_equilibrium(segments, weight(), rest_turns(segments));
        CAPTURE(gamma);
        CHECK(found.is_found);
        CHECK(found.is_stable == (gamma < 7.8));
    }
}

TEST_CASE("strands: a rest shape under which the drawn pose hangs still")
{
    const auto curl = [](double u) { return Vec3{cos(12 * u), -0.4, sin(12 * u)}; };
    std::vector<SegmentData> segments = round_curve(60, 0.4, 0.001, 1300, 2e7, 0, curl);
    segments[30].stiffness.z *= 3; // anisotropic too
    const std::vector<Quat> drawn = rest_turns(segments);
    const RestShape shape = find_rest_shape(segments, weight(), drawn);
    REQUIRE(shape.is_found);
    for (std::size_t i = 0; i < segments.size(); ++i)
        segments[i].rest = shape.rest[i];
    const Equilibrium found = find_equilibrium(segments, weight(), drawn);
    CHECK(found.is_found);
    CHECK(largest_turn(found.turns, drawn) < 1e-11);
    CHECK(largest_turn(rest_turns(segments), drawn) > 0.01); // it does hang
}

TEST_CASE("strands: the bend for a torque, closed form and not [eq. 4]")
{
    const Vec3 same = bend_for_torque({1, 2, 3}, {2, 2, 2});
    CHECK(length(same - Vec3{0.5, 1, 1.5}) < 1e-15);
    const Vec3 K{1, 0.4, 3}, torque{0.3, -0.5, 0.9};
    const Vec3 g = bend_for_torque(torque, K);
    const BendTerms<double> b = bend_terms(g, K);
    CHECK(length(g * K.x + b.u_y * b.c_y + b.u_z * b.c_z - torque) < 1e-13);
}

namespace {

/// Elastic and gravitational energy of a chain whose root stands at the origin.
double still_energy(std::span<const SegmentData> segments, std::span<const Quat> turns)
{
    double sum = 0;
    Vec3 x{0, 0, 0};
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const SegmentData& s = segments[i];
        const Vec3 r = rotate(turns[i], Vec3{0, s.length, 0});
        sum += s.mass * kGravity * (x.y + r.y / 2);
        x += r;
        const Quat before = s.parent < 0 ? Quat{} : turns[s.parent];
        const Quat d = conjugate(s.rest) * (conjugate(before) * turns[i]);
        const Vec3 g = rotate(joint_axes(s), d.vector() / d.w), K = s.stiffness;
        sum += K.x * log(1 + dot(g, g)) + (K.y - K.x) * log(1 + g.y * g.y) +
               (K.z - K.x) * log(1 + g.z * g.z);
    }
    return sum;
}

/// Smallest eigenvalue of the energy's second differences, of the largest.
double least_curvature(std::span<const SegmentData> segments, const std::vector<Quat>& turns)
{
    const int n = 3 * static_cast<int>(segments.size());
    const double h = 1e-4;
    const auto energy = [&](int a, double da, int b, double db) {
        std::vector<Quat> moved = turns;
        for (const auto& [k, d] : {std::pair(a, da), std::pair(b, db)}) {
            Vec3 turn{0, 0, 0};
            turn[k % 3] = d;
            moved[k / 3] = exp_quat(turn) * moved[k / 3];
        }
        return still_energy(segments, moved);
    };
    Eigen::MatrixXd H(n, n);
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b)
            H(a, b) = H(b, a) = (energy(a, h, b, h) - energy(a, h, b, -h) - energy(a, -h, b, h) +
                                 energy(a, -h, b, -h)) /
                                (4 * h * h);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues();
    return values(0) / values(n - 1);
}

} // namespace

TEST_CASE("strands: an equilibrium is stable where its energy's curvature says")
{
    // A crook and a straight column, clamped below: the column falls when it is heavy.
    int stable = 0, unstable = 0;
    for (const double young : {3e8, -3e8, 3e7, -3e7, -1e7}) {
        const double bend = young > 0 ? 0.9 * std::numbers::pi : 0;
        const std::vector<SegmentData> segments =
            round_curve(16, 0.3, 0.001, 1200, std::abs(young), 0, [&](double u) {
                return Vec3{sin(bend * u), cos(bend * u), 0};
            });
        const Equilibrium found = find_equilibrium(segments, weight(), rest_turns(segments));
        REQUIRE(found.is_found);
        CHECK(std::abs(tip_of(segments, found.turns).z) < 1e-6); // as it began: in its plane
        const double least = least_curvature(segments, found.turns);
        CAPTURE(young);
        CAPTURE(least);
        CHECK(found.is_stable == (least > 0));
        (found.is_stable ? stable : unstable) += 1;
    }
    CHECK(stable > 0);
    CHECK(unstable > 0);
}

TEST_CASE("strands: a column under a load at its tip buckles at Euler's load")
{
    // P = π² EI/(4 L²), its own weight left out; the load is at the last node.
    const double r = 0.001, young = 1e9, pi = std::numbers::pi, length_of_all = 0.5;
    const double EI = young * pi * r * r * r * r / 4;
    const double euler = pi * pi * EI / (4 * length_of_all * length_of_all);
    for (const double part : {0.99, 1.01}) {
        const std::vector<SegmentData> segments =
            round_curve(80, length_of_all, r, 1e-6, young, 0, [](double) {
                return Vec3{0, 1, 0};
            });
        std::vector<double> tips(segments.size() * Load::count, 0.0);
        tips[(segments.size() - 1) * Load::count + Load::force + 1] = -part * euler;
        const Equilibrium found = find_equilibrium(
            segments, {.base = {}, .gravity = {0, 0, 0}, .tips = tips}, rest_turns(segments));
        CHECK(found.is_stable == (part < 1));
    }
}

} // namespace sinew::strand
