#include "math/functions.h"
#include "support/readings.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

/// The scene of `label() translatex(value);` behind some statements: its value is amount_of it.
Scene scene_with(const std::string& value, const std::string& before = "")
{
    return sound_scene(before + "\nlabel() translatex(" + value + ");");
}

Value amount_of(const Scene& scene) { return scene.transformations.back().amount; }

/// A number known when the script is read.
double constant(const std::string& value, const std::string& before = "")
{
    const Scene scene = scene_with(value, before);
    REQUIRE(amount_of(scene).is_constant());
    return amount_of(scene).number;
}

/// A value that moves, at a time.
double at(double time, const std::string& value, const std::string& before = "")
{
    const Scene scene = scene_with(value, before);
    REQUIRE_FALSE(amount_of(scene).is_constant());
    return rates_at(scene, amount_of(scene), time).value;
}

} // namespace

TEST_CASE("arithmetic on numbers is done when the script is read")
{
    CHECK(constant("1 + 2 * 3 - 4 / 2") == 5);
    CHECK(constant("(1 + 2) * 3") == 9);
    CHECK(constant("2 - 3 - 4") == -5);
    CHECK(constant("8 / 4 / 2") == 1);
    CHECK(constant("-2 * -3") == 6);
    CHECK(constant("+5 - -1") == 6);
    CHECK(constant("pi") == std::numbers::pi);
}

TEST_CASE("comparisons and logic give 1 or 0")
{
    CHECK(constant("(1 < 2) + (2 <= 2) + (3 > 2) + (2 >= 3) + (1 == 1) + (1 != 1)") == 4);
    CHECK(constant("(1 and 0) + (1 or 0) * 10 + (not 1) * 100 + (not 0) * 1000") == 1010);
    CHECK(constant("(0 or 1 and 0)") == 0);
    CHECK(constant("(not 1 == 2)") == 1);
    CHECK(constant("(2 and 3)") == 1);
}

TEST_CASE("and and or stop where the answer is known")
{
    CHECK(constant("(n != 0 and 1 / n > 2)", "var n; n = 0;") == 0);
    CHECK(constant("(n == 0 or 1 / n > 2)", "var n; n = 0;") == 1);
    CHECK(codes_of("label() translatex((1 and 1 / 0));") == Codes{"division-by-zero"});
}

TEST_CASE("functions are those of the books")
{
    CHECK(constant("sin(30 deg)") == doctest::Approx(0.5));
    CHECK(constant("cos(60 deg)") == doctest::Approx(0.5));
    CHECK(constant("tan(45 deg)") == doctest::Approx(1));
    CHECK(constant("asin(1) + acos(1) + atan(1)") == doctest::Approx(0.75 * std::numbers::pi));
    CHECK(constant("atan2(1, -1)") == doctest::Approx(0.75 * std::numbers::pi));
    CHECK(constant("sqrt(2) * sqrt(2)") == doctest::Approx(2));
    CHECK(constant("log(exp(3))") == doctest::Approx(3));
    CHECK(constant("pow(2, 10)") == doctest::Approx(1024));
    CHECK(constant("abs(-3) + min(1, 2) + max(1, 2)") == 6);
    CHECK(constant("floor(-1.5) * 10 + ceil(-1.5)") == -21);
    CHECK(constant("mod(7, 3)") == 1);
    CHECK(constant("mod(-1, 3)") == 2); // between 0 and n
    CHECK(constant("pow(x = 3, n = 2)") == doctest::Approx(9));
}

TEST_CASE("a unit makes its number SI, and binds to it alone")
{
    CHECK(constant("5 cm") == 0.05);
    CHECK(constant("-2 km") == -2000);
    CHECK(constant("2 * 30 deg") == doctest::Approx(std::numbers::pi / 3));
    CHECK(constant("250 gram + 1 kg", "") == 1.25);
    CHECK(constant("1 / (2 cm)") == 50);
    CHECK(codes_of("label() translatex(1/2 cm);") == Codes{"unit-below-fraction"});
    CHECK(codes_of("label() translatex(3 * 1/2 cm);") == Codes{"unit-below-fraction"});
    CHECK(codes_of("def bob mass(2 cm); end; bob translatex(90 deg);") ==
          Codes{"unit-mismatch", "unit-mismatch"});
}

