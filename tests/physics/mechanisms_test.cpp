// Mechanisms of the examples beside what their geometry and their energy say.

#include "math/jet.h"
#include "physics/motions.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::test;

namespace {

const double kPi = std::acos(-1.0);

/// Where bars of lengths a and b from p and q meet, to the left of the way from p to q.
Vec3 meet(const Vec3& p, const Vec3& q, double a, double b)
{
    const double d = std::hypot(q.x - p.x, q.y - p.y);
    const double along = (d * d + a * a - b * b) / (2 * d),
                 aside = std::sqrt(a * a - along * along);
    const double ux = (q.x - p.x) / d, uy = (q.y - p.y) / d;
    return {p.x + along * ux - aside * uy, p.y + along * uy + aside * ux, 0};
}

/// The foot of Jansen's leg, in the frame of its trunk, for an angle of the crank.
Vec3 foot_of(double crank)
{
    const Vec3 c{1.5 * std::cos(crank), 1.5 * std::sin(crank), 0}, f{-3.8, -0.78, 0};
    const Vec3 top = meet(f, c, 4.15, 5), low = meet(c, f, 6.19, 3.93);
    const Vec3 ankle = meet(low, meet(f, top, 4.01, 5.58), 3.67, 3.94);
    return meet(low, ankle, 4.9, 6.57);
}

/// The drive of examples/locomotive.charli as a function of one angle.
struct Locomotive {
    struct Piston {
        Jet2 place, pin_x, pin_y, angle;
    };
    static Piston piston(const Jet2& turn, double phase)
    {
        const Jet2 at = turn + Jet2(phase), lean = asin(Jet2(0.35 / 2.4) * sin(at));
        return {Jet2(0.35) * cos(at) - Jet2(2.4) * cos(lean), Jet2(0.35) * cos(at),
                Jet2(0.35) * sin(at), Jet2(kPi) + lean};
    }
    /// Mass and half its slope along the angle: wheels, coupling rods, connecting rods, pistons.
    static std::array<double, 2> mass(double s)
    {
        const Jet2 turn = Jet2::variable(s);
        double m = 3 * 40 * (1 + 1) / 12.0, half_slope = 0;
        const auto add = [&](double weight, const Jet2& x) {
            m += weight * x.first * x.first;
            half_slope += weight * x.first * x.second;
        };
        for (const double phase : {0.0, kPi / 2}) {
            const Piston p = piston(turn, phase);
            for (int rod = 0; rod < 2; ++rod) { // they do not turn
                add(8, p.pin_x);
                add(8, p.pin_y);
            }
            add(8, p.pin_x + Jet2(1.2) * cos(p.angle));
            add(8, p.pin_y + Jet2(1.2) * sin(p.angle));
            add(8 * (2.4 * 2.4 + 0.1 * 0.1) / 12, p.angle);
            add(12, p.place);
        }
        return {m, half_slope};
    }
    static double force(double s, double rate)
    {
        const Jet2 turn = Jet2::variable(s);
        double sum = -20 * rate;
        for (const double phase : {0.0, kPi / 2}) {
            const Piston p = piston(turn, phase);
            sum += -200 * std::sin(s + phase) * p.place.first;
            sum -= 9.81 * (2 * 8 * p.pin_y.first + 8 * (p.pin_y + Jet2(1.2) * sin(p.angle)).first);
        }
        return sum;
    }
    static double acceleration(double s, double v)
    {
        const auto [m, half_slope] = mass(s);
        return (force(s, v) - half_slope * v * v) / m;
    }
};

} // namespace

TEST_CASE("a locomotive's drive moves as one wheel with the mass of all")
{
    // Classical Runge-Kutta with steps of 0.1 ms.
    double s = 0.4, v = 1;
    const double h = 1e-4;
    std::vector<double> turns;
    for (int i = 1; i <= 60000; ++i) {
        const auto a = [](double x, double y) { return Locomotive::acceleration(x, y); };
        const double a1 = a(s, v), a2 = a(s + h / 2 * v, v + h / 2 * a1);
        const double a3 = a(s + h / 2 * (v + h / 2 * a1), v + h / 2 * a2);
        const double a4 = a(s + h * (v + h / 2 * a2), v + h * a3);
        s += h * (v + h / 6 * (a1 + a2 + a3));
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        if (i % 10000 == 0)
            turns.push_back(s);
    }
    REQUIRE(turns.back() > 4 * kPi); // past all dead centres
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        Motion motion(repository_scene("examples/locomotive.charli"));
        for (std::size_t i = 0; i < turns.size(); ++i) {
            motion.advance_in_frames(double(i + 1), fps);
            for (const char* name : {"turn", "second", "third"})
                CHECK(std::abs(motion.coordinate(name) - turns[i]) < 1e-9);
        }
    }
}

