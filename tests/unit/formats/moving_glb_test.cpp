#include "formats/read_mesh.h"
#include "geometry/mesh_motion.h"
#include "support/glb_builder.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kPi = std::numbers::pi;

const std::vector<float> kTriangle = {1, 0, 0, 1, 1, 0, 1, 0, 1};

Vec3 corner_at(const MovingMesh& mesh, double time, std::uint32_t corner)
{
    MeshPoser poser(*mesh.motion);
    poser.set_time(time);
    std::vector<Vec3> all;
    poser.place(all);
    CHECK(all[corner] == poser.corner(corner));
    return all[corner];
}

} // namespace

TEST_CASE("nodes of glTF move the meshes in them: turns along the shorter arc, steps held")
{
    GlbBuilder b;
    const int places = b.add("VEC3", kTriangle, 3), times = b.add("SCALAR", {0, 2}, 1),
              turns = b.add("VEC4", {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f}, 4),
              ways = b.add("VEC3", {0, 0, 0, 0, 0, 3}, 3);
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"mesh":0,"translation":[0,5,0]}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":@p}}]}],"animations":[{"channels":[)"
        R"({"sampler":0,"target":{"node":0,"path":"rotation"}},)"
        R"({"sampler":1,"target":{"node":0,"path":"translation"}}],"samplers":[)"
        R"({"input":@t,"output":@r},{"input":@t,"output":@w,"interpolation":"STEP"}]}])",
        {{"@p", places}, {"@t", times}, {"@r", turns}, {"@w", ways}}));
    const Result<MovingMesh> read = read_moving_mesh("t.glb", file);
    REQUIRE(read);
    REQUIRE(read->motion);
    CHECK(read->mesh.vertices[0] == Vec3{1, 5, 0});
    CHECK(end_of(*read->motion) == 2);
    const double c = std::cos(kPi / 4);
    CHECK(length(corner_at(*read, 1, 0) - Vec3{c - 5 * c, c + 5 * c, 0}) < 1e-6); // half of 90°
    CHECK(length(corner_at(*read, 2, 0) - Vec3{-5, 1, 3}) < 1e-6);
    CHECK(corner_at(*read, 9, 0) == corner_at(*read, 2, 0));
    CHECK(corner_at(*read, -1, 0) == Vec3{1, 5, 0});
}

TEST_CASE("a skin of glTF follows its nodes by their weights, not the node it hangs on")
{
    GlbBuilder b;
    const int places = b.add("VEC3", kTriangle, 3),
              joints = b.add_wholes("VEC4", {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, 4),
              weights = b.add("VEC4", {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 2, 0, 0}, 4),
              bind = b.add("MAT4", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1},
                           16),
              times = b.add("SCALAR", {0, 1}, 1), ways = b.add("VEC3", {1, 0, 0, 1, 0, 4}, 3);
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"skin":0,"translation":[9,9,9]},)"
        R"({"children":[2]},{"translation":[1,0,0]}],"skins":[{"joints":[1,2],)"
        R"("inverseBindMatrices":@b}],"meshes":[{"primitives":[{"attributes":{"POSITION":@p,)"
        R"("JOINTS_0":@j,"WEIGHTS_0":@w}}]}],"animations":[{"channels":[)"
        R"({"sampler":0,"target":{"node":2,"path":"translation"}}],"samplers":[)"
        R"({"input":@t,"output":@x}]}])",
        {{"@p", places},
         {"@j", joints},
         {"@w", weights},
         {"@b", bind},
         {"@t", times},
         {"@x", ways}}));
    const Result<MovingMesh> read = read_moving_mesh("t.glb", file);
    REQUIRE(read);
    REQUIRE(read->motion);
    CHECK(read->mesh.vertices[1] == Vec3{1, 1, 0});
    CHECK(length(corner_at(*read, 0.5, 0) - Vec3{1, 0, 0}) < 1e-12);
    CHECK(length(corner_at(*read, 0.5, 1) - Vec3{1, 1, 1}) < 1e-12);
    CHECK(length(corner_at(*read, 0.5, 2) - Vec3{1, 0, 3}) < 1e-12);
}

TEST_CASE("forms of glTF are mixed by their shares; cubic keys have slopes")
{
    GlbBuilder b;
    const int places = b.add("VEC3", kTriangle, 3),
              form = b.add("VEC3", {0, 1, 0, 0, 0, 0, 0, 0, 0}, 3),
              times = b.add("SCALAR", {0, 2}, 1),
              shares = b.add("SCALAR", {0, 0, 1, 0, 0, 0}, 1); // slope 1 behind the first key
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[)"
        R"({"attributes":{"POSITION":@p},"targets":[{"POSITION":@f}]}]}],"animations":[{)"
        R"("channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}],"samplers":[)"
        R"({"input":@t,"output":@s,"interpolation":"CUBICSPLINE"}]}])",
        {{"@p", places}, {"@f", form}, {"@t", times}, {"@s", shares}}));
    const Result<MovingMesh> read = read_moving_mesh("t.glb", file);
    REQUIRE(read);
    REQUIRE(read->motion);
    // Hermite: 0 to 0 with slope 1 then 0 over two seconds: at the middle ½ · 2/4.
    CHECK(corner_at(*read, 1, 0).y == doctest::Approx(0.25));
    CHECK(corner_at(*read, 1, 1) == Vec3{1, 1, 0});
    for (std::size_t size = 0; size < file.size(); size += 7)
        CHECK(!read_moving_mesh("t.glb", file.substr(0, size)));
}

TEST_CASE("what only other nodes do leaves a mesh at rest")
{
    GlbBuilder b;
    const int places = b.add("VEC3", kTriangle, 3), times = b.add("SCALAR", {0, 2}, 1),
              ways = b.add("VEC3", {0, 0, 0, 0, 0, 3}, 3);
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0},{"name":"camera"}],"meshes":[)"
        R"({"primitives":[{"attributes":{"POSITION":@p}}]}],"animations":[{"channels":[)"
        R"({"sampler":0,"target":{"node":1,"path":"translation"}}],"samplers":[)"
        R"({"input":@t,"output":@w}]}])",
        {{"@p", places}, {"@t", times}, {"@w", ways}}));
    const Result<MovingMesh> read = read_moving_mesh("t.glb", file);
    REQUIRE(read);
    CHECK(!read->motion);
}
