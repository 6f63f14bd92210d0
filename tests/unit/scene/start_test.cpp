// What the start says before the first frame.

#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A point on a rod of length 1 about the origin, starting at (x, 0) with a rate.
std::string rod(const std::string& x, const std::string& rate, const std::string& length = "1")
{
    return "def bob mass(1); end; post = label(); dynamic x, y; x = initial(" + x + ", " + rate +
           "); y = initial(0, 0); bob translatex(x) translatey(y); dist_constraint(post, bob, " +
           length + "); ";
}

Problem only_problem(const std::string& text)
{
    const Problems problems = read_text(text).problems;
    REQUIRE_MESSAGE(problems.size() == 1, problems_text(problems, false));
    return problems[0];
}

} // namespace

TEST_CASE("a start that agrees with its constraints needs no word")
{
    CHECK(codes_of(rod("1", "0")) == Codes{});
    CHECK(codes_of(rod("-1", "0")) == Codes{});
    CHECK(codes_of(rod("1.0004", "0")) == Codes{}); // printed numbers are rounded
}

TEST_CASE("a start apart is refused with both distances, unless it may be assembled")
{
    const Problem problem = only_problem(rod("3", "0"));

    CHECK(problem.code == "start-apart");
    CHECK(problem.severity == Severity::error);
    CHECK(problem.what == "at the start 'post' and 'bob' are 3 m apart, not 1 m");
    CHECK(codes_of(rod("3", "0") + "assemble;") == Codes{});
}

TEST_CASE("the printed balloon starts 14.14 m apart")
{
    const ScriptReading reading = read_script(
        "fig06.charli", read_repository_file("tests/language/printed/fig06.charli"), no_files());

    CHECK(problems_text(reading.problems, false).find("are 14.14 m apart, and should coincide") !=
          std::string::npos);
}

TEST_CASE("what nothing can mend is refused even when it may be assembled")
{
    const std::string fixed = "a = label(); b = label() translatex(3); dist_constraint(a, b, 1); ";

    CHECK(codes_of(fixed) == Codes{"cannot-be-satisfied"});
    CHECK(codes_of(fixed + "assemble;") == Codes{"cannot-be-satisfied"});
}

TEST_CASE("rates that break a constraint are noted, with the speed")
{
    const Problem own = only_problem(rod("1", "2"));
    const Problem track = only_problem(rod("1", "0", "{1 at 0 sec linear 4 at 1 sec}"));

    CHECK(own.code == "rates-contradict");
    CHECK(own.severity == Severity::note);
    CHECK(own.what == "the rates at the start break this constraint by 2 m/s");
    CHECK(track.code == "rates-contradict");
    CHECK(track.what.starts_with("the rates at the start break this constraint by 3 m/s: "));
    CHECK(codes_of(rod("1", "3", "{1 at 0 sec linear 4 at 1 sec}")) == Codes{});
}

TEST_CASE("the start is that of the simulation, not time zero")
{
    const std::string track = "{1 at 0 sec hold 5 at 1 sec}";

    CHECK(codes_of(rod("1", "0", track)) == Codes{});
    CHECK(codes_of(rod("1", "0", track) + "simulate(2 sec, 3 sec);") == Codes{"start-apart"});
    CHECK(codes_of(rod("5", "0", track) + "simulate(2 sec, 3 sec);") == Codes{});
}

TEST_CASE("imports have no value before the run: what depends on them is not judged")
{
    CHECK(codes_of("import f; " + rod("1", "0", "f")) == Codes{});
    CHECK(codes_of("import f; " + rod("1", "0", "1 + f")) == Codes{});
}

TEST_CASE("a length that a track brings to zero is noted with its time")
{
    const Problem arm = only_problem("def bob mass(1); end; dynamic a; bob translatex({2 at 0 sec"
                                     " slowinout -2 at 4 sec}) rotatez(a);");
    const Problem distance = only_problem(
        "def bob mass(1); end; post = label(); dynamic x, y, z; x = initial(1, 0);"
        "bob translate(x, y, z); dist_constraint(post, bob, {1 at 0 sec slowin 0 at 5 sec});");

    CHECK(arm.code == "length-becomes-zero");
    CHECK(arm.what.find("becomes zero at 2 s") != std::string::npos);
    CHECK(distance.code == "length-becomes-zero");
    CHECK(distance.what.starts_with("this distance becomes zero at 5 s"));
    CHECK(
        codes_of("def bob mass(1); end; dynamic a; bob translatex({2 at 0 sec linear 0 at 20 sec})"
                 " rotatez(a);") == Codes{}); // after the end
}

TEST_CASE("a direction that no mass resists is named with its object")
{
    const Problem joint = only_problem("dynamic a, b; def bob mass(1); end; def elbow label(); end;"
                                       "def lower bob translatex(1) rotatez(b); elbow; end;"
                                       "lower translatex(1) rotatez(a);");

    CHECK(joint.code == "no-mass");
    CHECK(joint.severity == Severity::error);
    CHECK(joint.what == "'elbow' has no mass: at b = 0 its acceleration is undetermined");
    CHECK(joint.hint == "give 'elbow' a mass");
}

