// Directions that no mass resists, and the postures that have them.
//
// The accelerations of a start are determined when M is positive definite on the directions that
// the constraints leave free, that is when M + JᵀJ is positive definite:
//
//   symbol | code      | unit | meaning
//   -------|-----------|------|---------------------------------------------------
//   M      | (in A)    | kg   | Σ m Jₚᵀ Jₚ over all masses
//   J      | equations | -    | gradients of the constraints
//   A      | A         | -    | M + JᵀJ, rows of J of length one in M, scaled to a unit diagonal
//
// When it is not, the vector that A sends to nothing names the coordinate and the object [PHYS: for
// the double pendulum of HerrWyvill90, fig. 14, det M = L⁴ m₁ (m₀ + m₁ sin²θ₁)].

#include "scene/reading/singularities.h"

#include "base/text.h"
#include "math/eigen.h"
#include "math/rank.h"
#include "scene/reading/factor_cost.h"
#include "scene/validate/problems.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct MassPoint {
    ObjectId object;
    Vec3 local;
    double mass;
};

/// Every mass as points: a homogeneous block is eight eighths at its corners / √3.
std::vector<MassPoint> mass_points(const Scene& scene)
{
    std::vector<MassPoint> points;
    for (const Mass& mass : scene.masses)
        points.push_back({mass.object, {0, 0, 0}, mass.mass});
    for (const BoxMass& box : scene.box_masses)
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 sign{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                            corner & 4 ? 1.0 : -1.0};
            const double half = 0.5 / std::sqrt(3.0);
            points.push_back({box.object,
                              {half * sign.x * box.size.x, half * sign.y * box.size.y,
                               half * sign.z * box.size.z},
                              box.mass / 8});
        }
    return points;
}

Eigen::SparseMatrix<double> make_matrix(const Scene& scene, const Kinematics& kinematics,
                                        const std::vector<Equation>& equations)
{
    // A = GᵀG with rows √m Jₚ and J: the rows are few where the products would be many.
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::Index row = 0;
    double extent = 0;
    for (std::uint32_t i = 0; i < scene.objects.size(); ++i)
        extent = std::max(extent, length(kinematics.frame(ObjectId{i}).origin));
    const double rounding = 1e-13 * extent; // a lever shorter than that is none
    for (const MassPoint& point : mass_points(scene)) {
        const PointMotion motion = kinematics.point(point.object, point.local);
        for (const auto component : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            for (const Partial<Vec3>& partial : motion.partials)
                if (partial.column != kinematics.time_column() &&
                    std::abs(partial.value.*component) > rounding)
                    entries.emplace_back(row, partial.column,
                                         std::sqrt(point.mass) * (partial.value.*component));
            ++row;
        }
    }
    // Equations have length one in the metric of the masses, so that grains count like boulders.
    std::vector<double> diagonal(scene.coordinates.size());
    for (const Eigen::Triplet<double>& entry : entries)
        diagonal[static_cast<std::size_t>(entry.col())] += entry.value() * entry.value();
    for (const Equation& equation : equations) {
        double norm2 = 0;
        for (const Partial<double>& partial : equation.gradient)
            norm2 += partial.value * partial.value /
                     (diagonal[partial.column] > 0 ? diagonal[partial.column] : 1);
        for (const Partial<double>& partial : equation.gradient)
            entries.emplace_back(row, partial.column, partial.value / std::sqrt(norm2));
        ++row;
    }
    for (const std::uint32_t unused : coordinates_in_no_transformation(scene, kinematics))
        entries.emplace_back(row++, unused, 1.0);
    for (std::uint32_t i = 0; i < scene.coordinates.size(); ++i)
        if (scene.coordinates[i].kind == CoordinateKind::turn_w) { // the length of a turn is fixed
            for (std::uint32_t part = i; part < i + 4; ++part)
                entries.emplace_back(row, part, kinematics.coordinate(part));
            ++row;
        }
    Eigen::SparseMatrix<double> G(row, static_cast<Eigen::Index>(scene.coordinates.size()));
    G.setFromTriplets(entries.begin(), entries.end());
    return G.transpose() * G;
}

} // namespace

