#include "sinew/display.h"

#include "sinew/world.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

using namespace sinew;
using test::is_near;

namespace {

/// A scene at its start, and how it looks.
struct Picture {
    Scene scene;
    Frame frame;
    Display display;
    DisplayFrame placed;

    explicit Picture(const std::string& text)
        : scene(test::sound_scene(text)), frame(World::create(scene)->frame()),
          display(make_display(scene, frame))
    {
        place_display(scene, display, frame, placed);
    }

    std::vector<const Element*> find(ElementKind kind, ElementRole role = ElementRole::thing) const
    {
        std::vector<const Element*> found;
        for (const Element& element : display.elements)
            if (element.kind == kind && element.role == role)
                found.push_back(&element);
        return found;
    }
    Vec3 point(const Element& element, std::uint32_t i = 0) const
    {
        return placed.points[element.first + i];
    }
};

constexpr const char* kPendulum = R"(
dynamic theta;
theta = initial(-90 deg, 0);
def bob mass(8); end;
def small mass(1); end;
bob translatex(1) rotatez(theta);
small translatex(2) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
)";

} // namespace

TEST_CASE("masses are spheres at their places, larger by the cube root of the mass")
{
    const Picture look(kPendulum);

    const auto spheres = look.find(ElementKind::sphere);

    REQUIRE(spheres.size() == 2);
    CHECK(is_near(look.point(*spheres[0]), {0, -1, 0}));
    CHECK(is_near(look.point(*spheres[1]), {0, -2, 0}));
    CHECK(spheres[0]->radius == doctest::Approx(2 * spheres[1]->radius)); // 8 kg and 1 kg
}

TEST_CASE("the unit is a hundredth of the first frame, and spheres lie between 0.8 and 2.2 units")
{
    const Picture look(kPendulum);

    CHECK(look.display.unit == doctest::Approx(0.02)); // from the pivot to the lower mass
    for (const Element* sphere : look.find(ElementKind::sphere)) {
        CHECK(sphere->radius >= 0.8 * look.display.unit);
        CHECK(sphere->radius <= 2.2 * look.display.unit);
    }
}

TEST_CASE("a line is a rod between its points")
{
    const Picture look(kPendulum);

    const auto rods = look.find(ElementKind::curve);

    REQUIRE(rods.size() == 1);
    REQUIRE(rods[0]->count == 2);
    CHECK(is_near(look.point(*rods[0], 0), {0, 0, 0}));
    CHECK(is_near(look.point(*rods[0], 1), {0, -1, 0}));
}

TEST_CASE("colours: the nearest colour around a thing, else the palette by kin, else graphite")
{
    const Picture look(R"(
def red_box colour(1, 0, 0); mass(1); line(0, 0, 0, 1, 0, 0); end;
def plain mass(1); line(0, 0, 0, 1, 0, 0); end;
def other mass(1); end;
red_box translatex(1);
for i in 1..2
  p[i] = plain translatex(2 * i);
end;
other translatex(7);
)");

    const auto spheres = look.find(ElementKind::sphere);
    const auto rods = look.find(ElementKind::curve);

    REQUIRE(spheres.size() == 4);
    CHECK(spheres[0]->colour == Vec3{1, 0, 0});
    CHECK(rods[0]->colour == Vec3{1, 0, 0});
    CHECK(spheres[1]->colour == palette_colour(0));
    CHECK(spheres[2]->colour == palette_colour(0));
    CHECK(spheres[3]->colour == palette_colour(1));
    CHECK(rods[1]->colour != spheres[1]->colour);
}

TEST_CASE("a colour holds for all that is inside, until a nearer one")
{
    const Picture look(R"(
def inner mass(1); end;
def green colour(0, 1, 0); mass(1); end;
def outer colour(1, 0, 0); inner; green translatex(1); end;
outer;
)");

    const auto spheres = look.find(ElementKind::sphere);

    REQUIRE(spheres.size() == 2);
    CHECK(spheres[0]->colour == Vec3{1, 0, 0});
    CHECK(spheres[1]->colour == Vec3{0, 1, 0});
}

TEST_CASE("the palette goes round and repeats no colour before")
{
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t j = 0; j < i; ++j)
            CHECK(palette_colour(i) != palette_colour(j));
    CHECK(palette_colour(7) == palette_colour(0));
}

TEST_CASE("a spring between objects is a coil from one to the other; two in one place are one")
{
    const Picture look(R"(
dynamic x;
x = initial(3, 0);
def wall label(); end;
def block mass(1); end;
wall;
block translatex(x);
spring_and_damper(wall, block, 2, 10, 1);
spring_and_damper(block, wall, 2, 10, 1);
)");

    const auto coils = look.find(ElementKind::spring);

    REQUIRE(coils.size() == 1);
    CHECK(is_near(look.point(*coils[0], 0), {0, 0, 0}));
    CHECK(is_near(look.point(*coils[0], 1), {3, 0, 0}));
    CHECK(coils[0]->turns >= 4);
    CHECK(coils[0]->radius > 0);
}

