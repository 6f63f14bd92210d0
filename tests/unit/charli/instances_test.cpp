#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kPi = std::numbers::pi;

Vec3 place_of_bob(const std::string& transformations)
{
    return Posture(sound_scene("def bob mass(1); end; bob " + transformations + ";")).place("bob");
}

} // namespace

TEST_CASE("transformations apply from left to right, the first is innermost")
{
    const double r = 2, theta = 0.5, x = 3;

    CHECK(is_near(place_of_bob("translatex(2) rotatez(0.5) translatex(3)"),
                  {r * std::cos(theta) + x, r * std::sin(theta), 0}));
    CHECK(is_near(place_of_bob("rotatez(0.5) translatex(2)"), {r, 0, 0}));
    CHECK(is_near(place_of_bob("translatex(1) scale(3) translatex(2)"), {5, 0, 0}));
    CHECK(is_near(place_of_bob("translatex(1) translatex(2) scale(3)"), {9, 0, 0}));
}

TEST_CASE("rotations are counter-clockwise and right-handed")
{
    CHECK(is_near(place_of_bob("translatex(1) rotatez(90 deg)"), {0, 1, 0}));
    CHECK(is_near(place_of_bob("translatey(1) rotatex(90 deg)"), {0, 0, 1}));
    CHECK(is_near(place_of_bob("translatez(1) rotatey(90 deg)"), {1, 0, 0}));
    CHECK(is_near(place_of_bob("translatex(1) rotatey(90 deg)"), {0, 0, -1}));
}

TEST_CASE("translate and scale have a form for all axes")
{
    CHECK(is_near(place_of_bob("translate(1, 2, 3)"), {1, 2, 3}));
    CHECK(is_near(place_of_bob("translate(1, 2, 3) scale(2)"), {2, 4, 6}));
    CHECK(is_near(place_of_bob("translate(1, 2, 3) scale(2, 3, 4)"), {2, 6, 12}));
    CHECK(is_near(place_of_bob("translatey(2) translatez(3)"), {0, 2, 3}));
}

TEST_CASE("an instance's transformations apply to everything in its def")
{
    const Posture posture(sound_scene("def bob mass(1); end;"
                                      "def hand bob translatex(1); end;"
                                      "def arm hand translatex(2) rotatez(90 deg); end;"
                                      "arm translatex(10) rotatez(90 deg);"));

    // hand: (2, 0) turned → (0, 2); bob: (3, 0) turned → (0, 3); then +10, then turned again.
    CHECK(is_near(posture.place("hand"), {-2, 10, 0}, 1e-14));
    CHECK(is_near(posture.place("bob"), {-3, 10, 0}, 1e-14));
}

TEST_CASE("rotations accumulate down the nesting")
{
    const Posture posture(sound_scene("def bob mass(1); end;"
                                      "def a bob translatex(1) rotatez(30 deg); end;"
                                      "def b a rotatez(30 deg); end;"
                                      "b rotatez(30 deg);"));

    CHECK(is_near(posture.place("bob"), {0, 1, 0}, 1e-14));
}

TEST_CASE("without a free transformation an object is fixed or driven")
{
    const ScriptReading reading =
        read_text("def bob mass(1); end; a = bob translatex(1);"
                  "b = bob translatex({0 at 0 sec linear 1 at 1 sec}); c = bob rotatez(time);");

    CHECK(reading.problems.empty());
    CHECK(reading.scene.coordinates.empty());
    CHECK(reading.reading.driven_count == 2);
    CHECK(reading.reading.freedom == 0);
}

TEST_CASE("a dynamic variable used twice is one shared coordinate")
{
    const Scene scene =
        sound_scene("dynamic a; a = initial(60 deg, 0); def wheel box_mass(1, 1, 1, 1); end;"
                    "left = wheel rotatez(a); right = wheel rotatez(-a / 2) translatex(2);");

    CHECK(scene.coordinates.size() == 1);
    const Posture posture(scene);
    const auto angle = [&](const char* name) {
        const Mat3& frame = posture.kinematics().frame(posture.object(name)).linear;
        return std::atan2((frame * Vec3{1, 0, 0}).y, (frame * Vec3{1, 0, 0}).x);
    };
    CHECK(angle("left") == doctest::Approx(kPi / 3));
    CHECK(angle("right") == doctest::Approx(-kPi / 6));
}