std::vector<std::uint32_t> coordinates_in_no_transformation(const Scene& scene,
                                                            const Kinematics& kinematics)
{
    std::vector<bool> is_used(scene.coordinates.size() + 1);
    for (const Transformation& t : scene.transformations)
        if (!t.amount.is_constant())
            for (const Partial<double>& partial : kinematics.value(t.amount).partials)
                is_used[partial.column] = true;
    std::vector<std::uint32_t> unused;
    for (std::uint32_t i = 0; i < scene.coordinates.size(); ++i)
        if (!is_used[i])
            unused.push_back(i);
    return unused;
}

std::vector<std::vector<double>> find_free_directions(const Scene& scene,
                                                      const Kinematics& kinematics,
                                                      const std::vector<Equation>& equations,
                                                      double tolerance, int most)
{
    constexpr Eigen::Index kMost = 50'000;
    constexpr double kMostCost = 2e9;
    const auto n = static_cast<Eigen::Index>(scene.coordinates.size());
    std::vector<std::vector<double>> found;
    if (n == 0 || n > kMost)
        return found;
    Eigen::SparseMatrix<double> A = make_matrix(scene, kinematics, equations);
    Eigen::VectorXd scale(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const double diagonal = A.coeff(i, i);
        if (!std::isfinite(diagonal))
            return found;
        scale(i) = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
    }
    A = scale.asDiagonal() * A * scale.asDiagonal();
    Eigen::SparseMatrix<double> identity(n, n);
    identity.setIdentity();
    if (compute_factor_cost(A) > kMostCost)
        return found;
    while (static_cast<int>(found.size()) < most) {
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(A + 1e-14 * identity);
        if (factor.info() != Eigen::Success || factor.vectorD().minCoeff() > tolerance)
            break;
        // Inverse iteration: what A hardly resists grows.
        Eigen::VectorXd v(n);
        for (Eigen::Index i = 0; i < n; ++i)
            v(i) = 1 + 0.1 * double(i % 7);
        for (int i = 0; i < 4; ++i)
            v = factor.solve(v).normalized().eval();
        if (!v.allFinite() || v.dot(A * v) > 10 * tolerance)
            break;
        v = scale.cwiseProduct(v);
        Eigen::Index largest = 0; // held from now on, so that the next direction shows
        v.cwiseAbs().maxCoeff(&largest);
        A.coeffRef(largest, largest) += 1;
        found.emplace_back(v.data(), v.data() + n);
    }
    return found;
}

std::optional<ObjectId> find_massless(const Scene& scene, const Kinematics& kinematics,
                                      std::span<const double> direction)
{
    std::vector<bool> has_mass(scene.objects.size()), is_mentioned(scene.objects.size());
    for (const Mass& mass : scene.masses)
        has_mass[mass.object.index] = true;
    for (const BoxMass& mass : scene.box_masses)
        has_mass[mass.object.index] = true;
    for (const Formula& formula : scene.formulas)
        if (formula.operation == Operation::position)
            is_mentioned[formula.index] = true;
    for (const Label& label : scene.labels)
        is_mentioned[label.object.index] = true;
    std::optional<ObjectId> best;
    double best_score = 1e-6;
    for (std::uint32_t i = 1; i < scene.objects.size(); ++i) {
        if (has_mass[i] || scene.objects[i].is_anonymous)
            continue;
        Vec3 motion{0, 0, 0};
        for (const Partial<Vec3>& partial : kinematics.point(ObjectId{i}).partials)
            if (partial.column != kinematics.time_column())
                motion = motion + direction[partial.column] * partial.value;
        const double score = length(motion) * (is_mentioned[i] ? 1000 : 1);
        if (score > best_score * (1 + 1e-9)) {
            best_score = score;
            best = ObjectId{i};
        }
    }
    return best;
}

