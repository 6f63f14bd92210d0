// Scenes with strands made by programs: what is wrong with them as data.

#include "scene/objects/strands.h"
#include "scene/placement.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string kTree =
    "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 4);"
    "limb = branch(line(0,0,0, 1,0,0), from = trunk at 0.5 along, segments = 2);"
    "radius(1 cm); air_drag(0.1, 0.1); end; tree translatex(1);"
    "def tip label(); end; tip on tree.limb at 1 along; wind(1, 0, 0) on tree;";

Codes codes_after(const std::function<void(Scene&)>& change)
{
    Scene scene = sound_scene(kTree);
    change(scene);
    return codes_in(validate(scene));
}

} // namespace

TEST_CASE("what refers to nothing, in strands")
{
    const Codes wanted{"no-such-object"};
    CHECK(codes_after([](Scene& s) { s.strands[0].path = PathId{99}; }) == wanted);
    CHECK(codes_after([](Scene& s) { s.strands[0].tree = ObjectId{99}; }) == wanted);
    CHECK(codes_after([](Scene& s) { s.trees[0].object = ObjectId{99}; }) == wanted);
    CHECK(codes_after([](Scene& s) { s.strand_sites[0].curve = 99; }) == wanted);
    CHECK(codes_after([](Scene& s) { s.strand_properties[0].curve = 99; }) == wanted);
    CHECK(codes_after([](Scene& s) {
              s.strand_properties[0].a.number = std::numeric_limits<double>::infinity();
          }) == wanted);
    CHECK(codes_after([](Scene& s) { s.airs[0].frame = ObjectId{99}; }) == wanted);
}

TEST_CASE("trees and strands that do not fit each other")
{
    CHECK(codes_after([](Scene& s) { s.trees.clear(); }).at(0) == "strand-without-tree");
    CHECK(codes_after([](Scene& s) { s.trees.push_back(s.trees[0]); }) == Codes{"tree-twice"});
    CHECK(codes_after([](Scene& s) { s.strands[1].from = 1; }) == Codes{"branch-of-nothing"});
    CHECK(codes_after([](Scene& s) { s.strands[1].from_along = 2; }) == Codes{"along-off-curve"});
    CHECK(codes_after([](Scene& s) { s.strands[1].segments = 0; }) ==
          Codes{"segments-out-of-range"});
    CHECK(codes_after([](Scene& s) { s.paths[s.strands[0].path.index].frame = ObjectId{0}; }) ==
          Codes{"strand-path-elsewhere"});
    CHECK(codes_after([](Scene& s) {
              s.objects[s.strand_sites[0].object.index].on = ObjectId{0};
          }) == Codes{"site-elsewhere"});
    CHECK(codes_after([](Scene& s) { s.strand_sites[0].along = -1; }) == Codes{"along-off-curve"});
    CHECK(codes_after([](Scene& s) { s.settings.strands.tolerance = 0; }) == Codes{"out-of-range"});
    CHECK(codes_after([](Scene& s) { s.trees[0].spin.x = HUGE_VAL; }) == Codes{"not-finite"});
    CHECK(codes_after([](Scene& s) { s.airs[0].size = 0; }) == Codes{"out-of-range"});
    CHECK(codes_after([](Scene& s) { s.airs[0].on = {ObjectId{0}}; }) == Codes{"no-strand"});
}

TEST_CASE("properties stand in the order of their trees")
{
    Scene scene = sound_scene("def a strand(line(0,0,0, 0,1,0)); radius(1 cm); end;"
                              "a; b = a translatex(1);");
    std::swap(scene.strand_properties[0], scene.strand_properties[1]);
    CHECK(codes_in(validate(scene)) == Codes{"properties-out-of-order"});
}

TEST_CASE("a strand in a table: nodes from root to tip with the frames of segments")
{
    const Scene scene = sound_scene(kTree);
    ObjectId faulty;
    const std::vector<ObjectId> order = order_of_frames(scene, faulty);
    const Frame frame = make_frame(scene, order, {.coordinates = {}, .imports = {}});
    const std::vector<TableRow> rows = table_rows(scene, frame);

    REQUIRE(frame.nodes.size() == 8);
    REQUIRE(frame.segments.size() == 6);
    std::vector<std::string> names;
    for (const TableRow& row : rows)
        names.push_back(row.name);
    CHECK(names == std::vector<std::string>{"tree", "tree.trunk[0]", "tree.trunk[1]",
                                            "tree.trunk[2]", "tree.trunk[3]", "tree.trunk[4]",
                                            "tree.limb[0]", "tree.limb[1]", "tree.limb[2]", "tip"});
    CHECK(is_near(rows[5].position, {1, 2, 0}));
    CHECK(is_near(rows[6].position, {1, 1, 0}));
    CHECK(is_near(rotate(rows[6].rotation, Vec3{0, 1, 0}), {1, 0, 0}));
    CHECK(is_near(rows[9].position, {2, 1, 0})); // rides on the limb's tip
}

TEST_CASE("nodes that the world gives are those of the frame")
{
    const Scene scene = sound_scene(kTree);
    ObjectId faulty;
    const std::vector<ObjectId> order = order_of_frames(scene, faulty);
    const std::vector<Vec3> nodes(8, Vec3{1, 2, 3});
    const std::vector<Quat> segments(6, Quat{1, 0, 0, 0});
    const Frame frame = make_frame(
        scene, order, {.coordinates = {}, .imports = {}, .nodes = nodes, .segments = segments});
    CHECK(frame.nodes == nodes);
    CHECK(frame.segments == segments);
}

TEST_CASE("the place a field acts at, in the frame it is written in")
{
    const Scene scene = sound_scene("def a strand(line(0,0,0, 0,1,0)); end;"
                                    "def place a; field(here_x, here_y, 0) on a; end;"
                                    "place translate(1, 2, 0) rotatez(90 deg);");
    ObjectId faulty;
    sinew::Posture posture{.coordinates = {}, .imports = {}};
    const std::vector<Affine> objects =
        place_objects(scene, order_of_frames(scene, faulty), posture);
    posture.here = {-2, 4, 0}; // (1, 2) turned is (-2, 1); three further along the def's own x
    CHECK(value_at(scene, scene.fields[0].x, posture, objects) == doctest::Approx(3));
    CHECK(value_at(scene, scene.fields[0].y, posture, objects) == doctest::Approx(0));
}

TEST_CASE("faults of many strands come in their order, on however many threads they are looked for")
{
    Scene scene = sound_scene("def grass for i in 1..300 blade[i] = "
                              "strand(line(0,0,0, 0,0.01 * i,0), segments = 3);"
                              "radius(1 mm) on blade[i]; end; end; grass;");
    REQUIRE(scene.strand_properties.size() == 300);
    for (std::size_t i = 5; i < 300; i += 50)
        scene.strand_properties[i].a.number = -double(i);
    const auto find = [&](int threads) {
        const ThreadsScope scope(threads);
        std::vector<std::string> found;
        for (const Problem& problem : validate(scene))
            found.push_back(problem.code + problem.what);
        return found;
    };
    const std::vector<std::string> alone = find(1);
    REQUIRE(alone.size() == 6);
    CHECK(alone[1].find("-55 somewhere") != std::string::npos);
    CHECK(find(4) == alone);
    CHECK(threads_here() == 1);
}
