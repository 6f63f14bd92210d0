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

namespace {

/// Of what a bow without damping has stored when it is loosed [J]: the share that is lost 60 ms
/// later, and the largest share that was ever there above it.
std::pair<double, double> loose_bow(double steps)
{
    std::string text = read_repository_file("examples/bow_and_arrow.charli");
    const std::string damping = ", damping = 0.05 ms";
    text.erase(text.find(damping), damping.size());
    Scene scene = sound_scene(text);
    scene.settings.step /= steps;
    Result<World> world = World::create(scene);
    REQUIRE(bool(world));
    const auto energy = [&] { return world->energy().kinetic + world->energy().potential; };
    const double slack = energy();
    CHECK(!world->advance(1.1).fault);
    const double drawn = energy();
    double most = drawn;
    for (int k = 1; k <= 60; ++k) {
        CHECK(!world->advance(1.1 + 1e-3 * k).fault);
        most = std::max(most, energy());
    }
    return {(drawn - energy()) / (drawn - slack), (most - drawn) / (drawn - slack)};
}

} // namespace

TEST_CASE(
    "rods: a bow makes no energy when it is loosed, and loses less than 1 % of what it stored")
{
    const auto [lost, made] = loose_bow(1);
    const auto [lost_in_halves, made_in_halves] = loose_bow(2);

    CHECK(made < 1e-6);
    CHECK(made_in_halves < 1e-6);
    CHECK(lost < 0.01);
    CHECK(lost_in_halves < lost / 3); // of second order
}

TEST_CASE("rods: the paper's solver is a word, and moves ropes as ours does")
{
    const auto nodes_of = [](const std::string& solver) {
        Result<World> world = World::create(test::sound_scene(
            "def rope rod(spline_through(0,0,0, 0.5,-0.2,0, 1,0,0), spans = 20, radius = 5 mm, "
            "young = 1e7, damping = 5 ms); end;\n"
            "a = rope; b = rope translatez(0.3);\n"
            "position_constraint(a at 0 along, point(0, 0, 0));\n"
            "position_constraint(a at 1 along, point(1, 0, 0));\n"
            "position_constraint(b at 0 along, point(0, 0, 0.3));\n"
            "dist_constraint(a at 0.5 along, b at 0.5 along, 0.3);\n" +
            solver + "simulate(0 sec, 1 sec, step = 1 / 240);\n"));
        REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
        CHECK_FALSE(world->advance(0.25).fault);
        return world->frame().nodes;
    };
    const std::vector<Vec3> own = nodes_of(""), band = nodes_of("rods(solver = banded);\n");
    REQUIRE(own.size() == band.size());
    double largest = 0;
    for (std::size_t i = 0; i < own.size(); ++i)
        largest = std::max(largest, length(own[i] - band[i]));
    CHECK(largest < 1e-7);
    CHECK(largest > 0); // by another way
}

} // namespace sinew
