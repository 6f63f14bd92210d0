// Rods against closed forms and results that were computed independently: chains, bridges, rings,
// what does not depend on how a curve is written.

#include "sinew/world.h"
#include "some_ropes.h"
#include "support/files.h"
#include "support/readings.h"

#include <nlohmann/json.hpp>

namespace sinew {

using namespace test;

namespace {

const nlohmann::json& reference()
{
    static const nlohmann::json data = nlohmann::json::parse(
        read_repository_file("tests/physics/reference/case08_ropes_beads.json"));
    return data;
}

} // namespace

TEST_CASE("rods: a chain of twenty links hangs as rigid links do [reference: case08, 20 links]")
{
    const auto& wanted = reference()["catenary_rigid_links_n20"][0];
    const auto sag = [](double u) { return Vec3{u, -2.0 * u * (1 - u), 0}; };
    rod::Drawing drawing = rod::drawn(sag, 1.5, 20, rope(0.2, 1e6), true);
    drawing.is_chain = true;
    Ropes ropes({drawing});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {1, 0, 0})};

    ropes.settle();

    for (int k = 0; k <= 20; ++k) {
        const Vec3 place = ropes.place(0, k / 20.0);
        const auto& node = wanted["nodes"][std::size_t(k)];
        CHECK(std::abs(place.x - node[0].get<double>()) < 1e-5);
        CHECK(std::abs(place.y - node[1].get<double>()) < 1e-5);
    }
    CHECK(ropes.force(2).x == doctest::Approx(wanted["H_N"].get<double>()).epsilon(1e-4));
    CHECK(-ropes.force(1).x == doctest::Approx(wanted["H_N"].get<double>()).epsilon(1e-4));
}

TEST_CASE("rods: a catenary between ends of different height [reference: case08, dz = 0.3]")
{
    const auto& wanted = reference()["catenary"][1];
    const auto sag = [](double u) { return Vec3{u, 0.3 * u - 2.0 * u * (1 - u), 0}; };
    Ropes ropes({rod::drawn(sag, 1.5, 20, rope(0.2, 1e6), true)});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {1, 0.3, 0})};

    ropes.settle();

    const auto& middle = wanted["material_midpoint"];
    CHECK(length(ropes.place(0, 0.5) - Vec3{middle[0].get<double>(), middle[1].get<double>(), 0}) <
          1e-3 * 1.5);
    CHECK(ropes.force(2).x == doctest::Approx(wanted["H_N"].get<double>()).epsilon(5e-3));
    CHECK(length(ropes.force(1)) ==
          doctest::Approx(wanted["T_at_pin0_N"].get<double>()).epsilon(5e-3));
    CHECK(length(ropes.force(2)) ==
          doctest::Approx(wanted["T_at_pin1_N"].get<double>()).epsilon(5e-3));
}

TEST_CASE("rods: hangers of a suspended bridge carry alike, its cable is a parabola")
{
    // A light cable with sag f over L, a deck of w per length on hangers cut to that parabola:
    // each hanger carries w L/n, the cable pulls with w L²/(8 f).
    constexpr double kSpan = 10, kSag = 1, kDeck = 2; // m, m, kg/m
    constexpr int kParts = 10;
    const auto cable = [&](double x) { return 4 * kSag * x * (x - kSpan) / (kSpan * kSpan); };
    const auto shape = [&](double u) { // by arc length, near enough: it will find its place
        return Vec3{kSpan * u, cable(kSpan * u), 0};
    };
    double arc = 0;
    for (int k = 0; k < 1000; ++k)
        arc += std::hypot(kSpan / 1000, cable((k + 1) * kSpan / 1000) - cable(k * kSpan / 1000));
    Ropes ropes(
        {rod::drawn(shape, arc, 40, rope(1e-3, 1e7, 1e-3), true),
         rod::drawn(
             [](double u) {
                 return Vec3{kSpan * u, -3, 0};
             },
             kSpan, 40,
             {.radius = 0.01, .young = 1e6, .poisson = 0.3, .density = kDeck / (kPi * 1e-4)},
             true)});
    // Where along the cable a hanger stands: its x, the cable being a parabola.
    const auto along = [&](double x) {
        double sum = 0;
        for (int k = 0; k < 1000; ++k)
            sum += std::hypot(x / 1000, cable((k + 1) * x / 1000) - cable(k * x / 1000));
        return sum / arc;
    };
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {kSpan, 0, 0}),
                                  hold(3, 1, 0, {0, -3, 0})};
    for (int k = 1; k < kParts; ++k) {
        const double x = kSpan * k / kParts;
        Attachment hanger;
        hanger.key = std::uint64_t(10 + k);
        hanger.kind = Attachment::Kind::distance;
        hanger.a = {{0, 0}, 0, along(x)};
        hanger.b = {{0, 1}, 0, double(k) / kParts};
        hanger.length = cable(x) + 3;
        ropes.ensemble.attachments.push_back(hanger);
    }
    Attachment roller = hold(4, 1, 1, {0, -3, 0});
    roller.kind = Attachment::Kind::on_axis; // the deck's end may move along x
    ropes.ensemble.attachments.push_back(roller);

    ropes.settle();

    const double each = kDeck * kGravity * kSpan / kParts;
    for (int k = 1; k < kParts; ++k) {
        CAPTURE(k);
        CHECK(std::abs(ropes.force(std::uint64_t(10 + k)).x) ==
              doctest::Approx(each).epsilon(0.02));
    }
    CHECK(ropes.force(2).x ==
          doctest::Approx(kDeck * kGravity * kSpan * kSpan / (8 * kSag)).epsilon(0.02));
}

