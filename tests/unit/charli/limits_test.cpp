// Scripts that ask for too much: a clear error, soon, and little memory.

#include "charli/text/read.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kSoon = 20; // seconds, with sanitizers; plain it is about one

Codes codes_within(const charli::Limits& limits, const std::string& text, const Files& files = {})
{
    return codes_in(
        charli::read("t.charli", text, files_in_memory(files), {}, limits, nullptr).problems);
}

/// The codes of a reading that must end soon.
Codes soon(const std::string& text)
{
    const auto start = std::chrono::steady_clock::now();
    const Codes codes = codes_of(text);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    CHECK_MESSAGE(elapsed.count() < kSoon, text.substr(0, 100));
    return codes;
}

std::string repeat(const std::string& piece, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += piece;
    return text;
}

const std::string kBob = "def bob mass(1); end; ";

} // namespace

TEST_CASE("loops without end are refused")
{
    CHECK(soon(kBob + "for i in 1..1e12 bob; end;") == Codes{"loop-too-long"});
    CHECK(soon(kBob + "for i in -9e15..9e15 bob; end;") == Codes{"loop-too-long"});
    CHECK(soon("for i in 1..1e5 for j in 1..1e5 for k in 1..1e5 end; end; end;") ==
          Codes{"too-much-work"});
    CHECK(soon(repeat("for i in 1..2 ", 100) + repeat("end ", 100)) == Codes{"too-much-work"});
}

TEST_CASE("ten million objects are refused")
{
    CHECK(soon(kBob + "for i in 1..10000 for j in 1..1000 bob; end; end;") ==
          Codes{"too-much-work"});
    charli::Limits limits;
    limits.object_count = 100;
    CHECK(codes_within(limits, kBob + "for i in 1..99 bob; end;") == Codes{});
    CHECK(codes_within(limits, kBob + "for i in 1..200 bob; end;") == Codes{"too-many-objects"});
    CHECK(codes_within(limits, "for i in 1..200 label() translatex(i); end;") ==
          Codes{"too-many-objects"});
}

TEST_CASE("recursion without end is refused")
{
    CHECK(soon("def a a; end; a;") == Codes{"instances-too-deep"});
    CHECK(soon("def a b; end; def b a; end; a;") == Codes{"instances-too-deep"});
    CHECK(soon("def a(n) if n > 0 a(n - 1); a(n - 1); end; end; a(150);") ==
          Codes{"too-much-work"});
    CHECK(soon("def a def a a; end; a; end; a;") == Codes{"instances-too-deep"});
}

TEST_CASE("values without number are refused")
{
    charli::Limits limits;
    limits.value_count = 100;

    CHECK(codes_within(limits, "for i in 1..200 line(0,0,0, i,i,i); end;") ==
          Codes{"too-many-values"});
    CHECK(codes_within(limits, "label() translatex(time" + repeat(" + time", 200) + ");") ==
          Codes{"too-many-values"});
    CHECK(codes_within(limits, "line(0,0,0, 1,1,1);") == Codes{});
}

TEST_CASE("formulas too large to be evaluated in every step are refused")
{
    const std::string track = "var t; t = {0 at 0 sec linear 1 at 1 sec}; ";

    CHECK(soon(track + "label() translatex(t" + repeat(" + t", 400) + ");") == Codes{});
    CHECK(soon(track + "label() translatex(t" + repeat(" + t", 1'000'000) + ");") ==
          Codes{"formula-too-large"});
    CHECK(soon(track + "var a; a[0] = t; for i in 1..100 a[i] = a[i - 1] + a[i - 1]; end;"
                       "label() translatex(a[100]);") == Codes{"formula-too-large"});
    CHECK(soon(track + "var a; a[0] = t; for i in 1..100 a[i] = {a[i - 1] at 0 sec linear"
                       " a[i - 1] at 1 sec}; end; label() translatex(a[100]);") ==
          Codes{"formula-too-large"});
}

TEST_CASE("values that depend on one another in a long row are computed, within reason")
{
    CHECK(soon("var a; a[0] = 1; for i in 1..100000 a[i] = a[i - 1] + 1; end;"
               "label() translatex(a[100000]);") == Codes{});
    CHECK(soon("var a; for i in 1..100000 a[i] = a[i + 1] + 1; end; a[100001] = 1;"
               "label() translatex(a[1]);") == Codes{"values-too-deep"});
}

TEST_CASE("a sum of a million numbers is a number")
{
    CHECK(soon("label() translatex(1" + repeat(" + 1", 1'000'000) + ");") == Codes{});
}

