// The public World: builds the models from a scene and shows where they are. Its step:
// world_step.cpp.

#include "sinew/world.h"

#include "base/overload.h"
#include "scene/kinematics.h"
#include "scene/reading/start.h"
#include "scene/validate/problems.h"
#include "sinew/stop.h"
#include "sinew/threads.h"
#include "world/parts.h"
#include "world/places.h"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

/// A run may be continued for longer than it was first asked for, and seen with other looks.
/// The scene is as it was in the end, not meanwhile: to copy it would cost its memory.
std::uint64_t fingerprint_of_mechanism(Scene& scene)
{
    const double end = std::exchange(scene.settings.end, scene.settings.start);
    const double rate = std::exchange(scene.settings.frame_rate, 1);
    auto looks = std::exchange(scene.looks, {});
    auto children = std::exchange(scene.children, {});
    auto studio = std::exchange(scene.studio, {});
    auto still = std::exchange(scene.still, {});
    const std::uint64_t found = fingerprint(scene);
    scene.settings.end = end;
    scene.settings.frame_rate = rate;
    scene.looks = std::move(looks);
    scene.children = std::move(children);
    scene.studio = std::move(studio);
    scene.still = std::move(still);
    return found;
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

/// What begins beyond all numbers: its first frame could not be drawn.
std::optional<Problem> find_nowhere(const Scene& scene, const Frame& frame)
{
    if (has_places(frame))
        return std::nullopt;
    const auto object = std::ranges::find_if_not(frame.objects, has_place);
    if (object != frame.objects.end()) {
        const auto index = static_cast<std::size_t>(object - frame.objects.begin());
        return make_problem(scene, Severity::error, "start-not-finite", scene.objects[index].origin,
                            "objects",
                            "'" + object_names(scene)[index] + "' does not start at a finite place",
                            "look for a size or a place that is too large");
    }
    return make_problem(scene, Severity::error, "start-not-finite", {}, "scene",
                        "a strand or rod does not start at a finite place",
                        "look for a size or a place that is too large");
}

} // namespace

Result<World> World::create(const Scene& scene, const WorldOptions& options)
{
    const OverloadScope overload;
    const ThreadsScope threads(std::max(options.threads, 1));
    Result<World> made = Parts::make_world(scene, options);
    if (is_stopping())
        return make_stopped();
    if (overload.found())
        return make_too_many(*overload.found(), scene.files.empty() ? "" : scene.files[0].name);
    if (made)
        if (std::optional<Problem> nowhere = find_nowhere(scene, made->frame()))
            return *std::move(nowhere);
    return made;
}

Result<World> World::Parts::make_world(const Scene& scene, const WorldOptions& options)
{
    Problems problems = validate(scene);
    if (has_errors(problems))
        return problems;
    auto parts = std::make_unique<Parts>();
    parts->scene = scene;
    parts->work.threads = std::max(options.threads, 1);
    parts->mechanism = fingerprint_of_mechanism(parts->scene);
    problems = bind_imports(scene, options, parts->imports);
    ObjectId faulty;
    parts->frame_order = order_of_frames(parts->scene, faulty);
    if (!faulty.is_valid() && !has_errors(problems))
        parts->make_linkages();
    const Problems start = find_start_errors(parts->scene_of_linkages());
    problems.insert(problems.end(), start.begin(), start.end());
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
    parts->state.models.resize(kModelCount);
    parts->state.models[kLinkages] = parts->look.state;
    parts->ensemble.models.assign(kModelCount, &no_model());
    parts->ensemble.members.resize(kModelCount);
    parts->ensemble.models[kLinkages] = parts->linkages.get();
    if (scene.settings.linkage_method == LinkageMethod::charli) {
        auto charli = CharliModel::create(parts->scene, parts->imports);
        if (!charli)
            return charli.problems();
        parts->charli = std::move(*charli);
        parts->state.models[kLinkages] =
            parts->charli->initial_state(parts->coordinates, parts->rates);
        parts->ensemble.models[kLinkages] = parts->charli.get();
    }
    parts->joined.join(options.models, parts->ensemble, parts->state);
    parts->coordinate_rows = std::make_unique<const CoordinateRows>(*parts->linkages);
    if (!parts->coordinate_rows->is_empty())
        parts->ensemble.sources.push_back(parts->coordinate_rows.get());
    for (std::uint32_t i = 0; i < scene.transformations.size(); ++i)
        if (const Value amount = scene.transformations[i].amount;
            !amount.is_constant() && is_known_in_advance(scene, amount))
            parts->tracked.push_back(i);
    std::vector<BodyMotion> bodies = parts->carried_motions();
    bodies.insert(bodies.begin(), options.bodies.begin(), options.bodies.end());
    if (Problems refused = parts->make_bodies(bodies); !refused.empty())
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
    if (Problems refused = parts->tie_joined(); !refused.empty())
        return refused;
    parts->work = make_workspace(parts->ensemble, parts->work.threads);
    const Problems of_rods = parts->assemble_rods();
    if (has_errors(of_rods))
        return of_rods;
    if (options.bodies.empty())
        parts->tell_overlaps();
    parts->notes.insert(parts->notes.end(), of_rods.begin(), of_rods.end());
    parts->notes.insert(parts->notes.end(), of_strands.begin(), of_strands.end());
    parts->tell_many_steps();
    parts->find_still_objects();
    parts->make_events();
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
    if (!step.is_committed && step.faults.empty())
        report.fault = make_stopped();
    if (step.faults.empty())
        return;
    const BlockFault& fault = step.faults.front();
    report.fault = fault.problem;
    if (const std::optional<std::string> name = joined.name_of(fault.block)) {
        report.fault->what = "'" + *name + "' cannot continue: " + fault.problem.what;
        return;
    }
    const bool is_strand = strand_rows && fault.block.model == kStrands;
    const bool is_rod = has_rods() && fault.block.model == kRods;
    if (is_strand || is_rod || (fault.block.model == kBodies && blocks)) {
        const ObjectId object = is_strand ? strands.object_of(fault.block.index)
                                : is_rod  ? scene.rods[fault.block.index].object
                                          : rigid.object_of(fault.block.index);
        report.fault = make_problem(scene, Severity::error, fault.problem.code,
                                    scene.objects[object.index].origin, "objects",
                                    "'" + object_names(scene)[object.index] +
                                        "' cannot continue: " + fault.problem.what,
                                    fault.problem.hint);
    }
}

