// Tracks and formulas: values that move.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "scene/formula.h"

#include <algorithm>
#include <cmath>

namespace sinew::charli {

namespace {

Easing easing_of(TokenKind kind)
{
    switch (kind) {
    case TokenKind::ease_slowin: return Easing::slowin;
    case TokenKind::ease_slowout: return Easing::slowout;
    case TokenKind::ease_slowinout: return Easing::slowinout;
    case TokenKind::ease_hold: return Easing::hold;
    default: return Easing::linear;
    }
}

} // namespace

Bound Evaluator::evaluate_track(Site site)
{
    const Tree& tree = *site.tree;
    Track track{.origin = tree.origin(site.node)};
    track.repeats = (tree.nodes[site.node].flags & Node::kRepeats) != 0;
    KeyNotes notes;
    std::vector<Bound> values;
    bool is_good = true;
    for (const NodeId key : children(tree, site.node))
        is_good = evaluate_key({&tree, key, site.scope}, track, notes, values) && is_good;
    if (!is_good || !check_budget(track.origin) || !check_smooth(track, notes))
        return poison();
    if (track.repeats && (track.along || track.keys.size() < 2)) {
        error(track.origin, "cannot-repeat",
              track.along ? "a ramp along a curve cannot repeat"
                          : "a track of one key cannot repeat",
              track.along ? "use keys in `sec` or `frames`" : "add a key, or remove `repeat`");
        return poison();
    }
    return add_tracks(track, notes, values);
}

/// One track; of keys that are vectors one for each component.
Bound Evaluator::add_tracks(Track track, const KeyNotes& notes, const std::vector<Bound>& values)
{
    const bool is_vector = values[0].kind == Bound::Kind::list;
    const std::size_t size = is_vector ? lists_[values[0].list].size() : 0;
    std::vector<std::vector<Value>> columns;
    for (const Bound& value : values) {
        const bool is_alike = (value.kind == Bound::Kind::list) == is_vector &&
                              (!is_vector || lists_[value.list].size() == size);
        const auto vector = is_vector && is_alike ? vector_of(value, track.origin) : std::nullopt;
        if (!is_alike) {
            error(track.origin, "unlike-keys", "the keys of this track are of different kinds",
                  "give all of them a number, or all a vector of equal length");
            return poison();
        }
        if (is_vector && (!vector || vector->size() != size))
            return poison();
        columns.push_back(is_vector ? *vector : std::vector{value.value});
    }
    std::vector<Bound> tracks;
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
        for (std::size_t k = 0; k < track.keys.size(); ++k)
            track.keys[k].value = columns[k][i];
        tracks.push_back(add_track(track, notes));
    }
    return is_vector ? add_list(std::move(tracks), track.origin) : tracks[0];
}

Bound Evaluator::add_track(Track track, const KeyNotes& notes)
{
    const auto number = static_cast<std::uint32_t>(scene.tracks.size());
    const Origin origin = track.origin;
    if (notes.is_smooth()) {
        const auto moves = [](const Key& key) { return !key.value.is_constant(); };
        if (std::ranges::any_of(track.keys, moves)) {
            error(origin, "smooth-of-tracks", "the keys of a smooth track are numbers",
                  "add what moves to the whole track: {...} + time");
            return poison();
        }
        smooth_tracks_.push_back(number);
    }
    for (std::size_t i = 0; i < notes.in_frames.size(); ++i)
        if (notes.in_frames[i])
            pending_frames_.push_back({number, static_cast<std::uint32_t>(i)});
    scene.tracks.push_back(std::move(track));
    return bound(add_checked({.operation = Operation::track, .index = number}, origin), origin);
}

/// A smooth track is one curve in time through all its keys.
bool Evaluator::check_smooth(const Track& track, const KeyNotes& notes)
{
    if (!notes.is_smooth())
        return true;
    if (notes.smooth + 1 < track.keys.size())
        error(track.origin, "mixed-easings", "`smooth` goes through all keys of a track",
              "write it between all of them, or add two tracks");
    else if (track.along || track.repeats)
        error(track.origin, "smooth-in-time-only",
              track.along ? "a ramp along a curve cannot be smooth"
                          : "a smooth track cannot repeat",
              track.along ? "use the other easings" : "write its keys out, or use sin(time)");
    else
        return true;
    return false;
}

