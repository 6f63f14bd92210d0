// Nothing is allocated while time passes: memory comes from what was made beforehand.

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "alloc/counter.h"
#include "bench/linkage_scenes.h"
#include "collide/manifold.h"
#include "sinew/language.h"
#include "sinew/world.h"
#include "solve/linear/sparse/sparse_ldl.h"
#include "solve/rows/exposed_rows.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace sinew;

namespace {

Scene read_example(const std::string& name)
{
    const ScriptReading reading = read_script_file(SINEW_ROOT "/examples/" + name);
    REQUIRE(reading.is_sound());
    return reading.scene;
}

/// Allocations in some frames after the first ones.
std::size_t count_in_frames(const Scene& scene, int frames = 24)
{
    constexpr int kWarmUp = 4;
    Result<World> world = World::create(scene);
    REQUIRE(world);
    const auto advance = [&](int frame) {
        const StepReport report = world->advance(scene.settings.start + frame / 24.0);
        return !report.fault;
    };
    bool is_good = true;
    for (int i = 1; i <= kWarmUp; ++i)
        is_good = is_good && advance(i);
    const std::size_t before = test::allocation_count();
    for (int i = kWarmUp + 1; i <= kWarmUp + frames; ++i)
        is_good = is_good && advance(i);
    const std::size_t count = test::allocation_count() - before;
    CHECK(is_good);
    return count;
}

} // namespace

TEST_CASE("the counter counts" * doctest::skip(!test::can_count_allocations()))
{
    const std::size_t before = test::allocation_count();

    auto number = std::make_unique<volatile int>(3);
    *number = 4;

    CHECK(test::allocation_count() > before);
}

TEST_CASE("a step allocates nothing" * doctest::skip(!test::can_count_allocations()))
{
    SUBCASE("chain") { CHECK(count_in_frames(bench::make_chain(50)) == 0); }
    SUBCASE("nested chain") { CHECK(count_in_frames(bench::make_nested_chain(50)) == 0); }
    SUBCASE("ladder") { CHECK(count_in_frames(bench::make_ladder(40)) == 0); }
    SUBCASE("net") { CHECK(count_in_frames(bench::make_net(7, 7)) == 0); }
    for (const char* name :
         {"fig03_triple_pendulum", "fig04_triple_pendulum_constraints", "fig06_balloon_pendulum",
          "fig09_pulled_spring", "fig14_double_pendulum", "bead_on_wire", "four_bar", "gears"})
        SUBCASE(name) { CHECK(count_in_frames(read_example(std::string(name) + ".charli")) == 0); }
}

namespace {

/// Strands of all kinds: on tracks, in fields, in air whose strength has a place, riding on
/// strands, with properties that change.
const std::string kStrands =
    "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 8);\n"
    "limb = branch(line(0,1.2,0, 1,1.8,0), from = trunk at 0.6 along, segments = 5);\n"
    "radius(1 cm); density(700); young(1e8); damping(0.01); air_drag(0.1, 1); end;\n"
    "for i in 1..5 t[i] = tree translatex(2 * i) rotatey({0 at 0 sec slowinout 1 at 9 sec}); "
    "end;\n";

Scene read_text(const std::string& text)
{
    const ScriptReading reading = read_script("test", text, {});
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return reading.scene;
}

} // namespace

TEST_CASE("a step of strands allocates nothing" * doctest::skip(!test::can_count_allocations()))
{
    const auto count = [](const std::string& more) {
        return count_in_frames(read_text(kStrands + more));
    };
    SUBCASE("driven by tracks") { CHECK(count("") == 0); }
    SUBCASE("in float") { CHECK(count("strands(precision = float);") == 0); }
    SUBCASE("in air whose strength has a place")
    {
        CHECK(count("wind({0 at 0 sec slowinout 4 at 1 sec}, 0, 0, weight = {0 at 0 along linear 1 "
                    "at 1 along}) on t[1], t[2];\n"
                    "turbulence(strength = 3, size = 2, period = 1) on t[2], t[3];") == 0);
    }
    SUBCASE("in fields") { CHECK(count("field(-2 * here_x, 0, 0) on t[1], t[4];") == 0); }
    SUBCASE("a radius that changes in time")
    {
        const std::string text = kStrands;
        const std::size_t at = text.find("radius(1 cm)");
        CHECK(count_in_frames(read_text(std::string(text).replace(
                  at, 12, "radius({1 cm at 0 sec slowinout 2 cm at 9 sec})"))) == 0);
    }
    for (const char* name : {"tree_in_turbulence", "curly_bangs", "lanterns", "fern", "whip"})
        SUBCASE(name) { CHECK(count_in_frames(read_example(std::string(name) + ".charli")) == 0); }
}

