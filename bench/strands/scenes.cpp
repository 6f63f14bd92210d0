#include "scenes.h"

#include "../timing.h"
#include "sinew/language.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace sinew::bench {

StrandScene make_jungle(int trees)
{
    return {
        "jungle",
        fmt::format(
            "def tree trunk = strand(line(0,0,0, 0,4,0), segments = 40);\n"
            "one = branch(line(0,2,0, 1,3,0.2), from = trunk at 0.5 along, segments = 20);\n"
            "two = branch(line(0,2.4,0, -1,3.4,0.4), from = trunk at 0.6 along, segments = 20);\n"
            "three = branch(line(0,2.8,0, 0.3,3.8,-1), from = trunk at 0.7 along, segments = 20);\n"
            "radius(2 cm); density(700); young(2e9); damping(0.02); air_drag(0.1, 1); end;\n"
            "def jungle for i in 1..{} t[i] = tree translatex(3 * i); end; end;\n"
            "all = jungle;\n"
            "turbulence(strength = 4, size = 2, period = 1) on all;\n"
            "simulate(0 sec, 100 sec, step = 1/96);\n",
            trees),
        100 * trees};
}

namespace {

StrandScene make_shaken(const char* name, const char* more, int strands)
{
    return {name,
            fmt::format(
                "def lock strand(line(0,0,0, 0.05,-0.25,0), segments = 25);\n"
                "radius(0.2 mm); density(1300); young(1e8); damping(0.02); air_drag(0.001, 0.002); "
                "{} end;\n"
                "def head for i in 1..{} s[i] = lock rotatey(0.033 * i); end; end;\n"
                "h = head rotatez({{0 at 0 sec slowinout 0.3 at 0.5 sec slowinout 0 at 1 sec}});\n"
                "simulate(0 sec, 100 sec, step = 1/96);\n",
                more, strands),
            25 * strands};
}

} // namespace

StrandScene make_hair(int strands) { return make_shaken("hair", "", strands); }

StrandScene make_rubber(int strands)
{
    return make_shaken("rubber", "stretch_stiffness(0.01);", strands);
}

namespace {

constexpr double kHair = 1e-3, kTwig = 5e-3; // radii [m]

double depth_in_head_and_shoulders(const Vec3& place)
{
    const double x = std::clamp(place.x, -0.15, 0.15);
    return kHair + std::max(0.1 - length(place), 0.07 - length(place - Vec3{x, -0.25, 0}));
}

double depth_in_ground(const Vec3& place) { return kTwig - place.y; }

/// Points along all segments: the ends, and two between.
double deepest(const StrandScene& scene, const World& world)
{
    const Frame frame = world.frame();
    double depth = 0;
    std::size_t first = 0;
    for (const StrandCurve& curve : world.scene().strands) {
        for (std::size_t k = first + 1; k < first + curve.segments; ++k) // the root is held
            for (const double part : {0.0, 1.0 / 3, 2.0 / 3, 1.0})
                depth = std::max(
                    depth, scene.depth_at(frame.nodes[k] * (1 - part) + frame.nodes[k + 1] * part));
        first += curve.segments + 1;
    }
    return depth;
}

} // namespace

StrandScene make_long_hair(int strands, int touching)
{
    return {"long hair",
            fmt::format(
                "def lock(touch) strand(spline_through(0,0.1015,0, 0.052,0.092,0, 0.093,0.052,0, "
                "0.107,-0.02,0, 0.12,-0.11,0, 0.2,-0.16,0, 0.32,-0.17,0), segments = 25);\n"
                "radius(1 mm); mass_per_length(0.004); bend_stiffness(2e-5); damping(0.05); "
                "air_drag(0.001, 0.002); contact(touch); end;\n"
                "def skull obstacle(); sphere(0.1); end;\n"
                "def shoulders obstacle(); capsule(0.07, 0.3); end;\n"
                "def head skull; for i in 1..{0} if i <= {1} s[i] = lock(1) rotatey(0.0331 * i); "
                "else s[i] = lock(0) rotatey(0.0331 * i); end; end; end;\n"
                "h = head rotatey({{0 at 0 sec slowinout 0.6 at 0.5 sec slowinout 0 at 1 sec}});\n"
                "shoulders rotatez(90 deg) translatey(-0.25);\n"
                "simulate(0 sec, 100 sec, step = 1/96);\n",
                strands, touching),
            25 * strands,
            {},
            touching == 0 ? std::function<double(const Vec3&)>{} : depth_in_head_and_shoulders};
}

