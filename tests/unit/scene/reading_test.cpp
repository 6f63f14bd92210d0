// The mechanism in numbers: counts, and the freedom of linkages from the books.

#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

Reading reading_of(const std::string& text)
{
    const ScriptReading reading = read_text(text);
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return reading.reading;
}

/// `name = bob` free in the plane, at (x, y).
std::string free_point(const std::string& name, const std::string& x, const std::string& y)
{
    const std::string qx = name + "_1", qy = name + "_2";
    return "dynamic " + qx + ", " + qy + "; " + qx + " = initial(" + x + ", 0); " + qy +
           " = initial(" + y + ", 0); " + name + " = bob translatex(" + qx + ") translatey(" + qy +
           ");\n";
}

const std::string kBob = "def bob mass(1); end; def post label(); end;\n";

/// A parallelogram: two cranks of length 1 at distance 2, and the bar between their tips.
const std::string kParallelogram = kBob + "p = post; q = post translatex(2);\n" +
                                   free_point("a", "0.6", "0.8") + free_point("b", "2.6", "0.8") +
                                   "dist_constraint(p, a, 1); dist_constraint(q, b, 1);"
                                   "dist_constraint(a, b, 2);\n";

} // namespace

TEST_CASE("things are counted")
{
    const Reading reading =
        reading_of(kBob + "dynamic q; q = initial(1, 0); def crate box_mass(1, 1, 1, 1); end;"
                          "a = bob translatex(q); b = post; crate rotatez(time) translatex(9);"
                          "polygon(0,0,0, 1,0,0, 0,1,0) scale(0.1); line(0,0,0, a_x,0,0);"
                          "dist_constraint(a, b, 1); path_constraint(a, line(0,0,0, 1,0,0));"
                          "spring_and_damper(q, 0, 1, 1); spring_and_damper(a, b, 1, 1, 1);"
                          "force(a, 1, 0, 0); torque(q, 1); drag(a, 1); field(1, 0, 0) on a;");

    CHECK(reading.object_count == 3); // frames without a name are not
    CHECK(reading.mass_count == 2);
    CHECK(reading.label_count == 1);
    CHECK(reading.coordinate_count == 1);
    CHECK(reading.driven_count == 1);
    CHECK(reading.constraint_count == 2);
    CHECK(reading.equation_count == 3);
    CHECK(reading.spring_count == 2);
    CHECK(reading.force_count == 4);
    CHECK(reading.drawing_count == 2);
}

TEST_CASE("both triple pendulums have three freedoms")
{
    const ScriptReading transforms = read_reference("fig03_triple_transforms.charli");
    const ScriptReading constraints = read_reference("fig04_triple_constraints.charli");

    CHECK(transforms.problems.empty());
    CHECK(transforms.reading.coordinate_count == 3);
    CHECK(transforms.reading.freedom == 3);
    CHECK(constraints.problems.empty());
    CHECK(constraints.reading.coordinate_count == 6);
    CHECK(constraints.reading.independent_count == 3);
    CHECK(constraints.reading.freedom == 3);
}

TEST_CASE("the balloon has 13 coordinates, 8 independent equations and 5 freedoms")
{
    const ScriptReading reading = read_reference("fig06_balloon.charli");

    CHECK(codes_in(reading.problems) == Codes{"length-becomes-zero", "rates-contradict"});
    CHECK(reading.reading.coordinate_count == 13);
    CHECK(reading.reading.constraint_count == 7);
    CHECK(reading.reading.independent_count == 8);
    CHECK(reading.reading.freedom == 5);
}

TEST_CASE("the other reference scripts read without a word")
{
    const std::pair<const char*, int> scripts[] = {{"e1_bead_rotating_line.charli", 1},
                                                   {"fig09_pulled_spring.charli", 2},
                                                   {"fig14_double.charli", 2},
                                                   {"g_A01_simple_pendulum.charli", 1}};
    for (const auto& [name, freedom] : scripts) {
        const ScriptReading reading = read_reference(name);
        CHECK_MESSAGE(reading.problems.empty(), problems_text(reading.problems, false));
        CHECK(reading.reading.freedom == freedom);
    }
}

TEST_CASE("a planar four-bar linkage has one freedom")
{
    const Reading reading = reading_of(kBob + "p = post; q = post translatex(3);\n" +
                                       free_point("a", "0", "1") + free_point("b", "2.5", "1.5") +
                                       "dist_constraint(p, a, 1); dist_constraint(q, b, "
                                       "sqrt(2.5)); dist_constraint(a, b, sqrt(6.5));");

    CHECK(reading.freedom == 1);
    CHECK(reading.problems.empty());
}

TEST_CASE("the same four-bar linkage of turning cranks has one freedom")
{
    const Reading reading =
        reading_of(kBob + "dynamic alpha, beta, gamma; alpha = initial(90 deg, 0);"
                          "beta = initial(-90 deg, 0); gamma = initial(90 deg, 0);"
                          "def coupler tip = post translatex(2); mass(1); end;"
                          "def crank bob; coupler rotatez(beta) translatex(1); end;"
                          "crank rotatez(alpha);"
                          "def rocker head = bob translatex(1); end;"
                          "rocker rotatez(gamma) translatex(2);"
                          "dist_constraint(tip, head, 0);");

    CHECK(reading.coordinate_count == 3);
    CHECK(reading.equation_count == 3);
    CHECK(reading.independent_count == 2); // the third is 0 = 0 along z
    CHECK(reading.freedom == 1);
}

