// Hair that grows on a surface.

#include "geometry/grow.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// Two triangles in y = 0, the second with three times the area of the first.
TriangleMesh field()
{
    return {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {5, 0, 0}, {5, 0, 3}, {6, 0, 0}},
            {{0, 1, 2}, {3, 4, 5}}};
}

Growth growth(std::uint32_t count) { return {.count = count, .points = 9, .length = 0.1}; }

double length_of(const CurveSet& curves, std::size_t curve)
{
    double sum = 0;
    for (std::size_t k = 1; k < 9; ++k)
        sum += length(curves.points[9 * curve + k] - curves.points[9 * curve + k - 1]);
    return sum;
}

} // namespace

TEST_CASE("roots are spread by area, inside their triangles")
{
    const Grown grown = grow(field(), growth(400), {});
    REQUIRE(grown.roots.size() == 400);
    REQUIRE(grown.curves.counts.size() == 400);
    const auto on_first = std::ranges::count(grown.roots, 0u, &MeshPlace::triangle);
    CHECK(std::abs(on_first - 100) <= 1);
    for (const MeshPlace& root : grown.roots) {
        CHECK(root.u >= 0);
        CHECK(root.v >= 0);
        CHECK(root.u + root.v <= 1);
    }
    // Even within: the mean of many is the middle.
    double u = 0;
    for (const MeshPlace& root : grown.roots)
        u += root.u / 400;
    CHECK(u == doctest::Approx(1.0 / 3).epsilon(0.1));
}

TEST_CASE("the same seed is the same hair, another seed another")
{
    Growth wanted = growth(50);
    wanted.vary = 0.5;
    wanted.curl = 2;
    wanted.curl_radius = 0.01;
    const Grown first = grow(field(), wanted, {});
    CHECK(grow(field(), wanted, {}).curves == first.curves);
    wanted.seed = 2;
    CHECK_FALSE(grow(field(), wanted, {}).curves == first.curves);
}

TEST_CASE("a curve does not depend on which others were made before it")
{
    Growth wanted = growth(50);
    wanted.vary = 0.5;
    wanted.curl = 2;
    wanted.curl_radius = 0.01;
    wanted.clumps = 7;
    wanted.clumping = 0.8;
    const Grown all = grow(field(), wanted, {});
    Grower some(field(), wanted, {});
    for (const std::uint32_t i : {49u, 3u, 21u, 0u, 3u}) {
        const std::vector<Vec3> own = some.points(i);
        CHECK(std::ranges::equal(own, std::span(all.curves.points).subspan(9 * i, 9)));
        CHECK(some.root(i).u == all.roots[i].u);
    }
    const std::uint64_t identity = some.identity();
    CHECK(identity == Grower(field(), wanted, {}).identity());
    wanted.clumping = 0.7;
    CHECK(identity != Grower(field(), wanted, {}).identity());
}

TEST_CASE("hair stands along the normal, or hangs")
{
    Growth wanted = growth(20);
    const Grown up = grow(field(), wanted, {});
    for (std::size_t i = 0; i < 20; ++i) {
        const Vec3 way = up.curves.points[9 * i + 8] - up.curves.points[9 * i];
        CHECK(length(way - Vec3{0, 0.1, 0}) < 1e-12);
        CHECK(length_of(up.curves, i) == doctest::Approx(0.1));
    }
    wanted.droop = 1;
    const Grown down = grow(field(), wanted, {});
    for (std::size_t i = 0; i < 20; ++i) {
        const Vec3 last = down.curves.points[9 * i + 8] - down.curves.points[9 * i + 7];
        CHECK(normalised(last).y < -0.99);
    }
}

TEST_CASE("strands vary within bounds")
{
    Growth wanted = growth(200);
    wanted.vary = 0.4;
    const Grown grown = grow(field(), wanted, {});
    double least = 1, most = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        least = std::min(least, length_of(grown.curves, i));
        most = std::max(most, length_of(grown.curves, i));
    }
    CHECK(least >= 0.08 - 1e-12);
    CHECK(least < 0.082);
    CHECK(most <= 0.12 + 1e-12);
    CHECK(most > 0.118);
}

TEST_CASE("tips of a clump meet")
{
    Growth wanted = growth(90);
    wanted.vary = 0.3;
    wanted.clumps = 3;
    wanted.clumping = 1;
    const Grown grown = grow(field(), wanted, {});
    std::vector<Vec3> tips;
    for (std::size_t i = 0; i < 90; ++i) {
        const Vec3 tip = grown.curves.points[9 * i + 8];
        if (std::ranges::none_of(tips, [&](const Vec3& x) { return length(x - tip) < 1e-12; }))
            tips.push_back(tip);
    }
    CHECK(tips.size() == 3);
}

