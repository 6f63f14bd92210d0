#include "sinew/ids.h"

#include <doctest/doctest.h>

#include <concepts>
#include <set>
#include <unordered_set>

using namespace sinew;

namespace {

using BodyId = Id<struct BodyTag>;
using StrandId = Id<struct StrandTag>;

} // namespace

TEST_CASE("an id without an index names nothing")
{
    static_assert(!BodyId{}.is_valid());
    static_assert(BodyId{0}.is_valid());
}

TEST_CASE("ids of different things do not mix")
{
    static_assert(!std::convertible_to<BodyId, StrandId>);
    static_assert(!std::equality_comparable_with<BodyId, StrandId>);
    static_assert(!std::convertible_to<BodyId, int> && !std::convertible_to<int, BodyId>);
    static_assert(sizeof(BodyId) == 4);
}

TEST_CASE("ids are ordered by index, and nothing comes last")
{
    CHECK(BodyId{1} < BodyId{2});
    CHECK(BodyId{2} == BodyId{2});
    CHECK(std::set<BodyId>{BodyId{}, BodyId{2}, BodyId{1}}.begin()->index == 1);
    CHECK(BodyId{1000000} < BodyId{});
}

TEST_CASE("equal ids are one key of a hashed set")
{
    const std::unordered_set<BodyId> ids = {BodyId{3}, BodyId{4}, BodyId{3}};

    CHECK(ids.size() == 2);
    CHECK(ids.contains(BodyId{4}));
}
