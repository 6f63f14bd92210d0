// The world as its users see it: builds the models from a scene, advances them, shows frames.

#include "sinew/world.h"

#include "base/contract.h"
#include "base/text.h"
#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/problems.h"
#include "world/parts.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace {

/// A run may be continued for longer than it was first asked for.
std::uint64_t fingerprint_of_mechanism(Scene scene)
{
    scene.settings.end = scene.settings.start;
    scene.settings.frame_rate = 1;
    return fingerprint(scene);
}

/// A function for every import, or what is missing.
Problems bind_imports(const Scene& scene, const WorldOptions& options,
                      std::vector<ImportFunction>& imports)
{
    Problems problems;
    for (const Import& import : scene.imports) {
        const auto found = options.imports.find(import.name);
        if (found == options.imports.end())
            problems.push_back(make_problem(scene, Severity::error, "import-unbound", import.origin,
                                            "imports",
                                            "import '" + import.name + "' is bound to nothing",
                                            "run with --import " + import.name + "=LIBRARY"));
        else
            imports.push_back(found->second);
    }
    return problems;
}

} // namespace

Result<World> World::create(const Scene& scene, const WorldOptions& options)
{
    Problems problems = validate(scene);
    if (has_errors(problems))
        return problems;
    auto parts = std::make_unique<Parts>();
    parts->scene = scene;
    parts->mechanism = fingerprint_of_mechanism(scene);
    problems = bind_imports(scene, options, parts->imports);
    ObjectId faulty;
    parts->frame_order = order_of_frames(parts->scene, faulty);
    if (!faulty.is_valid() && !has_errors(problems))
        parts->make_linkages();
    const Problems start = read_scene(parts->scene_of_linkages()).problems;
    std::copy_if(start.begin(), start.end(), std::back_inserter(problems),
                 [](const Problem& p) { return p.severity == Severity::error; });
    if (has_errors(problems))
        return problems;
    if (!parts->linkages->problems().empty())
        return parts->linkages->problems();
    parts->look.state = parts->linkages->initial_state();
    parts->look.scratch = parts->linkages->make_scratch();
    parts->notes = parts->linkages->assemble(parts->look);
    if (has_errors(parts->notes))
        return parts->notes;
    parts->linkages->read_coordinates(parts->look.state, scene.settings.start, parts->coordinates,
                                      parts->rates);
    parts->state.time = scene.settings.start;
    parts->state.models = {parts->look.state};
    parts->ensemble.models = {parts->linkages.get()};
    if (scene.settings.linkage_method == LinkageMethod::charli) {
        auto charli = CharliModel::create(parts->scene, parts->imports);
        if (!charli)
            return charli.problems();
        parts->charli = std::move(*charli);
        parts->state.models = {parts->charli->initial_state(parts->coordinates, parts->rates)};
        parts->ensemble.models = {parts->charli.get()};
    }
    for (std::uint32_t i = 0; i < scene.transformations.size(); ++i)
        if (const Value amount = scene.transformations[i].amount;
            !amount.is_constant() && is_known_in_advance(scene, amount))
            parts->tracked.push_back(i);
    std::vector<BodyMotion> bodies = parts->carried_motions();
    bodies.insert(bodies.begin(), options.bodies.begin(), options.bodies.end());
    if (Problems refused = parts->make_bodies(bodies, options.bodies.empty()); !refused.empty())
        return refused;
    if (Problems refused = parts->couple_bodies(); !refused.empty())
        return refused;
    const Problems of_strands = parts->make_strands();
    if (has_errors(of_strands))
        return of_strands;
    if (Problems refused = parts->couple_strands(); !refused.empty())
        return refused;
    if (Problems refused = parts->make_rods(); !refused.empty())
        return refused;
    parts->work = make_workspace(parts->ensemble, std::max(options.threads, 1));
    const Problems of_rods = parts->assemble_rods();
    if (has_errors(of_rods))
        return of_rods;
    parts->notes.insert(parts->notes.end(), of_rods.begin(), of_rods.end());
    parts->notes.insert(parts->notes.end(), of_strands.begin(), of_strands.end());
    return World(std::move(parts));
}

