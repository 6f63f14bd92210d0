// The same frames that bench/python.py makes, in C++: bench_frames SCRIPT SECONDS. Prints the
// processor's seconds of stepping.

#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/core.h>

#include <cstdlib>
#include <ctime>

using namespace sinew;

int main(int count, char** words)
{
    if (count != 3) {
        fmt::print(stderr, "bench_frames SCRIPT SECONDS\n");
        return 2;
    }
    const ScriptReading reading = read_script_file(words[1], {});
    Result<World> world = World::create(reading.scene, {.threads = 1, .imports = {}});
    if (!reading.is_sound() || !world) {
        fmt::print(stderr, "{} cannot be run\n", words[1]);
        return 1;
    }
    const double rate = reading.scene.settings.frame_rate, seconds = std::atof(words[2]);
    const std::clock_t begin = std::clock();
    for (int i = 1; i / rate <= seconds + 1e-9; ++i)
        world->advance(reading.scene.settings.start + i / rate);
    fmt::print("{:.6f}\n", double(std::clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}