TEST_CASE("numbers that do not exist are refused where they arise")
{
    for (const char* value :
         {"sqrt(-1)", "log(0)", "log(-1)", "asin(2)", "acos(-2)", "pow(10, 400)", "pow(-1, 0.5)",
          "exp(1000)", "1e200 * 1e200", "mod(1, 0)", "1e308 + 1e308"})
        CHECK_MESSAGE(codes_of("label() translatex(" + std::string(value) + ");") ==
                          Codes{"no-such-number"},
                      value);
    CHECK(codes_of("label() translatex(1 / 0);") == Codes{"division-by-zero"});
    CHECK(codes_of("var z; z = 0; label() translatex(time / z);") == Codes{"division-by-zero"});
    CHECK(codes_of("label() translatex(1e308 km);") == Codes{"number-too-large"});
    CHECK(codes_of("label() translatex(-1e999);") == Codes{"number-too-large"});
    CHECK(constant("1e-300 * 1e-300") == 0);
}

TEST_CASE("a formula has at each time the value that its numbers would have")
{
    // A random expression tree, as a script and as a function.
    struct Tree {
        std::string text;
        std::function<double(double)> value;
    };
    const std::function<Tree(int)> grow = [&](int depth) -> Tree {
        const int kind = *rc::gen::inRange(0, depth == 0 ? 3 : 9);
        if (kind == 0)
            return {"time", [](double t) { return t; }};
        if (kind == 1)
            return {"r", [](double t) { return t < 0 ? 1 : t > 2 ? 4 : 1 + 0.75 * t * t; }};
        if (kind == 2) {
            const int n = *rc::gen::inRange(-3, 4);
            return {"(" + std::to_string(n) + ")", [n](double) { return double(n); }};
        }
        const Tree a = grow(depth - 1), b = grow(depth - 1);
        switch (kind) {
        case 3:
            return {"(" + a.text + " + " + b.text + ")",
                    [=](double t) { return a.value(t) + b.value(t); }};
        case 4:
            return {"(" + a.text + " - " + b.text + ")",
                    [=](double t) { return a.value(t) - b.value(t); }};
        case 5:
            return {"(" + a.text + " * " + b.text + ")",
                    [=](double t) { return a.value(t) * b.value(t); }};
        case 6: return {"(-" + a.text + ")", [=](double t) { return -a.value(t); }};
        case 7: return {"cos(" + a.text + ")", [=](double t) { return sinew::cos(a.value(t)); }};
        default:
            return {"max(" + a.text + ", " + b.text + ")",
                    [=](double t) { return std::max(a.value(t), b.value(t)); }};
        }
    };
    CHECK(rc::check("pointwise", [&] {
        const Tree tree = grow(4);
        const Scene scene = scene_with(
            tree.text, "var r; r = {1 at 0 sec slowin 4 at 2 sec}; label() translatex(r);");

        for (const double t : {-1.0, 0.0, 0.3, 1.7, 2.0, 5.0}) {
            const double found = rates_at(scene, amount_of(scene), t).value;
            const double wanted = tree.value(t);
            RC_ASSERT(std::abs(found - wanted) <= 1e-12 * (1 + std::abs(wanted)));
        }
    }));
}

TEST_CASE("arithmetic on tracks is pointwise")
{
    const std::string tracks = "var a, b; a = {0 at 0 sec linear 4 at 4 sec};"
                               "b = {10 at 1 sec linear 30 at 3 sec};";

    CHECK(at(0, "a + b", tracks) == 10);
    CHECK(at(2, "a + b", tracks) == 22);
    CHECK(at(2, "a * b", tracks) == 40);
    CHECK(at(9, "a / b", tracks) == 4.0 / 30);
    CHECK(at(2, "2 * a - 1", tracks) == 3);
    const Scene scene = scene_with("a * b", tracks);
    CHECK(rates_at(scene, amount_of(scene), 2).first == 40); // a' b + a b' = 1·20 + 2·10
    CHECK(key_times(scene, amount_of(scene)) == std::vector<double>{0, 1, 3, 4});
}

TEST_CASE("keys count in seconds, frames or places along a curve")
{
    CHECK(at(1, "{0 at 0 sec linear 2 at 2 sec}") == 1);
    CHECK(at(1, "{0 at 0 frames linear 2 at 48 frames}") == 1); // 24 frames a second
    CHECK(at(1, "{0 at 0 frames linear 2 at 20 frames}", "frame_rate(10);") == 1);
    CHECK(at(1, "{0 at 0 sec linear 2 at 2000 ms sec}") == 1);
    const Scene scene = sound_scene("label() translatex({0 at 0 frames linear 2 at 20 frames});"
                                    "frame_rate(30);",
                                    {}, {.parameters = {}, .frame_rate = 10});
    CHECK(rates_at(scene, amount_of(scene), 1).value == 1); // the caller's rate wins
    CHECK(scene.settings.frame_rate == 10);
}

