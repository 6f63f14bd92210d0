// Rods from scripts: held, tied to other things, released, the same in every run.

#include "sinew/language.h"
#include "sinew/world.h"
#include "support/files.h"
#include "support/worlds.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

Vec3 node(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

const std::string kRope = "def rope rod(line(0,0,0, 1,0,0), spans = 10, radius = 4 mm, young = "
                          "1e8, rest = straight); end; rope;\n"
                          "position_constraint(rope at 0 along, point(0, 0, 0));\n";

} // namespace

TEST_CASE("rods of scripts: the same bits for any thread count and after restore")
{
    for (const char* name :
         {"examples/rope_bridge.charli", "examples/slipknot.charli", "examples/parcel.charli",
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

TEST_CASE("rods of scripts: a hold that begins on the way closes with ease, to the same bits")
{
    const std::string script =
        kRope + "position_constraint(rope at 1 along, point(0.8, 0.3, 0), active = {0 at 0 sec "
                "hold 1 at 0.1 sec hold 0 at 0.5 sec}, ease = 0.2);";
    World world = make_world(script), free = make_world(kRope), many = make_world(script, 3);
    world.advance(0.09);
    free.advance(0.09);
    CHECK(length(node(world, "rope[10]") - node(free, "rope[10]")) < 1e-9);
    Vec3 before = node(world, "rope[10]");
    double fastest = 0, sharpest = 0;
    Vec3 speed = {0, 0, 0};
    std::vector<std::byte> middle;
    for (int i = 1; i <= 22; ++i) { // to 0.31
        world.advance(0.09 + i * 0.01);
        const Vec3 now = node(world, "rope[10]");
        const Vec3 next = (now - before) / 0.01;
        fastest = std::max(fastest, length(next));
        sharpest = i > 1 ? std::max(sharpest, length(next - speed)) : 0;
        speed = next;
        before = now;
        if (i == 12)
            middle = world.snapshot();
    }
    CHECK(length(before - Vec3{0.8, 0.3, 0}) < 1e-9);
    CHECK(fastest < 4);    // 0.4 m in 0.2 s: 3 m/s in the middle of the cubic
    CHECK(sharpest < 0.7); // in a hundredth of a second: no jolt
    World again = make_world(script, 2);
    REQUIRE(again.restore(middle));
    again.advance(0.31);
    many.advance(0.09);
    for (int i = 1; i <= 22; ++i)
        many.advance(0.09 + i * 0.01);
    CHECK(many.state_hash() == world.state_hash());
    world.advance(0.7); // let go again
    CHECK(node(world, "rope[10]").y < 0.2);
}

TEST_CASE("rods of scripts: a pearl is brought to its place, and slides from there")
{
    World world = make_world(
        kRope + "position_constraint(rope at 1 along, point(1, 0, 0));\n"
                "def bead body(density = 500); sphere(0.02); end; bead translate(0.3, 0.2, 0);\n"
                "pearl(bead, rope, from = 0.6, active = {0 at 0 sec hold 1 at 0.1 sec});\n"
                "gravity(0, 0, 0); field(1, 0, 0) on bead;");
    world.advance(0.1);
    CHECK(length(node(world, "bead") - Vec3{0.305, 0.2, 0}) < 1e-3);
    world.advance(0.36);
    CHECK(node(world, "bead").x == doctest::Approx(0.6).epsilon(0.01));
    CHECK(std::abs(node(world, "bead").y) < 3e-2); // with the rope, which gives
    world.advance(0.8);
    CHECK(node(world, "bead").x > 0.65);
}

TEST_CASE("rods of scripts: a cut rod moves as a whole one until then, and as two afterwards")
{
    const std::string cut = "cut(rope at 0.4 along, when = 0.2);";
    World whole = make_world(kRope), pieces = make_world(kRope + cut);
    REQUIRE(pieces.scene().rods.size() == 2);
    CHECK(pieces.scene().rods[0].spans == 4);
    CHECK(pieces.scene().rods[1].begin == 0.4);
    CHECK(pieces.energy().potential == doctest::Approx(whole.energy().potential));
    whole.advance(0.2);
    pieces.advance(0.2);
    CHECK(length(node(whole, "rope[10]") - node(pieces, "rope.piece[2][6]")) < 0.01);
    CHECK(length(node(pieces, "rope[4]") - node(pieces, "rope.piece[2][0]")) < 1e-9);
    pieces.advance(0.6);
    CHECK(length(node(pieces, "rope[4]") - node(pieces, "rope.piece[2][0]")) > 0.2);
    CHECK(node(pieces, "rope.piece[2][3]").y < -0.8); // it falls
    CHECK(length(node(pieces, "rope[0]")) < 1e-9);

    World tied =
        make_world(kRope + cut + "position_constraint(rope at 0.7 along, point(0.7, 0, 0));");
    tied.advance(0.4); // the same place, now on the second piece
    CHECK(length(node(tied, "rope.piece[2][3]") - Vec3{0.7, 0, 0}) < 1e-6);
    World first = make_world(kRope + "cut(rope at 0.4 along);"); // from the start on
    CHECK(first.scene().rod_constraints.size() == 1);
    Scene wrong = first.scene();
    wrong.rods[1].begin = 1.5;
    const Result<World> refused = World::create(wrong);
    REQUIRE_FALSE(bool(refused));
    CHECK(refused.problems()[0].code == "piece-out-of-range");
}

namespace {

struct Glance {
    std::vector<Vec3> nodes;
    Vec3 centre = {0, 0, 0}; ///< of all rods together
    double energy = 0;
};

Glance look_at(const World& world)
{
    Glance look{.nodes = world.frame().nodes, .energy = total(world.energy())};
    std::size_t first = 0;
    for (const Rod& rod : world.scene().rods) {
        for (std::uint32_t k = 0; k <= rod.spans; ++k)
            look.centre += look.nodes[first + k] * ((k == 0 || k == rod.spans ? 0.5 : 1.0) /
                                                    rod.spans * (rod.end - rod.begin));
        first += rod.spans + 1;
    }
    return look;
}

} // namespace

TEST_CASE("rods of scripts: a rod is cut exactly where the script says, without a jump")
{
    // A bent cable, thrown and turning, cut where no span of the whole ends.
    const std::string cable =
        "def cable rod(spline(0,0,0, 0.4,0.3,0, 0.7,-0.3,0.2, 1,0,0), spans = 10, radius = 4 mm, "
        "young = 1e8); end;\ncable velocity(0.5, 2, 0) spin(0, 1, 3);\ngravity(0, 0, 0);\n"
        "simulate(0 sec, 1 sec, step = 1 / 960);\n";
    constexpr double kAt = 0.4137, kWhen = 0.1, kShort = 1e-6;
    World whole = make_world(cable);
    World pieces = make_world(cable + "cut(cable at 0.4137 along, when = 0.1);\n");
    const Scene& scene = pieces.scene();
    REQUIRE(scene.rods.size() == 2);
    CHECK(scene.rods[0].end == kAt);
    CHECK(scene.rods[1].begin == kAt);
    CHECK(scene.rods[0].spans + scene.rods[1].spans == 10);

    // Both new ends are at that fraction of the length; all of the mass and energy is there.
    const Reading one = read_scene(whole.scene()), two = read_scene(scene);
    CHECK(two.rod_masses[0] + two.rod_masses[1] ==
          doctest::Approx(one.rod_masses[0]).epsilon(1e-12));
    CHECK(two.rod_masses[0] == doctest::Approx(kAt * one.rod_masses[0]).epsilon(1e-9));
    CHECK(length(node(pieces, "cable[4]") - node(pieces, "cable.piece[2][0]")) < 1e-9);
    CHECK(pieces.energy().kinetic == doctest::Approx(whole.energy().kinetic).epsilon(1e-3));

    // The cut itself changes neither places nor speeds: what flies on is what flew.
    REQUIRE_FALSE(pieces.advance(kWhen - kShort).fault);
    const Glance before = look_at(pieces);
    REQUIRE_FALSE(pieces.advance(kWhen).fault);
    const Glance at = look_at(pieces);
    REQUIRE_FALSE(pieces.advance(kWhen + kShort).fault);
    const Glance after = look_at(pieces);
    CHECK(length(node(pieces, "cable[4]") - node(pieces, "cable.piece[2][0]")) < 1e-9);
    for (std::size_t i = 0; i < at.nodes.size(); ++i) {
        CHECK(length(after.nodes[i] - at.nodes[i]) < 10 * kShort); // at most 10 m/s
        CHECK(length((after.nodes[i] - at.nodes[i]) - (at.nodes[i] - before.nodes[i])) <
              0.05 * kShort);
    }
    const Vec3 change = (after.centre - at.centre) - (at.centre - before.centre);
    CHECK(length(change) < 1e-3 * length(at.centre - before.centre)); // momentum is kept
    CHECK(after.energy == doctest::Approx(at.energy).epsilon(1e-6));
    REQUIRE_FALSE(pieces.advance(0.4).fault);
    CHECK(length(node(pieces, "cable[4]") - node(pieces, "cable.piece[2][0]")) > 0.01);
}

TEST_CASE("rods of scripts: both ends of a cut are where the script says")
{
    const World world = make_world(kRope + "cut(rope at 0.4137 along);\n");
    CHECK(length(node(world, "rope[4]") - Vec3{0.4137, 0, 0}) < 1e-9);
    CHECK(length(node(world, "rope.piece[2][0]") - Vec3{0.4137, 0, 0}) < 1e-9);
}

TEST_CASE("rods of scripts: a piece of a tenth of a span goes on")
{
    World world = make_world(kRope + "cut(rope at 0.01 along, when = 0.1);\n"
                                     "cut(rope at 0.985 along, when = 0.2);\n");
    REQUIRE(world.scene().rods.size() == 3);
    for (int i = 1; i <= 24; ++i)
        REQUIRE_FALSE(world.advance(i / 48.0).fault);
    CHECK(length(node(world, "rope[0]")) < 1e-9);
    CHECK(node(world, "rope.piece[2][5]").y < -0.5);
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
    REQUIRE(world.start_notes().size() >= 1);
    CHECK(world.start_notes()[0].code == "rod-constraint-redundant");
    CHECK(world.start_notes()[0].what.find("keyhole(rope, point(") == 1);
    CHECK(std::abs(node(world, "rope[4]").y) < 1e-6);
    CHECK(std::abs(node(world, "rope[5]").y) < 1e-6);
    CHECK(node(world, "rope[10]").y < -1e-6);
}

TEST_CASE("rods of scripts: a thousand keyholes on one span cost what their number says")
{
    std::string script = kRope;
    for (int i = 0; i < 1000; ++i) {
        const std::string at = std::to_string(0.4 + 9.99e-5 * i);
        script += "keyhole(rope, point(" + at + ", 0, 0), from = " + at + ");\n";
    }
    World world = make_world(script + "simulate(0, 1, step = 1/240);\n");
    for (int i = 1; i <= 24; ++i) // minutes, if rows that say the same were all solved for
        REQUIRE_FALSE(world.advance(i / 240.0).fault);
    CHECK(world.start_notes()[0].code == "rod-constraint-redundant");
    CHECK(std::abs(node(world, "rope[4]").y) < 1e-6);
    CHECK(std::abs(node(world, "rope[5]").y) < 1e-6);
    CHECK(node(world, "rope[10]").y < -1e-3);
}

namespace {

/// Rings of one span at places that no curve goes through, their mean on the axis.
std::string make_contradicting(int count)
{
    std::string script = kRope;
    for (int i = 0; i < count; ++i) {
        const std::string at = std::to_string(0.4 + 0.0999 * i / count);
        script += "keyhole(rope, point(" + at + ", " + std::to_string(0.001 * (i * 7 % 11 - 5)) +
                  ", " + std::to_string(0.001 * (i * 5 % 7 - 3)) + "), from = " + at + ");\n";
    }
    return script + "simulate(0, 1, step = 1/240);\n";
}

} // namespace

TEST_CASE(
    "rods of scripts: keyholes on one span that contradict each other are kept as well as can "
    "be, and named")
{
    for (const int count : {20, 1000}) {
        CAPTURE(count);
        World world = make_world(make_contradicting(count));
        const Problems& notes = world.start_notes();
        const auto names = std::ranges::count(notes, "rod-constraint-unkept", &Problem::code);
        CHECK(names > count / 2);
        CHECK(notes.back().what.find("keyhole(rope, point(") == 1);
        for (int i = 1; i <= 24; ++i) { // minutes, if all rows were solved for
            const StepReport report = world.advance(i / 240.0);
            REQUIRE_FALSE(report.fault);
            CHECK(report.converged);
        }
        CHECK(std::abs(node(world, "rope[4]").y) < 1e-3); // in their middle
        CHECK(std::abs(node(world, "rope[5]").y) < 1e-3);
        CHECK(node(world, "rope[10]").y < -1e-3); // what they do not hold falls
    }
}

TEST_CASE("rods of scripts: springs pull at points of rods, and carry what hangs on them")
{
    // A light rope hangs on two springs, 1 kg at its end: k x = m g.
    World world =
        make_world("def rope rod(line(0,0,0, 0,-0.5,0), spans = 8, radius = 2 mm, young = 1e9, "
                   "density = 100, damping = 5 ms); end; rope;\n"
                   "def hook label(); end; hook translatey(0.2);\n"
                   "def load body(mass = 1); sphere(0.03); end; load translatey(-0.5);\n"
                   "spring_and_damper(rope at 0 along, hook, 0.2, 400, 20);\n"
                   "fusion(rope at 1 along, load);\nsimulate(0 sec, 3 sec, step = 1 / 240);\n");
    for (int i = 1; i <= 60; ++i)
        REQUIRE_FALSE(world.advance(0.05 * i).fault);
    const double mass = 1 + 100 * 3.14159265 * 4e-6 * 0.5;
    CHECK(node(world, "rope[0]").y == doctest::Approx(-mass * 9.81 / 400).epsilon(0.002));
    double pull = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::spring && force.force.y > 0)
            pull = force.force.y;
    CHECK(pull == doctest::Approx(mass * 9.81).epsilon(0.002));
}

TEST_CASE("rods of scripts: what rides on a rod is held for the rod")
{
    // A stiff bar held at one end, a rider 10 cm before its other: the frame of a rod has y along.
    World world = make_world("def bar rod(line(0,0,0, 1,0,0), spans = 8, radius = 1 cm, young = "
                             "1e11, density = 1000, damping = 20 ms); end;\nbar;\n"
                             "position_constraint(bar at 0 along, point(0, 0, 0));\n"
                             "def eye label(); end;\neye translatey(-0.1) on bar at 1 along;\n"
                             "def hook label(); end;\nhook translate(0.9, 1, 0);\n"
                             "spring_and_damper(eye, hook, 1, 500, 30);\n"
                             "simulate(0 sec, 6 sec, step = 1 / 240);\n");
    REQUIRE_FALSE(world.advance(6).fault);
    const double weight = 1000 * 3.14159265358979 * 1e-4 * 9.81;
    double pull = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::spring && force.force.y > 0)
            pull += force.force.y;
    CHECK(pull == doctest::Approx(0.5 * weight / 0.9).epsilon(0.01));
}

TEST_CASE("rods of scripts: a fusion at an angle keeps it while all turns")
{
    World world = make_world(
        kRope + "def twig rod(line(0.5,0,0, 0.8,0.3,0), spans = 6, radius = 4 mm, young = 1e8); "
                "end; twig;\n"
                "fusion(twig at 0 along, rope at 0.5 along, angle = 60 deg);\nassemble();\n");
    for (int i = 1; i <= 20; ++i)
        REQUIRE_FALSE(world.advance(0.02 * i).fault);
    const Frame frame = world.frame();
    const Vec3 along = frame.nodes[6] - frame.nodes[4]; // of the rope, about its middle
    const Vec3 twig = frame.nodes[12] - frame.nodes[11];
    CHECK(length(frame.nodes[11] - frame.nodes[5]) < 1e-9);
    CHECK(dot(along, twig) / (length(along) * length(twig)) == doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("rods of scripts: stops on the way hold a pearl; ends stop it or let it leave")
{
    const auto run = [](const std::string& how) {
        World world = make_world(
            "def wire rod(line(0,0,0, 1,-1,0), spans = 20, radius = 2 mm, young = 1e10); end; "
            "wire;\n"
            "position_constraint(wire at 0 along, point(0, 0, 0));\n"
            "position_constraint(wire at 1 along, point(1, -1, 0));\n"
            "def bead body(mass = 0.01); sphere(0.02); end; bead translate(0.2, -0.2, 0);\n"
            "pearl(bead, wire, from = 0.2" +
            how + ");\nsimulate(0 sec, 1 sec, step = 1 / 480);\n");
        for (int i = 1; i <= 40; ++i)
            REQUIRE_FALSE(world.advance(0.025 * i).fault);
        return node(world, "bead");
    };
    CHECK(run(", high = 0.6").x == doctest::Approx(0.6).epsilon(0.02)); // the wire gives a little
    CHECK(run("").x == doctest::Approx(1).epsilon(0.002));
    CHECK(run(", ends = leave").y < -1.5);            // it fell off the end
    CHECK(run(", beyond = 0.3").y < run("").y - 0.3); // and here after 0.3 m
}

TEST_CASE(
    "rods of scripts: u passes knots smoothly, and without friction nothing acts along the rod")
{
    // A bead on a stiff straight wire falls freely along it: s = ½ g sin(45°) t², across all knots.
    World world = make_world(
        "def wire rod(line(0,0,0, 2,-2,0), spans = 30, radius = 5 mm, young = 2e11); end; wire;\n"
        "for i in 0..10\n  position_constraint(wire at i / 10 along, point(0.2 * i, -0.2 * i, "
        "0));\nend;\n"
        "def bead body(mass = 0.01); sphere(0.02); end; bead translate(0.2, -0.2, 0);\n"
        "pearl(bead, wire, from = 0.1);\nsimulate(0 sec, 1 sec, step = 1 / 960);\n");
    for (const double t : {0.2, 0.4, 0.6}) {
        REQUIRE_FALSE(world.advance(t).fault);
        const double way = length(node(world, "bead") - Vec3{0.2, -0.2, 0});
        CHECK(way == doctest::Approx(0.5 * 9.81 * std::sqrt(0.5) * t * t).epsilon(0.002));
        for (const ActingForce& force : world.forces())
            if (force.kind == ActingForce::Kind::constraint &&
                force.object.index == world.scene().rods[0].object.index)
                CHECK(std::abs(dot(force.force, Vec3{1, -1, 0})) < 1e-4);
    }
}

TEST_CASE("rods of scripts: a bead slides to the lowest point of a hanging string and stays")
{
    World world = make_world(
        "def string rod(line(0,0,0, 1,0,0), spans = 24, radius = 1 mm, young = 1e9, length = 1.2, "
        "damping = 5 ms); end; string;\n"
        "position_constraint(string at 0 along, point(0, 0, 0));\n"
        "position_constraint(string at 1 along, point(1, 0, 0));\n"
        "def bead body(mass = 0.5); sphere(0.02); end; bead translate(0.25, 0, 0);\n"
        "pearl(bead, string, from = 0.25, viscous = 3);\nassemble();\nsimulate(0 sec, 6 sec, step "
        "= 1 / 240);\n");
    for (int i = 1; i <= 120; ++i)
        REQUIRE_FALSE(world.advance(0.05 * i).fault);
    // Two straight halves of 0.6 m over 0.5 m.
    const Vec3 bead = node(world, "bead");
    CHECK(bead.x == doctest::Approx(0.5).epsilon(0.01));
    CHECK(bead.y == doctest::Approx(-std::sqrt(0.36 - 0.25)).epsilon(0.02));
}

TEST_CASE("rods of scripts: a cable hangs on a label that tracks drive")
{
    World world = make_world("def cable rod(line(1,2,0, 1,1,0), spans = 10, radius = 4 mm, young = "
                             "1e8, damping = 5 ms); end; cable;\n"
                             "var turn; turn = {0 deg at 0 sec linear 90 deg at 1 sec};\n"
                             "def hook label(); end; hook translate(1, 2, 0) rotatey(turn);\n"
                             "position_constraint(cable at 0 along, hook);\n");
    for (int i = 1; i <= 20; ++i)
        REQUIRE_FALSE(world.advance(0.05 * i).fault);
    CHECK(length(node(world, "cable[0]") - Vec3{0, 2, -1}) < 1e-8);
}

TEST_CASE("rods of scripts: a hand takes hold of a rod anywhere along it")
{
    World world = make_world(kRope);
    const ObjectId rope = world.scene().rods[0].object;
    CHECK(world.find_grip(rope) == rope);
    CHECK(world.mass_around(rope) == doctest::Approx(1000 * 3.14159265 * 16e-6).epsilon(1e-6));
    REQUIRE(world
                .set_grabs({{.object = rope,
                             .target = {0.5, 0.3, 0},
                             .stiffness = 200,
                             .damping = 2,
                             .along = 0.6}})
                .empty());
    for (int i = 1; i <= 40; ++i)
        REQUIRE_FALSE(world.advance(0.05 * i).fault);
    CHECK(length(node(world, "rope[6]") - Vec3{0.5, 0.3, 0}) < 0.02);
    bool is_seen = false;
    for (const ActingForce& force : world.forces())
        is_seen |= force.kind == ActingForce::Kind::hand && force.object == rope;
    CHECK(is_seen);
    REQUIRE(world.set_grabs({}).empty());
    world.advance(2.2);
    CHECK(node(world, "rope[6]").y < 0.25); // it falls
}
