#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A number known when the script is read, as the amount of a translation behind statements.
double constant(const std::string& value, const std::string& before = "")
{
    const Scene scene = sound_scene(before + "\nlabel() translatex(" + value + ");");
    REQUIRE(scene.transformations.back().amount.is_constant());
    return scene.transformations.back().amount.number;
}

/// The same of what moves, at a time.
double at(double time, const std::string& value, const std::string& before = "")
{
    const Scene scene = sound_scene(before + "\nlabel() translatex(" + value + ");");
    return rates_at(scene, scene.transformations.back().amount, time).value;
}

/// The codes of all problems of a script.
std::set<std::string> codes(const std::string& text)
{
    std::set<std::string> out;
    for (const Problem& problem : read_script("t.charli", text, no_files()).problems)
        out.insert(problem.code);
    return out;
}

bool refuses(const std::string& text, const std::string& code)
{
    const ScriptReading reading = read_script("t.charli", text, no_files());
    INFO(problems_text(reading.problems, false));
    return !reading.is_sound() && codes(text).contains(code);
}

} // namespace

TEST_CASE("a vector is added, scaled and taken apart by component")
{
    const std::string p = "var p, q; p = (1, 2, 3); q = 2 * p - (0, 1, 0) / 2;";
    CHECK(constant("q.x", p) == 2);
    CHECK(constant("q.y", p) == 3.5);
    CHECK(constant("q[2]", p) == 6);
    CHECK(constant("(-p).z", p) == -3);
    CHECK(constant("dot(p, q)", p) == 2 + 7 + 18);
    CHECK(constant("cross((1, 0, 0), (0, 1, 0)).z") == 1);
    CHECK(constant("length((3, 4, 0))") == 5);
    CHECK(constant("unit((0, 5, 0)).y") == 1);
    CHECK(constant("count(concat(p, [4, 5]))", p) == 5);
}

TEST_CASE("a vector stands for three arguments, an object for its place")
{
    const Scene scene = sound_scene("var v; v = (1, 2, 3); def bob mass(1); end;"
                                    "a = bob translate(v); b = bob translate(2 * v);"
                                    "line(a, b); force(a, v); gravity((0, -1, 0));"
                                    "m = label() translate((a.at + b.at) / 2);");
    const Posture posture(scene);
    CHECK(posture.place("a").y == 2);
    CHECK(posture.place("m").z == 4.5);
    CHECK(scene.settings.gravity_y.number == -1);
    CHECK(scene.forces[0].z.number == 3);
    REQUIRE(scene.drawings[0].points.count == 6);
    const Value end_y = scene.values[scene.drawings[0].points.first + 4];
    CHECK(scene.formulas[end_y.formula].operation == Operation::position);
}

TEST_CASE("what moves in a vector moves by component")
{
    const std::string v = "var v; v = {(0, 0, 1) at 0 sec linear (2, 4, 5) at 2 sec};";
    CHECK(at(1, "v.y", v) == doctest::Approx(2));
    CHECK(at(1, "length(v)", v) == doctest::Approx(std::sqrt(1. + 4 + 9)));
    CHECK(at(2, "(time, 2 * time, 1)[1]") == 4);
}

TEST_CASE("a loop goes through a list, or by steps")
{
    const Scene scene = sound_scene("for x in [1, 4, 9] label() translatex(x); end;"
                                    "for i in 10..0 step -5 label() translatex(i); end;"
                                    "for i in 0..1 step 0.1 label() translatex(i); end;"
                                    "for p in [(1, 2, 3), (4, 5, 6)] label() translate(p); end;");
    CHECK(scene.labels.size() == 3 + 3 + 11 + 2);
    CHECK(scene.transformations[1].amount.number == 4);
    CHECK(scene.transformations[4].amount.number == 5);
    CHECK(scene.transformations[3 + 3 + 11 + 3].amount.number == 4);
}

TEST_CASE("a loop may go through objects")
{
    const Scene scene = sound_scene("def bob mass(1); end; a = bob translatex(1); b = bob;"
                                    "for o in [a, b] force(o, 0, 1, 0); drag(o, 2); end;");
    CHECK(scene.forces.size() == 2);
    CHECK(scene.drags[1].object == scene.forces[1].object);
}

TEST_CASE("step and m stay names where they were names")
{
    const Scene scene = sound_scene("def m mass(1); end; def step mass(1); end;"
                                    "for i in 1..2 m translatex(i); end;"
                                    "for i in 1..2 step translatex(i); end;"
                                    "label() translatex(3 m);");
    CHECK(scene.masses.size() == 4);
    CHECK(scene.transformations.back().amount.number == 3);
}

