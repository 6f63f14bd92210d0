// Strands: a segment's share of an iteration, whole scenes, rivals.
//
//   ./dev bench strands
//   bench_strands --groom: the groom alone; --contacts: cost against contacts alone;
//   --touching: what contact costs beside the dynamics alone; --each-other ROWS: a tuft

#include "kernels.h"
#include "rivals.h"
#include "scenes.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace {

using namespace sinew::bench;

void print_kernels(int segments, bool is_tree)
{
    for (const KernelTime& t : time_kernels(segments, is_tree))
        fmt::print("{:<20} {:>5} {:>5}  {:>8.1f} {:>9.1f} {:>8.1f}  {:>5.0f} %\n", t.name,
                   t.segments, t.is_tree ? "tree" : "chain", t.exact, t.symmetric, t.whole,
                   100 * t.peak_share);
}

void print_scene(const StrandScene& scene, int warm_up, int frames)
{
    double one = 0;
    for (const bool is_float : {true, false}) {
        sinew::World world = make_world(scene, is_float, 1);
        time_frames(scene, world, false, warm_up);
        const FrameTime time = time_frames(scene, world, false, frames);
        fmt::print("{:<8} {:<7} {:>8} segments {:>9.1f} frames/s, 99 % above {:.1f}, {:>6.1f} ns a "
                   "segment and step, {:.2f} solves a stage, {} halvings\n",
                   scene.name, is_float ? "float" : "double", scene.segments, 1 / time.seconds,
                   1 / time.slowest, 1e9 * time.seconds / (4.0 * scene.segments), time.solves,
                   time.halvings);
    }
    for (const int threads : {1, 2}) {
        sinew::World world = make_world(scene, true, threads);
        time_frames(scene, world, true, warm_up);
        const double seconds = time_frames(scene, world, true, frames).seconds;
        if (threads == 1)
            one = seconds;
        else
            fmt::print("{:<8} two threads against one, by the wall: {:.2f}\n", scene.name,
                       one / seconds);
    }
}

/// What contact costs beside the dynamics, from the first frame on, and how deep it lets strands
/// be.
void print_contact(const StrandScene& free, const StrandScene& touching, bool is_float, int threads,
                   int frames)
{
    std::size_t contacts = 0;
    const auto time = [&](const StrandScene& scene) {
        sinew::World world = make_world(scene, is_float, threads);
        const FrameTime taken = time_frames(scene, world, threads > 1, frames);
        contacts = world.contacts().size();
        return taken;
    };
    const FrameTime alone = time(free), with = time(touching);
    fmt::print(
        "{:<9} {:<6} {} thread{}, {} segments, {} contacts at the end, at most {:.3f} mm "
        "deep at the end of any of {} frames: {:.1f} frames/s, 99 % above {:.1f}; {:.1f} "
        "without contact, contact {:.2f} x the dynamics, {:.2f} solves a stage, {} halvings\n",
        touching.name, is_float ? "float" : "double", threads, threads > 1 ? "s" : "",
        touching.segments, contacts, 1e3 * with.depth, frames, 1 / with.seconds, 1 / with.slowest,
        1 / alone.seconds, with.seconds / alone.seconds - 1, with.solves, with.halvings);
}

/// Measures what strands cost that touch each other, and how near their axes come.
void print_each_other(int rows)
{
    const StrandScene scene = make_tuft(rows);
    sinew::World world = make_world(scene, false, 1);
    double seconds = 0, slowest = 0, nearest = 1e9;
    int again = 0, solves = 0, stages = 0;
    const int frames = 24;
    for (int i = 1; i <= frames; ++i) {
        const std::clock_t start = std::clock();
        const sinew::StepReport report = world.advance(i / 24.0);
        const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        seconds += taken, slowest = std::max(slowest, taken);
        again += report.rejected, solves += report.solves, stages += report.stages;
        nearest = std::min(nearest, nearest_axes(world));
    }
    fmt::print(
        "{} strands of 12 that touch each other: {:.1f} ms a frame of four steps, at most "
        "{:.1f}; axes at least {:.3f} of 2 mm apart, {:.1f} stages a strand and step, {:.2f} "
        "solves a stage, {} steps halved or taken again\n",
        rows * rows, 1e3 * seconds / frames, 1e3 * slowest, 1e3 * nearest,
        stages / (4.0 * frames * rows * rows), double(solves) / stages, again);
}

/// A step's time against how many of its strands touch.
void print_cost_of_contacts(int strands)
{
    for (int part = 0; part <= 4; ++part) {
        const StrandScene scene = make_long_hair(strands, strands * part / 4);
        sinew::World world = make_world(scene, true, 1);
        time_frames(scene, world, false, 12);
        const FrameTime time = time_frames(scene, world, false, 12);
        fmt::print("{} hairs of 25, {:>3} of which touch: {:>4} contacts, {:.0f} us a step\n",
                   strands, strands * part / 4, world.contacts().size(), 1e6 * time.seconds / 4);
    }
}

