// What constraints of strands and rods push and turn with, in frames, recordings and tables.

#include "support/temporary_folder.h"
#include "support/worlds.h"

#include "sinew/record.h"
#include "sinew/session.h"

#include <cmath>

using namespace sinew;
using sinew::test::make_world;
using sinew::test::row_of;

namespace {

constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;

// A rope of 1 m with a crate of 2 kg at its end.
const std::string kCrate =
    "def rope rod(line(0,0,0, 0,-1,0), spans = 10, radius = 4 mm, young = 1e8, density = 500, "
    "damping = 20 ms); end;\nrope;\n"
    "position_constraint(rope at 0 along, point(0, 0, 0));\n"
    "def crate body(mass = 2); box(0.1, 0.1, 0.1); ring = label() translatey(0.05); end;\n"
    "crate translatey(-1.05);\n"
    "fusion(rope at 1 along, crate.ring);\n"
    "simulate(0 sec, 4 sec, step = 1 / 240);\n";

bool is_force(const Vec3& force, const Vec3& wanted, double share = 1e-3)
{
    return length(force - wanted) <= share * length(wanted);
}

/// A stiff keyhole with friction, a pearl, a fusion of two rods at all angles, a spring.
const std::string kAll =
    "def wire rod(line(0,0,0, 1,-0.4,0), spans = 12, radius = 3 mm, young = 1e8); end;\nwire;\n"
    "position_constraint(wire at 0 along, point(0, 0, 0));\n"
    "keyhole(wire, point(0.75, -0.3, 0), from = 0.75, friction = 0.3, viscous = 0.1);\n"
    "def bead body(mass = 0.05); sphere(0.02); end;\nbead translate(0.5, -0.2, 0);\n"
    "pearl(bead, wire, from = 0.5, friction = 0.2);\n"
    "def twig rod(line(0.25,-0.1,0, 0.25,-0.5,0.1), spans = 6, radius = 3 mm, young = 1e7); end;\n"
    "twig;\nfusion(twig at 0 along, wire at 0.25 along, tangent = fixed);\n"
    "def tail strand(line(0,0,0.5, 0.4,0,0.5), segments = 8); radius(4 mm); "
    "bend_stiffness(1e-3); damping(0.05); end;\ntail;\n"
    "spring_and_damper(tail at 1 along, wire at 1 along, 0.3, 20, 1);\n"
    "orientation_constraint(tail at 0.5 along, 1, -0.5, 0);\n"
    "simulate(0 sec, 1 sec);\n";

} // namespace

TEST_CASE("loads: a rope bears the weight of the crate, its pin that and its own")
{
    World world = make_world(kCrate);
    REQUIRE_FALSE(world.advance(4).fault);

    const Vec3 crate = {0, -2 * kGravity, 0};
    const Vec3 rope = {0, -500 * kPi * 16e-6 * kGravity, 0};
    const TableRow end = row_of(world, "rope.fusion");
    const TableRow pin = row_of(world, "rope.position_constraint");
    REQUIRE((end.load && pin.load));
    CHECK(is_force(end.load->force, crate));
    CHECK(is_force(pin.load->force, -crate - rope));
    CHECK(length(end.load->torque) + length(pin.load->torque) < 1e-6);
    CHECK(length(end.position - row_of(world, "rope[10]").position) < 1e-12);
    CHECK(length(pin.position) < 1e-9);
}

TEST_CASE("loads: a clamp turns with the weight of the beam at half its length")
{
    World world = make_world(
        "def beam rod(line(0,0,0, 1,0,0), spans = 10, radius = 1 cm, young = 1e10, density = 800, "
        "damping = 30 ms); end;\nbeam;\n"
        "position_constraint(beam at 0 along, point(0, 0, 0));\n"
        "orientation_constraint(beam at 0 along, 1, 0, 0);\nsettle();\n");
    REQUIRE_FALSE(world.advance(0.05).fault);

    const double weight = 800 * kPi * 1e-4 * kGravity;
    const TableRow clamp = row_of(world, "beam.orientation_constraint");
    CHECK(is_force(row_of(world, "beam.position_constraint").load->force, {0, weight, 0}));
    CHECK(length(clamp.load->force) == 0);
    CHECK(
        is_force(clamp.load->torque, {0, 0, weight / 2}, 5e-3)); // sags 3 mm: the arm is 1e-5 less
}

TEST_CASE("loads: a joint and a direction of a strand bear the moment of what is behind them")
{
    // Two segments that fall from the level about their root, without stiffness. Kept straight,
    // they are a falling chimney: the moment in its middle is w L² / 32. With the second kept
    // level, the end of the first falls with 9/8 g, and pulls it down by an eighth of its weight.
    const std::string tail = "def tail strand(line(0,0,0, 1,0,0), segments = 2); radius(1 mm); "
                             "mass_per_length(0.4); bend_stiffness(1e-9); end;\ntail;\n"
                             "simulate(0 sec, 1 sec, step = 1 / 960);\n";
    World joint = make_world(tail + "joint_constraint(tail at 0.75 along, z, angle = 0);\n");
    World direction = make_world(tail + "orientation_constraint(tail at 0.75 along, 1, 0, 0);\n");
    REQUIRE_FALSE(joint.advance(1 / 960.0).fault);
    REQUIRE_FALSE(direction.advance(1 / 960.0).fault);

    const ConstraintLoad bent = *row_of(joint, "tail.joint_constraint").load;
    const ConstraintLoad level = *row_of(direction, "tail.orientation_constraint").load;
    CHECK(is_force(bent.torque, {0, 0, -0.4 * kGravity / 32}));
    CHECK(is_force(level.torque, {0, 0, -0.2 * kGravity / 8 * 0.25}));
    CHECK(length(bent.force) + length(level.force) == 0);
}

