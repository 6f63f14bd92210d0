// What a person does, and how it is undone.

#include "session/parts.h"
#include "sinew/names.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kMostUndone = 200;

Problem refuse(const Take& take, std::string code, std::string what, std::string hint)
{
    return {.code = std::move(code),
            .place = {.file = take.name},
            .what = std::move(what),
            .hint = std::move(hint)};
}

bool is_of_mouse(const Input& input) { return input.kind != Input::Kind::parameter; }

/// The first frame at which two logs differ; none: they are the same.
std::optional<std::int64_t> first_difference(const std::vector<Input>& a,
                                             const std::vector<Input>& b)
{
    const auto [x, y] = std::ranges::mismatch(a, b);
    if (x == a.end() && y == b.end())
        return std::nullopt;
    return std::min(x == a.end() ? INT64_MAX : x->frame, y == b.end() ? INT64_MAX : y->frame);
}

void insert(std::vector<Input>& inputs, Input&& input)
{
    const auto behind = std::ranges::upper_bound(inputs, input.frame, {}, &Input::frame);
    inputs.insert(behind, std::move(input));
}

} // namespace

/// Remembers the take as it was. Changes that go on with the last one are undone with it.
void Session::Parts::note(const std::string& change)
{
    after.clear();
    if (!change.empty() && change == last_change)
        return;
    last_change = change;
    before.push_back(take);
    if (before.size() > kMostUndone)
        before.erase(before.begin());
}

void Session::Parts::set_inputs(std::vector<Input>&& inputs)
{
    const std::optional<std::int64_t> from = first_difference(take.inputs, inputs);
    take.inputs = std::move(inputs);
    if (from)
        invalidate(*from);
}

void Session::Parts::set_take(Take&& next, Opening&& opening)
{
    recording.reset();
    recorded = 0;
    begin(std::move(next), std::move(opening));
}

Problems Session::Parts::set_text(std::string&& text)
{
    if (text == take.script)
        return {};
    Take next = take;
    next.script = std::move(text);
    return set_next(std::move(next));
}

Problems Session::Parts::set_next(Take&& next)
{
    Result<Opening> opening = read(next, true);
    if (!opening)
        return opening.problems();
    note("");
    set_take(std::move(next), std::move(*opening));
    return {};
}

Vec3 Session::point_at(std::int64_t frame, ObjectId object, Vec3 place)
{
    Parts& p = *parts_;
    const bool is_known = object.is_valid() && object.index < p.scene.objects.size();
    const ObjectId grip = is_known ? p.handles[object.index].grip : ObjectId{};
    const auto is_body = [&](const RigidBody& body) { return body.object == grip; };
    const std::shared_ptr<const Shot> seen = shot(frame);
    if (seen && is_finite(place))
        if (const auto found = find_place(p.scene, seen->frame, grip, place))
            return {found->along, double(found->number), 0};
    if (!seen || !is_finite(place) || std::ranges::none_of(p.scene.bodies, is_body))
        return {0, 0, 0};
    const Affine& X = seen->frame.objects[grip.index];
    return inverse(X.linear) * (place - X.origin);
}

Problems Session::grab(std::int64_t frame, ObjectId object, Vec3 target, Vec3 point)
{
    Parts& p = *parts_;
    const bool is_known = object.is_valid() && object.index < p.scene.objects.size();
    const ObjectId grip = is_known ? p.handles[object.index].grip : ObjectId{};
    if (!grip.is_valid())
        return {refuse(p.take, "cannot-hold", "that cannot be held: nothing there moves freely",
                       "take hold of a mass")};
    if (!is_finite(target) || !is_finite(point) || frame < 1)
        return {refuse(p.take, "cannot-hold", "there is no such place or frame to drag to",
                       "drag within the picture")};
    std::vector<Input> inputs = p.take.inputs;
    std::erase_if(inputs, [&](const Input& old) { return is_of_mouse(old) && old.frame >= frame; });
    insert(inputs, {.frame = frame,
                    .kind = Input::Kind::grab,
                    .name = object_paths(p.scene)[grip.index],
                    .target = target,
                    .point = point});
    p.note("grab");
    p.set_inputs(std::move(inputs));
    return {};
}