TEST_CASE("a step of rods allocates nothing" * doctest::skip(!test::can_count_allocations()))
{
    for (const char* name : {"rope_bridge", "cable_bundle", "dna"})
        SUBCASE(name)
        {
            const Scene scene = read_example(std::string(name) + ".charli");
            CHECK(count_in_frames(scene, 4) == 0);
        }
    SUBCASE("linearised")
    {
        Scene scene = read_example("rope_bridge.charli");
        scene.settings.rods.iterations = 1;
        CHECK(count_in_frames(scene, 4) == 0);
    }
}

namespace {

/// A net of ropes, fused where they cross: more rows than are solved densely.
const std::string kNet =
    "def rope rod(line(0,0,0, 1,0,0), spans = 16, radius = 2 mm, young = 1e7, damping = 5 ms); "
    "end;\n"
    "for i in 0..5\n  a[i] = rope translatez(0.1 + 0.16 * i);\n"
    "  b[i] = rope rotatey(-90 deg) translatex(0.1 + 0.16 * i);\n"
    "  for u in 0..1\n    position_constraint(a[i] at u along, point(u, 0, 0.1 + 0.16 * i));\n"
    "    position_constraint(b[i] at u along, point(0.1 + 0.16 * i, 0, u));\n  end;\nend;\n"
    "for i in 0..5\n  for j in 0..5\n"
    "    fusion(a[i] at 0.1 + 0.16 * j along, b[j] at 0.1 + 0.16 * i along);\n  end;\nend;\n";

/// A rope in holes with friction, and a pearl with friction on it: stiff enough to stay a spline.
/// Limp ropes allocate in their eyes.
const std::string kRubbing =
    "def rope rod(line(-0.8,0,0, 0.2,0,0), spans = 16, radius = 3 mm, young = 1e9, damping = 5 ms);"
    " end;\nrope;\nkeyhole(rope, point(0, 0, 0), from = 0.8, friction = 0.3);\n"
    "keyhole(rope, point(-0.4, 0, 0), from = 0.4, friction = 0.2, viscous = 2);\n"
    "position_constraint(rope at 0 along, point(-0.8, 0, 0));\n"
    "def bead body(mass = 0.01); sphere(0.02); end; bead translatex(-0.6);\n"
    "pearl(bead, rope, from = 0.2, friction = 0.1);\n";

/// A rope that lies on an obstacle, held by friction, or slipping.
const std::string kLying =
    "def rope rod(line(-0.3,0.005,0, 0.3,0.005,0), spans = 12, radius = 5 mm, young = 1e7, damping "
    "= 20 ms); surface(friction = 0.4, bounce = 0); end;\nrope;\n"
    "def ground obstacle(); plane(0, 1, 0, 0); material(friction = 0.5); end;\nground;\n";

/// A rope between a mass of a linkage and a body that hangs on it.
const std::string kMixed =
    "dynamic theta; theta = initial(-60 deg, 0);\n"
    "def bob mass(2); end; bob translatex(1) rotatez(theta);\n"
    "def rope rod(line(0.5,-0.8660254,0, 0.5,-1.8660254,0), spans = 12, radius = 3 mm, young = "
    "1e8, damping = 5 ms); end;\nrope;\n"
    "def load body(mass = 0.5); sphere(0.05); end; load translate(0.5, -1.8660254, 0);\n"
    "fusion(rope at 0 along, bob);\nfusion(rope at 1 along, load);\n";

const std::string kLinearised = "rods(iterations = 1);\n";

std::size_t count_in_script(const std::string& script)
{
    return count_in_frames(read_text(script + "simulate(0 sec, 2 sec, step = 1 / 240);\n"), 4);
}

} // namespace

TEST_CASE("a step of rods among others allocates nothing" *
          doctest::skip(!test::can_count_allocations()))
{
    for (const std::string& mode : {std::string(), kLinearised}) {
        CAPTURE(mode);
        SUBCASE("a net") { CHECK(count_in_script(kNet + mode) == 0); }
        SUBCASE("friction in holes") { CHECK(count_in_script(kRubbing + mode) == 0); }
        SUBCASE("held by friction")
        {
            CHECK(count_in_script(kLying + "gravity(1, -9.81, 0.5);\n" + mode) == 0);
        }
        SUBCASE("slipping")
        {
            CHECK(count_in_script(kLying + "gravity(6, -9.81, 0.5);\n" + mode) == 0);
        }
        SUBCASE("a linkage, a rope and a body") { CHECK(count_in_script(kMixed + mode) == 0); }
    }
}