bool Evaluator::evaluate_key(Site site, Track& track, KeyNotes& notes, std::vector<Bound>& values)
{
    const Tree& tree = *site.tree;
    const NodeId value_node = tree.child(site.node, 0), place_node = tree.child(site.node, 1);
    const Bound value = evaluate_operand({&tree, value_node, site.scope});
    const auto at = evaluate_constant({&tree, place_node, site.scope}, "the place of a key");
    if (value.kind == Bound::Kind::poison || !at)
        return false;
    const Token& unit = tree.last_token(site.node);
    const bool along = unit.kind == TokenKind::kw_along;
    const bool frames = unit.kind == TokenKind::kw_frames;
    if (track.keys.empty()) {
        track.along = along;
    } else if (track.along != along) {
        error(tree.origin(unit), "mixed-keys",
              "one track cannot have keys both in time and along a curve",
              "nest them: a key's value may be a track itself");
        return false;
    }
    const bool comparable = !track.keys.empty() && notes.in_frames.back() == frames;
    if (comparable && !(track.keys.back().at < *at)) {
        error(tree.origin(place_node), "keys-out-of-order",
              "the keys are not in order: " + number_text(*at) + " does not come after " +
                  number_text(track.keys.back().at),
              "let each key come later than the one before; for a jump use `hold`");
        return false;
    }
    if (along && (*at < 0 || *at > 1)) {
        error(tree.origin(place_node), "key-off-curve",
              "a place along a curve lies between 0 and 1, this is " + number_text(*at),
              "0 is the first point, 1 the last");
        return false;
    }
    Key key{.at = *at};
    const std::uint32_t before = tree.nodes[site.node].first_token - 1;
    if (!track.keys.empty()) {
        key.easing = easing_of(tree.tokens[before].kind);
        notes.smooth += tree.tokens[before].kind == TokenKind::identifier;
    }
    track.keys.push_back(key);
    notes.in_frames.push_back(frames);
    values.push_back(value);
    return true;
}

bool Evaluator::check_budget(Origin origin)
{
    if (is_exhausted_)
        return false;
    if (scene.formulas.size() + scene.values.size() + scene.tracks.size() + list_entries_ <=
        limits_.value_count)
        return true;
    is_exhausted_ = true;
    error(origin, "too-many-values",
          "the script makes more than " + std::to_string(limits_.value_count) + " values",
          "let its loops end earlier");
    return false;
}

Value Evaluator::add_formula(const Formula& formula)
{
    check_budget({});
    traits_.push_back(make_traits(scene, formula, traits_));
    scene.formulas.push_back(formula);
    return {0, static_cast<std::uint32_t>(scene.formulas.size() - 1)};
}

Value Evaluator::apply(Operation operation, Value a, Value b, Origin origin)
{
    if (a.is_constant() && b.is_constant()) {
        const double result = apply_operation(operation, a.number, b.number);
        if (!std::isfinite(result)) {
            error(origin, "no-such-number", "the result is not a finite number",
                  "check for a root or logarithm of a negative number, a division by "
                  "zero, "
                  "or a value too large");
            return {0};
        }
        return {result};
    }
    return add_checked({.operation = operation, .a = a, .b = b}, origin);
}

/// A formula, or the number 0 and an error when evaluating it would take too long.
Value Evaluator::add_checked(const Formula& formula, Origin origin)
{
    const Value result = add_formula(formula);
    const FormulaTraits& traits = traits_[result.formula];
    if (traits.depth <= kDeepestFormula && traits.size <= kLargestFormula)
        return result;
    scene.formulas.pop_back();
    traits_.pop_back();
    error(origin, "formula-too-large",
          "a formula here is built on more than " + std::to_string(kLargestFormula) +
              " others, or more than " + std::to_string(kDeepestFormula) + " one above the other",
          "shorten the chain of values that depend on one another");
    return {0};
}

/// Values of instances are filled in last: only then can a formula lead back to itself.
void Evaluator::check_formulas()
{
    if (const auto faulty = compute_traits(scene, traits_)) {
        const auto alias = std::find_if(aliases_.begin(), aliases_.end(), [&](const auto& a) {
            return a.formula == *faulty || scene.formulas[*faulty].a.formula == a.formula ||
                   scene.formulas[*faulty].b.formula == a.formula;
        });
        const Site site = alias == aliases_.end() ? Site{main_, main_->root} : alias->site;
        error(site.tree->origin(site.node), "depends-on-itself",
              "this value of an instance depends on itself, or on too many others",
              "break the circle: one of the values must be a number");
        for (Formula& formula : scene.formulas)
            formula = {};
        compute_traits(scene, traits_);
    }
}