TEST_CASE(
    "rods: a ring whose ends are turned against each other twists evenly, and leaves its plane "
    "when turned by more than 2π√3 EI/GJ")
{
    // Michell's ring: below, E = ½ EI (2π)²/l + ½ GJ φ²/l.
    constexpr double kRadius = 0.1, kLength = 2 * kPi * kRadius;
    const rod::Material wire{.radius = 1e-3, .young = 1e9, .poisson = 0.3, .density = 1000};
    const double EI = 1e9 * kPi * 1e-12 / 4, GJ = EI / 1.3;
    const double critical = 2 * kPi * std::sqrt(3.0) * EI / GJ;
    Ropes ropes({rod::drawn(
        [](double u) {
            return Vec3{kRadius * std::cos(2 * kPi * u), 0, kRadius * std::sin(2 * kPi * u)};
        },
        kLength, 36, wire, true)});
    ropes.model.set_loads(0, {.gravity = {0, -1e-5, 0}}); // a breath out of the plane
    const Quat first = ropes.model.locate_one(ropes.state.models[0], 0, 0).pose.rotation;
    const Quat last = ropes.model.locate_one(ropes.state.models[0], 0, 1).pose.rotation;
    Attachment ring; // its end stays in the frame of its start, turned about its tangent
    ring.key = 1;
    ring.kind = Attachment::Kind::fixed;
    ring.a = {{0, 0}, 0, 1};
    ring.b = {{0, 0}, 0, 0};
    const Attachment place = hold(2, 0, 0, {kRadius, 0, 0}), way = clamp(3, 0, 0, {0, 0, 1});
    const auto turn_to = [&](double angle) {
        const Quat about = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
        ring.axes_b = conjugate(first) * last * about;
        ropes.ensemble.attachments = {ring, place, way};
        ropes.settle();
        double out = 0;
        for (int k = 0; k <= 36; ++k)
            out = std::max(out, std::abs(ropes.place(0, k / 36.0).y));
        return out;
    };
    double angle = 0, out = 0;
    for (; angle < 0.8 * critical; angle += 0.5)
        out = turn_to(angle + 0.5);
    CHECK(out < 0.05 * kRadius);
    const double wanted = 0.5 * EI * 4 * kPi * kPi / kLength + 0.5 * GJ * angle * angle / kLength;
    CHECK(ropes.model.energy(ropes.state.models[0], 0).elastic ==
          doctest::Approx(wanted).epsilon(0.01));
    for (; angle < 1.25 * critical; angle += 0.5)
        out = turn_to(angle + 0.5);
    CHECK(out > 0.2 * kRadius);
}

namespace {

std::vector<Vec3> run_script(const std::string& text, double until)
{
    Result<World> world = World::create(sound_scene(text));
    REQUIRE(bool(world));
    CHECK(!world->advance(until).fault);
    return world->frame().nodes;
}

} // namespace

TEST_CASE("rods: how a curve is written changes nothing")
{
    const auto script = [](const std::string& path) {
        return "def rope rod(" + path +
               ", spans = 12, radius = 4 mm, young = 1e7, rest = straight); end; rope;\n"
               "position_constraint(rope at 0 along, point(0, 0, 0));\n"
               "simulate(0, 1, step = 1/240);\n";
    };
    const std::vector<Vec3> one = run_script(script("line(0,0,0, 1,0,0)"), 0.1);
    for (const char* other : {"polyline(0,0,0, 0.1,0,0, 0.9,0,0, 1,0,0)",
                              "spline_through(0,0,0, 0.25,0,0, 0.4,0,0, 1,0,0)"}) {
        const std::vector<Vec3> two = run_script(script(other), 0.1);
        REQUIRE(two.size() == one.size());
        for (std::size_t i = 0; i < one.size(); ++i)
            CHECK(length(one[i] - two[i]) < 1e-6);
    }
}

} // namespace sinew
