// A model that nobody in the library knows, in worlds with each of the four that it has: tied to
// them, and touching them.

#include "sinew/names.h"
#include "support/cloth/cloth.h"
#include "support/model_contract.h"
#include "support/worlds.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::Cloth;
using test::ClothOptions;

namespace {

/// Things of all four kinds near where a cloth of 0.3 m begins, which has its first corner at the
/// origin and lies in y = 0.
struct Kind {
    std::string name, script, held; ///< held: what ties take hold of
};

const std::string kSpace = "gravity(0, 0, 0);\nrods(contact = all);\n";

std::vector<Kind> kinds()
{
    return {
        {"body",
         "def crate body(mass = 0.3); box(0.2, 0.1, 0.3); eye = label() translate(0.1, 0.05, 0); "
         "end;\ncrate translate(0.1, -0.3, 0.1) velocity(0, 0.4, 0) spin(0.3, 0.5, 0.2);\n",
         "crate"},
        {"linkage",
         "dynamic x, y, z, a, b, c; x = initial(0.1, 0); y = initial(-0.3, 0.4); "
         "z = initial(0.1, 0); a = initial(0.1, 0.3); b = initial(0.2, 0.5); c = initial(0, 0.2);\n"
         "def bar box_mass(0.3, 0.2, 0.1, 0.3); obstacle(); box(0.2, 0.1, 0.3); end;\n"
         "bar rotatex(a) rotatey(b) rotatez(c) translate(x, y, z);\n",
         "bar"},
        {"strand",
         "def crate body(mass = 0.3); box(0.1, 0.1, 0.1); end;\n"
         "def hair strand(line(0.05,0,0, 0.65,0,0), segments = 6); radius(10 mm); "
         "mass_per_length(0.4); bend_stiffness(0.05); damping(0.05); end;\n"
         "def bead label(); end;\n"
         "first = crate translate(-0.2, -0.2, 0.16) velocity(0, 0.4, 0);\n"
         "h = hair on first;\nbead on h at 0.5 along;\n",
         "bead"},
        {"rod",
         "def rope rod(line(-0.2,0,0.16, 0.5,0,0.16), spans = 7, radius = 10 mm, young = 1e7, "
         "density = 800, damping = 5 ms); end;\n"
         "def bead label(); end;\n"
         "r = rope translate(0, -0.2, 0) velocity(0, 0.4, 0);\nbead on r at 0.5 along;\n",
         "bead"},
    };
}

ObjectId object_of(const Scene& scene, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(scene), name);
    if (found.size() == 1)
        return {static_cast<std::uint32_t>(found.front())};
    FAIL("no object " << name);
    return {};
}

Scene scene_of(const std::string& script, double h)
{
    return test::sound_scene(script + fmt::format("simulate(0 sec, 9 sec, step = {});\n", h));
}

World world_of(const Scene& scene, const ClothOptions& options, int threads = 1)
{
    WorldOptions world;
    world.threads = threads;
    world.models = {std::make_shared<const Cloth>(options)};
    Result<World> made = World::create(scene, world);
    REQUIRE_MESSAGE(bool(made), problems_text(made.problems(), false));
    return std::move(*made);
}

/// What changes of momentum in a second, after a first moment in which velocities are made to
/// agree.
struct Change {
    double linear, angular;
};

Change change_of(World world)
{
    CHECK_FALSE(world.advance(1.0 / 24).fault);
    const Momentum before = world.momentum();
    const StepReport report = world.advance(25.0 / 24);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    CHECK(report.rows > 0);
    const Momentum after = world.momentum();
    return {length(after.linear - before.linear), length(after.angular - before.angular)};
}

/// Where the points of a cloth are: labels ride on them.
std::vector<Vec3> points_of(const Frame& frame, const ClothOptions& options)
{
    std::vector<Vec3> points;
    for (const ModelRider& rider : options.riders)
        points.push_back(frame.objects[rider.object.index].origin);
    return points;
}

std::string marks(std::size_t count)
{
    std::string script = "def mark label(); end;\n";
    for (std::size_t i = 0; i < count; ++i)
        script += fmt::format("mark_{} = mark;\n", i);
    return script;
}

/// From a point to the surface of a box about an object, from outside; 0 in it.
double distance_to_box(const Affine& box, const Vec3& half, const Vec3& point)
{
    const Vec3 x = transpose(box.linear) * (point - box.origin);
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis)
        sum += std::pow(std::max(std::abs(x[axis]) - half[axis], 0.0), 2);
    return std::sqrt(sum);
}