namespace {

/// The coordinates that take part in a direction, the largest first.
std::vector<std::uint32_t> participants(std::span<const double> direction)
{
    double largest = 0;
    for (const double x : direction)
        largest = std::max(largest, std::abs(x));
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < direction.size(); ++i)
        if (std::abs(direction[i]) > 1e-4 * largest)
            found.push_back(i);
    std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::abs(direction[a]) > std::abs(direction[b]) * (1 + 1e-9);
    });
    return found;
}

/// "'x' and 'y'", in the order in which they are used.
std::string list_names(const Scene& scene, std::vector<std::uint32_t> coordinates)
{
    std::sort(coordinates.begin(), coordinates.end());
    std::string text;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        text += (i == 0                        ? "'"
                 : i + 1 == coordinates.size() ? " and '"
                                               : ", '") +
                scene.coordinates[coordinates[i]].name + "'";
    return text;
}

bool is_angle(const Scene& scene, std::uint32_t coordinate)
{
    for (const Transformation& t : scene.transformations)
        if (!t.amount.is_constant() && t.kind >= TransformationKind::rotate_x &&
            t.kind <= TransformationKind::rotate_z &&
            scene.formulas[t.amount.formula].operation == Operation::coordinate &&
            scene.formulas[t.amount.formula].index == coordinate)
            return true;
    return false;
}

/// A posture like no other, for what holds everywhere. The same in every run.
std::vector<double> make_posture(const Scene& scene, int number)
{
    std::vector<double> posture;
    for (std::size_t i = 0; i < scene.coordinates.size(); ++i)
        posture.push_back(scene.coordinates[i].initial + 0.37 + 0.613 * number +
                          0.129 * double(i % 11));
    return posture;
}

/// True when the coordinates of a direction are not told apart by the masses in any posture.
bool is_free_everywhere(const Scene& scene, const std::vector<std::uint32_t>& coordinates)
{
    for (const int number : {0, 1}) {
        const std::vector<double> posture = make_posture(scene, number);
        const Kinematics kinematics(scene, posture, scene.settings.start);
        const auto free = find_free_directions(scene, kinematics, make_equations(scene, kinematics),
                                               kDependent, 20);
        const auto is_of_these = [&](const std::vector<double>& direction) {
            for (const std::uint32_t i : participants(direction))
                if (std::find(coordinates.begin(), coordinates.end(), i) == coordinates.end())
                    return false;
            return true;
        };
        if (!std::any_of(free.begin(), free.end(), is_of_these))
            return false;
    }
    return true;
}

/// "b = 90 deg" of the angles that make a posture special: those at quarters of a turn.
std::string describe_posture(const Scene& scene, std::span<const double> posture)
{
    std::string text;
    for (std::uint32_t i = 0; i < posture.size(); ++i) {
        const double quarters = posture[i] / (kPi / 2);
        const bool is_quarter =
            is_angle(scene, i) && std::abs(quarters - std::round(quarters)) < 1e-2;
        if (is_quarter && text.size() < 60)
            text += (text.empty() ? "" : ", ") + scene.coordinates[i].name + " = " +
                    number_text(std::round(quarters) * 90) + " deg";
    }
    return text;
}

} // namespace

