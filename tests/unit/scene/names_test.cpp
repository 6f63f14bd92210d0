#include "scene/validate/problems.h"
#include "sinew/names.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("messages use the plain name where it is the only one, tables always the way down")
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

    const Scene scene = builder.finish();
    CHECK(object_names(scene) ==
          Codes{"world", "left[3]", "left[3].tip", "only", "right#2", "arm", "right#2.arm.tip"});
    CHECK(object_paths(scene) == Codes{"world", "left[3]", "left[3].tip", "left[3].only", "right#2",
                                       "right#2.arm", "right#2.arm.tip"});
}

TEST_CASE("a name stays when another instance is added, and old and short names are found")
{
    const std::string one = "def crate lug = label() translatex(1); probe(\"h\", lug_y); end;"
                            "c0 = crate; crate;",
                      two = one + "c1 = crate; crate;";
    const Scene before = sound_scene(one), after = sound_scene(two);
    const std::vector<std::string> few = object_paths(before), many = object_paths(after);

    CHECK(few == Codes{"world", "c0", "c0.lug", "crate", "crate.lug"});
    for (const std::string& name : few)
        CHECK(std::ranges::count(many, name) == 1);
    CHECK(probe_names(before) == Codes{"c0.h", "crate.h"});
    CHECK(probe_names(after) == Codes{"c0.h", "crate.h", "c1.h", "crate#2.h"});

    const auto meant = [](const std::vector<std::string>& names, const std::string& text) {
        Codes found;
        for (const std::size_t i : find_names(names, text))
            found.push_back(names[i]);
        return found;
    };
    CHECK(meant(few, "c0.lug") == Codes{"c0.lug"});
    CHECK(meant(many, "c0.lug") == Codes{"c0.lug"});
    CHECK(meant(many, "crate#1.lug") == Codes{"crate.lug"}); // of older versions
    CHECK(meant(many, "crate#2.lug") == Codes{"crate#2.lug"});
    CHECK(meant(many, "lug").size() == 4);
    CHECK(meant(many, "c2.lug").empty());
    CHECK(meant({"a", "a.b.tip", "c", "c.b[2]"}, "tip") == Codes{"a.b.tip"});
    CHECK(meant({"a", "a.b.tip", "c", "c.b[2]"}, "a.tip") == Codes{"a.b.tip"});
    CHECK(meant({"a", "a.b.tip", "c", "c.b[2]"}, "c.b") == Codes{"c.b[2]"});
    CHECK(meant({"tip", "arm.tip"}, "tip") == Codes{"tip"});
    CHECK(script_name(after, {2}) == "c0.lug");
    CHECK(!script_name(after, {4})); // one of two without a name
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