TEST_CASE("a longer rest length has more turns")
{
    const auto turns_of = [](const std::string& rest) {
        const Picture look(
            "dynamic x; x = initial(3, 0); def wall label(); end; def block mass(1); end;"
            "wall; block translatex(x); spring_and_damper(wall, block, " +
            rest + ", 10, 1);");
        return look.find(ElementKind::spring).at(0)->turns;
    };

    CHECK(turns_of("1.5") > turns_of("0.5"));
}

TEST_CASE("a spring on a translation begins where the transformations behind it put the frame")
{
    const Picture look(R"(
dynamic r, theta;
var x;
r = initial(5, 0);
theta = initial(-90 deg, 0);
x = {2 at 0 sec linear 4 at 1 sec};
def bob mass(1); end;
bob translatex(r) rotatez(theta) translatex(x) translatey(1);
spring_and_damper(r, 5, 3, 1);
spring_and_damper(theta, 0, 3, 1);
)");

    const auto coils = look.find(ElementKind::spring);

    REQUIRE(coils.size() == 1); // the one on the angle is left out
    CHECK(is_near(look.point(*coils[0], 0), {2, 1, 0}));
    CHECK(is_near(look.point(*coils[0], 1), {2, -4, 0}));
}

TEST_CASE("a spring whose beginning a frame does not tell is left out")
{
    const Picture look(R"(
dynamic r, s;
r = initial(1, 0);
s = initial(2, 0);
def bob mass(1); end;
bob translatex(r) translatey(s);
spring_and_damper(r, 1, 3, 1);
)");

    CHECK(look.find(ElementKind::spring).empty());
}

TEST_CASE("a distance is a rod where no line joins its ends, and always a constraint")
{
    const std::string chain = R"(
dynamic x, y;
x = initial(1, 0);
y = initial(0, 0);
def root label(); end;
def bob mass(1); end;
root;
bob translatex(x) translatey(y);
dist_constraint(root, bob, 1);
)";
    const Picture bare(chain), drawn(chain + "line(bob_x, bob_y, 0, 0, 0, 0);");

    CHECK(bare.find(ElementKind::curve).size() == 1);
    CHECK(drawn.find(ElementKind::curve).size() == 1);
    CHECK(bare.find(ElementKind::curve).at(0)->constraint == 0);
    CHECK(drawn.find(ElementKind::curve).at(0)->constraint == 0xffffffff);
    for (const Picture* look : {&bare, &drawn}) {
        const auto held = look->find(ElementKind::curve, ElementRole::constraint);
        REQUIRE(held.size() == 1);
        CHECK(held[0]->constraint == 0);
    }
}

TEST_CASE("a path that a bead is held to is seen, drawn or not, once")
{
    const std::string bead = R"(
dynamic x, y;
var wire;
wire = spline(-1,1,0, -0.5,0,0, 0.5,0,0, 1,1,0);
x = initial(-1, 0);
y = initial(1, 0);
def bead mass(1); end;
bead translatex(x) translatey(y);
path_constraint(bead, wire);
)";
    for (const Picture& look : {Picture(bead), Picture(bead + "path(wire);")}) {
        const auto curves = look.find(ElementKind::curve);
        REQUIRE(curves.size() == 1);
        CHECK(curves[0]->count > 10);
        CHECK(is_near(look.point(*curves[0], 0), {-1, 1, 0}));
        CHECK(is_near(look.point(*curves[0], curves[0]->count - 1), {1, 1, 0}));
        CHECK(look.find(ElementKind::sphere, ElementRole::constraint).size() == 1);
    }
}

TEST_CASE("a sphere gives way to a polygon around it and fills a circle of lines")
{
    const Picture look(R"(
def plate mass(1); polygon(-1,-1,0, 1,-1,0, 1,1,0, -1,1,0); end;
def ball mass(1); for i in 1..12 line(0.5,0,0, 0.5 * cos(30 deg),0.5 * sin(30 deg),0) rotatez(i * 30 deg); end; end;
plate;
ball translatex(10);
)");

    const auto spheres = look.find(ElementKind::sphere);

    REQUIRE(spheres.size() == 2);
    CHECK(spheres[0]->radius < spheres[1]->radius);
    CHECK(spheres[1]->radius == doctest::Approx(0.5));
    CHECK(look.find(ElementKind::polygon).size() == 1);
    CHECK(look.find(ElementKind::curve).empty()); // the lines are the ball's
}

TEST_CASE("blocks stand on the pose of their object, with its scale")
{
    const Picture look("def block box_mass(2, 1, 2, 3); end; block scale(2) translatey(4);");

    const auto boxes = look.find(ElementKind::box);

    REQUIRE(boxes.size() == 1);
    CHECK(boxes[0]->size == Vec3{1, 2, 3});
    CHECK(is_near(apply(look.placed.poses.at(boxes[0]->first), {0.5, 0, 0}), {1, 4, 0}));
}