double distance_to_curve(std::span<const Vec3> nodes, const Vec3& point)
{
    double least = 1e300;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const Vec3 way = nodes[i + 1] - nodes[i];
        const double part = std::clamp(dot(point - nodes[i], way) / dot(way, way), 0.0, 1.0);
        least = std::min(least, length(nodes[i] + way * part - point));
    }
    return least;
}

/// How deep a cloth of 4 by 4 points is in what it meets, at most: places along all its edges.
double depth_of(const World& world, const Kind& kind, const ClothOptions& options)
{
    const Frame frame = world.frame();
    const std::vector<Vec3> points = points_of(frame, options);
    const Affine box = frame.objects[object_of(world.scene(), kind.held).index];
    double deepest = -1e300;
    const auto look = [&](const Vec3& a, const Vec3& b) {
        for (int k = 0; k <= 8; ++k) {
            const Vec3 x = a + (b - a) * (k / 8.0);
            const double away = frame.nodes.empty() ? distance_to_box(box, {0.1, 0.05, 0.15}, x)
                                                    : distance_to_curve(frame.nodes, x) - 0.01;
            deepest = std::max(deepest, options.radius - away);
        }
    };
    for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t i = 0; i < 4; ++i) {
            if (i < 3)
                look(points[4 * j + i], points[4 * j + i + 1]);
            if (j < 3)
                look(points[4 * j + i], points[4 * j + i + 4]);
        }
    return deepest;
}

Scene marked_scene(const std::string& script, double h, ClothOptions& options)
{
    const Scene scene = scene_of(script + marks(16), h);
    const Cloth cloth(options);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
            options.riders.push_back(
                {object_of(scene, fmt::format("mark_{}", 4 * j + i)), cloth.site_at(i, j)});
    return scene;
}

} // namespace

TEST_CASE("the cloth keeps the contract of models")
{
    const Cloth cloth({.velocity = {0.1, 0.2, -0.3}});
    ModelState state = cloth.start();
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        state.x[i] += 0.004 * std::sin(3.0 * double(i));
        state.v[i] += 0.05 * std::cos(5.0 * double(i));
    }
    const std::vector<Site> sites = {
        cloth.site_at(0, 0), cloth.site_at(3, 2), {.block = {0, 0}, .element = 5, .u = 0.3}};
    test::check_model_contract(cloth, state, sites, {.impulse = 1e-5});
}

TEST_CASE("momentum of a cloth tied to each of the four kinds of models in free space")
{
    const std::pair<std::string, ModelTie> laws[] = {
        {"position", {.law = ModelTie::Law::position}},
        {"fusion", {.law = ModelTie::Law::fusion}},
        {"distance", {.law = ModelTie::Law::distance}},
        {"spring", {.law = ModelTie::Law::spring, .stiffness = 20, .damping = 0.1}}};
    for (const Kind& kind : kinds())
        for (auto [name, tie] : laws) {
            const std::string cell = kind.name + ", " + name;
            CAPTURE(cell);
            ClothOptions options{.velocity = {0, 0.2, 0.1}};
            tie.site = Cloth(options).site_at(1, 1);
            const auto run = [&](double h) {
                const Scene scene = scene_of(kSpace + kind.script, h);
                tie.object = object_of(scene, kind.held);
                options.ties = {tie};
                return change_of(world_of(scene, options));
            };
            const Change coarse = run(1.0 / 240), fine = run(1.0 / 960);
            MESSAGE(fmt::format("{:<20} linear {:8.1e} angular {:8.1e} {:8.1e}", cell,
                                coarse.linear, coarse.angular, fine.angular));
            // Strands in rows are solved to 1e-6 m/s.
            CHECK(coarse.linear < (kind.name == "strand" ? 1e-7 : 1e-13));
            CHECK(fine.linear < (kind.name == "strand" ? 1e-7 : 1e-12));
            CHECK(coarse.angular < 5e-4);
            // Of rods it leaves out what turns about their axis.
            const double floor = kind.name == "rod" ? 2e-6 : 1e-7;
            CHECK(fine.angular < std::max(0.25 * coarse.angular, floor));
        }
}

