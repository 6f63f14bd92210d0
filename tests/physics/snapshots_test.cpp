// Snapshots in which numbers were changed: a world refuses them, moves on or stops with a fault.
// What it shows are numbers, it ends when it is told to, and nothing of it is left behind.

#include "sinew/stop.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <random>
#include <thread>

using namespace sinew;
using namespace sinew::test;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBefore_s = 0.1; // of motion before the snapshot, so that contacts have a memory
constexpr double kAfter_s = 0.1;
constexpr double kMost_s = 2; // on the clock, then the world is told to stop

constexpr std::array kScripts = {
    "dynamic a; a = initial(1, 0); dynamic b; b = initial(0.5, 0); def bob mass(1); end;"
    "one = bob translatex(1) rotatez(a); bob translatex(1) rotatez(b) translatex(one_x);"
    "def post label(); end; p = post translatex(2);"
    "spring_and_damper(one, p, 1, 100, 1); simulate(0, 1);",
    "def g obstacle(); plane(0, 1, 0, 0); end; def c body(density = 500); box(1, 1, 1); end;"
    "g; for k in 0..3 c translatey(0.5 + 1.01 * k); end; simulate(0, 1);",
    "def a body(density = 500); box(0.2, 1, 0.2); end; x = a translatey(2); y = a translatey(1);"
    "hinge_joint(x, y, line(0, 1.5, 0, 0, 1.5, 1)); simulate(0, 1);",
    "def r rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 0.01, density = 500, young = 1e6);"
    "end; r; position_constraint(r at 0 along, point(0, 0, 0)); simulate(0, 1);",
    "def s strand(line(0, 0, 0, 1, 0, 0), segments = 6); young(1e6); end; s; simulate(0, 1);",
    "def ball obstacle(); sphere(0.3); end; ball translate(0.7, -0.45, 0);"
    "def s strand(line(0, 0, 0, 1, 0, 0), segments = 8); young(1e6); end; s; simulate(0, 1);",
    "def c body(density = 100); box(0.2, 0.2, 0.2); end; w = c translatex(1);"
    "def r rod(line(0, 0, 0, 1, 0, 0), spans = 6, radius = 0.01, density = 500, young = 1e6);"
    "end; r; position_constraint(r at 0 along, point(0, 0, 0)); fusion(r at 1 along, w);"
    "def g obstacle(); plane(0, 1, 0, 0.3); end; g; simulate(0, 1);"};

/// Tells one case after the other to stop when its time is over.
class Watch {
public:
    Watch() : thread_([this] { look(); }) {}
    ~Watch()
    {
        is_over_ = true;
        thread_.join();
    }
    void begin()
    {
        const std::lock_guard lock(mutex_);
        flag_ = false;
        begun_ = Clock::now();
    }
    const std::atomic<bool>* flag() const { return &flag_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

private:
    void look()
    {
        while (!is_over_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const std::lock_guard lock(mutex_);
            if (seconds() > kMost_s)
                flag_ = true;
        }
    }

    std::mutex mutex_;
    std::atomic<bool> flag_ = false, is_over_ = false;
    Clock::time_point begun_ = Clock::now();
    std::thread thread_;
};

/// A number that makes trouble, or any bits at all.
std::uint64_t wild_bits(std::mt19937& random, std::uint64_t before)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr std::array kNumbers = {
        0.0,  -1.0,  1e-320, 1e308,     -1e308,     1e18,
        -1e9, 1e-18, 1.0,    kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
    const unsigned kind = random() % 4;
    if (kind == 0)
        return before ^ (std::uint64_t(1) << (random() % 64));
    if (kind == 1)
        return std::uint64_t(random()) << 32 | random();
    return std::bit_cast<std::uint64_t>(kNumbers[random() % kNumbers.size()]);
}

/// Behind its head, which says whose snapshot it is.
void change(std::vector<std::byte>& snapshot, std::mt19937& random)
{
    constexpr std::size_t kHead = 2;
    const std::size_t words = snapshot.size() / 8 - kHead;
    for (unsigned left = std::array{1u, 1u, 2u, 8u}[random() % 4]; left > 0; --left) {
        std::byte* const at = snapshot.data() + 8 * (kHead + random() % words);
        std::uint64_t bits;
        std::memcpy(&bits, at, 8);
        bits = wild_bits(random, bits);
        std::memcpy(at, &bits, 8);
    }
}

bool has_numbers(const Frame& frame)
{
    return std::ranges::all_of(frame.objects,
                               [](const Affine& object) {
                                   return is_finite(object.origin) && is_finite(object.linear);
                               }) &&
           std::ranges::all_of(frame.nodes, [](const Vec3& node) { return is_finite(node); }) &&
           std::ranges::all_of(frame.points, [](const Vec3& point) { return is_finite(point); }) &&
           std::ranges::all_of(frame.segments, [](const Quat& turn) { return is_finite(turn); });
}

struct Count {
    int cases = 0, refused = 0, stopped = 0, faults = 0, moved = 0;
    double slowest_s = 0, latest_s = 0; ///< in all; after it was told to stop
};

struct Bed {
    World world;
    std::vector<std::byte> good = {};
    std::uint64_t hash_before = 0, hash_after = 0;

