// How a step's time and memory grow with the bodies: many stacks beside each other, one wall, one
// heap of balls that land.

#include "scaling.h"

#include "apart.h"
#include "engine.h"
#include "run.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string_view>

namespace sinew::bench {

namespace {

constexpr double kStep = 0.01;
constexpr double kReach = 3000; // of the floor [m]
constexpr int kLeastSteps = 20, kMostSteps = 100;
constexpr double kEnoughMs = 15e3; // of one run

/// Towers of ten, each an island.
StackScene make_towers(std::size_t count)
{
    constexpr std::size_t kHigh = 10;
    StackScene scene = make_scene("towers", kReach);
    const std::size_t box = add_box(scene, {0.5, 0.5, 0.5});
    const auto side = std::size_t(std::ceil(std::sqrt(double(count) / kHigh)));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t tower = i / kHigh;
        add(scene, box,
            {2.0 * double(tower % side), 2.0 * double(tower / side), 0.5 + double(i % kHigh)});
    }
    return scene;
}

/// A wall of ten courses in running bond, every other one a brick shorter: one island.
StackScene make_long_wall(std::size_t count)
{
    constexpr std::size_t kHigh = 10;
    StackScene scene = make_scene("wall", kReach);
    const std::size_t box = add_box(scene, {0.5, 0.25, 0.25});
    const std::size_t columns = (count + kHigh / 2) / kHigh;
    for (std::size_t course = 0; course < kHigh; ++course)
        for (std::size_t i = 0; i < columns - course % 2; ++i)
            add(scene, box,
                {1.01 * (double(i) - 0.5 * double(columns) + 0.5 * double(course % 2)), 0,
                 0.25 + 0.5 * double(course)});
    return scene;
}

/// Balls that land in a bin, six layers high: one island once they lie.
StackScene make_heap(std::size_t count)
{
    constexpr std::size_t kHigh = 6;
    constexpr double kPitch = 0.55;
    StackScene scene = make_scene("heap", kReach);
    const std::size_t ball = add_sphere(scene, 0.25);
    const auto side = std::size_t(std::ceil(std::sqrt(double(count) / kHigh)));
    const double half = 0.5 * kPitch * double(side) + 0.1;
    const std::size_t along_x = add_box(scene, {half + 1, 0.5, 3});
    const std::size_t along_y = add_box(scene, {0.5, half + 1, 3});
    for (const double sign : {-1.0, 1.0}) {
        scene.bodies.push_back({along_x, {0, sign * (half + 0.5), 3}, {}, 0});
        scene.bodies.push_back({along_y, {sign * (half + 0.5), 0, 3}, {}, 0});
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t layer = i / (side * side), at = i % (side * side);
        const double shift = 0.04 * double((7 * i) % 5) - 0.08; // or they would stand on end
        add(scene, ball,
            {kPitch * (double(at % side) - 0.5 * double(side - 1)) + shift,
             kPitch * (double(at / side) - 0.5 * double(side - 1)) - shift,
             0.3 + kPitch * double(layer)});
    }
    return scene;
}

struct ScalingRun {
    int steps = 0;
    double ms = 0;       ///< per step, all of them: the first, which begins from nothing, too
    double contacts = 0; ///< mean of the steps
    double kilobytes = 0;
};

double resident_kilobytes()
{
    long pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1024;
}

ScalingRun measure(const StackScene& scene, MakeEngine make)
{
    return call_apart<ScalingRun>([&](ScalingRun& run) {
        const double before = resident_kilobytes();
        const StackEnginePointer engine = make(scene, kStep);
        if (!engine)
            return;
        double spent = 0;
        while (run.steps < kMostSteps && (run.steps < kLeastSteps || spent < kEnoughMs)) {
            const double begin = now_ms();
            engine->step();
            spent += now_ms() - begin;
            ++run.steps;
            run.contacts += double(engine->contact_count());
        }
        run.ms = spent / run.steps;
        run.contacts /= run.steps;
        run.kilobytes = resident_kilobytes() - before;
    });
}

/// The slope of a line through (log x, log y).
class Exponent {
public:
    void add(double x, double y)
    {
        const double u = std::log(x), v = std::log(y);
        ++n_, u_ += u, v_ += v, uu_ += u * u, uv_ += u * v;
    }
    double value() const { return (n_ * uv_ - u_ * v_) / (n_ * uu_ - u_ * u_); }

private:
    double n_ = 0, u_ = 0, v_ = 0, uu_ = 0, uv_ = 0;
};

struct Family {
    const char* name;
    StackScene (*make)(std::size_t count);
};
struct Rival {
    const char* name;
    MakeEngine make;
};
constexpr Family kFamilies[] = {
    {"towers", make_towers}, {"wall", make_long_wall}, {"heap", make_heap}};
constexpr Rival kRivals[] = {{"sinew", make_sinew_engine}, {"bullet", make_bullet_engine}};
constexpr std::size_t kCounts[] = {100, 300, 1000, 3000, 10000, 20000};

} // namespace

void print_scaling(std::size_t most)
{
    fmt::print("{:8} {:7} {:>7} {:>9} {:>9} {:>12} {:>8}\n", "scene", "engine", "bodies",
               "contacts", "ms/step", "us/contact", "kB/body");
    for (const Family& family : kFamilies)
        for (const Rival& rival : kRivals) {
            Exponent exponent;
            for (const std::size_t count : kCounts) {
                if (count > most)
                    break;
                const ScalingRun run = measure(family.make(count), rival.make);
                if (run.steps == 0 || run.contacts == 0)
                    continue;
                exponent.add(run.contacts, run.ms);
                fmt::print("{:8} {:7} {:7} {:9.0f} {:9.3f} {:12.3f} {:8.2f}\n", family.name,
                           rival.name, count, run.contacts, run.ms, 1e3 * run.ms / run.contacts,
                           run.kilobytes / double(count));
                std::fflush(stdout);
            }
            fmt::print("{:8} {:7} time ~ contacts^{:.2f}\n", family.name, rival.name,
                       exponent.value());
        }
}

} // namespace sinew::bench
