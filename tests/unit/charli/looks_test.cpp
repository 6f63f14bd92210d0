#include "sinew/language.h"
#include "sinew/scene.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sinew;

namespace {

const std::string kBox = "def crate body(density = 400); box(1, 1, 1); ";

Look look_of(const std::string& words)
{
    const Scene scene = test::sound_scene(kBox + words + " end; crate;");
    REQUIRE(scene.looks.size() == 1);
    return scene.looks[0].look;
}

} // namespace

TEST_CASE("look takes a material, a material that is changed, or numbers alone")
{
    CHECK(look_of("look(wood);").pattern == LookPattern::wood);
    CHECK(look_of("look(steel);").metal == 1);
    const Look varnished = look_of("look(wood, roughness = 0.2);");
    CHECK(varnished.roughness == 0.2);
    CHECK(varnished.pattern == LookPattern::wood);
    CHECK(look_of("look(wood, 0.2);").roughness == 0.2);
    const Look numbers = look_of("look(0.1, 1);");
    CHECK(numbers.roughness == 0.1);
    CHECK(numbers.metal == 1);
    CHECK(numbers.pattern == LookPattern::none);
    const Look named = look_of("look(glow = 3);");
    CHECK(named.roughness == Look{}.roughness);
    CHECK(named.glow == 3);
}

TEST_CASE("a variable is a number of a look, and a def may have the name of a material")
{
    const Scene scene =
        test::sound_scene("param dull = 0.7; def wood body(density = 400); box(1, 1, 1); "
                          "look(dull, 0.5); end; def other body(density = 400); box(1, 1, 1); "
                          "look(wood); end; wood; other translatex(3);");
    REQUIRE(scene.looks.size() == 2);
    CHECK(scene.looks[0].look.roughness == 0.7);
    CHECK(scene.looks[1].look.pattern == LookPattern::wood);
}

TEST_CASE("a material that there is not is told with those that there are")
{
    const ScriptReading reading = test::read_text(kBox + "look(wod); end; crate;");
    REQUIRE(reading.problems.size() == 1);
    CHECK(reading.problems[0].code == "unknown-choice");
    CHECK(reading.problems[0].hint.find("wood") != std::string::npos);
}

TEST_CASE("numbers of looks and hairs beyond their ranges are refused")
{
    CHECK(!test::codes_of(kBox + "look(1.5); end; crate;").empty());
    CHECK(!test::codes_of(kBox + "look(wood, glow = -1); end; crate;").empty());
    const std::string strand = "def s strand(line(0,0,0, 0,1,0)); ";
    CHECK(!test::codes_of(strand + "children(0); end; s;").empty());
    CHECK(!test::codes_of(strand + "children(20000); end; s;").empty());
    CHECK(!test::codes_of(strand + "children(20, clump = 2); end; s;").empty());
    CHECK(test::codes_of(kBox + "children(20); end; crate;") == test::Codes{"no-strand"});
}

TEST_CASE("a studio has a sky, a floor, a sun and a lens; the last one counts")
{
    const Scene scene = test::sound_scene(
        "def a label(); end; a; studio(night); studio(evening, wood, azimuth = 10 deg, "
        "softness = 0.2, light = 2, backdrop = \"#ff0000\", aperture = 1 cm, shutter = 0.5, "
        "ground = -1); still(0.5 sec);");
    REQUIRE(scene.studio);
    const Studio& studio = *scene.studio;
    CHECK(studio.sky == Sky::evening);
    CHECK(studio.floor == Floor::wood);
    CHECK(*studio.azimuth == doctest::Approx(0.17453292519943295));
    CHECK(!studio.elevation);
    CHECK(*studio.ground == -1);
    CHECK(studio.softness == 0.2);
    CHECK(studio.light == 2);
    CHECK(*studio.backdrop == Vec3{1, 0, 0});
    CHECK(studio.aperture == 0.01);
    CHECK(studio.shutter == 0.5);
    CHECK(*scene.still == 0.5);
    CHECK(!test::codes_of("studio(dusk);").empty());
    CHECK(!test::codes_of("studio(backdrop = \"red\");").empty());
}

TEST_CASE("looks are part of the fingerprint, and scripts without them keep theirs")
{
    const auto print = [](const std::string& words) {
        return fingerprint(test::sound_scene(kBox + words + " end; crate;"));
    };
    CHECK(print("") != print("look(wood);"));
    CHECK(print("look(steel);") != print("look(steel, roughness = 0.5);"));
    const std::string label = "def a label(); end; a; ";
    CHECK(fingerprint(test::sound_scene(label)) !=
          fingerprint(test::sound_scene(label + "studio(night);")));
}
