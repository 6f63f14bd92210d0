#include "sinew/error.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("a place prints as file:line:column, and as the file alone without a line")
{
    CHECK(to_string(Place{"a.charli", 12, 8, 1}) == "a.charli:12:8");
    CHECK(to_string(Place{"masses[3].mass"}) == "masses[3].mass");
}

TEST_CASE("a result holds either a value or all problems")
{
    const Result<int> good = 7;
    const Result<int> bad = Problems{{.what = "one"}, {.what = "two"}};

    CHECK(bool(good));
    CHECK(*good == 7);
    CHECK(good.problems().empty());
    CHECK_FALSE(bool(bad));
    CHECK(bad.problems().size() == 2);
}

TEST_CASE("warnings and notes are no errors")
{
    CHECK_FALSE(has_errors({{.severity = Severity::warning}, {.severity = Severity::note}}));
    CHECK(has_errors({{.severity = Severity::note}, {.severity = Severity::error}}));
}