TEST_CASE("a dynamic inside a def is one for each instance")
{
    const Scene scene = sound_scene("def bob mass(1); end;"
                                    "def link(i) dynamic theta; theta = initial(i, 2 * i);"
                                    " bob translatex(1) rotatez(theta); end;"
                                    "left = link(1); link(2); link(3);"
                                    "for i in 4..5 l[i] = link(i); end;");

    std::vector<std::string> names;
    for (const Coordinate& coordinate : scene.coordinates)
        names.push_back(coordinate.name);
    CHECK(names == Codes{"left.theta", "link.theta", "link#2.theta", "l[4].theta", "l[5].theta"});
    CHECK(scene.coordinates[4].initial == 5);
    CHECK(scene.coordinates[4].initial_rate == 10);
}

TEST_CASE("a chain of a thousand links has a thousand coordinates")
{
    const ScriptReading reading =
        read_text("def bob mass(1); end;"
                  "def link(i) dynamic theta; theta = initial(0.1 * i, 0);"
                  " bob translatex(1) rotatez(theta); end;"
                  "for i in 1..1000 l[i] = link(i); end;");

    CHECK(reading.problems.empty());
    CHECK(reading.reading.coordinate_count == 1000);
    CHECK(reading.reading.freedom == 1000);
}

TEST_CASE("a dynamic without a start begins at rest at zero")
{
    const Scene scene = sound_scene("def bob mass(1); end; dynamic q, p; p = initial(3);"
                                    "bob translatex(q) translatey(p);");

    CHECK(scene.coordinates[0].name == "p"); // in the order of their start values
    CHECK(scene.coordinates[0].initial == 3);
    CHECK(scene.coordinates[0].initial_rate == 0);
    CHECK(scene.coordinates[1].initial == 0);
    CHECK(scene.coordinates[1].initial_rate == 0);
}

TEST_CASE("an instance on another rides on its frame")
{
    const Posture posture(sound_scene("def bob mass(1); end; dynamic a; a = initial(90 deg, 0);"
                                      "def arm hand = label() translatex(2); end;"
                                      "left = arm rotatez(a);"
                                      "b = bob translatex(1) on left.hand;"
                                      "c = bob translatey(1) on b;"
                                      "d = label() translatex(1) on c;"));

    CHECK(is_near(posture.place("hand"), {0, 2, 0}));
    CHECK(is_near(posture.place("b"), {0, 3, 0}));
    CHECK(is_near(posture.place("c"), {-1, 3, 0}));
    CHECK(is_near(posture.place("d"), {-1, 4, 0}));
    CHECK(posture.scene().objects[posture.object("b").index].on == posture.object("hand"));
}

TEST_CASE("an instance rides on one other, and never on itself")
{
    const std::string bob = "def bob mass(1); end; ";

    CHECK(codes_of(bob + "a = bob; b = bob; bob on a, b;") == Codes{"on-several"});
    CHECK(codes_of(bob + "a = bob on a;") == Codes{"rides-on-itself"});
    CHECK(codes_of(bob + "a = bob on b; b = bob on c; c = bob on a;") == Codes{"rides-on-itself"});
    CHECK(codes_of("def arm tip = label(); end; a = arm on a.tip;") == Codes{"rides-on-itself"});
    CHECK(codes_of(bob + "bob on nothing;") == Codes{"unknown-object"});
}

TEST_CASE("objects are named by their own name, their def's, a number or an index")
{
    const Scene scene = sound_scene("def crate box_mass(1,1,1,1); end; def stack crate; crate; end;"
                                    "crate; crate translatex(1); left = crate; b[3] = crate;"
                                    "s = stack; polygon(0,0,0, 1,0,0, 1,1,0) scale(2);");

    std::vector<std::string> names;
    for (std::size_t i = 1; i < scene.objects.size(); ++i)
        if (!scene.objects[i].is_anonymous)
            names.push_back(object_names(scene)[i]);
    CHECK(names == Codes{"crate", "crate#2", "left", "b[3]", "s", "s.crate", "s.crate#2"});
}

TEST_CASE("a primitive may be named or transformed without a def")
{
    const Scene scene = sound_scene("tip = mass(2) translatex(3); label() translatey(1);"
                                    "polygon(0,0,0, 1,0,0, 0,1,0) scale(0.1); mass(1);");

    REQUIRE(scene.masses.size() == 2);
    const Posture posture(scene);
    CHECK(scene.masses[0].object == posture.object("tip"));
    CHECK(scene.masses[1].object == ObjectId{0}); // of the world itself
    CHECK(posture.kinematics().frame(scene.labels[0].object).origin.y == 1);
    CHECK(posture.kinematics().frame(scene.drawings[0].object).linear(0, 0) == 0.1);
}

