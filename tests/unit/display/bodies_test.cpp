#include "sinew/display.h"

#include "scene/kinematics.h"
#include "scene/placement.h"
#include "sinew/world.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

struct Picture {
    Scene scene;
    Frame frame;
    Display display;
    DisplayFrame placed;

    explicit Picture(const std::string& text, const Files& files = {})
        : scene(sound_scene(text, files)), frame(first_frame(scene)),
          display(make_display(scene, frame))
    {
        place_display(scene, display, frame, placed);
    }

    static Frame first_frame(const Scene& scene)
    {
        ObjectId faulty;
        return make_frame(scene, order_of_frames(scene, faulty), {});
    }

    std::vector<const Element*> find(ElementKind kind) const
    {
        std::vector<const Element*> found;
        for (const Element& element : display.elements)
            if (element.kind == kind && element.role == ElementRole::thing)
                found.push_back(&element);
        return found;
    }
    const Affine& pose(const Element& element) const { return placed.poses[element.first]; }
};

} // namespace

TEST_CASE("every shape is an element with its sizes, on the frame it is written in")
{
    const Picture look("def all body(density = 1); sphere(1); box(1, 2, 3) translatex(5);"
                       "capsule(2, 3); cylinder(4, 5); cone(6, 7) rotatez(90 deg); end;"
                       "all translatey(9);");

    REQUIRE(look.find(ElementKind::sphere).size() == 1);
    CHECK(look.find(ElementKind::sphere)[0]->radius == 1);
    REQUIRE(look.find(ElementKind::box).size() == 1);
    const Element& box = *look.find(ElementKind::box)[0];
    CHECK(is_near(box.size, {1, 2, 3}));
    CHECK(is_near(look.pose(box).origin, {5, 9, 0}));
    CHECK(look.scene.objects[box.object.index].name == "all"); // what is selected
    CHECK(look.find(ElementKind::capsule)[0]->size.y == 3);
    CHECK(look.find(ElementKind::cylinder)[0]->radius == 4);
    const Element& cone = *look.find(ElementKind::cone)[0];
    CHECK(cone.size.y == 7);
    CHECK(is_near(look.pose(cone).linear.y, {-1, 0, 0}, 1e-12));
}

TEST_CASE("a plane stands on a pose whose y is its normal, through its nearest point")
{
    for (const std::string normal : {"0, 2, 0", "1, 0, 0", "-1, 2, -3"}) {
        const Picture look("def ground obstacle(); plane(" + normal +
                           ", 4); end;"
                           "ground translatex(1);");
        const Shape& shape = look.scene.shapes[0];

        REQUIRE(look.find(ElementKind::plane).size() == 1);
        const Affine& pose = look.pose(*look.find(ElementKind::plane)[0]);

        CHECK(is_near(pose.linear.y, shape.size));
        CHECK(is_near(pose.origin, shape.size * shape.offset + Vec3{1, 0, 0}));
        CHECK(is_near(cross(pose.linear.x, pose.linear.y), pose.linear.z));
        CHECK(length(pose.linear.x) == doctest::Approx(1));
    }
}

TEST_CASE("hulls and height fields are meshes, each stored once")
{
    const Picture look("def stone body(density = 1); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1); end;"
                       "stone; other = stone translatex(4);"
                       "def hills obstacle(); height_field(2, 1, 0,0, 0,1); end; hills;");

    const auto meshes = look.find(ElementKind::mesh);
    REQUIRE(meshes.size() == 3);
    CHECK(look.display.meshes.size() == 2);
    CHECK(meshes[0]->mesh == meshes[1]->mesh);
    CHECK(look.display.meshes[meshes[0]->mesh].triangles.size() == 4);
    CHECK(is_near(look.pose(*meshes[1]).origin, {4, 0, 0}));
    CHECK(is_near(meshes[2]->size, {1, 2, 1})); // around its origin
    const Bounds bounds = bounds_of(look.display, look.placed);
    CHECK(bounds.high.x == doctest::Approx(5));
}

