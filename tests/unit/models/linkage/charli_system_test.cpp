#include "models/linkage/charli_builder.h"
#include "models/linkage/charli_forces.h"
#include "models/linkage/charli_kkt.h"
#include "models/linkage/charli_start.h"
#include "scene/equations.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <cmath>
#include <functional>
#include <set>

using namespace sinew;
using namespace sinew::charli_method;
using namespace sinew::test;

namespace {

/// A system at one instant, with its equations.
struct Look {
    System system;
    std::vector<ImportFunction> imports;
    std::vector<double> coordinates, rates, state;
    Instant instant;
    RowValues rows;
    std::vector<char> is_zero;

    Look(const Scene& scene, double time, std::vector<ImportFunction> functions = {})
        : imports(std::move(functions))
    {
        Result<System> made = build_system(scene);
        REQUIRE(made);
        system = std::move(*made);
        for (const Coordinate& coordinate : scene.coordinates) {
            coordinates.push_back(coordinate.initial);
            rates.push_back(coordinate.initial_rate);
        }
        const std::size_t n = system.width();
        state.resize(2 * n);
        place_unknowns(system, imports, time, Places::find, coordinates, rates,
                       std::span(state).first(n), std::span(state).subspan(n));
        instant = {.time = time,
                   .values = std::span<const double>(state).first(n),
                   .rates = std::span<const double>(state).subspan(n)};
        update_instant(system, imports, instant);
        update_zeros(system, instant, is_zero);
        update_rows(system, instant, is_zero, rows);
    }

    /// The accelerations of the script's coordinates.
    Eigen::VectorXd accelerations(CharliSolver solver)
    {
        std::vector<double> forces(system.unknowns.size()), right, q(system.unknowns.size());
        update_forces(system, imports, instant, forces);
        for (const Jet2& f : rows.residuals)
            right.push_back(-f.second);
        Kkt kkt(system, solver, rows);
        const Solution solution = kkt.solve(rows, forces, right, 1e-9, q);
        REQUIRE(!solution.is_singular);
        CHECK(solution.contradiction == kNone);
        Eigen::VectorXd result(Eigen::Index(coordinates.size()));
        for (std::size_t i = 0; i < coordinates.size(); ++i)
            if (const std::uint32_t unknown = system.script_unknowns[i]; unknown != kNone) {
                result(Eigen::Index(i)) = q[unknown];
            } else {
                const Turn& turn = system.turns[system.script_turns[i]];
                result(Eigen::Index(i)) =
                    state[turn.xi] * q[turn.eta] - state[turn.eta] * q[turn.xi];
            }
        return result;
    }
};

/// The same in the script's coordinates alone: Σ m Jᵀ(J q̈ + J̇ q̇ − a) = Q with rows G q̈ = −g̈, all
/// from positions, which are differentiated numerically along the motion.
Eigen::VectorXd accelerations_by_differences(const Scene& scene, double time,
                                             const std::function<Vec3(const MassPoint&)>& pull)
{
    const auto n = Eigen::Index(scene.coordinates.size());
    const auto posture = [&](double s) {
        std::vector<double> q;
        for (const Coordinate& c : scene.coordinates)
            q.push_back(c.initial + s * c.initial_rate);
        return q;
    };
    constexpr double kStep = 1e-3;
    const double offsets[] = {-2 * kStep, -kStep, 0, kStep, 2 * kStep};
    constexpr double weights[] = {-1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12};
    std::vector<std::vector<double>> q;
    std::vector<Kinematics> at;
    for (const double s : offsets)
        q.push_back(posture(s));
    for (std::size_t k = 0; k < 5; ++k)
        at.emplace_back(scene, q[k], time + offsets[k]);

    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd Q = Eigen::VectorXd::Zero(n);
    const Look look(scene, time); // for the list of mass points alone
    std::vector<std::pair<ObjectId, Vec3>> locals;
    for (const Mass& mass : scene.masses)
        locals.push_back({mass.object, {}});
    for (const BoxMass& box : scene.box_masses)
        for (int corner = 0; corner < 8; ++corner)
            locals.push_back({box.object, Vec3{corner & 1 ? box.size.x : -box.size.x,
                                               corner & 2 ? box.size.y : -box.size.y,
                                               corner & 4 ? box.size.z : -box.size.z} *
                                              (0.5 / std::sqrt(3.0))});
    for (std::size_t i = 0; i < locals.size(); ++i) {
        const auto& [object, local] = locals[i];
        const double mass = look.system.masses[i].mass;
        Vec3 bias;
        for (std::size_t k = 0; k < 5; ++k)
            bias += (weights[k] / (kStep * kStep)) * at[k].point(object, local).position;
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, n);
        for (const Partial<Vec3>& partial : at[2].point(object, local).partials)
            if (partial.column != at[2].time_column())
                for (int k = 0; k < 3; ++k)
                    J(k, partial.column) += partial.value[k];
        const Vec3 wanted = pull(look.system.masses[i]) - bias;
        M += mass * J.transpose() * J;
        Q += mass * J.transpose() * Eigen::Vector3d(wanted.x, wanted.y, wanted.z);
    }
    std::vector<std::vector<Equation>> equations;
    for (const Kinematics& kinematics : at)
        equations.push_back(make_equations(scene, kinematics));
    const auto m = Eigen::Index(equations[2].size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + m);
    K.topLeftCorner(n, n) = M;
    b.head(n) = Q;
    for (Eigen::Index i = 0; i < m; ++i) {
        for (const Partial<double>& partial : equations[2][std::size_t(i)].gradient)
            K(n + i, partial.column) = K(partial.column, n + i) = partial.value;
        for (std::size_t k = 0; k < 5; ++k)
            b(n + i) -= weights[k] / (kStep * kStep) * equations[k][std::size_t(i)].residual;
    }
    return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(K).solve(b).head(n);
}

Vec3 fall(const MassPoint&) { return {0, -9.81, 0}; }

void check_same_accelerations(const std::string& script, double time = 0.4)
{
    const Scene scene = sound_scene(script);
    const Eigen::VectorXd expected = accelerations_by_differences(scene, time, fall);

    const Eigen::VectorXd sparse = Look(scene, time).accelerations(CharliSolver::sparse);
    const Eigen::VectorXd dense = Look(scene, time).accelerations(CharliSolver::dense);

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
    const Look look(read_reference("fig09_pulled_spring.charli").scene, 0);

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
    const Look look(scene, 0), other(later, 2);

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
    const Look a(read_reference("fig03_triple_transforms.charli").scene, 0);
    const Look b(read_reference("fig04_triple_constraints.charli").scene, 0);

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
    const Look look(scene, 0.5);
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
