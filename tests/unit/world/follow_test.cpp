// Objects that follow a node of an animated file: whatever stands on them moves as the node does.

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

double sway(double t) { return 0.3 * std::sin(2 * kPi * t); }
double nod(double t) { return 0.8 * std::sin(2 * kPi * t + 0.5); } // [rad]

/// A body that sways along x, with a neck on it at (0, 1, 0) that nods about z and a head 20 cm
/// above; sampled at 24 Hz for two seconds, in centimetres where `unit` is 100.
std::string walking_skeleton(float unit = 1)
{
    GlbBuilder b;
    std::vector<float> times, ways, turns;
    for (int i = 0; i <= 2 * kRate; ++i) {
        const double t = i / kRate;
        times.push_back(float(t));
        ways.insert(ways.end(), {unit * float(sway(t)), 0, 0});
        turns.insert(turns.end(), {0, 0, float(std::sin(nod(t) / 2)), float(std::cos(nod(t) / 2))});
    }
    const int at = b.add("SCALAR", times, 1), to = b.add("VEC3", ways, 3),
              turn = b.add("VEC4", turns, 4);
    const std::string up = std::to_string(unit), head = std::to_string(0.2f * unit);
    return b.file(with_numbers(
        R"("scenes":[{"nodes":[0,3]}],"nodes":[{"name":"Body","children":[1]},)"
        R"({"name":"Neck","translation":[0,)" +
            up + R"(,0],"children":[2]},{"name":"Head","translation":[0,)" + head +
            R"(,0]},{"name":"Hat","children":[4]},{"name":"Head","scale":[0,0,0]}],)"
            R"("animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},)"
            R"({"sampler":1,"target":{"node":1,"path":"rotation"}}],"samplers":[)"
            R"({"input":@t,"output":@w},{"input":@t,"output":@r}]}])",
        {{"@t", at}, {"@w", to}, {"@r", turn}}));
}

/// The same skeleton as BVH, at 24 Hz.
std::string walking_bvh()
{
    std::string text =
        "HIERARCHY\nROOT Body\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition "
        "Zposition Zrotation Xrotation Yrotation\n JOINT Neck\n {\n  OFFSET 0 100 0\n"
        "  CHANNELS 3 Zrotation Xrotation Yrotation\n  JOINT Head\n  {\n"
        "   OFFSET 0 20 0\n   CHANNELS 0\n   End Site\n   {\n    OFFSET 0 10 0\n   }"
        "\n  }\n }\n}\nMOTION\nFrames: 49\nFrame Time: " +
        std::to_string(1 / kRate) + "\n";
    for (int i = 0; i <= 2 * kRate; ++i) {
        const double t = i / kRate;
        text += std::to_string(100 * sway(t)) + " 0 0 0 0 0 " + std::to_string(nod(t) * 180 / kPi) +
                " 0 0\n";
    }
    return text;
}

constexpr const char* kHead = "def head label(); end;\n";
constexpr const char* kFollows = "head follow(\"walk.glb\", \"Neck/Head\");\n";
constexpr const char* kSays = "head translatey(0.2) rotatez(0.8 * sin(2 * pi * time + 0.5)) "
                              "translate(0.3 * sin(2 * pi * time), 1, 0);\n";

ScriptReading reading_of(const std::string& text)
{
    return read_script("t.charli", text + "simulate(0 sec, 2 sec, step = 1/96);\n",
                       files_in_memory({{"walk.glb", walking_skeleton()},
                                        {"large.glb", walking_skeleton(100)},
                                        {"walk.bvh", walking_bvh()},
                                        {"bad.bvh", "HIERARCHY"},
                                        {"bad.fbx", "Kaydara"}}));
}

World world_of(const std::string& text)
{
    const ScriptReading reading = reading_of(text);
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return make_world(reading.scene);
}

/// The farthest that the rows of tables of two worlds come apart in a second [m].
double apart(World& a, World& b, int per_second = 96)
{
    double most = 0;
    for (int i = 1; i <= per_second; ++i) {
        REQUIRE_FALSE(a.advance(double(i) / per_second).fault);
        REQUIRE_FALSE(b.advance(double(i) / per_second).fault);
        const auto rows = table_rows(a.scene(), a.frame()),
                   others = table_rows(b.scene(), b.frame());
        REQUIRE(rows.size() == others.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            most = std::max(most, length(rows[k].position - others[k].position));
    }
    return most;
}

constexpr const char* kHair = "def hair strand(line(0,0,0, 0,-0.15,0), segments = 10); "
                              "radius(1 mm); mass_per_length(0.004); bend_stiffness(1e-5); "
                              "damping(0.05); zero_gravity_rest(); ";

} // namespace

