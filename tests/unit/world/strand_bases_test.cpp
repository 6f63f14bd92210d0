// Roots on animation that is sampled: they move with the accelerations that the motion has.

#include "sinew/language.h"
#include "sinew/world.h"

#include "support/files.h"
#include "support/glb_builder.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kPi = 3.14159265358979, kRate = 24;

/// A triangle that a node carries along x, keyed at 24 Hz for two seconds.
template <class Way>
std::string moving_triangle(Way&& x)
{
    GlbBuilder b;
    std::vector<float> times, ways;
    for (int i = 0; i <= 2 * kRate; ++i) {
        times.push_back(float(i / kRate));
        ways.insert(ways.end(), {float(x(i / kRate)), 0, 0});
    }
    const int places = b.add("VEC3", {0, 0, 0, 0, 0, 0.1f, 0.1f, 0, 0}, 3),
              at = b.add("SCALAR", times, 1), to = b.add("VEC3", ways, 3);
    return b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":@p}}]}],"animations":[{"channels":[{"sampler":0,"target":)"
        R"({"node":0,"path":"translation"}}],"samplers":[{"input":@t,"output":@w}]}])",
        {{"@p", places}, {"@t", at}, {"@w", to}}));
}

/// A triangle on the end of an arm of 1 m that turns about z, with these angles at these times
/// [degrees, s], too far apart to be samples.
std::string turning_triangle(const std::vector<float>& times, const std::vector<double>& angles)
{
    GlbBuilder b;
    std::vector<float> turns;
    for (const double angle : angles)
        turns.insert(turns.end(), {0, 0, float(std::sin(angle * kPi / 360)),
                                   float(std::cos(angle * kPi / 360))});
    const int places = b.add("VEC3", {1, 0, 0, 1, 0, 0.1f, 1.1f, 0, 0}, 3),
              at = b.add("SCALAR", times, 1), to = b.add("VEC4", turns, 4);
    return b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":@p}}]}],"animations":[{"channels":[{"sampler":0,"target":)"
        R"({"node":0,"path":"rotation"}}],"samplers":[{"input":@t,"output":@w}]}])",
        {{"@p", places}, {"@t", at}, {"@w", to}}));
}

constexpr const char* kHair = "radius(1 mm); mass_per_length(0.004); bend_stiffness(1e-5); "
                              "damping(0.05); zero_gravity_rest(); ";

World hair_on(const std::string& file)
{
    const ScriptReading reading = read_script(
        "t.charli",
        std::string("def fur groom(\"skin.glb\", count = 1, segments = 10, length = 15 cm); ") +
            kHair + "end;\nfur;\nsimulate(0 sec, 2 sec, step = 1/96);\n",
        files_in_memory({{"skin.glb", file}}));
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return make_world(reading.scene);
}

/// From the root to the tip.
Vec3 reach(const World& world)
{
    const std::vector<Vec3> nodes = world.frame().nodes;
    return nodes.back() - nodes.front();
}

} // namespace

TEST_CASE("hair on an animation of constant speed stands as it is drawn [notes: pose_curve, eq. 8]")
{
    World world = hair_on(moving_triangle([](double t) { return 2 * t; }));
    const Vec3 start = reach(world);
    for (int i = 1; i <= 47; ++i) {
        REQUIRE_FALSE(world.advance(i / kRate).fault);
        CHECK(length(reach(world) - start) < 5e-5); // keys are floats
    }
}

