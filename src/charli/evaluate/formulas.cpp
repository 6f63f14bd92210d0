// Tracks and formulas: values that move.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "scene/formula.h"

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
    std::vector<bool> in_frames;
    std::vector<Bound> values;
    bool is_good = true;
    for (const NodeId key : children(tree, site.node))
        is_good = evaluate_key({&tree, key, site.scope}, track, in_frames, values) && is_good;
    if (!is_good || !check_budget(track.origin))
        return poison();
    if (track.repeats && (track.along || track.keys.size() < 2)) {
        error(track.origin, "cannot-repeat",
              track.along ? "a ramp along a curve cannot repeat"
                          : "a track of one key cannot repeat",
              track.along ? "use keys in `sec` or `frames`" : "add a key, or remove `repeat`");
        return poison();
    }
    return add_tracks(track, in_frames, values);
}

/// One track; of keys that are vectors one for each component.
Bound Evaluator::add_tracks(Track track, const std::vector<bool>& in_frames,
                            const std::vector<Bound>& values)
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
        tracks.push_back(add_track(track, in_frames));
    }
    return is_vector ? add_list(std::move(tracks), track.origin) : tracks[0];
}

Bound Evaluator::add_track(Track track, const std::vector<bool>& in_frames)
{
    const auto number = static_cast<std::uint32_t>(scene.tracks.size());
    for (std::size_t i = 0; i < in_frames.size(); ++i)
        if (in_frames[i])
            pending_frames_.push_back({number, static_cast<std::uint32_t>(i)});
    const Origin origin = track.origin;
    scene.tracks.push_back(std::move(track));
    return bound(add_checked({.operation = Operation::track, .index = number}, origin), origin);
}

bool Evaluator::evaluate_key(Site site, Track& track, std::vector<bool>& in_frames,
                             std::vector<Bound>& values)
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
    const bool comparable = !track.keys.empty() && in_frames.back() == frames;
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
    if (!track.keys.empty())
        key.easing = easing_of(tree.tokens[before].kind);
    track.keys.push_back(key);
    in_frames.push_back(frames);
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
            error(origin, "no-such-number", "the result is no finite number",
                  "look at what goes in: a root or logarithm of a negative number, a division by "
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

} // namespace sinew::charli
