#pragma once

// Sessions on scripts of tests.

#include "sinew/session.h"

#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sinew::test {

inline Session open(const std::string& text)
{
    Result<Session> session = Session::open({.name = "test.charli", .script = text}, {});
    REQUIRE_MESSAGE(bool(session), problems_text(session.problems(), false));
    return std::move(*session);
}

inline ObjectId find(const Session& session, const std::string& name)
{
    const std::vector<std::string> names = object_names(session.scene());
    const auto found = std::ranges::find(names, name);
    REQUIRE_MESSAGE(found != names.end(), name);
    return {static_cast<std::uint32_t>(found - names.begin())};
}

} // namespace sinew::test
