#include "support/readings.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Where `bob` is put by translatex(x) in a script that says how.
double x_of(const std::string& text, const std::string& name = "bob")
{
    return Posture(sound_scene("def bob mass(1); end;\n" + text)).place(name).x;
}

std::vector<std::string> names_of(const Scene& scene)
{
    std::vector<std::string> names = object_names(scene);
    names.erase(names.begin()); // the world
    return names;
}

} // namespace

// --- order of statements

TEST_CASE("statements may come in any order")
{
    const std::vector<std::string> statements = {
        "var a, b;",
        "a = b + 1;",
        "b = 2;",
        "dynamic x, y;",
        "x = initial(a, 0);",
        "def bob mass(1); end;",
        "def pair left = bob translatex(x) translatey(y); end;",
        "pair;",
        "post = label();",
        "dist_constraint(post, left, a);",
        "line(0, 0, 0, left_x, left_y, 0);",
        "for i in 1..b r[i] = label() translatex(i * a); end;",
        "if a > 2 big = label() translatez(a); else small = label(); end;",
        "frame_rate(12);",
    };

    CHECK(rc::check("the same scene", [&] {
        std::vector<std::size_t> order(statements.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        for (std::size_t i = order.size(); i-- > 1;)
            std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
        std::string text;
        for (const std::size_t i : order)
            text += statements[i] + "\n";

        const ScriptReading reading = read_text(text);

        RC_ASSERT(reading.problems.empty());
        const Posture posture(reading.scene);
        RC_ASSERT(is_near(posture.place("left"), {3, 0, 0}));
        RC_ASSERT(is_near(posture.place("r[2]"), {6, 0, 0}));
        RC_ASSERT(is_near(posture.place("big"), {0, 0, 3}));
        RC_ASSERT(reading.scene.settings.frame_rate == 12);
        RC_ASSERT(reading.reading.freedom == 1);
    }));
}

TEST_CASE("a constraint may precede the instance it mentions")
{
    const Scene scene = sound_scene("dist_constraint(a, b, 2);"
                                    "a = bob; b = bob translatex(2);"
                                    "def bob mass(1); end;");

    REQUIRE(scene.distance_constraints.size() == 1);
    CHECK(scene.distance_constraints[0].a == ObjectId{1});
    CHECK(scene.distance_constraints[0].b == ObjectId{2});
}

TEST_CASE("a loop and a condition may stand before the values they need")
{
    CHECK(names_of(sound_scene("var n, k; for i in 1..n b[i] = label(); end; n = k; k = 2;")) ==
          Codes{"b[1]", "b[2]"});
    CHECK(names_of(sound_scene("var n; if n > 1 a = label(); else b = label(); end; n = 5;")) ==
          Codes{"a"});
    CHECK(codes_of("var n; for i in 1..n b[i] = label(); end; if 1 n = 3; end;") ==
          Codes{"no-value"});
}

// --- var

TEST_CASE("a variable is assigned once")
{
    CHECK(codes_of("var a; a = 1; a = 2; label() translatex(a);") == Codes{"assigned-twice"});
    CHECK(codes_of("var a; a[1] = 1; a[1] = 2; label() translatex(a[1]);") ==
          Codes{"assigned-twice"});
    CHECK(codes_of("var a; a[1] = 1; a = 2; label() translatex(a);") == Codes{"assigned-twice"});
    CHECK(codes_of("var a; if 1 a = 1; else a = 2; end; label() translatex(a);") == Codes{});
    CHECK(codes_of("param a = 1; a = 2; label() translatex(a);") == Codes{"cannot-assign"});
    CHECK(codes_of("import a; a = 2; label() translatex(a);") == Codes{"cannot-assign"});
}

TEST_CASE("a variable holds a constant, a track, a ramp or a path")
{
    const Scene scene = sound_scene("var c, t, r, p; c = 2; t = {0 at 0 sec linear 1 at 1 sec};"
                                    "r = {0 at 0 along linear 1 at 1 along};"
                                    "p = line(0,0,0, c,t,0);"
                                    "def bob mass(1); end;"
                                    "bob translatex(c) translatey(t); path(p);");

    CHECK(scene.paths.size() == 1);
    CHECK(scene.tracks.size() == 2);
    CHECK(scene.transformations[0].amount.is_constant());
    CHECK_FALSE(scene.transformations[1].amount.is_constant());
}

TEST_CASE("a value that depends on itself is refused, however long the way")
{
    CHECK(codes_of("var a; a = a; label() translatex(a);") == Codes{"depends-on-itself"});
    CHECK(codes_of("var a, b, c; a = b; b = c + 1; c = sin(a); label() translatex(a);") ==
          Codes{"depends-on-itself"});
    CHECK(codes_of("var a; a[1] = a[2]; a[2] = a[1]; label() translatex(a[1]);") ==
          Codes{"depends-on-itself"});
}

TEST_CASE("rows of values are indexed by whole numbers, in any order")
{
    CHECK(x_of("var h; h[2] = h[1] * 3; h[1] = 2; h[-1] = 1; h[0] = 5; bob translatex(h[2]);") ==
          6);
    CHECK(x_of("var f; f[0] = 0; f[1] = 1; for i in 2..20 f[i] = f[i - 1] + f[i - 2]; end;"
               "bob translatex(f[20]);") == 6765);
    CHECK(x_of("var f; for i in 1..9 f[i] = f[i + 1] + 1; end; f[10] = 0; bob translatex(f[1]);") ==
          9);
}

TEST_CASE("an inner name hides an outer one")
{
    CHECK(x_of("var a; a = 1; def shifted var a; a = 5; bob translatex(a); end;"
               "shifted translatex(a);") == 6);
    CHECK(codes_of("var r; def bob r = 1; mass(r); end; bob;") == Codes{"assigned-from-inside"});
}

// --- for

TEST_CASE("a loop counts whole numbers, both ends included")
{
    CHECK(names_of(sound_scene("for i in -1..1 b[i] = label(); end;")) ==
          Codes{"b[-1]", "b[0]", "b[1]"});
    CHECK(names_of(sound_scene("for i in 2..2 b[i] = label(); end;")) == Codes{"b[2]"});
    CHECK(names_of(sound_scene("a = label(); for i in 2..1 b[i] = label(); end;")) == Codes{"a"});
    CHECK(codes_of("for i in 1..2.5 b[i] = label(); end;") == Codes{"not-whole"});
    CHECK(codes_of("for i in 1..1e300 b[i] = label(); end;") == Codes{"not-whole"});
}

TEST_CASE("inside a loop a variable belongs to its round")
{
    CHECK(x_of("for i in 1..3 var a; a = i * i; b[i] = bob translatex(a); end;", "b[3]") == 9);
    CHECK(codes_of("for i in 1..3 var a; a = i; end; label() translatex(a);") ==
          Codes{"never-used", "unknown-name"});
    CHECK(codes_of("var a; for i in 1..3 a = i; b[i] = label() translatex(a); end;") ==
          Codes{"assigned-twice"});
}

TEST_CASE("inside a loop a dynamic belongs to its round")
{
    const Scene scene = sound_scene("def bob mass(1); end; for i in 1..3 dynamic q;"
                                    "q = initial(i, 10 * i); b[i] = bob translatex(q); end;");

    REQUIRE(scene.coordinates.size() == 3);
    CHECK(scene.coordinates[2].initial == 3);
    CHECK(scene.coordinates[2].initial_rate == 30);
    CHECK(scene.coordinates[0].name == "q");
    CHECK(scene.coordinates[2].name == "q#3");
}

TEST_CASE("an indexed instance belongs to the def around the loop")
{
    const Posture posture(sound_scene("def bob mass(1); end;"
                                      "def row for i in 1..3 for j in 1..2"
                                      " b[10 * i + j] = bob translatex(i) translatey(j);"
                                      " end; end; end;"
                                      "left = row translatez(1);"
                                      "mark = label() translatex(left.b[32].x);"));

    CHECK(is_near(posture.place("b[32]"), {3, 2, 1}));
    CHECK(posture.place("mark").x == 3);
    CHECK(posture.scene().objects[posture.object("b[32]").index].parent == posture.object("left"));
}

TEST_CASE("rows of dynamics have a coordinate for each index")
{
    const Scene scene =
        sound_scene("def bob mass(1); end; dynamic x;"
                    "for i in 1..3 x[i] = initial(i, 0); b[i] = bob translatex(x[i]); end;");

    REQUIRE(scene.coordinates.size() == 3);
    CHECK(scene.coordinates[1].name == "x[2]");
    CHECK(scene.coordinates[1].initial == 2);
}

// --- if

TEST_CASE("a condition is decided when the script is read")
{
    CHECK(names_of(sound_scene("if 1 a = label(); else b = label(); end;")) == Codes{"a"});
    CHECK(names_of(sound_scene("if 0 a = label(); else b = label(); end;")) == Codes{"b"});
    CHECK(names_of(sound_scene("c = label(); if 0 a = label(); end;")) == Codes{"c"});
    CHECK(names_of(sound_scene("if 2 > 1 if 2 < 1 a = label(); else b = label(); end; end;")) ==
          Codes{"b"});
    CHECK(codes_of("if time > 1 a = label(); end;") == Codes{"must-be-constant"});
    CHECK(codes_of("dynamic q; if q > 1 a = label(); end; label() translatex(q);") ==
          Codes{"must-be-constant"});
}

TEST_CASE("names declared in a branch belong to the block around")
{
    CHECK(x_of("if 1 var a; a = 4; end; bob translatex(a);") == 4);
    CHECK(x_of("if 0 var a; a = 4; else var b; b = 5; end; bob translatex(b);") == 5);
}

TEST_CASE("a def may call itself as long as a condition ends it")
{
    const Posture posture(sound_scene("def tower(n) tip = label() translatey(n);"
                                      "if n > 0 next = tower(n - 1) translatex(1); end; end;"
                                      "t = tower(3);"));

    CHECK(is_near(posture.place("t.next.next.next.tip"), {3, 0, 0}));
    CHECK(is_near(posture.place("t.next.tip"), {1, 2, 0}));
}

// --- param

TEST_CASE("a param has its own value unless another is given")
{
    const std::string text = "param size = 2 [0..10] \"how large\"; def bob mass(1); end;"
                             "bob translatex(size);";

    const Scene plain = sound_scene(text);
    const Scene given = sound_scene(text, {}, {.parameters = {{"size", "5 cm"}}});

    REQUIRE(plain.parameters.size() == 1);
    CHECK(plain.parameters[0].name == "size");
    CHECK(plain.parameters[0].value == 2);
    CHECK(plain.parameters[0].low == 0);
    CHECK(plain.parameters[0].high == 10);
    CHECK(plain.parameters[0].text == "how large");
    CHECK(given.parameters[0].value == 0.05);
    CHECK(Posture(given).place("bob").x == 0.05);
}

TEST_CASE("a given value may have a sign and any unit, but must be a number within the range")
{
    const std::string text = "param a = 1 [-7..2000]; def bob mass(1); end; bob translatex(a);";
    const auto given = [&](const std::string& value) {
        return ReadOptions{.parameters = {{"a", value}}};
    };

    CHECK(sound_scene(text, {}, given("-2")).parameters[0].value == -2);
    CHECK(sound_scene(text, {}, given("1.5 km")).parameters[0].value == 1500);
    CHECK(sound_scene(text, {}, given("180 deg")).parameters[0].value ==
          doctest::Approx(3.141592653589793));
    for (const char* value : {"", "x", "1 + 1", "1;", "1e999", "1e308 km"})
        CHECK(codes_of(text, {}, given(value)) == Codes{"param-not-a-number"});
    CHECK(codes_of(text, {}, given("3 km")) == Codes{"param-outside-range"});
    CHECK(codes_of(text, {}, {.parameters = {{"b", "1"}}}) == Codes{"unknown-param"});
}

TEST_CASE("a param decides how many, and other values may depend on it")
{
    const std::string text = "param n = 2; var twice; twice = 2 * n;"
                             "for i in 1..twice b[i] = label(); end;";

    CHECK(sound_scene(text).labels.size() == 4);
    CHECK(sound_scene(text, {}, {.parameters = {{"n", "5"}}}).labels.size() == 10);
}

TEST_CASE("params of a namespace are called with it")
{
    const Files files = {{"part.charli", "param size = 1; def bob mass(1); end;"
                                         "bob translatex(size);"}};
    const std::string text =
        "include \"part.charli\" as a; include \"part.charli\" as b; param size = 7;";

    const Scene scene = sound_scene(text, files, {.parameters = {{"b.size", "3"}}});

    std::vector<std::string> names;
    for (const Parameter& parameter : scene.parameters)
        names.push_back(parameter.name);
    std::sort(names.begin(), names.end());
    CHECK(names == Codes{"a.size", "b.size", "size"});
    CHECK(Posture(scene).place("a.bob").x == 1);
    CHECK(Posture(scene).place("b.bob").x == 3);
}
