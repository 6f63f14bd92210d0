#pragma once

// Worlds from scripts of tests.

#include "sinew/world.h"

#include "support/readings.h"

#include <doctest/doctest.h>

namespace sinew::test {

inline World make_world(const Scene& scene, int threads = 1)
{
    WorldOptions options;
    options.threads = threads;
    Result<World> world = World::create(scene, options);
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    return std::move(*world);
}

inline World make_world(const std::string& text, int threads = 1)
{
    return make_world(sound_scene(text), threads);
}

/// What tables call so, as it is now. Fails the test when there is none.
inline TableRow row_of(const World& world, const std::string& name)
{
    for (const TableRow& row : table_rows(world.scene(), world.frame()))
        if (row.name == name)
            return row;
    FAIL("no such row: " << name);
    return {};
}

} // namespace sinew::test
