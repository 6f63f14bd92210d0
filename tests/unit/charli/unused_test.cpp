#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("a name that nothing uses gets a warning")
{
    CHECK(codes_of("var a; label();") == Codes{"never-used"});
    CHECK(codes_of("var a; a = 1; label() translatex(1);") == Codes{"never-used"});
    CHECK(codes_of("dynamic a; label();") == Codes{"never-used"});
    CHECK(codes_of("dynamic a; a = initial(1, 0); label() translatex(1);") ==
          Codes{"moves-nothing"});
    CHECK(codes_of("dynamic a; a[1] = initial(1, 0); label() translatex(1);") ==
          Codes{"moves-nothing"});
}

TEST_CASE("a script without objects is a fragment or a library: its values may be for others")
{
    CHECK(codes_of("var a; a = 1; dynamic b; b = initial(a, 0);") == Codes{});
    CHECK(codes_of("include \"lib.charli\"; label() translatex(a);",
                   {{"lib.charli", "var a, b; a = 1; b = 2;"}}) == Codes{});
}

TEST_CASE("one use in one instance, round or branch is enough")
{
    CHECK(codes_of("def arm var k; k = 1; label(); end; a = arm; b = arm;"
                   "label() translatex(b.k);") == Codes{});
    CHECK(codes_of("def arm dynamic q; q[1] = initial(1, 0); end; a = arm; b = arm;"
                   "mass(1) translatex(a.q[1]);") == Codes{});
    CHECK(codes_of("for i in 1..3 var k; k = i; if i == 2 label() translatex(k); end; end;") ==
          Codes{});
    CHECK(codes_of("def arm(n) var k; k = n; if n > 1 label() translatex(k); end; end;"
                   "arm(1); arm(2);") == Codes{});
}

TEST_CASE("a use in a def that nothing instances, or in a faulty statement, is a use")
{
    CHECK(codes_of("var k; k = 1; def arm label() translatex(k); end; label();") == Codes{});
    CHECK(codes_of("var k; k = 1; label() translatex(k;") == Codes{"open-bracket"});
}

TEST_CASE(
    "smooth tracks leave nothing behind in a def that nothing instances, or where they are refused")
{
    CHECK(
        codes_of(
            "def bob mass(1); end; def spare var x; x = {0 at 0 sec smooth 1 at 1 sec smooth 3 at "
            "2 sec}; bob translatex(x); end; bob;") == Codes{});
    CHECK(codes_of("var t; t = {time at 0 frames smooth 1 at 10 frames}; def bob mass(1); end; "
                   "bob translatex(t);") == Codes{"smooth-of-tracks"});
}
