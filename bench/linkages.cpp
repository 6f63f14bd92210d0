// Linkages of 10 to 10,000 masses: time for the accelerations and for a step, how both grow, and
// how they compare with the paper's dense elimination and with Simbody in the same run. A line also
// carries a hash of the state after some steps, so that a faster but different result cannot pass
// unnoticed. Times depend on the machine: watch the exponents and the ratios.
//
//   ./dev bench linkages                        everything, about a minute
//   ./dev bench linkages --most 1000            without the large ones
//   ./dev bench linkages --save bench/results   also as CSV, one file for each machine

#include "dense_rival.h"
#include "fixed_step.h"
#include "linkage_scenes.h"
#include "simbody_rival.h"
#include "timing.h"

#include "sinew/world.h"

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

constexpr double kStep = 1.0 / 240; // [s]
constexpr int kSteps = 12;          // for the hash, and for the time of one

struct Line {
    std::string kind;
    int masses = 0;
    double update_us = 0, factor_us = 0, solve_us = 0;
    double evaluation_us = 0; ///< all three
    double step_us = 0;       ///< four of them and the projections
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
    FixedStep stepper(family.make(masses));
    Line line{.kind = family.name, .masses = masses};
    const double round = 0.02;
    line.evaluation_us = 1e6 * seconds_per_call([&] { stepper.evaluate(); }, round);
    line.update_us = 1e6 * seconds_per_call([&] { stepper.update(); }, round);
    line.factor_us = 1e6 * seconds_per_call([&] { stepper.factor(); }, round);
    line.solve_us = 1e6 * seconds_per_call([&] { stepper.solve(); }, round);
    double fastest = INFINITY;
    for (int i = 0; i < kSteps; ++i) {
        const double start = seconds_now();
        stepper.step(kStep);
        fastest = std::min(fastest, seconds_now() - start);
    }
    line.step_us = 1e6 * fastest;
    line.hash = stepper.state_hash();
    return line;
}

/// Least squares of log t over log n for the sizes above the fixed costs.
double exponent_of(const std::vector<Line>& lines, double Line::*time)
{
    double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const Line& line : lines) {
        if (line.masses < 100)
            continue;
        const double x = std::log(line.masses), y = std::log(line.*time);
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
    fmt::print("{:<15}{:>7}{:>10}{:>10}{:>10}{:>12}{:>12}  {}\n", "[us]", "masses", "update",
               "factor", "solve", "evaluation", "step", "state after 12 steps");
    std::string verdicts;
    for (const Family& family : kFamilies) {
        std::vector<Line> lines;
        for (const int masses : sizes_of(family, most)) {
            const Line& line = lines.emplace_back(measure(family, masses));
            fmt::print("{:<15}{:>7}{:>10.1f}{:>10.1f}{:>10.1f}{:>12.1f}{:>12.1f}  {:016x}\n",
                       line.kind, line.masses, line.update_us, line.factor_us, line.solve_us,
                       line.evaluation_us, line.step_us, line.hash);
        }
        if (!lines.empty() && lines.back().masses >= 300)
            verdicts +=
                fmt::format("{:<15} evaluation n^{:.2f}, step n^{:.2f} (goal: at most {})\n",
                            family.name, exponent_of(lines, &Line::evaluation_us),
                            exponent_of(lines, &Line::step_us), family.goal);
        all.insert(all.end(), lines.begin(), lines.end());
    }
    fmt::print("\nGrowth from 100 masses on:\n{}", verdicts);
    return all;
}

void compare_dense(int most)
{
    fmt::print("\nAgainst the paper's dense elimination, on the chain (one evaluation):\n");
    fmt::print("{:>7}{:>14}{:>14}{:>10}{:>14}\n", "masses", "dense [us]", "sparse [us]", "ratio",
               "difference");
    for (const int masses : {10, 30, 100, 300, 1000}) {
        if (masses > most)
            continue;
        FixedStep stepper(make_chain(masses));
        for (int i = 0; i < 3; ++i)
            stepper.step(kStep);
        const double sparse = seconds_per_call([&] { stepper.evaluate(); });
        double difference = 0;
        const double dense = seconds_per_call([&] {
            stepper.update();
            difference = solve_dense(stepper);
        });
        fmt::print("{:>7}{:>14.1f}{:>14.1f}{:>10.1f}{:>14.1e}\n", masses, 1e6 * dense, 1e6 * sparse,
                   dense / sparse, difference);
    }
}

