// Pins, knots, pearls and cuts on strands and rods: statements of the script that hold from the
// frame on that is shown, so that everything before it stays as it was and nothing jumps.

#include "session/parts.h"
#include "sinew/names.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A place as people would write it.
CurvePlace rounded(CurvePlace place)
{
    constexpr double kSteps = 1000;
    place.along = std::round(place.along * kSteps) / kSteps;
    return place;
}

/// What of a scene holds curves, whichever kind of curve that is.
struct Hold {
    ObjectId a, b; ///< points of curves, or anything; of a pearl: the rod and the bead
    bool is_pin = false;
    Origin origin = {};
    Value active = {1};
};

std::vector<Hold> holds_of(const Scene& scene)
{
    std::vector<Hold> holds;
    for (const RodConstraint& c : scene.rod_constraints) {
        const bool is_tie =
            c.kind == RodConstraintKind::position || c.kind == RodConstraintKind::fusion;
        if ((is_tie || c.kind == RodConstraintKind::pearl) && c.origin.file == 0)
            holds.push_back({c.a, c.b, is_tie && !c.b.is_valid(), c.origin, c.release.active});
    }
    for (const StrandConstraint& c : scene.strand_constraints)
        if ((c.kind == StrandConstraintKind::position || c.kind == StrandConstraintKind::fusion) &&
            c.origin.file == 0)
            holds.push_back({c.a, c.b, !c.b.is_valid(), c.origin, c.active});
    return holds;
}

/// Whether a constraint holds at some time before another. Between two keys it cannot, if it does
/// at neither: easings do not overshoot.
bool holds_before(const Scene& scene, Value active, double end)
{
    if (!is_known_in_advance(scene, active))
        return true;
    const auto holds = [&](double time, Side side) {
        return rates_at(scene, active, time, 0, side).value > 0.5;
    };
    if (holds(scene.settings.start, Side::after) || holds(end, Side::before))
        return true;
    return std::ranges::any_of(key_times(scene, active), [&](double time) {
        return time < end && (holds(time, Side::before) || holds(time, Side::after));
    });
}

/// What a point is on: the object with the rod or strand, or itself and what it rides on.
std::vector<ObjectId> owners_of(const Scene& scene, ObjectId point)
{
    std::vector<ObjectId> owners;
    if (!point.is_valid())
        return owners;
    for (const RodSite& site : scene.rod_sites)
        if (site.object == point)
            return {scene.rods[site.rod].object};
    for (const StrandSite& site : scene.strand_sites)
        if (site.object == point)
            return {scene.strands[site.curve].object, scene.strands[site.curve].tree};
    owners.push_back(point);
    if (scene.objects[point.index].on.is_valid())
        owners.push_back(scene.objects[point.index].on);
    return owners;
}

/// A time with as many digits as people read.
double readable(double time) { return std::stod(written_number(time, false)); }

bool concerns(const Scene& scene, const Hold& hold, ObjectId object)
{
    for (const ObjectId end : {hold.a, hold.b})
        if (std::ranges::count(owners_of(scene, end), object) > 0)
            return true;
    return false;
}

} // namespace

std::vector<ObjectId> pinned_curves(const Scene& scene)
{
    constexpr double kLate = 1e9; // [s]
    std::vector<ObjectId> pinned;
    for (const Hold& hold : holds_of(scene)) {
        if (!hold.is_pin || !is_known_in_advance(scene, hold.active) ||
            !(rates_at(scene, hold.active, kLate, 0, Side::before).value > 0.5))
            continue;
        const std::vector<ObjectId> owners = owners_of(scene, hold.a);
        pinned.insert(pinned.end(), owners.begin(), owners.end());
    }
    return pinned;
}

Problem Session::Parts::refuse(std::string code, std::string what, std::string hint) const
{
    return {.code = std::move(code),
            .place = {.file = take.name},
            .what = std::move(what),
            .hint = std::move(hint)};
}

ObjectId Session::Parts::grip_of(ObjectId object) const
{
    const bool is_known = object.is_valid() && object.index < scene.objects.size();
    return is_known ? handles[object.index].grip : ObjectId{};
}

/// Where a hand held an object's curve last.
std::optional<CurvePlace> Session::Parts::held_place(ObjectId object) const
{
    for (auto input = take.inputs.rbegin(); input != take.inputs.rend(); ++input) {
        if (input->kind != Input::Kind::grab || find_held(input->name) != object)
            continue;
        const auto number = static_cast<std::uint32_t>(input->point.y);
        if (const auto curve = find_curve(scene, object, number))
            return CurvePlace{*curve, number, input->point.x};
    }
    return std::nullopt;
}

