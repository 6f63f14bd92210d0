#include "sinew/render.h"

#include "math/functions.h"
#include "render/shapes.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSize = 200;

/// Seen from so far that a metre is as good as parallel: the picture is 4 m wide.
Camera far_camera()
{
    constexpr double kAway = 400, kHalf = 2;
    return {
        .position = {0, 0, kAway}, .target = {0, 0, 0}, .field_of_view = 2 * atan(kHalf / kAway)};
}

/// The area that an element covers [m²], by the objects of the picture.
double covered_area(const Element& element, DisplayFrame frame,
                    std::vector<DisplayMesh> meshes = {})
{
    Display display;
    display.unit = 0.04;
    display.elements = {element};
    display.elements[0].object = ObjectId{1};
    display.meshes = std::move(meshes);
    RenderOptions options;
    options.width = options.height = kSize;
    options.camera = far_camera();
    options.samples = 1;
    const Image image = render(display, frame, options);
    const auto count = std::count(image.objects.begin(), image.objects.end(), 1u);
    return double(count) * 16 / (kSize * kSize);
}

Element make_element(ElementKind kind, double radius, Vec3 size = {0, 0, 0})
{
    Element element;
    element.kind = kind;
    element.radius = radius;
    element.size = size;
    return element;
}

DisplayFrame on_points(std::vector<Vec3> points)
{
    return {.time = 0, .points = std::move(points), .poses = {}};
}

DisplayFrame on_pose(const Affine& pose = {}) { return {.time = 0, .points = {}, .poses = {pose}}; }

/// Half a pixel along the rim of what is measured.
constexpr double kNear = 0.02;

} // namespace

TEST_CASE("a sphere covers its disc")
{
    const double area =
        covered_area(make_element(ElementKind::sphere, 0.8), on_points({{0.1, 0, 0}}));

    CHECK(area == doctest::Approx(kPi * 0.64).epsilon(kNear));
}

TEST_CASE("a round line covers its length and its caps")
{
    Element line = make_element(ElementKind::curve, 0.2);
    line.count = 3;
    Element closed = line;
    closed.is_closed = true;

    const DisplayFrame corner = on_points({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}});
    const double open_area = covered_area(line, corner), closed_area = covered_area(closed, corner);

    // Two legs of 2 m, a cap at either end, and at the bend a quarter disc outside where the legs
    // overlap by a square inside.
    const double legs = 2 * 2 * 0.4 + kPi * 0.04 - 0.04 + kPi * 0.01;
    CHECK(open_area == doctest::Approx(legs).epsilon(kNear));
    CHECK(closed_area > open_area + 0.8);
}

TEST_CASE("a box covers its face, and turned by 45 degrees its diagonal")
{
    const Element box = make_element(ElementKind::box, 0, {1, 2, 0.5});
    Affine turned;
    turned.linear = rotation_matrix(rotation_about(Vec3{0, 1, 0}, kPi / 4));

    CHECK(covered_area(box, on_pose()) == doctest::Approx(2).epsilon(kNear));
    CHECK(covered_area(box, on_pose(turned)) == doctest::Approx(3 / sqrt(2.0)).epsilon(kNear));
}

TEST_CASE("a pose that scales scales the thing")
{
    Affine wide;
    wide.linear = Mat3::diagonal({3, 1, 1});

    CHECK(covered_area(make_element(ElementKind::box, 0, {1, 1, 1}), on_pose(wide)) ==
          doctest::Approx(3).epsilon(kNear));
}

TEST_CASE("capsule, cylinder and cone cover their outlines from the side")
{
    const double r = 0.5, h = 1.6;

    CHECK(covered_area(make_element(ElementKind::capsule, r, {0, h, 0}), on_pose()) ==
          doctest::Approx(2 * r * h + kPi * r * r).epsilon(kNear));
    CHECK(covered_area(make_element(ElementKind::cylinder, r, {0, h, 0}), on_pose()) ==
          doctest::Approx(2 * r * h).epsilon(kNear));
    CHECK(covered_area(make_element(ElementKind::cone, r, {0, h, 0}), on_pose()) ==
          doctest::Approx(r * h).epsilon(kNear));
}