TEST_CASE("Jansen's walker walks upright, and its legs are where its crank has them")
{
    Motion motion(repository_scene("examples/walker.charli"));
    motion.advance_in_frames(2, 24);
    const double before = motion.coordinate("x");
    motion.advance_in_frames(3, 24);
    CHECK(before - motion.coordinate("x") > 3);
    const double tilt = motion.coordinate("tilt"), turn = motion.coordinate("turn");
    CHECK(std::abs(tilt) < 0.02);
    CHECK(motion.coordinate("y") > 9);
    const Vec3 middle{motion.coordinate("x"), motion.coordinate("y"), 0};
    for (int i = 0; i < 4; ++i)
        for (const bool is_left : {true, false}) {
            const double side = is_left ? 1 : -1;
            const Vec3 foot = foot_of(i * kPi / 2 + side * turn);
            const double x = side * foot.x, c = std::cos(tilt), s = std::sin(tilt);
            const Vec3 expected =
                middle + Vec3{c * x - s * foot.y, s * x + c * foot.y, 2.0 * i - 3};
            const std::string name =
                std::string(is_left ? "w.left[" : "w.right[") + std::to_string(i) + "].e.pin";
            CHECK(length(motion.place(name) - expected) < 1e-9);
        }
    CHECK(motion.residual < 1e-10);
}

TEST_CASE("an Oldham coupling turns both discs evenly, its cross twice as fast about their middle")
{
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        Motion motion(repository_scene("tests/physics/scripts/oldham.charli"));
        for (int second = 1; second <= 4; ++second) {
            motion.advance_in_frames(second, fps);
            const double turn = 0.4 + 7.0 * second;
            for (const char* name : {"a", "b", "c"})
                CHECK(std::abs(motion.coordinate(name) - turn) < 1e-9);
            CHECK(std::abs(motion.coordinate("x") - 0.15 * (1 + std::cos(2 * turn))) < 1e-9);
            CHECK(std::abs(motion.coordinate("y") - 0.15 * std::sin(2 * turn)) < 1e-9);
        }
    }
}

TEST_CASE("Cardan's joint turns unevenly, as its angle and its energy say")
{
    const double far = std::cos(40 * kPi / 180), first = 0.3;
    const auto ratio = [&](double a) {
        return far / (std::pow(std::cos(a), 2) + std::pow(far * std::sin(a), 2));
    };
    const auto inertia = [&](double a) {
        return 1 / 6.0 + 0.5 + (2 / 6.0 + 0.5) * ratio(a) * ratio(a);
    };
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        Motion motion(repository_scene("tests/physics/scripts/cardan.charli"));
        const double energy = motion.energy();
        motion.advance_in_frames(5, fps);
        const double a = motion.coordinate("a"), c = motion.coordinate("c");
        REQUIRE(a > 4 * kPi);
        CHECK(std::abs(std::sin(c) * std::cos(a) - far * std::sin(a) * std::cos(c)) < 1e-9);
        // The time it takes to get there, by Simpson's rule.
        const int count = 20000;
        const double h = (a - first) / count;
        double time = 0;
        for (int i = 0; i <= count; ++i)
            time += (i == 0 || i == count ? 1
                     : i % 2 == 1         ? 4
                                          : 2) *
                    h / 3 * std::sqrt(inertia(first + i * h) / (2 * energy));
        CHECK(std::abs(time - 5) * 6 < 1e-9);
    }
}

TEST_CASE("mechanisms that pass singular postures keep their energy for 100 s")
{
    for (const std::string name : {"pinned_parallelogram", "flat_start", "four_bar", "bennett",
                                   "kite", "equal_slider_crank", "bricard", "oldham", "cardan"}) {
        CAPTURE(name);
        Motion motion(repository_scene("tests/physics/scripts/" + name + ".charli"));
        const double energy = motion.energy();
        double drift = 0;
        for (int second = 1; second <= 100; ++second) {
            motion.advance_in_frames(second, 25);
            drift = std::max(drift, std::abs(motion.energy() - energy));
        }
        CHECK(drift < 1e-8 * motion.kinetic);
    }
}