Frame World::frame() const
{
    const Parts& p = *parts_;
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    Posture now = p.posture(p.state.time, values, placed);
    Parts::Measured measured;
    std::vector<Value> probed;
    for (const Drawing& drawing : p.scene.drawings)
        if (drawing.kind == DrawingKind::probe)
            probed.insert(probed.end(), p.scene.values.begin() + drawing.points.first,
                          p.scene.values.begin() + drawing.points.first + drawing.points.count);
    p.measure(probed, measured);
    now.measured = &measured.all;
    Frame frame = place_frame(p.scene, p.frame_order, now);
    p.strands.add_to_frame(p.scene, p.state.strands, p.work.threads, frame);
    if (p.has_rods())
        p.add_rods_to_frame(frame);
    p.add_rod_sections(frame);
    frame.loads.resize(p.scene.strand_constraints.size() + p.scene.rod_constraints.size());
    const std::span loads(frame.loads);
    if (!p.scene.strand_constraints.empty())
        p.add_strand_loads(frame.objects, loads.first(p.scene.strand_constraints.size()));
    if (!p.scene.rod_constraints.empty())
        p.add_rod_loads(frame.objects, loads.subspan(p.scene.strand_constraints.size()));
    return frame;
}

Energy World::energy() const { return parts_->energy_now(); }

Energy World::Parts::energy_now() const
{
    Trial now = linkages_now();
    Energy energy = linkages->energy(now, state.time);
    const Energy of_bodies = rigid.energy(pile(), state.pile);
    energy.kinetic += of_bodies.kinetic;
    energy.potential += of_bodies.potential + energy_of_springs();
    if (has_strands()) {
        const Energy of_strands =
            strands.energy(scene, state.strands, objects_at(state.time), state.time, work.threads);
        energy.kinetic += of_strands.kinetic;
        energy.potential += of_strands.potential;
    }
    if (has_rods()) {
        const Energy of_rods = energy_of_rods();
        energy.kinetic += of_rods.kinetic;
        energy.potential += of_rods.potential;
    }
    if (!joined.is_empty()) {
        const std::vector<Affine> objects = objects_at(state.time);
        joined.add_energy(joined_input(state.time, objects, objects), energy);
    }
    return energy;
}

Momentum World::momentum() const
{
    const Parts& p = *parts_;
    Trial linkages = p.linkages_now();
    Momentum sum = p.linkages->momentum(linkages, p.state.time);
    sum += p.rigid.momentum(p.state.pile);
    if (p.has_strands())
        sum +=
            p.strands.momentum(p.scene, p.state.strands, p.objects_at(p.state.time), p.state.time);
    if (p.has_rods())
        sum += p.momentum_of_rods();
    p.joined.add_momentum(p.state, sum);
    return sum;
}

std::vector<BodyMotion> World::bodies() const { return parts_->rigid.motions(parts_->state.pile); }

} // namespace sinew