TEST_CASE("loads: what a constraint does is in the list of forces, with its opposite")
{
    World world = make_world(kAll);
    REQUIRE_FALSE(world.advance(0.5).fault);
    const Scene& scene = world.scene();
    const Frame frame = world.frame();
    REQUIRE(frame.loads.size() == scene.strand_constraints.size() + scene.rod_constraints.size());
    Vec3 sum{0, 0, 0};
    double largest = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::constraint || force.kind == ActingForce::Kind::spring)
            sum += force.force;
    for (const ConstraintLoad& load : frame.loads)
        largest = std::max(largest, length(load.force));
    Vec3 on_ground{0, 0, 0}; // nobody is there to feel the opposite
    for (std::size_t i = 0; i < scene.rod_constraints.size(); ++i)
        if (!scene.rod_constraints[i].b.is_valid())
            on_ground += frame.loads[scene.strand_constraints.size() + i].force;
    CHECK(largest > 0.1);
    CHECK(length(sum - on_ground) < 1e-9 * largest);
}

TEST_CASE("loads: recordings have the same bits as the run, and so has a run from a snapshot")
{
    World world = make_world(kAll), again = make_world(kAll, 2);
    const test::TemporaryFolder folder;
    const std::string path = (folder.folder / "all.sinew").string();
    {
        Result<Recording> recording = Recording::create(
            path, world.scene(), make_recording_info(world.scene(), "all.charli"));
        REQUIRE(recording);
        for (int i = 0; i < 12; ++i) {
            world.advance(i / 24.0);
            REQUIRE(recording->append(world.frame(), {}, world.snapshot()).empty());
        }
        REQUIRE(recording->finish(std::nullopt).empty());
    }

    const Result<Recording> recording = Recording::open(path);
    REQUIRE(recording);
    REQUIRE(recording->frame(11));
    CHECK(*recording->frame(11) == world.frame());
    REQUIRE(again.restore(recording->find_snapshot(6)->bytes));
    CHECK(again.frame().loads == recording->frame(6)->loads);
    for (int i = 7; i < 12; ++i)
        again.advance(i / 24.0);
    CHECK(again.frame() == world.frame());
}

TEST_CASE("loads: a recording that can only be looked at tells them all the same")
{
    World world = make_world(kCrate);
    const test::TemporaryFolder folder;
    const std::string path = (folder.folder / "crate.sinew").string();
    Scene scene = world.scene();
    scene.files = {{"crate.charli", std::make_shared<const std::string>(kCrate)}};
    RecordingInfo info = make_recording_info(scene, "crate.charli");
    info.scene_fingerprint += 1; // as if another version had made it
    {
        Result<Recording> recording = Recording::create(path, scene, info);
        REQUIRE(recording);
        for (int i = 0; i < 3; ++i) {
            world.advance(i / 24.0);
            REQUIRE(recording->append(world.frame(), {}, world.snapshot()).empty());
        }
        REQUIRE(recording->finish(std::nullopt).empty());
    }

    Result<Recording> recording = Recording::open(path);
    REQUIRE(recording);
    Result<Session> session =
        Session::open(std::make_shared<const Recording>(std::move(*recording)), {});
    REQUIRE_MESSAGE(bool(session), problems_text(session.problems(), false));
    CHECK_FALSE(session->can_simulate());
    const std::optional<Session::Details> details = session->details(2);
    REQUIRE(details);
    REQUIRE(details->forces.size() == 3); // on the rope twice, on the crate once
    CHECK(details->forces[1].force == world.frame().loads[1].force);
    CHECK(details->forces[2].force == -world.frame().loads[1].force);
}

TEST_CASE("loads: tables have their columns where there are constraints, and nowhere else")
{
    const World held = make_world(kAll), free = make_world("def bob mass(1); end;\nbob;\n");
    const std::string head = table_head(held.scene()),
                      lines = table_lines(held.scene(), held.frame());
    CHECK(head == "time,name,x,y,z,qx,qy,qz,qw,fx [N],fy [N],fz [N],tx [N m],ty [N m],tz "
                  "[N m],tension [N],bending [N m],twist [N m]\n");
    CHECK(table_head(free.scene()) == "time,name,x,y,z,qx,qy,qz,qw\n");
    std::size_t begin = 0;
    for (std::size_t end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string line = lines.substr(begin, end - begin);
        CHECK(std::count(line.begin(), line.end(), ',') == 17);
    }
    Frame old = held.frame();
    old.loads.clear(); // of a recording that knows nothing of them
    CHECK(table_rows(held.scene(), old).size() + held.frame().loads.size() ==
          table_rows(held.scene(), held.frame()).size());
}

TEST_CASE("loads: constraints are called by what they hold and their word")
{
    CHECK(constraint_names(test::sound_scene(kAll)) ==
          std::vector<std::string>{"tail.orientation_constraint", "tail.spring_and_damper",
                                   "wire.position_constraint", "wire.keyhole", "wire.pearl",
                                   "twig.fusion"});
    CHECK(constraint_names(test::sound_scene(
              "def a rod(line(0,0,0, 1,0,0), spans = 6, radius = 4 mm, young = 1e8); end;\na;\n"
              "b = a translatez(1);\n"
              "for i in 1..2\n  position_constraint(a at i / 2 along, point(i / 2, 0, 0));\nend;\n"
              "position_constraint(b at 0 along, point(0, 0, 1));\n")) ==
          std::vector<std::string>{"a.position_constraint", "a.position_constraint#2",
                                   "b.position_constraint"});
}