StrandScene make_struck_hair(int strands, double speed)
{
    std::string way = "0 at 0 sec";
    for (int i = 0; i < 24; ++i)
        way += fmt::format(" linear {} at {} sec", i % 2 == 0 ? 0.6 : 0.0, 0.6 / speed * (i + 1));
    return {"struck",
            fmt::format("def lock strand(line(0,0,0, 0,-0.5,0), segments = 25); radius(1 mm); "
                        "mass_per_length(0.004); bend_stiffness(2e-5); damping(0.05); "
                        "air_drag(0.001, 0.002); end;\n"
                        "def ball obstacle(); sphere(0.1); end;\n"
                        "for i in 1..{0} lock translatez(0.15 * i / {0} - 0.075); end;\n"
                        "ball translate(-0.3, -0.35, 0) translatex({{{1}}});\n"
                        "simulate(0 sec, 100 sec, step = 1/96);\n",
                        strands, way),
            25 * strands};
}

StrandScene make_willows(int trees, bool touches)
{
    return {
        "willows",
        fmt::format(
            "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 10); radius(4 cm); "
            "density(700); young(1e9); damping(0.05); air_drag(0.1, 1);\n"
            "for i in 0..2\n"
            "  one[i] = branch(spline_through(0,1.8,0, 0.5 * cos(2.1 * i),1.9,0.5 * sin(2.1 * i), "
            "0.8 * cos(2.1 * i),1,0.8 * sin(2.1 * i), 0.9 * cos(2.1 * i),0.02,0.9 * sin(2.1 * i)), "
            "from = trunk at 0.9 along, segments = 10); radius(5 mm); mass_per_length(0.05); "
            "bend_stiffness(0.02); damping(0.1); air_drag(0.05, 0.2); contact({});\n"
            "end; end;\n"
            "def ground obstacle(); plane(0, 1, 0, 0); end;\n"
            "def wood for i in 1..{} t[i] = tree translatex(3 * i); end; end;\n"
            "all = wood; ground;\n"
            "turbulence(strength = 3, size = 2, period = 1) on all;\n"
            "simulate(0 sec, 100 sec, step = 1/96);\n",
            touches ? 1 : 0, trees),
        40 * trees,
        {},
        touches ? std::function<double(const Vec3&)>{depth_in_ground} : nullptr};
}

StrandScene make_tuft(int rows)
{
    return {"tuft",
            fmt::format(
                "def lock(k) strand(line(0,0,0, 0,-0.15,0), segments = 12); radius(1 mm); "
                "mass_per_length(0.004); bend_stiffness(2e-5 * (1 + k)); damping(0.05); "
                "air_drag(0.001, 0.002); surface(friction = 0.3); end;\n"
                "def head for i in 1..{0} for j in 1..{0} s[{0} * i + j] = lock(0.9 * sin(2 * i + "
                "3 * j)) translate(0.0027 * i, 0, 0.0027 * j); end; end; end;\n"
                "h = head translatex({{0 at 0 sec slowinout 0.1 at 0.4 sec slowinout 0 at 0.8 "
                "sec}}) translatez({{0 at 0 sec slowinout 0.05 at 0.3 sec slowinout 0 at 0.9 "
                "sec}});\n"
                "strands(touch = each_other);\n"
                "simulate(0 sec, 100 sec, step = 1/96);\n",
                rows),
            12 * rows * rows};
}

