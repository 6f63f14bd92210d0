#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Where `mark` is put by translate(...) of what it names.
Vec3 marked(const std::string& text) { return Posture(sound_scene(text)).place("mark"); }

} // namespace

TEST_CASE("name_x is the position of the only object of that name")
{
    CHECK(is_near(marked("def bob mass(1); end; bob translate(1, 2, 3);"
                         "mark = label() translate(bob_z, bob_x, bob_y);"),
                  {3, 1, 2}));
    CHECK(is_near(marked("def bob mass(1); end; def arm bob translatex(1); end;"
                         "arm translatey(5); mark = label() translate(bob_x, bob_y, 0);"),
                  {1, 5, 0}));
}

TEST_CASE("a position is seen from the def it is written in")
{
    const Posture posture(sound_scene(
        "def bob mass(1); end; post = label() translate(10, 0, 0);"
        "def arm bob translatex(1); mark = label() translate(bob_x, post_x, post_y); end;"
        "arm rotatez(90 deg) translatex(4);"));

    // From the arm, whose x axis points up at (4, 0): bob is at (1, 0), the post at (0, -6).
    CHECK(is_near(
        posture.kinematics().relative(posture.object("mark"), posture.object("arm")).position,
        {1, 0, -6}));
}

TEST_CASE("an instance's parts are named through it")
{
    const std::string arms = "def tip label(); end; def arm(l) tip translatex(l); end;"
                             "left = arm(1); right = arm(2) translatey(5); ";

    CHECK(is_near(marked(arms + "mark = label() translate(left.tip_x, right.tip_x, right.tip_y);"),
                  {1, 2, 5}));
    CHECK(
        is_near(marked(arms + "mark = label() translate(left.tip.x, right.tip.x, 0);"), {1, 2, 0}));
    CHECK(is_near(marked(arms + "mark = label() on right.tip;"), {2, 5, 0}));
}

TEST_CASE("elements of a row are named by their index")
{
    const std::string rows = "def bob tip = label() translatey(2); mass(1); end;"
                             "for i in 1..5 b[i] = bob translatex(i * i); end; ";

    CHECK(is_near(marked(rows + "mark = label() translate(b[3].x, b[2 + 2].x, b[1].tip_y);"),
                  {9, 16, 2}));
    CHECK(is_near(marked(rows + "for i in 2..2 mark = label() on b[i].tip; end;"), {4, 2, 0}));
    CHECK(codes_of(rows + "label() translatex(b[6].x);") == Codes{"unknown-object"});
    CHECK(codes_of(rows + "label() translatex(b_x);") == Codes{"several-objects"});
    CHECK(codes_of(rows + "label() translatex(b[1.5].x);") == Codes{"not-whole"});
}

TEST_CASE("several instances make a name ambiguous, and the message names them")
{
    const std::string arms = "def tip label(); end; def arm tip translatex(1); end; ";
    const Problems problems =
        read_text(arms + "arm; arm; left = arm; label() translatex(tip_x);").problems;

    REQUIRE(codes_in(problems) == Codes{"several-objects"});
    CHECK(problems[0].what == "'tip' means several objects: arm.tip, arm#2.tip, left.tip");
    CHECK(codes_of(arms + "a = arm; b = arm; dist_constraint(tip, a, 1);") ==
          Codes{"several-objects"});
    CHECK(codes_of(arms + "a = arm; b = arm; line(0,0,0, a.tip_x,0,0);") == Codes{});
}

TEST_CASE("the def's own instance is nearer than one further down, and that than one further out")
{
    const std::string tips = "def tip label(); end; def arm tip translatex(1); end; ";

    CHECK(marked(tips + "arm; tip translatex(5); mark = label() translatex(tip_x);").x == 5);
    CHECK(marked(tips + "tip = label() translatex(7);"
                        "def hand arm translatex(1); mark = label() translatex(tip_x); end; hand;")
              .x == 2);
    CHECK(marked(tips + "tip = label() translatex(7);"
                        "def hand mark = label() translatex(tip_x); end; hand;")
              .x == 7);
}

TEST_CASE("a declared name comes before a position")
{
    CHECK(marked("var max_x; max_x = 4; mark = label() translatex(max_x);").x == 4);
    CHECK(codes_of("var bob_x; bob_x = 4; def bob mass(1); end; bob translatex(bob_x);") ==
          Codes{"name-is-position"});
    CHECK(codes_of("param tip_y = 1; def arm tip = label(); end; arm translatex(tip_y);") ==
          Codes{"name-is-position"});
    CHECK(codes_of("def arm(tip_z) label() translatex(tip_z); tip = label(); end; arm(1);") ==
          Codes{"name-is-position"});
}

TEST_CASE("values of an instance are named through it")
{
    const std::string arm = "def arm(l) var twice; twice = 2 * l; dynamic q; q = initial(l, 0);"
                            " var h; h[1] = l; h[2] = 7; mass(1) translatex(q); end;"
                            "left = arm(3); ";

    CHECK(marked(arm + "mark = label() translate(left.twice, left.q, left.h[2]);").y == 3);
    CHECK(is_near(marked(arm + "mark = label() translate(left.twice, left.q, left.h[2]);"),
                  {6, 3, 7}));
    CHECK(is_near(marked(arm + "mark = label() translatex(2 * left.l + 1);"), {7, 0, 0}));
    const Scene scene = sound_scene(arm + "spring_and_damper(left.q, 0, 1, 1); torque(left.q, 2);");
    CHECK(scene.coordinate_springs[0].coordinate == CoordinateId{0});
    CHECK(scene.torques[0].coordinate == CoordinateId{0});
    CHECK(codes_of(arm + "label() translatex(left.twice + left.width);") ==
          Codes{"unknown-member"});
    CHECK(codes_of(arm + "label() translatex(left.twice + left.h[3]);") == Codes{"unknown-member"});
    CHECK(codes_of(arm + "torque(left.twice, 2);") == Codes{"not-a-coordinate"});
}

TEST_CASE("values of instances may be used before the instance, but not in a circle")
{
    CHECK(
        marked("mark = label() translatex(left.k); def arm var k; k = 4; label(); end; left = arm;")
            .x == 4);
    CHECK(codes_of("def arm(l) var k; k = l + 1; label() translatex(k); end;"
                   "a = arm(b.k); b = arm(a.k);") == Codes{"depends-on-itself"});
    CHECK(codes_of("a = label() translatex(b_x); b = label() translatex(a_x);") ==
          Codes{"place-depends-on-itself"});
    CHECK(codes_of("a = label() translatex(a_y);") == Codes{"place-depends-on-itself"});
}

TEST_CASE("an object of a def's parameter is the one that was passed")
{
    CHECK(is_near(marked("def near(o) mark = label() translate(o_x, o_y, o.tip_x); end;"
                         "def bob tip = label() translatex(2); mass(1); end;"
                         "far = bob translate(1, 5, 0); near(far);"),
                  {1, 5, 3}));
    CHECK(codes_of("def near(o) line(0,0,0, o_x,0,0); end; near(3);") == Codes{"not-an-object"});
}

TEST_CASE("only strands and rods have places along them")
{
    CHECK(codes_of("a = label(); b = label(); dist_constraint(a at 0.5 along, b, 0);") ==
          Codes{"not-a-curve"});
    CHECK(codes_of("a = label(); b = label() on a at 0.5 along;") == Codes{"not-a-curve"});
}