TEST_CASE("the massless joint of the printed double pendulum is m0")
{
    const ScriptReading reading = read_script(
        "fig14.charli", read_repository_file("tests/language/printed/fig14.charli"), no_files());

    CHECK(codes_in(reading.problems) == Codes{"no-mass", "rod-past-joint"});
    CHECK(reading.problems[0].what == "'m0' has no mass: at theta1 = 0 its acceleration is "
                                      "undetermined");
}

TEST_CASE("the same massless joint away from its dead point is a warning")
{
    // det M = L⁴ m₁ (m₀ + m₁ sin² θ₁) [HerrWyvill90, fig. 14]
    const auto pendulum = [](const std::string& angle) {
        return "dynamic a, b; b = initial(" + angle +
               ", 0); def bob mass(1); end;"
               "def lower bob translatex(1) rotatez(b); end; lower translatex(1) rotatez(a);";
    };

    CHECK(only_problem(pendulum("0.5")).severity == Severity::warning);
    CHECK(codes_of(pendulum("0")) == Codes{"no-mass"});
    CHECK(codes_of(pendulum("pi")) == Codes{"no-mass"});
}

TEST_CASE("a mass resists however small it is, and constraints fix what masses do not")
{
    for (const char* mass : {"1e-15", "1 gram", "1e15"}) {
        const std::string text = "def bob mass(" + std::string(mass) +
                                 "); end; post = label(); dynamic x, y; x = initial(0.6, 0);"
                                 "y = initial(0.8, 0); bob translatex(x) translatey(y);"
                                 "dist_constraint(post, bob, 1);";
        CHECK_MESSAGE(codes_of(text) == Codes{}, mass);
    }
    CHECK(codes_of("dynamic x; tip = label() translatex(x); post = label() translatex(2);"
                   "x = initial(2, 0); dist_constraint(tip, post, 0);") == Codes{});
    CHECK(codes_of("dynamic x; tip = label() translatex(x);") == Codes{"no-mass"});
}

TEST_CASE("a block resists turning about its centre, a point does not")
{
    CHECK(codes_of("dynamic a; def crate box_mass(1, 1, 1, 1); end; crate rotatez(a);") == Codes{});
    CHECK(codes_of("dynamic a; def bob mass(1); end; bob rotatez(a);") == Codes{"no-mass"});
}

TEST_CASE("a line drawn past a joint is noticed, other lines are not")
{
    const auto leg = [](const std::string& line) {
        return "dynamic a, b; def knee mass(1); end; def foot mass(1); end;"
               "def lower foot translatex(1) rotatez(b); knee; line(0,0,0, foot_x,foot_y,0); end;"
               "def upper lower translatex(1) rotatez(a); " +
               line + " end; upper;";
    };

    CHECK(codes_of(leg("line(0,0,0, knee_x,knee_y,0);")) == Codes{});
    CHECK(codes_of(leg("line(0,0,0, foot_x,foot_y,0);")) == Codes{"rod-past-joint"});
    CHECK(codes_of(leg("line(0,0,0, 1,0,0);")) == Codes{});
    // A spring of another mechanism nearby passes no joint of this one.
    CHECK(codes_of(leg("") + "dynamic c; def bob mass(1); end; bob translatex(1) rotatez(c)"
                             " translatex(5); line(0,0,0, bob_x,bob_y,0);") == Codes{});
}

TEST_CASE("coordinates that move the same thing are told as such")
{
    const Problem problem = only_problem("dynamic x, y; m = mass(1) translatex(x) translatex(y);");
    CHECK(problem.code == "same-motion");
    CHECK(problem.what.find("'x' and 'y' move the same thing") == 0);
}

TEST_CASE("postures are found in which nothing fixes an acceleration, wherever the start is")
{
    std::string text = read_repository_file("tests/physics/reference/fig14_double.charli");
    text.replace(text.find("  mass(1.0);"), 12, "");
    text.replace(text.find("theta1 = initial(0, 0)"), 22, "theta1 = initial(0.5, 0)");
    const Problem joint = only_problem(text);
    CHECK(joint.code == "no-mass");
    CHECK(joint.severity == Severity::warning);
    CHECK(joint.what == "'m0' has no mass: where theta1 is 0 deg its acceleration is undetermined");

    const Problem gimbal = only_problem("dynamic a, b, c; k = box_mass(1, 1, 0.5, 0.2) rotatez(c) "
                                        "rotatey(b) rotatex(a);");
    CHECK(gimbal.code == "gimbal-lock");
    CHECK(gimbal.severity == Severity::note);
    CHECK(gimbal.what ==
          "where b is 90 deg 'c' and 'a' rotate the same thing about the same axis: gimbal lock");
}
