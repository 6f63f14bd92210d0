// What each law is to the models that its ends belong to, and what is refused in words.

#include "scene/constraints/sorter.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using test::Codes, test::codes_of, test::sound_scene;

namespace {

const std::string kThings = R"(
def bob mass(1); end; m = bob translatex(3); n = bob translatex(4);
def crate body(density = 400); box(0.1, 0.1, 0.1); end;
c = crate translatey(5); d = crate translatey(6);
def floor obstacle(); plane(0, 1, 0, -2); end; ground = floor;
def hair strand(line(0,0,0, 0.4,0,0), segments = 4); radius(2 mm); density(900); young(1e6); end;
h = hair translatez(2); g = hair translatez(3);
def rope rod(line(0,0,0, 1,0,0), spans = 6); end; r = rope translatez(5); q = rope translatez(6);
assemble;
)";

Scene with(const std::string& statements) { return sound_scene(kThings + statements); }
Codes told(const std::string& statements) { return codes_of(kThings + statements); }

/// Which list a statement ends in.
std::string list_of(const std::string& statement)
{
    const Scene scene = with(statement);
    std::string lists;
    const auto look = [&](const auto& list, const char* name) {
        for (std::size_t i = 0; i < list.size(); ++i)
            lists += name;
    };
    look(scene.distance_constraints, "L");
    look(scene.path_constraints, "P");
    look(scene.point_springs, "F");
    look(scene.joints, "B");
    look(scene.strand_constraints, "S");
    look(scene.rod_constraints, "R");
    return lists;
}

} // namespace

TEST_CASE("distances: strands come before rods, rods before bodies, bodies before linkages")
{
    CHECK(
        list_of("dynamic x; x = initial(0, 0); w = bob translatey(x); dist_constraint(w, n, 4);") ==
        "L");
    CHECK(list_of("dist_constraint(c, d, 1);") == "B");
    CHECK(list_of("dist_constraint(c, m, 5);") == "B");
    CHECK(list_of("dist_joint(c, d);") == "B");
    CHECK(list_of("dist_constraint(c, r at 0 along, 5);") == "R");
    CHECK(list_of("dist_joint(r at 0 along, c, high = 9);") == "R");
    CHECK(list_of("dist_constraint(r at 0 along, point(0, 1, 5), 1);") == "R");
    CHECK(list_of("dist_constraint(r at 0 along, h at 1 along, 3);") == "S");
    CHECK(list_of("dist_joint(h at 1 along, c, high = 9);") == "S");
    CHECK(list_of("dist_constraint(c, point(0, 0, 0), 1);") == "B");
    CHECK(list_of("dist_constraint(h at 1 along, point(0.4, 0, 3), 1);") == "S");
    CHECK(told("dist_constraint(c, line(0,0,0, 1,0,0), 1);") == Codes{"wants-point"});
    CHECK(list_of("dynamic x; x = initial(0, 0); w = bob translatey(x);"
                  "dist_constraint(w, n, 4, until = 1);") == "L");
    CHECK(told("dist_constraint(h at 1 along, c, 5, breaks = 1);") == Codes{"not-of-strands"});
}

TEST_CASE("distances of bodies break, however they are said")
{
    const Scene scene = with("dist_constraint(c, d, 1, breaks = 30);");
    REQUIRE(scene.joints.size() == 1);
    CHECK(scene.joints[0].breaks == 30);
    CHECK(with("dist_constraint(c, d, 1, active = {1 at 0 sec hold 0 at 1 sec});")
              .joints[0]
              .active.is_constant() == false);
    CHECK(with("ball_joint(c, d, point(0, 5.5, 0), until = 1);").joints[0].until == 1);
    CHECK(told("ball_joint(c, d, point(0, 5.5, 0), beyond = 1);") ==
          Codes{"joint-knows-no-beyond"});
}

