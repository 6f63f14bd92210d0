#include "charli/assist/report.h"
#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::charli;
using sinew::test::Codes;
using sinew::test::codes_in;

namespace {

Report report_on(const std::string& text, std::size_t limit = 500)
{
    Report report(limit);
    report.files.push_back({"t.charli", std::make_shared<const std::string>(text)});
    return report;
}

} // namespace

TEST_CASE("problems come in the order of files and places, not of finding")
{
    Report report = report_on("one\ntwo\n");
    report.files.push_back({"u.charli", std::make_shared<const std::string>("three")});
    report.error({1, 0, 5}, "third", "c", "h");
    report.warning({0, 4, 3}, "second", "b", "h");
    report.note({0, 0, 3}, "first", "a", "h");

    const Problems problems = report.take();

    CHECK(codes_in(problems) == Codes{"first", "second", "third"});
    CHECK(problems[1].place == Place{"t.charli", 2, 1, 3});
    CHECK(problems[1].source_line == "two");
    CHECK(problems[2].place == Place{"u.charli", 1, 1, 5});
}

TEST_CASE("the same problem of the same place is told once")
{
    Report report = report_on("one two");
    report.error({0, 0, 3}, "a", "first", "h");
    report.error({0, 0, 3}, "a", "again, in other words", "h");
    report.error({0, 0, 3}, "b", "another", "h");
    report.error({0, 4, 3}, "a", "elsewhere", "h");

    CHECK(report.error_count() == 4);
    CHECK(codes_in(report.take()) == Codes{"a", "b", "a"});
}

TEST_CASE("a report has a limit and says so")
{
    Report report = report_on("abcdefgh", 3);
    for (std::uint32_t i = 0; i < 8; ++i)
        report.error({0, i, 1}, "a", "what", "h");

    CHECK(report.is_full());
    CHECK(report.error_count() == 8);
    const Problems problems = report.take();
    CHECK(codes_in(problems) == Codes{"a", "a", "a", "too-many-problems"});
    CHECK(problems.back().severity == Severity::error);
}

TEST_CASE("many warnings refuse no script")
{
    Report report = report_on("abcdefgh", 3);
    for (std::uint32_t i = 0; i < 8; ++i)
        report.warning({0, i, 1}, "a", "what", "h");

    CHECK_FALSE(has_errors(report.take()));
}

TEST_CASE("a word with other capitals is the most similar")
{
    CHECK(find_similar("rotateZ", {"rotatex", "rotatey", "rotatez"}) == "rotatez");
}

TEST_CASE("a slip of the pen finds the word that was meant")
{
    const std::vector<std::string_view> words = {"translatex", "translatey", "rotatez", "mass",
                                                 "sin"};

    CHECK(find_similar("translutex", words) == "translatex");
    CHECK(find_similar("translatexx", words) == "translatex");
    CHECK(find_similar("tranlsatex", words) == "translatex"); // letters exchanged
    CHECK(find_similar("mas", words) == "mass");
    CHECK(find_similar("sun", words) == "sin");
    CHECK(find_similar("mass", words) == ""); // it is the word itself
    CHECK(find_similar("gravity", words) == "");
    CHECK(find_similar("", words) == "");
    CHECK(find_similar(std::string(1000, 'a'), words) == "");
    CHECK(find_similar("mass2", {}) == "");
}

TEST_CASE("a problem is shown with its line, a caret, the remedy and other places")
{
    const Problems problems = {
        {.severity = Severity::warning,
         .code = "c",
         .place = {"t.charli", 12, 5, 3},
         .what = "something is strange",
         .hint = "change it",
         .remarks = {{{"t.charli", 3, 1, 1}, "declared here"}},
         .source_line = "bob\tone two"},
        {.code = "d", .place = {"-D a=1"}, .what = "there is no 'a'", .hint = "did you mean 'b'?"}};

    CHECK(problems_text(problems, false) == "t.charli:12:5: warning: something is strange\n"
                                            "   12 | bob one two\n"
                                            "      |     ^~~\n"
                                            "      hint: change it\n"
                                            "      t.charli:3:1: declared here\n"
                                            "-D a=1: there is no 'a'; did you mean 'b'?\n");
    CHECK(problems_text(problems, true).find("\033[1;33m") != std::string::npos);
}

TEST_CASE("a caret stays within its line, and a line beyond all measure is not shown")
{
    Problem problem{.code = "c", .place = {"t.charli", 1, 3, 50}, .what = "w", .hint = "h"};
    problem.source_line = "abcd";
    CHECK(problems_text({problem}, false).find("|   ^~\n") != std::string::npos);

    problem.source_line = std::string(5000, 'a');
    CHECK(problems_text({problem}, false) == "t.charli:1:3: w\n      hint: h\n");
}
