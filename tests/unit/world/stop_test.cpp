// Worlds that are told to stop: soon, standing at a whole step, and with the same bits when they go
// on.

#include "sinew/language.h"
#include "sinew/session.h"
#include "sinew/stop.h"
#include "sinew/world.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sinew;

namespace {

/// Linkages, bodies in a pile, strands that wait for each other after every step.
constexpr const char* kScripts[] = {
    "dynamic a, b; a = initial(1, 0); b = initial(2, 0); def bob mass(1); end;"
    "bob translatex(1) rotatez(a); bob translatex(1) rotatez(b) translatex(1) rotatez(a);"
    "simulate(0, 4);",
    "def ground obstacle(); plane(0, 1, 0, 0); end; def crate body(density = 1); box(1, 1, 1); end;"
    "ground; for k in 0..11 crate translate(0.1 * k, 0.6 + 1.1 * k, 0); end; simulate(0, 4);",
    "def tree strand(line(0,0,0, 0,2,0), segments = 8); radius(1 cm); density(700); young(1e8);"
    "air_drag(0.1, 1); end; for i in 1..9 t[i] = tree translatex(2 * i); end;"
    "turbulence(strength = 3, size = 2, period = 1) on t[1]; simulate(0, 4);",
};

World make(const char* script)
{
    ScriptReading reading = read_script("t.charli", script, no_files(), {});
    REQUIRE(reading.is_sound());
    Result<World> world = World::create(reading.scene);
    REQUIRE(world);
    return std::move(*world);
}

} // namespace

TEST_CASE("a world that is stopped goes on with the same bits")
{
    for (const char* script : kScripts) {
        CAPTURE(script);
        World whole = make(script), stopped = make(script);
        REQUIRE_FALSE(whole.advance(2).fault);

        int stops = 0;
        for (int i = 0; i < 1000 && stopped.time() < 2; ++i) {
            std::atomic<bool> flag = i == 0; // at least once
            const StopScope listening(&flag);
            std::thread impatient([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(200 * (i + 1)));
                flag = true;
            });
            const StepReport report = stopped.advance(2);
            impatient.join();
            if (report.fault)
                CHECK(is_stopped(report.fault));
            stops += report.fault ? 1 : 0;
        }

        CHECK(stops > 0);
        CHECK(stopped.time() == 2);
        CHECK(stopped.state_hash() == whole.state_hash());
    }
}

TEST_CASE("a world is not made when that is not wanted any more")
{
    ScriptReading reading = read_script("t.charli", kScripts[1], no_files(), {});
    const std::atomic<bool> flag = true;
    const StopScope listening(&flag);
    const Result<World> world = World::create(reading.scene);
    REQUIRE_FALSE(world);
    CHECK(is_stopped(world.problems().front()));
}

TEST_CASE("a session that is stopped goes on where it was")
{
    Result<Session> whole = Session::open({.name = "t.charli", .script = kScripts[1]}, {});
    Result<Session> stopped = Session::open({.name = "t.charli", .script = kScripts[1]}, {});
    REQUIRE(whole);
    REQUIRE(stopped);
    while (whole->advance()) {
    }
    std::atomic<bool> flag = true;
    {
        const StopScope listening(&flag);
        CHECK(stopped->advance()); // the first frame is the start
        CHECK_FALSE(stopped->advance());
        CHECK_FALSE(stopped->fault());
    }
    while (stopped->advance()) {
    }
    CHECK(stopped->valid_count() == whole->valid_count());
    CHECK(stopped->shot(40)->statistics.state_hash == whole->shot(40)->statistics.state_hash);
}