TEST_CASE("strands follow their guides, turned with the surface")
{
    // One guide that leans along x on the flat ground; the wall at x = 9 looks along −x.
    TriangleMesh mesh = field();
    mesh.vertices.insert(mesh.vertices.end(), {{9, 0, 0}, {9, 0, 1}, {9, 1, 0}});
    mesh.triangles.push_back({6, 7, 8});
    const CurveSet guide{{{0.2, 0, 0.2}, {0.2, 0.1, 0.2}, {0.3, 0.1, 0.2}}, {3}};
    const Growth wanted{.count = 40, .points = 9};
    const Grown grown = grow(mesh, wanted, guide);
    for (std::size_t i = 0; i < 40; ++i) {
        CHECK(length_of(grown.curves, i) == doctest::Approx(0.2));
        const Vec3 first = grown.curves.points[9 * i + 1] - grown.curves.points[9 * i];
        const bool is_on_wall = grown.roots[i].triangle == 2;
        CHECK(length(normalised(first) - (is_on_wall ? Vec3{-1, 0, 0} : Vec3{0, 1, 0})) < 1e-9);
    }
}

TEST_CASE("the nearest place on a mesh is inside a triangle, on an edge or at a corner")
{
    const TriangleMesh mesh = field();
    const auto place = [&](const MeshPlace& p) {
        const auto& t = mesh.triangles[p.triangle];
        const Vec3& a = mesh.vertices[t[0]];
        return a + (mesh.vertices[t[1]] - a) * p.u + (mesh.vertices[t[2]] - a) * p.v;
    };
    const std::vector<Vec3> points = {{0.2, 3, 0.3}, {0.4, -1, -2}, {-1, 0, 0.5}, {-1, 1, -1},
                                      {0.8, 0, 0.8}, {0, 0, 4},     {2.9, 0, 0},  {9, 0, 0}};
    const std::vector<Vec3> nearest = {{0.2, 0, 0.3}, {0.4, 0, 0}, {0, 0, 0.5}, {0, 0, 0},
                                       {0.5, 0, 0.5}, {0, 0, 1},   {1, 0, 0},   {6, 0, 0}};
    const std::vector<MeshPlace> found = nearest_places(mesh, points);
    REQUIRE(found.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        CHECK(length(place(found[i]) - nearest[i]) < 1e-12);
}

TEST_CASE("roots stand as densely as a map says, also within a triangle")
{
    Growth wanted = growth(3000);
    wanted.maps.density = {1, 1, 1, 0, 0, 1}; // the second triangle: 1.5 times the first's hair
    const Grown grown = grow(field(), wanted, {});
    const auto on_first = std::ranges::count(grown.roots, 0u, &MeshPlace::triangle);
    CHECK(std::abs(on_first - 1500) <= 1); // areas 1 : 3, mean densities 1 : 1/3
    double v = 0;
    int count = 0;
    for (const MeshPlace& root : grown.roots)
        if (root.triangle == 1)
            v += root.v, ++count;
    CHECK(v / count == doctest::Approx(0.5).epsilon(0.02)); // the mean of v weighted by v
}

TEST_CASE("maps scale lengths, curls and clumps at the roots")
{
    Growth wanted = growth(100);
    wanted.curl = 3, wanted.curl_radius = 0.02;
    const auto bent = [](const Grown& grown, std::size_t i) { // away from its chord
        const Vec3 &a = grown.curves.points[9 * i], &b = grown.curves.points[9 * i + 8];
        const Vec3 way = normalised(b - a);
        double most = 0;
        for (std::size_t k = 1; k < 8; ++k)
            most = std::max(most, length(cross(way, grown.curves.points[9 * i + k] - a)));
        return most;
    };
    const Grown plain = grow(field(), wanted, {});
    wanted.maps.length = {0.5, 0.5, 0.5, 0, 0, 0};
    wanted.maps.curl = {1, 1, 1, 0, 0, 0};
    const Grown mapped = grow(field(), wanted, {});
    for (std::size_t i = 0; i < 100; ++i) {
        const bool is_first = mapped.roots[i].triangle == 0;
        CHECK(plain.roots[i].triangle == mapped.roots[i].triangle);
        if (is_first)
            CHECK(bent(mapped, i) > 1e-3);
        else
            CHECK(length_of(mapped.curves, i) == doctest::Approx(0.001)); // at least a hundredth
    }

    Growth clumped = growth(100);
    clumped.clumps = 1, clumped.clumping = 1;
    clumped.maps.clumping = {1, 1, 1, 0, 0, 0};
    const Grown drawn = grow(field(), clumped, {}), free = grow(field(), growth(100), {});
    for (std::size_t i = 1; i < 100; ++i) {
        const Vec3 tip = drawn.curves.points[9 * i + 8];
        CHECK((tip == free.curves.points[9 * i + 8]) == (drawn.roots[i].triangle == 1));
    }
}
