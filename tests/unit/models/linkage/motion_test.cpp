// Kinematics, constraints and accelerations of a linkage against differences and dense algebra.

#include "math/functions.h"
#include "models/linkage/equations/system.h"
#include "scene/kinematics.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <string>
#include <vector>

using namespace sinew;

namespace {

/// Everything that can move a point: scales, gears, positions in formulas, `on`, tracks.
const char* const kEverything =
    "dynamic a, b, x, y, s, c;\n"
    "a = initial(0.3, 0.7); b = initial(-0.4, 1.1); x = initial(0.9, -0.6);\n"
    "y = initial(0.2, 0.5); s = initial(1.3, 0.2); c = initial(0.4, -0.3);\n"
    "var lift; lift = {0 at 0 sec slowinout 2 at 3 sec};\n"
    "def tip mass(0.7); end;\n"
    "def hand mass(1.2); tip translatex(0.5) rotatey(b) rotatez(2 * a); end;\n"
    "def arm hand translatex(x) rotatez(a) translatey(lift); end;\n"
    "arm rotatex(b) translatez(0.3);\n"
    "def rider mass(0.3); end;\n"
    "rider translatey(c) scale(s) rotatez(0.5) on tip;\n"
    "def shadow mass(0.4); end;\n"
    "shadow translatex(hand_x * 0.5) translatey(y) translatez(sin(a) + time);\n"
    "def box box_mass(2, 0.4, 0.3, 0.2); end;\n"
    "box rotatey(a) scale(1 + 0.1 * b) translatex(-1);\n"
    "dist_constraint(rider, shadow, 2 + 0.1 * y);\n"
    "path_constraint(shadow, spline(0,y,0, 1,0,1, 2,1,0, 3,0,time));\n";

/// A chain of links, each on the one before: long enough for relays.
std::string chain(int links)
{
    return "param n = " + std::to_string(links) +
           " [1..400];\n"
           "def link(i)\n"
           "  dynamic u, w; u = initial(0.5 * sin(i), 0.3); w = initial(cos(2 * i), -0.2);\n"
           "  def bob mass(0.1 + 0.02 * i); end;\n"
           "  bob translatex(0.3) rotatez(u) rotatey(w);\n"
           "  if i < n link(i + 1) on bob; end;\n"
           "end;\n"
           "link(1);\n";
}

/// One linkage of a script with its equations, at the script's start.
struct Bench {
    Scene scene;
    std::vector<ImportFunction> imports;
    LinkagePlan plan;
    MatrixPlan matrix;
    LinkageSystem system;
    std::vector<double> x, v, memory;

    explicit Bench(const std::string& text)
        : scene(test::sound_scene(text, {}, {.check_start = false})),
          plan(make_plan(scene, find_linkages(scene).at(0))),
          matrix(make_matrix_plan(plan, false, false)), system(plan, matrix, imports),
          memory(plan.memory_size + plan.rows.size())
    {
        for (const std::uint32_t c : plan.coordinates) {
            x.push_back(scene.coordinates[c].initial);
            v.push_back(scene.coordinates[c].initial_rate);
        }
        for (std::uint32_t i = 0; i < plan.path_column_count; ++i) {
            x.push_back(0.37);
            v.push_back(0.21);
        }
    }

    bool look(double time, const std::vector<double>& state)
    {
        return system.update({time, Side::after, state, v}, memory);
    }

    /// The state after `dt` along the motion with q̈ = 0.
    std::vector<double> moved(double dt) const
    {
        std::vector<double> state = x;
        for (std::size_t i = 0; i < x.size(); ++i)
            state[i] += dt * v[i];
        return state;
    }

    std::vector<Vec3> places(double time, const std::vector<double>& state)
    {
        REQUIRE(look(time, state));
        std::vector<Vec3> all;
        for (std::uint32_t i = 0; i < plan.points.size(); ++i)
            all.push_back(value_of(system.motion().point(i)));
        return all;
    }

    std::vector<double> residuals(double time, const std::vector<double>& state)
    {
        REQUIRE(look(time, state));
        return {system.constraints().residual().begin(), system.constraints().residual().end()};
    }

    /// Partials of a point for each column of the state, relays taken apart into what they are
    /// made of.
    std::vector<Vec3> state_partials(std::uint32_t point)
    {
        const Range range = plan.points[point].partials;
        std::vector<Vec3> all(x.size(), Vec3{0, 0, 0});
        for (std::size_t k = 0; k < x.size(); ++k) {
            std::vector<double> unit(plan.column_count);
            unit[k] = 1;
            extend<double>(plan, system.constraints().jacobian(), unit);
            for (std::uint32_t c = 0; c < range.count; ++c)
                all[k] += system.motion().partials(point)[c] *
                          unit[plan.partial_columns[range.first + c]];
        }
        return all;
    }
};

constexpr double kTime = 1.1;

} // namespace

TEST_CASE("partials of all points are the derivatives of their places")
{
    for (const std::string& text : {std::string(kEverything), chain(30)}) {
        Bench bench(text);
        REQUIRE(bench.look(kTime, bench.x));
        std::vector<std::vector<Vec3>> partials;
        for (std::uint32_t i = 0; i < bench.plan.points.size(); ++i)
            partials.push_back(bench.state_partials(i));
        const double h = 1e-5;
        for (std::size_t k = 0; k < bench.x.size(); ++k) {
            std::vector<double> up = bench.x, down = bench.x;
            up[k] += h;
            down[k] -= h;
            const std::vector<Vec3> high = bench.places(kTime, up), low = bench.places(kTime, down);
            for (std::size_t i = 0; i < high.size(); ++i)
                CHECK(length((high[i] - low[i]) / (2 * h) - partials[i][k]) < 1e-8);
        }
    }
}

