// Boxes and octahedra that rain, land in a bin and are hit: mean, 99th percentile and worst step.

#include "motion.h"

#include "apart.h"
#include "engine.h"
#include "judge.h"
#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace sinew::bench {

namespace {

constexpr double kStep = 0.01, kMostMs = 60e3;

class Dice {
public:
    double between(double low, double high)
    {
        return low + (high - low) * (double(engine_() >> 5) / 134217728.0);
    }
    Quat orientation()
    {
        const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        return exp_quat(Vec3{x, y, z} * M_PI);
    }

private:
    std::mt19937 engine_{1}; // the same numbers everywhere; distributions of the library are not
};

std::size_t add_octahedron(StackScene& scene, double a)
{
    std::vector<Vec3> corners;
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0}) {
            corners.push_back({0, 0, 0});
            corners.back()[axis] = sign * a;
        }
    std::vector<std::vector<int>> faces;
    for (int x = 0; x < 2; ++x)
        for (int y = 2; y < 4; ++y)
            for (int z = 4; z < 6; ++z)
                faces.push_back((x + y + z) % 2 == 0 ? std::vector{x, y, z} : std::vector{x, z, y});
    const double moment = a * a / 5;
    scene.shapes.push_back({.kind = StackShapeKind::hull,
                            .corners = std::move(corners),
                            .faces = std::move(faces),
                            .volume = 4.0 / 3.0 * a * a * a,
                            .inertia = {moment, moment, moment}});
    return scene.shapes.size() - 1;
}

/// A grid of bodies above the floor, `side` by `side`, layer by layer, turned at random.
template <class Shape, class Density>
void add_layers(StackScene& scene, int count, int side, double pitch, Dice& dice,
                const Shape& shape, const Density& density)
{
    for (int i = 0; i < count; ++i) {
        const int layer = i / (side * side), at = i % (side * side);
        const Vec3 x = {pitch * (at % side - 0.5 * (side - 1)) + dice.between(-0.02, 0.02),
                        pitch * (at / side - 0.5 * (side - 1)) + dice.between(-0.02, 0.02),
                        0.6 + pitch * layer};
        add(scene, shape(), x, dice.orientation(), density());
    }
}

void add_walls(StackScene& scene, double half, double high)
{
    const std::size_t along_x = add_box(scene, {half + 1, 0.5, high});
    const std::size_t along_y = add_box(scene, {0.5, half + 1, high});
    for (const double sign : {-1.0, 1.0}) {
        scene.bodies.push_back({along_x, {0, sign * (half + 0.5), high}, {}, 0});
        scene.bodies.push_back({along_y, {sign * (half + 0.5), 0, high}, {}, 0});
    }
}

StackScene make_rain()
{
    StackScene scene = make_scene("rain_1000");
    scene.seconds = 4;
    Dice dice;
    const auto box = [&] {
        return add_box(
            scene, {dice.between(0.15, 0.25), dice.between(0.15, 0.25), dice.between(0.15, 0.25)});
    };
    add_layers(scene, 1000, 10, 0.9, dice, box, [] { return 1000.0; });
    return scene;
}

/// 300 bodies in a bin of 3 m; masses over as many decades.
StackScene make_bin(const char* name, bool is_octahedra, double decades)
{
    StackScene scene = make_scene(name);
    scene.seconds = 4;
    add_walls(scene, 1.7, 6);
    Dice dice;
    const auto shape = [&] {
        return is_octahedra ? add_octahedron(scene, dice.between(0.25, 0.35))
                            : add_box(scene, {dice.between(0.12, 0.3), dice.between(0.12, 0.3),
                                              dice.between(0.12, 0.3)});
    };
    add_layers(scene, 300, 4, 0.85, dice, shape,
               [&] { return 1000 * std::pow(10, decades * dice.between(-0.5, 0.5)); });
    return scene;
}