TEST_CASE("bodies have colours of the palette in turn, obstacles are calm, colour is obeyed")
{
    const Picture look(
        "def ball body(density = 1); sphere(1); end;"
        "def red body(density = 1); sphere(1); colour(1, 0, 0); end;"
        "def wall obstacle(); box(1, 1, 1); end;"
        "for i in 1..2 b[i] = ball translatex(3 * i); end; red; wall translatey(5);");

    const auto balls = look.find(ElementKind::sphere);
    REQUIRE(balls.size() == 3);
    CHECK(is_near(balls[0]->colour, palette_colour(0)));
    CHECK(is_near(balls[1]->colour, palette_colour(1)));
    CHECK(is_near(balls[2]->colour, {1, 0, 0}));
    const Vec3 calm = look.find(ElementKind::box)[0]->colour;
    CHECK(std::max({calm.x, calm.y, calm.z}) - std::min({calm.x, calm.y, calm.z}) < 0.1);
}

TEST_CASE("what moves decides the unit, not the ground it stands on")
{
    const Picture look("def ball body(density = 1); sphere(0.5); end; ball;"
                       "def table obstacle(); box(1000, 1, 1000); end; table translatey(-5);");

    CHECK(look.display.unit == doctest::Approx(0.01 * length(Vec3{1, 1, 1})));
}

TEST_CASE("a distance between bodies is a rope from end to end")
{
    const Picture look(
        "def ball body(density = 1); sphere(0.5); tip = label() translatey(0.5); end;"
        "ball; dist_joint(ball.tip, hook, 2); def hook label(); end;"
        "hook translatey(2.5);");

    const auto ropes = look.find(ElementKind::curve);
    REQUIRE(ropes.size() == 1);
    CHECK(is_near(look.placed.points[ropes[0]->first], {0, 0.5, 0}));
    CHECK(is_near(look.placed.points[ropes[0]->first + 1], {0, 2.5, 0}));
}

TEST_CASE("layers colour the shapes of free bodies and leave the ground as it is")
{
    Picture look("def floor obstacle(); box(9, 1, 9); end; floor;"
                 "def pair body(density = 1); box(1, 1, 1); sphere(1) translatex(2); end;"
                 "pair translatey(1); pair translatey(2); pair translatey(9);");
    const Vec3 ground = look.find(ElementKind::box)[0]->colour;
    CHECK(look.find(ElementKind::box)[1]->body == look.find(ElementKind::sphere)[0]->body);
    colour_layers(std::vector<int>{0, 1, 2, -1}, 2, look.display);
    const auto boxes = look.find(ElementKind::box), balls = look.find(ElementKind::sphere);
    CHECK(boxes[0]->colour == ground);
    CHECK(boxes[1]->colour == layer_colour(1, 2));
    CHECK(boxes[2]->colour == layer_colour(2, 2));
    CHECK(boxes[3]->colour == layer_colour(-1, 2));
    CHECK(balls[1]->colour == boxes[2]->colour);
}

TEST_CASE("layers become lighter upwards in even steps, and beyond the top stay the top")
{
    const auto luma = [](const Vec3& c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; };
    for (int layer = 2; layer <= 17; ++layer) {
        const double step = luma(layer_colour(layer, 17)) - luma(layer_colour(layer - 1, 17));
        CHECK(step > 0.025);
        CHECK(step < 0.085);
    }
    CHECK(layer_colour(99, 17) == layer_colour(17, 17));
    CHECK(layer_colour(1, 1) == layer_colour(1, 17));
}

TEST_CASE("a look is that of the nearest object around; a colour wins over that of a material")
{
    const Scene scene = test::sound_scene(R"(
def ball body(density = 9); sphere(0.1); end;
def red body(density = 9); sphere(0.1); colour(1, 0, 0); end;
def dull body(density = 9); sphere(0.1); look(0.9); end;
def box_of_things look(brass); ball; red translatex(1); dull translatex(2); end;
box_of_things;
ball translatex(3);
)");
    const World world = *World::create(scene);
    const Display display = make_display(scene, world.frame());
    std::vector<Element> balls;
    for (const Element& element : display.elements)
        if (element.role == ElementRole::thing)
            balls.push_back(element);
    REQUIRE(balls.size() == 4);
    CHECK(balls[0].look.metal == 1);
    CHECK(balls[1].look.metal == 1);
    CHECK(balls[1].colour == Vec3{1, 0, 0});
    CHECK(balls[0].colour != balls[1].colour);
    CHECK(balls[2].look.roughness == 0.9);
    CHECK(balls[2].look.metal == 0);
    CHECK(balls[2].colour == balls[0].colour); // brass gave a colour, its own look none
    CHECK(balls[3].look == Look{.roughness = 0.34});
}