void compare_simbody(int most)
{
    constexpr double kAngle = 0.8;
    if (!SimbodyChain::make(1, kAngle)) {
        fmt::print("\nSimbody is not installed: comparison left out.\n");
        return;
    }
    fmt::print(
        "\nAgainst Simbody (pin joints, recursion over the links), the same swinging chain,\n"
        "Runge-Kutta of order four with 240 steps a second on both sides; time of a step:\n");
    fmt::print("{:>7}{:>14}{:>14}{:>14}{:>10}{:>10}{:>18}\n", "links", "Simbody [us]",
               "nested [us]", "points [us]", "nested", "points", "difference [rad]");
    for (const int masses : {10, 30, 100, 300, 1000, 3000}) {
        if (masses > most)
            continue;
        const std::unique_ptr<SimbodyChain> rival = SimbodyChain::make(masses, kAngle);
        FixedStep nested(make_nested_chain(masses, kAngle)), points(make_chain(masses, kAngle));
        double of_rival = INFINITY, of_nested = INFINITY, of_points = INFINITY;
        const auto time_step = [](auto& stepper, double& fastest) {
            const double start = seconds_now();
            stepper.step(kStep);
            fastest = std::min(fastest, seconds_now() - start);
        };
        for (int i = 0; i < 24; ++i) { // by turns: what else the machine does hits all three
            time_step(*rival, of_rival);
            time_step(nested, of_nested);
            time_step(points, of_points);
        }
        double difference = 0;
        for (int i = 0; i < masses; ++i)
            difference = std::max(
                difference, std::abs(rival->angle(i) - nested.x()[static_cast<std::size_t>(i)]));
        fmt::print("{:>7}{:>14.1f}{:>14.1f}{:>14.1f}{:>9.2f}x{:>9.2f}x{:>18.1e}\n", masses,
                   1e6 * of_rival, 1e6 * of_nested, 1e6 * of_points, of_rival / of_nested,
                   of_rival / of_points, difference);
    }
}

void measure_real_time(int masses)
{
    constexpr double kLength = 1; // [s]
    fmt::print("\nA swinging chain of {} masses with links of 1 m, {} s of motion, one core:\n",
               masses, kLength);
    const auto print = [&](const char* what, double seconds, const std::string& remark) {
        fmt::print("{:<44}{:>8.3f} s{:>8.2f} x real time   {}\n", what, seconds, kLength / seconds,
                   remark);
    };
    const auto run = [&](const char* what, const Scene& scene) {
        FixedStep stepper(scene);
        const double start = seconds_now();
        for (int i = 0; i < std::lround(kLength / kStep); ++i)
            stepper.step(kStep);
        print(what, seconds_now() - start, fmt::format("constraints {:.0e} m", stepper.residual()));
    };
    run("240 fixed steps a second, points", make_chain(masses));
    run("240 fixed steps a second, nested", make_nested_chain(masses));
    Result<World> world = World::create(make_chain(masses));
    if (!world) {
        fmt::print("no world: {}\n", world.problems()[0].what);
        return;
    }
    int steps = 0, rejected = 0;
    double residual = 0;
    const double start = seconds_now();
    for (int frame = 1; frame <= 24; ++frame) {
        const StepReport report = world->advance(frame / 24.0 * kLength);
        steps += report.steps;
        rejected += report.rejected;
        residual = report.residual;
        if (report.fault) {
            fmt::print("stopped: {}\n", report.fault->what);
            return;
        }
    }
    print("the default (adaptive, order 8), points", seconds_now() - start,
          fmt::format("constraints {:.0e} m, {} steps, {} refused", residual, steps, rejected));
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
    file << "scene,masses,update_us,factor_us,solve_us,evaluation_us,step_us,state_hash\n";
    for (const Line& line : lines)
        file << fmt::format("\"{}\",{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:016x}\n", line.kind,
                            line.masses, line.update_us, line.factor_us, line.solve_us,
                            line.evaluation_us, line.step_us, line.hash);
    fmt::print("\nsaved: {}\n", name);
}

} // namespace

int main(int count, char** arguments)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    int most = 10000;
    std::string folder;
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(arguments[i], "--most") == 0)
            most = std::atoi(arguments[i + 1]);
        if (std::strcmp(arguments[i], "--save") == 0)
            folder = arguments[i + 1];
    }
    const std::vector<Line> lines = measure_growth(most);
    compare_dense(most);
    compare_simbody(most);
    measure_real_time(std::min(most, 1000));
    if (!folder.empty())
        save(folder, lines);
}
