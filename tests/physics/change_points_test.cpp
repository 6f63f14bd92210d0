// Closed loops that pass postures in which their constraints depend on each other, beside the same
// mechanisms derived by hand: all places follow from one parameter s, and Lagrange's equation
//
//     m(s) s̈ + ½ m'(s) ṡ² = Q(s),   m = Σ m |p'|²,   Q = −Σ m g y'
//
// is integrated by the classical method with steps of 0.1 ms.

#include "math/jet.h"
#include "physics/motions.h"
#include "support/files.h"
#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>

using namespace sinew;
using namespace sinew::test;

namespace {

using MovingPoint = Vec3T<Jet2>;

Vec3 value_of(const MovingPoint& x) { return {x.x.value, x.y.value, x.z.value}; }
Vec3 first_of(const MovingPoint& x) { return {x.x.first, x.y.first, x.z.first}; }
Vec3 second_of(const MovingPoint& x) { return {x.x.second, x.y.second, x.z.second}; }

constexpr double kGravity = 9.81, kTolerance = 1e-9, kEnergyTolerance = 1e-8;
const double kPi = std::acos(-1.0);

/// A mechanism of one freedom: mass points as s moves them, and a place to compare.
struct Mechanism {
    struct Point {
        double mass;
        MovingPoint place;
    };
    std::function<std::vector<Point>(const Jet2&)> points;
    std::function<Vec3(double)> marker;
    double start = 0, rate = 0;
};

double acceleration(const Mechanism& mechanism, double s, double rate)
{
    double m = 0, half_slope = 0, force = 0;
    for (const Mechanism::Point& point : mechanism.points(Jet2::variable(s))) {
        const Vec3 first = first_of(point.place), second = second_of(point.place);
        m += point.mass * dot(first, first);
        half_slope += point.mass * dot(first, second);
        force -= point.mass * kGravity * first.y;
    }
    return (force - half_slope * rate * rate) / m;
}

/// Places of the marker after each second.
std::vector<Vec3> integrate(const Mechanism& mechanism, int seconds)
{
    constexpr int kSteps = 10000;
    constexpr double h = 1. / kSteps;
    double s = mechanism.start, v = mechanism.rate;
    std::vector<Vec3> places;
    for (int second = 0; second < seconds; ++second) {
        for (int i = 0; i < kSteps; ++i) {
            const auto a = [&](double ds, double dv) {
                return acceleration(mechanism, s + ds, v + dv);
            };
            const double a1 = a(0, 0), a2 = a(h / 2 * v, h / 2 * a1);
            const double a3 = a(h / 2 * (v + h / 2 * a1), h / 2 * a2);
            const double a4 = a(h * (v + h / 2 * a2), h * a3);
            s += h * (v + h / 6 * (a1 + a2 + a3));
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        places.push_back(mechanism.marker(s));
    }
    return places;
}

/// A bar of length l and 1 kg in the plane, from an end in a direction: two points have its mass,
/// centre and moment of inertia, (l² + w²) / 12 for a width w.
void add_bar(std::vector<Mechanism::Point>& points, const Jet2& x, const Jet2& y, const Jet2& angle,
             double l, double w = 0.1, double mass = 1)
{
    const double arm = std::sqrt((l * l + w * w) / 12);
    for (const double side : {-1.0, 1.0}) {
        const Jet2 reach(l / 2 + side * arm);
        points.push_back({mass / 2, {x + reach * cos(angle), y + reach * sin(angle), Jet2(0)}});
    }
}

/// Runs a script in frames and compares the place of an object after each second.
void check(const std::string& script, const std::string& object, const std::vector<Vec3>& places,
           double fps)
{
    CAPTURE(script);
    CAPTURE(fps);
    Motion motion(repository_scene("tests/physics/scripts/" + script + ".charli"));
    const double energy = motion.energy();
    double worst = 0, drift = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        motion.advance_in_frames(double(i + 1), fps);
        worst = std::max(worst, length(motion.place(object) - places[i]));
        drift = std::max(drift, std::abs(motion.energy() - energy));
    }
    CHECK(worst < kTolerance);
    CHECK(drift < kEnergyTolerance * motion.kinetic);
    CHECK(motion.residual < 1e-10);
}

void check_at_all_rates(const std::string& script, const std::string& object,
                        const std::vector<Vec3>& places)
{
    for (const double fps : {24, 25, 30, 50, 60, 100, 120})
        check(script, object, places, fps);
}

/// Both cranks at the angle s, the coupler level.
Mechanism parallelogram(double start, double rate)
{
    Mechanism mechanism;
    mechanism.points = [](const Jet2& s) {
        std::vector<Mechanism::Point> points;
        add_bar(points, 0, 0, s, 1);
        add_bar(points, 1, 0, s, 1);
        add_bar(points, cos(s), sin(s), 0, 1);
        return points;
    };
    mechanism.marker = [](double s) { return Vec3{1 + std::cos(s), std::sin(s), 0}; };
    mechanism.start = start;
    mechanism.rate = rate;
    return mechanism;
}

/// Four bars in the plane whose fixed pivots are 2 m apart; `end` is where rocker and coupler meet.
template <class End>
Mechanism four_bar(double rocker, double coupler, double start, double rate, End end)
{
    Mechanism mechanism;
    mechanism.points = [=](const Jet2& s) {
        const auto [x, y] = end(s);
        std::vector<Mechanism::Point> points;
        add_bar(points, 0, 0, s, 1);
        add_bar(points, 2, 0, atan2(y, x - Jet2(2)), rocker);
        add_bar(points, cos(s), sin(s), atan2(y - sin(s), x - cos(s)), coupler);
        return points;
    };
    mechanism.marker = [=](double s) {
        const auto [x, y] = end(Jet2(s));
        return Vec3{x.value, y.value, 0};
    };
    mechanism.start = start;
    mechanism.rate = rate;
    return mechanism;
}

} // namespace