/// As a script writes it: `rope at 0.25 along`.
Result<std::string> Session::Parts::designator(const CurvePlace& place) const
{
    const bool is_strand = place.curve < scene.strands.size();
    const std::size_t number = place.curve - scene.strands.size();
    ObjectId object = is_strand ? scene.strands[place.curve].object : scene.rods[number].object;
    double along = place.along;
    if (!is_strand) {
        const Rod& rod = scene.rods[number];
        object = rod.whole.is_valid() ? rod.whole : object;
        along = rod.begin + (rod.end - rod.begin) * along;
    }
    const std::optional<std::string> name = script_name(scene, object);
    const bool is_one_of_many =
        is_strand && std::ranges::count(scene.strands, object, &StrandCurve::object) > 1;
    if (!name)
        return cannot_name(take, object_names(scene)[object.index]);
    if (is_one_of_many)
        return refuse("cannot-name", "'" + *name + "' has several strands without names",
                      "give them names: trunk = strand(...);");
    return *name + " at " + written_number(along, false) + " along";
}

/// An argument that makes a constraint hold from a frame on; none at the start.
std::string Session::Parts::since(std::int64_t frame) const
{
    if (frame < 1)
        return "";
    const double time = readable(time_of(frame));
    return ", active = {0 at " + script_number(time > 0 ? 0 : time - 1) + " sec hold 1 at " +
           script_number(time) + " sec}";
}

/// Statements, with what mouse and sliders did left as it is.
Problems Session::Parts::add_statements(const std::vector<std::string>& statements)
{
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    for (const std::string& statement : statements)
        if (Problems refused = editor->add_statement(statement); !refused.empty())
            return refused;
    return set_text(std::string(editor->text()));
}

Problems Session::Parts::pin_curve(std::int64_t frame, const CurvePlace& where)
{
    const CurvePlace place = rounded(where);
    const std::shared_ptr<const Shot> shot = shot_at(frame);
    const Result<std::string> name = designator(place);
    if (!name)
        return name.problems();
    const Vec3 point = point_along(nodes_of_curve(scene, shot->frame, place.curve), place.along);
    return add_statements({"position_constraint(" + *name + ", point(" + written_vector(point) +
                           ")" + since(frame) + ");"});
}

/// What a knot holds a curve to: a place on another curve; of a body or something fixed the place
/// itself, as a label on it; else the object.
Result<std::string> Session::Parts::other_end(ObjectId object, const Vec3& place,
                                              const Frame& frame, std::string& label) const
{
    if (const auto found = find_place(scene, frame, grip_of(object), place))
        return designator(rounded(*found));
    const ObjectId grip = grip_of(object).is_valid() ? grip_of(object) : object;
    const std::optional<std::string> name = script_name(scene, grip);
    if (!name)
        return cannot_name(take, object_names(scene)[grip.index]);
    const auto is_body = [&](const RigidBody& body) { return body.object == grip; };
    if (grip == grip_of(object) && std::ranges::none_of(scene.bodies, is_body))
        return *name;
    const Affine& X = frame.objects[grip.index];
    const std::string knot = free_name(identifiers_of(take.script), "knot_");
    label = knot + " = label() translate(" +
            written_vector(inverse(X.linear) * (place - X.origin)) + ") on " + *name + ";";
    return knot;
}

Problems Session::tie(std::int64_t frame, const Spot& one, const Spot& other)
{
    Parts& p = *parts_;
    const std::shared_ptr<const Shot> shot = p.shot_at(frame);
    const auto is_sound = [&](const Spot& spot) {
        return spot.object.is_valid() && spot.object.index > 0 &&
               spot.object.index < p.scene.objects.size() && is_finite(spot.place);
    };
    if (!shot || !is_sound(one) || !is_sound(other))
        return {p.refuse("cannot-tie", "there is nothing to tie", "click two things")};
    const auto curve_of = [&](const Spot& spot) {
        return find_place(p.scene, shot->frame, p.grip_of(spot.object), spot.place);
    };
    const bool is_first = curve_of(one).has_value();
    const Spot &a = is_first ? one : other, &b = is_first ? other : one;
    const auto curve = curve_of(a);
    if (!curve)
        return {p.refuse("cannot-tie", "neither of the two is a strand or a rod",
                         "tie a rope or a hair to something")};
    std::string label;
    const Result<std::string> from = p.designator(rounded(*curve));
    const Result<std::string> to = p.other_end(b.object, b.place, shot->frame, label);
    if (!from || !to)
        return from ? to.problems() : from.problems();
    if (*from == *to)
        return {p.refuse("cannot-tie", "the two places are one", "click two places")};
    return p.add_knot(frame, label, "fusion(" + *from + ", " + *to);
}

