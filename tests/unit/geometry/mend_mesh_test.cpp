#include "geometry/mend_mesh.h"

#include "geometry/mass_properties.h"
#include "geometry/mesh.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

/// A cube of edge 1 whose sides are n × n squares of two triangles each.
TriangleMesh make_cube(std::uint32_t n)
{
    TriangleMesh mesh;
    for (int side = 0; side < 6; ++side) {
        const auto first = std::uint32_t(mesh.vertices.size());
        const std::size_t axis = std::size_t(side) / 2;
        const bool is_far = side % 2 == 1;
        for (std::uint32_t i = 0; i <= n; ++i)
            for (std::uint32_t j = 0; j <= n; ++j) {
                std::array<double, 3> x;
                x[axis] = is_far;
                x[(axis + 1) % 3] = double(i) / n;
                x[(axis + 2) % 3] = double(j) / n;
                mesh.vertices.push_back({x[0], x[1], x[2]});
            }
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j) {
                const std::uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
                mesh.triangles.push_back({a, b, b + 1});
                mesh.triangles.push_back({a, b + 1, a + 1});
                if (!is_far)
                    for (std::size_t k = 1; k <= 2; ++k)
                        std::swap(mesh.triangles[mesh.triangles.size() - k][1],
                                  mesh.triangles[mesh.triangles.size() - k][2]);
            }
    }
    weld(mesh);
    return mesh;
}

} // namespace

TEST_CASE("what is right is left as it is")
{
    TriangleMesh cube = make_cube(4);
    REQUIRE(check_solid(cube, "").empty());
    const TriangleMesh before = cube;
    const Mending done = mend(cube);
    CHECK(done.triangles + done.holes == 0);
    CHECK(cube == before);
    CHECK(mesh_mass(cube).volume == doctest::Approx(1));
}

TEST_CASE("small holes are closed, flat ones without a change of volume")
{
    TriangleMesh cube = make_cube(8);
    cube.triangles.erase(cube.triangles.begin() + 70, cube.triangles.begin() + 72);
    cube.triangles.erase(cube.triangles.begin() + 20);
    REQUIRE(!check_solid(cube, "").empty());
    CHECK(mend(cube).holes == 2);
    CHECK(check_solid(cube, "").empty());
    CHECK(mesh_mass(cube).volume == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("a side that is missing is no small hole")
{
    TriangleMesh cube = make_cube(4);
    cube.triangles.resize(cube.triangles.size() - 32);
    CHECK(mend(cube).holes == 0);
    CHECK(!check_solid(cube, "").empty());
}

TEST_CASE("a triangle without area goes, and its neighbour is cut at its corner")
{
    TriangleMesh cube = make_cube(1);
    // A corner in the middle of an edge that only one of its triangles knows.
    const auto [a, b, c] = cube.triangles[0];
    const auto middle = std::uint32_t(cube.vertices.size());
    cube.vertices.push_back((cube.vertices[a] + cube.vertices[b]) * 0.5);
    cube.triangles[0] = {a, middle, c};
    cube.triangles.push_back({middle, b, c});
    cube.triangles.push_back({a, b, middle});
    REQUIRE(!check_solid(cube, "").empty());
    CHECK(mend(cube).triangles == 1);
    CHECK(check_solid(cube, "").empty());
    CHECK(mesh_mass(cube).volume == doctest::Approx(1).epsilon(1e-12));
}
