#include "models/linkage/model.h"

#include "base/text.h"
#include "math/functions.h"
#include "math/rank.h"
#include "models/linkage/path_places.h"
#include "models/linkage/scratch.h"
#include "scene/formula.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

namespace {

/// From a start that may be far off. Rows that only look independent there would throw it away, so
/// nearly dependent ones are left out first; in the end all must hold.
bool meet_constraints(LinkageSystem& system, double time, const LinkageState& state)
{
    constexpr int kMostIterations = 200;
    const std::vector<double> start(state.x.begin(), state.x.end());
    for (const double tolerance : {kNearlyDependent, 1e-8, kDependent}) {
        std::copy(start.begin(), start.end(), state.x.begin());
        if (project_positions(system, time, Side::after, state, kMostIterations, tolerance))
            return true;
    }
    return false;
}

LinkageMatrices make_matrices(const LinkagePlan& plan, bool stabilise_all)
{
    return {make_matrix_plan(plan, stabilise_all, false),
            has_springs(plan) ? make_matrix_plan(plan, stabilise_all, true) : MatrixPlan{}};
}

} // namespace

LinkageModel::LinkageModel(const Scene& scene, const std::vector<ImportFunction>& imports)
    : scene_(&scene), imports_(&imports)
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene.coordinates)
        start.push_back(coordinate.initial);
    const Kinematics kinematics(scene, start, scene.settings.start);
    for (const LinkageParts& parts : find_linkages(scene))
        plans_.push_back(make_plan(scene, parts, kinematics));
    for (const LinkagePlan& plan : plans_)
        if (auto crowd = find_crowd(plan))
            problems_.push_back(*std::move(crowd));
    find_imports_of_state();
    if (!problems_.empty()) {
        plans_.clear();
        return;
    }
    std::uint32_t x_first = 0, memory_first = 0;
    for (const LinkagePlan& plan : plans_) {
        matrices_.push_back(make_matrices(plan, false));
        BlockShape shape;
        shape.x_first = shape.v_first = x_first;
        shape.x_count = shape.v_count = plan.state_size();
        shape.memory_first = memory_first;
        shape.memory_count = IntegratorMemory::size_of(plan);
        shape.length = plan.extent;
        x_first += shape.x_count;
        memory_first += shape.memory_count;
        shapes_.push_back(shape);
    }
    stabilise_where_needed();
}

/// Masses that are singular without their constraints need ρ JᵀJ in every row.
void LinkageModel::stabilise_where_needed()
{
    ModelState state = initial_state();
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem system(plans_[i], matrices_[i].masses, *imports_);
        const LinkageState view = view_of(state, i);
        if (system.update({scene_->settings.start, Side::after, view.x, view.v}, view.memory) &&
            !system.factor_freely(kNearlyDependent))
            matrices_[i] = make_matrices(plans_[i], true);
    }
}

LinkageState LinkageModel::view_of(ModelState& state, std::size_t block) const
{
    const BlockShape& shape = shapes_[block];
    return {std::span(state.x).subspan(shape.x_first, shape.x_count),
            std::span(state.v).subspan(shape.v_first, shape.v_count),
            std::span(state.memory)
                .subspan(shape.memory_first + IntegratorMemory::count,
                         IntegratorMemory::linkage_size_of(plans_[block]))};
}