TEST_CASE("a name of a megabyte is refused and does not fill the message")
{
    const std::string name(1 << 20, 'a');
    const Problems problems =
        read_text("var " + name + "; " + name + " = 1; label() translatex(" + name + ");").problems;

    CHECK(codes_in(problems) == Codes{"name-too-long", "name-too-long", "name-too-long"});
    CHECK(problems_text(problems, false).size() < 2000);
}

TEST_CASE("messages quote little of a long text, and whole characters of it")
{
    const std::string umlauts = repeat("ä", 100'000);
    const Problems problems = read_text("label() translatex(\"" + umlauts + "\");").problems;

    REQUIRE(codes_in(problems) == Codes{"not-a-number"});
    CHECK(problems[0].what.size() < 100);
    CHECK(problems[0].what.find("ä...' is not a number") != std::string::npos);
}

TEST_CASE("a script of more than 64 MiB is refused unread")
{
    charli::Limits limits;
    limits.file_bytes = 100;

    CHECK(codes_within(limits, std::string(101, ' ')) == Codes{"file-too-large"});
    CHECK(codes_within(limits, std::string(100, ' ')) == Codes{});
    CHECK(codes_within(limits, "include \"a.charli\";", {{"a.charli", std::string(101, ' ')}}) ==
          Codes{"file-too-large"});
    CHECK(charli::Limits{}.file_bytes == 64u << 20);
}

TEST_CASE("after five hundred problems the rest is only counted")
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "wrong" + std::to_string(i) + ";\n";
    const Problems problems = read_text(text).problems;

    CHECK(problems.size() == 501);
    CHECK(problems.back().code == "too-many-problems");
    CHECK(problems[499].place.line == 500);
}

TEST_CASE("one mistake in a loop is one problem, and does not hide others")
{
    CHECK(soon(kBob + "for i in 1..10000 dist_constraint(bob, none[i], i); end; wrong;") ==
          Codes{"never-instanced", "unknown-object", "unknown-def"});
}

TEST_CASE("many defs that nothing instances are looked into soon")
{
    std::string text = kBob;
    for (int i = 0; i < 2000; ++i)
        text += "def d" + std::to_string(i) + " x = bob; end;\n";
    CHECK(soon(text + "for i in 1..20000 b[i] = bob translatex(i); end;") == Codes{});
    CHECK(soon(kBob + "def link def helper bob; end; bob; end;"
                      "for i in 1..20000 l[i] = link; end;") == Codes{});
}

TEST_CASE("a long chain of frames and a large net are looked at soon and in little memory")
{
    CHECK(soon(kBob + "dynamic q; b[0] = bob; for i in 1..390 q[i] = initial(0, 0);"
                      "b[i] = bob translatex(1) rotatez(q[i]) on b[i - 1]; end;") == Codes{});
    CHECK(soon(kBob + "b[0] = bob; for i in 1..6000 b[i] = bob translatex(1) on b[i - 1]; end;") ==
          Codes{"frames-too-deep"});
    CHECK(soon(kBob + "for i in 1..4900 b[i] = bob translatex(1) on b[i + 1]; end;"
                      "b[4901] = bob;") == Codes{});
    // A net of 40 by 40 knots, turned so that all its equations hang together.
    CHECK(soon(kBob + "dynamic x, y, z; for i in 1..40 for j in 1..40"
                      " x[40 * i + j] = initial(0.8 * i - 0.6 * j, 0);"
                      " y[40 * i + j] = initial(0.6 * i + 0.8 * j, 0);"
                      " b[40 * i + j] = bob translate(x[40 * i + j], y[40 * i + j], z[40 * i + j]);"
                      " z[40 * i + j] = initial(0, 0); end; end;"
                      "for i in 1..40 for j in 2..40"
                      " dist_constraint(b[40 * i + j - 1], b[40 * i + j], 1);"
                      " dist_constraint(b[40 * j - 40 + i], b[40 * j + i], 1); end; end;") ==
          Codes{});
}

TEST_CASE("files that include one another many times over are read within the budget")
{
    Files files;
    for (int i = 0; i < 25; ++i)
        files[std::to_string(i) + ".charli"] = "include \"" + std::to_string(i + 1) +
                                               ".charli\" as a; include \"" +
                                               std::to_string(i + 1) + ".charli\" as b;";
    files["25.charli"] = "label();";
    charli::Limits limits;
    limits.statement_count = 100'000;

    CHECK(codes_within(limits, "include \"0.charli\" as top;", files) == Codes{"too-much-work"});
}
