// Curves below transformations of USD. tests/exchange/judge_test.py compares with OpenUSD.

#include "sinew/curves.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinew;

namespace {

/// The second point of a curve from (0, 0, 0) to (1, 2, 3) in a prim that says this.
Vec3 moved(const std::string& operations, const std::string& around = "")
{
    const Result<CurveSet> curves =
        read_curves("t.usda", "#usda 1.0\ndef Xform \"world\" {\n" + around +
                                  "\ndef BasisCurves \"hair\" {\nint[] curveVertexCounts = [2]\n"
                                  "point3f[] points = [(0, 0, 0), (1, 2, 3)]\n" +
                                  operations + "\n}\n}\n");
    REQUIRE(curves);
    return curves->points[1];
}

void check_place(const Vec3& x, const Vec3& wanted) { CHECK(length(x - wanted) < 1e-12); }

} // namespace

TEST_CASE("USD: curves are where the transformations of their prims put them, the last one first")
{
    const std::string both = "double3 xformOp:translate = (10, 0, 0)\n"
                             "float3 xformOp:scale = (2, 1, 1)\n";
    check_place(moved(both + "uniform token[] xformOpOrder = [\"xformOp:translate\", "
                             "\"xformOp:scale\"]"),
                {12, 2, 3});
    check_place(moved(both + "uniform token[] xformOpOrder = [\"xformOp:scale\", "
                             "\"xformOp:translate\"]"),
                {22, 2, 3});
    check_place(moved(both), {1, 2, 3}); // without an order none acts
    check_place(moved("float xformOp:rotateZ = 90\n"
                      "uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]"),
                {-2, 1, 3});
    check_place(moved("float3 xformOp:rotateXYZ = (90, 0, 90)\n" // about x first: (1, -3, 2)
                      "uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]"),
                {3, 1, 2});
    check_place(moved("quatf xformOp:orient = (0.7071067811865476, 0, 0, 0.7071067811865476)\n"
                      "uniform token[] xformOpOrder = [\"xformOp:orient\"]"),
                {-2, 1, 3});
    check_place(moved("double3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ = 90\n"
                      "uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", "
                      "\"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"]"),
                {-1, 0, 3});
}

TEST_CASE("USD: prims stand in prims; a matrix that is animated counts as at the start")
{
    check_place(moved("double3 xformOp:translate = (0, 1, 0)\n"
                      "uniform token[] xformOpOrder = [\"xformOp:translate\"]",
                      "matrix4d xformOp:transform.timeSamples = {\n"
                      "0: ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (5, 0, 0, 1)),\n"
                      "1: ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)) }\n"
                      "uniform token[] xformOpOrder = [\"xformOp:transform\"]"),
                {2, 1, 3});
}

TEST_CASE("USD: an operation that cannot be read is named")
{
    for (const char* order :
         {"!resetXformStack!", "xformOp:translate", "xformOp:shear", "!invert!xformOp:scale"}) {
        const Result<CurveSet> curves = read_curves(
            "t.usda",
            "#usda 1.0\ndef BasisCurves \"hair\" {\nint[] curveVertexCounts = [2]\n"
            "point3f[] points = [(0, 0, 0), (1, 2, 3)]\nfloat3 xformOp:scale = (1, 0, 1)\n"
            "float xformOp:shear = 1\nuniform token[] xformOpOrder = [\"" +
                std::string(order) + "\"]\n}\n");
        REQUIRE(!curves);
        CHECK(curves.problems()[0].what.find(order) != std::string::npos);
    }
}
