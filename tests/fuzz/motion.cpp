// Wild numbers in the words of every system, and in snapshots: a world is refused, moves or stops
// with a fault, and its frames are numbers.

#include "fuzz.h"

#include "sinew/language.h"
#include "sinew/stop.h"
#include "sinew/world.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>

using namespace sinew;

namespace {

constexpr const char* kScripts[] = {
    "dynamic a; a = initial(#, #); def bob mass(#); end; bob translatex(#) rotatez(a);"
    "simulate(0, 1);",
    "def g obstacle(); plane(0, 1, 0, #); end; def c body(density = #); box(#, #, #);"
    "material(friction = #, restitution = #); end; g; c translatey(#) velocity(#, #, #);"
    "c translatey(#); simulate(0, 1);",
    "def r rod(line(0, 0, 0, #, 0, 0), spans = 4, radius = #, density = #, young = #); end; r;"
    "simulate(0, 1);",
    "def s strand(line(0, 0, 0, #, 0, 0), segments = 4); radius(#); young(#); damping(#); end;"
    "s; simulate(0, 1);",
    "def c body(density = #); box(#, 1, 1); end; def r rod(line(0, 0, 0, 1, 0, 0), spans = 4,"
    "radius = #, density = 500, young = #); end; c; r; fusion(r at 0 along, c);"
    "position_constraint(r at 1 along, point(#, #, 0)); simulate(0, 1, step = #);",
};

/// Numbers that have made trouble, and those of everyday.
std::string number_of(unsigned char choice)
{
    constexpr const char* kNumbers[] = {"0",     "-1",   "1e-320", "1e308", "-1e308", "1e18",
                                        "1e-18", "0.01", "0.1",    "1",     "2",      "1000"};
    return kNumbers[choice % std::size(kNumbers)];
}

/// Stops what takes longer than a moment.
class Moment {
public:
    Moment()
        : listening_(&flag_), thread_([this] {
              for (int i = 0; i < 100 && !is_over_; ++i)
                  std::this_thread::sleep_for(std::chrono::milliseconds(20));
              flag_ = true;
          })
    {
    }
    ~Moment()
    {
        is_over_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> flag_ = false, is_over_ = false;
    StopScope listening_;
    std::thread thread_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size < 2)
        return 0;
    std::string script;
    std::size_t next = 2;
    for (const char c : std::string(kScripts[data[0] % std::size(kScripts)]))
        if (c == '#')
            script += number_of(next < size ? data[next++] : 9);
        else
            script += c;
    const ScriptReading reading = read_script("t.charli", script, no_files(), {});
    if (!reading.is_sound())
        return 0;
    const Moment moment;
    Result<World> world = World::create(reading.scene);
    if (!world)
        return 0;
    std::vector<std::byte> snapshot = world->snapshot();
    if (data[1] % 2 != 0)
        for (; next + 4 <= size; next += 4)
            snapshot[(data[next] | std::size_t(data[next + 1]) << 8) % snapshot.size()] =
                std::byte(data[next + 2]);
    if (!world->restore(snapshot))
        return 0;
    if (world->advance(world->time() + 0.05).fault)
        return 0;
    for (const Affine& object : world->frame().objects)
        fuzz::require(is_finite(object.origin), "what has moved is somewhere");
    return 0;
}