TEST_CASE("a four-bar linkage closed by a pin passes its flat postures at every frame rate")
{
    check_at_all_rates("pinned_parallelogram", "top[1]", integrate(parallelogram(kPi / 2, -1), 10));
}

TEST_CASE("a linkage that starts flat goes the way its rates say")
{
    check_at_all_rates("flat_start", "top[1]", integrate(parallelogram(0, 3), 5));
}

TEST_CASE("crossed cranks stay crossed where the linkage could become a parallelogram")
{
    const auto end = [](const Jet2& s) {
        const Jet2 b = Jet2(2) * atan2(Jet2(-3) * sin(s * Jet2(0.5)), cos(s * Jet2(0.5)));
        return std::pair(Jet2(2) + cos(b), sin(b));
    };
    check_at_all_rates("antiparallelogram", "pin", integrate(four_bar(1, 2, 1, 4, end), 10));
}

TEST_CASE("a kite whose crank goes round keeps its rocker moving")
{
    // The end mirrors the first pivot in the line from the crank's end to the second.
    const auto end = [](const Jet2& s) {
        const Jet2 x = cos(s), y = sin(s), dx = Jet2(2) - x, dy = -y;
        const Jet2 t = -(x * dx + y * dy) / (dx * dx + dy * dy);
        return std::pair(Jet2(2) * (x + t * dx), Jet2(2) * (y + t * dy));
    };
    check_at_all_rates("kite", "pin", integrate(four_bar(2, 1, 2, 5, end), 10));
}

TEST_CASE("a slider-crank of equal lengths goes on over its pivot")
{
    Mechanism mechanism;
    mechanism.points = [](const Jet2& s) {
        std::vector<Mechanism::Point> points;
        add_bar(points, 0, 0, s, 1);
        add_bar(points, cos(s), sin(s), -s, 1);
        const double arm = std::sqrt((0.04 + 0.04) / 12); // the slider turns with the rod
        for (const double side : {-1.0, 1.0})
            points.push_back(
                {1, {Jet2(2 + side * arm) * cos(s), Jet2(-side * arm) * sin(s), Jet2(0)}});
        return points;
    };
    mechanism.marker = [](double s) { return Vec3{2 * std::cos(s), 0, 0}; };
    mechanism.start = 0.7;
    mechanism.rate = 4;
    check_at_all_rates("equal_slider_crank", "slider", integrate(mechanism, 10));
}