TEST_CASE("a cloth that meets each of the four kinds of models pushes it, and is not passed")
{
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        ClothOptions options{.velocity = {0, -0.8, 0}};
        const Scene scene = marked_scene(kSpace + kind.script, 1.0 / 240, options);
        World world = world_of(scene, options);
        const ObjectId held = object_of(scene, kind.held);
        CHECK_FALSE(world.advance(1.0 / 24).fault); // velocities of hair and crate agree
        const Momentum before = world.momentum();
        const double speed = world.velocities().objects[held.index].y;
        int rows = 0;
        double deepest = -1;
        for (int i = 11; i <= 120; ++i) {
            const StepReport report = world.advance(i / 240.0);
            CHECK_FALSE(report.fault);
            rows = std::max(rows, report.rows);
            deepest = std::max(deepest, depth_of(world, kind, options));
        }
        const Momentum after = world.momentum();
        const double slower = speed - world.velocities().objects[held.index].y;
        MESSAGE(fmt::format("{:<8} rows {} linear {:8.1e} angular {:8.1e} deepest {:8.1e} m, "
                            "slower by {:.2f} m/s",
                            kind.name, rows, length(after.linear - before.linear),
                            length(after.angular - before.angular), deepest, slower));
        CHECK(rows > 0);
        // Coordinates of strands are angles: impacts keep their momentum less exactly.
        CHECK(length(after.linear - before.linear) < (kind.name == "strand" ? 1e-3 : 1e-13));
        CHECK(length(after.angular - before.angular) < 5e-4);
        CHECK(deepest > -1e-3); // they met
        CHECK(deepest < 1e-3);
        CHECK(slower > 0.05);
    }
}

TEST_CASE("friction of a cloth on a slope: it stands below atan μ and slides above")
{
    for (const double slope : {0.3, 0.8}) {
        const Scene scene =
            scene_of(fmt::format("gravity({}, -9.81, 0);\n", 9.81 * slope) +
                         "def floor obstacle(); plane(0, 1, 0, 0); material(friction = 0.5); end;\n"
                         "floor;\n" +
                         marks(16),
                     1.0 / 240);
        ClothOptions options{.origin = {0, 0.01, 0}, .friction = 0.5};
        options.riders = {{object_of(scene, "mark_15"), Cloth(options).site_at(1, 1)}};
        World world = world_of(scene, options);
        CHECK_FALSE(world.advance(0.5).fault);
        const double x = points_of(world.frame(), options)[0].x - 0.1;
        if (slope < 0.5)
            CHECK(std::abs(x) < 1e-4);
        else
            CHECK(x == doctest::Approx(0.5 * 9.81 * (slope - 0.5) * 0.25).epsilon(0.02));
    }
}

TEST_CASE("worlds with a cloth have the same bits on any number of threads and after a restore")
{
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        const Scene scene = scene_of("rods(contact = all);\ndef floor obstacle(); plane(0, 1, 0, "
                                     "-1); end;\nfloor;\n" +
                                         kind.script,
                                     1.0 / 240);
        ClothOptions options{.velocity = {0, -0.5, 0}};
        options.ties = {{.law = ModelTie::Law::position,
                         .site = Cloth(options).site_at(3, 3),
                         .object = object_of(scene, kind.held)}};
        World one = world_of(scene, options);
        const std::uint64_t start = one.state_hash();
        CHECK_FALSE(one.advance(0.25).fault);
        const std::vector<std::byte> middle = one.snapshot();
        CHECK(one.state_hash() != start);
        CHECK_FALSE(one.advance(0.5).fault);
        for (const int threads : {2, 3}) {
            World same = world_of(scene, options, threads);
            CHECK_FALSE(same.advance(0.25).fault);
            CHECK(same.snapshot() == middle);
            CHECK_FALSE(same.advance(0.5).fault);
            CHECK(same.state_hash() == one.state_hash());
        }
        World restored = world_of(scene, options);
        REQUIRE(restored.restore(middle));
        CHECK_FALSE(restored.advance(0.5).fault);
        CHECK(restored.state_hash() == one.state_hash());
    }
}

TEST_CASE("a cloth tied to what nothing can hold is refused by name")
{
    const Scene scene = scene_of(kinds()[0].script, 1.0 / 240);
    WorldOptions options;
    options.models = {std::make_shared<const Cloth>(
        ClothOptions{.ties = {{.site = {.block = {0, 0}}, .object = {9999}}}})};
    const Result<World> world = World::create(scene, options);
    REQUIRE_FALSE(bool(world));
    CHECK(world.problems().front().code == "model-tied-to-what-moves");
}