TEST_CASE("an object follows a joint of a skeleton between its keys, from glTF and from BVH")
{
    for (const std::string follows : {kFollows,
                                      "head follow(\"large.glb\", \"Body/Neck/Head\", "
                                      "scale = 1 cm);\n",
                                      "head follow(\"walk.bvh\", \"Head\", scale = 0.01);\n"}) {
        CAPTURE(follows);
        World followed = world_of(kHead + follows), said = world_of(std::string(kHead) + kSays);
        CHECK(apart(followed, said, 100) < 1e-4); // 24 Hz; 2 mm by straight lines from key to key
    }
}

TEST_CASE("hair on a followed joint moves as on the motion that was sampled [notes: pose_curve, "
          "eq. 8]")
{
    const std::string hair = std::string(kHair) + "end;\nhair on head;\n";
    World followed = world_of(std::string(kHead) + kFollows + hair);
    World said = world_of(std::string(kHead) + kSays + hair);
    CHECK(apart(followed, said) < 5e-4);
}

TEST_CASE("local_dynamics names a followed joint")
{
    const std::string hair = std::string(kHair) + "local_dynamics(1, head); end;\nhair on head;\n";
    World world = world_of(std::string(kHead) + kFollows + hair +
                           "gravity(0, 0, 0);\n"); // its motion is removed: nothing moves it
    const auto reach = [&] {
        const Frame frame = world.frame();
        return length(frame.nodes.back() - frame.nodes.front());
    };
    const double start = reach();
    REQUIRE_FALSE(world.advance(1).fault);
    CHECK(reach() == doctest::Approx(start).epsilon(1e-9));
}

TEST_CASE("bodies, rods and linkages stand on a followed joint, and meet an obstacle on it")
{
    const std::string others =
        "def bob mass(0.1); end;\n"
        "def hand dynamic theta; theta = initial(0.4, 0); bob translatey(-0.2) rotatez(theta); "
        "end;\nhand on head;\n"
        "def rope rod(line(0,0,0, 0.3,0,0), spans = 6, radius = 8 mm, young = 1e7, damping = 0.1); "
        "end;\n"
        "rope translate(-0.0748, 1.1855, 0);\nfusion(rope at 0 along, head, tangent = "
        "free);\nassemble;\n"
        "def plate obstacle(); box(0.3, 0.02, 0.3); end;\nplate translatey(0.2) on head;\n"
        "def ball body(density = 500); sphere(0.05); end;\nball translatey(1.7);\n";
    World followed = world_of(kHead + (kFollows + others));
    World said = world_of(kHead + (kSays + others));
    CHECK(apart(followed, said) < 2e-3);
}

TEST_CASE("begin and speed play a followed animation later and faster, for each of its users")
{
    World world = world_of(std::string(kHead) + "a = head follow(\"walk.glb\", \"Body\");\n" +
                           "b = head follow(\"walk.glb\", \"Body\", begin = 0.5, speed = 2);\n" +
                           "c = head follow(\"walk.glb\", \"Body\");\n");
    for (const double time : {0.25, 0.5, 0.75, 1.1, 1.9}) {
        REQUIRE_FALSE(world.advance(time).fault);
        CHECK(row_of(world, "a").position.x == doctest::Approx(sway(time)).epsilon(1e-4));
        CHECK(row_of(world, "c").position == row_of(world, "a").position);
        const double of_file = std::clamp((time - 0.5) * 2, 0.0, 2.0);
        CHECK(row_of(world, "b").position.x ==
              doctest::Approx(sway(of_file)).scale(1).epsilon(1e-4));
    }
}

TEST_CASE("names of nodes that lead nowhere, or to several, are told with what there is")
{
    const auto first = [](const std::string& call) {
        const ScriptReading reading = reading_of(std::string(kHead) + "head " + call + ";\n");
        REQUIRE_FALSE(reading.is_sound());
        const Problem& problem = reading.problems.front();
        return problem.code + ": " + problem.what + "; " + problem.hint;
    };
    CHECK(first("follow(\"walk.glb\", \"Tail\")") ==
          "unknown-node: 'walk.glb' has no node 'Tail'; it has 'Body', 'Neck', 'Head', 'Hat', "
          "'Head'");
    CHECK(first("follow(\"walk.glb\", \"Nek\")") ==
          "unknown-node: 'walk.glb' has no node 'Nek'; did you mean 'Neck'?");
    CHECK(first("follow(\"walk.glb\", \"Head\")") ==
          "several-nodes: 'walk.glb' has several nodes 'Head'; say which: 'Body/Neck/Head', "
          "'Hat/Head'");
    CHECK(first("follow(\"walk.glb\", \"Hat/Head\")") ==
          "node-without-size: 'Hat/Head' has no size or place at some time; follow its parent, or "
          "give it a scale above 0");
    CHECK(first("follow(\"bad.bvh\", \"Head\")") ==
          "nodes-faulty: 'bad.bvh' cannot be read, line 1: there is no motion in it; export "
          "the animation too");
    CHECK(first("follow(\"bad.fbx\", \"Head\")") ==
          "nodes-faulty: 'bad.fbx' cannot be read, 'bad.fbx' has no readable nodes; give a file "
          "that ends in .glb or .bvh");
}
