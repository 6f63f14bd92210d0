// Linkages of 10 to 10,000 masses: time of a fixed step, how it grows, and how it compares with the
// paper's dense elimination, with Simbody and with MuJoCo in the same run. A line also carries a
// hash of the state after some steps, so that a faster but different result cannot pass unnoticed.
// Times depend on the machine: watch the exponents and the ratios.
//
//   ./dev bench linkages                        everything, about a minute
//   ./dev bench linkages --most 1000            without the large ones
//   ./dev bench linkages --engines              nested chains beside Simbody and MuJoCo alone
//   ./dev bench linkages --save bench/results   also as CSV, one file for each machine

#include "dense_rival.h"
#include "linkage_scenes.h"
#include "mujoco_chain.h"
#include "simbody_rival.h"
#include "stepping.h"
#include "timing.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sinew;
using namespace sinew::bench;

constexpr double kAngle = 0.8; // of chains, away from hanging [rad]

struct Line {
    std::string kind;
    int masses = 0;
    double step_us = 0; ///< four evaluations and the projections
    std::uint64_t hash = 0;
};

struct Family {
    const char* name;
    Scene (*make)(int masses);
    double goal; ///< largest exponent
};

Scene make_strip(int masses) { return make_net(masses / 10, 10); }
Scene make_square_net(int masses)
{
    const int side = static_cast<int>(std::lround(std::sqrt(masses)));
    return make_net(side, side);
}

constexpr Family kFamilies[] = {
    {"chain", [](int n) { return make_chain(n); }, 1.1},
    {"nested chain", [](int n) { return make_nested_chain(n); }, 1.1},
    {"ladder", make_ladder, 1.1},
    {"strip, 10 wide", make_strip, 1.1},
    {"square net", make_square_net, 1.5},
};

std::vector<int> sizes_of(const Family& family, int most)
{
    std::vector<int> sizes{10, 30, 100, 300, 1000, 3000, 10000};
    if (family.make == make_square_net)
        sizes = {16, 100, 324, 1024, 3136, 10000};
    if (family.make == make_strip)
        sizes.erase(sizes.begin());
    if (std::string_view(family.name) == "nested chain")
        sizes.back() = 4900; // deeper than 5000 a scene is refused
    std::erase_if(sizes, [&](int n) { return n > most; });
    return sizes;
}

Line measure(const Family& family, int masses)
{
    World world = make_world(family.make(masses));
    const double seconds = fastest_step(world);
    return {family.name, masses, 1e6 * seconds, world.state_hash()};
}

