// The mechanism in numbers, and what its start says before the first frame.
//
//   in:  a validated scene
//   out: counts, the freedom count, and problems of the start in words
//
// Freedom = coordinates − rank of the constraints' gradient at the start. Groups of coordinates
// that no equation joins are looked at apart, each with a rank-revealing QR of the transposed
// gradient, so the equations that it finds last are the redundant ones.

#include "math/eigen.h"
#include "math/rank.h"
#include "scene/formula.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "scene/objects/strands.h"
#include "scene/reading/equations.h"
#include "scene/reading/factor_cost.h"
#include "scene/reading/start.h"
#include "sinew/scene.h"

#include <Eigen/Dense>
#include <Eigen/SparseQR>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

constexpr std::size_t kDenseLimit = 300;
constexpr std::size_t kSparseLimit = 1'500;

/// Union-find over coordinates.
class Groups {
public:
    explicit Groups(std::size_t count) : parent_(count)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    std::uint32_t find(std::uint32_t i)
    {
        while (parent_[i] != i)
            i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

private:
    std::vector<std::uint32_t> parent_;
};

/// True when a factorisation of the Gram matrix shows that no column depends on the others: cheap,
/// and enough for most large nets. It cannot tell how many depend when some nearly do.
bool is_surely_independent(const Eigen::SparseMatrix<double>& A)
{
    constexpr double kSure = 1e-8; // of unit columns: far above rounding
    constexpr double kMostProducts = 1e7, kMostCost = 2e9;
    double products = 0;
    const Eigen::SparseMatrix<double> rows = A.transpose();
    for (Eigen::Index i = 0; i < rows.cols(); ++i)
        products += double(rows.col(i).nonZeros()) * double(rows.col(i).nonZeros());
    if (products > kMostProducts)
        return false;
    const Eigen::SparseMatrix<double> gram = rows * A;
    if (compute_factor_cost(gram) > kMostCost)
        return false;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(gram);
    return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > kSure;
}

/// Rank of some equations; adds the numbers of those that the others imply. None: too large.
std::optional<int> rank_of(const std::vector<Equation>& equations,
                           const std::vector<std::uint32_t>& members,
                           std::vector<std::uint32_t>& redundant)
{
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t i : members)
        for (const Partial<double>& partial : equations[i].gradient)
            columns.push_back(partial.column);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto row_of = [&](std::uint32_t column) {
        return std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
    };
    std::vector<Eigen::Triplet<double>> entries; // transposed and scaled: one column an equation
    for (std::size_t k = 0; k < members.size(); ++k) {
        double norm2 = 0;
        for (const Partial<double>& partial : equations[members[k]].gradient)
            norm2 += partial.value * partial.value;
        for (const Partial<double>& partial : equations[members[k]].gradient)
            entries.emplace_back(row_of(partial.column), k, partial.value / std::sqrt(norm2));
    }
    Eigen::SparseMatrix<double> A(columns.size(), members.size());
    A.setFromTriplets(entries.begin(), entries.end());
    const auto note = [&](const auto& order, Eigen::Index rank) -> std::optional<int> {
        for (Eigen::Index k = rank; k < order.size(); ++k)
            redundant.push_back(members[order(k)]);
        return static_cast<int>(rank);
    };
    if (members.size() <= kDenseLimit && columns.size() <= kDenseLimit) {
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
        qr.setThreshold(kDependent);
        qr.compute(Eigen::MatrixXd(A));
        return note(qr.colsPermutation().indices(), qr.rank());
    }
    A.makeCompressed();
    if (is_surely_independent(A))
        return static_cast<int>(members.size());
    if (members.size() > kSparseLimit)
        return std::nullopt;
    Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
    qr.setPivotThreshold(kDependent);
    qr.compute(A);
    return note(qr.colsPermutation().indices(), qr.rank());
}

