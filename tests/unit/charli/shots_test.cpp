// Camera and timing from glTF files.

#include "sinew/language.h"
#include "support/files.h"
#include "support/glb_builder.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A camera that goes from z = 5 to z = 3 in two seconds, half a turn about y on the way.
std::string shot(bool has_camera, bool moves)
{
    GlbBuilder b;
    const int times = b.add("SCALAR", {0, 2}, 1), ways = b.add("VEC3", {0, 1, 5, 0, 1, 3}, 3),
              turns = b.add("VEC4", {0, 0, 0, 1, 0, 1, 0, 0}, 4);
    const std::string camera =
        has_camera ? R"("cameras":[{"type":"perspective","perspective":{"yfov":0.6}}],)" : "";
    const std::string animation =
        moves ? with_numbers(R"(,"animations":[{"channels":[{"sampler":0,"target":{"node":0,)"
                             R"("path":"translation"}},{"sampler":1,"target":{"node":0,"path":)"
                             R"("rotation"}}],"samplers":[{"input":@t,"output":@w},)"
                             R"({"input":@t,"output":@r}]}])",
                             {{"@t", times}, {"@w", ways}, {"@r", turns}})
              : "";
    return b.file(camera +
                  R"("scenes":[{"nodes":[0]}],"nodes":[{"camera":0,)"
                  R"("translation":[0,1,5]}])" +
                  animation);
}

ScriptReading read(const std::string& text, const std::string& file)
{
    return read_script("t.charli", text + "def m mass(1); end;\nm;\n",
                       files_in_memory({{"shot.glb", file}}));
}

} // namespace

TEST_CASE("camera(\"shot.glb\") goes where the file's first camera goes")
{
    const ScriptReading reading =
        read("camera(\"shot.glb\");\nsimulate(\"shot.glb\", step = 1/120);\n", shot(true, true));
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    const Settings& settings = reading.scene.settings;
    CHECK(settings.end == 2);
    CHECK(settings.step == 1.0 / 120);
    REQUIRE(settings.camera);
    CHECK(settings.camera->field_of_view == doctest::Approx(0.6));
    const Camera middle = camera_at(*settings.camera, 1);
    CHECK(length(middle.position - Vec3{0, 1, 4}) < 1e-6);
    CHECK(length(middle.target - Vec3{-1, 1, 4}) < 1e-3); // a quarter turn: along −x
    CHECK(length(camera_at(*settings.camera, 9).position - Vec3{0, 1, 3}) < 1e-6);
}

TEST_CASE("a camera without an animation stands still")
{
    const ScriptReading reading = read("camera(\"shot.glb\");\n", shot(true, false));
    REQUIRE(reading.is_sound());
    CHECK(reading.scene.settings.camera->keys.size() == 1);
    CHECK(length(camera_at(*reading.scene.settings.camera, 3).position - Vec3{0, 1, 5}) < 1e-9);
}

TEST_CASE("files without a camera or an animation are told")
{
    const ScriptReading no_camera = read("camera(\"shot.glb\");\n", shot(false, true));
    REQUIRE(!no_camera.is_sound());
    CHECK(no_camera.problems[0].code == "shot-no-camera");
    const ScriptReading no_motion = read("simulate(\"shot.glb\");\n", shot(true, false));
    REQUIRE(!no_motion.is_sound());
    CHECK(no_motion.problems[0].code == "shot-no-animation");
    CHECK(!no_motion.problems[0].hint.empty());
}
