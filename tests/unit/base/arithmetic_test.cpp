#include "base/arithmetic.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("the same arithmetic on every machine and with every compiler")
{
    CHECK(arithmetic_hash() == 0x8e3c647a2ae80063u);
}