/// What fast obstacles cost, and how deep they get by the ends of frames.
void print_struck(int strands, double speed)
{
    sinew::World world = make_world(make_struck_hair(strands, speed), true, 1);
    const std::clock_t start = std::clock();
    double deepest = 0;
    int again = 0, solves = 0, stages = 0;
    const int frames = 24;
    for (int i = 1; i <= frames; ++i) {
        const sinew::StepReport report = world.advance(i / 24.0);
        again += report.rejected, solves += report.solves, stages += report.stages;
        for (const sinew::Contact& contact : world.contacts())
            deepest = std::max(deepest, -contact.gap);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    fmt::print("a ball at {} m/s through {} hairs of 25: {:.1f} frames/s, at most {:.3f} mm deep, "
               "{:.2f} solves a stage, {} steps halved or taken again\n",
               speed, strands, frames / seconds, 1e3 * deepest, double(solves) / stages, again);
}

/// Resident memory of this process [MB].
double memory_now()
{
    double pages = 0, resident = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%lf %lf", &pages, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    return resident * 4096 / 1e6;
}

/// A whole head of hair on two threads: what it takes to make, a frame of four steps, memory.
void print_groom(int strands, int frames)
{
    using Clock = std::chrono::steady_clock;
    for (const bool is_float : {true, false}) {
        const StrandScene scene = make_groom(strands);
        const double before = memory_now();
        const Clock::time_point start = Clock::now();
        sinew::World world = make_world(scene, is_float, 2);
        const std::chrono::duration<double> making = Clock::now() - start;
        time_frames(scene, world, true, 1);
        const FrameTime time = time_frames(scene, world, true, frames);
        fmt::print(
            "{:<8} {:<7} {} strands of 16: made in {:.2f} s, {:.0f} ms a frame of four steps "
            "on two threads, {:.2f} solves a stage, {:.0f} MB\n",
            scene.name, is_float ? "float" : "double", strands, making.count(), 1e3 * time.seconds,
            time.solves, memory_now() - before);
    }
}

void print_rivals(int segments, const std::string& folder)
{
    const auto text = [](double seconds) {
        return seconds < 0 ? std::string("-") : fmt::format("{:.1f}", 1e6 * seconds);
    };
    fmt::print("{:>8} {:>10} {:>10} {:>10}\n", segments, text(time_one_step(segments)),
               text(time_mujoco_step(segments)),
               text(time_simbody_step(segments, folder + "/bench_strands_simbody")));
}

} // namespace

double sinew::bench::time_simbody_step(int segments, const std::string& program)
{
    double seconds = -1;
    if (!std::filesystem::exists(program))
        return seconds;
    FILE* out = popen(fmt::format("{} {}", program, segments).c_str(), "r");
    if (out && std::fscanf(out, "%lf", &seconds) != 1)
        seconds = -1;
    if (out)
        pclose(out);
    return seconds;
}

int main(int argc, char** argv)
{
    const bool is_short = argc > 1 && std::strcmp(argv[1], "--short") == 0;
    if (argc > 1 && std::strcmp(argv[1], "--groom") == 0) {
        print_groom(20'000, 4);
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--contacts") == 0) {
        print_cost_of_contacts(190);
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--each-other") == 0) {
        print_each_other(argc > 2 ? std::atoi(argv[2]) : 10);
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--touching") == 0) {
        for (const bool is_float : {true, false})
            print_contact(make_long_hair(190, 0), make_long_hair(190, 190), is_float, 1, 48);
        return 0;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    double load[1] = {0};
    if (getloadavg(load, 1) == 1)
        fmt::print("load of the machine when this began: {:.1f}\n\n", load[0]);
    fmt::print("peak, fused: {:.1f} Gflop/s double, {:.1f} float. Our kernels never fuse, so "
               "that all give the same bits.\n\n",
               1e-9 * find_peak(false), 1e-9 * find_peak(true));
    fmt::print("ns per segment and iteration\n{:<20} {:>5} {:>5}  {:>8} {:>9} {:>8}  {:>7}\n",
               "kernel", "n", "", "exact", "symmetric", "in steps", "of peak");
    for (const int n : is_short ? std::vector<int>{25} : std::vector<int>{8, 25, 100, 500})
        print_kernels(n, false);
    print_kernels(100, true);
    fmt::print("\n");
    print_scene(make_hair(190), 12, is_short ? 12 : 48);
    print_scene(make_rubber(is_short ? 48 : 190), 4, is_short ? 4 : 12);
    print_scene(make_jungle(is_short ? 100 : 1000), 4, is_short ? 4 : 12);
    for (const bool is_float : {true, false})
        for (const int strands : is_short ? std::vector<int>{48} : std::vector<int>{48, 96, 190})
            print_contact(make_long_hair(strands, 0), make_long_hair(strands, strands), is_float, 1,
                          is_short ? 12 : 48);
    print_cost_of_contacts(is_short ? 48 : 190);
    for (const double speed : {0.3, 3.0, 20.0})
        print_struck(is_short ? 24 : 96, speed);
    print_each_other(is_short ? 4 : 10);
    const int trees = is_short ? 50 : 1000;
    for (const int threads : {1, 2})
        print_contact(make_willows(trees, false), make_willows(trees, true), true, threads,
                      is_short ? 4 : 12);
    print_groom(is_short ? 2000 : 20'000, is_short ? 2 : 4);
    fmt::print("\none chain, 1/240 s [us]\n{:>8} {:>10} {:>10} {:>10}\n", "n", "sinew", "MuJoCo",
               "Simbody");
    for (const int n : {8, 25})
        print_rivals(n, std::filesystem::path(argv[0]).parent_path());
}
