#include "sinew/curves.h"
#include "sinew/export.h"
#include "sinew/language.h"
#include "sinew/world.h"
#include "support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

using namespace sinew;

namespace {

const char* const kScript =
    "def hair strand(line(0,0,0, 0.7,0.1,0.2), segments = 7); young(1e5); end;\n"
    "def tuft strand(spline(0,0,0, 0.3,0,0, 0.6,0.4,0), segments = 5); end;\n"
    "hair translatey(1.25); hair translatex(-0.3); tuft;\n"
    "simulate(0 sec, 0.2 sec);\n";

std::string bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

struct Shot {
    Scene scene;
    std::vector<Frame> frames;
};

Shot simulate()
{
    ScriptReading reading = read_script("hair.charli", kScript, no_files());
    REQUIRE(reading.is_sound());
    Result<World> world = World::create(reading.scene);
    REQUIRE(world);
    Shot shot{.scene = std::move(reading.scene), .frames = {}};
    for (int i = 0; i < 5; ++i) {
        world->advance(i / 24.0);
        shot.frames.push_back(world->frame());
    }
    return shot;
}

FrameSource source_of(const Shot& shot)
{
    return {.scene = shot.scene,
            .count = std::int64_t(shot.frames.size()),
            .frame = [&](std::int64_t i) { return Result<Frame>(shot.frames[std::size_t(i)]); }};
}

} // namespace

TEST_CASE("curves that are exported and read again have the same points, within float precision")
{
    const Shot shot = simulate();
    const test::TemporaryFolder folder;
    for (const char* ending : {"hair", "usda", "usdc", "obj", "csv"})
        for (const char* program : {"houdini", "blender", "maya"}) {
            CAPTURE(ending);
            CAPTURE(program);
            ExportOptions options = *export_preset(program);
            options.first = options.last = 3;
            options.is_single = true;
            const std::string path = folder.path() + "/out." + ending;
            const Result<ExportReport> report = export_frames(source_of(shot), path, options);
            REQUIRE(report);
            const Result<CurveSet> curves = read_curves(path, bytes_of(path));
            REQUIRE(curves);
            CHECK(curves->counts.size() == 3);
            REQUIRE(curves->points.size() == shot.frames[3].nodes.size());
            const bool says_units = std::string(ending) != "hair" && std::string(ending) != "obj";
            const bool is_z_up = !says_units && options.up == UpAxis::z;
            for (std::size_t i = 0; i < curves->points.size(); ++i) {
                Vec3 expected = shot.frames[3].nodes[i];
                if (is_z_up)
                    expected = {expected.x, -expected.z, expected.y};
                if (!says_units)
                    expected *= options.scale;
                CHECK(length(curves->points[i] - expected) < 2e-7 * std::max(1.0, options.scale));
            }
        }
}

TEST_CASE("a USD crate that is cut off or changed is told, never trusted")
{
    const Shot shot = simulate();
    const test::TemporaryFolder folder;
    ExportOptions options;
    options.basis = CurveBasis::linear;
    const std::string path = folder.path() + "/out.usdc";
    REQUIRE(export_frames(source_of(shot), path, options));
    const std::string good = bytes_of(path);
    REQUIRE(read_curves(path, good));
    for (std::size_t size = 0; size < good.size(); size += 97)
        CHECK(!read_curves(path, good.substr(0, size)));
    for (std::size_t at = 8; at < good.size(); at += 31) {
        std::string bad = good;
        bad[at] = char(bad[at] ^ 0x55);
        if (const Result<CurveSet> curves = read_curves(path, bad); !curves)
            CHECK(!curves.problems()[0].hint.empty());
    }
}

TEST_CASE(
    "memory of an export does not hold the shot: every frame is asked for in order, few twice")
{
    const Shot shot = simulate();
    const test::TemporaryFolder folder;
    std::vector<std::int64_t> asked;
    FrameSource source = source_of(shot);
    source.frame = [&](std::int64_t i) {
        asked.push_back(i);
        return Result<Frame>(shot.frames[std::size_t(i)]);
    };
    REQUIRE(export_frames(source, folder.path() + "/a.usdc", {}));
    CHECK(asked.size() <= shot.frames.size() + 4);
    CHECK(std::is_sorted(asked.begin() + 4, asked.end()));
}

