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

TEST_CASE("hair on an animation of constant speed stands as it is drawn [notes: pose_curve, eq. 4]")
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
    CHECK(apart < 1e-2); // 119 mm by cubics through linear keys
}

TEST_CASE("a skin that stops gives its hair the blow of that")
{
    World world = hair_on(moving_triangle([](double t) { return t < 1 ? 2 * t : 2.0; }));
    const Vec3 start = reach(world);
    REQUIRE_FALSE(world.advance(1.2).fault);
    CHECK(length(reach(world) - start) > 0.02);
}