    explicit Bed(const char* script) : world(make_world(script))
    {
        REQUIRE_FALSE(world.advance(kBefore_s).fault);
        good = world.snapshot();
        hash_before = world.state_hash();
        REQUIRE_FALSE(world.advance(kBefore_s + kAfter_s).fault);
        hash_after = world.state_hash();
    }
};

void try_case(Bed& bed, std::mt19937& random, Watch& watch, Count& count)
{
    World& world = bed.world;
    REQUIRE(world.restore(bed.good));
    std::vector<std::byte> wild = bed.good;
    change(wild, random);
    ++count.cases;
    if (!world.restore(wild)) {
        ++count.refused;
        CHECK(world.state_hash() == bed.hash_before);
        return;
    }
    CHECK(has_numbers(world.frame()));
    watch.begin();
    const StopScope listening(watch.flag());
    const StepReport report = world.advance(world.time() + kAfter_s);
    const double seconds = watch.seconds();
    count.slowest_s = std::max(count.slowest_s, seconds);
    if (is_stopped(report.fault)) {
        ++count.stopped;
        count.latest_s = std::max(count.latest_s, seconds - kMost_s);
    } else if (report.fault)
        ++count.faults;
    else
        ++count.moved;
    CHECK(has_numbers(world.frame()));
}

/// The good one goes on as if nothing had been.
void check_untouched(Bed& bed)
{
    REQUIRE(bed.world.restore(bed.good));
    CHECK(bed.world.state_hash() == bed.hash_before);
    CHECK_FALSE(bed.world.advance(kBefore_s + kAfter_s).fault);
    CHECK(bed.world.state_hash() == bed.hash_after);
}

unsigned wish(const char* name, unsigned otherwise)
{
    const char* const text = std::getenv(name);
    return text ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

} // namespace

TEST_CASE("random snapshots: a world refuses them, moves or stops, and nothing of them is left")
{
    // The whole campaign: SINEW_SNAPSHOTS=10000.
    const unsigned cases = wish("SINEW_SNAPSHOTS", 140), first = wish("SINEW_SEED", 1);
    std::vector<Bed> beds;
    for (const char* script : kScripts)
        beds.emplace_back(script);
    Watch watch;
    Count count;
    for (unsigned seed = first; seed < first + cases; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        Bed& bed = beds[seed % beds.size()];
        CAPTURE(kScripts[seed % beds.size()]);
        try_case(bed, random, watch, count);
        if (seed % 16 == 0)
            check_untouched(bed);
    }
    for (Bed& bed : beds)
        check_untouched(bed);
    MESSAGE("seeds " << first << " to " << first + cases - 1 << ": " << count.cases
                     << " snapshots, " << count.refused << " refused, " << count.moved << " moved, "
                     << count.faults << " stopped with a fault, " << count.stopped
                     << " told to stop after " << kMost_s << " s; slowest " << count.slowest_s
                     << " s, at most " << count.latest_s << " s after it was told");
    CHECK(count.latest_s < 5); // of a machine that may be very busy; 1 s of a quiet one
}

TEST_CASE("a strand of which one segment is lost stops, wherever that segment is")
{
    World world = make_world(kScripts[4]);
    const std::vector<std::byte> good = world.snapshot();
    const std::size_t words = good.size() / 8;
    int stopped = 0;
    for (const double much : {1e160, -1e250, 1e308}) // as rates, as turns, as memory
        for (std::size_t word = 2; word < words; ++word) {
            CAPTURE(word);
            std::vector<std::byte> wild = good;
            std::memcpy(wild.data() + 8 * word, &much, 8);
            if (!world.restore(wild))
                continue;
            const StepReport report = world.advance(world.time() + kAfter_s);
            stopped += report.fault && report.fault->code == "strand-not-finite";
            CHECK(has_numbers(world.frame()));
            REQUIRE(world.restore(good));
        }
    CHECK(stopped >= 2 * 3 * 6); // at least for the rates of all six segments
}