TEST_CASE("two instances of one place cannot have one name")
{
    CHECK(codes_of("a = label(); a = label();") == Codes{"named-twice"});
    CHECK(codes_of("a[1] = label(); a[1] = label();") == Codes{"named-twice"});
    CHECK(codes_of("for i in 1..2 a = label(); end;") == Codes{"named-twice"});
    CHECK(codes_of("a = label(); a[1] = label(); a[2] = label();") == Codes{});
    CHECK(codes_of("def arm tip = label(); end; a = arm; b = arm; tip = label();") == Codes{});
}

TEST_CASE("a def takes values, tracks, paths and objects")
{
    const Posture posture(
        sound_scene("def bob mass(1); end;"
                    "def rod(a, length, p, lift) tip = bob translatex(length) translatey(lift);"
                    " path_constraint(tip, p); line(0,0,0, a_x,a_y,a_z); end;"
                    "post = label() translatez(7);"
                    "r = rod(post, 2, line(0,0,0, 1,0,0), {0 at 0 sec linear 1 at 1 sec});"
                    "s = rod(r.tip, length = 3, lift = 0, p = point(3, 0, 0));"));

    CHECK(is_near(posture.place("r.tip"), {2, 0, 0}));
    CHECK(is_near(posture.place("s.tip"), {3, 0, 0}));
    const Scene& scene = posture.scene();
    CHECK(scene.path_constraints.size() == 2);
    const Formula& end = scene.formulas[scene.values[scene.drawings[0].points.first + 5].formula];
    CHECK(end.operation == Operation::position);
    CHECK(end.index == posture.object("post").index);
    CHECK(end.frame == posture.object("r"));
}

TEST_CASE("arguments of a def are counted and named")
{
    const std::string def = "def arm(a, b) label() translatex(a + b); end; ";

    CHECK(codes_of(def + "arm(1, 2);") == Codes{});
    CHECK(codes_of(def + "arm(b = 1, a = 2);") == Codes{});
    CHECK(codes_of(def + "arm(a = 1, 2);") == Codes{});
    CHECK(codes_of(def + "arm(1);") == Codes{"missing-argument"});
    CHECK(codes_of(def + "arm;") == Codes{"missing-argument"});
    CHECK(codes_of(def + "arm(1, 2, 3);") == Codes{"too-many-arguments"});
    CHECK(codes_of(def + "arm(1, c = 2);") == Codes{"unknown-argument"});
    CHECK(codes_of(def + "arm(1, a = 2);") == Codes{"argument-twice"});
    CHECK(codes_of("def arm label(); end; arm(); arm;") == Codes{});
}

TEST_CASE("a script's own name hides a built-in one")
{
    const Posture posture(sound_scene("def floor(x) label() translatex(x); end; a = floor(2);"
                                      "def line mass(1); end; line;"));

    CHECK(posture.scene().drawings.empty());
    CHECK(posture.scene().masses.size() == 1);
    CHECK(codes_of("def plain label(); end; plain; label() translatex(plain(2.5));") ==
          Codes{"def-as-value"});
}

TEST_CASE("a def has no value and hides no function: floor(x) stays what it is")
{
    const Posture posture(sound_scene("def floor obstacle(); plane(0, 1, 0, 0); end; floor;"
                                      "def post label(); end; p = post translatex(floor(2.5));"
                                      "def line label(); end; line;"
                                      "def rope rod(line(0, 0, 0, 1, 0, 0), spans = 4, "
                                      "radius = 0.01, density = 500, young = 1e6); end; rope;"));

    CHECK(is_near(posture.place("p"), {2, 0, 0}));
    CHECK(posture.scene().rods.size() == 1);
    CHECK(codes_of("var floor; floor = 3; label() translatex(floor(2.5));") ==
          Codes{"never-used", "call-of-value"});
}

TEST_CASE("mistakes in defs that nothing instances are found, and leave no trace")
{
    const std::string unused = "dynamic q; import f; "
                               "def bob mass(1); end;"
                               "def one bob rotatez(q) translatex(f); k = bob; gravity(0,0,0); end;"
                               "def two bob rotatez(2 * q) translatex(f + time); k = bob;"
                               " def inner bob translatex(k_x) rotatez(q); k = bob; end; end;";

    CHECK(codes_of(unused + "a = label();") == Codes{});
    const Scene scene = sound_scene(unused + "a = label();");
    CHECK(scene.objects.size() == 2);
    CHECK(scene.coordinates.empty());
    CHECK(scene.formulas.empty());
    CHECK(scene.transformations.empty());
    CHECK(scene.settings.gravity_y.number == -9.81);
    CHECK(codes_of("def one def two def three mas(1); end; end; end; label();") ==
          Codes{"unknown-def"});
}