TEST_CASE("a function gives a value of its arguments")
{
    const std::string f =
        "def area(r, k = pi) = k * r * r; def twice(x) = 2 * x;"
        "def fact(n) = n < 2 ? 1 : n * fact(n - 1); def tip(a) = (cos(a), sin(a), 0);";
    CHECK(constant("area(2, k = 3)", f) == 12);
    CHECK(constant("area(1)", f) == doctest::Approx(3.14159265358979));
    CHECK(constant("fact(5)", f) == 120);
    CHECK(constant("tip(0).x", f) == 1);
    CHECK(at(3, "twice(time)", f) == 6);
    const Posture posture(sound_scene(f + "a = label() translate(tip(0));"));
    CHECK(posture.place("a").x == 1);
    CHECK(refuses(f + "label() translatex(twice());", "missing-argument"));
    CHECK(refuses(f + "label() translatex(twice);", "function-as-value"));
    CHECK(refuses("def f(x) = f(x); label() translatex(f(1));", "values-too-deep"));
}

TEST_CASE("a def may have defaults, also of what stands before")
{
    const Posture posture(
        sound_scene("def rod(l, at_end = 2 * l) tip = label() translatex(at_end); end;"
                    "a = rod(3); b = rod(3, 1); c = rod(at_end = 5, l = 1);"));
    CHECK(posture.place("a.tip").x == 6);
    CHECK(posture.place("b.tip").x == 1);
    CHECK(posture.place("c.tip").x == 5);
}

TEST_CASE("let names values of one expression, var may have its value at once")
{
    CHECK(constant("let(a = 2, b = a * 3) a + b") == 8);
    CHECK(constant("a + b", "var a = 1, b = a + 2;") == 4);
    const Scene scene =
        sound_scene("dynamic x = initial(2, 1); def bob mass(1); end; bob translatex(x);");
    CHECK(scene.coordinates[0].initial == 2);
    CHECK(scene.coordinates[0].initial_rate == 1);
}

TEST_CASE("a choice of what is known looks at one side only")
{
    CHECK(constant("1 > 2 ? 3 : 4") == 4);
    CHECK(constant("n > 0 ? 1 / n : 0", "var n; n = 0;") == 0);
    CHECK(constant("1 ? 2 : 0 ? 3 : 4") == 2);
    CHECK(constant("(1 ? (1, 2, 3) : (4, 5, 6)).y") == 2);
}

TEST_CASE("comparisons of what moves are 1 or 0 while the run goes on")
{
    CHECK(at(1, "time > 2 ? 5 : 7") == 7);
    CHECK(at(3, "time > 2 ? 5 : 7") == 5);
    CHECK(at(3, "5 * (time >= 2)") == 5);
    CHECK(at(1, "time > 2 or time < 0.5") == 0);
    CHECK(at(3, "time > 2 and not time > 4") == 1);
    CHECK(at(1, "(time > 2 ? (1, 0, 0) : (0, time, 0)).y") == 1);
    CHECK(refuses("label() translatex(time == 1);", "equality-of-moving"));
    CHECK(refuses("if time > 1 label(); end;", "must-be-constant"));
}

TEST_CASE("a track repeats before and after its keys")
{
    const std::string t = "var t; t = {1 at 1 sec linear 3 at 2 sec hold 7 at 3 sec repeat};";
    CHECK(at(1.5, "t", t) == 2);
    CHECK(at(2.5, "t", t) == 3);
    CHECK(at(3, "t", t) == 1);
    CHECK(at(3.5, "t", t) == 2);
    CHECK(at(-0.5, "t", t) == 2);
    CHECK(at(101.25, "t", t) == doctest::Approx(1.5));
    CHECK(refuses("var t; t = {1 at 0 sec repeat}; label() translatex(t);", "cannot-repeat"));
}

