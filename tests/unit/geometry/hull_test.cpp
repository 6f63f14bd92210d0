// Hulls: every point inside, faces whole and flat, Euler's formula, also on degenerate points.

#include "geometry/hull.h"

#include "geometry/mass_properties.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sinew;

namespace {

void check_sound(const Hull& hull, std::span<const Vec3> points, double tolerance = 1e-9)
{
    double size = 0;
    for (const Vec3& x : points)
        size = std::max(size, length(x));
    for (const Hull::Face& face : hull.faces) {
        double highest = -INFINITY;
        for (const Vec3& x : points)
            highest = std::max(highest, dot(face.normal, x) - face.offset);
        CHECK(highest <= tolerance * size);
        CHECK(face.count >= 3);
        const std::span<const std::uint32_t> corners = hull.corners_of(face);
        for (std::size_t i = 0; i < corners.size(); ++i) { // turns left at every corner
            const Vec3 a = hull.vertices[corners[i]];
            const Vec3 b = hull.vertices[corners[(i + 1) % corners.size()]];
            const Vec3 c = hull.vertices[corners[(i + 2) % corners.size()]];
            CHECK(dot(face.normal, cross(b - a, c - b)) >= -tolerance * size * size);
            CHECK(std::abs(dot(face.normal, a) - face.offset) <= tolerance * size);
        }
    }
    CHECK(hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2); // Euler
    CHECK(2 * hull.edges.size() == hull.corners.size());
    for (const Hull::Edge& edge : hull.edges)
        CHECK(edge.left != edge.right);
}

Hull sound_hull(const std::vector<Vec3>& points)
{
    const Result<Hull> hull = make_hull(points);
    REQUIRE_MESSAGE(bool(hull), (hull.problems().empty() ? "" : hull.problems()[0].what));
    check_sound(*hull, points);
    return *hull;
}

std::vector<Vec3> grid(int n)
{
    std::vector<Vec3> points;
    for (int x = 0; x <= n; ++x)
        for (int y = 0; y <= n; ++y)
            for (int z = 0; z <= n; ++z)
                points.push_back({double(x), double(y), double(z)});
    return points;
}

} // namespace

TEST_CASE("a cube from a grid of points has six faces, twelve edges, eight corners")
{
    for (const int n : {1, 2, 5}) {
        const Hull hull = sound_hull(grid(n));
        CHECK(hull.faces.size() == 6);
        CHECK(hull.edges.size() == 12);
        CHECK(hull.vertices.size() == 8);
        CHECK(mesh_mass(triangles_of(hull)).volume == doctest::Approx(n * n * n));
    }
}

TEST_CASE("random points, on balls, in boxes, nearly flat, doubled")
{
    std::mt19937 dice(7);
    std::normal_distribution<double> bell;
    for (int round = 0; round < 60; ++round) {
        std::vector<Vec3> points;
        const int count = 4 + round * 5;
        for (int i = 0; i < count; ++i) {
            Vec3 x{bell(dice), bell(dice), bell(dice)};
            if (round % 4 == 0)
                x = normalised(x);
            if (round % 4 == 1)
                x = {std::floor(2 * x.x), std::floor(2 * x.y), std::floor(2 * x.z)};
            if (round % 4 == 2)
                x.y *= 1e-5;
            points.push_back(x + Vec3{100, 0, -30} * double(round % 3));
            if (round % 5 == 0)
                points.push_back(points.back());
        }
        if (const Result<Hull> hull = make_hull(points))
            check_sound(*hull, points);
        else
            CHECK(round % 4 == 1); // few whole numbers may lie in a plane
    }
}

TEST_CASE("prisms keep whole faces at any size")
{
    for (const double size : {1e-3, 1.0, 1e3}) {
        std::vector<Vec3> points;
        for (int k = 0; k < 24; ++k)
            for (const double y : {-1.0, 1.0})
                points.push_back(Vec3{std::cos(k * M_PI / 12), y, std::sin(k * M_PI / 12)} * size);
        const Hull hull = sound_hull(points);
        CHECK(hull.faces.size() == 26);
        CHECK(hull.vertices.size() == 48);
    }
}

TEST_CASE("what has no volume is refused with a remedy")
{
    const auto code = [](std::vector<Vec3> points) {
        const Result<Hull> hull = make_hull(points);
        return hull ? std::string("a hull") : hull.problems()[0].code;
    };
    CHECK(code({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) == "hull-few-points");
    CHECK(code({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 2, 0}}) == "hull-flat");
    CHECK(code({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}) == "hull-flat");
    CHECK(code({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}) == "hull-flat");
    CHECK(code({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}) == "hull-not-finite");
}
