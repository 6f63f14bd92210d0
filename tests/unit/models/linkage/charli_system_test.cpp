#include "support/readings.h"
#include "unit/models/linkage/charli_look.h"

#include <set>

using namespace sinew;
using namespace sinew::test;

namespace {

void check_same_accelerations(const std::string& script, double time = 0.4)
{
    const Scene scene = sound_scene(script);
    const Eigen::VectorXd expected = accelerations_by_differences(scene, time, charli_fall);

    Solution solutions[2];
    const Eigen::VectorXd sparse =
        CharliLook(scene, time).accelerations(CharliSolver::sparse, solutions[0]);
    const Eigen::VectorXd dense =
        CharliLook(scene, time).accelerations(CharliSolver::dense, solutions[1]);

    for (const Solution& solution : solutions) {
        CHECK(!solution.is_singular);
        CHECK(solution.contradiction == kNone);
    }
    const double size = 1 + expected.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < expected.size(); ++i) {
        CAPTURE(scene.coordinates[std::size_t(i)].name);
        CHECK(std::abs(sparse(i) - expected(i)) <
              1e-6 * size); // rounding / step² of the differences
        CHECK(std::abs(sparse(i) - dense(i)) < 1e-11 * size);
    }
}

} // namespace

TEST_CASE("the pulled spring has the paper's coordinates and equations [HerrWyvill90, fig. 9]")
{
    const CharliLook look(read_reference("fig09_pulled_spring.charli").scene, 0);

    std::vector<std::string> names;
    for (const Unknown& unknown : look.system.unknowns)
        if (!unknown.name.ends_with("_z") && unknown.name.find("gamma") == std::string::npos)
            names.push_back(unknown.name);

    // m_x, m_y, r, ξ, η, α₁, β₁, α₂, β₂; in three dimensions also m_z, γ₁, γ₂.
    CHECK(std::set<std::string>(names.begin(), names.end()) ==
          std::set<std::string>{"bob_x", "bob_y", "r", "theta.xi", "theta.eta", "bob.alpha1",
                                "bob.beta1", "bob.alpha2", "bob.beta2"});
    CHECK(look.system.unknowns.size() == 12);
    CHECK(look.system.rows.size() == 10); // f₁ … f₇ and three of z
    for (const Jet2& f : look.rows.residuals) {
        CHECK(std::abs(f.value) < 1e-15);
        CHECK(std::abs(f.first) < 1e-15);
    }
}

TEST_CASE("its matrix is symmetric, very sparse and mostly constant [HerrWyvill90, fig. 10]")
{
    const Scene scene = read_reference("fig09_pulled_spring.charli").scene;
    Scene later = scene;
    later.coordinates[0].initial += 0.7;
    later.coordinates[1].initial += 0.4;
    const CharliLook look(scene, 0), other(later, 2);

    const Eigen::MatrixXd K(Kkt::matrix(look.system, look.rows)),
        L(Kkt::matrix(other.system, other.rows));

    CHECK(K.isApprox(K.transpose(), 0.0));
    // In the plane: 2 masses, and in J: f₁ and f₂ three entries each, f₃ … f₇ two. Of z: one mass,
    // γ₁ alone, two with two entries.
    const Eigen::SparseMatrix<double> pattern = Kkt::matrix(look.system, look.rows);
    CHECK(pattern.nonZeros() == 2 + 2 * (2 * 3 + 5 * 2) + 1 + 2 * (1 + 2 * 2));
    int changing = 0;
    for (Eigen::Index i = 0; i < K.rows(); ++i)
        for (Eigen::Index j = 0; j < K.cols(); ++j)
            changing += K(i, j) != L(i, j);
    CHECK(changing == 2 * 6); // −ξ, −r in f₁; −η, −r in f₂; 2ξ, 2η in f₇
}

TEST_CASE("figs 3 and 4 have the counts of the paper's rule: freedoms = coordinates − equations")
{
    const CharliLook a(read_reference("fig03_triple_transforms.charli").scene, 0);
    const CharliLook b(read_reference("fig04_triple_constraints.charli").scene, 0);

    CHECK(a.system.unknowns.size() - a.system.rows.size() == 3);
    CHECK(a.system.unknowns.size() == 3 * (5 + 3 + 1) + 3 * 2);
    CHECK(b.system.unknowns.size() - b.system.rows.size() == 3);
}