TEST_CASE("velocities and biases of points are the derivatives along the motion")
{
    for (const std::string& text : {std::string(kEverything), chain(12)}) {
        Bench bench(text);
        const double h = 1e-4;
        const std::vector<Vec3> next = bench.places(kTime + h, bench.moved(h)),
                                last = bench.places(kTime - h, bench.moved(-h)),
                                now = bench.places(kTime, bench.x);
        for (std::uint32_t i = 0; i < now.size(); ++i) {
            const Vec3T<Jet2>& x = bench.system.motion().point(i);
            CHECK(length((next[i] - last[i]) / (2 * h) - first_of(x)) < 1e-5);
            CHECK(length((next[i] - now[i] * 2.0 + last[i]) / (h * h) - second_of(x)) < 1e-4);
        }
    }
}

TEST_CASE("rows: gradients, rates and biases are derivatives of the constraints")
{
    Bench bench(kEverything);
    REQUIRE(bench.look(kTime, bench.x));
    const LinkagePlan& plan = bench.plan;
    const Constraints& constraints = bench.system.constraints();
    Eigen::MatrixXd J =
        Eigen::MatrixXd::Zero(Eigen::Index(plan.rows.size()), Eigen::Index(plan.column_count));
    for (std::size_t r = 0; r < plan.rows.size(); ++r)
        for (std::uint32_t c = plan.rows[r].columns.first; c < plan.rows[r].columns.end(); ++c)
            J(Eigen::Index(r), plan.row_columns[c]) += constraints.jacobian()[c];
    const std::vector<double> rate(constraints.rate().begin(), constraints.rate().end());
    const std::vector<double> bias(constraints.bias().begin(), constraints.bias().end());

    const double h = 1e-5;
    for (std::size_t k = 0; k < bench.x.size(); ++k) {
        std::vector<double> up = bench.x, down = bench.x;
        up[k] += h;
        down[k] -= h;
        const std::vector<double> high = bench.residuals(kTime, up),
                                  low = bench.residuals(kTime, down);
        for (std::size_t r = 0; r < high.size(); ++r)
            CHECK(abs((high[r] - low[r]) / (2 * h) - J(Eigen::Index(r), Eigen::Index(k))) < 1e-8);
    }
    const double dt = 1e-4;
    const std::vector<double> next = bench.residuals(kTime + dt, bench.moved(dt)),
                              last = bench.residuals(kTime - dt, bench.moved(-dt)),
                              now = bench.residuals(kTime, bench.x);
    for (std::size_t r = 0; r < now.size(); ++r) {
        CHECK(abs((next[r] - last[r]) / (2 * dt) - rate[r]) < 1e-5);
        CHECK(abs((next[r] - 2 * now[r] + last[r]) / (dt * dt) - bias[r]) < 1e-4);
    }
}

TEST_CASE("relays change no acceleration [notes: linkages, eq. 1, eq. 2]")
{
    Bench bench(chain(40));
    REQUIRE(bench.plan.relays.size() > 5);
    REQUIRE(bench.look(kTime, bench.x));
    REQUIRE(bench.system.factor());
    std::vector<double> a(bench.x.size());
    bench.system.solve_accelerations(a);

    // The same in the script's coordinates alone, dense: M a = Σ m Pᵀ (g − bias).
    const auto n = static_cast<Eigen::Index>(bench.x.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n);
    for (const PlannedMass& mass : bench.plan.masses) {
        const std::vector<Vec3> P = bench.state_partials(mass.point);
        const Vec3 g = Vec3{0, -9.81, 0} - second_of(bench.system.motion().point(mass.point));
        for (Eigen::Index i = 0; i < n; ++i) {
            f(i) += mass.mass * dot(P[std::size_t(i)], g);
            for (Eigen::Index j = 0; j < n; ++j)
                M(i, j) += mass.mass * dot(P[std::size_t(i)], P[std::size_t(j)]);
        }
    }
    const Eigen::VectorXd dense = M.ldlt().solve(f);
    for (Eigen::Index i = 0; i < n; ++i)
        CHECK(a[std::size_t(i)] == doctest::Approx(dense(i)).epsilon(1e-7));
}

TEST_CASE("independent things of a scene are independent linkages")
{
    const Scene scene = test::sound_scene("def bob mass(1); end;\n"
                                          "def swing dynamic t; t = initial(0.1, 0);\n"
                                          "  bob translatex(1) rotatez(t); end;\n"
                                          "one = swing; two = swing; three = swing;\n"
                                          "dist_constraint(one.bob, three.bob, 0);\n"
                                          "dynamic idle; idle = initial(1, 1);\n",
                                          {}, {.check_start = false});
    const std::vector<LinkageParts> linkages = find_linkages(scene);

    REQUIRE(linkages.size() == 2);
    CHECK(linkages[0].coordinates.size() == 2);
    CHECK(linkages[0].distance_constraints.size() == 1);
    CHECK(linkages[1].masses.size() == 1);
}