TEST_CASE("factoring and solving allocate nothing" * doctest::skip(!test::can_count_allocations()))
{
    constexpr std::uint32_t kSize = 100;
    std::vector<MatrixEntry> entries;
    std::vector<double> values, x(kSize, 1.0);
    for (std::uint32_t i = 0; i < kSize; ++i) {
        entries.push_back({i, i});
        values.push_back(5);
        if (i > 0) {
            entries.push_back({i, i / 2}); // a tree
            values.push_back(1);
        }
    }
    const std::vector<PivotKind> kinds(kSize, PivotKind::mass);
    const LdlPlan plan(kSize, entries, find_elimination_order(kSize, entries));
    Ldl<double> ldl(plan);
    const std::size_t before = test::allocation_count();

    const bool is_good = ldl.factor(values, kinds, 1e-11);
    ldl.solve(x);

    CHECK(test::allocation_count() == before);
    CHECK(is_good);
}

TEST_CASE("contacts allocate nothing once their memory is there" *
          doctest::skip(!test::can_count_allocations()))
{
    const std::vector<double> heights(41 * 41, 0.0);
    const CollisionShape field = make_height_field(heights, 41, 0.1), box = make_box({1, 1, 1}),
                         can = make_cylinder(0.3, 1), cone = make_cone(0.3, 1);
    const auto scratch = make_collide_scratch();
    std::vector<SubManifold> found;
    const auto collide_some = [&](double shift) {
        std::size_t touching = 0;
        const Placed ground{&field, {0, 0, 0}, Mat3::identity()};
        for (const CollisionShape* shape : {&box, &can, &cone}) {
            const Placed body{shape, {shift, 0.5, 0}, Mat3::identity()};
            const Placed beside{&can, {shift + 0.6, 0.5, 0.1}, Mat3::identity()};
            collide_all(ground, body, make_lengths(1e-3), *scratch, found);
            touching += found.size();
            collide_all(body, beside, make_lengths(1e-3), *scratch, found);
            touching += found.size();
        }
        return touching;
    };

    std::size_t touching = collide_some(0);
    const std::size_t before = test::allocation_count();
    for (int i = 0; i < 50; ++i)
        touching += collide_some(0.001 * i);

    CHECK(test::allocation_count() == before);
    CHECK(touching > 150);
}

TEST_CASE("the matrix of an island is filled, factored and solved without allocation while its "
          "pattern stays" *
          doctest::skip(!test::can_count_allocations()))
{
    ExposedMatrix matrix;
    constexpr std::uint32_t kPoints = 40, kRows = 20;
    std::vector<double> values;
    const auto add = [&](std::uint32_t row, std::uint32_t column, double diagonal, double other) {
        matrix.pattern.add_block(row, column);
        const std::uint32_t columns = matrix.pattern.vertices[column].size;
        for (std::uint32_t i = 0; i < matrix.pattern.vertices[row].size * columns; ++i)
            values.push_back(row == column && i % (columns + 1) == 0 ? diagonal : other);
    };
    for (std::uint32_t i = 0; i < kPoints; ++i)
        matrix.pattern.add_vertex(4, 0, false);
    for (std::uint32_t i = 0; i < kPoints; ++i)
        for (std::uint32_t k = 0; k < 4 && i + k < kPoints; ++k)
            add(i + k, i, 20, 0.3 / (1 + k));
    matrix.first_row = std::uint32_t(matrix.pattern.size());
    for (std::uint32_t i = 0; i < kRows; ++i) {
        const std::uint32_t row = matrix.pattern.add_vertex(1, 1, true);
        add(row, row, 0, 0);
        add(row, 2 * i, 0, 0.5);
    }
    const std::vector<Law> law(kRows, Law::equal);
    const std::vector<double> off(kRows, 0.3), held(kRows, 0.0), bound(kRows, 0.0);
    std::vector<double> impulse(kRows);
    const auto solve = [&] {
        matrix.begin(false);
        std::copy(values.begin(), values.end(), matrix.values.begin());
        return matrix.solve({law, off, held, bound, bound, impulse}, 1e-10).converged;
    };
    CHECK(solve());

    const std::size_t before = test::allocation_count();
    const bool is_good = solve();
    const std::size_t count = test::allocation_count() - before;

    CHECK(is_good);
    CHECK(count == 0);
}
