#include "plugins/joined_models.h"

#include "base/contract.h"
#include "constraints/models.h"
#include "math/functions.h"
#include "models/strand/bases/bases.h"
#include "scene/objects/rods.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

namespace {

Pose pose_of(const Affine& frame) { return strand::scaled_pose(frame).pose; }

Problem cannot_be_tied(const Scene& scene, const PhysicalModel& model, ObjectId object)
{
    const bool is_known = object.is_valid() && object.index < scene.objects.size();
    return make_problem(scene, Severity::error, "model-tied-to-what-moves",
                        is_known ? scene.objects[object.index].origin : Origin{}, "objects",
                        "'" + (is_known ? object_names(scene)[object.index] : "that") +
                            "' moves in a way that '" + model.name() + "' cannot be tied to",
                        "tie it to a mass or label of a linkage, a body, a point of a strand or "
                        "rod, or something that tracks move");
}

/// Two pieces for each span of a rod, half of it each.
void add_rod_capsules(const rod::RodDynamics& rods, const ModelState& state, std::uint32_t number,
                      std::span<const SurfaceFeel> feels, std::vector<ContactCapsule>& capsules)
{
    const rod::Plan& plan = rods.plan(number);
    const BlockShape& shape = rods.blocks()[number];
    const std::span x = std::span(state.x).subspan(shape.x_first, shape.x_count);
    const std::span v = std::span(state.v).subspan(shape.v_first, shape.v_count);
    const std::uint32_t count = 2 * plan.spans;
    for (std::uint32_t k = 0; k < count; ++k) {
        const double from = k / double(count), to = (k + 1) / double(count);
        const CurveWeights at_a = plan.basis_at(from), at_b = plan.basis_at(to);
        capsules.push_back({.site = {.block = {kRods, number}, .u = from},
                            .u_end = to,
                            .a = rod::curve_at(at_a, x).point,
                            .b = rod::curve_at(at_b, x).point,
                            .velocity_a = rod::curve_at(at_a, v).point,
                            .velocity_b = rod::curve_at(at_b, v).point,
                            .radius = plan.radius,
                            .feel = feels[k / 2],
                            .is_chord = true,
                            .yields = {k > 0, false}});
    }
}

ContactCapsule capsule_of(const StrandPiece& piece)
{
    const StrandSegment& segment = piece.segment;
    return {.site = {{kStrands, segment.tree}, segment.number, 0},
            .a = piece.from,
            .b = piece.to,
            .velocity_a = piece.from_velocity,
            .velocity_b = piece.to_velocity,
            .rotation = piece.turn,
            .radius = segment.shape.radius,
            .feel = {.friction = segment.shape.friction, .bounce = segment.shape.bounce},
            .yields = {segment.shape.follows, false}};
}

std::vector<SurfaceFeel> feels_of(const Scene& scene, const Rod& rod, std::uint32_t spans)
{
    const auto value = [&](Value v, double u) {
        return v.is_constant() ? v.number : rates_at(scene, v, scene.settings.start, u).value;
    };
    std::vector<SurfaceFeel> feels;
    for (std::uint32_t k = 0; k < spans; ++k) {
        const double u = along_whole(rod, (k + 0.5) / spans);
        feels.push_back({.friction = value(rod.friction, u),
                         .bounce = value(rod.bounce, u),
                         .touches = value(rod.contact, u) > 0.5});
    }
    return feels;
}

} // namespace

void JoinedModels::join(std::vector<std::shared_ptr<const PhysicalModel>> models,
                        Ensemble& ensemble, EnsembleState& state)
{
    models_ = std::move(models);
    first_ = std::uint32_t(ensemble.models.size());
    for (const std::shared_ptr<const PhysicalModel>& model : models_) {
        SINEW_EXPECTS(model != nullptr);
        ensemble.models.push_back(model.get());
        ensemble.members.emplace_back();
        state.models.push_back(model->start());
    }
}

SiteMotion JoinedModels::locate(const EnsembleState& state, const Site& site) const
{
    const PhysicalModel& model = *models_[site.block.model - first_];
    Trial trial;
    trial.state = state.models[site.block.model];
    trial.scratch = model.make_scratch();
    SiteMotion motion;
    model.locate(trial, state.time, {&site, 1}, {&motion, 1});
    return motion;
}

