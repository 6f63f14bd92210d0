#include "math/easing.h"
#include "math/jet.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace sinew;

TEST_CASE("every easing starts at 0 and ends at 1")
{
    for (const Easing easing :
         {Easing::linear, Easing::slowin, Easing::slowout, Easing::slowinout, Easing::hold}) {
        CHECK(ease(easing, 0.0) == 0);
        CHECK(ease(easing, 1.0) == 1);
    }
}

TEST_CASE("slowin starts at rest, slowout ends at rest, slowinout does both")
{
    CHECK(ease(Easing::slowin, Jet2::variable(0)).first == 0);
    CHECK(ease(Easing::slowin, Jet2::variable(1)).first == 2);
    CHECK(ease(Easing::slowout, Jet2::variable(0)).first == 2);
    CHECK(ease(Easing::slowout, Jet2::variable(1)).first == 0);
    CHECK(ease(Easing::slowinout, Jet2::variable(0)).first == 0);
    CHECK(ease(Easing::slowinout, Jet2::variable(1)).first == 0);
}

TEST_CASE("easings take their closed forms in between")
{
    static_assert(ease(Easing::linear, 0.25) == 0.25);
    static_assert(ease(Easing::slowin, 0.25) == 0.0625);
    static_assert(ease(Easing::slowout, 0.25) == 0.4375);
    static_assert(ease(Easing::slowinout, 0.25) == 0.15625);
    CHECK(ease(Easing::slowinout, Jet2::variable(0.25)).second == 3);
}

TEST_CASE("hold stays until the very end, without velocity")
{
    CHECK(ease(Easing::hold, 0.999999) == 0);
    CHECK(ease(Easing::hold, Jet2::variable(0.5)).first == 0);
}
