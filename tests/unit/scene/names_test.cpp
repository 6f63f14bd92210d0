#include "scene/validate/problems.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("an object has its plain name where it is the only one, else the way down to it")
{
    SceneBuilder builder;
    const ObjectId left = builder.add_object("left");
    builder.add_object("tip", left);
    builder.add_object("only", left);
    const ObjectId right = builder.add_object("right");
    const ObjectId arm = builder.add_object("arm", right);
    builder.add_object("tip", arm);
    builder.scene.objects[left.index].index = 3;
    builder.scene.objects[right.index].ordinal = 2;

    CHECK(object_names(builder.finish()) ==
          Codes{"world", "left[3]", "left[3].tip", "only", "right#2", "arm", "right#2.arm.tip"});
}

TEST_CASE("what a script wrote is placed there, what a program made at its element")
{
    Scene scene = SceneBuilder().finish();
    scene.files.push_back({"t.charli", std::make_shared<const std::string>("one\nä two three")});
    const Origin origin{0, 7, 3}; // "two": the umlaut has two bytes

    CHECK(place_of(scene, origin) == Place{"t.charli", 2, 3, 3});
    CHECK(text_of(scene, origin) == "two");
    const Problem problem = make_problem(scene, Severity::note, "c", origin, "masses[0]", "w", "h");
    CHECK(problem.place.line == 2);
    CHECK(problem.source_line == "ä two three");

    CHECK(place_of(scene, {}) == Place{});
    CHECK(text_of(scene, {}) == "");
    CHECK(to_string(make_problem(scene, Severity::note, "c", {}, "masses[0]", "w", "h").place) ==
          "masses[0]");
}
