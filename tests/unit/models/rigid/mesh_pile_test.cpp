// Bodies on meshes: rest, roll and slide as on the plane that the mesh is.

#include "geometry/mass_properties.h"
#include "geometry/mesh.h"
#include "models/rigid/pile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace sinew;

namespace {

constexpr double kStep = 0.01;

std::shared_ptr<const CollisionShape> share(CollisionShape shape)
{
    return std::make_shared<const CollisionShape>(std::move(shape));
}

std::vector<double> hills(std::size_t columns, double height)
{
    std::vector<double> heights(columns * columns);
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = height * std::sin(double(i % columns)) * std::cos(double(i / columns));
    return heights;
}

struct MeshPile {
    Pile pile;
    std::vector<BodyState> start;

    explicit MeshPile(CollisionShape ground) { add(std::move(ground), {}, {0, 0, 0}); }

    std::size_t add(CollisionShape shape, const MassProperties& solid, const Vec3& x, Quat q = {})
    {
        const auto body = std::uint32_t(pile.bodies.size());
        Body made;
        made.mass = 1000 * solid.volume;
        made.inertia = {1000 * solid.inertia(0, 0), 1000 * solid.inertia(1, 1),
                        1000 * solid.inertia(2, 2)};
        made.first_shape = body;
        made.shape_count = 1;
        pile.bodies.push_back(made);
        pile.shapes.push_back(
            {.shape = share(std::move(shape)), .place = {Quat{}, -solid.centre}, .body = body});
        start.push_back({.x = x + rotate(q, solid.centre), .q = q});
        return body;
    }

    PileState run(int steps, PileReport& report)
    {
        PileState state = make_pile_state(pile, start);
        const auto work = make_pile_work();
        for (int i = 0; i < steps; ++i)
            report = step_pile(pile, {}, kStep, state, *work);
        return state;
    }
};

} // namespace

TEST_CASE("boxes, cylinders and cones come to rest on a flat field of triangles")
{
    MeshPile scene(make_height_field(hills(30, 0), 30, 0.3));
    scene.add(make_box({0.5, 0.4, 0.6}), box_mass({0.5, 0.4, 0.6}), {0.13, 0.2, 0.21});
    scene.add(make_cylinder(0.3, 0.5), cylinder_mass(0.3, 0.5), {1.5, 0.25, 0.3});
    scene.add(make_cone(0.3, 0.6), cone_mass(0.3, 0.6), {-1.5, 0.3, 0.3});
    scene.add(make_box({0.5, 0.4, 0.6}), box_mass({0.5, 0.4, 0.6}), {0.13, 0.6, 0.21});
    PileReport report;
    const PileState state = scene.run(300, report);
    for (std::size_t b = 1; b < state.bodies.size(); ++b) {
        CHECK(length(state.bodies[b].v) < 1e-3);
        CHECK(length(state.bodies[b].x - scene.start[b].x) < 2e-3);
    }
    CHECK(report.overlap < 2e-4);
}

TEST_CASE("a box slides over many triangles as over one plane")
{
    double way[2];
    for (const bool is_plane : {false, true}) {
        MeshPile scene(is_plane ? make_plane() : make_height_field(hills(60, 0), 60, 0.17));
        const std::size_t box =
            scene.add(make_box({0.5, 0.4, 0.6}), box_mass({0.5, 0.4, 0.6}), {-2, 0.2, 0.1});
        scene.start[box].v = {4, 0, 0.5};
        PileReport report;
        const PileState state = scene.run(300, report);
        way[is_plane] = state.bodies[box].x.x + 2;
        CHECK(std::abs(state.bodies[box].x.y - 0.2) < 1e-3);
    }
    CHECK(way[0] == doctest::Approx(way[1]).epsilon(0.01));
}