/// At the start a knot whose ends are apart begins to hold with the first frame.
Problems Session::Parts::add_knot(std::int64_t frame, const std::string& label,
                                  const std::string& beginning)
{
    Problems refused;
    for (const std::int64_t begin : {frame, std::max<std::int64_t>(frame, 1)}) {
        std::vector<std::string> statements = {beginning + since(begin) + ");"};
        if (!label.empty())
            statements.insert(statements.begin(), label);
        refused = add_statements(statements);
        if (!has_errors(refused))
            return refused;
    }
    return refused;
}

Problems Session::thread(std::int64_t frame, ObjectId bead, const Spot& rod)
{
    Parts& p = *parts_;
    const std::shared_ptr<const Shot> shot = p.shot_at(frame);
    const ObjectId body = p.grip_of(bead);
    const auto is_body = [&](const RigidBody& each) { return each.object == body; };
    if (!shot || !body.is_valid() || std::ranges::none_of(p.scene.bodies, is_body))
        return {p.refuse("cannot-thread", "only a body can be threaded", "click a body first")};
    const auto place = is_finite(rod.place)
                           ? find_place(p.scene, shot->frame, p.grip_of(rod.object), rod.place)
                           : std::nullopt;
    if (!place || place->curve < p.scene.strands.size())
        return {p.refuse("cannot-thread", "a pearl slides on a rod, and that is none",
                         "click the body, then a rod")};
    const Rod& on = p.scene.rods[place->curve - p.scene.strands.size()];
    const ObjectId rope = on.whole.is_valid() ? on.whole : on.object;
    const std::optional<std::string> name = script_name(p.scene, rope),
                                     bead_name = script_name(p.scene, body);
    if (!name || !bead_name)
        return {cannot_name(p.take, object_names(p.scene)[(name ? body : rope).index])};
    const double along = on.begin + (on.end - on.begin) * rounded(*place).along;
    return p.add_knot(frame, "",
                      "pearl(" + *bead_name + ", " + *name +
                          ", from = " + written_number(along, false));
}

Problems Session::cut(std::int64_t frame, const Spot& rod)
{
    Parts& p = *parts_;
    const std::shared_ptr<const Shot> shot = p.shot_at(frame);
    const auto place = shot && is_finite(rod.place)
                           ? find_place(p.scene, shot->frame, p.grip_of(rod.object), rod.place)
                           : std::nullopt;
    if (!place || place->curve < p.scene.strands.size())
        return {p.refuse("cannot-cut", "only rods can be cut", "click a rope or a cable")};
    const Result<std::string> name = p.designator(rounded(*place));
    if (!name)
        return name.problems();
    const std::string when = frame < 1 ? "" : ", when = " + written_number(p.time_of(frame), false);
    return p.add_statements({"cut(" + *name + when + ");"});
}

/// Ends what holds an object nearest to a place: a pin, a knot, a pearl.
Problems Session::Parts::loosen(std::int64_t frame, ObjectId object, std::optional<Vec3> place)
{
    const std::shared_ptr<const Shot> shot = shot_at(frame);
    std::optional<Hold> nearest;
    double least = INFINITY;
    for (const Hold& hold : holds_of(scene)) {
        if (!shot || !concerns(scene, hold, object))
            continue;
        const bool slides = find_curve(scene, hold.a, 0).has_value();
        const Vec3 at = shot->frame.objects[(slides ? hold.b : hold.a).index].origin;
        const double distance = place ? length(at - *place) : 0;
        if ((place || hold.is_pin) && distance <= least) { // the last of those as near
            least = distance;
            nearest = hold;
        }
    }
    if (!nearest)
        return {refuse("not-pinned", "nothing holds that", "pin or tie it first")};
    Result<ScriptEditor> editor = ScriptEditor::open(take.name, take.script);
    if (!editor)
        return editor.problems();
    const double end = readable(time_of(frame));
    const bool never_held = frame < 1 || !holds_before(scene, nearest->active, end);
    const std::size_t at = nearest->origin.offset;
    if (Problems refused =
            never_held ? editor->remove_statement_at(at) : editor->end_statement_at(at, end);
        !refused.empty())
        return refused;
    return set_text(std::string(editor->text()));
}

} // namespace sinew