/// Least squares of log t over log n for the sizes above the fixed costs.
double exponent_of(const std::vector<Line>& lines)
{
    double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const Line& line : lines) {
        if (line.masses < 100)
            continue;
        const double x = std::log(line.masses), y = std::log(line.step_us);
        count += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

std::vector<Line> measure_growth(int most)
{
    std::vector<Line> all;
    fmt::print("{:<15}{:>7}{:>12}  state after {} steps\n", "", "masses", "step [us]", kSteps);
    std::string verdicts;
    for (const Family& family : kFamilies) {
        std::vector<Line> lines;
        for (const int masses : sizes_of(family, most)) {
            const Line& line = lines.emplace_back(measure(family, masses));
            fmt::print("{:<15}{:>7}{:>12.1f}  {:016x}\n", line.kind, line.masses, line.step_us,
                       line.hash);
        }
        if (!lines.empty() && lines.back().masses >= 300)
            verdicts += fmt::format("{:<15} step n^{:.2f} (goal: at most {})\n", family.name,
                                    exponent_of(lines), family.goal);
        all.insert(all.end(), lines.begin(), lines.end());
    }
    if (!verdicts.empty())
        fmt::print("\nGrowth from 100 masses on:\n{}", verdicts);
    return all;
}

/// Largest distance between the rival's masses and ours after some steps of both [m].
double compare_motion(DenseChain& rival, World& ours, int steps)
{
    for (int i = 0; i < steps; ++i)
        rival.step(kStep);
    advance(ours, steps * kStep);
    double difference = 0;
    for (std::size_t i = 0; i < rival.positions().size(); ++i)
        difference = std::max(difference, std::abs(rival.positions()[i] - ours.coordinates()[i]));
    return difference;
}

void compare_dense(int most)
{
    fmt::print("\nAgainst the paper's dense elimination, on the chain; time of a step, the rival's "
               "without\nits projection (four evaluations), difference after {} steps of both:\n",
               kSteps);
    fmt::print("{:>7}{:>14}{:>14}{:>12}{:>18}\n", "masses", "dense [us]", "ours [us]", "dense/ours",
               "difference [m]");
    for (const int masses : {10, 30, 100, 300, 1000}) {
        if (masses > most)
            continue;
        World world = make_world(make_chain(masses, kAngle));
        const double ours = fastest_step(world);
        const std::unique_ptr<DenseChain> rival = DenseChain::make(masses, kAngle);
        const double dense = 4 * seconds_per_call([&] { rival->evaluate(); });
        std::string difference = "-"; // for the large ones it takes minutes
        if (masses <= 100) {
            World fresh = make_world(make_chain(masses, kAngle));
            difference = fmt::format("{:.1e}", compare_motion(*rival, fresh, kSteps));
        }
        fmt::print("{:>7}{:>14.1f}{:>14.1f}{:>11.1f}x{:>18}\n", masses, 1e6 * dense, 1e6 * ours,
                   dense / ours, difference);
    }
}

/// Seconds of a step where everything is done by turns: what the machine does hits all.
struct EngineTimes {
    double simbody = INFINITY, mujoco = INFINITY, nested = INFINITY, points = INFINITY;
};

/// Largest difference of the angles of two chains [rad].
template <class Rival>
double largest_difference(const Rival& rival, const World& nested, int masses)
{
    double difference = 0;
    for (int i = 0; i < masses; ++i)
        difference =
            std::max(difference,
                     std::abs(rival.angle(i) - nested.coordinates()[static_cast<std::size_t>(i)]));
    return difference;
}

template <class Step>
void time_rival(double& fastest, Step&& step)
{
    const double start = seconds_now();
    for (int i = 0; i < kSteps; ++i)
        step();
    fastest = std::min(fastest, (seconds_now() - start) / kSteps);
}

/// A rival's time and ours as a multiple of it; "-" without the rival.
std::string time_text(bool is_there, double seconds)
{
    return is_there ? fmt::format("{:.1f}", 1e6 * seconds) : "-";
}

std::string ratio_text(bool is_there, double rival, double ours)
{
    return is_there ? fmt::format("{:.2f}x", rival / ours) : "-";
}

void compare_engines(int most)
{
    fmt::print(
        "\nAgainst Simbody (pin joints) and MuJoCo (hinges), the same swinging chain, Runge-Kutta\n"
        "of order four with 240 steps a second on all sides; time of a step [us], and how many\n"
        "times as long as ours a rival's is; 'difference' of the angles after {} steps [rad]:\n",
        4 * kSteps);
    fmt::print("{:>6}{:>10}{:>10}{:>10}{:>10}{:>16}{:>15}{:>20}{:>19}\n", "links", "nested",
               "points", "Simbody", "MuJoCo", "Simbody/nested", "MuJoCo/nested",
               "difference Simbody", "difference MuJoCo");
    for (const int masses : {10, 30, 100, 300, 1000, 3000}) {
        if (masses > most)
            continue;
        const std::unique_ptr<SimbodyChain> simbody = SimbodyChain::make(masses, kAngle);
        const std::unique_ptr<MujocoChain> mujoco =
            masses <= 300 ? MujocoChain::make(masses, kAngle, kStep) : nullptr; // a dense matrix
        World nested = make_world(make_nested_chain(masses, kAngle)),
              points = make_world(make_chain(masses, kAngle));
        EngineTimes times;
        for (int round = 0; round < 4; ++round) {
            if (simbody)
                time_rival(times.simbody, [&] { simbody->step(kStep); });
            if (mujoco)
                time_rival(times.mujoco, [&] { mujoco->step(); });
            times.nested = std::min(times.nested, time_steps(nested));
            times.points = std::min(times.points, time_steps(points));
        }
        const auto difference = [&](const auto& rival) {
            return rival ? fmt::format("{:.1e}", largest_difference(*rival, nested, masses)) : "-";
        };
        fmt::print("{:>6}{:>10.1f}{:>10.1f}{:>10}{:>10}{:>16}{:>15}{:>20}{:>19}\n", masses,
                   1e6 * times.nested, 1e6 * times.points,
                   time_text(simbody != nullptr, times.simbody),
                   time_text(mujoco != nullptr, times.mujoco),
                   ratio_text(simbody != nullptr, times.simbody, times.nested),
                   ratio_text(mujoco != nullptr, times.mujoco, times.nested), difference(simbody),
                   difference(mujoco));
    }
}

void measure_real_time(int masses)
{
    constexpr int kFrames = 24; // one second
    fmt::print(
        "\nA swinging chain of {} masses with links of 1 m, one second of motion in {} frames, "
        "one core:\n",
        masses, kFrames);
    const auto run = [&](const char* what, const Scene& scene, LinkageMethod method) {
        World world = make_world(scene, method);
        int steps = 0, rejected = 0;
        double residual = 0;
        const double start = seconds_now();
        for (int frame = 1; frame <= kFrames; ++frame) {
            const StepReport report = advance(world, double(frame) / kFrames);
            steps += report.steps;
            rejected += report.rejected;
            residual = std::max(residual, report.residual);
        }
        const double seconds = seconds_now() - start;
        fmt::print("{:<42}{:>8.3f} s{:>8.2f} x real time   constraints {:.0e} m, {} steps, {} "
                   "refused\n",
                   what, seconds, 1 / seconds, residual, steps, rejected);
    };
    run("240 fixed steps a second, points", make_chain(masses, kAngle), LinkageMethod::fixed);
    run("240 fixed steps a second, nested", make_nested_chain(masses, kAngle),
        LinkageMethod::fixed);
    run("the default (adaptive, order 8), points", make_chain(masses, kAngle),
        LinkageMethod::automatic);
}

/// The processor's name as part of a file name.
std::string machine_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with("model name") || colon == std::string::npos)
            continue;
        std::string name;
        for (const char c : line.substr(colon + 2))
            if (std::isalnum(static_cast<unsigned char>(c)))
                name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (!name.empty() && name.back() != '_')
                name += '_';
        while (name.ends_with('_'))
            name.pop_back();
        return name;
    }
    return "machine";
}

void save(const std::string& folder, const std::vector<Line>& lines)
{
    std::filesystem::create_directories(folder);
    const std::string name = folder + "/linkages_" + machine_name() + ".csv";
    std::ofstream file(name);
    file << "scene,masses,step_us,state_hash\n";
    for (const Line& line : lines)
        file << fmt::format("\"{}\",{},{:.2f},{:016x}\n", line.kind, line.masses, line.step_us,
                            line.hash);
    fmt::print("\nsaved: {}\n", name);
}

} // namespace

int main(int count, char** arguments)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    int most = 10000;
    std::string folder;
    if (count == 2 && std::strcmp(arguments[1], "--engines") == 0) {
        compare_engines(most);
        return 0;
    }
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(arguments[i], "--most") == 0)
            most = std::atoi(arguments[i + 1]);
        if (std::strcmp(arguments[i], "--save") == 0)
            folder = arguments[i + 1];
    }
    const std::vector<Line> lines = measure_growth(most);
    compare_dense(most);
    compare_engines(most);
    measure_real_time(std::min(most, 1000));
    if (!folder.empty())
        save(folder, lines);
}