TEST_CASE("limits of a rod's distance are two laws, and its default is as it is drawn")
{
    const Scene both = with("dist_joint(r at 0 along, c, low = 6, high = 9);");
    REQUIRE(both.rod_constraints.size() == 2);
    CHECK(both.rod_constraints[0].is_at_least);
    CHECK(both.rod_constraints[0].distance.number == 6);
    CHECK(both.rod_constraints[1].is_at_most);
    CHECK(both.rod_constraints[1].distance.number == 9);
    const Scene one = with("dist_joint(r at 0 along, c, low = 6, high = 6);");
    REQUIRE(one.rod_constraints.size() == 1);
    CHECK_FALSE(one.rod_constraints[0].is_at_least);
    const Scene drawn = with("dist_joint(c, r at 0 along);");
    REQUIRE(drawn.rod_constraints.size() == 1);
    CHECK(drawn.rod_constraints[0].distance.number == doctest::Approx(std::sqrt(50.0)));
}

TEST_CASE(
    "positions of bodies and linkages are distances of 0; points are objects that stand there")
{
    const Scene bodies = with("position_constraint(c, d);");
    REQUIRE(bodies.joints.size() == 1);
    CHECK(bodies.joints[0].kind == JointKind::distance);
    CHECK(bodies.joints[0].distance->number == 0);
    const Scene point = with("position_constraint(c, point(1, time, 3));");
    REQUIRE(point.joints.size() == 1);
    const Object& stands = point.objects[point.joints[0].b.index];
    CHECK(stands.is_anonymous);
    CHECK(point.objects[0].end == point.objects.size());
    CHECK(point.transformations[stands.first_transformation].amount.number == 1);
    CHECK(list_of("dynamic x; x = initial(0, 0); w = bob translatey(x); fusion(w, n);") == "L");
    CHECK(told("fusion(c, d, tangent = fixed);") == Codes{"no-tangent"});
    CHECK(told("fusion(c, h);") == Codes{"whole-strand"});
    CHECK(told("position_constraint(c, line(0,0,0, 1,0,0));") == Codes{"wants-point"});
}

TEST_CASE("points that became objects do not confuse defs that nothing uses")
{
    const Scene scene = with("position_constraint(c, point(0, 5, 0), until = 1);"
                             "dist_constraint(h at 1 along, point(0.4, 0, 3), 1, until = 1);"
                             "def never var x; x = 1; bob translatex(sin(time) * x); end;");
    CHECK(scene.joints.size() == 1);
    CHECK(scene.strand_constraints.size() == 1);
    CHECK(scene.objects[0].end == scene.objects.size());
}

TEST_CASE("a whole rod is refused where a point of it is meant")
{
    for (const char* statement :
         {"dist_constraint(r, c, 1);", "spring_and_damper(c, r, 1, 2, 3);", "fixed_joint(c, r);",
          "position_constraint(r, point(0, 0, 5));", "keyhole(q, r);"})
        CHECK(told(statement) == Codes{"whole-rod"});
}

TEST_CASE("`until` releases strands: a track that falls to 0 then")
{
    const Scene scene = with("position_constraint(h at 1 along, point(0.4, 0, 2), until = 1.5);");
    REQUIRE(scene.strand_constraints.size() == 1);
    const Value active = scene.strand_constraints[0].active;
    CHECK(rates_at(scene, active, 1.49).value == 1);
    CHECK(rates_at(scene, active, 1.5).value == 0);
    CHECK(key_times(scene, active).back() == 1.5);
    const Scene both = with("position_constraint(h at 1 along, point(0.4, 0, 2), until = 1.5, "
                            "active = {0 at 0 sec hold 1 at 1 sec});");
    const Value later = both.strand_constraints[0].active;
    CHECK(rates_at(both, later, 0.5).value == 0);
    CHECK(rates_at(both, later, 1.2).value == 1);
    CHECK(rates_at(both, later, 1.6).value == 0);
}

TEST_CASE("positions hold strands and rods; of the two the strand comes first")
{
    CHECK(list_of("position_constraint(r at 0 along, point(0, 0, 5));") == "R");
    CHECK(list_of("position_constraint(h at 1 along, point(0.4, 0, 2));") == "S");
    const Scene scene = with("position_constraint(r at 0 along, h at 1 along);");
    REQUIRE(scene.strand_constraints.size() == 1);
    CHECK(scene.rod_constraints.empty());
    CHECK(scene.strand_constraints[0].a == scene.strand_sites[0].object);
    CHECK(scene.strand_constraints[0].b == scene.rod_sites[0].object);
    CHECK(told("position_constraint(h at 1 along, point(0.4, 0, 2), breaks = 2);") ==
          Codes{"not-of-strands"});
}