Vec3 JoinedModels::gravity_of(const JoinedModelsInput& step) const
{
    return strand::Gravity(step.scene, step.until).value;
}

// ---------------------------------------------------------------- contacts

std::vector<ContactCapsule> JoinedModels::capsules_of(const JoinedModelsInput& step,
                                                      std::size_t& own) const
{
    std::vector<ContactCapsule> capsules;
    for (std::uint32_t m = first_; m < first_ + models_.size(); ++m) {
        const std::size_t begin = capsules.size();
        models_[m - first_]->add_surfaces(step.state.models[m], capsules);
        for (std::size_t i = begin; i < capsules.size(); ++i)
            capsules[i].site.block.model = m;
    }
    own = capsules.size();
    for (const StrandPiece& piece : place_segments(
             step.strands, segments_, step.scene, step.objects, step.state.time, step.strand_state))
        capsules.push_back(capsule_of(piece));
    for (std::uint32_t i = 0; step.rods && i < step.rods->rod_count(); ++i)
        add_rod_capsules(*step.rods, step.state.models[kRods], i, spans_[i], capsules);
    return capsules;
}

/// What the search for contacts is given.
template <class Use>
auto JoinedModels::with_contacts(const JoinedModelsInput& step, Use use) const
{
    std::size_t own = 0;
    const std::vector<ContactCapsule> capsules = capsules_of(step, own);
    std::vector<CapsuleTie> ties;
    for (const Tie& tie : ties_) {
        const Site& site = tie.tie.site;
        if (tie.tie.law == ModelTie::Law::position || tie.tie.law == ModelTie::Law::fusion)
            ties.push_back(
                {site.block, tie.end.site.block, this->locate(step.state, site).pose.translation});
    }
    const auto locate_on_rod = [&](const Site& site) {
        return step.rods->locate_one(step.state.models[kRods], site.block.index, site.u).pose;
    };
    return use(CapsuleContactInput{.capsules = capsules,
                                   .own = own,
                                   .ties = ties,
                                   .pile = step.pile,
                                   .bodies = step.bodies,
                                   .coupling = step.coupling,
                                   .time = step.state.time,
                                   .h = step.until - step.state.time,
                                   .gravity = length(gravity_of(step)),
                                   .locate = locate_on_rod});
}

// ---------------------------------------------------------------- ties

Problems JoinedModels::tie(const EndInput& ends, const JoinedModelsInput& start)
{
    Problems problems;
    Targets unused(ends.scene);
    EndFinder finder(ends, unused);
    for (std::uint32_t m = 0; m < models_.size(); ++m)
        for (const ModelTie& wanted : models_[m]->ties()) {
            const bool is_known = wanted.object.index < start.scene.objects.size();
            const std::optional<StrandEnd> end =
                is_known ? finder.find(wanted.object) : std::nullopt;
            if (!end) {
                problems.push_back(cannot_be_tied(ends.scene, *models_[m], wanted.object));
                continue;
            }
            Tie tie{.tie = wanted, .end = *end};
            tie.tie.site.block.model = first_ + m;
            tie.is_ground = end->site.block.model == kTargets;
            const Pose own = locate(start.state, tie.tie.site).pose;
            const Pose object = sinew::pose_of(start.objects[wanted.object.index]);
            tie.length = wanted.length.value_or(length(own.translation - object.translation));
            const bool is_at_site =
                wanted.law == ModelTie::Law::position || wanted.law == ModelTie::Law::fusion;
            tie.in_object = is_at_site ? inverse(object) * own : Pose{Quat{}, {0, 0, 0}};
            tie.end.frame = end->frame * tie.in_object;
            if (tie.is_ground)
                tie.end.site = {};
            ties_.push_back(tie);
        }
    if (start.rods)
        for (std::uint32_t i = 0; i < start.scene.rods.size(); ++i)
            spans_.push_back(feels_of(start.scene, start.scene.rods[i], start.rods->plan(i).spans));
    segments_ = find_touching_segments(start.strands, start.state.time);
    contacts_ = with_contacts(
        start, [](const CapsuleContactInput& input) { return CapsuleContacts(input); });
    return problems;
}

void JoinedModels::prepare(const JoinedModelsInput& step, std::span<Trial> trials) const
{
    const ModelStepInput input{step.scene,       step.state.time, step.until,
                               gravity_of(step), step.objects,    step.objects_then};
    for (std::uint32_t m = 0; m < models_.size(); ++m)
        models_[m]->prepare(input, trials[first_ + m]);
}