void count_freedom(const Scene& scene, const std::vector<Equation>& equations, Reading& reading,
                   std::vector<std::uint32_t>& redundant)
{
    Groups groups(scene.coordinates.size());
    for (const Equation& equation : equations)
        for (const Partial<double>& partial : equation.gradient)
            groups.join(partial.column, equation.gradient.front().column);
    std::vector<std::vector<std::uint32_t>> members(scene.coordinates.size());
    for (std::uint32_t i = 0; i < equations.size(); ++i)
        if (!equations[i].gradient.empty())
            members[groups.find(equations[i].gradient.front().column)].push_back(i);
    int rank = 0;
    for (const auto& group : members) {
        const auto part = group.empty() ? 0 : rank_of(equations, group, redundant);
        if (!part)
            return;
        rank += *part;
    }
    reading.independent_count = rank;
    reading.freedom = reading.coordinate_count - rank;
}

/// Drops what is zero but for rounding: 0 = 0 along z in a planar scene.
void drop_zeros(std::vector<Equation>& equations)
{
    for (Equation& equation : equations)
        std::erase_if(equation.gradient,
                      [](const Partial<double>& p) { return std::abs(p.value) < 1e-12; });
}

void count_bodies(const Scene& scene, Reading& reading)
{
    const std::vector<MassProperties> solids = masses_of_bodies(scene);
    for (std::size_t i = 0; i < solids.size(); ++i) {
        const RigidBody& body = scene.bodies[i];
        ++(body.is_obstacle() ? reading.obstacle_count : reading.body_count);
        reading.body_masses.push_back(mass_of_body(body, solids[i]));
    }
    reading.joint_count = static_cast<int>(scene.joints.size());
}

void count_rods(const Scene& scene, Reading& reading)
{
    reading.rod_count = static_cast<int>(scene.rods.size());
    reading.rod_constraint_count = static_cast<int>(scene.rod_constraints.size());
    if (scene.rods.empty())
        return;
    const std::vector<RodShape> shapes = sample_rods(scene);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Rod& rod = scene.rods[i];
        reading.rod_point_count += rod.spans + (rod.kind == RodKind::chain ? 1 : 3);
        reading.rod_masses.push_back(mass_of_rod(rod, shapes[i].length));
    }
}

void count_strands(const Scene& scene, const std::vector<StrandReading>& strands, Reading& reading)
{
    reading.tree_count = static_cast<int>(scene.trees.size());
    reading.strand_count = static_cast<int>(scene.strands.size());
    for (const StrandConstraint& c : scene.strand_constraints)
        ++(c.kind == StrandConstraintKind::spring ? reading.spring_count : reading.joint_count);
    for (std::size_t i = 0; i < strands.size(); ++i) {
        const std::uint32_t segments = scene.strands[i].segments;
        reading.segment_count += segments;
        reading.joint_coordinate_count += std::uint64_t(segments) * (strands[i].has_hinges ? 1 : 3);
        reading.strand_masses.push_back(strands[i].mass);
    }
}

void count(const Scene& scene, const std::vector<StrandReading>& strands, Reading& reading)
{
    reading.object_count =
        static_cast<int>(std::count_if(scene.objects.begin() + 1, scene.objects.end(),
                                       [](const Object& o) { return !o.is_anonymous; }));
    reading.mass_count = static_cast<int>(scene.masses.size() + scene.box_masses.size());
    reading.label_count = static_cast<int>(scene.labels.size());
    reading.spring_count =
        static_cast<int>(scene.point_springs.size() + scene.coordinate_springs.size());
    reading.force_count =
        static_cast<int>(scene.forces.size() + scene.torques.size() + scene.drags.size() +
                         scene.fields.size() + scene.airs.size());
    reading.drawing_count = static_cast<int>(scene.drawings.size());
    count_bodies(scene, reading);
    count_strands(scene, strands, reading);
    count_rods(scene, reading);
    std::vector<FormulaTraits> traits;
    compute_traits(scene, traits);
    for (const Transformation& t : scene.transformations) {
        const std::uint8_t on = t.amount.is_constant() ? 0 : traits[t.amount.formula].dependence;
        const bool is_free = on & (Dependence::kCoordinate | Dependence::kPosition);
        reading.driven_count += on != 0 && !is_free;
    }
}

/// Transformations on the way down to an object, and those of them that move.
struct Way {
    double all = -1, moving = 0; // -1: not known yet
};

