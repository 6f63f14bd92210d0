// Convex pieces of solids: they fill the solid, do not overlap, and do not stand out of it.

#include "geometry/convex_pieces.h"
#include "geometry/mass_properties.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

/// A prism over an outline in x, y, counter-clockwise, cut into the given triangles.
TriangleMesh prism(const std::vector<std::array<double, 2>>& outline,
                   const std::vector<std::array<std::uint32_t, 3>>& cover, double depth)
{
    TriangleMesh mesh;
    const auto n = std::uint32_t(outline.size());
    for (const double z : {0.0, depth})
        for (const auto& [x, y] : outline)
            mesh.vertices.push_back({x, y, z});
    for (const auto& [a, b, c] : cover) {
        mesh.triangles.push_back({a + n, b + n, c + n});
        mesh.triangles.push_back({a, c, b});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        mesh.triangles.push_back({i, j, j + n});
        mesh.triangles.push_back({i, j + n, i + n});
    }
    return mesh;
}

double volume_of(const std::vector<Hull>& pieces)
{
    double volume = 0;
    for (const Hull& piece : pieces)
        volume += mesh_mass(triangles_of(piece)).volume;
    return volume;
}

TriangleMesh shape_u()
{
    return prism({{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                 {{0, 5, 7}, {5, 6, 7}, {0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}}, 0.1);
}

} // namespace

TEST_CASE("a convex solid is one piece")
{
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const TriangleMesh mesh = triangles_of(*make_hull(corners));
    const auto pieces = make_convex_pieces(mesh, {});
    REQUIRE(pieces);
    CHECK(pieces->size() == 1);
    CHECK(volume_of(*pieces) == doctest::Approx(mesh_mass(mesh).volume));
}

TEST_CASE("flat letters come apart exactly, however thin")
{
    const TriangleMesh l = prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
                                 {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 0.05);
    const auto two = make_convex_pieces(l, {});
    REQUIRE(two);
    CHECK(two->size() == 2);
    CHECK(volume_of(*two) == doctest::Approx(mesh_mass(l).volume).epsilon(1e-9));
    const TriangleMesh u = shape_u();
    const auto three = make_convex_pieces(u, {});
    REQUIRE(three);
    CHECK(three->size() == 3);
    CHECK(volume_of(*three) == doctest::Approx(mesh_mass(u).volume).epsilon(1e-9));
}

TEST_CASE("pieces do not depend on where the solid is, and tolerance saves pieces")
{
    TriangleMesh u = shape_u();
    const Quat turn = exp_quat(Vec3{0.3, -1.1, 0.7});
    for (Vec3& vertex : u.vertices)
        vertex = rotate(turn, vertex) + Vec3{5, -3, 2};
    const auto exact = make_convex_pieces(u, {});
    REQUIRE(exact);
    CHECK(volume_of(*exact) == doctest::Approx(mesh_mass(u).volume).epsilon(1e-7));
    CHECK(exact->size() <= 4);
    const auto rough = make_convex_pieces(u, {.tolerance = 10});
    REQUIRE(rough);
    CHECK(rough->size() == 1);
    const auto few = make_convex_pieces(u, {.most = 2});
    REQUIRE(few);
    CHECK(few->size() == 2);
    CHECK(volume_of(*few) >= mesh_mass(u).volume - 1e-9);
}

TEST_CASE("what is no solid is told")
{
    TriangleMesh flat;
    flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    flat.triangles = {{0, 1, 2}};
    CHECK(!make_convex_pieces(flat, {}));
    CHECK(!make_convex_pieces({}, {}));
}
