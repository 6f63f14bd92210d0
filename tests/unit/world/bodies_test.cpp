// Bodies in the world: from a script to motion, held, driven, pushed, jointed, snapped and
// restored.

#include "sinew/world.h"

#include "sinew/names.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kFloor = "def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                           "def crate body(density = 400); box(1, 1, 1); end;\n";

ObjectId find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return {static_cast<std::uint32_t>(found.front())};
    FAIL("there is no " << name);
    return {};
}

Vec3 place(const World& world, const std::string& name)
{
    return world.frame().objects[find(world, name).index].origin;
}

} // namespace

TEST_CASE("a crate falls on the floor and stays there")
{
    World world = make_world(kFloor + "crate translatey(3);\n");
    world.advance(0.5);
    CHECK(place(world, "crate").y == doctest::Approx(3 - 0.5 * 9.81 * 0.25).epsilon(1e-9));
    const StepReport report = world.advance(3);
    CHECK_FALSE(report.fault);
    CHECK(place(world, "crate").y == doctest::Approx(0.5).epsilon(1e-3));
    CHECK(report.rows == 4);
    CHECK(world.energy().kinetic < 1e-6);
}

TEST_CASE("a body's place is the origin of its def, not its centre of mass")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def club body(density = 500); box(0.2, 0.2, 2) translatez(1); end;\n"
                             "club spin(0, 2, 0);\n");
    CHECK(length(place(world, "club")) < 1e-12);
    // about the origin at the start: the centre, a metre ahead, moves on evenly
    const double centre_speed = length(world.bodies()[0].velocity);
    CHECK(centre_speed < 1e-12);
    world.advance(M_PI / 2);
    const Frame frame = world.frame();
    const Affine& club = frame.objects[find(world, "club").index];
    const Vec3 centre = apply(club, Vec3{0, 0, 1});
    CHECK(length(centre - Vec3{2 * M_PI / 2, 0, 1}) < 1e-6);
}

TEST_CASE("an obstacle on a track carries what stands on it")
{
    World world = make_world("var x; x = {0 at 0 sec slowinout 1 at 4 sec};\n"
                             "def lift obstacle(); box(4, 0.2, 4); end; lift translatex(x);\n"
                             "def crate body(density = 400); box(1, 1, 1); end;\n"
                             "crate translatey(0.6);\n");
    CHECK_FALSE(world.advance(5).fault);
    CHECK(place(world, "lift").x == doctest::Approx(1));
    CHECK(place(world, "crate").x == doctest::Approx(1).epsilon(5e-3));
    CHECK(place(world, "crate").y == doctest::Approx(0.6).epsilon(1e-3));
}

TEST_CASE("forces, fields and drag act on bodies")
{
    World world =
        make_world("gravity(0, 0, 0);\n"
                   "def ball body(mass = 2); sphere(0.1); end;\n"
                   "a = ball; b = ball translatez(3); c = ball translatez(6) velocity(1, 0, 0);\n"
                   "force(a, 6, 0, 0); field(0, 5, 0) on b; drag(c, 4);\n");
    world.advance(1);
    CHECK(place(world, "a").x == doctest::Approx(0.5 * 3).epsilon(1e-6));
    CHECK(place(world, "b").y == doctest::Approx(0.5 * 5).epsilon(1e-6));
    CHECK(place(world, "c").x == doctest::Approx((1 - std::exp(-2.0)) / 2).epsilon(0.01));
}

TEST_CASE("a hand lifts a body with a sag of m g / k")
{
    World world = make_world(kFloor + "crate translatey(0.5);\n");
    const ObjectId crate = find(world, "crate");
    CHECK(world.find_grip(crate) == crate);
    CHECK(world.mass_around(crate) == doctest::Approx(400));
    REQUIRE(world.set_grabs({{crate, {0, 2, 0}, 4e4, 8e3}}).empty());
    CHECK_FALSE(world.advance(6).fault);
    CHECK(place(world, "crate").y == doctest::Approx(2 - 400 * 9.81 / 4e4).epsilon(1e-3));
}

