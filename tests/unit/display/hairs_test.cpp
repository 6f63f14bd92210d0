#include "sinew/display.h"
#include "sinew/world.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

/// A row of strands in front of a ball, which hairs between them would pass through.
const char* const kRow = R"(
def lock
  strand(line(0,0,0, 0,-0.4,0), segments = 8);
end;
def skull obstacle(); sphere(0.1); end;
def head
  skull translatey(-0.2);
  for i in 0..5
    lock translate(0.12 * cos(i * 72 deg), 0, 0.12 * sin(i * 72 deg));
  end;
end;
head;
)";

constexpr Children kWild = {.count = 50, .clump = 0, .frizz = 0.2, .taper = 0.8, .ragged = 0.3};

struct Shown {
    Scene scene;
    Display display;
    DisplayFrame frame;
    HairCurves hairs;
};

Shown show(const std::string& text, const Children& how, double until = 0)
{
    Shown shown{.scene = test::sound_scene(text), .display = {}, .frame = {}, .hairs = {}};
    World world = *World::create(shown.scene);
    shown.display = make_display(shown.scene, world.frame());
    add_hairs(shown.scene, world.frame(), how, shown.display);
    if (until > 0)
        world.advance(until);
    place_display(shown.scene, shown.display, world.frame(), shown.frame);
    place_hairs(shown.display, shown.frame, shown.hairs);
    return shown;
}

} // namespace

TEST_CASE("every strand has as many hairs as are asked for, in one group for one head")
{
    const Shown shown = show(kRow, kWild);

    REQUIRE(shown.display.hair_groups.size() == 1);
    CHECK(shown.display.hair_groups[0].hairs.size() == 6 * 50);
    CHECK(shown.hairs.groups.size() == 6 * 50);
    REQUIRE(shown.hairs.starts.size() == 6 * 50 + 1);
    CHECK(shown.hairs.starts.back() == shown.hairs.points.size());
    CHECK(std::ranges::count_if(shown.display.elements, &Element::is_guide) == 6);
}

TEST_CASE("hairs stay out of obstacles, and some lie between strands")
{
    const Shown shown = show(kRow, kWild, 0.1);

    const Vec3 centre{0, -0.2, 0};
    double nearest = 1;
    std::size_t between = 0;
    for (std::size_t i = 0; i < shown.hairs.groups.size(); ++i) {
        const Vec3 root = shown.hairs.points[shown.hairs.starts[i]];
        double to_strand = 1;
        for (const Element& element : shown.display.elements)
            if (element.is_guide)
                to_strand = std::min(to_strand, length(root - shown.frame.points[element.first]));
        between += to_strand > 0.02 ? 1 : 0;
    }
    for (const Vec3& x : shown.hairs.points)
        nearest = std::min(nearest, length(x - centre));
    CHECK(nearest > 0.1);
    CHECK(between > 50);
}

TEST_CASE("clumped hairs meet their strand at the tip; hairs get thinner as they taper")
{
    const Shown shown =
        show("def lock strand(line(0,0,0, 0,-1,0), segments = 10); end; lock;",
             {.count = 30, .clump = 1, .frizz = 0, .taper = 0.5, .ragged = 0, .spread = 0.1});

    const HairCurves& hairs = shown.hairs;
    double widest = 0;
    for (std::size_t i = 0; i < hairs.groups.size(); ++i) {
        const Vec3 root = hairs.points[hairs.starts[i]],
                   tip = hairs.points[hairs.starts[i + 1] - 1];
        widest = std::max(widest, length(root));
        CHECK(length(tip - Vec3{0, -1, 0}) < 1e-6);
        CHECK(hairs.radii[hairs.starts[i + 1] - 1] ==
              doctest::Approx(0.5 * hairs.radii[hairs.starts[i]]));
    }
    CHECK(widest > 0.05);
    CHECK(widest <= 0.1 + 1e-9);
}

TEST_CASE("hairs stay out of a mesh whose distances are known on a grid")
{
    // A tetrahedron around the strand's lower half.
    Display display;
    display.meshes = {{.vertices = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 1, 0}},
                       .triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}}};
    Element mesh;
    mesh.kind = ElementKind::mesh;
    mesh.mesh = 0;
    mesh.size = {2, 2, 2};
    mesh.is_obstacle = true;
    Element guide;
    guide.kind = ElementKind::curve;
    guide.count = 5;
    guide.is_guide = true;
    display.elements = {mesh, guide};
    HairGroup group;
    group.radius = 0.001;
    Hair hair;
    hair.guides.fill(1);
    hair.weights = {1, 0, 0};
    group.hairs = {hair};
    display.hair_groups = {group};
    DisplayFrame frame;
    frame.poses = {Affine{}};
    for (int k = 0; k < 5; ++k) // just below the face that looks to −z and up
        frame.points.push_back({0.05 * k, 0.3, -0.69});

    HairCurves hairs;
    place_hairs(display, frame, hairs);

    const Vec3 normal =
        normalised(cross(Vec3{0, 1, 0} - Vec3{-1, 0, -1}, Vec3{1, 0, -1} - Vec3{-1, 0, -1}));
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
        CHECK(dot(frame.points[i] - Vec3{0, 1, 0}, normal) < 0);
        CHECK(dot(hairs.points[i] - Vec3{0, 1, 0}, normal) > -1e-6);
    }
}

TEST_CASE("a script's own hairs: one group for each kind of one head, none about other strands")
{
    const Scene scene = test::sound_scene(R"(
def lock strand(line(0,0,0, 0,-0.4,0), segments = 8); children(20); colour(1, 0, 0); end;
def fluff strand(line(0,0,0, 0,-0.1,0), segments = 4); children(5, clump = 0.9); end;
def bare strand(line(0,0,0, 0,-0.1,0), segments = 4); end;
for i in 0..4 lock translatex(0.1 * i); fluff translate(0.1 * i, 0, 0.1); end;
bare translatex(2);
)");
    const World world = *World::create(scene);
    Display display = make_display(scene, world.frame());

    REQUIRE(display.hair_groups.size() == 2);
    CHECK(display.hair_groups[0].hairs.size() == 5 * 20);
    CHECK(display.hair_groups[0].colour == Vec3{1, 0, 0});
    CHECK(display.hair_groups[1].hairs.size() == 5 * 5);
    CHECK(display.hair_groups[1].how.clump == 0.9);
    CHECK(std::ranges::count_if(display.elements, &Element::is_guide) == 10);

    add_hairs(scene, world.frame(), {.count = 3}, display); // about all strands, instead
    std::size_t count = 0;
    for (const HairGroup& group : display.hair_groups)
        count += group.hairs.size();
    CHECK(count == 11 * 3);
}
