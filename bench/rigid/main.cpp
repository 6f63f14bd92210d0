// Stacks, piles and slopes in our engine and in rivals, in one run and one table.
//
//   ./dev bench rigid [SCENE...] [--rounds N] [--engine NAME]
//   ./dev bench rigid --scaling [MOST]
//   ./dev bench rigid --convergence
//   ./dev bench rigid --motion

#include "convergence.h"
#include "motion.h"
#include "run.h"
#include "scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace {

using namespace sinew::bench;

constexpr double kStep = 0.01, kMostSeconds = 60;

struct Named {
    const char* name;
    MakeEngine make;
};
constexpr Named kEngines[] = {{"bullet", make_bullet_engine},
                              {"sinew", make_sinew_engine},
                              {"ode", make_ode_engine},
                              {"mujoco", make_mujoco_engine}};

struct Wishes {
    std::vector<std::string_view> scenes = {}, engines = {};
    int rounds = 1;
    std::size_t scaling = 0; ///< most bodies; 0: not wanted
    bool convergence = false, motion = false;
};

Wishes read_wishes(int count, char** words)
{
    Wishes wishes;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--rounds" && i + 1 < count)
            wishes.rounds = std::max(1, std::atoi(words[++i]));
        else if (word == "--engine" && i + 1 < count)
            wishes.engines.emplace_back(words[++i]);
        else if (word == "--convergence")
            wishes.convergence = true;
        else if (word == "--motion")
            wishes.motion = true;
        else if (word == "--scaling")
            wishes.scaling = i + 1 < count ? std::strtoul(words[++i], nullptr, 10) : 20000;
        else
            wishes.scenes.push_back(word);
    }
    return wishes;
}

bool is_wanted(const std::vector<std::string_view>& list, std::string_view name)
{
    return list.empty() || std::ranges::find(list, name) != list.end();
}

std::string verdict(const StackScene& scene, const StackRun& run)
{
    if (run.seconds < scene.seconds - kStep)
        return fmt::format("given up after {:.1f} s", run.seconds);
    switch (scene.expected) {
    case Outcome::stands:
        return run.fell_at < 0 ? "stands" : fmt::format("fell at {:.1f} s", run.fell_at);
    case Outcome::falls:
        return run.fell_at < 0 ? "stands, must fall"
                               : fmt::format("falls at {:.1f} s", run.fell_at);
    case Outcome::sticks: return run.drift < 0.01 ? "sticks" : "creeps";
    case Outcome::slides:
        return fmt::format("slides {:+.3f} %", 100 * (run.drift / scene.slide - 1));
    case Outcome::settles: return fmt::format("{} lost", run.lost);
    }
    return "";
}

/// What the scene asks for besides: empty where all is reached.
std::string shortfall(const StackScene& scene, const StackRun& run, double ratio)
{
    std::string missed;
    const auto need = [&](bool is_met, const char* what) {
        if (!is_met)
            missed += (missed.empty() ? "" : ", ") + std::string(what);
    };
    const bool has_fallen = run.fell_at >= 0;
    switch (scene.expected) {
    case Outcome::stands:
        need(!has_fallen, "falls");
        need(run.overlap <= 1e-4, "overlap");
        need(run.drift <= 1e-3, "drift");
        need(run.speed <= 1e-4, "speed");
        need(!(ratio > 0.5), "time");
        break;
    case Outcome::falls: need(has_fallen, "stands"); break;
    case Outcome::sticks: need(run.drift < 1e-3, "creeps"); break;
    case Outcome::slides: need(std::abs(run.drift / scene.slide - 1) <= 1e-3, "distance"); break;
    case Outcome::settles:
        need(run.lost == 0, "lost");
        need(run.overlap <= 2e-3, "overlap");
        need(!(ratio > 1), "time");
        break;
    }
    return missed.empty() ? "reached" : "short: " + missed;
}

StackRun best_of(const StackScene& scene, MakeEngine make, int rounds)
{
    StackRun best = run_apart(scene, make, kStep, kMostSeconds);
    for (int i = 1; i < rounds && best.is_done; ++i)
        if (const StackRun again = run_apart(scene, make, kStep, kMostSeconds); again.ms < best.ms)
            best.ms = again.ms;
    return best;
}

void print_row(const StackScene& scene, const char* engine, const StackRun& run, double bullet_ms)
{
    const double ratio = bullet_ms > 0 ? run.ms / bullet_ms : NAN;
    fmt::print("{:14} {:7} {:8.4f} {:7.2f} {:8.2f} {:9.3f} {:9.2f} {:9.2f}  {:20} {}\n", scene.name,
               engine, run.ms, ratio, run.worst_ms, 1e3 * run.overlap, 1e3 * run.drift,
               1e3 * run.speed, verdict(scene, run), shortfall(scene, run, ratio));
    std::fflush(stdout);
}

} // namespace

int main(int count, char** words)
{
    const Wishes wishes = read_wishes(count, words);
    if (wishes.convergence) {
        print_convergence();
        return 0;
    }
    if (wishes.motion) {
        print_motion();
        return 0;
    }
    if (wishes.scaling > 0) {
        print_scaling(wishes.scaling);
        return 0;
    }
    fmt::print("{:14} {:7} {:>8} {:>7} {:>8} {:>9} {:>9} {:>9}  {:20} {}\n", "scene", "engine",
               "ms/step", "ratio", "worst ms", "overlap", "drift mm", "end mm/s", "verdict",
               "goals");
    for (const StackScene& scene : make_stack_scenes()) {
        if (!is_wanted(wishes.scenes, scene.name))
            continue;
        double bullet_ms = 0;
        for (const auto& [name, make] : kEngines) {
            const bool is_bullet = make == make_bullet_engine;
            if (!is_bullet && !is_wanted(wishes.engines, name))
                continue;
            const StackRun run = best_of(scene, make, wishes.rounds);
            if (is_bullet)
                bullet_ms = run.ms;
            if (run.is_done)
                print_row(scene, name, run, bullet_ms);
        }
    }
}
