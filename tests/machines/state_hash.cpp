// What a machine makes of scripts, as numbers that can be compared: state_hash SECONDS SCRIPT
//
// Prints the hash over the machine's arithmetic, the number of frames and the hash of the last
// state. It is the program without recording, pictures and viewer, so that another compiler or
// processor needs little more than the library.

#include "base/arithmetic.h"
#include "sinew/language.h"
#include "sinew/world.h"

#include <cstdio>
#include <cstdlib>

using namespace sinew;

namespace {

int tell(const Problems& problems)
{
    for (const Problem& problem : problems)
        std::fprintf(stderr, "%s: %s\n", to_string(problem.place).c_str(), problem.what.c_str());
    return 1;
}

int run(const Scene& scene, double seconds)
{
    Result<World> world = World::create(scene);
    if (!world)
        return tell(world.problems());
    const double rate = scene.settings.frame_rate;
    long frames = 0;
    StepReport report;
    while (double(frames + 1) <= seconds * rate && !report.fault)
        report = world->advance(scene.settings.start + double(++frames) / rate);
    std::printf("%016llx %ld %016llx\n", static_cast<unsigned long long>(arithmetic_hash()), frames,
                static_cast<unsigned long long>(world->state_hash()));
    return report.fault ? tell({*report.fault}) : 0;
}

} // namespace

int main(int count, char** words)
{
    if (count != 3) {
        std::fputs("state_hash SECONDS SCRIPT\n", stderr);
        return 2;
    }
    const ScriptReading script = read_script_file(words[2]);
    return script.is_sound() ? run(script.scene, std::atof(words[1])) : tell(script.problems);
}