TEST_CASE("a smooth track goes through its keys with velocity and acceleration [notes: pose_curve, "
          "eq. 6]")
{
    const std::string t = "var t; t = {0 at 1 sec smooth 1 at 2 sec smooth 4 at 3 sec smooth 9 at "
                          "4 sec smooth 8 at 5 sec};";
    const Scene scene = sound_scene(t + "\nlabel() translatex(t);");
    const Value value = scene.transformations.back().amount;
    const auto rates = [&](double time, Side side) {
        return rates_at(scene, value, time, 0, side);
    };
    for (const auto& [time, x] : {std::pair{0.0, 0.0},
                                  {1.0, 0.0},
                                  {2.0, 1.0},
                                  {3.0, 4.0},
                                  {4.0, 9.0},
                                  {5.0, 8.0},
                                  {7.0, 8.0}})
        CHECK(rates(time, Side::after).value == doctest::Approx(x));
    for (const double time : {1.2, 1.5, 2.9}) // a parabola is met exactly
        CHECK(rates(time, Side::after).value == doctest::Approx((time - 1) * (time - 1)));
    for (const double key : {2.0, 3.0, 4.0}) {
        const Rates before = rates(key, Side::before), after = rates(key, Side::after);
        CHECK(before.first == doctest::Approx(after.first));
        CHECK(before.second == doctest::Approx(after.second));
    }
    CHECK(rates(4, Side::after).first == doctest::Approx(2)); // of 4, 9, 8
    CHECK(rates(0.5, Side::after).first == 0);
    CHECK(rates(6, Side::after).first == 0);
}

TEST_CASE("a smooth track of frames, of vectors, of two keys; smooth is a name elsewhere")
{
    CHECK(at(1.5, "{0 at 0 frames smooth 1 at 24 frames smooth 4 at 48 frames}") ==
          doctest::Approx(2.25));
    CHECK(at(1.5, "t.y",
             "var t; t = {(0, 0) at 0 sec smooth (1, 1) at 1 sec smooth (2, 4) at 2 "
             "sec};") == doctest::Approx(2.25));
    CHECK(at(0.25, "{0 at 0 sec smooth 4 at 1 sec}") == doctest::Approx(1));
    CHECK(constant("smooth", "var smooth; smooth = 3;") == 3);
}

TEST_CASE("what cannot be smooth is refused")
{
    CHECK(refuses("label() translatex({0 at 0 sec smooth 1 at 1 sec linear 2 at 2 sec});",
                  "mixed-easings"));
    CHECK(refuses("label() translatex({0 at 0 sec smooth 1 at 1 sec repeat});",
                  "smooth-in-time-only"));
    CHECK(refuses("def s strand(line(0,0,0, 0,-1,0)); radius({0.1 at 0 along smooth 0.2 at 1 "
                  "along}); density(1000); young(1e6); end; s;",
                  "smooth-in-time-only"));
    CHECK(refuses("label() translatex({time at 0 sec smooth 1 at 1 sec});", "smooth-of-tracks"));
}

TEST_CASE("keys of a track that repeats are events up to the end")
{
    const Scene scene =
        sound_scene("simulate(0, 5); label() translatex("
                    "{0 at 0.3 sec linear 1 at 1.1 sec linear 0 at 2.4 sec repeat});");
    const std::vector<double> keys = key_times(scene, scene.transformations[0].amount);
    const auto has = [&](double t) {
        return std::any_of(keys.begin(), keys.end(),
                           [&](double k) { return std::abs(k - t) < 1e-12; });
    };
    CHECK(has(0.3));
    CHECK(has(2.4));
    CHECK(has(4.5));
    CHECK(has(5.3 - 2.1));
    for (std::size_t i = 1; i < keys.size(); ++i)
        CHECK(keys[i] - keys[i - 1] > 1e-3); // the end of a round is the start of the next
    // From before and from behind a jump the two sides differ.
    const Value value = scene.transformations[0].amount;
    CHECK(rates_at(scene, value, 2.4, 0, Side::before).first == doctest::Approx(-1 / 1.3));
    CHECK(rates_at(scene, value, 2.4, 0, Side::after).first == doctest::Approx(1 / 0.8));
}

TEST_CASE("random numbers depend on seed and number alone")
{
    CHECK(constant("random(1, 2)") == constant("random(1, 2)"));
    CHECK(constant("random(1, 2)") != constant("random(1, 3)"));
    CHECK(constant("random(1, 2)") != constant("random(2, 2)"));
    double sum = 0;
    for (int i = 0; i < 200; ++i) {
        const double x = constant("random(5, " + std::to_string(i) + ", 2, 4)");
        CHECK(x >= 2);
        CHECK(x < 4);
        sum += x;
    }
    CHECK(sum / 200 == doctest::Approx(3).epsilon(0.05));
}

