// The world as its users see it: the same bits whatever the threads, after restoring, and what it
// refuses.

#include "sinew/world.h"

#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

using namespace sinew;

namespace {

/// Several linkages: some free, some tied, one stiff, one driven, one on a path.
std::string many_linkages()
{
    std::string text =
        "var pull; pull = {0 at 0 sec slowinout 0.4 at 1 sec linear 0.1 at 1.3 sec};\n"
        "def bob mass(1); end;\n"
        "def hook label(); end;\n"
        "def swing(a)\n"
        "  dynamic u, w; u = initial(a, 0); w = initial(0.3, 0);\n"
        "  def low bob translatex(0.7) rotatez(w); bob; end;\n"
        "  low translatex(1) rotatez(u) translatex(pull);\n"
        "end;\n"
        "def taut(a)\n"
        "  dynamic x, y; x = initial(a, 0); y = initial(0, 0);\n"
        "  hook translatex(a - 1); bob translatex(x) translatey(y);\n"
        "  dist_constraint(hook, bob, 1);\n"
        "end;\n"
        "def stiff\n"
        "  dynamic r, t; r = initial(1, 0); t = initial(0, 0);\n"
        "  bob translatex(r) rotatez(t);\n"
        "  spring_and_damper(r, 1, 1e8, 1e5);\n"
        "end;\n"
        "def ride\n"
        "  dynamic x, y; x = initial(-1, 0); y = initial(1, 0);\n"
        "  bob translatex(x) translatey(y);\n"
        "  path_constraint(bob, polyline(-1,1,0, 0,0,0, 1,-0.5,0, 4,-9,0));\n"
        "end;\n"
        "stiff; ride;\n";
    for (int i = 0; i < 12; ++i)
        text += "s[" + std::to_string(i) + "] = swing(" + std::to_string(0.1 * i) + "); t[" +
                std::to_string(i) + "] = taut(" + std::to_string(2 * i) + ");\n";
    return text;
}

World make(const std::string& text, int threads = 1)
{
    WorldOptions options;
    options.threads = threads;
    Result<World> world = World::create(test::sound_scene(text), options);
    REQUIRE(world);
    return std::move(*world);
}

void run(World& world, int from, int to)
{
    for (int i = from; i < to; ++i) {
        const StepReport report = world.advance((i + 1) / 24.0);
        REQUIRE_FALSE(report.fault);
        REQUIRE(report.residual < 1e-10);
    }
}

constexpr int kFrames = 48;

} // namespace

TEST_CASE("the same bits for 1, 2, 3 and 4 threads")
{
    World one = make(many_linkages());
    run(one, 0, kFrames);
    for (const int threads : {2, 3, 4}) {
        World several = make(many_linkages(), threads);
        run(several, 0, kFrames);
        CHECK(several.state_hash() == one.state_hash());
        CHECK(several.frame() == one.frame());
    }
}

TEST_CASE("restoring any of a hundred snapshots continues bit for bit")
{
    World world = make(many_linkages());
    std::vector<std::vector<std::byte>> snapshots{world.snapshot()};
    std::vector<std::uint64_t> hashes{world.state_hash()};
    for (int i = 0; i < kFrames; ++i) {
        run(world, i, i + 1);
        snapshots.push_back(world.snapshot());
        hashes.push_back(world.state_hash());
    }
    std::mt19937 random(7);
    for (int k = 0; k < 100; ++k) {
        const int from = int(random() % kFrames), to = std::min(kFrames, from + 1 + k % 4);
        REQUIRE(world.restore(snapshots[std::size_t(from)]));
        CHECK(world.state_hash() == hashes[std::size_t(from)]);
        CHECK(world.time() == from / 24.0);
        run(world, from, to);
        CHECK(world.state_hash() == hashes[std::size_t(to)]);
    }
    World fresh = make(many_linkages(), 2);
    REQUIRE(fresh.restore(snapshots[20]));
    run(fresh, 20, kFrames);
    CHECK(fresh.state_hash() == hashes.back());
}

TEST_CASE("a snapshot that is none changes nothing")
{
    World world = make(many_linkages());
    World other = make("dynamic x; x = initial(1, 0); def m mass(1); end; m translatex(x);\n");
    run(world, 0, 3);
    const std::uint64_t before = world.state_hash();
    std::vector<std::byte> bytes = world.snapshot();

    CHECK_FALSE(world.restore({}));
    CHECK_FALSE(world.restore(other.snapshot()));
    CHECK_FALSE(world.restore(std::span(bytes).first(bytes.size() - 1)));
    bytes.push_back({});
    CHECK_FALSE(world.restore(bytes));
    CHECK(world.state_hash() == before);
}

