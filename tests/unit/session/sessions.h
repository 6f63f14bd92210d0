#pragma once

// Sessions on scripts of tests.

#include "sinew/session.h"

#include "sinew/names.h"
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
    const std::vector<std::size_t> found = find_names(object_paths(session.scene()), name);
    REQUIRE_MESSAGE(found.size() == 1, name);
    return {static_cast<std::uint32_t>(found.front())};
}

} // namespace sinew::test