TEST_CASE("points of the system are where the transformations put them")
{
    const Scene scene =
        sound_scene("dynamic a, b; a = initial(0.3, 1); b = initial(-0.2, 2);"
                    "def m mass(1); end; def arm m translatey(1) rotatex(b) "
                    "translatey(time); end; arm scale(2) rotatey(a) rotatez(30 deg);");
    const CharliLook look(scene, 0.5);
    const Kinematics kinematics(scene, look.coordinates, 0.5);

    const PointMotion truth = kinematics.point(scene.masses[0].object);
    Vec3 velocity;
    for (const Partial<Vec3>& partial : truth.partials)
        velocity += (partial.column == 2 ? 1.0 : look.rates[partial.column]) * partial.value;

    CHECK(is_near(look.instant.place(look.system.masses[0].place), truth.position, 1e-14));
    CHECK(is_near(look.instant.velocity(look.system.masses[0].place), velocity, 1e-14));
}

TEST_CASE("accelerations are those of the script's coordinates, differentiated apart")
{
    SUBCASE("a pendulum of three rods in space, driven at its root")
    {
        check_same_accelerations(
            "dynamic a, b, c; a = initial(0.3, 1); b = initial(-0.5, 2); c = initial(1, -1);"
            "def m mass(2); end; def p1 m translatex(1) rotatez(a); end;"
            "def p2 p1 translatey(1) rotatex(b); n = m; end;"
            "p2 translatez(1) rotatey(c) translatex(sin(3 * time));");
    }
    SUBCASE("one coordinate in two rotations, a gear and a rack")
    {
        check_same_accelerations(
            "dynamic theta; theta = initial(0.7, 1.5); def m mass(1); end;"
            "a = m translatex(1) rotatez(theta); b = m translatex(2) rotatez(-2 * theta) "
            "translatey(3); c = m translatex(theta); d = m translatez(1) rotatex(theta);");
    }
    SUBCASE("places in formulas, from the world and from frames aside")
    {
        check_same_accelerations(
            "dynamic a, b; a = initial(0.4, 1); b = initial(0.9, -2); def m mass(1); end;"
            "left = m translatex(1.5) rotatez(a); right = m translatex(left_x * left_y) "
            "rotatey(b + left_x); def hand tip = m translatex(1) rotatez(b); n = m "
            "translatey(tip_x); end; hand rotatez(a) translatex(2);");
    }
    SUBCASE("scales by coordinates, tracks and time")
    {
        check_same_accelerations(
            "dynamic s, a; s = initial(1.3, 0.4); a = initial(0.4, 1); def m mass(1); end;"
            "def arm m translatex(1); n = m translatey(2); end;"
            "arm scale(s) rotatez(a) scale(1 + time / 3, 1, 1) rotatey({0 at 0 sec slowin 1 at 2 "
            "sec});");
    }
    SUBCASE("a block turns by its inertia")
    {
        check_same_accelerations(
            "dynamic a, b; a = initial(0.4, 3); b = initial(0.2, -2); "
            "def block box_mass(3, 1, 0.5, 0.2); end; block rotatex(a) translatey(1) rotatez(b);");
    }
    SUBCASE("riding on something else, with `on`")
    {
        check_same_accelerations(
            "dynamic a, b; a = initial(0.4, 1); b = initial(0.2, 2); def m mass(1); end;"
            "base = m translatex(1) rotatez(a); rider = m translatex(1) rotatez(b) on base;");
    }
    SUBCASE("distances, constant and driven, and coincidence")
    {
        check_same_accelerations(
            "assemble; dynamic x, y, a, u, v, w; x = initial(1, 0.5); y = initial(0.2, 0.3); "
            "a = initial(0.4, 1); u = initial(0.92106099400288510, -0.38941834230865052); "
            "v = initial(0.38941834230865052, 0.92106099400288510); w = initial(0, 0); "
            "def m mass(1); end; p = m translatex(x) translatey(y);"
            "q = m translatex(1) rotatez(a); r = m translatex(u) translatey(v) translatez(w);"
            "dist_constraint(p, q, sqrt((x - cos(a)) * (x - cos(a)) + (y - sin(a)) * (y - "
            "sin(a))));"
            "dist_constraint(q, r, 0);");
    }
}