TEST_CASE("every method moves the same pendulum, each in its own order")
{
    const std::string text = "dynamic t; t = initial(0, 0); def m mass(1); end;\n"
                             "m translatex(1) rotatez(t); simulate(0 sec, 2 sec, step = 1/240);\n";
    World exact = make(text), fixed = make(text + "linkages(method = fixed);"),
          charli = make(text + "linkages(method = charli);");
    for (World* world : {&exact, &fixed, &charli})
        run(*world, 0, kFrames);

    CHECK(std::abs(fixed.coordinates()[0] - exact.coordinates()[0]) < 1e-7);
    CHECK(std::abs(charli.coordinates()[0] - exact.coordinates()[0]) < 1e-6);
    CHECK(fixed.coordinates()[0] != exact.coordinates()[0]);
}

TEST_CASE("a coordinate that is a length moves like one that is a transformation")
{
    World length =
        make("dynamic L, x, y; L = initial(1, 0); x = initial(0, 0); y = initial(-1, 0);\n"
             "def o label(); end; o; def b mass(1); end; b translatex(x) translatey(y);\n"
             "dist_constraint(o, b, L); spring_and_damper(L, 1, 100, 2);\n");
    World arm = make("dynamic L, t; L = initial(1, 0); t = initial(0, 0); def b mass(1); end;\n"
                     "b translatey(-L) rotatez(t); spring_and_damper(L, 1, 100, 2);\n");
    run(length, 0, kFrames);
    run(arm, 0, kFrames);

    CHECK(length.coordinates()[0] == doctest::Approx(arm.coordinates()[0]).epsilon(1e-9));
    CHECK(length.coordinates()[0] > 1.05);
}

TEST_CASE("how long is simulated changes no bit of what comes before")
{
    const std::string text = "dynamic x, y; x = initial(0.3, 0); y = initial(-2, 0);\n"
                             "def o label(); end; o; def b mass(1); end;\n"
                             "b translatex(x) translatey(y); assemble;\n"
                             "dist_constraint(o, b, 2.0 - time);\n";
    World brief = make(text + "simulate(0 sec, 1 sec);"),
          longer = make(text + "simulate(0 sec, 3 sec);");
    run(brief, 0, 20);
    run(longer, 0, 20);

    CHECK(brief.state_hash() == longer.state_hash());
    CHECK(longer.restore(brief.snapshot()));
}

TEST_CASE("a parallelogram passes its flat posture, also where a frame falls on it")
{
    World world = make("gravity(0, 0, 0); dynamic x1, y1, x2, y2;\n"
                       "x1 = initial(0, pi); y1 = initial(-1, 0);\n"
                       "x2 = initial(2, pi); y2 = initial(-1, 0);\n"
                       "def a label(); end; a; def b label(); end; b translatex(2);\n"
                       "def m mass(1); end; left = m translatex(x1) translatey(y1);\n"
                       "right = m translatex(x2) translatey(y2);\n"
                       "dist_constraint(a, left, 1); dist_constraint(b, right, 1);\n"
                       "dist_constraint(left, right, 2); simulate(0 sec, 20 sec);\n");
    for (int i = 1; i <= 2000; ++i)
        REQUIRE_FALSE(world.advance(i / 100.0).fault);

    CHECK(world.coordinates()[0] == doctest::Approx(0).epsilon(1e-5)); // ten turns
    CHECK(world.coordinates()[1] == doctest::Approx(-1).epsilon(1e-9));
}

TEST_CASE("a fault leaves the world where it was")
{
    World world = make("var r; r = {1 at 0 sec linear 0 at 1 sec}; dynamic t; t = initial(0, 1);\n"
                       "def m mass(1); end; m translatex(r) rotatez(t); simulate(0 sec, 2 sec);\n");
    run(world, 0, 23);
    const std::uint64_t before = world.state_hash();

    const StepReport report = world.advance(1.1);

    REQUIRE(report.fault);
    CHECK(report.fault->code == "length-becomes-zero");
    CHECK(world.state_hash() == before);
    CHECK(world.time() == 23 / 24.0);
}