TEST_CASE("a cylinder rolls over many triangles without a bump")
{
    MeshPile scene(make_height_field(hills(60, 0), 60, 0.17));
    const std::size_t can = scene.add(make_cylinder(0.2, 0.5), cylinder_mass(0.2, 0.5),
                                      {-3, 0.2, 0.1}, rotation_about(Vec3{1, 0, 0}, M_PI / 2));
    scene.start[can].v = {2, 0, 0};
    scene.start[can].w = {0, 0, -10};
    PileReport report;
    const PileState state = scene.run(200, report);
    CHECK(state.bodies[can].x.x == doctest::Approx(1).epsilon(0.02));
    CHECK(std::abs(state.bodies[can].x.y - 0.2) < 5e-4);
    CHECK(length(state.bodies[can].v - Vec3{2, 0, 0}) < 0.03);
}

TEST_CASE("things thrown on hills stay on top of them")
{
    MeshPile scene(make_height_field(hills(40, 0.15), 40, 0.3));
    for (int i = 0; i < 40; ++i) {
        const Vec3 x{0.6 * (i % 6) - 1.5, 1 + 0.5 * (i / 6), 0.6 * (i % 5) - 1.2};
        switch (i % 5) {
        case 0: scene.add(make_sphere(0.2), sphere_mass(0.2), x); break;
        case 1: scene.add(make_box({0.3, 0.4, 0.3}), box_mass({0.3, 0.4, 0.3}), x); break;
        case 2: scene.add(make_cylinder(0.2, 0.4), cylinder_mass(0.2, 0.4), x); break;
        case 3: scene.add(make_cone(0.2, 0.4), cone_mass(0.2, 0.4), x); break;
        default: scene.add(make_capsule(0.15, 0.3), capsule_mass(0.15, 0.3), x);
        }
    }
    PileReport report;
    const PileState state = scene.run(400, report);
    for (std::size_t b = 1; b < state.bodies.size(); ++b) {
        REQUIRE(is_finite(state.bodies[b].x));
        if (std::abs(state.bodies[b].x.x) < 5 && std::abs(state.bodies[b].x.z) < 5)
            CHECK(state.bodies[b].x.y > -0.15);
    }
    MESSAGE("overlap ", report.overlap);
    CHECK(report.overlap < 5e-3);
}

TEST_CASE("cows pile up, legs in each other's gaps, without sinking in")
{
    std::ifstream file(SINEW_ROOT "/examples/meshes/cow.obj");
    std::stringstream text;
    text << file.rdbuf();
    const Result<TriangleMesh> cow = read_mesh("cow.obj", text.str());
    REQUIRE(cow);
    CHECK(check_solid(*cow, "cow.obj").empty());
    CHECK(cow->triangles.size() <= 600);
    const MassProperties solid = mesh_mass(*cow);
    CHECK(length(solid.centre) < 1e-4);
    const PrincipalAxes axes = principal_axes(solid.inertia);
    const auto pieces = make_moving_mesh(*cow, 0.005);
    REQUIRE(pieces);
    CHECK(pieces->size() < 20);

    MeshPile scene(make_plane());
    for (int i = 0; i < 12; ++i) {
        const auto body = std::uint32_t(scene.pile.bodies.size());
        const Pose in_body = inverse(Pose{axes.rotation, solid.centre});
        scene.pile.bodies.push_back({300, axes.moments * (300 / solid.volume),
                                     std::uint32_t(scene.pile.shapes.size()),
                                     std::uint32_t(pieces->size())});
        for (const CollisionShape& piece : *pieces)
            scene.pile.shapes.push_back({.shape = share(piece), .place = in_body, .body = body});
        scene.start.push_back({.x = {0.4 * (i % 3), 0.8 + 1.1 * i, 0.3 * (i % 2)},
                               .q = exp_quat(Vec3{0.5 * i, 0.7 * i, 0.1 * i}) * axes.rotation});
    }
    PileReport report;
    const PileState state = scene.run(700, report);
    double fastest = 0;
    for (std::size_t b = 1; b < state.bodies.size(); ++b) {
        REQUIRE(is_finite(state.bodies[b].x));
        CHECK(state.bodies[b].x.y > 0.1);
        fastest = std::max(fastest, length(state.bodies[b].v));
    }
    MESSAGE("overlap ", report.overlap, ", fastest ", fastest);
    CHECK(report.overlap < 2e-3);
    CHECK(fastest < 0.05);
}
