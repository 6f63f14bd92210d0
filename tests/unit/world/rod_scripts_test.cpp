// Rods from scripts: held, tied to other things, released, the same in every run.

#include "sinew/language.h"
#include "sinew/world.h"
#include "support/files.h"
#include "support/readings.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;

namespace {

World make_world(const std::string& text, int threads = 1)
{
    WorldOptions options;
    options.threads = threads;
    Result<World> world = World::create(test::sound_scene(text), options);
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    return std::move(*world);
}

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

Vec3 node(const World& world, const std::string& name)
{
    const Frame frame = world.frame();
    for (const TableRow& row : table_rows(world.scene(), frame))
        if (row.name == name)
            return row.position;
    FAIL("no such row: " << name);
    return {};
}

const std::string kRope = "def rope rod(line(0,0,0, 1,0,0), spans = 10, radius = 4 mm, young = "
                          "1e8, rest = straight); end; rope;\n"
                          "position_constraint(rope at 0 along, point(0, 0, 0));\n";

} // namespace

TEST_CASE("rods of scripts: the same bits for any thread count and after restore")
{
    for (const char* name : {"examples/rope_bridge.charli", "examples/slipknot.charli",
                             "examples/spider_net.charli", "examples/hoist.charli"}) {
        const std::string script = test::read_repository_file(name);
        World one = make_world(script, 1), many = make_world(script, 3);
        one.advance(0.05);
        many.advance(0.05);
        const std::vector<std::byte> middle = one.snapshot();
        one.advance(0.1);
        many.advance(0.1);
        CHECK(one.state_hash() == many.state_hash());
        World again = make_world(script, 2);
        REQUIRE(again.restore(middle));
        again.advance(0.1);
        CHECK(again.state_hash() == one.state_hash());
    }
}

TEST_CASE("rods of scripts: a hold that lets go at a time, and one that breaks")
{
    World timed = make_world(kRope + "position_constraint(rope at 1 along, point(1, 0, 0), until = "
                                     "0.1);");
    timed.advance(0.1);
    CHECK(length(node(timed, "rope[10]") - Vec3{1, 0, 0}) < 1e-9);
    timed.advance(0.3);
    CHECK(node(timed, "rope[10]").y < -0.05);

    World weak = make_world(kRope + "position_constraint(rope at 1 along, point(1, 0, 0), breaks = "
                                    "0.1);");
    const StepReport report = weak.advance(0.3);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].code == "rod-constraint-broken");
    CHECK(node(weak, "rope[10]").y < -0.05);
}

TEST_CASE("rods of scripts: what contradicts itself is named, and goes on")
{
    World torn = make_world(kRope + "position_constraint(rope at 1 along, point(1, 0, 0));\n"
                                    "position_constraint(rope at 1 along, point(1, 0.01, 0));\n");
    CHECK(torn.start_notes().size() == 2);
    const StepReport report = torn.advance(0.1);
    CHECK_FALSE(report.fault);
    CHECK(node(torn, "rope[10]").y == doctest::Approx(0.005).epsilon(0.01));
}

TEST_CASE("rods of scripts: a rope carries a mass of a linkage as that swings")
{
    World world = make_world(kRope + "dynamic theta; theta = initial(0, 0);\n"
                                     "def bob mass(2); end; bob translatex(1) rotatez(theta);\n"
                                     "fusion(rope at 1 along, bob);\n");
    const double before = total(world.energy());
    for (int i = 1; i <= 20; ++i)
        world.advance(0.02 * i);
    CHECK(length(node(world, "rope[10]") - node(world, "bob")) < 1e-9);
    CHECK(node(world, "bob").y < -0.3);
    CHECK(total(world.energy()) == doctest::Approx(before).epsilon(0.01).scale(10));
}

TEST_CASE("rods of scripts: a point that tracks move takes the rope along")
{
    World world =
        make_world(kRope + "position_constraint(rope at 1 along, point({1 at 0 sec linear 0.8 at 1 "
                           "sec}, {0 at 0 sec linear 0.3 at 1 sec}, 0));");
    for (int i = 1; i <= 50; ++i)
        world.advance(0.01 * i);
    CHECK(length(node(world, "rope[10]") - Vec3{0.9, 0.15, 0}) < 1e-9);
}

TEST_CASE("rods of scripts: a hundred keyholes on one span hold, and go on")
{
    std::string script = kRope;
    for (int i = 0; i < 100; ++i) {
        const std::string at = std::to_string(0.4 + 1e-3 * i);
        script += "keyhole(rope, point(" + at + ", 0, 0), from = " + at + ");\n";
    }
    World world = make_world(script + "gravity(0, -9.81, 0); simulate(0, 1, step = 1/240);\n");
    const StepReport report = world.advance(3 / 240.0);
    CHECK(!report.fault);
    CHECK(report.rows == 203);
    CHECK(std::abs(node(world, "rope[4]").y) < 1e-6);
    CHECK(std::abs(node(world, "rope[5]").y) < 1e-6);
    CHECK(node(world, "rope[10]").y < -1e-6);
}
