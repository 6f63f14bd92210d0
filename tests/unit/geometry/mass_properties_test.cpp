// Volumes, centres and inertia: closed forms against polyhedra, moved and joined.

#include "geometry/mass_properties.h"

#include "geometry/hull.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace sinew;

namespace {

constexpr double kPi = 3.14159265358979323846;

/// A solid of revolution about y as a polyhedron: radii at heights, `sides` around.
TriangleMesh turned(const std::vector<std::array<double, 2>>& profile, std::uint32_t sides)
{
    TriangleMesh mesh;
    for (const auto& [r, y] : profile)
        for (std::uint32_t k = 0; k < sides; ++k) {
            const double a = 2 * kPi * k / sides;
            mesh.vertices.push_back({r * std::sin(a), y, r * std::cos(a)});
        }
    const auto at = [&](std::size_t ring, std::uint32_t k) {
        return static_cast<std::uint32_t>(ring * sides + k % sides);
    };
    for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring)
        for (std::uint32_t k = 0; k < sides; ++k) {
            mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
            mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
        }
    for (std::uint32_t k = 1; k + 1 < sides; ++k) {
        mesh.triangles.push_back({at(0, 0), at(0, k + 1), at(0, k)});
        const std::size_t top = profile.size() - 1;
        mesh.triangles.push_back({at(top, 0), at(top, k), at(top, k + 1)});
    }
    return mesh;
}

void check_near(const MassProperties& a, const MassProperties& b, double tolerance)
{
    CHECK(a.volume == doctest::Approx(b.volume).epsilon(tolerance));
    CHECK(length(a.centre - b.centre) <= tolerance * std::cbrt(std::abs(b.volume)));
    for (int i = 0; i < 3; ++i)
        CHECK(length(a.inertia[i] - b.inertia[i]) <= tolerance * trace(b.inertia));
}

/// A half circle of radius r about (0, y), upwards or downwards, as a profile.
void add_arc(std::vector<std::array<double, 2>>& profile, double r, double y, double from,
             double to)
{
    constexpr int kPieces = 400;
    for (int i = 0; i <= kPieces; ++i) {
        const double a = from + (to - from) * i / kPieces;
        profile.push_back({r * std::cos(a), y + r * std::sin(a)});
    }
}

} // namespace

TEST_CASE("round solids agree with fine polyhedra to the square of their pieces")
{
    constexpr std::uint32_t kSides = 400;
    const double tolerance = 1e-4;
    std::vector<std::array<double, 2>> ball, pill;
    add_arc(ball, 1.3, 0, -kPi / 2, kPi / 2);
    add_arc(pill, 0.4, -0.55, -kPi / 2, 0);
    add_arc(pill, 0.4, 0.55, 0, kPi / 2);
    check_near(mesh_mass(turned(ball, kSides)), sphere_mass(1.3), tolerance);
    check_near(mesh_mass(turned(pill, kSides)), capsule_mass(0.4, 1.1), tolerance);
    check_near(mesh_mass(turned({{0.7, -1}, {0.7, 1}}, kSides)), cylinder_mass(0.7, 2), tolerance);
    check_near(mesh_mass(turned({{0.7, -1.5}, {0, 1.5}}, kSides)), cone_mass(0.7, 3), tolerance);
}

TEST_CASE("the integrals over a polyhedron are exact, also far from the origin")
{
    const std::vector<Vec3> corners = {{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3},
                                       {-1, -2, 3},  {1, -2, 3},  {-1, 2, 3},  {1, 2, 3}};
    const Result<Hull> hull = make_hull(corners);
    REQUIRE(bool(hull));
    TriangleMesh mesh = triangles_of(*hull);
    check_near(mesh_mass(mesh), box_mass({2, 4, 6}), 1e-15);
    for (Vec3& vertex : mesh.vertices)
        vertex += Vec3{1e5, -2e5, 3e5};
    MassProperties far = box_mass({2, 4, 6});
    far.centre = {1e5, -2e5, 3e5};
    check_near(mesh_mass(mesh), far, 1e-9);
}

TEST_CASE("a solid inside out has negative volume; an empty one has none")
{
    TriangleMesh mesh = turned({{1, -1}, {1, 1}}, 7);
    const double volume = mesh_mass(mesh).volume;
    CHECK(volume > 0);
    for (auto& triangle : mesh.triangles)
        std::swap(triangle[0], triangle[1]);
    CHECK(mesh_mass(mesh).volume == doctest::Approx(-volume));
    CHECK(mesh_mass({}).volume == 0);
}

TEST_CASE("a box cut in two and joined is the box")
{
    const MassProperties half = box_mass({1, 2, 3});
    const MassProperties parts[] = {moved(half, {Quat{}, {-0.5, 0, 0}}),
                                    moved(half, {Quat{}, {0.5, 0, 0}})};
    check_near(joined(parts), box_mass({2, 2, 3}), 1e-14);
    CHECK(joined({}).volume == 0);
}

TEST_CASE("moving turns the inertia with the solid")
{
    const Quat turn = rotation_about(normalised(Vec3{1, 2, -1}), 0.8);
    const MassProperties there = moved(box_mass({1, 2, 3}), {turn, {4, 5, 6}});
    const PrincipalAxes axes = principal_axes(there.inertia);
    const Mat3 I = box_mass({1, 2, 3}).inertia; // ascending from z to x
    CHECK(axes.moments.x == doctest::Approx(I.z.z));
    CHECK(axes.moments.z == doctest::Approx(I.x.x));
    const Mat3 R = rotation_matrix(axes.rotation);
    const Mat3 again = R * Mat3::diagonal(axes.moments) * transpose(R);
    for (int i = 0; i < 3; ++i)
        CHECK(length(again[i] - there.inertia[i]) < 1e-13 * trace(there.inertia));
    CHECK(determinant(R) == doctest::Approx(1));
}