TEST_CASE("coupled wheels turn alike past both dead centres")
{
    std::vector<Vec3> places;
    for (int second = 1; second <= 10; ++second) {
        const double angle = 3 * second + 0.3;
        places.push_back({2 + 0.3 * std::cos(angle), 0.3 * std::sin(angle), 0});
    }
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        Motion motion(repository_scene("tests/physics/scripts/locomotive.charli"));
        double worst = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            motion.advance_in_frames(double(i + 1), fps);
            worst = std::max(worst, length(motion.place("pin") - places[i]));
        }
        CHECK(worst < kTolerance);
    }
}

TEST_CASE("forty loops in a row lie flat in one instant and go on as one")
{
    Mechanism mechanism;
    mechanism.points = [](const Jet2& s) {
        std::vector<Mechanism::Point> points;
        for (int i = 0; i <= 40; ++i)
            add_bar(points, i, 0, s, 1, 0.05);
        for (int i = 0; i < 40; ++i)
            add_bar(points, Jet2(i) + cos(s), sin(s), 0, 1, 0.05);
        return points;
    };
    mechanism.marker = [](double s) { return Vec3{40 + std::cos(s), std::sin(s), 0}; };
    mechanism.start = kPi / 2;
    mechanism.rate = -1;
    const std::vector<Vec3> places = integrate(mechanism, 4);
    check("pinned_row", "top[40]", places, 25);
    check("pinned_row", "top[40]", places, 60);
}

TEST_CASE("Sarrus' linkage goes straight through its flat posture")
{
    // Legs at the angle s: a lower and an upper half on each side, the plate at twice the sine.
    Mechanism mechanism;
    mechanism.points = [](const Jet2& s) {
        std::vector<Mechanism::Point> points;
        const auto add_leg = [&](double width) {
            add_bar(points, 0, 0, s, 1, width);
            add_bar(points, cos(s), sin(s), Jet2(kPi) - s, 1, width);
        };
        add_leg(0.05);
        add_leg(0.05);
        points.push_back({2, {Jet2(0), Jet2(2) * sin(s), Jet2(0)}});
        return points;
    };
    mechanism.marker = [](double s) { return Vec3{0, 2 * std::sin(s), 0}; };
    mechanism.start = 0.5;
    mechanism.rate = 3;
    check_at_all_rates("sarrus", "top", integrate(mechanism, 10));
}

TEST_CASE("Bennett's linkage changes its choice of equations on the way")
{
    const double alpha = 40 * kPi / 180, beta = 70 * kPi / 180;
    const double K = std::sin((alpha + beta) / 2) / std::sin((beta - alpha) / 2);
    const double b = std::sin(beta) / std::sin(alpha);
    struct Frame {
        MovingPoint origin, x, y, z;
    };
    const auto turn_z = [](const Frame& f, const Jet2& angle) {
        return Frame{f.origin, f.x * cos(angle) + f.y * sin(angle),
                     f.y * cos(angle) - f.x * sin(angle), f.z};
    };
    const auto along = [](const Frame& f, double way, double twist) {
        return Frame{f.origin + f.x * Jet2(way), f.x,
                     f.y * Jet2(std::cos(twist)) + f.z * Jet2(std::sin(twist)),
                     f.z * Jet2(std::cos(twist)) - f.y * Jet2(std::sin(twist))};
    };
    const auto frames = [=](const Jet2& s) {
        const Jet2 half = s * Jet2(0.5);
        const Jet2 q1 = Jet2(2) * atan2(Jet2(K) * cos(half), sin(half));
        const MovingPoint zero{}, x{Jet2(1), Jet2(0), Jet2(0)}, y{Jet2(0), Jet2(1), Jet2(0)},
            z{Jet2(0), Jet2(0), Jet2(1)};
        const Frame f0 = turn_z({zero, x, y, z}, s);
        const Frame f1 = turn_z(along(f0, 1, alpha), q1);
        const Frame f2 = turn_z(along(f1, b, beta), -s);
        return std::array{f0, f1, f2};
    };
    Mechanism mechanism;
    mechanism.points = [=](const Jet2& s) {
        std::vector<Mechanism::Point> points;
        const std::array all = frames(s);
        const double lengths[] = {1, b, 1};
        for (std::size_t i = 0; i < 3; ++i) {
            const double r = 1 / std::sqrt(12.0);
            for (const double u : {-1.0, 1.0})
                for (const double v : {-1.0, 1.0})
                    for (const double w : {-1.0, 1.0})
                        points.push_back({0.125, all[i].origin +
                                                     all[i].x * Jet2(lengths[i] * (0.5 + u * r)) +
                                                     all[i].y * Jet2(0.1 * v * r) +
                                                     all[i].z * Jet2(0.1 * w * r)});
        }
        return points;
    };
    mechanism.marker = [=](double s) {
        return value_of(along(frames(Jet2(s))[1], b, beta).origin);
    };
    mechanism.start = 80 * kPi / 180;
    mechanism.rate = 2;
    const std::vector<Vec3> places = integrate(mechanism, 6);
    for (const double fps : {24, 25, 30, 50, 60, 100, 120})
        check("bennett", "a1.tip", places, fps);
}