TEST_CASE("fusions keep the turn where they are told to; their angle is of rods")
{
    CHECK(with("fusion(h at 1 along, c);").strand_constraints[0].kind ==
          StrandConstraintKind::position);
    CHECK(with("fusion(h at 1 along, c, tangent = fixed);").strand_constraints[0].kind ==
          StrandConstraintKind::fusion);
    CHECK(with("fusion(r at 1 along, q at 0 along, tangent = parallel);")
              .rod_constraints[0]
              .tangent == RodTangent::along);
    CHECK(told("fusion(h at 1 along, c, angle = 20 deg);") == Codes{"not-of-strands"});
}

TEST_CASE("a body cannot hang on the root of a strand, which its def holds already")
{
    CHECK(told("fusion(h at 0 along, c);") == Codes{"holds-root"});
    CHECK(told("position_constraint(h at 0 along, c);") == Codes{"holds-root"});
    CHECK(told("fusion(h at 1 along, h at 0 along);").empty()); // a loop
    CHECK(told("fusion(g at 1 along, h at 0 along);").empty());
}

TEST_CASE("directions: of a strand by its frame, of a rod by its own number")
{
    const Scene strand = with("orientation_constraint(h at 1 along, 1, 0, 0, b = ground);");
    REQUIRE(strand.strand_constraints.size() == 1);
    CHECK_FALSE(strand.strand_constraints[0].b.is_valid());
    CHECK(strand.strand_constraints[0].x.number == 1);
    const Scene rod = with("orientation_constraint(r at 0 along, 0, 2, 0);");
    CHECK(rod.rod_constraints[0].direction == Vec3{0, 1, 0});
    CHECK(told("orientation_constraint(r at 0 along, 0, 0, 0);") == Codes{"no-direction"});
}

TEST_CASE("planes, lines and circles hold points of rods alone")
{
    CHECK(list_of("plane_constraint(r at 0 along, point(0,0,5), 0, 1, 0);") == "R");
    CHECK(list_of("axis_constraint(r at 0 along, line(0,0,5, 1,0,5));") == "R");
    CHECK(list_of("circle_constraint(r at 0 along, point(0,0,4), 0, 1, 0, radius = 1);") == "R");
    for (const char* statement : {"plane_constraint(h at 1 along, point(0,0,5), 0, 1, 0);",
                                  "axis_constraint(h at 1 along, line(0,0,2, 1,0,2));",
                                  "circle_constraint(h at 1 along, point(0,0,2), 0, 1, 0, 1);"})
        CHECK(told(statement) == Codes{"not-of-strands"});
}

TEST_CASE("above: a strand over an object, a rod over the object's plane, which may come and go")
{
    CHECK(list_of("above(h at 1 along, ground);") == "S");
    const Scene scene = with("above(r at 1 along, ground, until = 1);");
    REQUIRE(scene.rod_constraints.size() == 1);
    const RodConstraint& made = scene.rod_constraints[0];
    CHECK(made.kind == RodConstraintKind::plane);
    CHECK(made.is_at_least);
    CHECK(made.release.until == 1);
    const Path& point = scene.paths[made.path.index];
    CHECK(scene.values[point.points.first + 1].number == -2); // the plane, not the object's origin
    CHECK(told("above(m, ground);") == Codes{"holds-no-strand"});
    CHECK(told("above(h at 1 along, ground, beyond = 1);") == Codes{"not-of-strands"});
}

TEST_CASE("paths: of a rod a trajectory, of others a constraint")
{
    CHECK(list_of("path_constraint(r at 0 along, line(0,0,5, 1,0,5), until = 1);") == "R");
    CHECK(told("dynamic x; x = initial(0, 0); w = bob translatey(x);"
               "path_constraint(w, line(0,0,0, 0,1,0), beyond = 1);") == Codes{"not-of-paths"});
}

