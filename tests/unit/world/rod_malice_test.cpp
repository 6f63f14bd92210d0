// Rods of sizes that nobody means, drawings far from rest, formulas that leave the numbers.

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// A number until 0.2 s, and none from then on.
const std::string kEnds = "sqrt(0.2 - time)";

const std::string kCables =
    "def cable rod(line(0,0,0, 1,0,0), spans = 8, radius = 5 mm, young = 2e7, damping = 2 ms, "
    "drag_across = 0.1); end; cable;\n"
    "position_constraint(cable at 0 along, point(0,0,0));\n"
    "def mark label(); end; mark translate(2,1,0);\n"
    "rods(contact = none); assemble(); simulate(0 sec, 0.5 sec, step = 1/240);\n";

bool is_of_numbers(const World& world)
{
    const Frame frame = world.frame();
    const auto is_number = [](const ConstraintLoad& load) {
        return is_finite(load.place) && is_finite(load.force) && is_finite(load.torque);
    };
    return std::ranges::all_of(frame.nodes, [](const Vec3& x) { return is_finite(x); }) &&
           std::ranges::all_of(frame.objects,
                               [](const Affine& x) { return is_finite(x.origin); }) &&
           std::ranges::all_of(frame.loads, is_number);
}

struct Input {
    std::string line, told; ///< what the fault begins with
    std::string code = "rod-input-not-finite";
};

/// Time stops at the last step that all its inputs were numbers in, and the fault says which was
/// not and where it stands.
void stops(const Input& input)
{
    CAPTURE(input.line);
    World world = make_world(kCables + input.line + "\n");
    const StepReport report = world.advance(0.5);
    REQUIRE(bool(report.fault));
    CHECK(report.fault->code == input.code);
    CHECK(report.fault->place.line == 5);
    CHECK_MESSAGE(report.fault->what.starts_with(input.told), report.fault->what);
    CHECK(std::abs(world.time() - 0.2) < 1e-9);
    CHECK(is_of_numbers(world));
    CHECK(length(test::row_of(world, "cable[0]").position) < 1e-6);
}

} // namespace

TEST_CASE("rod malice: a place that is no number ends the run where it was one")
{
    for (const std::string& line :
         {"position_constraint(cable at 1 along, point(1 + (" + kEnds + " - sqrt(0.2))/9, 0, 0));",
          "plane_constraint(cable at 1 along, point(" + kEnds + ", 0, 0), 1, 0, 0);",
          "axis_constraint(cable at 1 along, line(0, " + kEnds + "/9, 0, 1, " + kEnds + "/9, 0));",
          "dist_constraint(cable at 1 along, point(1, 1 + " + kEnds + ", 0), 1);",
          "circle_constraint(cable at 1 along, point(1, 1 + " + kEnds +
              ", 0), 0, 0, 1, radius = 1);",
          "keyhole(cable, point(0.5, " + kEnds + "/9, 0), from = 0.5);",
          "oriented_keyhole(cable, point(0.5, " + kEnds + "/9, 0), 1, 0, 0, from = 0.5);"})
        stops({line, "the position of '"});
    stops({"far = mark translate(-1, -1 + " + kEnds +
               "/9, 0); position_constraint(cable at 1 along, far);",
           "this is not a finite number", "track-not-finite"});
}

TEST_CASE("rod malice: a direction, a curve or a length that is no number does the same")
{
    stops({"axis_constraint(cable at 1 along, line(0,0,0, 1, " + kEnds + "/9, 0));",
           "the direction of 'axis_constraint("});
    stops({"path_constraint(cable at 1 along, spline(1,0,0, 1,1,0, 2," + kEnds + ",0, 2,1,0));",
           "the curve of 'path_constraint("});
    stops({"dist_constraint(cable at 1 along, mark, 1.3 + " + kEnds + "/9);",
           "the length of 'dist_constraint("});
    stops(
        {"circle_constraint(cable at 1 along, point(1,1,0), 0,0,1, radius = 1 + " + kEnds + "/9);",
         "the length of 'circle_constraint("});
}

TEST_CASE("rod malice: what a constraint does with a value that is no number")
{
    stops({"keyhole(cable, point(0.5,0,0), from = 0.5, slide = " + kEnds + "/9);",
           "the 'slide' of 'keyhole("});
    stops({"position_constraint(cable at 1 along, point(1,0,0), active = 1 + " + kEnds + ");",
           "the 'active' of 'position_constraint("});
    stops({"spring_and_damper(cable at 1 along, mark, " + kEnds + ", 10, 0);",
           "the length of 'spring_and_damper("});
    stops({"spring_and_damper(cable at 1 along, mark, 1, " + kEnds + ", 0);",
           "the stiffness of 'spring_and_damper("});
    stops({"spring_and_damper(cable at 1 along, mark, 1, 10, " + kEnds + ");",
           "the damping of 'spring_and_damper("});
}