TEST_CASE("a bar parallel to another is redundant, and said so")
{
    const Reading plain = reading_of(kParallelogram);
    const Reading extra =
        reading_of(kParallelogram + "r = post translatex(1);\n" + free_point("c", "1.6", "0.8") +
                   "dist_constraint(a, c, 1); dist_constraint(c, b, 1);"
                   "dist_constraint(r, c, 1);");

    CHECK(plain.freedom == 1);
    // 6 coordinates; bars pa, qb, ab, ac, cb, rc: c on a b by two bars in line is one equation.
    CHECK(extra.coordinate_count == 6);
    CHECK(extra.equation_count == 6);
    CHECK(extra.independent_count == 5);
    CHECK(extra.freedom == 1);
    CHECK(codes_in(extra.problems) == Codes{"redundant-constraint"});
}

TEST_CASE("a constraint written twice counts once")
{
    const Reading reading = reading_of(kParallelogram + "dist_constraint(b, a, 2);");

    CHECK(reading.equation_count == 4);
    CHECK(reading.independent_count == 3);
    CHECK(reading.freedom == 1);
    CHECK(codes_in(reading.problems) == Codes{"redundant-constraint"});
}

TEST_CASE("a Sarrus linkage moves although counting its joints says that it cannot")
{
    // Two pairs of hinged plates in planes at right angles keep a platform level: six coordinates,
    // six conditions of closing the loop, one of them redundant.
    const Reading reading =
        reading_of("dynamic a1, a2, a3, b1, b2, b3;"
                   "a1 = initial(0.5, 0); a2 = initial(-1, 0); a3 = initial(0.5, 0);"
                   "b1 = initial(0.5, 0); b2 = initial(-1, 0); b3 = initial(0.5, 0);"
                   "def plate c1 = label(); c2 = label() translatex(1); c3 = label() translatey(1);"
                   " box_mass(1, 1, 1, 0.1); end;"
                   "left = plate rotatey(a3) translatez(1) rotatey(a2) translatez(1) rotatey(a1);"
                   "right = plate rotatex(b3) translatez(1) rotatex(b2) translatez(1) rotatex(b1);"
                   "dist_constraint(left.c1, right.c1, 0); dist_constraint(left.c2, right.c2, 0);"
                   "dist_constraint(left.c3, right.c3, 0);");

    CHECK(reading.coordinate_count == 6);
    CHECK(reading.equation_count == 9);
    CHECK(reading.independent_count == 5);
    CHECK(reading.freedom == 1);
}

TEST_CASE("a closed chain of bars in space has the freedom that counting says")
{
    // A ring of five knots: 15 coordinates, 5 bars.
    std::string ring = kBob;
    for (int i = 0; i < 5; ++i)
        ring += "dynamic x" + std::to_string(i) + ", y" + std::to_string(i) + ", z" +
                std::to_string(i) + "; x" + std::to_string(i) + " = initial(cos(72 deg * " +
                std::to_string(i) + "), 0); y" + std::to_string(i) + " = initial(sin(72 deg * " +
                std::to_string(i) + "), 0); z" + std::to_string(i) + " = initial(0, 0); b[" +
                std::to_string(i) + "] = bob translate(x" + std::to_string(i) + ", y" +
                std::to_string(i) + ", z" + std::to_string(i) + ");\n";
    const Reading reading =
        reading_of(ring + "for i in 0..4 dist_constraint(b[i], b[mod(i + 1, 5)],"
                          " 2 * sin(36 deg)); end;");

    CHECK(reading.freedom == 10);
}

TEST_CASE("a point on a path keeps one freedom of three, on a point none")
{
    const std::string bead = "def bead mass(1); end; dynamic x, y, z; x = initial(1, 0);"
                             "y = initial(0, 0); bead translate(x, y, z); ";

    CHECK(reading_of(bead + "path_constraint(bead, line(0,0,0, 2,0,0));").freedom == 1);
    CHECK(reading_of(bead + "path_constraint(bead, spline(0,0,0, 1,0,0, 2,0,0));").freedom == 1);
    CHECK(reading_of(bead + "path_constraint(bead, point(1, 0, 0));").freedom == 0);
}

TEST_CASE("freedoms of mechanisms side by side add up")
{
    std::string text = kBob + "p = post; dynamic x, y;"
                              "for i in 1..200 x[i] = initial(0.6, 0); y[i] = initial(0.8, 0);"
                              " b[i] = bob translatex(x[i]) translatey(y[i]);"
                              " dist_constraint(p, b[i], 1); end;";

    const Reading reading = reading_of(text);

    CHECK(reading.equation_count == 200);
    CHECK(reading.freedom == 200);
}

TEST_CASE("a large net that hangs together is counted as exactly as a small one")
{
    // Turned, so that all equations hang together; with and without an exactly redundant bar.
    const auto net = [](int n, const std::string& more) {
        const std::string k = std::to_string(n);
        const std::string at = "[" + k + " * i + j]";
        return kBob + "dynamic x, y, z; for i in 1.." + k + " for j in 1.." + k + " x" + at +
               " = initial(0.8 * i - 0.6 * j, 0); y" + at + " = initial(0.6 * i + 0.8 * j, 0); z" +
               at + " = initial(0, 0); b" + at + " = bob translate(x" + at + ", y" + at + ", z" +
               at + "); end; end; for i in 1.." + k + " for j in 2.." + k + " dist_constraint(b[" +
               k + " * i + j - 1], b" + at + ", 1); dist_constraint(b[" + k + " * j - " + k +
               " + i], b[" + k + " * j + i], 1); end; end;" + more;
    };

    CHECK(reading_of(net(10, "")).freedom == 300 - 180);
    CHECK(reading_of(net(20, "")).freedom == 1200 - 760); // beyond the dense method
    const Reading redundant = reading_of(net(20, "dist_constraint(b[21], b[22], 1);"));
    CHECK(redundant.freedom == 1200 - 760);
    CHECK(codes_in(redundant.problems) == Codes{"redundant-constraint"});
}