World::World(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const Scene& World::scene() const noexcept { return parts_->scene; }
double World::time() const noexcept { return parts_->state.time; }
const Problems& World::start_notes() const noexcept { return parts_->notes; }
std::span<const double> World::coordinates() const noexcept
{
    return std::span(parts_->coordinates).first(parts_->scene.coordinates.size());
}
std::span<const double> World::rates() const noexcept
{
    return std::span(parts_->rates).first(parts_->scene.coordinates.size());
}

void World::Parts::add_report(const CouplingReport& step, StepReport& report) const
{
    report.steps += step.steps;
    report.rejected += step.rejected;
    report.implicit_steps += step.implicit_steps;
    report.rows = std::max(report.rows, step.rows);
    report.iterations += step.iterations;
    report.residual = std::max(report.residual, step.gap);
    report.contact_error = std::max(report.contact_error, step.row_residual);
    report.converged = report.converged && step.converged;
    report.warnings.insert(report.warnings.end(), step.warnings.begin(), step.warnings.end());
    if (step.faults.empty())
        return;
    const BlockFault& fault = step.faults.front();
    report.fault = fault.problem;
    const bool is_strand = strand_rows && fault.block.model == kStrands;
    const bool is_rod = has_rods() && fault.block.model == rods.number;
    if (is_strand || is_rod || (fault.block.model == kBodies && blocks)) {
        const ObjectId object = is_strand ? strands.object_of(fault.block.index)
                                : is_rod  ? scene.rods[fault.block.index].object
                                          : rigid.object_of(fault.block.index);
        report.fault = make_problem(scene, Severity::error, fault.problem.code,
                                    scene.objects[object.index].origin, "objects",
                                    "'" + object_names(scene)[object.index] +
                                        "' cannot go on: " + fault.problem.what,
                                    fault.problem.hint);
    }
}

/// What tracks and formulas of time place is looked at before anything moves there. True where all
/// are numbers.
bool World::Parts::check_tracks(double until, StepReport& report) const
{
    for (const std::uint32_t i : tracked) {
        const Transformation& track = scene.transformations[i];
        if (is_finite(rates_at(scene, track.amount, until).value))
            continue;
        report.fault = make_problem(
            scene, Severity::error, "track-not-finite", track.origin, "transformations",
            "this is no finite number at " + number_text(until) + " s",
            "look at what goes in: a root or logarithm of a negative number, a division by zero");
        return false;
    }
    return true;
}

/// Where nothing couples the parts, each finds its own steps and the world needs none.
double World::Parts::count_steps(double span) const
{
    const bool is_free = ensemble.attachments.empty() && ensemble.sources.empty() &&
                         !has_bodies() && !has_strands() && !has_rods();
    const double step = scene.settings.step / (has_bodies() ? scene.settings.bodies.substeps : 1);
    return is_free ? 1 : max(1.0, ceil(span / step * (1 - 1e-9)));
}

void World::Parts::step_to(double until, StepReport& report)
{
    if (has_rods() && scene.settings.rods.is_quasi_static)
        step_to_rest(until, report);
    else
        try_step(until, report);
}

/// Linkages first, with the bodies that are tied to them: the others may ride on them, strands on
/// all. With a fault everything stands where it was.
void World::Parts::try_step(double until, StepReport& report)
{
    if (!has_bodies() && !has_strands() && !has_rods())
        return add_report(sinew::step_to(ensemble, state, until, work), report);
    const double begin = state.time;
    begin_state = state;
    if (strands.needs_objects() || strand_rows)
        update_instant(begin, at_begin);
    const std::span<const char> taken = take_bodies(until, at_begin.objects);
    if (has_rods())
        report.fault = prepare_rods(until);
    left_deep = 0;
    if (may_be_deep())
        rows_begin = state;
    CouplingReport step;
    if (!report.fault) {
        step = sinew::step_to(ensemble, state, until, work);
        add_report(step, report);
    }
    if (!report.fault) {
        read_coordinates();
        if (strand_rows)
            return_strands(until);
        if (may_be_deep())
            left_deep = step_deep_rows(begin, until, taken, report);
        return_bodies(until - begin, taken, report);
        place_carried_frames();
        if (has_bodies())
            step_bodies(begin, until, taken, report);
    }
    if (!report.fault && has_strands())
        step_strands(begin, until, report);
    if (!report.fault && has_rods())
        finish_rods(step.gap, report);
    if (report.fault)
        go_back();
}

/// To where the last step began.
void World::Parts::go_back()
{
    state = begin_state;
    if (has_bodies())
        pile_work = make_pile_work();
    read_coordinates();
    place_carried_frames();
}

constexpr int kMostHalvings = 8; // where strands cannot go on, or their axes are in something
constexpr int kDeepHalvings = 2; // where they are deeper than they shall be

/// Contacts of strands keep their planes through a step, and of what is fast no motion may obey
/// all of them, or each look finds others: then they are looked for anew half-way.
void World::Parts::step_in_halves(double until, int halvings, StepReport& report)
{
    const double begin = state.time;
    const StepReport before = report;
    step_to(until, report);
    const bool is_stuck = report.fault && report.fault->code == "frozen" && strand_rows;
    const int most = is_stuck || left_deep > 1 ? kMostHalvings : left_deep > 0 ? kDeepHalvings : 0;
    if (halvings >= most || (has_rods() && scene.settings.rods.is_quasi_static))
        return;
    if (!report.fault)
        go_back();
    report = before;
    ++report.rejected;
    step_in_halves(begin + 0.5 * (until - begin), halvings + 1, report);
    if (!report.fault)
        step_in_halves(until, halvings + 1, report);
}

/// What strands may do by themselves before all wait for all: the steps of a frame.
constexpr int kStepsInARow = 8;

StepReport World::advance(double until) noexcept
{
    Parts& p = *parts_;
    const double begin = p.state.time, span = until - begin;
    SINEW_EXPECTS(span >= 0);
    StepReport report;
    const double count = p.count_steps(span);
    const auto time_at = [&](double i) { return i < count ? begin + span * (i / count) : until; };
    for (double i = 0; i < count && span > 0 && !report.fault;) {
        std::array<double, kStepsInARow + 1> times = {p.state.time};
        double steps = min(count - i, double{kStepsInARow});
        for (double k = 1; k <= steps; ++k)
            times[static_cast<std::size_t>(k)] = time_at(i + k);
        if (StepReport ahead; !p.check_tracks(times[static_cast<std::size_t>(steps)], ahead)) {
            steps = 1;
            if (!p.check_tracks(times[1], report))
                break;
        }
        const int run = p.run_strands(std::span(times).first(1 + std::size_t(steps)), report);
        if (run == 0)
            p.step_in_halves(time_at(i + 1), 0, report);
        i += run > 0 ? run : 1;
    }
    p.read_coordinates();
    report.residual = std::max(report.residual, p.linkages->residual(p.trial_now(), p.state.time));
    return report;
}

Frame World::frame() const
{
    Parts& p = *parts_;
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    Frame frame = make_frame(p.scene, p.frame_order, p.posture(p.state.time, values, placed));
    p.strands.add_to_frame(p.scene, p.state.strands, frame);
    if (p.has_rods())
        p.add_rods_to_frame(frame);
    frame.loads.resize(p.scene.strand_constraints.size() + p.scene.rod_constraints.size());
    const std::span loads(frame.loads);
    if (!p.scene.strand_constraints.empty())
        p.add_strand_loads(frame.objects, loads.first(p.scene.strand_constraints.size()));
    if (!p.scene.rod_constraints.empty())
        p.add_rod_loads(frame.objects, loads.subspan(p.scene.strand_constraints.size()));
    return frame;
}

Energy World::energy() const
{
    Energy energy = parts_->linkages->energy(parts_->trial_now(), parts_->state.time);
    const Energy of_bodies = parts_->rigid.energy(parts_->state.pile);
    energy.kinetic += of_bodies.kinetic;
    energy.potential += of_bodies.potential;
    if (parts_->has_strands()) {
        const double time = parts_->state.time;
        const Energy of_strands = parts_->strands.energy(parts_->scene, parts_->state.strands,
                                                         parts_->objects_at(time), time);
        energy.kinetic += of_strands.kinetic;
        energy.potential += of_strands.potential;
    }
    if (parts_->has_rods()) {
        const Energy of_rods = parts_->energy_of_rods();
        energy.kinetic += of_rods.kinetic;
        energy.potential += of_rods.potential;
    }
    return energy;
}

std::vector<BodyMotion> World::bodies() const { return parts_->rigid.motions(parts_->state.pile); }

} // namespace sinew