TEST_CASE("a pendulum on a ball joint swings with its period")
{
    World world = make_world("simulate(0 sec, 10 sec, step = 1/1000);\n"
                             "def bob body(mass = 1); sphere(0.01); end;\n"
                             "bob translate(sin(0.05), -cos(0.05), 0);\n"
                             "ball_joint(bob, point(0, 0, 0));\n");
    const double inertia = 1 + 0.4 * 1e-4,
                 period = 2 * M_PI * std::sqrt(inertia / 9.81) * (1 + 0.05 * 0.05 / 16);
    world.advance(period);
    CHECK(place(world, "bob").x == doctest::Approx(std::sin(0.05)).epsilon(1e-3));
    CHECK(length(place(world, "bob")) == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("a motor turns a door the way the language counts")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def door body(mass = 5); box(1, 2, 0.05) translatex(0.5); end;\n"
                             "door;\n"
                             "hinge_joint(door, line(0,0,0, 0,1,0), motor = 0.5);\n");
    world.advance(1);
    const Affine X = world.frame().objects[find(world, "door").index];
    const double turned = std::atan2(-X.linear.x.z, X.linear.x.x); // about y
    CHECK(turned == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("the same bits for any number of threads, and after a snapshot in mid-fall")
{
    std::string text = kFloor;
    for (int i = 0; i < 12; ++i)
        text += "c" + std::to_string(i) + " = crate rotatez(" + std::to_string(i * 13) +
                " deg) translate(" + std::to_string((i % 4) * 1.7) + ", " +
                std::to_string(1 + i / 4 * 1.6) + ", 0);\n";
    World one = make_world(text), two = make_world(text, 2), three = make_world(text, 3);
    one.advance(0.8);
    const std::vector<std::byte> snapshot = one.snapshot();
    one.advance(1.6);
    for (double t = 0.8; t < 1.7; t += 0.8)
        two.advance(t);
    three.advance(0.1);
    REQUIRE(three.restore(snapshot));
    three.advance(1.6);
    CHECK(one.state_hash() == two.state_hash());
    CHECK(one.state_hash() == three.state_hash());
    std::vector<std::byte> damaged = snapshot;
    damaged.resize(damaged.size() - 8);
    CHECK_FALSE(three.restore(damaged));
}

TEST_CASE("substeps are shorter steps")
{
    const std::string falls = kFloor + "crate rotatez(20 deg) translatey(2);\n";
    World four = make_world(falls + "simulate(0 sec, 1 sec, step = 1/60); bodies(substeps = 4);\n");
    World fine = make_world(falls + "simulate(0 sec, 1 sec, step = 1/240);\n");
    World coarse = make_world(falls + "simulate(0 sec, 1 sec, step = 1/60);\n");
    for (World* world : {&four, &fine, &coarse})
        world->advance(1);
    CHECK(four.state_hash() == fine.state_hash());
    CHECK(four.state_hash() != coarse.state_hash());
}

TEST_CASE("what stands on a floor is pushed by it with its weight")
{
    World world = make_world(kFloor + "crate translatey(0.5);\n");
    world.advance(1);
    Vec3 sum{0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact && force.object == find(world, "crate"))
            sum += force.force;
    CHECK(sum.y == doctest::Approx(400 * 9.81).epsilon(1e-3));
}

TEST_CASE("contact forces are forces whatever the step: a frame need not hold whole steps")
{
    World world =
        make_world(kFloor + "crate translatey(0.5);\nsimulate(0 sec, 1 sec, step = 0.01);\n");
    for (int i = 1; i <= 12; ++i)
        world.advance(i / 24.0); // five steps of 8.3 ms
    double sum = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact)
            sum += force.force.y;
    CHECK(sum == doctest::Approx(400 * 9.81).epsilon(1e-3));
}

TEST_CASE("contacts: points, normals from a to b, gaps, forces that carry the weight")
{
    World world =
        make_world(kFloor + "low = crate translatey(0.5);\nhigh = crate translatey(1.5);\n"
                            "away = crate translatey(9);\n");
    CHECK(world.contacts().empty()); // nothing is known before the first step
    world.advance(0.5);
    const std::vector<Contact> contacts = world.contacts();
    REQUIRE(contacts.size() == 8);
    double on_low = 0, on_high = 0;
    for (const Contact& contact : contacts) {
        const bool is_ground =
            contact.a == find(world, "floor") || contact.b == find(world, "floor");
        const double up = contact.b == find(world, is_ground ? "low" : "high") ? 1 : -1;
        CHECK(contact.normal.y == doctest::Approx(up));
        CHECK(contact.place.y == doctest::Approx(is_ground ? 0 : 1).epsilon(1e-3));
        CHECK(std::abs(std::abs(contact.place.x) - 0.5) < 1e-6);
        CHECK(std::abs(contact.gap) < 1e-4);
        (is_ground ? on_low : on_high) += contact.force;
    }
    CHECK(on_low == doctest::Approx(2 * 400 * 9.81).epsilon(1e-3));
    CHECK(on_high == doctest::Approx(400 * 9.81).epsilon(1e-3));
}

TEST_CASE("layers count contacts from what is fixed, as the scene's bodies, whatever the method")
{
    for (const char* method : {"", "bodies(method = erleben);\n"}) {
        World world = make_world(kFloor +
                                 "a = crate translatey(2.5);\nb = crate translatey(0.5);\n"
                                 "c = crate translatey(1.5);\nd = crate translatey(9);\n" +
                                 method);
        CHECK(world.layers() == std::vector<int>{0, -1, -1, -1, -1});
        world.advance(0.2);
        CHECK(world.layers() == std::vector<int>{0, 3, 1, 2, -1});
    }
    CHECK(make_world("def b mass(1); end; b;\n").layers().empty());
}

TEST_CASE("a body that rides away on no number stops the run by name")
{
    World world = make_world("def ball body(mass = 1); sphere(0.1); end; ball;\n"
                             "force(ball, exp(exp(20 * time)), 0, 0);\n");
    const StepReport report = world.advance(2);
    REQUIRE(report.fault);
    CHECK(report.fault->what.find("'ball'") != std::string::npos);
    CHECK(std::isfinite(place(world, "ball").x));
}

TEST_CASE("a force on a label of a body turns it")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def crate body(mass = 6); box(1, 1, 1);\n"
                             "  lug = label() translatex(0.5); end; crate;\n"
                             "force(crate.lug, 0, 2, 0);\n"
                             "simulate(0 sec, 1 sec, step = 1/1000);\n");
    CHECK_FALSE(world.advance(0.01).fault);
    const BodyMotion motion = world.bodies()[0];
    CHECK(motion.velocity.y == doctest::Approx(0.01 * 2 / 6));
    CHECK(motion.spin.z == doctest::Approx(0.01 * 0.5 * 2 / 1).epsilon(1e-4)); // m l²/6 = 1 kg m²
}

