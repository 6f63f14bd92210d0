// The world as its users see it: builds the models from a scene, advances them, shows frames.

#include "sinew/world.h"

#include "base/contract.h"
#include "base/hash.h"
#include "math/functions.h"
#include "models/linkage/charli_model.h"
#include "models/linkage/model.h"
#include "scene/kinematics.h"
#include "scene/placement.h"
#include "scene/problems.h"
#include "world/step.h"

#include <algorithm>
#include <bit>

namespace sinew {

struct World::Parts {
    Scene scene;
    std::vector<ImportFunction> imports;
    std::vector<ObjectId> frame_order;
    std::unique_ptr<LinkageModel> linkages;
    std::unique_ptr<CharliModel> charli; ///< moves the linkages instead, where the script says so
    Ensemble ensemble;
    EnsembleState state;
    Workspace work;
    std::uint64_t mechanism = 0; ///< fingerprint of all but how long is simulated and seen
    std::vector<double> coordinates, rates;
    Trial look; ///< of the linkages, to look at energy and constraints
    Problems notes;
    std::vector<Grab> grabs;
    std::vector<Site> grips; ///< as grabs

    void read_coordinates()
    {
        if (charli)
            charli->read_coordinates(state.models[0], coordinates, rates);
        else
            linkages->read_coordinates(state.models[0], state.time, coordinates, rates);
    }

    /// The linkages as they are now.
    Trial& trial_now()
    {
        if (charli)
            linkages->write_coordinates(coordinates, rates, look.state);
        else
            look.state = state.models[0];
        return look;
    }
};

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
    const Problems start = read_scene(scene).problems;
    std::copy_if(start.begin(), start.end(), std::back_inserter(problems),
                 [](const Problem& p) { return p.severity == Severity::error; });
    if (has_errors(problems))
        return problems;
    ObjectId faulty;
    parts->frame_order = order_of_frames(parts->scene, faulty);
    parts->linkages = std::make_unique<LinkageModel>(parts->scene, parts->imports);
    if (!parts->linkages->problems().empty())
        return parts->linkages->problems();
    parts->look.state = parts->linkages->initial_state();
    parts->look.scratch = parts->linkages->make_scratch();
    parts->notes = parts->linkages->assemble(parts->look);
    if (has_errors(parts->notes))
        return parts->notes;
    parts->coordinates.resize(scene.coordinates.size());
    parts->rates.resize(scene.coordinates.size());
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
    parts->work = make_workspace(parts->ensemble, std::max(options.threads, 1));
    return World(std::move(parts));
}