Attachment JoinedModels::make_rows(const JoinedModelsInput& step, const Tie& tie,
                                   std::size_t number) const
{
    Attachment made;
    made.key = {KeySource::model_tie, number};
    made.a = tie.tie.site;
    made.b = tie.end.site;
    made.point_b = tie.end.frame.translation;
    made.axes_b = tie.end.frame.rotation;
    switch (tie.tie.law) {
    case ModelTie::Law::position: made.kind = Attachment::Kind::tie; break;
    case ModelTie::Law::fusion: made.kind = Attachment::Kind::fixed; break;
    case ModelTie::Law::distance: made.kind = Attachment::Kind::distance; break;
    case ModelTie::Law::spring: made.kind = Attachment::Kind::pull; break;
    }
    made.length = tie.length;
    made.stiffness = tie.tie.stiffness;
    made.damping = tie.tie.damping;
    if (tie.is_ground) {
        const std::size_t object = tie.tie.object.index;
        const Pose now = sinew::pose_of(step.objects[object]) * tie.in_object;
        const Pose then = sinew::pose_of(step.objects_then[object]) * tie.in_object;
        const double h = step.until - step.state.time;
        made.point_b = then.translation;
        made.axes_b = then.rotation;
        made.ground = {.place = {.rate = (then.translation - now.translation) / h},
                       .turn = {.rate = log_quat(then.rotation * conjugate(now.rotation)) / h},
                       .about = then.translation,
                       .at = step.until};
    }
    return made;
}

JoinedModelsRows JoinedModels::find_rows(const JoinedModelsInput& step) const
{
    CapsuleContactsFound found = with_contacts(
        step, [&](const CapsuleContactInput& input) { return contacts_.find(input); });
    JoinedModelsRows rows{std::move(found.rows), std::move(found.bodies)};
    for (std::size_t i = 0; i < ties_.size(); ++i) {
        const Tie& tie = ties_[i];
        if (tie.tie.law == ModelTie::Law::spring && tie.tie.stiffness <= 0 && tie.tie.damping <= 0)
            continue;
        rows.attachments.push_back(make_rows(step, tie, i));
        if (tie.end.body)
            rows.bodies.push_back(*tie.end.body);
    }
    return rows;
}

// ---------------------------------------------------------------- asked

std::optional<std::string> JoinedModels::name_of(BlockId block) const
{
    if (is_empty() || block.model < first_ || block.model >= first_ + models_.size())
        return std::nullopt;
    return models_[block.model - first_]->name_of(block.index);
}

void JoinedModels::place_objects(const EnsembleState& state, double h,
                                 std::vector<PlacedObject>& placed) const
{
    for (std::uint32_t m = 0; m < models_.size(); ++m)
        for (const ModelRider& rider : models_[m]->riders()) {
            Site site = rider.site;
            site.block.model = first_ + m;
            const SiteMotion motion = locate(state, site);
            const Quat rotation = exp_quat(motion.twist.angular * h) * motion.pose.rotation;
            placed.push_back(
                {rider.object,
                 {rotation_matrix(rotation), motion.pose.translation + motion.twist.linear * h}});
        }
}

/// The models', and what their springs hold: ½ k (d − L)².
void JoinedModels::add_energy(const JoinedModelsInput& now, Energy& energy) const
{
    for (std::uint32_t m = 0; m < models_.size(); ++m) {
        const Energy own = models_[m]->energy(now.state.models[first_ + m], gravity_of(now));
        energy.kinetic += own.kinetic;
        energy.potential += own.potential;
    }
    for (const Tie& tie : ties_) {
        if (tie.tie.law != ModelTie::Law::spring)
            continue;
        const Vec3 own = locate(now.state, tie.tie.site).pose.translation;
        const double open = length(own - now.objects[tie.tie.object.index].origin) - tie.length;
        energy.potential += 0.5 * tie.tie.stiffness * open * open;
    }
}

void JoinedModels::add_momentum(const EnsembleState& state, Momentum& momentum) const
{
    for (std::uint32_t m = 0; m < models_.size(); ++m)
        momentum += models_[m]->momentum(state.models[first_ + m]);
}

} // namespace sinew