/// Finds imports that drive a place and depend on the state: they would move things behind the back
/// of the equations, which take what drives a place as a function of time. The paper's method looks
/// for itself.
void LinkageModel::find_imports_of_state()
{
    const Scene& scene = *scene_;
    if (scene.settings.linkage_method == LinkageMethod::charli)
        return;
    std::vector<bool> drives(scene.imports.size());
    const auto note = [&](Value value) {
        for_each_leaf(scene, value, [&](const Formula& leaf) {
            if (leaf.operation == Operation::imported)
                drives[leaf.index] = true;
        });
    };
    for (const Transformation& transformation : scene.transformations)
        note(transformation.amount);
    for (const DistanceConstraint& constraint : scene.distance_constraints)
        note(constraint.distance);
    std::vector<double> here, rates, elsewhere, otherwise;
    for (std::size_t i = 0; i < scene.coordinates.size(); ++i) {
        here.push_back(scene.coordinates[i].initial);
        rates.push_back(scene.coordinates[i].initial_rate);
        elsewhere.push_back(here[i] + 0.3 + 0.1 * double(i % 5));
        otherwise.push_back(rates[i] - 0.2 - 0.1 * double(i % 7));
    }
    const double start = scene.settings.start;
    for (std::size_t i = 0; i < drives.size(); ++i) {
        if (!drives[i])
            continue;
        const double value = (*imports_)[i]({start, here, rates}).value;
        const double there = (*imports_)[i]({start, elsewhere, otherwise}).value;
        if (value == there || !is_finite(value) || !is_finite(there)) // the run names the latter
            continue;
        problems_.push_back(
            make_problem(scene, Severity::error, "import-of-state", scene.imports[i].origin,
                         "imports[" + std::to_string(i) + "]",
                         "import '" + scene.imports[i].name +
                             "' drives a place or a length and depends on coordinates or rates",
                         "let it depend on time alone, or use it in a force"));
    }
}

ModelState LinkageModel::initial_state() const
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene_->coordinates)
        start.push_back(coordinate.initial);
    const Kinematics kinematics(*scene_, start, scene_->settings.start);
    ModelState state;
    for (const LinkagePlan& plan : plans_) {
        for (const std::uint32_t c : plan.coordinates) {
            state.x.push_back(scene_->coordinates[c].initial);
            state.v.push_back(scene_->coordinates[c].initial_rate);
        }
        for (const PlannedTie& tie : plan.ties) {
            if (tie.path == kNoIndex || plan.paths[tie.path].column == kNoIndex)
                continue;
            state.x.push_back(nearest_place(kinematics, plan, tie));
            state.v.push_back(0);
        }
        state.memory.resize(state.memory.size() + IntegratorMemory::count);
        const std::size_t first = state.memory.size();
        state.memory.resize(first + IntegratorMemory::size_of(plan) - IntegratorMemory::count);
        begin_memory(kinematics, plan, std::span(state.memory).subspan(first));
    }
    return state;
}

/// Directions of distances that may vanish, what holds at the start, times of events.
void LinkageModel::begin_memory(const Kinematics& kinematics, const LinkagePlan& plan,
                                std::span<double> memory) const
{
    for (const PlannedTie& tie : plan.ties) {
        if (tie.memory != kNoIndex) {
            const Vec3 n = first_direction(kinematics, plan, tie);
            for (int i = 0; i < 3; ++i)
                memory[tie.memory + std::uint32_t(i)] = n[i];
        }
        if (tie.kind == TieKind::coordinate)
            memory[tie.release] = kOffForNow;
        else if (tie.waits && !(kinematics.value(plan.values[tie.active].value).value > 0.5))
            memory[tie.release] = kOffForNow;
    }
    for (const PlannedFriction& friction : plan.frictions) {
        const double rate = scene_->coordinates[plan.coordinates[friction.column]].initial_rate;
        memory[friction.sign] = rate > 0 ? 1 : rate < 0 ? -1 : 0;
    }
    for (const PlannedEvent& event : plan.events)
        memory[event.time] = scene_->coordinates[scene_->events[event.event].time.index].initial;
}

