// Directions that no mass resists.
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

#include "scene/factor_cost.h"
#include "scene/problems.h"
#include "scene/start.h"

#include "base/text.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

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

/// They move nothing, which is said elsewhere.
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
    Eigen::SparseMatrix<double> G(row, static_cast<Eigen::Index>(scene.coordinates.size()));
    G.setFromTriplets(entries.begin(), entries.end());
    return G.transpose() * G;
}

Problem massless_problem(const Scene& scene, const Kinematics& kinematics, const Eigen::VectorXd& v)
{
    Eigen::Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    const Coordinate& coordinate = scene.coordinates[largest];
    const std::string where = coordinate.name + " = " + number_text(coordinate.initial);
    if (const auto object =
            find_massless(scene, kinematics, {v.data(), static_cast<std::size_t>(v.size())})) {
        const std::string name = object_names(scene)[object->index];
        return make_problem(scene, Severity::error, "no-mass", scene.objects[object->index].origin,
                            "objects[" + std::to_string(object->index) + "]",
                            "'" + name + "' has no mass: at " + where +
                                " nothing fixes its acceleration",
                            "give '" + name + "' a mass");
    }
    return make_problem(scene, Severity::error, "no-mass", coordinate.origin,
                        "coordinates[" + std::to_string(largest) + "]",
                        "'" + coordinate.name + "' moves no mass: at " + where +
                            " nothing fixes its acceleration",
                        "give what it moves a mass, or fix it by a constraint");
}

/// A torque or spring on a coordinate that moves nothing.
Problems check_idle_coordinates(const Scene& scene, const Kinematics& kinematics)
{
    Problems problems;
    for (const std::uint32_t i : coordinates_in_no_transformation(scene, kinematics)) {
        const auto is_it = [&](const auto& thing) { return thing.coordinate.index == i; };
        const bool is_driven =
            std::any_of(scene.torques.begin(), scene.torques.end(), is_it) ||
            std::any_of(scene.coordinate_springs.begin(), scene.coordinate_springs.end(), is_it);
        if (is_driven && problems.size() < 20)
            problems.push_back(
                make_problem(scene, Severity::warning, "moves-nothing", scene.coordinates[i].origin,
                             "coordinates[" + std::to_string(i) + "]",
                             "dynamic '" + scene.coordinates[i].name + "' moves nothing",
                             "use it in a transformation, or remove it"));
    }
    return problems;
}

} // namespace

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

Problems check_masses(const Scene& scene, const Kinematics& kinematics,
                      const std::vector<Equation>& equations)
{
    constexpr double kSingular = 1e-11; // of a unit diagonal
    constexpr Eigen::Index kMost = 50'000;
    constexpr double kMostCost = 2e9;
    const auto n = static_cast<Eigen::Index>(scene.coordinates.size());
    if (n == 0 || n > kMost)
        return {};
    Eigen::SparseMatrix<double> A = make_matrix(scene, kinematics, equations);
    Eigen::VectorXd scale(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const double diagonal = A.coeff(i, i);
        if (!std::isfinite(diagonal))
            return {};
        scale(i) = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
    }
    A = scale.asDiagonal() * A * scale.asDiagonal();
    Eigen::SparseMatrix<double> identity(n, n);
    identity.setIdentity();
    if (compute_factor_cost(A) > kMostCost)
        return {};
    Problems problems = check_idle_coordinates(scene, kinematics);
    constexpr int kMostNamed = 20;
    for (int named = 0; named < kMostNamed; ++named) {
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(A + 1e-14 * identity);
        if (factor.info() != Eigen::Success || factor.vectorD().minCoeff() > kSingular)
            break;
        // Inverse iteration: what A hardly resists grows.
        Eigen::VectorXd v(n);
        for (Eigen::Index i = 0; i < n; ++i)
            v(i) = 1 + 0.1 * double(i % 7);
        for (int i = 0; i < 4; ++i)
            v = factor.solve(v).normalized().eval();
        if (!v.allFinite() || v.dot(A * v) > 10 * kSingular)
            break;
        v = scale.cwiseProduct(v);
        problems.push_back(massless_problem(scene, kinematics, v));
        Eigen::Index largest = 0; // held from now on, so that the next direction shows
        v.cwiseAbs().maxCoeff(&largest);
        A.coeffRef(largest, largest) += 1;
    }
    return problems;
}

} // namespace sinew
