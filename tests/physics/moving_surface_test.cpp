// Surfaces that an animation moves, beside the same surfaces moved by tracks: nothing that touches
// them can tell the difference.

#include "sinew/language.h"
#include "sinew/world.h"
#include "support/files.h"
#include "support/glb_builder.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* kDeck = "v -2 0 -2\nv 2 0 -2\nv 2 0 2\nv -2 0 2\nf 1 3 2\nf 1 4 3\n";

/// The deck goes half a metre along x and a metre up in its first second, then stands.
std::string moving_deck()
{
    GlbBuilder b;
    const int places = b.add("VEC3", {-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2}, 3),
              corners = b.add_wholes("SCALAR", {0, 2, 1, 0, 3, 2}, 1),
              times = b.add("SCALAR", {0, 1}, 1), ways = b.add("VEC3", {0, 0, 0, 0.5, 1, 0}, 3);
    return b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":@p},"indices":@i}]}],"animations":[{"channels":[{"sampler":0,"target":)"
        R"({"node":0,"path":"translation"}}],"samplers":[{"input":@t,"output":@w}]}])",
        {{"@p", places}, {"@i", corners}, {"@t", times}, {"@w", ways}}));
}

ScriptReading read(const std::string& text)
{
    return read_script("t.charli", text,
                       files_in_memory({{"deck.obj", kDeck}, {"deck.glb", moving_deck()}}));
}

constexpr const char* kByTrack =
    "def deck obstacle(); mesh(\"deck.obj\"); material(friction = 0.8); end;\n"
    "deck translate({0 at 0 sec linear 0.5 at 1 sec}, {0 at 0 sec linear 1 at 1 sec}, 0);\n";
constexpr const char* kByFile =
    "def deck obstacle(); mesh(\"deck.glb\"); material(friction = 0.8); end;\ndeck;\n";

World run(const std::string& script, double until, int threads = 1)
{
    const ScriptReading reading = read(script);
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    Result<World> world = World::create(reading.scene, {.threads = threads, .imports = {}});
    REQUIRE(world);
    for (int i = 1; i <= 24 * until; ++i)
        REQUIRE(!world->advance(i / 24.0).fault);
    return std::move(*world);
}

void check_alike(const std::string& rest, double until, double most)
{
    const Frame a = run(kByTrack + rest, until).frame(), b = run(kByFile + rest, until).frame();
    REQUIRE(a.objects.size() == b.objects.size());
    REQUIRE(a.nodes.size() == b.nodes.size());
    for (std::size_t i = 2; i < a.objects.size(); ++i) // behind the world and the deck
        CHECK(length(a.objects[i].origin - b.objects[i].origin) < most);
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
        CHECK(length(a.nodes[i] - b.nodes[i]) < most);
}

} // namespace

TEST_CASE("bodies ride on a surface that its file moves as on one that a track moves")
{
    const std::string box = "def crate body(density = 400); box(0.4, 0.4, 0.4);"
                            " material(friction = 0.8); end;\ncrate translatey(0.2);\n"
                            "crate translate(1, 0.2, 0);\n";
    check_alike(box, 1, 1e-5);
    check_alike(box, 1.5, 1e-4); // thrown up where the deck stops
    check_alike(box + "bodies(method = erleben, iterations = 200);\n", 1, 1e-3);
    const Frame end = run(kByFile + box, 1).frame();
    CHECK(end.objects[2].origin.y == doctest::Approx(1.2).epsilon(1e-3));
    CHECK(end.objects[2].origin.x == doctest::Approx(0.5).epsilon(0.05)); // carried by friction
}

TEST_CASE("bodies tied to linkages and strands feel a surface that its file moves")
{
    check_alike("def crate body(density = 400); box(0.4, 0.4, 0.4); end;\ncrate translatey(0.2);\n"
                "def post label(); end;\npost translatey(3);\n"
                "spring_and_damper(crate, post, 2.8, 20, 1);\n",
                1, 1e-4);
    check_alike("def cord strand(line(-0.5,0,0, 0.5,0,0), segments = 6); radius(2 cm);"
                " density(900); young(1e6); damping(0.1); surface(friction = 0.5); end;\n"
                "cord translatey(1.05);\n",
                0.75, 1e-3);
}

TEST_CASE("a world with a surface that its file moves: any threads, snapshots, the same bits")
{
    const std::string box = "def crate body(density = 400); box(0.4, 0.4, 0.4); end;\n"
                            "for i in 0..3 crate translate(0.6 * i - 1, 0.25, 0); end;\n";
    World world = run(kByFile + box, 0.5);
    const std::vector<std::byte> kept = world.snapshot();
    world.advance(1);
    const std::uint64_t expected = world.state_hash();
    World other = run(kByFile + box, 0.25, 3);
    REQUIRE(other.restore(kept));
    other.advance(1);
    CHECK(other.state_hash() == expected);
    CHECK(fingerprint(read(kByFile + box).scene) != fingerprint(read(kByTrack + box).scene));
}

TEST_CASE("a skin that opens throws what lies on it: its velocity differs from place to place")
{
    // One corner pair of the deck rises, the other stays: a hatch.
    GlbBuilder b;
    const int places = b.add("VEC3", {-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1}, 3),
              corners = b.add_wholes("SCALAR", {0, 2, 1, 0, 3, 2}, 1),
              form = b.add("VEC3", {0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0}, 3),
              times = b.add("SCALAR", {0, 1}, 1), shares = b.add("SCALAR", {0, 1}, 1);
    const std::string file = b.file(with_numbers(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":@p},"indices":@i,"targets":[{"POSITION":@f}]}]}],"animations":[{)"
        R"("channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}],"samplers":[)"
        R"({"input":@t,"output":@s}]}])",
        {{"@p", places}, {"@i", corners}, {"@f", form}, {"@t", times}, {"@s", shares}}));
    const ScriptReading reading = read_script(
        "t.charli",
        "def hatch obstacle(); mesh(\"hatch.glb\"); material(friction = 2); end;\nhatch;\n"
        "def ball body(density = 400); sphere(0.1); material(friction = 2, rolling = 1); end;\n"
        "ball translate(0.8, 0.1, 0);\nball translate(-0.8, 0.1, 0);\n",
        files_in_memory({{"hatch.glb", file}}));
    REQUIRE(reading.is_sound());
    Result<World> world = World::create(reading.scene);
    REQUIRE(world);
    world->advance(0.25);
    const Frame frame = world->frame();
    // Heights of the surface below: (1 + x) t / 2, and the ball's radius along the normal.
    CHECK(frame.objects[2].origin.y == doctest::Approx(0.225 + 0.1).epsilon(0.03));
    CHECK(frame.objects[3].origin.y == doctest::Approx(0.025 + 0.1).epsilon(0.03));
}
