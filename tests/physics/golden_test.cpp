// The state of every example with bodies after half a second, as a number: the same for one to four
// threads, and from a snapshot on the way. The numbers are in golden_bodies.txt;
// SINEW_UPDATE_GOLDEN=1 writes them anew: only when a motion is meant to be another one.

#include "physics/motions.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iomanip>
#include <sstream>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr int kFrames = 12, kMiddle = 5;
constexpr double kFrameRate = 24;
constexpr const char* kGolden = "tests/physics/golden_bodies.txt";

struct Passage {
    std::uint64_t hash = 0;
    std::vector<std::byte> middle; ///< snapshot after kMiddle frames
};

/// From the start, or from a snapshot in the middle.
Passage pass(const Scene& scene, int threads, const std::vector<std::byte>* middle = nullptr)
{
    WorldOptions options;
    options.threads = threads;
    Result<World> world = World::create(scene, options);
    REQUIRE(bool(world));
    if (middle)
        REQUIRE(world->restore(*middle));
    Passage passage;
    for (int i = middle ? kMiddle + 1 : 1; i <= kFrames; ++i) {
        REQUIRE(!world->advance(scene.settings.start + i / kFrameRate).fault);
        if (i == kMiddle)
            passage.middle = world->snapshot();
    }
    passage.hash = world->state_hash();
    return passage;
}

std::map<std::string, std::uint64_t> read_golden()
{
    std::map<std::string, std::uint64_t> golden;
    std::istringstream words(read_repository_file(kGolden));
    std::string name;
    std::uint64_t hash = 0;
    while (words >> name >> std::hex >> hash)
        golden[name] = hash;
    return golden;
}

} // namespace

TEST_CASE("bodies: the same bits for any thread count, from a snapshot, and as they were")
{
    const std::map<std::string, std::uint64_t> golden = read_golden();
    std::ostringstream made;
    for (const std::string& name : list_repository_files("examples", ".charli")) {
        const Scene scene = repository_scene(name);
        if (scene.bodies.empty())
            continue;
        CAPTURE(name);
        const Passage one = pass(scene, 1);
        CHECK(pass(scene, 4).hash == one.hash);
        CHECK(pass(scene, 2, &one.middle).hash == one.hash);
        CHECK(pass(scene, 3, &one.middle).hash == one.hash);
        made << name << ' ' << std::hex << std::setfill('0') << std::setw(16) << one.hash << '\n';
        if (std::getenv("SINEW_UPDATE_GOLDEN"))
            continue;
        REQUIRE_MESSAGE(golden.contains(name), "SINEW_UPDATE_GOLDEN=1 adds it");
        CHECK(one.hash == golden.at(name));
    }
    if (std::getenv("SINEW_UPDATE_GOLDEN"))
        write_repository_file(kGolden, made.str());
}
