#include "scene/objects/drawn_strands.h"

#include "sinew/drawn_curves.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

/// A bent strand with a branch.
Scene make_tree()
{
    Scene scene;
    scene.objects = {{.name = "world", .end = 2},
                     {.name = "tree", .parent = ObjectId{0}, .end = 2}};
    for (const double x : {0., 0., 0., 0., 0.5, 0.1, 0.2, 1., 0., 0.1, 1.5, 0.})
        scene.values.push_back({x});
    const Path path{.kind = PathKind::spline, .frame = ObjectId{1}, .points = {0, 12}};
    scene.paths = {path, path};
    scene.strands = {{.tree = ObjectId{1}, .object = ObjectId{1}, .path = PathId{0}, .segments = 9},
                     {.tree = ObjectId{1},
                      .object = ObjectId{1},
                      .path = PathId{1},
                      .segments = 5,
                      .from = 0,
                      .from_along = 0.4}};
    return scene;
}

void check_as_sampled(const Scene& scene)
{
    const std::vector<StrandShape> fresh = sample_strands(scene);
    const StrandShapes drawn = drawn_strands(scene);
    REQUIRE(drawn->size() == fresh.size());
    const std::vector<double> lengths = measure_strands(scene);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        CHECK((*drawn)[i].nodes == fresh[i].nodes);
        CHECK((*drawn)[i].segments == fresh[i].segments);
        CHECK((*drawn)[i].length == fresh[i].length);
        CHECK(lengths[i] == fresh[i].length);
    }
}

} // namespace

TEST_CASE("curves that are drawn by the same numbers are sampled once")
{
    const Scene scene = make_tree();
    const DrawnCurvesScope drawn;
    const StrandShapes first = drawn_strands(scene);
    Scene same = scene;
    same.settings.step = 0.1;
    CHECK(drawn_strands(same) == first);
    check_as_sampled(same);
}

TEST_CASE("curves that are drawn otherwise in anything are sampled anew")
{
    const auto change = [](auto edit) {
        const Scene scene = make_tree();
        const DrawnCurvesScope drawn;
        const StrandShapes first = drawn_strands(scene);
        Scene other = scene;
        edit(other);
        CHECK_FALSE(find_drawn_strands(other));
        CHECK(drawn_strands(other) != first);
        check_as_sampled(other);
        CHECK_FALSE(find_drawn_strands(scene));
    };
    change([](Scene& s) { s.values[7].number += 1e-15; });
    change([](Scene& s) { s.strands[0].segments = 8; });
    change([](Scene& s) { s.strands[1].from_along = 0.5; });
    change([](Scene& s) { s.strands[1].from = StrandCurve::kNone; });
    change([](Scene& s) { s.paths[1].kind = PathKind::polyline; });
    change([](Scene& s) { s.paths[1].points.count = 9; });
    change([](Scene& s) { s.strands.pop_back(); });
}

TEST_CASE("nothing is remembered without a scope, or behind it")
{
    const Scene scene = make_tree();
    {
        const DrawnCurvesScope outer;
        const StrandShapes first = drawn_strands(scene);
        {
            const DrawnCurvesScope inner;
            CHECK_FALSE(find_drawn_strands(scene));
        }
        CHECK(find_drawn_strands(scene) == first);
    }
    CHECK_FALSE(find_drawn_strands(scene));
    CHECK(drawn_strands(scene) != drawn_strands(scene));
}
