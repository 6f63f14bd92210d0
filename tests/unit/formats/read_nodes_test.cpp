#include "geometry/node_motion.h"
#include "support/glb_builder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* kSkeleton =
    "HIERARCHY\r\nROOT hip\r\n{\r\n\tOFFSET 1 2 3\r\n\tCHANNELS 6 Zposition Xposition Yposition "
    "Zrotation Xrotation Yrotation\r\n\tJOINT knee\r\n\t{\r\n\t\tOFFSET 0 -4 0\r\n\t\tCHANNELS 1 "
    "Xrotation\r\n\t\tEnd Site\r\n\t\t{\r\n\t\t\tOFFSET 0 -1 0\r\n\t\t}\r\n\t}\r\n}\r\nMOTION\r\n";

std::string what_is_wrong(const std::string& text)
{
    const Result<NodeTree> read = read_nodes("t.bvh", text);
    return read ? "" : read.problems().front().what;
}

} // namespace

TEST_CASE("joints of BVH turn in the order of their channels, and places stand for offsets")
{
    const Result<NodeTree> read =
        read_nodes("walk.BVH", std::string(kSkeleton) +
                                   "Frames: 2\r\nFrame Time: 0.04\r\n7 5 6 90 0 0 0\r\n7 5 6 90 90 "
                                   "0 +90\r\n");
    REQUIRE(read);
    CHECK(read->names == std::vector<std::string>{"hip", "knee"});
    const std::vector<std::uint32_t> found = find_nodes(*read, "hip/knee");
    REQUIRE(found.size() == 1);
    CHECK(path_of(*read, found[0]) == "hip/knee");
    const NodeSamples knee = sample_node(*read, found[0]);
    REQUIRE(knee.times.size() >= 2);
    // Rz(90°) takes −4 y to 4 x; Rz Rx(90°) takes −4 y first to −4 z.
    CHECK(length(knee.positions[0] - Vec3{9, 6, 7}) < 1e-12);
    CHECK(length(knee.positions.back() - Vec3{5, 6, 3}) < 1e-12);
    const Vec3 y = rotate(knee.rotations.back(), Vec3{0, 1, 0}); // Rz Rx(90° + 90°) y
    CHECK(length(y - Vec3{1, 0, 0}) < 1e-12);
}

TEST_CASE("faults of BVH files are told")
{
    const std::string head = kSkeleton;
    CHECK(what_is_wrong("") == "the file ends early");
    CHECK(what_is_wrong("HIERARCHY\nMOTION\n") == "there are no joints in it");
    CHECK(what_is_wrong("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n") == "the file ends early");
    CHECK(what_is_wrong("HIERARCHY\nROOT a\n{\nCHANNELS 7 }\n") ==
          "a joint has up to six channels");
    CHECK(what_is_wrong("HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation\n}\n") ==
          "there is no channel 'Wrotation'");
    CHECK(what_is_wrong(head) == "the file ends early");
    CHECK(what_is_wrong(head + "Frames: 0\nFrame Time: 0.04\n") == "it has no frames");
    CHECK(what_is_wrong(head + "Frames: 1\nFrame Time: 0.04\n1 2 3 4 5 six 7\n") ==
          "'six' is no finite number");
    CHECK(what_is_wrong(head + "Frames: 2\nFrame Time: 0.04\n1 2 3 4 5 6 7\n") ==
          "the file ends early");
    CHECK(what_is_wrong(head + "Frames: 1e15\nFrame Time: 0.04\n") == "its animation is too long");
}

TEST_CASE("a node with keys that are no samples is known on both sides of each")
{
    GlbBuilder b;
    const int at = b.add("SCALAR", {0, 1, 3}, 1),
              to = b.add("VEC3", {0, 0, 0, 1, 0, 0, 1, 4, 0}, 3);
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"name":"a","children":[1]},{"translation":[0,0,2]}],)"
        R"("animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],)"
        R"("samplers":[{"input":@t,"output":@w}]}])",
        {{"@t", at}, {"@w", to}}));
    const Result<NodeTree> read = read_nodes("t.glb", file);
    REQUIRE(read);
    CHECK(read->names == std::vector<std::string>{"a", "1"});
    const NodeSamples samples = sample_node(*read, 1);
    const auto key = std::ranges::find(samples.times, 1.0);
    REQUIRE(key + 1 < samples.times.end());
    CHECK(*(key + 1) == 1);
    CHECK(samples.times.back() == 3);
    CHECK(length(samples.positions.back() - Vec3{1, 4, 2}) < 1e-12);
    for (std::size_t i = 0; i < samples.times.size(); ++i) {
        const double t = samples.times[i];
        const Vec3 expected = t < 1 ? Vec3{t, 0, 2} : Vec3{1, 2 * (t - 1), 2};
        CHECK(length(samples.positions[i] - expected) < 1e-12);
    }
}
