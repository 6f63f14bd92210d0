// Rods: the scenes of the paper's table with their time for a step, the cost of keyholes and pearls
// against their number, the solver beside others.

#include "../timing.h"
#include "sinew/language.h"
#include "sinew/world.h"
#include "solvers.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace sinew;

namespace {

constexpr double kStep = 1.0 / 240;

std::string read_example(const std::string& name)
{
    std::ifstream file(std::string(SINEW_ROOT) + "/examples/" + name + ".charli");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Timing {
    double seconds = 0; ///< for a step, the fastest of some rounds
    double passes = 0;  ///< row solves for a step
    int rows = 0;
    std::uint64_t points = 0;
    bool is_good = false;
};

Timing measure(const std::string& script, int steps)
{
    Timing timing;
    const ScriptReading read = read_script("bench.charli", script, {});
    if (has_errors(read.problems)) {
        fmt::print("{}", problems_text(read.problems, false));
        return timing;
    }
    Result<World> world = World::create(read.scene);
    if (!world) {
        fmt::print("{}", problems_text(world.problems(), false));
        return timing;
    }
    timing.points = read.reading.rod_point_count;
    timing.seconds = 1e300;
    const double h = read.scene.settings.step;
    double time = world->time(), iterations = 0;
    for (int round = 0; round < bench::kRepeats; ++round) {
        const double start = bench::seconds_now();
        for (int i = 0; i < steps; ++i) {
            time += h;
            const StepReport report = world->advance(time);
            timing.rows = std::max(timing.rows, report.rows);
            iterations += report.iterations;
            if (report.fault)
                return timing;
        }
        timing.seconds = std::min(timing.seconds, (bench::seconds_now() - start) / steps);
    }
    timing.passes = iterations / (bench::kRepeats * steps);
    timing.is_good = true;
    return timing;
}

/// The paper's table 1 [Theetten08]: multipliers, absolute and relative, and its time.
struct Scene1 {
    const char *name, *example, *multipliers;
    double paper_ms;
};
constexpr Scene1 kScenes[] = {
    {"bridge", "rope_bridge", "32 + 21", 1.7},    {"necklace", "necklace", "8 + 10", 0.4},
    {"bow", "bow_and_arrow", "11 + 16", 0.56},    {"cable bundle", "cable_bundle", "7 + 35", 1.0},
    {"spider net", "spider_net", "28 + 49", 4.0}, {"DNA", "dna", "8 + 32", 1.1}};

void print_scenes()
{
    fmt::print(
        "scene         points  rows  converged us  solves  linearised us  goal us  paper us  "
        "rows of the paper\n");
    for (const Scene1& scene : kScenes) {
        const std::string script = read_example(scene.example);
        const Timing exact = measure(script, 20);
        const Timing once = measure(script + "\nrods(iterations = 1);\n", 20);
        fmt::print("{:<13} {:>6} {:>5} {:>13.0f} {:>7.1f} {:>14.0f} {:>8.0f} {:>9.0f}  {}\n",
                   scene.name, exact.points, exact.rows, exact.seconds * 1e6, exact.passes,
                   once.is_good ? once.seconds * 1e6 : 0.0, scene.paper_ms * 1e3 / 20,
                   scene.paper_ms * 1e3, scene.multipliers);
    }
}

/// A rope of 100 spans through `count` keyholes, or with as many pearls on it.
std::string make_line(int count, bool pearls)
{
    std::string script = "def rope rod(line(0,0,0, 10,0,0), spans = 100, radius = 5 mm, young = "
                         "1e8); end; rope;\n"
                         "position_constraint(rope at 0 along, point(0,0,0));\n"
                         "position_constraint(rope at 1 along, point(10,0,0));\n"
                         "def bead body(mass = 0.01); sphere(1 mm); end;\n";
    for (int i = 0; i < count; ++i) {
        const double u = (i + 0.5) / count;
        script += pearls ? fmt::format("b[{0}] = bead translatex({1}); pearl(b[{0}], rope, from = "
                                       "{2});\n",
                                       i, 10 * u, u)
                         : fmt::format("keyhole(rope, point({},0,0), from = {});\n", 10 * u, u);
    }
    return script + fmt::format("simulate(0, 1, step = {});\n", kStep);
}

void print_growth()
{
    fmt::print("\nnumber  keyholes us  pearls us   (a rope of 103 points, converged)\n");
    for (const int count : {10, 20, 40, 80, 160, 320})
        fmt::print("{:>6} {:>12.0f} {:>10.0f}\n", count,
                   measure(make_line(count, false), 4).seconds * 1e6,
                   measure(make_line(count, true), 4).seconds * 1e6);
}

} // namespace

int main()
{
    print_scenes();
    print_growth();
    bench::print_solvers();
}