/// Of a distance that may vanish: from a to b; where they coincide, the way they part, or fall.
Vec3 LinkageModel::first_direction(const Kinematics& kinematics, const LinkagePlan& plan,
                                   const PlannedTie& tie) const
{
    const auto motion = [&](std::uint32_t point) {
        return kinematics.point(plan.frames[plan.points[point].frame].object);
    };
    const auto velocity = [&](const PointMotion& point) {
        Vec3 sum{0, 0, 0};
        for (const Partial<Vec3>& partial : point.partials)
            sum += partial.value * (partial.column == kinematics.time_column()
                                        ? 1
                                        : scene_->coordinates[partial.column].initial_rate);
        return sum;
    };
    const PointMotion a = motion(tie.a), b = motion(tie.b);
    const Rates length_now =
        rates_at(*scene_, plan.values[tie.length].value, scene_->settings.start);
    const Vec3 apart = b.position - a.position;
    if (const double size = length(apart); size > 1e-9 * plan.extent)
        return apart * ((length_now.value < 0 ? -1 : 1) / size);
    const Settings& settings = scene_->settings;
    const Vec3 gravity{settings.gravity_x.number, settings.gravity_y.number,
                       settings.gravity_z.number};
    const Vec3 parting = velocity(b) - velocity(a);
    if (const double size = length(parting); size > 0)
        return parting * ((length_now.first < 0 ? -1 : 1) / size);
    return length(gravity) > 0 ? gravity / length(gravity) : Vec3{1, 0, 0};
}

std::unique_ptr<Scratch> LinkageModel::make_scratch() const
{
    auto scratch = std::make_unique<LinkageScratch>();
    for (std::size_t i = 0; i < plans_.size(); ++i)
        scratch->integrators.push_back(
            std::make_unique<LinkageIntegrator>(plans_[i], matrices_[i], *imports_));
    scratch->stages.resize(plans_.size());
    return scratch;
}

namespace {

LinkageIntegrator& integrator_of(const Trial& trial, std::size_t block)
{
    return *static_cast<LinkageScratch&>(*trial.scratch).integrators[block];
}

/// Where every frame of a linkage is.
std::vector<Vec3> origins_of(const LinkageSystem& system)
{
    std::vector<Vec3> origins;
    for (std::uint32_t k = 0; k < system.plan().frames.size(); ++k)
        origins.push_back(value_of(system.motion().frame(k).origin));
    return origins;
}

} // namespace

Problems LinkageModel::assemble(Trial& trial) const
{
    Problems problems;
    const double start = scene_->settings.start;
    double farthest = 0;
    ObjectId moved;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        if (plans_[i].rows.empty() && !plans_[i].has_switches())
            continue;
        LinkageSystem& system = integrator_of(trial, i).system();
        const LinkageState state = view_of(trial.state, i);
        if (!system.update({start, Side::after, state.x, state.v}, state.memory))
            continue; // said before the first step
        const std::vector<Vec3> before = origins_of(system);
        if (!meet_constraints(system, start, state)) {
            problems.push_back(describe_inconsistency(system, start));
            continue;
        }
        const std::vector<Vec3> after = origins_of(system);
        for (std::size_t k = 0; k < after.size(); ++k)
            if (const double way = length(after[k] - before[k]);
                way > std::max(farthest, 1e-9 * plans_[i].extent)) {
                farthest = way;
                moved = plans_[i].frames[k].object;
            }
        if (!system.decide_rows(state.memory, true) ||
            !project_rates(system, start, Side::after, state)) {
            problems.push_back(describe_singular(system, start, system.singular_column()));
            continue;
        }
        decide_rows_along(system, start, state);
    }
    if (moved.is_valid())
        problems.push_back(make_problem(
            *scene_, Severity::note, "assembled", scene_->objects[moved.index].origin, "objects",
            "the start was moved into agreement with the constraints: farthest '" +
                object_names(*scene_)[moved.index] + "', by " + number_text(farthest) + " m",
            "no action is needed; write more digits to start exactly where you mean"));
    return problems;
}

