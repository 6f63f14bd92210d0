#include "sinew/session.h"

#include "session/parts.h"

#include <algorithm>

namespace sinew {

Session::Session(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::open(Take take, SessionOptions options)
{
    auto parts = std::make_unique<Parts>(Parts{.options = std::move(options)});
    Result<Opening> opening = parts->read(take, true);
    if (!opening)
        return opening.problems();
    parts->begin(std::move(take), std::move(*opening));
    parts->remember_parameters();
    return Session(std::move(parts));
}

void Session::Parts::remember_parameters()
{
    opened_parameters = take.parameters;
    for (const Parameter& parameter : scene.parameters)
        first_parameters[parameter.name] = parameter.value;
}

const Take& Session::take() const noexcept { return parts_->take; }
const Scene& Session::scene() const noexcept { return parts_->scene; }
const Problems& Session::problems() const noexcept { return parts_->problems; }
std::uint32_t Session::revision() const noexcept { return parts_->revision; }
bool Session::can_simulate() const noexcept { return parts_->can_simulate; }
std::int64_t Session::valid_count() const noexcept { return parts_->valid; }
std::int64_t Session::stale_count() const noexcept { return parts_->stale; }
double Session::time_of(std::int64_t frame) const noexcept { return parts_->time_of(frame); }
bool Session::advance() { return parts_->advance(); }
const std::optional<Problem>& Session::fault() const noexcept { return parts_->fault; }
const std::vector<Session::Handle>& Session::handles() const noexcept { return parts_->handles; }

std::int64_t Session::frame_count() const noexcept
{
    return std::max(parts_->planned_count(), parts_->valid);
}

std::shared_ptr<const Shot> Session::shot(std::int64_t frame) { return parts_->find_shot(frame); }

namespace {

/// What a recording alone can tell: what constraints of strands and rods do to both their ends.
std::vector<ActingForce> recorded_forces(const Scene& scene, const Frame& frame)
{
    std::vector<ActingForce> forces;
    const auto add = [&](ActingForce::Kind kind, ObjectId a, ObjectId b) {
        const auto& [place, force, torque] = frame.loads[forces.size() / 2];
        forces.push_back({kind, a, force, place, torque});
        forces.push_back({kind, b, -force, place, -torque});
    };
    using Kind = ActingForce::Kind;
    if (frame.loads.size() == scene.strand_constraints.size() + scene.rod_constraints.size()) {
        for (const StrandConstraint& c : scene.strand_constraints)
            add(c.kind == StrandConstraintKind::spring ? Kind::spring : Kind::constraint, c.a, c.b);
        for (const RodConstraint& c : scene.rod_constraints)
            add(c.kind == RodConstraintKind::spring ? Kind::spring : Kind::constraint, c.a, c.b);
    }
    std::erase_if(forces, [](const ActingForce& force) { return !force.object.is_valid(); });
    return forces;
}

} // namespace

std::optional<Session::Details> Session::details(std::int64_t frame)
{
    Parts& p = *parts_;
    if (frame < 0 || frame >= p.valid)
        return std::nullopt;
    if (const auto shot = p.can_simulate ? nullptr : p.find_shot(frame))
        return Details{.forces = recorded_forces(p.scene, shot->frame),
                       .residuals = {},
                       .contacts = {},
                       .layers = {}};
    if (!p.stand_at(frame))
        return std::nullopt;
    return Details{.forces = p.world->forces(),
                   .residuals = p.world->residuals(),
                   .contacts = p.world->contacts(),
                   .layers = p.world->layers()};
}

std::map<std::string, double> Session::parameters(std::int64_t frame) const
{
    const Parts& p = *parts_;
    std::map<std::string, double> values;
    for (const Parameter& parameter : p.scene.parameters)
        values[parameter.name] = parameter.value;
    for (const Input& input : p.take.inputs)
        if (input.kind == Input::Kind::parameter && input.frame <= frame)
            values[input.name] = input.value;
    return values;
}

std::string Session::script_to_save() const
{
    const Parts& p = *parts_;
    const std::map<std::string, double> now = parameters(INT64_MAX);
    Result<ScriptEditor> editor = ScriptEditor::open(p.take.name, p.take.script);
    if (!editor || now.empty())
        return p.take.script;
    const ScriptReading own =
        read_script(p.take.name, p.take.script, p.options.read_file, {.check_start = false});
    for (const Parameter& written : own.scene.parameters) {
        const double value = now.contains(written.name) ? now.at(written.name) : written.value;
        const auto first = p.first_parameters.find(written.name); // `-D` is no change
        if (value != written.value && (first == p.first_parameters.end() || first->second != value))
            editor->set_value(written.name, script_number(value));
    }
    return editor->text();
}

} // namespace sinew
