// The public World: builds the models from a scene and shows where they are. Its step:
// world_step.cpp.

#include "sinew/world.h"

#include "scene/kinematics.h"
#include "scene/validate/problems.h"
#include "sinew/stop.h"
#include "world/parts.h"

#include <algorithm>

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
    Result<World> made = Parts::make_world(scene, options);
    if (is_stopping())
        return make_stopped();
    return made;
}

Result<World> World::Parts::make_world(const Scene& scene, const WorldOptions& options)
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
    parts->tell_many_steps();
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
    const bool is_strand = strand_rows && fault.block.model == kStrands;
    const bool is_rod = has_rods() && fault.block.model == kRods;
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

Frame World::frame() const
{
    const Parts& p = *parts_;
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
    Trial linkages = parts_->linkages_now();
    Energy energy = parts_->linkages->energy(linkages, parts_->state.time);
    const Energy of_bodies = parts_->rigid.energy(parts_->pile(), parts_->state.pile);
    energy.kinetic += of_bodies.kinetic;
    energy.potential += of_bodies.potential + parts_->energy_of_springs();
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