TEST_CASE("cylinder and cone cover a disc from above")
{
    Affine lying; // y towards the camera
    lying.linear = rotation_matrix(rotation_about(Vec3{1, 0, 0}, kPi / 2));

    for (const ElementKind kind : {ElementKind::cylinder, ElementKind::cone})
        CHECK(covered_area(make_element(kind, 0.7, {0, 1, 0}), on_pose(lying)) ==
              doctest::Approx(kPi * 0.49).epsilon(kNear));
}

TEST_CASE("a mesh covers its triangles")
{
    Element hull = make_element(ElementKind::mesh, 0);
    hull.mesh = 0;
    const DisplayMesh tetrahedron{.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, -0.3, 1}},
                                  .triangles = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

    CHECK(covered_area(hull, on_pose(), {tetrahedron}) == doctest::Approx(2).epsilon(kNear));
}

TEST_CASE("a polygon is filled, also one with a bay, whichever way round")
{
    Element polygon = make_element(ElementKind::polygon, 0.01);
    polygon.count = 6;
    std::vector<Vec3> outline = {{-1, -1, 0}, {1, -1, 0},  {1, 1, 0},
                                 {0.5, 1, 0}, {0.5, 0, 0}, {-1, 0, 0}};

    CHECK(covered_area(polygon, on_points(outline)) == doctest::Approx(2.5).epsilon(kNear));
    std::reverse(outline.begin(), outline.end());
    CHECK(covered_area(polygon, on_points(outline)) == doctest::Approx(2.5).epsilon(kNear));
}

TEST_CASE("cutting ears keeps the area of any outline that does not cross itself")
{
    // A star of changing reach: many bays.
    std::vector<Vec3> star;
    for (int i = 0; i < 40; ++i) {
        const double angle = 2 * kPi * i / 40, reach = i % 2 == 0 ? 1 : 0.3 + 0.01 * i;
        star.push_back({reach * cos(angle), reach * sin(angle), 0});
    }
    double area = 0, pieces = 0;
    for (std::size_t i = 0; i < star.size(); ++i)
        area += cross(star[i], star[(i + 1) % star.size()]).z / 2;

    for (const auto& [a, b, c] : picture::cut_ears(star, {0, 0, 1}))
        pieces += length(cross(star[b] - star[a], star[c] - star[a])) / 2;

    CHECK(pieces == doctest::Approx(area));
}

TEST_CASE("a coil covers more than its wire and less than its hull, and ends where it should")
{
    Element spring = make_element(ElementKind::spring, 0.3);
    spring.count = 2;
    spring.turns = 6;
    const double area = covered_area(spring, on_points({{-1.5, 0, 0}, {1.5, 0, 0}}));

    const double hull = 3 * 2 * (0.3 + 0.05);
    CHECK(area > 0.15 * hull);
    CHECK(area < 0.9 * hull);
    const std::vector<Vec3> points = picture::make_coil({-1.5, 0, 0}, {1.5, 0, 0}, 0.3, 6);
    CHECK(points.front() == Vec3{-1.5, 0, 0});
    CHECK(points.back() == Vec3{1.5, 0, 0});
    for (const Vec3& x : points)
        CHECK(std::hypot(x.y, x.z) <= 0.3 + 1e-9);
}

TEST_CASE("a plane fills the picture below the horizon")
{
    Element ground = make_element(ElementKind::plane, 0);
    ground.object = ObjectId{1};
    Display display;
    display.elements = {ground};
    RenderOptions options;
    options.width = options.height = 50;
    options.samples = 1;
    options.camera = {.position = {0, 1, 0}, .target = {0, 1, -1}, .field_of_view = 1};

    const Image image = render(display, on_pose(), options);

    CHECK(std::count(image.objects.begin(), image.objects.end(), 1u) == 50 * 25);
    CHECK(image.objects.back() == 1u);
    CHECK(image.objects.front() == Image::kNothing);
}