void add_bricks(StackScene& scene, int columns, int rows)
{
    const std::size_t brick = add_box(scene, {0.25, 0.125, 0.125});
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < columns - row % 2; ++i)
            add(scene, brick,
                {0.51 * (i - 0.5 * (columns - 1) + 0.5 * (row % 2)), 0, 0.125 + 0.25 * row});
}

StackScene make_hit_wall()
{
    StackScene scene = make_scene("wall_hit");
    scene.seconds = 3;
    add_bricks(scene, 20, 10);
    const std::size_t ball = add_sphere(scene, 0.5);
    scene.bodies.push_back({ball, {0, -3, 1.2}, {}, 2000, {0, 20, 0}});
    return scene;
}

StackScene make_large_wall()
{
    StackScene scene = make_scene("wall_1815");
    scene.seconds = 1;
    add_bricks(scene, 61, 30);
    return scene;
}

struct MotionRun {
    int steps = 0;
    double mean = 0, late = 0, worst = 0, first = 0; ///< ms; `late`: 99 of 100 steps are shorter
    double overlap = 0, end = 0;                     ///< [m]
    double kilobytes = 0;                            ///< of a body
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

MotionRun measure(const StackScene& scene, MakeEngine make)
{
    return call_apart<MotionRun>([&](MotionRun& run) {
        const Judge judge(scene);
        std::vector<MovingPose> poses(scene.bodies.size());
        const double before = resident_kilobytes();
        const StackEnginePointer engine = make(scene, kStep);
        if (!engine)
            return;
        std::vector<double> ms;
        double spent = 0;
        while (spent < kMostMs && double(ms.size()) * kStep < scene.seconds - 0.5 * kStep) {
            const double begin = now_ms();
            engine->step();
            ms.push_back(now_ms() - begin);
            spent += ms.back();
            for (std::size_t i = 0; i < poses.size(); ++i)
                poses[i] = scene.bodies[i].mass > 0
                               ? engine->pose(i)
                               : MovingPose{scene.bodies[i].x, scene.bodies[i].q, {0, 0, 0}};
            run.end = judge.overlap(poses);
            run.overlap = std::max(run.overlap, run.end);
        }
        run.kilobytes = (resident_kilobytes() - before) / double(scene.bodies.size());
        run.first = ms[0];
        run.steps = int(ms.size());
        run.mean = spent / run.steps;
        std::ranges::sort(ms);
        run.late = ms[ms.size() - 1 - ms.size() / 100];
        run.worst = ms.back();
    });
}

} // namespace

void print_motion()
{
    const StackScene scenes[] = {make_rain(),
                                 make_bin("bin_300", false, 0),
                                 make_bin("bin_1e4", false, 4),
                                 make_bin("octahedra_300", true, 0),
                                 make_hit_wall(),
                                 make_large_wall()};
    struct {
        const char* name;
        MakeEngine make;
    } const engines[] = {{"bullet", make_bullet_engine}, {"sinew", make_sinew_engine}};
    fmt::print("{:14} {:7} {:>8} {:>6} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8}\n", "scene", "engine",
               "ms/step", "ratio", "p99 ms", "worst ms", "first ms", "overlap", "end mm",
               "kB/body");
    for (const StackScene& scene : scenes) {
        double bullet = 0;
        for (const auto& [name, make] : engines) {
            const MotionRun run = measure(scene, make);
            if (run.steps == 0)
                continue;
            bullet = make == make_bullet_engine ? run.mean : bullet;
            fmt::print(
                "{:14} {:7} {:8.3f} {:6.2f} {:8.2f} {:8.2f} {:8.2f} {:9.2f} {:8.2f} {:8.1f}\n",
                scene.name, name, run.mean, bullet > 0 ? run.mean / bullet : NAN, run.late,
                run.worst, run.first, 1e3 * run.overlap, 1e3 * run.end, run.kilobytes);
            std::fflush(stdout);
        }
    }
}

} // namespace sinew::bench
