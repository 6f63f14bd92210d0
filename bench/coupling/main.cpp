// Linkages, bodies, strands and rods that touch and pull each other: processor time of a step.
//
//   in:  names of scenes (all where none is given), --seconds S of processor time a scene at most,
//        --large; --growth: chains and planes of 10 to 1,000 parts instead
//   out: a line a scene: steps, mean and worst time, iterations of the row solver a step,
//        unconverged steps, MuJoCo's mean, the goal;
//        --growth: time by size, and the exponent of a line through all of a kind

#include "../timing.h"
#include "rival.h"
#include "scenes.h"
#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

using namespace sinew;
using namespace sinew::bench;

namespace {

struct Timing {
    int steps = 0, unconverged = 0, rows = 0, iterations = 0;
    double total = 0, worst = 0; ///< [s]
    std::string end = "";        ///< why it ended early
};

Timing run(const CoupledScene& scene, double most)
{
    Timing timing;
    const ScriptReading read = read_script(SINEW_ROOT "/bench/coupling/x.charli", scene.script, {});
    if (has_errors(read.problems)) {
        timing.end = problems_text(read.problems, false);
        return timing;
    }
    Result<World> world = World::create(read.scene);
    if (!world) {
        timing.end = problems_text(world.problems(), false);
        return timing;
    }
    const double h = read.scene.settings.step, start = world->time();
    const int count = static_cast<int>(scene.seconds / h + 0.5);
    while (timing.steps < count && timing.total < most) {
        const double begin = seconds_now();
        const StepReport report = world->advance(start + h * (timing.steps + 1));
        const double spent = seconds_now() - begin;
        timing.total += spent;
        timing.worst = std::max(timing.worst, spent);
        timing.rows = std::max(timing.rows, report.rows);
        timing.iterations += report.iterations;
        timing.unconverged += !report.converged;
        ++timing.steps;
        if (report.fault) {
            timing.end = report.fault->what;
            break;
        }
    }
    if (timing.steps < count && timing.end.empty())
        timing.end = fmt::format("not finished: {} of {} steps", timing.steps, count);
    return timing;
}

/// Time of a step [ms].
double mean_of(const Timing& timing) { return 1e3 * timing.total / std::max(timing.steps, 1); }

/// Iterations of the row solver a step.
double iterations_of(const Timing& timing)
{
    return double(timing.iterations) / std::max(timing.steps, 1);
}

void print(const CoupledScene& scene, const Timing& timing)
{
    const double mean = mean_of(timing);
    std::string rival = "-";
    if (!scene.rival.empty())
        if (const auto time = time_mujoco(scene.rival, std::max(timing.steps, 1)))
            rival = fmt::format("{:.3f}", *time);
    const std::string goal = scene.is_whole ? fmt::format("{:.1f} s", scene.goal * 1e-3)
                                            : fmt::format("{:.2f}", scene.goal);
    fmt::print("{:<26} {:>6} {:>6} {:>10.3f} {:>10.3f} {:>9.2f} {:>6.1f} {:>6} {:>8} {:>8}  {}\n",
               scene.name, timing.steps, timing.rows, mean, 1e3 * timing.worst, timing.total,
               iterations_of(timing), timing.unconverged, rival, goal, timing.end);
    std::fflush(stdout);
}

/// The slope of a line through the points (ln n, ln time).
double exponent_of(const std::vector<std::array<double, 2>>& points)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [n, time] : points) {
        const double a = std::log(n), b = std::log(time);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    const double count = double(points.size());
    return (count * xy - x * y) / (count * xx - x * x);
}

void run_growth(const std::vector<std::string_view>& names, double most)
{
    fmt::print("{:<16} {:>6} {:>6} {:>6} {:>10} {:>10} {:>6} {:>6}\n", "scene", "parts", "steps",
               "rows", "mean ms", "worst ms", "its", "open");
    for (const GrowthFamily& family : make_families()) {
        if (!names.empty() && std::ranges::find(names, family.name) == names.end())
            continue;
        std::vector<std::array<double, 2>> points;
        for (const auto& [parts, scene] : family.sizes) {
            const Timing timing = run(scene, most);
            const double mean = mean_of(timing);
            fmt::print("{:<16} {:>6} {:>6} {:>6} {:>10.3f} {:>10.3f} {:>6.1f} {:>6}  {}\n",
                       family.name, parts, timing.steps, timing.rows, mean, 1e3 * timing.worst,
                       iterations_of(timing), timing.unconverged, timing.end);
            std::fflush(stdout);
            points.push_back({double(parts), mean});
        }
        fmt::print("{:<16} exponent {:.2f}, goal {:.2f}\n", family.name, exponent_of(points),
                   family.bound);
    }
}

} // namespace

int main(int argc, char** argv)
{
    double most = 20;
    bool is_large = false, grows = false;
    std::vector<std::string_view> names;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--seconds" && i + 1 < argc)
            most = std::atof(argv[++i]);
        else if (word == "--large")
            is_large = true;
        else if (word == "--growth")
            grows = true;
        else
            names.push_back(word);
    }
    if (grows) {
        run_growth(names, most);
        return 0;
    }
    fmt::print("{:<26} {:>6} {:>6} {:>10} {:>10} {:>9} {:>6} {:>6} {:>8} {:>8}\n", "scene", "steps",
               "rows", "mean ms", "worst ms", "total s", "its", "open", "MuJoCo", "goal");
    for (const CoupledScene& scene : make_scenes(is_large))
        if (names.empty() || std::ranges::any_of(names, [&](std::string_view name) {
                return scene.name.starts_with(name);
            }))
            print(scene, run(scene, most));
}