TEST_CASE("an export that is told to stop leaves no file")
{
    const Shot shot = simulate();
    for (const char* ending : {"glb", "usdc", "usda", "csv", "pc2", "bvh"}) {
        const test::TemporaryFolder folder;
        const Result<ExportReport> report =
            export_frames(source_of(shot), folder.path() + "/a." + ending, {},
                          [](std::int64_t frame) { return frame < 2; });
        REQUIRE(report);
        CHECK(report->is_interrupted);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

TEST_CASE("files of curves: what is wrong is told with its place and a remedy")
{
    const struct {
        const char *name, *bytes, *said;
    } kCases[] = {
        {"a.txt", "", "is not a readable file of curves"},
        {"a.obj", "v 0 0 0\nl 1 7\n", "'7' is none of the 1 vertices"},
        {"a.obj", "v 0 0 inf\n", "three finite numbers"},
        {"a.obj", "v 0 0 0\n", "no curves"},
        {"a.obj", "v 0 0 0\nl 1\n", "fewer than two points"},
        {"a.csv", "a,b\n", "must name the columns"},
        {"a.csv", "curve,x,y,z\n1,0,0,nan\n", "finite numbers"},
        {"a.hair", "HAIR", "does not begin as"},
        {"a.usda",
         "#usda 1.0\ndef BasisCurves \"c\" {\nint[] curveVertexCounts = [3]\n"
         "point3f[] points = [(0,0,0), (1,0,0)] }",
         "need 3 points, there are 2"},
        {"a.usda",
         "#usda 1.0\ndef BasisCurves \"c\" {\nuniform token[] xformOpOrder = [\"a\"]\n"
         "int[] curveVertexCounts = [2]\npoint3f[] points = [(0,0,0), (1,0,0)] }",
         "moved by 'a', which is not read"},
        {"a.usda", "PXR-USDC", "does not begin with"},
        {"a.usdc", "PXR-USDC", "does not begin as USD"},
        {"a.usda", "#usda 1.0\ndef BasisCurves \"c\" { point3f[] points = [(0,0",
         "not a finite number"},
        {"a.usda", "#usda 1.0\n} def Xform \"w\" { }", "a brace closes nothing"},
    };
    for (const auto& [name, bytes, said] : kCases) {
        const Result<CurveSet> curves = read_curves(name, bytes);
        CAPTURE(bytes);
        REQUIRE(!curves);
        CHECK(curves.problems()[0].what.find(said) != std::string::npos);
        CHECK(!curves.problems()[0].hint.empty());
        CHECK(curves.problems()[0].place.file == name);
    }
}

TEST_CASE("hairs about strands are written as curves instead of them")
{
    const test::TemporaryFolder folder;
    const Shot shot = simulate();
    ExportOptions options;
    options.hairs.count = 10;
    options.last = 0;
    const std::string path = (folder / "hairs.usda").string();

    const Result<ExportReport> report = export_frames(source_of(shot), path, options);

    REQUIRE(report);
    CHECK(report->point_count == 10 * (8 + 8 + 6));
}

TEST_CASE("looks and hairs of a script are written: glTF's materials, USD's materials and curves")
{
    const test::TemporaryFolder folder;
    ScriptReading reading = read_script(
        "looks.charli",
        "def ball body(density = 9); sphere(0.1); colour(1, 0, 0); look(0.25, 0.75); end; ball;\n"
        "def lock strand(line(0,0,0, 0,-1,0), segments = 4); children(10); end;\n"
        "lock translatex(1); lock translatex(1.1); lock translatex(1.2);\n",
        no_files());
    REQUIRE(reading.is_sound());
    const World world = *World::create(reading.scene);
    const Shot shot{.scene = std::move(reading.scene), .frames = {world.frame()}};
    const std::string glb = (folder / "looks.glb").string(), usd = (folder / "looks.usda").string();

    REQUIRE(export_frames(source_of(shot), glb, {}));
    REQUIRE(export_frames(source_of(shot), usd, {}));

    const std::string gltf = bytes_of(glb), usda = bytes_of(usd);
    CHECK(gltf.find("\"metallicFactor\":0.75,\"roughnessFactor\":0.25") != std::string::npos);
    CHECK(usda.find("inputs:roughness = 0.25") != std::string::npos);
    CHECK(usda.find("inputs:metallic = 0.75") != std::string::npos);
    const auto begin = usda.find("curveVertexCounts = [");
    REQUIRE(begin != std::string::npos);
    const std::string counts = usda.substr(begin, usda.find(']', begin) - begin);
    CHECK(std::ranges::count(counts, ',') == 29); // thirty hairs instead of three strands
}