TEST_CASE("things of no extent, and those that are not finite, are left out without harm")
{
    const double nan = std::nan("");
    Element line = make_element(ElementKind::curve, 0.1);
    line.count = 2;
    Element spring = make_element(ElementKind::spring, 0.1);
    spring.count = 2;
    spring.turns = 3;
    Element polygon = make_element(ElementKind::polygon, 0);
    polygon.count = 3;
    const Element box = make_element(ElementKind::box, 0, {0, 0, 0});
    const Element sphere = make_element(ElementKind::sphere, 1);

    CHECK(covered_area(line, on_points({{0, 0, 0}, {0, 0, 0}})) > 0); // a dot
    CHECK(covered_area(spring, on_points({{0, 0, 0}, {0, 0, 0}})) == 0);
    CHECK(covered_area(polygon, on_points({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}})) == 0);
    CHECK(covered_area(box, on_pose()) == 0);
    CHECK(covered_area(sphere, on_points({{nan, 0, 0}})) == 0);
    CHECK(covered_area(line, on_points({{0, 0, 0}, {nan, 0, 0}})) == 0);
}

TEST_CASE("arrows and trails are drawn, and a caption leaves ink")
{
    Display display;
    display.unit = 0.04;
    RenderOptions options;
    options.width = options.height = 100;
    options.samples = 1;
    options.camera = far_camera();
    const Image empty = render(display, {}, options);
    const auto difference = [&](const RenderOptions& with) {
        const Image image = render(display, {}, with);
        std::size_t count = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            count += std::equal(&image.rgba[i], &image.rgba[i] + 4, &empty.rgba[i]) ? 0 : 1;
        return count;
    };

    RenderOptions arrows = options, trails = options, captions = options;
    arrows.arrows = {{.from = {0, 0, 0}, .to = {1, 1, 0}, .colour = {1, 0, 0}}};
    trails.trails = {
        {.points = {{-1, 0, 0}, {0, 0.5, 0}, {1, 0, 0}}, .colour = {0, 0, 1}, .radius = 0.1}};
    captions.captions = {{.place = {0, 0, 0}, .text = "q\xc3\xbc \xff"}};

    CHECK(difference(arrows) > 25);
    CHECK(difference(trails) > 50);
    CHECK(difference(captions) > 20);
}

TEST_CASE("the framing camera has all of a box in view, and fills the picture with it")
{
    for (const double aspect : {16.0 / 9, 1.0, 0.5})
        for (const Bounds& box : {Bounds{{-1, -1, 0}, {1, 1, 0}}, Bounds{{5, 0, 0}, {25, 1, 3}},
                                  Bounds{{-1e-3, 2, -1e-3}, {1e-3, 2.1, 1e-3}}}) {
            const Camera camera = make_camera(box, aspect);
            const Vec3 forward = normalised(camera.target - camera.position);
            const Vec3 right = normalised(cross(forward, Vec3{0, 1, 0})),
                       up = cross(right, forward);
            double most = 0, low[2] = {1, 1}, high[2] = {-1, -1};
            for (unsigned i = 0; i < 8; ++i) {
                const Vec3 corner{i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                                  i & 4 ? box.high.z : box.low.z};
                const Vec3 x = corner - camera.position;
                const double half = tan(camera.field_of_view / 2) * dot(x, forward);
                const double across[] = {dot(x, right) / half / aspect, dot(x, up) / half};
                for (int k = 0; k < 2; ++k) {
                    low[k] = std::min(low[k], across[k]);
                    high[k] = std::max(high[k], across[k]);
                    most = std::max(most, std::abs(across[k]));
                }
            }
            CHECK(most < 0.95);
            CHECK(most > 0.6);
            const int wide = high[0] - low[0] > high[1] - low[1] ? 0 : 1;
            CHECK(std::abs(high[wide] + low[wide]) < 0.01); // in the middle
        }
}