Problems Session::release(std::int64_t frame)
{
    Parts& p = *parts_;
    if (!find_grab(p.take.inputs, frame))
        return {};
    std::vector<Input> inputs = p.take.inputs;
    std::erase_if(inputs, [&](const Input& old) { return is_of_mouse(old) && old.frame >= frame; });
    if (!inputs.empty() && find_grab(inputs, frame))
        insert(inputs, {.frame = frame, .kind = Input::Kind::release});
    p.set_inputs(std::move(inputs));
    p.last_change.clear(); // the next drag is undone on its own
    return {};
}

Problems Session::set_parameter(std::int64_t frame, const std::string& name, double value)
{
    Parts& p = *parts_;
    if (std::ranges::find(p.scene.parameters, name, &Parameter::name) == p.scene.parameters.end())
        return {refuse(p.take, "unknown-parameter", "there is no parameter '" + name + "'",
                       "declare it: param " + name + " = 1;")};
    if (!std::isfinite(value))
        return {refuse(p.take, "wrong-value", "'" + name + "' cannot be set to that",
                       "give a finite number")};
    Take next = p.take;
    std::erase_if(next.inputs, [&](const Input& old) {
        return old.kind == Input::Kind::parameter && old.name == name &&
               (frame < 1 || old.frame >= frame);
    });
    if (frame >= 1) {
        insert(next.inputs,
               {.frame = frame, .kind = Input::Kind::parameter, .name = name, .value = value});
        const Result<Scene> scene = p.scene_from(next, frame);
        if (!scene)
            return scene.problems();
        if (has_same_parts(p.scene, *scene)) {
            p.note("parameter " + name);
            p.set_inputs(std::move(next.inputs));
            return {};
        }
        std::erase_if(next.inputs, [&](const Input& input) {
            return input.kind == Input::Kind::parameter && input.name == name;
        });
    }
    next.parameters[name] = script_number(value);
    Result<Opening> opening = p.read(next, true);
    if (!opening)
        return opening.problems();
    p.note("parameter " + name);
    p.set_take(std::move(next), std::move(*opening));
    return {};
}

/// The text is the whole truth: what sliders said is in it, as `script_to_save` writes it.
Problems Session::set_script(const std::string& text)
{
    Parts& p = *parts_;
    if (text == script_to_save())
        return {};
    Take next = p.take;
    next.script = text;
    std::erase_if(next.inputs, [](const Input& input) { return !is_of_mouse(input); });
    std::erase_if(next.parameters, [&](const auto& parameter) {
        const auto first = p.opened_parameters.find(parameter.first);
        return first == p.opened_parameters.end() || first->second != parameter.second;
    });
    return p.set_next(std::move(next));
}

/// The take with a pin, in as few digits as it can be met with: what can only move on a curve must
/// be held exactly there. Where the script's start is elsewhere, it is asked to assemble.
Result<Take> Session::Parts::pinned(ObjectId object, Beginning&& pose) const
{
    Problems refusal;
    for (const bool is_exact : {false, true})
        for (const bool is_assembled : {false, true}) {
            pose.is_exact = is_exact;
            Result<std::string> text = add_pin(take, scene, object, pose);
            if (!text)
                return text.problems();
            Take next = take;
            std::erase_if(next.inputs, is_of_mouse); // the pose holds what they did
            Result<ScriptEditor> editor = ScriptEditor::open(next.name, *text);
            if (!editor || (is_assembled && !editor->add_statement("assemble;").empty()))
                continue;
            next.script = editor->text();
            const Result<Opening> opening = read(next, true);
            if (opening)
                return next;
            refusal = opening.problems();
        }
    return refusal;
}