TEST_CASE("springs: strands, rods, then everything else")
{
    CHECK(list_of("spring_and_damper(h at 1 along, r at 0 along, 1, 2, 3);") == "S");
    CHECK(list_of("spring_and_damper(c, r at 0 along, 1, 2, 3);") == "R");
    CHECK(list_of("spring_and_damper(c, d, 1, 2, 3);") == "F");
    CHECK(told("spring_and_damper(c, d, 1, 2, 3, breaks = 2);") == Codes{"not-of-springs"});
}

TEST_CASE("keyholes and pearls begin where they say, with the rod first")
{
    const Scene scene = with("pearl(c, r, from = 0.25, friction = 0.1, high = 0.75);");
    REQUIRE(scene.rod_constraints.size() == 1);
    const RodConstraint& made = scene.rod_constraints[0];
    CHECK(made.kind == RodConstraintKind::pearl);
    CHECK(made.a == scene.rods[0].object);
    CHECK(made.from == 0.25);
    CHECK(made.high == 0.75);
    CHECK(with("oriented_keyhole(r, point(0.5,0,5), 1, 0, 0);").rod_constraints[0].is_oriented);
    CHECK(with("keyhole(r, point(0.5,0,5));").rod_constraints[0].from == 0.5);
}

TEST_CASE("angles are of joints of strands")
{
    CHECK(list_of("joint_constraint(h at 0.5 along, x, angle = 1 deg);") == "S");
    CHECK(told("joint_constraint(m, x, angle = 1 deg);") == Codes{"holds-no-strand"});
    CHECK(told("joint_constraint(h at 0.5 along, x, angle = 1 deg, breaks = 1);") ==
          Codes{"not-of-strands"});
}

TEST_CASE("joints hold bodies, and neither points of rods nor of strands")
{
    CHECK(list_of("fixed_joint(c, d);") == "B");
    CHECK(list_of("hinge_joint(c, line(0,5,0, 1,5,0));") == "B");
    CHECK(told("ball_joint(c, r at 1 along, point(1, 0, 5));") == Codes{"joint-on-rod"});
    CHECK(told("ball_joint(c, h at 1 along, point(0.4, 0, 2));") == Codes{"joint-on-strand"});
    CHECK(told("fixed_joint(c, h at 1 along);") == Codes{"joint-on-strand"});
    CHECK(told("fixed_joint(m, n);") == Codes{"joint-holds-nothing"});
    CHECK(told("fixed_joint(c, c);") == Codes{"same-body"});
}

TEST_CASE("what rides on nothing that could carry it is refused")
{
    CHECK(told("x = rope on c;") == Codes{"rod-rides"});
    CHECK(told("x = rope on h at 1 along;") == Codes{"rod-rides"});
    CHECK(told("x = crate on r at 1 along;") == Codes{"body-rides"});
    CHECK(told("x = crate on h at 1 along;") == Codes{"body-rides"});
    CHECK(told("drag(h, 1000);") == Codes{"drag-on-strand"});
    CHECK(told("drag(r, 1000);") == Codes{"drag-on-rod"});
    CHECK(told("x = rope on m;").empty()); // which stands: only placed there
}

TEST_CASE("the order in which models read does not depend on the kinds in the script")
{
    const Scene scene = with("spring_and_damper(r at 0 along, c, 1, 2, 3);"
                             "dist_constraint(r at 0 along, d, 6);"
                             "position_constraint(r at 1 along, point(1, 0, 5));");
    using Kind = RodConstraintKind;
    REQUIRE(scene.rod_constraints.size() == 3);
    CHECK(scene.rod_constraints[0].kind == Kind::position);
    CHECK(scene.rod_constraints[1].kind == Kind::distance);
    CHECK(scene.rod_constraints[2].kind == Kind::spring);
}

TEST_CASE("a program's constraints are sorted too, and what they name must exist")
{
    Scene scene = with("");
    const ObjectId c = scene.bodies[0].object, d = scene.bodies[1].object;
    const Constraint tie{.law = DistanceLaw{.distance = Value{1}}, .a = {c}, .b = {d}};
    CHECK(sort_constraints(scene, std::array{tie}).empty());
    CHECK(scene.joints.size() == 1);
    const Constraint bad{.law = SpringLaw{}, .a = {c}, .b = {ObjectId{9999}}};
    CHECK(test::codes_in(sort_constraints(scene, std::array{tie, bad})) == Codes{"no-such-object"});
}
