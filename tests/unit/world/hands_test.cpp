// Hands that hold things, and the forces that people look at.

#include "sinew/world.h"

#include "sinew/names.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using sinew::test::make_world;
using Kind = ActingForce::Kind;

namespace {

constexpr double kGravity = 9.81;

ObjectId find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return {static_cast<std::uint32_t>(found.front())};
    return {};
}

Vec3 place(const World& world, const std::string& name)
{
    return world.frame().objects[find(world, name).index].origin;
}

/// The sum of the forces of a kind on an object.
Vec3 force_on(const World& world, Kind kind, const std::string& name)
{
    Vec3 sum{0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == kind && force.object == find(world, name))
            sum += force.force;
    return sum;
}

const char* kFree = "dynamic x, y; x = initial(0, 0); y = initial(0, 0);\n"
                    "def ball mass(2); end;\n"
                    "ball translatex(x) translatey(y);\n";

const char* kPendulum = "dynamic x, y; x = initial(0, 0); y = initial(-2, 0);\n"
                        "def root label(); end; def bob mass(3); end;\n"
                        "root; bob translatex(x) translatey(y); dist_constraint(root, bob, 2);\n";

} // namespace

TEST_CASE("a hand bears a weight m g with a sag of m g / k")
{
    World world = make_world(kFree);
    REQUIRE(world.set_grabs({{find(world, "ball"), {1, 2, 0}, 500, 60}}).empty());
    CHECK_FALSE(world.advance(10).fault);
    CHECK(place(world, "ball").x == doctest::Approx(1).epsilon(1e-9));
    CHECK(place(world, "ball").y == doctest::Approx(2 - 2 * kGravity / 500).epsilon(1e-9));
    CHECK(force_on(world, Kind::hand, "ball").y == doctest::Approx(2 * kGravity).epsilon(1e-6));
    CHECK(force_on(world, Kind::weight, "ball").y == doctest::Approx(-2 * kGravity));
}

TEST_CASE("a hand's spring without damping has the period of an oscillator to the scheme's order")
{
    World world = make_world("gravity(0, 0, 0); simulate(0 sec, 10 sec, step = 0.001);\n" +
                             std::string(kFree));
    const double k = 50, period = 2 * M_PI * std::sqrt(2 / k);
    REQUIRE(world.set_grabs({{find(world, "ball"), {1, 0, 0}, k, 0}}).empty());
    world.advance(period / 2);
    CHECK(place(world, "ball").x == doctest::Approx(2).epsilon(0.02)); // first order, dissipative
}

TEST_CASE("a hand of any stiffness is stable, and lets go without a trace")
{
    for (const double stiffness : {1e3, 1e7, 1e12}) {
        World world = make_world(kPendulum);
        REQUIRE(world.set_grabs({{find(world, "bob"), {1.5, -1, 0}, stiffness, 0}}).empty());
        const StepReport held = world.advance(2);
        CHECK_FALSE(held.fault);
        CHECK(length(place(world, "bob")) == doctest::Approx(2).epsilon(1e-9));
        CHECK(held.residual < 1e-9);
        REQUIRE(world.set_grabs({}).empty());
        const double energy = world.energy().kinetic + world.energy().potential;
        CHECK_FALSE(world.advance(4).fault);
        CHECK(world.energy().kinetic + world.energy().potential ==
              doctest::Approx(energy).epsilon(1e-9));
    }
}

TEST_CASE("held, snapped and restored with the same hand: the same bits")
{
    World a = make_world(kPendulum), b = make_world(kPendulum);
    const std::vector<Grab> hand = {{find(a, "bob"), {1.5, -1, 0}, 400, 20}};
    REQUIRE(a.set_grabs(hand).empty());
    a.advance(0.5);
    const std::vector<std::byte> snapshot = a.snapshot();
    a.advance(1);
    REQUIRE(b.restore(snapshot));
    REQUIRE(b.set_grabs(hand).empty());
    b.advance(1);
    CHECK(a.state_hash() == b.state_hash());
}