StrandScene make_groom(int strands)
{
    std::string mesh; // half a sphere, as rings of four
    const int rings = 6, around = 16;
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < around; ++k) {
            const double up = 1.5707963 * i / rings, turn = 6.2831853 * k / around;
            mesh += fmt::format("v {:.6f} {:.6f} {:.6f}\n", 0.09 * std::cos(up) * std::sin(turn),
                                0.09 * std::sin(up), 0.09 * std::cos(up) * std::cos(turn));
        }
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < around; ++k) {
            const int a = i * around + k + 1, b = i * around + (k + 1) % around + 1;
            mesh += fmt::format("f {} {} {} {}\n", a, b, b + around, a + around);
        }
    return {"groom",
            fmt::format(
                "def hair groom(\"scalp.obj\", count = {}, segments = 16, length = 18 cm, vary = "
                "0.3, droop = 0.9, clumps = 100, clumping = 0.5);\n"
                "radius(0.1 mm); mass_per_length(0.0001); bend_stiffness(4e-8); damping(0.05); "
                "air_drag(0.0001, 0.0005); end;\n"
                "def head hair; end;\n"
                "head rotatey({{0 at 0 sec slowinout 1 at 0.5 sec slowinout -1 at 1 sec}}) "
                "translatex({{0 at 0 sec slowinout 0.2 at 0.6 sec slowinout 0 at 1.2 sec}});\n"
                "simulate(0 sec, 100 sec, step = 1/96);\n",
                strands),
            16 * strands, mesh};
}

World make_world(const StrandScene& scene, bool is_float, int threads)
{
    const std::string more = is_float ? "strands(precision = float);\n" : "";
    ScriptReading reading =
        read_script(scene.name, scene.script + more, [&](const std::string& name) {
            const bool is_mesh = name == "scalp.obj" && !scene.mesh.empty();
            return is_mesh ? FileText{FileText::Status::ok, scene.mesh} : FileText{};
        });
    WorldOptions options;
    options.threads = threads;
    if (has_errors(reading.problems)) {
        fmt::print("{}\n", problems_text(reading.problems, false));
        std::exit(1);
    }
    Result<World> world = World::create(reading.scene, options);
    if (!world) {
        fmt::print("{}\n", problems_text(world.problems(), false));
        std::exit(1);
    }
    for (const Problem& note : world->start_notes())
        if (note.code == "strands-inside") {
            fmt::print("{}: {}\n", scene.name, note.what);
            std::exit(1);
        }
    return std::move(*world);
}

double nearest_axes(const World& world)
{
    constexpr std::size_t kRooted = 2, kParts = 8; // segments; points looked at on each
    const Frame frame = world.frame();
    std::vector<Vec3> points;
    std::vector<std::size_t> strand;
    std::size_t first = 0, number = 0;
    for (const StrandCurve& curve : world.scene().strands) {
        for (std::size_t k = first + kRooted; k < first + curve.segments; ++k)
            for (std::size_t part = 0; part < kParts; ++part) {
                points.push_back(frame.nodes[k] +
                                 (frame.nodes[k + 1] - frame.nodes[k]) * (double(part) / kParts));
                strand.push_back(number);
            }
        first += curve.segments + 1, ++number;
    }
    double nearest = 1e9;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            if (strand[i] != strand[j])
                nearest = std::min(nearest, length(points[i] - points[j]));
    return nearest;
}

FrameTime time_frames(const StrandScene& scene, World& world, bool is_by_wall, int frames)
{
    const auto now = [&] {
        const std::chrono::duration<double> wall =
            std::chrono::steady_clock::now().time_since_epoch();
        return is_by_wall ? wall.count() : seconds_now();
    };
    FrameTime time;
    std::vector<double> each;
    double stages = 0, solves = 0;
    for (int i = 0; i < frames; ++i) {
        const double start = now();
        const StepReport report = world.advance(world.time() + 1.0 / 24);
        each.push_back(now() - start);
        time.seconds += each.back() / frames;
        stages += report.stages, solves += report.solves;
        time.halvings += report.rejected;
        if (report.fault) {
            fmt::print("stopped: {}\n", report.fault->what);
            std::exit(1);
        }
        if (scene.depth_at)
            time.depth = std::max(time.depth, deepest(scene, world));
    }
    std::ranges::sort(each);
    time.slowest = each[static_cast<std::size_t>(0.99 * (frames - 1))];
    time.solves = solves / stages;
    return time;
}

} // namespace sinew::bench