TEST_CASE("hair on a sampled swing moves as on the swing itself [notes: pose_curve, eq. 6]")
{
    const auto swing = [](double t) { return 0.3 * std::sin(2 * kPi * t); };
    World sampled = hair_on(moving_triangle(swing));
    World exact = hair_on(moving_triangle([](double) { return 0.0; }));
    Scene scene = exact.scene();
    REQUIRE(scene.skins.size() == 1);
    Skin& skin = scene.skins[0]; // the same, known four times as often as its steps are
    skin.times.clear(), skin.vertices.clear();
    for (int i = 0; i <= 960; ++i) {
        skin.times.push_back(i / 480.0);
        for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{0, 0, 0.1}, Vec3{0.1, 0, 0}})
            skin.vertices.push_back(corner + Vec3{swing(i / 480.0), 0, 0});
    }
    exact = make_world(scene);
    double apart = 0;
    for (int i = 1; i <= 47; ++i) {
        REQUIRE_FALSE(sampled.advance(i / kRate).fault);
        REQUIRE_FALSE(exact.advance(i / kRate).fault);
        apart = std::max(apart, length(reach(sampled) - reach(exact)));
    }
    MESSAGE("apart by ", apart);
    CHECK(apart < 5e-4); // 119 mm by cubics through linear keys, 8 mm by parabolas
}

TEST_CASE("hair on a smooth track of a sampled swing moves as on the swing itself")
{
    const auto hair_at = [](const std::string& x) {
        return make_world(std::string("def fur strand(line(0,0,0, 0,-0.15,0), segments = 10); ") +
                          kHair + "end;\nfur translatex(" + x +
                          ");\nsimulate(0 sec, 2 sec, step = 1/96);\n");
    };
    std::string samples = "{";
    for (int i = -8; i <= 2 * kRate; ++i) // in motion when the scene begins
        samples += (i > -8 ? " smooth " : "") +
                   std::to_string(0.3 * std::sin(2 * kPi * i / kRate)) + " at " +
                   std::to_string(i) + " frames";
    World sampled = hair_at(samples + "}"), exact = hair_at("0.3 * sin(2 * pi * time)");
    double apart = 0;
    for (int i = 1; i <= 47; ++i) {
        REQUIRE_FALSE(sampled.advance(i / kRate).fault);
        REQUIRE_FALSE(exact.advance(i / kRate).fault);
        apart = std::max(apart, length(reach(sampled) - reach(exact)));
    }
    MESSAGE("apart by ", apart);
    CHECK(apart < 5e-4);
}

TEST_CASE("a skin that stops gives its hair the blow of that")
{
    World world = hair_on(moving_triangle([](double t) { return t < 1 ? 2 * t : 2.0; }));
    const Vec3 start = reach(world);
    REQUIRE_FALSE(world.advance(1.2).fault);
    CHECK(length(reach(world) - start) > 0.02);
}

TEST_CASE("roots stay on a skin between its keys, and at those where it turns back")
{
    const std::vector<float> times = {0, 0.25f, 0.625f, 1.5f};
    const std::vector<double> angles = {0, 90, -30, 60}; // 3.7 m/s to 6.3 m/s
    World world = make_world(
        read_script(
            "t.charli",
            std::string("def fur groom(\"hair.csv\", segments = 10, skin = \"skin.glb\"); ") +
                kHair + "end;\nfur;\nsimulate(0 sec, 2 sec, step = 1/96);\n",
            files_in_memory({{"skin.glb", turning_triangle(times, angles)},
                             {"hair.csv", "curve,x,y,z\n0,1,0,0\n0,1,0.1,0\n"}}))
            .scene);
    double apart = 0;
    for (int i = 1; i < 192; ++i) {
        const double t = i / 96.0 + 0.003; // between samples too
        REQUIRE_FALSE(world.advance(t).fault);
        std::size_t k = 0;
        while (k + 2 < times.size() && times[k + 1] < t)
            ++k;
        const double s = std::min(1.0, (t - times[k]) / (times[k + 1] - times[k]));
        const double angle = (angles[k] + s * (angles[k + 1] - angles[k])) * kPi / 180;
        apart = std::max(
            apart, length(world.frame().nodes.front() - Vec3{std::cos(angle), std::sin(angle), 0}));
    }
    CHECK(apart < 1e-5); // 4 mm where keys were rounded
}
