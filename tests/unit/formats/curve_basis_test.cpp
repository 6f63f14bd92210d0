// Curves of USD by their basis and wrap.

#include "formats/usd/curve_basis.h"
#include "sinew/curves.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinew;

namespace {

/// Seven points, 0.1 m apart on the x axis; the fourth is 60 mm above it.
CurveSet read(const std::string& form)
{
    const std::string text =
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef BasisCurves \"hair\"\n{\n" + form +
        "    int[] curveVertexCounts = [7]\n    point3f[] points = [(0, 0, 0), (0.1, 0, 0), "
        "(0.2, 0, 0), (0.3, 0.06, 0), (0.4, 0, 0), (0.5, 0, 0), (0.6, 0, 0)]\n}\n";
    const Result<CurveSet> curves = read_curves("t.usda", text);
    REQUIRE(bool(curves));
    REQUIRE(curves->counts.size() == 1);
    CHECK(curves->counts[0] == curves->points.size());
    return *curves;
}

std::string form(const char* type, const char* basis, const char* wrap)
{
    return std::string("    uniform token type = \"") + type + "\"\n    uniform token basis = \"" +
           basis + "\"\n    uniform token wrap = \"" + wrap + "\"\n";
}

double highest(const CurveSet& curves)
{
    double y = 0;
    for (const Vec3& x : curves.points)
        y = std::max(y, x.y);
    return y;
}

} // namespace

TEST_CASE("a linear curve, and one that says nothing, is its points")
{
    for (const std::string& given : {std::string(), form("linear", "bezier", "nonperiodic")}) {
        const CurveSet curves = read(given);
        CHECK(curves.points.size() == 7);
        CHECK(highest(curves) == doctest::Approx(0.06));
    }
}

TEST_CASE("a B-spline begins a span behind its first point, and does not reach the others")
{
    const CurveSet open = read(form("cubic", "bspline", "nonperiodic"));
    CHECK(open.points.size() == 5);
    CHECK(open.points.front().x == doctest::Approx(0.1));
    CHECK(open.points.back().x == doctest::Approx(0.5));
    CHECK(highest(open) == doctest::Approx(0.04));
    const CurveSet pinned = read(form("cubic", "bspline", "pinned"));
    CHECK(pinned.points.size() == 7);
    CHECK(pinned.points.front().x == 0);
    CHECK(pinned.points.back().x == doctest::Approx(0.6));
    CHECK(read(form("cubic", "bspline", "periodic")).points.size() == 7);
}

TEST_CASE("a Catmull-Rom curve passes through its points, an open one without its ends")
{
    CHECK(read(form("cubic", "catmullRom", "pinned")).points.size() == 7);
    const CurveSet open = read(form("cubic", "catmullRom", "nonperiodic"));
    CHECK(open.points.size() == 5);
    CHECK(highest(open) == doctest::Approx(0.06));
}

TEST_CASE("a Bezier curve passes through every third point")
{
    const CurveSet curves = read(form("cubic", "bezier", "nonperiodic"));
    REQUIRE(curves.points.size() == 7);
    CHECK(curves.points[3].y == doctest::Approx(0.06));
    CHECK(curves.points[2].y == doctest::Approx(0.06 * 8 / 27));
    CHECK(curves.points[2].x == doctest::Approx(0.2));
}

TEST_CASE("curves of too few points stay as they are")
{
    const std::vector<Vec3> two = {{0, 0, 0}, {1, 0, 0}};
    for (const char* basis : {"bspline", "catmullRom", "bezier"})
        for (const char* wrap : {"nonperiodic", "pinned", "periodic"})
            CHECK(places_on_curve({"cubic", basis, wrap}, two) == two);
    CHECK(places_on_curve({"cubic", "bspline", "nonperiodic"}, {}).empty());
}
