// The recursion over frames beside the sparse matrix: the same accelerations, whatever the frames
// are made of, and the same answer where a direction has no mass.

#include "math/functions.h"
#include "models/linkage/equations/system.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinew;

namespace {

/// The linkage of a script, looked at in its start by both ways of elimination.
struct Pair {
    Scene scene;
    std::vector<ImportFunction> imports;
    LinkagePlan plan;
    MatrixPlan matrix;
    LinkageSystem sparse, recursive;
    std::vector<double> x, v, memory;

    explicit Pair(const std::string& text)
        : scene(test::sound_scene(text, {}, {.check_start = false})),
          plan(make_plan(scene, find_linkages(scene).at(0))),
          matrix(make_matrix_plan(plan, false, false)), sparse(plan, matrix, imports),
          recursive(plan, matrix, imports, Elimination::recursive_if_possible),
          memory(plan.memory_size + plan.rows.size())
    {
        for (const std::uint32_t c : plan.coordinates) {
            x.push_back(scene.coordinates[c].initial);
            v.push_back(scene.coordinates[c].initial_rate);
        }
    }

    bool factor(LinkageSystem& system)
    {
        return system.update({0.4, Side::after, x, v}, memory) && system.factor();
    }

    /// The largest difference, in parts of the largest acceleration.
    double difference()
    {
        REQUIRE(factor(sparse));
        REQUIRE(factor(recursive));
        std::vector<double> a(x.size()), b(x.size());
        sparse.solve_accelerations(a);
        recursive.solve_accelerations(b);
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            largest = std::max(largest, abs(a[i]));
            worst = std::max(worst, abs(a[i] - b[i]));
        }
        for (std::uint32_t c = 0; c < plan.column_count; ++c) // relays too
            worst = std::max(worst, abs(sparse.solution()[c] - recursive.solution()[c]));
        REQUIRE(largest > 0);
        return worst / largest;
    }
};

/// Links on links, each turning about two axes: with relays from eight coordinates on.
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

} // namespace

TEST_CASE("the recursion over frames solves what the sparse matrix solves "
          "[notes: linkages, eq. 13], [notes: linkages, eq. 14]")
{
    for (const int links : {1, 2, 5, 20, 60}) {
        CAPTURE(links);
        Pair pair(chain(links));
        CHECK(LinkageRecursion::applies_to(pair.plan));
        CHECK(pair.difference() < 1e-11);
    }
    // Ball and free joints, gears within a frame, tracks, labels and blocks below driven frames.
    Pair tree(
        "dynamic ball q = initial((0.3, 0.2, -0.1), (1, 3, 0.5)), p = initial((1, 0, 0.4));\n"
        "dynamic x, y, z, a, b, c; x = initial(0.3, 1); y = initial(2, -1);\n"
        "a = initial(0.4, 2); b = initial(1.2, -1); c = initial(0.2, 3);\n"
        "def block box_mass(3, 0.4, 0.6, 0.2); end; def bob mass(0.5); end;\n"
        "trunk = block free(q, x, y, z);\n"
        "arm = block translatey(-0.3) ball(p) translate(0.25, 0.28, 0) on trunk;\n"
        "leg = block translatex(0.2 * sin(a)) rotatez(2 * a) translatey(b) on trunk;\n"
        "mark = label() translatez(0.3) rotatex(time) on leg;\n"
        "toe = bob translatex(0.4) rotatey(c) rotatex({0 at 0 sec slowin 1 at 2 sec}) on mark;\n"
        "hair = bob translatey(0.1) on toe; spring_and_damper(c, 0.1, 3, 0.2);\n"
        "drag(toe, 0.3); force(hair, 1, 2, 3); torque(a, 0.7);\n");
    CHECK(LinkageRecursion::applies_to(tree.plan));
    CHECK(tree.difference() < 1e-11);
}

TEST_CASE("the recursion leaves to the matrix what is no tree")
{
    const auto applies = [](const std::string& text) {
        return LinkageRecursion::applies_to(Pair(text).plan);
    };
    const std::string two = "dynamic a, b; def bob mass(1); end; a = initial(0.3, 0);\n"
                            "b = initial(0.2, 0);\n";
    CHECK(
        applies(two + "p = bob translatex(1) rotatez(a); q = bob translatex(1) rotatez(b) on p;"));
    CHECK(
        !applies(two + "p = bob translatex(1) rotatez(a); bob translatex(b) rotatez(2 * a) on p;"));
    CHECK(!applies(two +
                   "p = bob translatex(1) rotatez(a); q = bob translatex(1) rotatez(b) scale(2);"
                   "spring_and_damper(p, q, 1, 1, 1);"));
    CHECK(!applies(two + "p = bob translatex(1) rotatez(a); q = bob translatex(1) rotatez(b);"
                         "dist_constraint(p, q, 1);"));
}

TEST_CASE("the recursion names a direction without mass")
{
    // The massless joint of the paper's figure 14, where the arms are in line.
    Pair pair("dynamic a, b; a = initial(0.3, 0); b = initial(0, 0); def bob mass(1); end;\n"
              "def joint label(); end; j = joint translatey(-1) rotatez(a);\n"
              "m = bob translatey(-1) rotatez(b) on j;\n");
    CHECK(!pair.factor(pair.recursive));
    CHECK(!pair.factor(pair.sparse));
    pair.x[1] = 0.2;
    CHECK(pair.difference() < 1e-9);
}
