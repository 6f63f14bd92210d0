// Rods against closed forms and results that were computed independently: chains, catenaries, what
// does not depend on how a curve is written.

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
    rod::Drawing drawing = rod::drawn(sag, 1.5, 20, rope(0.2, 1e6, 1e-6), true);
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