void LinkageModel::read_coordinates(const ModelState& state, double time,
                                    std::span<double> coordinates, std::span<double> rates) const
{
    for (std::size_t i = 0; i < coordinates.size(); ++i) { // those that move nothing go on evenly
        const Coordinate& coordinate = scene_->coordinates[i];
        rates[i] = coordinate.initial_rate;
        coordinates[i] =
            coordinate.initial + (time - scene_->settings.start) * coordinate.initial_rate;
    }
    for (std::size_t b = 0; b < plans_.size(); ++b)
        for (std::size_t c = 0; c < plans_[b].coordinates.size(); ++c) {
            coordinates[plans_[b].coordinates[c]] = state.x[shapes_[b].x_first + c];
            rates[plans_[b].coordinates[c]] = state.v[shapes_[b].v_first + c];
        }
    for (std::size_t b = 0; b < plans_.size(); ++b)
        for (const PlannedEvent& event : plans_[b].events) {
            const std::uint32_t i = scene_->events[event.event].time.index;
            coordinates[i] =
                state.memory[shapes_[b].memory_first + IntegratorMemory::count + event.time];
            rates[i] = 0;
        }
}

void LinkageModel::write_coordinates(std::span<const double> coordinates,
                                     std::span<const double> rates, ModelState& state) const
{
    for (std::size_t b = 0; b < plans_.size(); ++b)
        for (std::size_t c = 0; c < plans_[b].coordinates.size(); ++c) {
            state.x[shapes_[b].x_first + c] = coordinates[plans_[b].coordinates[c]];
            state.v[shapes_[b].v_first + c] = rates[plans_[b].coordinates[c]];
        }
}

void LinkageModel::write_places(std::span<const double> coordinates, double time,
                                ModelState& state) const
{
    const Kinematics kinematics(*scene_, coordinates, time);
    for (std::size_t b = 0; b < plans_.size(); ++b)
        for (const PlannedTie& tie : plans_[b].ties)
            if (tie.path != kNoIndex && plans_[b].paths[tie.path].column != kNoIndex)
                state.x[shapes_[b].x_first + plans_[b].paths[tie.path].column] =
                    nearest_place(kinematics, plans_[b], tie);
}

void LinkageModel::turn_frame(ObjectId object, const std::array<double, 3>& angles)
{
    constexpr std::uint32_t kMoves = 3; // outermost first: three moves, the constant turns, others
    for (LinkagePlan& plan : plans_)
        for (const PlannedFrame& frame : plan.frames)
            if (frame.object == object)
                for (std::uint32_t k = 0; k < 3; ++k) {
                    const std::uint32_t i = frame.transformations.first + kMoves + 2 - k;
                    plan.values[plan.transformations[i].value].value.number = angles[k];
                }
}

Energy LinkageModel::energy(Trial& trial, double time) const
{
    Energy sum;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = integrator_of(trial, i).system();
        const LinkageState state = view_of(trial.state, i);
        system.update({time, Side::after, state.x, state.v}, state.memory);
        const Energy energy = energy_of(system.motion());
        sum.kinetic += energy.kinetic;
        sum.potential += energy.potential;
    }
    return sum;
}

Momentum LinkageModel::momentum(Trial& trial, double time) const
{
    Momentum sum;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = integrator_of(trial, i).system();
        const LinkageState state = view_of(trial.state, i);
        system.update({time, Side::after, state.x, state.v}, state.memory);
        sum += momentum_of(system.motion());
    }
    return sum;
}

double LinkageModel::residual(Trial& trial, double time) const
{
    double largest = 0;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = integrator_of(trial, i).system();
        const LinkageState state = view_of(trial.state, i);
        system.update({time, Side::before, state.x, state.v}, state.memory);
        largest = std::max(largest, system.constraints().largest_residual());
    }
    return largest;
}

void LinkageModel::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                                 std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const std::uint32_t block = cohort.members[k].block;
        const BlockShape& shape = shapes_[block];
        integrator_of(trial, block)
            .advance(t0, t1, std::span(trial.state.x).subspan(shape.x_first, shape.x_count),
                     std::span(trial.state.v).subspan(shape.v_first, shape.v_count),
                     std::span(trial.state.memory).subspan(shape.memory_first, shape.memory_count),
                     reports[k]);
    }
}

} // namespace sinew
