// Pairs of models that cannot hold or carry each other: each is refused in words, none is accepted
// and then does nothing.

#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sinew;

namespace {

const std::string kThings =
    "def crate body(mass = 1.3); box(0.3, 0.5, 0.8); end;\n"
    "def ball body(mass = 0.4); sphere(0.1); end;\n"
    "def wire rod(line(0,0,0, 1,0,0), spans = 8, radius = 5 mm, young = 1e7); end;\n"
    "def hair strand(line(0,0,0, 0.6,0,0), segments = 6); end;\n"
    "def bead mass(0.3); end;\n"
    "def ground obstacle(); plane(0, 1, 0, 0); end;\n";

const std::string kArm = "dynamic a; a = initial(0, 0);\n"
                         "def bar box_mass(0.9, 0.6, 0.2, 0.3); tip = label() translatex(0.3); "
                         "end;\nbar translatex(0.3) rotatez(a);\n";
const std::string kHeld = "w = wire;\nposition_constraint(w at 0 along, point(0,0,0));\n";

struct Pair {
    std::string script, code;
};

} // namespace

TEST_CASE("what cannot hold or carry what is refused in words")
{
    const Pair pairs[] = {
        // joints
        {"c = crate; s = hair; ball_joint(c, s at 1 along, point(0.6,0,0));", "joint-on-strand"},
        {"c = crate; s = hair; fixed_joint(c, s at 1 along);", "joint-on-strand"},
        {"c = crate; w = wire; ball_joint(c, w at 1 along, point(1,0,0));", "joint-on-rod"},
        {kArm + "s = hair; ball_joint(bar, s at 1 along, point(0.6,0,0));", "joint-on-strand"},
        {kArm + "ball_joint(bar, point(0.6,0,0));", "joint-holds-nothing"},
        // what stands on what
        {"c = crate; wire on c;", "rod-rides"},
        {kArm + "wire on bar.tip;", "rod-rides"},
        {"s = hair; wire on s at 1 along;", "rod-rides"},
        {"l = label() rotatez({0 at 0 sec linear 1 at 1 sec}); wire on l;", "rod-rides"},
        {kHeld + "crate on w at 1 along;", "body-rides"},
        {"s = hair; crate on s at 1 along;", "body-rides"},
        {kArm + "crate on bar;", "body-on-coordinate"},
        {"c = crate; ball translate(0,1,0) on c;", "body-in-body"},
        {"s = hair; bead on s at 1 along;", "mass-on-strand"},
        // constraints
        {"c = crate; s = hair; fusion(s at 0 along, c);", "holds-root"},
        {"c = crate; d = ball translate(1,0,0); fusion(c, d, tangent = fixed);", "no-tangent"},
        {"c = crate; position_constraint(c, line(0,0,0, 1,0,0));", "wants-point"},
        {"c = crate; path_constraint(c, line(0,0,0, 1,-1,0));", "constraint-on-body"},
        {"s = hair; path_constraint(s at 1 along, line(0.6,0,0, 0.6,-1,0));", "not-of-strands"},
        {"s = hair; axis_constraint(s at 1 along, line(0.6,0,0, 0.6,-1,0));", "not-of-strands"},
        {"s = hair; plane_constraint(s at 1 along, point(0.6,0,0), 0,1,0);", "not-of-strands"},
        {kArm + "circle_constraint(bar.tip, point(0.6,0.3,0), 0,0,1, 0.3);", "holds-no-rod"},
        {"c = crate translate(0.3,0,0); s = hair; keyhole(s, c, from = 0.5);", "not-a-rod"},
        {"s = hair; p = ball translate(0.3,0,0); pearl(p, s, from = 0.5);", "not-a-rod"},
        {"g = ground; " + kArm + "above(bar.tip, g);", "holds-no-strand"},
        {"s = hair; cut(s at 0.5 along, when = 0.1);", "cuts-no-rod"},
        {"s = hair; c = ball translate(0.6,0,0); fusion(s at 1 along, c, breaks = 1);",
         "not-of-strands"},
        {"s = hair; drag(s, 1000);", "drag-on-strand"},
        // contact
        {"dynamic x; x = initial(0, 1);\ndef hammer mass(5); box(0.2,0.2,0.2); end;\n"
         "hammer translate(x,0,0); ball;",
         "shape-without-body"},
    };
    for (const Pair& pair : pairs) {
        CAPTURE(pair.script);
        const test::Codes codes =
            test::codes_of(kThings + pair.script + "\nsimulate(0 sec, 1 sec);\n");
        CHECK(std::ranges::find(codes, pair.code) != codes.end());
    }
}