TEST_CASE("labels are dots and objects have axes")
{
    const Picture look("def tip label(); end; tip translatex(2) rotatez(90 deg);");

    const auto axes = look.find(ElementKind::curve, ElementRole::frame);

    REQUIRE(look.find(ElementKind::sphere, ElementRole::label).size() == 1);
    REQUIRE(axes.size() == 3);
    const Vec3 x = look.point(*axes[0], 1) - look.point(*axes[0], 0);
    CHECK(is_near(normalised(x), {0, 1, 0}, 1e-9));
}

TEST_CASE("scenes with nothing to see have an empty display and empty bounds")
{
    const Picture look("var r; r = 1;");

    CHECK(look.find(ElementKind::sphere).empty());
    CHECK(bounds_of(look.display, look.placed).is_empty());
    CHECK(look.display.unit > 0);
}

TEST_CASE("bounds hold everything with its thickness")
{
    const Picture look(kPendulum);

    const Bounds bounds = bounds_of(look.display, look.placed);

    const double radius = look.find(ElementKind::sphere).at(1)->radius;
    CHECK(bounds.low.y == doctest::Approx(-2 - radius));
    CHECK(bounds.high.y >= 0);
    CHECK(bounds.high.x >= look.find(ElementKind::sphere).at(0)->radius * (1 - 1e-9));
}

TEST_CASE("elements name objects that people know, never the frame of a transformed primitive")
{
    const Picture look("def plate mass(1); polygon(0,0,0, 1,0,0, 1,1,0) scale(0.5); end; plate;");

    const Element& polygon = *look.find(ElementKind::polygon).at(0);

    CHECK(look.scene.objects[polygon.object.index].name == "plate");
}

TEST_CASE("a second frame takes the place of the first")
{
    Picture look(kPendulum);
    look.placed.points.reserve(1000); // were the list made anew, it would have less room
    const std::size_t room = look.placed.points.capacity();
    Frame moved = look.frame;
    for (Affine& object : moved.objects)
        object.origin += Vec3{1, 0, 0};

    place_display(look.scene, look.display, moved, look.placed);

    CHECK(look.placed.points.capacity() == room);
    CHECK(is_near(look.point(*look.find(ElementKind::sphere).at(0)), {1, -1, 0}));
}

TEST_CASE("a strand is a tapered curve through its nodes, with a line where it is twisted to")
{
    const Picture look("def hair strand(line(0,0,0, 0,-1,0), segments = 4);"
                       "radius({4 cm at 0 along linear 2 cm at 1 along}); colour(0.2, 0.1, 0); end;"
                       "hair translatex(2);");

    const auto curves = look.find(ElementKind::curve);
    REQUIRE(curves.size() == 1);
    CHECK(curves[0]->count == 5);
    CHECK(curves[0]->radius == doctest::Approx(0.04));
    CHECK(is_near(curves[0]->colour, {0.2, 0.1, 0}));
    REQUIRE(curves[0]->radii == 0);
    CHECK(look.display.radii[2] == doctest::Approx(0.03));
    CHECK(is_near(look.point(*curves[0], 4), {2, -1, 0}));
    const auto stripes = look.find(ElementKind::curve, ElementRole::twist);
    REQUIRE(stripes.size() == 1);
    CHECK(is_near(look.point(*stripes[0], 4), {2.02, -1, 0})); // x of the section is x of the def
}

TEST_CASE("segments of strands have axes: y along, from their middles")
{
    const Picture look("def hair strand(line(0,0,0, 0,-1,0), segments = 2); end;"
                       "def other strand(line(0,0,0, 1,0,0), segments = 2); end;"
                       "hair; other translatex(2);");

    const auto axes = look.find(ElementKind::curve, ElementRole::frame);
    REQUIRE(axes.size() == 2 * 3 + 4 * 3);
    const Element& second = *axes[6 + 3 * 2 + 1]; // of the other's first segment: its y
    CHECK(is_near(look.point(second, 0), {2.25, 0, 0}));
    CHECK(look.point(second, 1).x > 2.27);
    CHECK(look.point(second, 1).y == doctest::Approx(0));
}

TEST_CASE("a hair is drawn as thin as can be seen, never thinner")
{
    const Picture look("def hair strand(line(0,0,0, 0,-1,0)); radius(0.04 mm); end; hair;");
    CHECK(look.display.radii[0] == doctest::Approx(0.002));
}

TEST_CASE("bars between rods have the colour of the rod, graphite where none is written")
{
    const std::string ropes = "def rope rod(line(0,0,0, 1,0,0), spans = 8); %s end;"
                              "a = rope; b = rope translatey(1);"
                              "dist_constraint(a at 0.5 along, b at 0.5 along, 1);";
    const auto bar_of = [&](const std::string& colour) {
        std::string script = ropes;
        script.replace(script.find("%s"), 2, colour);
        const Picture look(script);
        for (const Element* curve : look.find(ElementKind::curve))
            if (curve->count == 2)
                return curve->colour;
        return Vec3{-1, -1, -1};
    };

    CHECK(is_near(bar_of("colour(0.9, 0.1, 0.2);"), {0.9, 0.1, 0.2}));
    CHECK(is_near(bar_of(""), {0.27, 0.29, 0.33}));
}