TEST_CASE("the force in a thread is the weight and the centripetal force")
{
    World world = make_world(kPendulum);
    CHECK(force_on(world, Kind::constraint, "bob").y == doctest::Approx(3 * kGravity));
    CHECK(force_on(world, Kind::constraint, "root").y == doctest::Approx(-3 * kGravity));
    World moving = make_world("dynamic x, y; x = initial(0, 4); y = initial(-2, 0);\n" +
                              std::string(kPendulum).substr(std::string(kPendulum).find("def")));
    CHECK(force_on(moving, Kind::constraint, "bob").y ==
          doctest::Approx(3 * (kGravity + 4 * 4 / 2.0))); // m g + m v²/r
}

TEST_CASE("a thread also bears what a hand pulls")
{
    World world = make_world(kPendulum);
    REQUIRE(world.set_grabs({{find(world, "bob"), {0, -3, 0}, 100, 0}}).empty());
    CHECK(force_on(world, Kind::constraint, "bob").y == doctest::Approx(3 * kGravity + 100));
}

TEST_CASE("springs, forces, drag and coincidences as they act")
{
    World world = make_world("dynamic x; x = initial(3, 0.5); gravity(0, 0, 0);\n"
                             "def root label(); end; def a mass(1); end;\n"
                             "root; a translatex(x); spring_and_damper(root, a, 1, 10, 2);\n"
                             "force(a, 7, 0, 0); drag(a, 4);\n");
    CHECK(force_on(world, Kind::spring, "a").x == doctest::Approx(-(10 * 2 + 2 * 0.5)));
    CHECK(force_on(world, Kind::spring, "root").x == doctest::Approx(10 * 2 + 2 * 0.5));
    CHECK(force_on(world, Kind::applied, "a").x == doctest::Approx(7));
    CHECK(force_on(world, Kind::drag, "a").x == doctest::Approx(-2));
    World joined = make_world("dynamic x, y; x = initial(0, 0); y = initial(1, 0);\n"
                              "def nail label(); end; def a mass(2); end;\n"
                              "nail translatey(1); a translatex(x) translatey(y);\n"
                              "dist_constraint(nail, a, 0);\n");
    CHECK(force_on(joined, Kind::constraint, "a").y == doctest::Approx(2 * kGravity));
}

TEST_CASE("residuals come one for each constraint, distances first")
{
    World world = make_world(std::string(kPendulum) +
                             "dynamic u, w; u = initial(1, 0); w = initial(0, 0);\n"
                             "def bead mass(1); end; bead translatex(u) translatey(w);\n"
                             "path_constraint(bead, line(0,0,0, 5,1,0)); assemble;\n");
    world.advance(1);
    const std::vector<double> residuals = world.residuals();
    REQUIRE(residuals.size() == 2);
    for (const double residual : residuals)
        CHECK(std::abs(residual) < 1e-12);
}

TEST_CASE("what cannot be held is refused by name, and the hands stay")
{
    World world = make_world(kPendulum);
    const Problems fixed = world.set_grabs({{find(world, "root"), {0, 0, 0}, 1, 1}});
    REQUIRE(fixed.size() == 1);
    CHECK(fixed[0].what.find("'root' cannot be held") != std::string::npos);
    CHECK(world.set_grabs({{find(world, "bob"), {NAN, 0, 0}, 1, 1}}).size() == 1);
    CHECK(world.set_grabs({{find(world, "bob"), {0, 0, 0}, -1, 1}}).size() == 1);
    CHECK(world.set_grabs({{ObjectId{99}, {0, 0, 0}, 1, 1}}).size() == 1);
    World charli = make_world("linkages(method = charli);" + std::string(kFree));
    CHECK(charli.set_grabs({{find(charli, "ball"), {0, 0, 0}, 1, 1}}).size() == 1);
    CHECK_FALSE(charli.find_grip(find(charli, "ball")).is_valid());
}

TEST_CASE("a hand on a drawing takes hold of the mass it belongs to")
{
    World world = make_world("dynamic t; t = initial(0, 0);\n"
                             "def square polygon(0,0,0, 1,0,0, 0,1,0) scale(0.1); end;\n"
                             "def bob mass(1); square; end;\n"
                             "def arm bob translatex(1) rotatez(t); end; arm;\n");
    CHECK(world.find_grip(find(world, "square")) == find(world, "bob"));
    CHECK(world.find_grip(find(world, "arm")) == find(world, "bob"));
    CHECK_FALSE(world.find_grip(ObjectId{0}).is_valid());
    CHECK(world.mass_around(find(world, "bob")) == 1);
}