Problem describe_free_direction(const Scene& scene, const Kinematics& kinematics,
                                std::span<const double> direction, const std::string& when)
{
    const std::vector<std::uint32_t> coordinates = participants(direction);
    const Coordinate& first = scene.coordinates[coordinates[0]];
    const std::string place = "coordinates[" + std::to_string(coordinates[0]) + "]";
    if (const auto object = find_massless(scene, kinematics, direction)) {
        const std::string name = object_names(scene)[object->index];
        return make_problem(scene, Severity::error, "no-mass", scene.objects[object->index].origin,
                            "objects[" + std::to_string(object->index) + "]",
                            "'" + name + "' has no mass: " + when +
                                " its acceleration is undetermined",
                            "give '" + name + "' a mass");
    }
    const auto is_turn = [&](std::uint32_t i) {
        return scene.coordinates[i].kind >= CoordinateKind::turn_w &&
               scene.coordinates[i].kind <= CoordinateKind::turn_z;
    };
    if (std::ranges::all_of(coordinates, is_turn))
        return make_problem(scene, Severity::error, "no-inertia", first.origin, place,
                            "the ball '" + first.name.substr(0, first.name.rfind('.')) +
                                "' can turn what it holds about an axis that no mass is off",
                            "give it extent: box_mass instead of mass, or turn it by angles");
    if (coordinates.size() == 1)
        return make_problem(scene, Severity::error, "no-mass", first.origin, place,
                            "'" + first.name + "' moves no mass: " + when +
                                " its acceleration is undetermined",
                            "give what it moves a mass, or fix it by a constraint");
    const std::string names = list_names(scene, coordinates);
    if (is_free_everywhere(scene, coordinates))
        return make_problem(scene, Severity::error, "same-motion", first.origin, place,
                            names + " move the same thing in the same way: their shares of its "
                                    "motion are undetermined",
                            "keep one of them, or let each move something of its own");
    return make_problem(scene, Severity::error, "gimbal-lock", first.origin, place,
                        when + " " + names +
                            " rotate the same thing about the same axis: gimbal lock",
                        "avoid this configuration, or rotate about the axes in another order, so "
                        "that the middle angle stays away from 90 deg");
}

Problems find_singular_postures(const Scene& scene)
{
    constexpr std::size_t kMostCoordinates = 40;
    Problems problems;
    if (scene.coordinates.empty() || scene.coordinates.size() > kMostCoordinates)
        return problems;
    std::set<std::string> said;
    for (std::uint32_t i = 0; i < scene.coordinates.size(); ++i) {
        if (!is_angle(scene, i))
            continue;
        for (const int quarter : {0, 1, 2}) {
            std::vector<double> posture = make_posture(scene, 0);
            posture[i] = quarter * kPi / 2;
            const Kinematics kinematics(scene, posture, scene.settings.start);
            const std::string when = "where " + scene.coordinates[i].name + " is " +
                                     std::to_string(90 * quarter) + " deg";
            for (const std::vector<double>& direction : find_free_directions(
                     scene, kinematics, make_equations(scene, kinematics), kDependent, 3)) {
                Problem problem = describe_free_direction(scene, kinematics, direction, when);
                const std::string key = problem.code + std::to_string(problem.place.line) + ":" +
                                        std::to_string(problem.place.column);
                if (problem.code == "same-motion" || !said.insert(key).second)
                    continue;
                problem.severity =
                    problem.code == "gimbal-lock" ? Severity::note : Severity::warning;
                problems.push_back(std::move(problem));
            }
        }
    }
    return problems;
}

std::optional<Problem> find_singularity_near(const Scene& scene, std::span<const double> posture,
                                             double time)
{
    constexpr double kNear = 0.02; // [rad]
    constexpr std::size_t kMostCoordinates = 400;
    if (scene.coordinates.size() > kMostCoordinates)
        return std::nullopt;
    std::vector<double> near(posture.begin(), posture.end());
    for (std::uint32_t i = 0; i < near.size(); ++i) {
        const double quarters = std::round(near[i] / (kPi / 2)) * (kPi / 2);
        if (is_angle(scene, i) && std::abs(near[i] - quarters) < kNear)
            near[i] = quarters;
    }
    const Kinematics kinematics(scene, near, time);
    const auto free =
        find_free_directions(scene, kinematics, make_equations(scene, kinematics), 1e-9, 1);
    if (free.empty())
        return std::nullopt;
    std::string where = "at " + number_text(time) + " s";
    if (const std::string at = describe_posture(scene, near); !at.empty())
        where += ", " + at + ",";
    return describe_free_direction(scene, kinematics, free[0], where);
}

} // namespace sinew