TEST_CASE("a bead that rests in a corner of its path stops the run with that reason")
{
    World world = make("dynamic x, y; x = initial(-1, 0); y = initial(1, 0);\n"
                       "def bead mass(1); end; bead translatex(x) translatey(y);\n"
                       "path_constraint(bead, polyline(-1,1,0, 0,0,0, 1,1,0));\n");
    std::optional<Problem> fault;
    for (int i = 1; i < 100 && !fault; ++i)
        fault = world.advance(i / 24.0).fault;

    REQUIRE(fault);
    CHECK(fault->code == "rests-in-corner");
}

TEST_CASE("an import that is not bound is named")
{
    const Result<World> world = World::create(
        test::sound_scene("import wind; dynamic x; x = initial(0, 0);\n"
                          "def m mass(1); end; m translatex(x); force(m, wind, 0, 0);\n"));

    REQUIRE_FALSE(world);
    CHECK(world.problems()[0].code == "import-unbound");
}

TEST_CASE("the paper's method says how well its paths hold")
{
    World world = test::make_world("linkages(method = charli); dynamic x, y;"
                                   "b = mass(1) translate(x, y, 0);"
                                   "path_constraint(b, line(0, 0, 0, 1, -1, 0));"
                                   "simulate(0 sec, 1 sec, step = 1/1000);");
    const StepReport report = world.advance(1);
    CHECK(world.coordinates()[0] == doctest::Approx(0.25 * 9.81).epsilon(1e-6)); // g/2 along x
    CHECK(report.residual < 1e-6);
}

TEST_CASE("an import that drives a place by the state, or gives no number, is named")
{
    const Scene scene = test::sound_scene("import shake, push; dynamic x, t = initial(1, 0);"
                                          "b = mass(1) translatex(x);"
                                          "c = mass(1) translatey(-1) rotatez(t) translatex(shake);"
                                          "force(b, push, 0, 0); simulate(0 sec, 1 sec);");
    const ImportFunction none = [](const ImportInput&) { return ImportValue{.value = 0}; };
    const ImportFunction of_state = [](const ImportInput& input) {
        return ImportValue{.value = 0.1 * input.coordinates[0]};
    };
    const ImportFunction nothing = [](const ImportInput& input) {
        return ImportValue{.value = input.time < 0.5 ? 0 : std::nan("")};
    };
    const auto refused = World::create(scene, {.imports = {{"shake", of_state}, {"push", none}}});
    REQUIRE(!refused);
    CHECK(refused.problems()[0].code == "import-of-state");
    CHECK(refused.problems()[0].what.find("'shake'") != std::string::npos);
    auto world = World::create(scene, {.imports = {{"shake", none}, {"push", nothing}}});
    REQUIRE(bool(world));
    const StepReport report = world->advance(1);
    REQUIRE(report.fault.has_value());
    CHECK(report.fault->code == "import-not-finite");
    CHECK(report.fault->what.find("'push'") != std::string::npos);
}

TEST_CASE("an import pushes as the formula it stands for, and drives with its derivatives or not")
{
    const std::string text = "import wind, shake; dynamic x, t; x = initial(0, 0);\n"
                             "t = initial(0.3, 0); def m mass(2); end; m translatex(x);\n"
                             "force(m, wind, 0, 0);\n"
                             "def p mass(1); end; p translatey(-1) rotatez(t) translatex(shake);\n";
    std::string formula = text;
    formula.replace(formula.find("import wind, shake;"), 19,
                    "var wind, shake; wind = 3 * cos(2 * time); shake = 0.1 * sin(5 * time);");
    World truth = make(formula);
    run(truth, 0, kFrames);
    const auto wind = [](const ImportInput& in) { return ImportValue{3 * std::cos(2 * in.time)}; };
    for (const bool knows : {true, false}) {
        const auto shake = [&](const ImportInput& in) {
            ImportValue value{0.1 * std::sin(5 * in.time)};
            if (knows) {
                value.first = 0.5 * std::cos(5 * in.time);
                value.second = -2.5 * std::sin(5 * in.time);
            }
            return value;
        };
        Result<World> world =
            World::create(test::sound_scene(text), {1, {{"wind", wind}, {"shake", shake}}});
        REQUIRE(world);
        run(*world, 0, kFrames);
        CHECK(std::abs(world->coordinates()[0] - truth.coordinates()[0]) < 1e-9);
        CHECK(std::abs(world->coordinates()[1] - truth.coordinates()[1]) < (knows ? 1e-9 : 1e-7));
        CHECK(world->frame().objects.size() == truth.frame().objects.size());
    }
}
