// Many bodies on several threads: towers apart, grains that become one pile, compound bodies that
// fall. The state, what is seen and a snapshot have the same bits for any number of threads.

#include "sinew/world.h"

#include "support/readings.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinew;

namespace {

constexpr const char* kTowers =
    "def ground obstacle(); plane(0, 1, 0, 0); end;\n"
    "def crate body(density = 500); box(0.4, 0.4, 0.4); end;\n"
    "def ball body(density = 900); sphere(0.15); material(bounce = 0.5); end;\n"
    "ground;\n"
    "for i in 0..59\n"
    "  for k in 0..5\n"
    "    crate translate(1.5 * mod(i, 10) + 0.01 * k, 0.2 + 0.4 * k, 1.5 * floor(i / 10));\n"
    "  end;\n"
    "end;\n"
    "for i in 0..19 ball translate(1.5 * mod(3 * i, 10), 3, 1.5 * floor(3 * i / 10)); end;\n"
    "simulate(0 sec, 1 sec, step = 1 / 100);\n";

constexpr const char* kSilo =
    "def ground obstacle(); plane(0, 1, 0, 0); end;\n"
    "def board obstacle(); box(0.5, 4, 0.8); end;\n"
    "def grain body(density = 1000); sphere(0.25); end;\n"
    "ground;\n"
    "for i in 1..24\n"
    "  board translate(2.75, 2, 0) rotatey(i * 15 deg);\n"
    "end;\n"
    "for i in 0..599\n"
    "  grain translate(0.55 * mod(i, 6) - 1.4, 0.3 + 0.52 * floor(i / 36),\n"
    "                  0.55 * mod(floor(i / 6), 6) - 1.4 + 0.01 * mod(i, 5));\n"
    "end;\n"
    "simulate(0 sec, 1 sec, step = 1 / 100);\n";

constexpr const char* kHerd =
    "def ground obstacle(); plane(0, 1, 0, 0); end;\n"
    "def beast\n"
    "  body(density = 300); box(1, 0.5, 0.4); sphere(0.25) translate(0.6, 0.2, 0);\n"
    "  for k in 0..3\n"
    "    box(0.12, 0.5, 0.12) translate(0.4 - 0.8 * mod(k, 2), -0.4, 0.14 - 0.28 * floor(k / 2));\n"
    "  end;\n"
    "end;\n"
    "ground;\n"
    "for i in 0..99\n"
    "  beast rotatez(i * 40 deg) rotatey(i * 77 deg)\n"
    "      translate(1.3 * mod(i, 4), 1 + 1.3 * floor(i / 16), 1.3 * mod(floor(i / 4), 4));\n"
    "end;\n"
    "simulate(0 sec, 1 sec, step = 1 / 120);\n";

World make(const Scene& scene, int threads)
{
    WorldOptions options;
    options.threads = threads;
    Result<World> world = World::create(scene, options);
    REQUIRE(world);
    return std::move(*world);
}

/// What a run of half a second shows: a hash at each frame.
std::vector<std::uint64_t> hashes_of(World& world)
{
    std::vector<std::uint64_t> hashes;
    for (int i = 1; i <= 12; ++i) {
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
        hashes.push_back(world.state_hash());
    }
    return hashes;
}

void check_threads(const std::string& text)
{
    const Scene scene = test::sound_scene(text);
    World one = make(scene, 1);
    const std::vector<std::uint64_t> hashes = hashes_of(one);
    for (const int threads : {2, 3, 7}) {
        CAPTURE(threads);
        World several = make(scene, threads);
        CHECK(hashes_of(several) == hashes);
        CHECK(several.frame() == one.frame());
        CHECK(several.snapshot() == one.snapshot());
        const Energy ours = several.energy(), theirs = one.energy();
        CHECK(ours.kinetic == theirs.kinetic);
        CHECK(ours.potential == theirs.potential);
    }
}

} // namespace

TEST_CASE("towers: the same bits for 1, 2, 3 and 7 threads") { check_threads(kTowers); }

TEST_CASE("grains in a silo: the same bits for 1, 2, 3 and 7 threads") { check_threads(kSilo); }

TEST_CASE("a herd of compound bodies: the same bits for 1, 2, 3 and 7 threads")
{
    check_threads(kHerd);
}