std::uint8_t Evaluator::dependence_of(Value value) const
{
    return value.is_constant() ? 0 : traits_[value.formula].dependence;
}

std::string Evaluator::describe_dependence(Value value) const
{
    const std::uint8_t on = dependence_of(value);
    if (on & Dependence::kCoordinate)
        return "a dynamic variable";
    if (on & Dependence::kPosition)
        return "where an object is";
    if (on & Dependence::kImport)
        return "an import";
    if (on & Dependence::kAlong)
        return "the place along a curve";
    return on & Dependence::kTime ? "time" : "a value of an instance";
}

// --- events: `when` and `whenever`. What stands in them acts from the event on.

Bound Evaluator::event_of(Site site)
{
    const auto key = std::make_tuple(site.tree, site.node, site.scope);
    if (const auto known = events_.find(key); known != events_.end())
        return known->second;
    return events_[key] = make_event(site);
}

/// A coordinate for its time t; its value is 1 − (time < t).
Bound Evaluator::make_event(Site site)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(tree.first_token(site.node));
    const NodeId condition_node = tree.child(site.node, 0);
    const auto condition = evaluate_value({&tree, condition_node, site.scope});
    if (!condition)
        return poison();
    if (condition->is_constant()) {
        error(tree.origin(condition_node), "never-changes", "this condition never changes",
              "compare something that moves: a coordinate, a place, time");
        return poison();
    }
    const NodeId second = tree.child(site.node, 1);
    const bool is_named = tree.nodes[second].kind == NodeKind::name;
    const CoordinateId coordinate{static_cast<std::uint32_t>(scene.coordinates.size())};
    scene.coordinates.push_back(
        {.name = is_named ? std::string(tree.text(second)) : std::string("when"),
         .initial = kNever,
         .origin = origin,
         .kind = CoordinateKind::event});
    coordinate_scopes_.push_back(site.scope);
    Event event;
    event.time = coordinate;
    event.condition = *condition;
    event.repeats = tree.text(tree.first_token(site.node)) == "whenever";
    event.origin = tree.origin(condition_node);
    scene.events.push_back(std::move(event));
    const Value at = add_formula({.operation = Operation::coordinate, .index = coordinate.index});
    const Value now = add_formula({.operation = Operation::time});
    const Value before = apply(Operation::less, now, at, origin);
    Bound result = bound(apply(Operation::subtract, Value{1}, before, origin), origin);
    result.coordinate = coordinate;
    return result;
}

/// How much acts so far: a statement in an event adds to these.
std::vector<std::size_t> Evaluator::sizes_of_acting() const
{
    return {constraints_.size(),       scene.forces.size(), scene.torques.size(),
            scene.turn_torques.size(), scene.drags.size(),  scene.coordinate_springs.size()};
}

/// What was added since acts while the latch is 1.
void Evaluator::begin_at(Value latch, const std::vector<std::size_t>& before)
{
    const auto hold_back = [&](Origin origin, auto&... values) {
        ((values = apply(Operation::multiply, latch, values, origin)), ...);
    };
    for (std::size_t i = before[0]; i < constraints_.size(); ++i)
        hold_back(constraints_[i].origin, constraints_[i].release.active);
    for (std::size_t i = before[1]; i < scene.forces.size(); ++i)
        hold_back(scene.forces[i].origin, scene.forces[i].x, scene.forces[i].y, scene.forces[i].z);
    for (std::size_t i = before[2]; i < scene.torques.size(); ++i)
        hold_back(scene.torques[i].origin, scene.torques[i].value);
    for (std::size_t i = before[3]; i < scene.turn_torques.size(); ++i) {
        TurnTorque& t = scene.turn_torques[i];
        hold_back(t.origin, t.x, t.y, t.z, t.stiffness, t.damping);
    }
    for (std::size_t i = before[4]; i < scene.drags.size(); ++i)
        hold_back(scene.drags[i].origin, scene.drags[i].coefficient);
    for (std::size_t i = before[5]; i < scene.coordinate_springs.size(); ++i)
        hold_back(scene.coordinate_springs[i].origin, scene.coordinate_springs[i].stiffness,
                  scene.coordinate_springs[i].damping);
}

} // namespace sinew::charli