TEST_CASE("a state within a step over a flat posture is kept like any other")
{
    // Frames of 1 ms end within the step many times; a world that is put back goes on alike.
    const Scene scene = repository_scene("tests/physics/scripts/pinned_parallelogram.charli");
    Motion through(scene), restored(scene);
    for (int i = 1; i <= 800; ++i) {
        through.advance(i / 1000.0);
        REQUIRE(restored.world.restore(restored.world.snapshot()));
        restored.advance(i / 1000.0);
    }
    CHECK(through.world.state_hash() == restored.world.state_hash());
    const std::vector<Vec3> places = integrate(parallelogram(kPi / 2, -1), 1);
    through.advance_in_frames(1, 1000);
    CHECK(length(through.place("top[1]") - places[0]) < kTolerance);
}

TEST_CASE("the first change point is noted")
{
    Motion motion(repository_scene("tests/physics/scripts/pinned_parallelogram.charli"));
    int notes = 0;
    for (int i = 1; i <= 30 * 5; ++i)
        for (const Problem& problem : motion.world.advance(i / 30.0).warnings) {
            CHECK(problem.severity == Severity::note);
            CHECK(problem.what.find("may fork") != std::string::npos);
            ++notes;
        }
    CHECK(notes == 1);
}

TEST_CASE("a run that stops in a singular posture names it")
{
    const auto fault_of = [](const std::string& text) {
        World world = make_world(sound_scene(text));
        const StepReport report = world.advance(5);
        REQUIRE(report.fault);
        return *report.fault;
    };
    std::string text = read_repository_file("tests/physics/reference/fig14_double.charli");
    text.replace(text.find("  mass(1.0);"), 12, "");
    text.replace(text.find("theta1 = initial(0, 0)"), 22, "theta1 = initial(0.5, 0)");
    const Problem joint = fault_of(text + "simulate(0 sec, 10 sec);");
    CHECK(joint.code == "no-mass");
    CHECK(joint.what.find("'m0' has no mass: at 0.488") == 0);
}

TEST_CASE("a block that turns about one axis goes on through gimbal lock")
{
    for (const double fps : {24, 60, 100}) {
        Motion motion(sound_scene("dynamic a, b, c; gravity(0, 0, 0); b = initial(0, 1);\n"
                                  "a = initial(0, 0); c = initial(0, 0); simulate(0 sec, 10 sec);\n"
                                  "k = box_mass(1, 1, 0.5, 0.2) rotatez(c) rotatey(b) rotatex(a);\n"
                                  "tip = label() translatex(1) rotatez(c) rotatey(b) rotatex(a);"));
        motion.advance_in_frames(3, fps);
        CHECK(length(motion.place("tip") - Vec3{std::cos(3.0), 0, -std::sin(3.0)}) < kTolerance);
    }
}
