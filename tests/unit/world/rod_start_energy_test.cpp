// What the drawing of a rod stores in it, and what is said of it at the start.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sinew;

namespace {

bool is_told(const std::string& rod)
{
    const World world =
        test::make_world("def rope rod(" + rod + "); end; rope;\nsimulate(0 sec, 1 sec);\n");
    return std::ranges::any_of(world.start_notes(),
                               [](const Problem& note) { return note.code == "rod-start-energy"; });
}

} // namespace

TEST_CASE("start of rods: a rod that is drawn too short and is not damped is told")
{
    CHECK(is_told("line(0,0,0, 1.4,0,0), stretch_stiffness = 2e5, length = 1.5"));
    CHECK_FALSE(is_told("line(0,0,0, 1.4,0,0), stretch_stiffness = 2e5, length = 1.5, "
                        "damping = 5 ms"));
    CHECK_FALSE(is_told("line(0,0,0, 1.4,0,0), stretch_stiffness = 2e5, length = 1.4"));
}

TEST_CASE("start of rods: a string under tension is no fault")
{
    CHECK_FALSE(is_told("line(0,0,0, 1,0,0), young = 2e11, length = 0.995"));
}

TEST_CASE("start of rods: a drawing with hairpins is told, a smooth one through uneven points not")
{
    CHECK(
        is_told("polyline(0,0,0, 0.5,0,0, 0.1,0.01,0, 0.9,0.02,0), young = 1e9, rest = straight"));
    CHECK_FALSE(is_told("spline_through(0,0,0, 0.5,0,0, 0.52,0.001,0, 0.54,0.004,0, "
                        "0.56,0.009,0, 0.9,0.13,0), young = 1e9, rest = straight"));
}