TEST_CASE("keys in frames and in seconds may be mixed as long as they rise")
{
    CHECK(at(1.5, "{0 at 1 sec linear 2 at 48 frames}") == 1);
    CHECK(codes_of("label() translatex({0 at 1 sec linear 2 at 24 frames});") ==
          Codes{"keys-out-of-order"});
    CHECK(codes_of("frame_rate(10); label() translatex({0 at 1 sec linear 2 at 24 frames});") ==
          Codes{});
    CHECK(codes_of("label() translatex({0 at 1 sec linear 2 at 1 sec});") ==
          Codes{"keys-out-of-order"});
    CHECK(codes_of("label() translatex({0 at 1 sec hold 2 at 0 sec});") ==
          Codes{"keys-out-of-order"});
}

TEST_CASE("the values and places of keys are expressions")
{
    CHECK(at(3, "{a at b sec linear 2 * a at b + 2 sec}", "var a, b; a = 5; b = 2;") == 7.5);
    CHECK(at(1, "{time at 0 sec linear 10 at 2 sec}") == 5.5); // the key itself moves
    CHECK(codes_of("label() translatex({0 at time sec});") == Codes{"must-be-constant"});
    CHECK(codes_of("dynamic q; label() translatex({0 at q sec});") == Codes{"must-be-constant"});
}

TEST_CASE("a key's value may be a track: a ramp of tracks, a track of ramps")
{
    const Scene scene = sound_scene("var r; r = { {0 at 0 sec linear 8 at 2 sec} at 0 along linear"
                                    " {4 at 0 sec linear 0 at 2 sec} at 1 along };"
                                    "var s; s = { {1 at 0 along linear 3 at 1 along} at 0 sec"
                                    " linear 7 at 1 sec };");
    const auto value = [&](std::uint32_t track, double time, double along) {
        for (std::uint32_t i = 0; i < scene.formulas.size(); ++i)
            if (scene.formulas[i].operation == Operation::track && scene.formulas[i].index == track)
                return rates_at(scene, {0, i}, time, along).value;
        return std::nan("");
    };

    REQUIRE(scene.tracks.size() == 5); // inner ones come first
    CHECK(value(2, 0, 0) == 0);
    CHECK(value(2, 0, 1) == 4);
    CHECK(value(2, 1, 0.5) == 3); // halfway between 4 and 2
    CHECK(value(4, 0, 0.5) == 2);
    CHECK(value(4, 0.5, 0.5) == 4.5);
}

TEST_CASE("a track has keys of one kind, in order, on the curve")
{
    CHECK(codes_of("label() translatex({0 at 0 sec linear 1 at 1 along});") == Codes{"mixed-keys"});
    CHECK(codes_of("var r; r = {0 at 0 along linear 1 at 1.5 along};") == Codes{"key-off-curve"});
    CHECK(codes_of("var r; r = {0 at -0.5 along linear 1 at 1 along};") == Codes{"key-off-curve"});
    CHECK(codes_of("label() translatex({0 at 0 along linear 1 at 1 along});") ==
          Codes{"ramp-out-of-place"});
}

TEST_CASE("what moves is told from what is known")
{
    const auto depends = [](const std::string& value, const std::string& before) {
        const Scene scene = scene_with(value, before);
        return !is_known_in_advance(scene, amount_of(scene));
    };

    CHECK_FALSE(depends("sin(time)", ""));
    CHECK_FALSE(depends("{0 at 0 sec linear 1 at 1 sec} ", ""));
    CHECK(depends("sin(q)", "dynamic q; def bob mass(1); end; bob translatex(q);"));
    CHECK(depends("f + 1", "import f;"));
    CHECK(depends("a_x", "a = label() translatey(1);"));
}

TEST_CASE("a path takes numbers, tracks and positions")
{
    const Scene scene =
        sound_scene("var p; p = spline(0,0,0, t,1,0, a_x,2,0); var t;"
                    "t = {0 at 0 sec linear 1 at 1 sec}; a = label() translatex(3); path(p);");

    REQUIRE(scene.paths.size() == 1);
    CHECK(scene.paths[0].kind == PathKind::spline);
    CHECK(scene.paths[0].points.count == 9);
    CHECK(codes_of("var p; p = line(0,0,0, 1,1,1); label() translatex(p + 1);") ==
          Codes{"path-as-number"});
}