TEST_CASE("texts are values, compared and passed on")
{
    const Scene scene =
        sound_scene("var name; name = \"#ff0000\"; def bob(look) mass(1); colour(look); end;"
                    "bob(name); def red sphere(1); obstacle(); color(\"#f00\"); end; red;"
                    "label() translatex(name == \"#ff0000\" ? 1 : 2);");
    CHECK(scene.colours[0].rgb.x == 1);
    CHECK(scene.colours[1].rgb.y == 0);
    CHECK(scene.transformations.back().amount.number == 1);
    CHECK(refuses("def a mass(1); colour(\"red\"); end; a;", "not-a-colour"));
}

TEST_CASE("echo tells each time it is carried out, assert refuses")
{
    const ScriptReading reading =
        read_script("t.charli", "for i in 1..3 echo(\"i is\", i, (i, 2)); end;", no_files());
    REQUIRE(reading.problems.size() == 3);
    CHECK(reading.problems[1].what == "i is 2 [2, 2]");
    CHECK(reading.problems[1].severity == Severity::note);
    CHECK(reading.is_sound());
    CHECK(refuses("assert(1 > 2, \"one is less\");", "assertion-failed"));
    CHECK(codes("assert(2 > 1);").empty());
}

TEST_CASE("a large angle without a unit is doubted")
{
    CHECK(codes("label() rotatez(90);").contains("degrees-meant"));
    CHECK(codes("label() rotatez(-90);").contains("degrees-meant"));
    CHECK_FALSE(codes("label() rotatez(90 deg);").contains("degrees-meant"));
    CHECK_FALSE(codes("label() rotatez(6.2);").contains("degrees-meant"));
    CHECK_FALSE(codes("label() rotatez(4 * pi);").contains("degrees-meant"));
}

TEST_CASE("a block comment may stand anywhere between words")
{
    CHECK(constant("1 /* one\n more */ + 2") == 3);
    CHECK(refuses("label(); /* no end", "open-comment"));
}

TEST_CASE("a file that two others include is there once")
{
    const Files files = {{"base.charli", "def bob mass(1); end;"},
                         {"a.charli", "include \"base.charli\"; bob translatex(1);"},
                         {"b.charli", "include \"base.charli\"; bob translatex(2);"}};
    const Scene scene = sound_scene("include \"a.charli\"; include \"b.charli\";", files);
    CHECK(scene.masses.size() == 2);
}

TEST_CASE("lists that do not fit are refused where they stand")
{
    CHECK(refuses("label() translatex((1, 2, 3));", "too-many-arguments"));
    CHECK(refuses("label() translatex((1, 2) + (1, 2, 3)[0]);", "vector-arithmetic"));
    CHECK(refuses("var v; v = (1, 2); label() translatex(v[2]);", "no-such-element"));
    CHECK(refuses("label() translatex(2 + (1, 2, 3) * (1, 2, 3));", "vector-arithmetic"));
    CHECK(refuses("for x in time label(); end;", "not-a-list"));
    CHECK(refuses("label() translatex(unit((0, 0, 0)).x);", "no-direction"));
    CHECK(refuses("for i in 1..5 step 0 label(); end;", "no-step"));
}

TEST_CASE("what comes with the program can be included wherever a script lies")
{
    const std::pair<std::string, std::string> uses[] = {
        {"wheel", "wheel() translatey(1);"},
        {"door", "d = door(most = 90 deg);"},
        {"sheave", "sheave() translatey(1);"},
        {"hook", "h = hook(); ball_joint(h, point(0, 0, 0));"},
        {"puppet", "p = puppet() translatey(1); force(p.torso, 0, 1, 0);"},
        {"rope", "a = rope(); b = knotted_rope() translatez(1);"}};
    for (const auto& [file, use] : uses) {
        CAPTURE(file);
        const Scene scene = sound_scene("include \"sinew/" + file + ".charli\";" + use);
        CHECK(scene.bodies.size() + scene.rods.size() > 0);
    }
    const Files own = {{"sinew/wheel.charli", "def wheel mass(1); end;"}};
    CHECK(sound_scene("include \"sinew/wheel.charli\"; wheel;", own).masses.size() == 1);
    CHECK(refuses("include \"sinew/whel.charli\";", "file-missing"));
}

TEST_CASE("a probe is recorded as it is named, a rate where forces are")
{
    const Scene scene = sound_scene("dynamic x; b = mass(1) translatex(x); probe(\"place\", b.at);"
                                    "probe(\"speed\", rate(x)); torque(x, -rate(x));");
    REQUIRE(scene.drawings.size() == 2);
    CHECK(scene.drawings[0].kind == DrawingKind::probe);
    CHECK(scene.drawings[1].name == "speed");
    CHECK(refuses("dynamic x; b = mass(1) translatex(x + rate(x));", "rate-out-of-place"));
}