std::vector<Way> find_ways(const Scene& scene)
{
    std::vector<Way> ways(scene.objects.size());
    const auto above = [&](std::uint32_t i) {
        const Object& object = scene.objects[i];
        return object.on.is_valid() ? object.on : object.parent;
    };
    std::vector<std::uint32_t> unknown; // on the way up to a frame that is known
    for (std::uint32_t i = 0; i < ways.size(); ++i) {
        for (ObjectId id{i}; id.is_valid() && ways[id.index].all < 0; id = above(id.index))
            unknown.push_back(id.index);
        for (; !unknown.empty(); unknown.pop_back()) {
            const Object& object = scene.objects[unknown.back()];
            const ObjectId up = above(unknown.back());
            Way way = up.is_valid() ? ways[up.index] : Way{0, 0};
            way.all += object.transformation_count;
            for (std::uint32_t k = 0; k < object.transformation_count; ++k)
                way.moving +=
                    !scene.transformations[object.first_transformation + k].amount.is_constant();
            ways[unknown.back()] = way;
        }
    }
    return ways;
}

/// Looking at the start costs about this many operations; beyond a limit it is left out.
double work_of(const Scene& scene)
{
    double work =
        10.0 * double(scene.objects.size()) + 20.0 * double(scene.distance_constraints.size());
    for (const PathConstraint& constraint : scene.path_constraints)
        work += 20.0 * double(scene.paths[constraint.path.index].points.count) + 100;
    const std::vector<Way> ways = find_ways(scene);
    const auto add_point = [&](ObjectId object, double times) {
        work += times * ways[object.index].all * ways[object.index].moving;
    };
    for (const Mass& mass : scene.masses)
        add_point(mass.object, 1);
    for (const BoxMass& mass : scene.box_masses)
        add_point(mass.object, 8);
    for (const DistanceConstraint& constraint : scene.distance_constraints) {
        add_point(constraint.a, 1);
        add_point(constraint.b, 1);
    }
    for (const PathConstraint& constraint : scene.path_constraints) {
        add_point(constraint.point, 1);
        add_point(scene.paths[constraint.path.index].frame, 1);
    }
    return work;
}

/// What the equations at the start say; false where values there are none.
bool read_start(const Scene& scene, Reading& reading)
{
    constexpr double kMostWork = 5e7;
    // A turn has four numbers and three freedoms; the time of an event is no freedom.
    for (const Coordinate& coordinate : scene.coordinates)
        if (coordinate.kind != CoordinateKind::turn_w && coordinate.kind != CoordinateKind::event)
            ++reading.coordinate_count;
    reading.constraint_count =
        static_cast<int>(scene.distance_constraints.size() + scene.path_constraints.size());
    if (reading.constraint_count == 0)
        reading.freedom = reading.coordinate_count;
    if (work_of(scene) > kMostWork)
        return true;
    std::vector<double> start(scene.coordinates.size());
    for (std::size_t i = 0; i < start.size(); ++i)
        start[i] = scene.coordinates[i].initial;
    const Kinematics kinematics(scene, start, scene.settings.start);
    if (!kinematics.is_sound()) {
        reading.problems.push_back(circular_positions(scene, kinematics.faulty_object()));
        return false;
    }
    std::vector<Equation> equations = make_equations(scene, kinematics);
    if (auto problem = find_not_finite(scene, kinematics, equations)) {
        reading.freedom.reset();
        reading.problems.push_back(std::move(*problem));
        return false;
    }
    drop_zeros(equations);
    reading.equation_count = static_cast<int>(equations.size());
    reading.residuals.assign(static_cast<std::size_t>(reading.constraint_count), 0.0);
    for (const Equation& equation : equations) {
        double& largest = reading.residuals[equation.statement];
        largest = std::max(largest, std::abs(equation.residual));
    }
    std::vector<std::uint32_t> redundant;
    count_freedom(scene, equations, reading, redundant);
    reading.problems = check_start(scene, kinematics, equations, redundant);
    return true;
}

} // namespace

Reading read_scene(const Scene& scene)
{
    Reading reading;
    const std::vector<StrandReading> strands = read_strands(scene);
    count(scene, strands, reading);
    if (read_start(scene, reading))
        add_strand_warnings(scene, strands, reading.problems);
    return reading;
}

Problems find_start_errors(const Scene& scene)
{
    Reading reading;
    read_start(scene, reading);
    std::erase_if(reading.problems, [](const Problem& p) { return p.severity != Severity::error; });
    return std::move(reading.problems);
}

} // namespace sinew