TEST_CASE("rod malice: loads that are no numbers")
{
    stops({"field(" + kEnds + ", 0, 0) on cable;", "the strength of 'field("});
    stops({"wind(" + kEnds + ", 0, 0) on cable;", "the strength of 'wind("});
    stops({"force(cable at 1 along, 0, " + kEnds + ", 0);", "the strength of 'force("});

    World world = make_world(kCables + "gravity(0, " + kEnds + ", 0);\n");
    const StepReport report = world.advance(0.5);
    REQUIRE(bool(report.fault));
    CHECK_MESSAGE(report.fault->what.starts_with("the gravity of 'cable"), report.fault->what);
    CHECK(report.fault->place.line > 0); // that of the first rod
    CHECK(is_of_numbers(world));
}

TEST_CASE("rod malice: what is not held any more may be what it likes")
{
    World world = make_world(kCables + "position_constraint(cable at 1 along, point(1 + 0*" +
                             kEnds + ", 0, 0), until = 0.1 sec);\n");
    const StepReport report = world.advance(0.5);
    CHECK(!report.fault);
    CHECK(world.time() == 0.5);
    CHECK(is_of_numbers(world));
}

TEST_CASE("rod malice: what is no number at the start is an error there")
{
    for (const std::string line :
         {"position_constraint(cable at 1 along, point(sqrt(-1 - time), 0, 0));",
          "position_constraint(cable at 1 along, point(sin(time)/time, 0, 0));",
          "path_constraint(cable at 1 along, spline(1,0,0, 1,1,0, 2,sqrt(-1 - time),0, 2,1,0));",
          "force(cable at 1 along, 0, sqrt(-1 - time), 0);"}) {
        CAPTURE(line);
        const Result<World> world = World::create(test::sound_scene(kCables + line + "\n"));
        REQUIRE(!world);
        CHECK(world.problems()[0].code == "rod-input-not-finite");
        CHECK(world.problems()[0].place.line == 5);
    }
}

TEST_CASE("rod malice: the longest and the shortest there are begin as numbers")
{
    for (const std::string length : {"1e-99", "1e99"})
        for (const std::string& rod :
             {"rod(line(0,0,0, 1,0,0), spans = 8, length = " + length + ")",
              "rod(line(0,0,0, " + length + ",0,0), spans = 8)"}) {
            CAPTURE(rod);
            World world = make_world("def cable " + rod +
                                     "; end; cable; simulate(0 sec, 0.1 sec, step = 1/240);\n");
            CHECK(is_of_numbers(world));
            world.advance(0.1);
            CHECK(is_of_numbers(world));
        }
}

TEST_CASE("rod malice: a stiff one that is drawn straight, and too short for that, settles")
{
    // Pressed by 2.5 %, it buckles in 30 µs, in waves of a few millimetres.
    for (const std::string mass : {"0.001", "3"}) {
        World world = make_world(
            "def cable rod(line(0,0,0, 2,0,0), spans = 20, radius = 2 mm, young = 1e9, density = "
            "100, rest = straight, length = 2.05, damping = 5 ms); end; cable;\n"
            "def lamp mass(" +
            mass +
            "); end; l = lamp on cable at 0.25 along;\n"
            "position_constraint(cable at 0 along, point(0,0,0));\n"
            "position_constraint(cable at 1 along, point(2,0,0));\n"
            "settle(); simulate(0 sec, 0.5 sec, step = 1/240);\n");
        CHECK_MESSAGE(world.start_notes().empty(), problems_text(world.start_notes(), false));
        const Vec3 start = test::row_of(world, "cable[10]").position;
        CHECK(std::abs(start.y) > 0.1);
        world.advance(0.1);
        CHECK(length(test::row_of(world, "cable[10]").position - start) < 1e-6);
    }
}

TEST_CASE("rod malice: a thin one drawn with a corner is moved to where it is held")
{
    World world = make_world(
        "def line rod(polyline(-0.3,0,0, 0.1,-0.391918358845,0, 0.3,0,0), spans = 40, radius = 0.2 "
        "mm, "
        "young = 1e9, density = 1000, length = 1, rest = straight, damping = 2 ms); end; line;\n"
        "position_constraint(line at 0 along, point(-0.3,0,0));\n"
        "position_constraint(line at 1 along, point(0.3,0,0));\n"
        "position_constraint(line at 0.56 along, point(0.1,-0.391918358845,0));\n"
        "def mark label(); end; there = mark on line at 0.56 along;\n"
        "rods(contact = none); simulate(0 sec, 0.3 sec, step = 1/960);\n");
    CHECK_MESSAGE(world.start_notes().empty(), problems_text(world.start_notes(), false));
    CHECK(length(test::row_of(world, "there").position - Vec3{0.1, -0.391918358845, 0}) < 1e-9);
}

TEST_CASE("a track that is no number ends the run before it moves anything")
{
    World world = test::make_world("def sign label(); end; s = sign translatex(sqrt(0.2 - time));\n"
                                   "simulate(0 sec, 1 sec);\n");
    REQUIRE_FALSE(world.advance(0.1).fault);
    const StepReport report = world.advance(0.3);
    REQUIRE(report.fault);
    CHECK(report.fault->code == "track-not-finite");
    CHECK(world.time() == 0.1);
    for (const Affine& place : world.frame().objects)
        CHECK(std::isfinite(place.origin.x));
}
