// Maps of grooms: what is painted on a surface decides how hair grows on it.

#include "scene/objects/strand_section.h"
#include "sinew/language.h"

#include "support/files.h"
#include "support/glb_builder.h"
#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A square of 1 m in two triangles, x from 0 to 1; painted from black at x = 0 to white.
constexpr const char* kPly =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
    "z\nproperty uchar red\nproperty float soft\nelement face 2\nproperty list uchar int "
    "vertex_indices\nend_header\n0 0 0 0 0.5\n0 0 1 0 0.5\n1 0 0 255 0.5\n1 0 1 255 -0.5\n"
    "3 0 1 2\n3 1 3 2\n";
constexpr const char* kObj = "v 0 0 0 0 0 0\nv 0 0 1 0 1 0\nv 1 0 0 1 0 0\nv 1 0 1 1 0 0\n"
                             "f 1 2 3\nf 2 4 3\n";

std::string painted_glb()
{
    GlbBuilder b;
    const int places = b.add("VEC3", {0, 0, 0, 0, 0, 1, 1, 0, 0}, 3),
              colours = b.add("VEC4", {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0.5f}, 4),
              soft = b.add("SCALAR", {0, 0, 1}, 1);
    return b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":@p,"COLOR_0":@c,"_soft":@s}}]}])",
        {{"@p", places}, {"@c", colours}, {"@s", soft}}));
}

ScriptReading reading_of(const std::string& file, const std::string& maps,
                         const std::string& properties = "young(1e8);")
{
    return read_script("t.charli",
                       "def fur groom(\"" + file + "\", count = 200, length = 0.1, segments = 4, " +
                           maps + "); " + properties + " end;\nfur;\nfur translatex(5);\n",
                       files_in_memory({{"s.ply", kPly},
                                        {"s.obj", kObj},
                                        {"s.glb", painted_glb()},
                                        {"c.csv", "curve,x,y,z\n0,0,0,0\n0,0,1,0\n"}}));
}

Scene scene_of(const std::string& file, const std::string& maps,
               const std::string& properties = "young(1e8);")
{
    const ScriptReading reading = reading_of(file, maps, properties);
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return reading.scene;
}

double root_x(const Scene& scene, std::size_t strand)
{
    return scene.values[scene.paths[scene.strands[strand].path.index].points.first].number;
}

std::string first_problem(const std::string& file, const std::string& maps)
{
    const ScriptReading reading = reading_of(file, maps);
    REQUIRE_FALSE(reading.is_sound());
    const Problem& problem = reading.problems.front();
    return problem.code + ": " + problem.what + "; " + problem.hint;
}

} // namespace

TEST_CASE("hair grows as densely as a surface is painted, from PLY, OBJ and glTF")
{
    for (const std::string file : {"s.ply", "s.obj", "s.glb"}) {
        CAPTURE(file);
        const Scene scene = scene_of(file, "density_map = \"red\"");
        double mean = 0;
        for (std::size_t i = 0; i < 200; ++i)
            mean += root_x(scene, i) / 200;
        // Of the square ∫x² / ∫x = 2/3; of the triangle alone (1/12) / (1/6) = 1/2.
        CHECK(mean == doctest::Approx(file == "s.glb" ? 0.5 : 2.0 / 3).epsilon(0.06));
    }
}

TEST_CASE("each strand of each instance is as stiff as its root is painted")
{
    for (const std::string file : {"s.ply", "s.glb"}) {
        const std::string name = file == "s.glb" ? "soft" : "red";
        const Scene scene =
            scene_of(file, "stiffness_map = \"" + name + "\"",
                     "bend_stiffness({2e-4 at 0 along linear 1e-4 at 1 along}, 3e-4); young(1e7);");
        REQUIRE(scene.strands.size() == 400);
        for (const std::uint32_t i : {0u, 77u, 199u, 200u, 399u}) {
            const StrandSection section = StrandSections(scene, i, 0.1).at(0, 0.5);
            const double factor = root_x(scene, i);
            CHECK(section.bend_x == doctest::Approx(1.5e-4 * factor));
            CHECK(section.bend_z == doctest::Approx(3e-4 * factor));
        }
    }
    const Scene scene = scene_of("s.ply", "stiffness_map = \"red\"", "radius(1 mm);");
    const Scene plain = scene_of("s.ply", "length_map = \"red\"", "radius(1 mm);");
    for (const std::uint32_t i : {3u, 250u}) // of the default modulus
        CHECK(StrandSections(scene, i, 0.1).at(0, 0).twist ==
              doctest::Approx(StrandSections(plain, i, 0.1).at(0, 0).twist * root_x(scene, i)));
}

TEST_CASE("maps that are not there, below 0, or of nothing that grows are told")
{
    CHECK(first_problem("s.ply", "length_map = \"blue\"") ==
          "groom-without-map: 's.ply' is no such map: its vertices have no 'blue'; they have x, y, "
          "z, red, soft");
    CHECK(first_problem("s.obj", "length_map = \"soft\"").starts_with("groom-without-map: "));
    CHECK(first_problem("s.glb", "curl_map = \"hard\"").starts_with("groom-without-map: "));
    CHECK(first_problem("s.ply", "stiffness_map = \"soft\"") ==
          "negative-map: 'soft' is below 0 at some vertices; factors are 0 or more");
    CHECK(first_problem("s.obj", "density_map = \"blue\"") ==
          "groom-without-density: 'blue' is 0 wherever the surface has an area; paint where hair "
          "is to grow");
    const ScriptReading reading =
        read_script("t.charli", "def fur groom(\"c.csv\", density_map = \"red\"); end;\nfur;\n",
                    files_in_memory({{"c.csv", "curve,x,y,z\n0,0,0,0\n0,0,1,0\n"}}));
    REQUIRE_FALSE(reading.is_sound());
    CHECK(reading.problems.front().code == "groom-without-count");
}