Problems Session::pin(std::int64_t frame, ObjectId object, std::optional<Vec3> place)
{
    Parts& p = *parts_;
    const bool is_known = object.is_valid() && object.index < p.scene.objects.size();
    const ObjectId grip = is_known ? p.handles[object.index].grip : ObjectId{};
    const std::shared_ptr<const Shot> shot = p.shot_at(frame);
    if (!grip.is_valid() || !shot)
        return {refuse(p.take, "cannot-hold", "that cannot be pinned: nothing there moves freely",
                       "pin a mass")};
    if (find_curve(p.scene, grip, 0)) {
        const auto where =
            place ? find_place(p.scene, shot->frame, grip, *place) : p.held_place(grip);
        return where ? p.pin_curve(frame, *where)
                     : Problems{refuse(p.take, "nowhere-held",
                                       "a strand or rod is pinned at a place along it",
                                       "click it where it shall be pinned, or drag it first")};
    }
    if (std::ranges::find(p.scene.bodies, grip, &RigidBody::object) != p.scene.bodies.end()) {
        // The script says where a body starts, and its joint holds it there.
        const std::shared_ptr<const Shot> first = p.find_shot(0);
        Result<std::string> text =
            add_body_pin(p.take, p.scene, grip, first->frame.objects[grip.index].origin);
        return text ? p.set_text(std::move(*text)) : text.problems();
    }
    Beginning pose{.place = shot->frame.objects[grip.index].origin};
    // Where tracks drive something, the pose of a later time is none of the start.
    if (read_scene(p.scene).driven_count == 0 && frame < p.valid && p.stand_at(frame)) {
        pose.coordinates.assign(p.world->coordinates().begin(), p.world->coordinates().end());
        pose.rates.assign(p.world->rates().begin(), p.world->rates().end());
    }
    Result<Take> next = p.pinned(grip, std::move(pose));
    if (!next)
        return next.problems();
    Result<Opening> opening = p.read(*next, true);
    if (!opening)
        return opening.problems();
    p.note("");
    p.set_take(std::move(*next), std::move(*opening));
    return {};
}

Problems Session::loosen(std::int64_t frame, const Spot& spot)
{
    Parts& p = *parts_;
    const ObjectId grip = p.grip_of(spot.object);
    if (!grip.is_valid() || !is_finite(spot.place))
        return {p.refuse("not-pinned", "nothing holds that", "pin or tie it first")};
    Problems problems = p.loosen(frame, grip, spot.place);
    return has_errors(problems) && p.handles[grip.index].is_pinned ? unpin(frame, grip) : problems;
}

Problems Session::unpin(std::int64_t frame, ObjectId object)
{
    Parts& p = *parts_;
    if (const ObjectId grip = p.grip_of(object); grip.is_valid() && find_curve(p.scene, grip, 0))
        return p.loosen(frame, grip, std::nullopt);
    const std::shared_ptr<const Shot> first = p.find_shot(0);
    const bool is_known = object.is_valid() && object.index < p.scene.objects.size();
    const Joint* pin = first && is_known ? find_body_pin(p.scene, object,
                                                         first->frame.objects[object.index].origin)
                                         : nullptr;
    Result<std::string> text =
        pin ? remove_body_pin(p.take, *pin) : remove_pin(p.take, p.scene, object);
    return text ? p.set_text(std::move(*text)) : text.problems();
}

Problems Session::move(ObjectId object, Vec3 by)
{
    Parts& p = *parts_;
    const bool is_known = object.is_valid() && object.index < p.scene.objects.size();
    if (!is_known || !p.handles[object.index].is_fixed || !p.world)
        return {refuse(p.take, "cannot-move", "that cannot be put elsewhere: it moves by itself",
                       "drag it while the simulation runs")};
    const std::shared_ptr<const Shot> first = p.find_shot(0);
    const Object& moved = p.scene.objects[object.index];
    const ObjectId parent = moved.on.is_valid() ? moved.on : moved.parent;
    const Affine frame = first && parent.is_valid() ? first->frame.objects[parent.index] : Affine{};
    Result<std::string> text = move_object(p.take, p.scene, object, inverse(frame.linear) * by);
    return text ? p.set_text(std::move(*text)) : text.problems();
}

void Session::restart()
{
    Parts& p = *parts_;
    if (p.take.inputs.empty())
        return;
    p.note("");
    p.set_inputs({});
}

bool Session::can_undo() const noexcept { return !parts_->before.empty(); }
bool Session::can_redo() const noexcept { return !parts_->after.empty(); }

namespace {

/// From the last of one list to the end of the other.
std::optional<Take> exchange(std::vector<Take>& from, std::vector<Take>& to, const Take& now)
{
    if (from.empty())
        return std::nullopt;
    Take next = std::move(from.back());
    from.pop_back();
    to.push_back(now);
    return next;
}

} // namespace

void Session::Parts::go_to(std::optional<Take>&& next)
{
    last_change.clear();
    if (!next)
        return;
    if (next->script == take.script && next->parameters == take.parameters)
        return set_inputs(std::move(next->inputs));
    Result<Opening> opening = read(*next, true);
    if (opening) // it ran before
        set_take(std::move(*next), std::move(*opening));
}

void Session::undo() { parts_->go_to(exchange(parts_->before, parts_->after, parts_->take)); }
void Session::redo() { parts_->go_to(exchange(parts_->after, parts_->before, parts_->take)); }

} // namespace sinew