World::World(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const Scene& World::scene() const noexcept { return parts_->scene; }
double World::time() const noexcept { return parts_->state.time; }
const Problems& World::start_notes() const noexcept { return parts_->notes; }
std::span<const double> World::coordinates() const noexcept { return parts_->coordinates; }
std::span<const double> World::rates() const noexcept { return parts_->rates; }

namespace {

/// Where nothing couples the blocks, each finds its own steps and the world needs none.
double count_steps(const Ensemble& ensemble, double span, double step)
{
    const bool is_free = ensemble.attachments.empty() && ensemble.sources.empty();
    return is_free ? 1 : max(1.0, ceil(span / step * (1 - 1e-9)));
}

void add(const CouplingReport& step, StepReport& report)
{
    report.steps += step.steps;
    report.rejected += step.rejected;
    report.implicit_steps += step.implicit_steps;
    report.rows = std::max(report.rows, step.rows);
    report.iterations += step.iterations;
    report.converged = report.converged && step.converged;
    report.warnings.insert(report.warnings.end(), step.warnings.begin(), step.warnings.end());
    if (!step.faults.empty())
        report.fault = step.faults.front().problem;
}

} // namespace

StepReport World::advance(double until) noexcept
{
    Parts& p = *parts_;
    const double begin = p.state.time, span = until - begin;
    SINEW_EXPECTS(span >= 0);
    StepReport report;
    const double count = count_steps(p.ensemble, span, p.scene.settings.step);
    for (double i = 1; i <= count && span > 0 && !report.fault; ++i)
        add(step_to(p.ensemble, p.state, i < count ? begin + span * (i / count) : until, p.work),
            report);
    p.read_coordinates();
    report.residual = p.linkages->residual(p.trial_now(), p.state.time);
    return report;
}

Frame World::frame() const
{
    const Parts& p = *parts_;
    std::vector<double> imports;
    for (const ImportFunction& import : p.imports)
        imports.push_back(import({p.state.time, p.coordinates, p.rates}).value);
    return make_frame(p.scene, p.frame_order, {p.state.time, p.coordinates, imports});
}

Energy World::energy() const
{
    return parts_->linkages->energy(parts_->trial_now(), parts_->state.time);
}

// ---------------------------------------------------------------- hands and forces

namespace {

constexpr std::uint64_t kFirstHand = std::uint64_t(1) << 63; // keys above all others

Attachment make_hand(const Grab& grab, const Site& site, std::size_t number)
{
    Attachment hand;
    hand.key = kFirstHand + number;
    hand.kind = Attachment::Kind::spring;
    hand.a = site;
    hand.point_b = grab.target;
    hand.stiffness = grab.stiffness;
    hand.damping = grab.damping;
    return hand;
}

Problem cannot_hold(const Scene& scene, ObjectId object, const char* why, const char* remedy)
{
    const bool is_known = object.is_valid() && object.index < scene.objects.size();
    const std::string name = is_known ? object_names(scene)[object.index] : "that";
    return make_problem(scene, Severity::error, "cannot-hold",
                        is_known ? scene.objects[object.index].origin : Origin{}, "objects",
                        "'" + name + "' cannot be held: " + why, remedy);
}

bool is_sound(const Grab& grab)
{
    return is_finite(grab.target) && grab.stiffness > 0 && grab.damping >= 0 &&
           is_finite(grab.stiffness) && is_finite(grab.damping);
}

} // namespace

Problems World::set_grabs(const std::vector<Grab>& grabs)
{
    Parts& p = *parts_;
    std::vector<Site> grips;
    std::vector<Attachment> hands;
    for (const Grab& grab : grabs) {
        const std::optional<Site> site = p.linkages->find_site(grab.object, 0);
        if (p.charli)
            return {cannot_hold(p.scene, grab.object, "the method 'charli' knows no hands",
                                "leave `linkages(method = charli)` out")};
        if (!site)
            return {cannot_hold(p.scene, grab.object, "it is no mass or label that moves freely",
                                "take hold of a mass")};
        if (!is_sound(grab))
            return {cannot_hold(p.scene, grab.object, "its target or stiffness is no number",
                                "give finite numbers")};
        grips.push_back(*site);
        hands.push_back(make_hand(grab, *site, hands.size()));
    }
    p.grabs = grabs;
    p.grips = std::move(grips);
    p.ensemble.attachments = std::move(hands);
    return {};
}

ObjectId World::find_grip(ObjectId object) const
{
    const Parts& p = *parts_;
    const auto can_hold = [&](ObjectId id) { return p.linkages->find_site(id, 0).has_value(); };
    if (p.charli || !object.is_valid() || object.index >= p.scene.objects.size())
        return {};
    for (ObjectId id = object; id.is_valid() && id.index > 0; id = p.scene.objects[id.index].parent)
        if (can_hold(id))
            return id;
    if (object.index > 0)
        for (std::uint32_t i = object.index + 1; i < p.scene.objects[object.index].end; ++i)
            if (can_hold(ObjectId{i}))
                return ObjectId{i};
    return {};
}

double World::mass_around(ObjectId object) const
{
    const std::optional<Site> site = parts_->linkages->find_site(object, 0);
    return site ? parts_->linkages->mass_of(*site) : 0;
}

std::vector<ActingForce> World::forces() const
{
    Parts& p = *parts_;
    Trial& trial = p.trial_now();
    std::vector<SiteMotion> motions(p.grips.size());
    p.linkages->locate(trial, p.state.time, p.grips, motions);
    std::vector<SiteForce> hands;
    for (std::size_t i = 0; i < p.grips.size(); ++i) {
        const Grab& grab = p.grabs[i];
        hands.push_back({p.grips[i], grab.stiffness * (grab.target - motions[i].pose.translation) -
                                         grab.damping * motions[i].twist.linear});
    }
    return p.linkages->forces(trial, p.state.time, hands);
}

std::vector<double> World::residuals() const
{
    const Parts& p = *parts_;
    std::vector<double> residuals(p.scene.distance_constraints.size() +
                                  p.scene.path_constraints.size());
    p.linkages->read_residuals(parts_->trial_now(), p.state.time, residuals);
    return residuals;
}

// ---------------------------------------------------------------- snapshots

namespace {

constexpr std::uint64_t kSnapshotMark =
    0x3177656e69730001; // "sinew1" and the version of the layout

void put(std::vector<std::byte>& out, std::uint64_t bits)
{
    for (int i = 0; i < 8; ++i)
        out.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

void put(std::vector<std::byte>& out, std::span<const double> values)
{
    put(out, values.size());
    for (const double value : values)
        put(out, std::bit_cast<std::uint64_t>(value));
}

/// Reads what `put` wrote; afterwards `is_good` says whether all of it was there.
struct SnapshotReader {
    std::span<const std::byte> bytes;
    bool is_good = true;

    std::uint64_t get()
    {
        if (bytes.size() < 8) {
            is_good = false;
            return 0;
        }
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i)
            bits |= std::uint64_t(bytes[static_cast<std::size_t>(i)]) << (8 * i);
        bytes = bytes.subspan(8);
        return bits;
    }
    /// How many things follow, of at least so many bytes each.
    std::size_t get_count(std::size_t bytes_each)
    {
        const std::uint64_t count = get();
        is_good = is_good && count <= bytes.size() / bytes_each;
        return is_good ? static_cast<std::size_t>(count) : 0;
    }
    void get(std::span<double> values)
    {
        is_good = is_good && get() == values.size();
        for (std::size_t i = 0; i < values.size() && is_good; ++i)
            values[i] = std::bit_cast<double>(get());
    }
};

} // namespace

namespace {

void put(std::vector<std::byte>& out, const EnsembleState& state)
{
    put(out, std::bit_cast<std::uint64_t>(state.time));
    for (const ModelState& model : state.models)
        for (const std::vector<double>* list : {&model.x, &model.v, &model.memory})
            put(out, *list);
    put(out, state.held.size());
    for (const HeldForce& held : state.held) {
        put(out, held.key);
        put(out, held.force);
    }
    put(out, state.frozen.size());
    for (const BlockId id : state.frozen)
        put(out, (std::uint64_t(id.model) << 32) | id.index);
}

} // namespace

std::vector<std::byte> World::snapshot() const
{
    std::vector<std::byte> out;
    put(out, kSnapshotMark);
    put(out, parts_->mechanism);
    put(out, parts_->state);
    return out;
}

bool World::restore(std::span<const std::byte> snapshot)
{
    SnapshotReader reader{snapshot};
    if (reader.get() != kSnapshotMark || reader.get() != parts_->mechanism)
        return false;
    EnsembleState state;
    state.time = std::bit_cast<double>(reader.get());
    state.models = parts_->state.models; // for their sizes
    for (ModelState& model : state.models)
        for (std::vector<double>* list : {&model.x, &model.v, &model.memory})
            reader.get(*list);
    state.held.resize(reader.get_count(sizeof(std::uint64_t) * 8));
    for (HeldForce& held : state.held) {
        held.key = reader.get();
        reader.get(held.force);
    }
    state.frozen.resize(reader.get_count(sizeof(std::uint64_t)));
    for (BlockId& id : state.frozen) {
        const std::uint64_t bits = reader.get();
        id = {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
        reader.is_good = reader.is_good && id.model < parts_->ensemble.models.size() &&
                         id.index < parts_->ensemble.models[id.model]->blocks().size();
    }
    if (!reader.is_good || !reader.bytes.empty())
        return false;
    parts_->state = std::move(state);
    parts_->read_coordinates();
    return true;
}

std::uint64_t World::state_hash() const
{
    std::vector<std::byte> bytes;
    put(bytes, parts_->state);
    Hash hash;
    for (const std::byte byte : bytes)
        hash.add(static_cast<unsigned char>(byte));
    return hash.value();
}

} // namespace sinew