TEST_CASE("what rides on a body goes with it")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def crate body(mass = 6); box(1, 1, 1); end; crate spin(0, 0, 1);\n"
                             "def flag label(); end; flag translatex(2) on crate;\n"
                             "def eye camera(0, 0, 3, 0, 0, 0); end; eye on crate;\n");
    CHECK_FALSE(world.advance(1).fault);
    CHECK(length(place(world, "flag") - Vec3{2 * std::cos(1.0), 2 * std::sin(1.0), 0}) < 1e-6);
    REQUIRE(world.scene().settings.camera);
    CHECK(world.scene().settings.camera->frame == find(world, "eye"));
}

TEST_CASE("bodies that overlap at the start are named, ten pairs and then a count")
{
    const std::string ball = "gravity(0, 0, 0);\ndef ball body(mass = 1); sphere(0.5); end;\n";
    CHECK(make_world(ball + "a = ball; b = ball translatex(0.995);\n").start_notes().empty());
    const Problems two = make_world(ball + "a = ball; b = ball translatex(0.75);\n").start_notes();
    REQUIRE(two.size() == 1);
    CHECK(two[0].severity == Severity::warning);
    CHECK(two[0].code == "bodies-overlap");
    CHECK(two[0].what == "'a' and 'b' overlap by 0.25 m at the start");
    CHECK_FALSE(two[0].hint.empty());

    const Problems sunk = make_world(kFloor + "crate translatey(0.4);\n").start_notes();
    REQUIRE(sunk.size() == 1);
    CHECK(sunk[0].what == "'floor' and 'crate' overlap by 0.1 m at the start");

    const Problems many =
        make_world(ball + "for i in 0..13 b[i] = ball translatex(0.75 * i); end;\n").start_notes();
    REQUIRE(many.size() == 11);
    CHECK(many[10].what == "3 more pairs of bodies overlap at the start");
}

TEST_CASE(
    "an obstacle on a linkage that passes others is noted, unless the script says that it may")
{
    const std::string script = "dynamic y;\n"
                               "def wall obstacle(); box(1, 1, 1); end;\n"
                               "def bob mass(1); end;\n"
                               "def shell obstacle(); sphere(0.2); end;\n"
                               "left = wall translatex(-3); right = wall translatex(3);\n"
                               "b = bob translatey(y);\n"
                               "s = shell on b;\n";

    const Problems noted = make_world(script + "touches(s, left, no);\n").start_notes();
    const Problems told =
        make_world(script + "touches(s, left, no);\ntouches(s, right, no);\n").start_notes();

    REQUIRE(noted.size() == 1);
    CHECK(noted[0].code == "obstacles-pass");
    CHECK(noted[0].what.find("'right'") != std::string::npos);
    CHECK(told.empty());
}

TEST_CASE("two bodies roll on each other as their pair says")
{
    const std::string ball = kFloor + "def ball body(density = 1000); sphere(0.1); end;\n"
                                      "ball translatey(0.1) velocity(1, 0, 0) spin(0, 0, -10);\n";
    World easy = make_world(ball), heavy = make_world(ball + "contact_material(ball, floor, "
                                                             "friction = 0.5, rolling = 0.01);\n");
    easy.advance(2);
    heavy.advance(2);
    CHECK(place(easy, "ball").x == doctest::Approx(2).epsilon(0.01));
    // rolling with the arm b it slows down by a = 5/7 g b/r, and stops after v²/(2 a)
    CHECK(place(heavy, "ball").x == doctest::Approx(0.5 / (9.81 * 0.1 * 5 / 7)).epsilon(0.03));
}
