// Calls of the table's words: which signature, which argument goes where, and whether it fits.

#include "charli/evaluate/evaluator.h"
#include "charli/text/lexer.h"

#include "base/text.h"

#include <algorithm>
#include <cstdlib>
#include <numbers>
#include <optional>

namespace sinew::charli {

namespace {

/// What a unit measures; arguments that measure something else get a warning.
std::string_view dimension_of(TokenKind unit)
{
    switch (unit) {
    case TokenKind::identifier: // m
    case TokenKind::unit_mm:
    case TokenKind::unit_cm:
    case TokenKind::unit_km: return "length";
    case TokenKind::unit_gram:
    case TokenKind::unit_kg: return "mass";
    case TokenKind::unit_ms:
    case TokenKind::unit_sec: return "time";
    case TokenKind::unit_fps: return "frame rate";
    default: return "angle";
    }
}

std::string_view dimension_of(std::string_view unit)
{
    return unit == "m"     ? "length"
           : unit == "kg"  ? "mass"
           : unit == "s"   ? "time"
           : unit == "rad" ? "angle"
           : unit == "fps" ? "frame rate"
                           : "";
}

/// `left.x`: a position, whatever is declared in the def.
bool is_position(const Tree& tree, NodeId node)
{
    const std::string_view last = tree.text(tree.last_token(node));
    return tree.nodes[node].kind == NodeKind::name && tree.nodes[node].first_child != kNoNode &&
           (last == "x" || last == "y" || last == "z");
}

std::string with_article(std::string_view dimension)
{
    return (dimension == "angle" ? "an " : "a ") + std::string(dimension);
}

std::size_t required_count(Signature signature)
{
    return static_cast<std::size_t>(std::count_if(
        signature.begin(), signature.end(), [](const Argument& a) { return !a.is_optional; }));
}

bool takes_list(Signature signature) { return !signature.empty() && signature.back().is_list(); }

/// Words whose values may depend on how fast coordinates change.
bool takes_rates(const Word& word)
{
    return word.kind == WordKind::function || word.name == "force" || word.name == "torque" ||
           word.name == "drag" || word.name == "probe" || word.name == "set_rate";
}

/// Words that take whole lists do not get their components.
bool takes_whole_lists(const Word& word)
{
    const Signature first = word.signatures[0];
    return std::any_of(first.begin(), first.end(), [](const Argument& a) {
        return a.kind == ArgumentKind::list || a.kind == ArgumentKind::anything;
    });
}

} // namespace

/// Whether the arguments given, some of them by name, may go with a signature.
bool Evaluator::fits(const Tree& tree, const std::vector<Given>& given, Signature signature) const
{
    if (takes_list(signature))
        return given.size() > signature.size();
    std::size_t by_place = 0, wanted = required_count(signature);
    for (const Given& argument : given) {
        if (!argument.is_named) {
            ++by_place;
            continue;
        }
        const std::string_view name = tree.text(tree.first_token(argument.node));
        wanted -= std::any_of(signature.begin(), signature.end(),
                              [&](const Argument& a) { return a.name == name && !a.is_optional; });
    }
    return by_place >= wanted && given.size() <= signature.size();
}

/// The arguments of a call; a vector stands for its components.
std::vector<Evaluator::Given> Evaluator::expand_arguments(Site call, const Word& word)
{
    const Tree& tree = *call.tree;
    std::vector<Given> given;
    if (tree.nodes[call.node].kind != NodeKind::call)
        return given;
    for (NodeId node = tree.nodes[tree.nodes[call.node].first_child].next; node != kNoNode;
         node = tree.nodes[node].next) {
        const bool is_named = tree.nodes[node].kind == NodeKind::named;
        if (is_named)
            given.push_back({node, tree.nodes[node].first_child, true});
        else
            expand_argument({&tree, node, call.scope}, word, given);
    }
    return given;
}

void Evaluator::expand_argument(Site site, const Word& word, std::vector<Given>& out)
{
    const Tree& tree = *site.tree;
    if (takes_whole_lists(word)) {
        out.push_back({site.node, site.node});
        return;
    }
    if (tree.nodes[site.node].kind == NodeKind::list) {
        for (const NodeId child : children(tree, site.node))
            expand_argument({&tree, child, site.scope}, word, out);
        return;
    }
    const std::optional<Bound> vector = find_vector(site);
    if (!vector) {
        out.push_back({site.node, site.node});
        return;
    }
    std::vector<Bound> entries = {*vector};
    for (std::size_t i = 0; i < entries.size();) { // a list of points: flat
        if (entries[i].kind != Bound::Kind::list) {
            ++i;
            continue;
        }
        const std::vector<Bound>& inner = lists_[entries[i].list];
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
        entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(),
                       inner.end());
    }
    for (Bound& entry : entries)
        out.push_back({site.node, site.node, false, entry});
}

/// Whether an argument by its looks may be of a kind: a call or a variable is no object, a sum or
/// a variable that is a number no path, what is no string no file.
bool Evaluator::may_be(Site site, ArgumentKind kind) const
{
    const Tree& tree = *site.tree;
    const NodeKind node = tree.nodes[site.node].kind;
    const bool wants_text = kind == ArgumentKind::file || kind == ArgumentKind::text;
    if (wants_text && node == NodeKind::name) {
        const BindingId id = scopes_.find(site.scope, tree.first_token(site.node).symbol);
        return id != kNoBinding && scopes_.binding(id).bound.kind == Bound::Kind::text;
    }
    if (wants_text != (node == NodeKind::string))
        return false;
    if (kind == ArgumentKind::along)
        return node == NodeKind::along;
    if (kind == ArgumentKind::turn) {
        const BindingId id = scopes_.find(site.scope, tree.first_token(site.node).symbol);
        const bool is_member =
            node == NodeKind::name && tree.nodes[site.node].first_child != kNoNode;
        return id == kNoBinding ? is_member
                                : scopes_.binding(id).is_ball ||
                                      scopes_.binding(id).bound.kind == Bound::Kind::turn;
    }
    const bool wants_path = kind == ArgumentKind::path;
    if (kind != ArgumentKind::object && !wants_path)
        return true;
    if (node != NodeKind::name)
        return node == (wants_path ? NodeKind::call : NodeKind::along);
    const BindingId id = scopes_.find(site.scope, tree.first_token(site.node).symbol);
    if (id == kNoBinding)
        return true;
    const Binding& binding = scopes_.binding(id);
    if (wants_path)
        return binding.bound.kind != Bound::Kind::value;
    return binding.kind != BindingKind::variable && binding.bound.kind != Bound::Kind::path;
}

/// Whether an argument may be one of the words listed: a name that is bound to no number.
bool Evaluator::may_be_word(Site site, std::string_view words) const
{
    const Tree& tree = *site.tree;
    if (tree.nodes[site.node].kind != NodeKind::name)
        return false;
    const BindingId id = scopes_.find(site.scope, tree.first_token(site.node).symbol);
    const std::string choices = " " + std::string(words) + " ";
    return id == kNoBinding || scopes_.binding(id).bound.kind == Bound::Kind::text ||
           choices.find(" " + std::string(tree.text(site.node)) + " ") != std::string::npos;
}

bool Evaluator::may_be(Site site, const Given& given, const Argument& argument) const
{
    if (given.is_named)
        return true;
    if (given.known)
        return argument.kind == ArgumentKind::value || argument.kind == ArgumentKind::number;
    site.node = given.node;
    return argument.kind == ArgumentKind::word ? may_be_word(site, argument.words)
                                               : may_be(site, argument.kind);
}

const Signature* Evaluator::choose_signature(Site call, const Word& word,
                                             const std::vector<Given>& nodes)
{
    if (word.signatures.size() == 1)
        return &word.signatures[0];
    const std::size_t given = nodes.size();
    if (word.kind == WordKind::setting) { // numbers, or a file: quotes say which is meant
        const bool is_file = given > 0 && !nodes[0].known &&
                             may_be({call.tree, nodes[0].node, call.scope}, ArgumentKind::file);
        for (const Signature& signature : word.signatures)
            if ((signature[0].kind == ArgumentKind::file) == is_file)
                return &signature;
    }
    const Signature* by_count = nullptr;
    for (const Signature& signature : word.signatures) {
        if (!fits(*call.tree, nodes, signature))
            continue;
        bool looks_right = true;
        for (std::size_t i = 0; i < given && i < signature.size(); ++i)
            looks_right = looks_right && may_be(call, nodes[i], signature[i]);
        if (looks_right)
            return &signature;
        if (!by_count && signature[0].kind != ArgumentKind::turn)
            by_count = &signature;
    }
    if (by_count)
        return by_count;
    std::string forms;
    for (const Signature& signature : word.signatures)
        forms += (forms.empty() ? "" : " or ") + signature_text(word, signature);
    error(call.tree->origin(call.node), "wrong-argument-count",
          "'" + std::string(word.name) + "' does not take " + std::to_string(given) +
              (given == 1 ? " argument" : " arguments"),
          "write " + forms);
    return nullptr;
}

/// Which argument of the signature a name means; none, with a message, where there is no such name.
std::optional<std::size_t> Evaluator::find_argument(const Token& token, Site call, const Word& word,
                                                    Signature signature)
{
    const std::string_view wanted = call.tree->text(token);
    const auto found = std::find_if(signature.begin(), signature.end(),
                                    [&](const Argument& a) { return a.name == wanted; });
    if (found != signature.end() && !found->is_list())
        return found - signature.begin();
    std::vector<std::string_view> candidates;
    for (const Argument& argument : signature)
        if (!argument.is_list())
            candidates.push_back(argument.name);
    error(call.tree->origin(token), "unknown-argument",
          "'" + std::string(word.name) + "' has no argument '" + excerpt(wanted) + "'",
          similar_hint(wanted, candidates, "write " + signature_text(word, signature)));
    return std::nullopt;
}

void Evaluator::report_too_many(Origin origin, const Word& word, Signature signature,
                                std::size_t given)
{
    std::string takes = " takes no arguments";
    if (!signature.empty())
        takes = std::string(" takes ") +
                (required_count(signature) < signature.size() ? "at most " : "") +
                std::to_string(signature.size()) +
                (signature.size() == 1 ? " argument, " : " arguments, ") + std::to_string(given) +
                " are given";
    error(origin, "too-many-arguments", "'" + std::string(word.name) + "'" + takes,
          "write " + signature_text(word, signature));
}

/// Whether all arguments that may not be missing are there, and as many of a list as it needs. What
/// is missing is poison from here on; `is_told` where an argument by a wrong name explains it.
void Evaluator::require_arguments(Site call, const Word& word, bool is_told, Arguments& out)
{
    const Signature signature = out.signature;
    const Origin origin = call.tree->origin(call.node);
    const std::string quoted = "'" + std::string(word.name) + "'";
    if (takes_list(signature) && signature.back().least_points > 0 && out.points.empty() &&
        out.values.empty() && out.is_good) {
        error(origin, "missing-points",
              quoted + " needs at least " + std::to_string(signature.back().least_points) +
                  (signature.back().kind == ArgumentKind::points    ? " points"
                   : signature.back().kind == ArgumentKind::numbers ? " numbers"
                                                                    : " values"),
              "write `" + std::string(word.example) + "`");
        out.is_good = false;
    }
    std::string missing;
    int missing_count = 0;
    std::string_view meaning;
    for (std::size_t i = 0; i < out.bound.size(); ++i)
        if (out.bound[i].kind == Bound::Kind::none && !signature[i].is_optional) {
            missing += (missing_count++ == 0 ? "'" : ", '") + std::string(signature[i].name) + "'";
            meaning = signature[i].meaning;
            out.is_good = false;
            out.bound[i].kind = Bound::Kind::poison;
        }
    if (missing_count == 0 || is_told)
        return;
    if (missing_count == 1 && !meaning.empty())
        missing += " (" + std::string(meaning) + ")";
    error(origin, "missing-argument",
          quoted + (missing_count == 1 ? " needs its argument " : " needs its arguments ") +
              missing,
          "write " + signature_text(word, signature));
}

Evaluator::Arguments Evaluator::bind_arguments(Site call, const Word& word)
{
    const Tree& tree = *call.tree;
    Arguments out;
    const std::vector<Given> nodes = expand_arguments(call, word);
    const Signature* chosen = choose_signature(call, word, nodes);
    if (!chosen) {
        out.is_good = false;
        return out;
    }
    const Signature signature = out.signature = *chosen;
    out.bound.resize(signature.size() - takes_list(signature));

    std::size_t next = 0;
    bool is_misnamed = false;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const NodeId node = nodes[k].node;
        std::size_t i = next;
        if (nodes[k].is_named) {
            const auto found = find_argument(tree.first_token(node), call, word, signature);
            if (!found) {
                out.is_good = false;
                is_misnamed = true;
                continue;
            }
            i = *found;
        } else if (i < signature.size() && signature[i].is_list()) {
            bind_points(call, word, signature[i], nodes, k, out);
            break;
        }
        if (i >= signature.size()) {
            report_too_many(tree.origin(node), word, signature, nodes.size());
            out.is_good = false;
            break;
        }
        if (out.bound[i].kind != Bound::Kind::none) {
            error(tree.origin(node), "argument-twice",
                  "the argument '" + std::string(signature[i].name) + "' is given twice",
                  "remove one");
            out.is_good = false;
            is_misnamed = true;
            continue;
        }
        bind_argument(call, nodes[k], word, signature[i], out.bound[i], out);
        next = i + 1;
    }
    require_arguments(call, word, is_misnamed, out);
    return out;
}

void Evaluator::bind_argument(Site call, const Given& given, const Word& word,
                              const Argument& argument, Bound& bound, Arguments& out)
{
    const Site site{call.tree, given.value, call.scope};
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    const std::string what =
        "the argument '" + std::string(argument.name) + "' of '" + std::string(word.name) + "'";
    bound.kind = Bound::Kind::poison;
    switch (argument.kind) {
    case ArgumentKind::word: return bind_word(site, word, argument, bound, out);
    case ArgumentKind::file:
    case ArgumentKind::text: return bind_text(site, word, argument, bound, out);
    case ArgumentKind::list: return bind_list(site, what, bound, out);
    case ArgumentKind::along: return bind_along(site, word, bound, out);
    case ArgumentKind::object:
        bound = {.kind = Bound::Kind::object, .object = find_object(site), .origin = origin};
        out.is_good = out.is_good && bound.object.is_valid();
        return;
    case ArgumentKind::path:
    case ArgumentKind::turn:
    case ArgumentKind::event:
    case ArgumentKind::coordinate: return bind_path_or_coordinate(site, argument, what, bound, out);
    default: break;
    }
    const auto value = evaluate_argument(site, given, argument, what);
    if (!value) {
        out.is_good = false;
        return;
    }
    bound = {.kind = Bound::Kind::value, .value = *value, .origin = origin};
    if ((dependence_of(*value) & Dependence::kAlong) != 0 && word.kind != WordKind::function &&
        !argument.may_ramp) {
        error(origin, "ramp-out-of-place", what + " cannot change along a curve",
              "use keys in `sec` or `frames`; `along` is for strands and rods");
        out.is_good = false;
    }
    if ((dependence_of(*value) & Dependence::kRate) != 0 && !takes_rates(word)) {
        error(origin, "rate-out-of-place", what + " cannot depend on a rate",
              "rates can be used in force, torque, drag and probe");
        out.is_good = false;
    }
    if ((dependence_of(*value) & Dependence::kContact) != 0 && word.kind != WordKind::function &&
        word.name != "probe") {
        error(origin, "contact-out-of-place",
              what + " cannot depend on a contact, a constraint force or an energy",
              "compare it in a condition: `when contact_force(a, b) > 0 as touched end;`, and use "
              "`touched` here");
        out.is_good = false;
    }
    check_range(site, word, argument, *value, out);
    if (given.known)
        return;
    check_unit(site, word, argument);
    check_degrees(site, word, argument);
}

void Evaluator::bind_path_or_coordinate(Site site, const Argument& argument,
                                        const std::string& what, Bound& bound, Arguments& out)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    const Bound found = evaluate(site);
    const bool wants_path = argument.kind == ArgumentKind::path;
    const bool wants_turn = argument.kind == ArgumentKind::turn;
    const bool wants_event = argument.kind == ArgumentKind::event;
    const bool is_event = found.kind == Bound::Kind::value && found.coordinate.is_valid();
    const bool is_right = wants_event ? is_event
                                      : found.kind == (wants_path   ? Bound::Kind::path
                                                       : wants_turn ? Bound::Kind::turn
                                                                    : Bound::Kind::coordinate);
    if (is_right)
        bound = found;
    else if (found.kind == Bound::Kind::object && found.pending != Bound::kNotPending)
        report_unknown_object(pending_objects_[found.pending]);
    else if (found.kind != Bound::Kind::poison && wants_path)
        error(origin, "not-a-path", what + " must be a path",
              "write point(...), line(...), spline(...) or the name of one");
    else if (found.kind != Bound::Kind::poison && wants_event)
        error(origin, "not-an-event", what + " must be the name of an event",
              "name one: `when a_x > 2 as thrown end;`");
    else if (found.kind != Bound::Kind::poison && wants_turn)
        error(origin, "not-a-ball", what + " must be a dynamic ball",
              "declare it: `dynamic ball q;`, and name it alone");
    else if (found.kind != Bound::Kind::poison)
        error(origin, "not-a-coordinate", what + " must be a dynamic variable",
              is_position(tree, site.node)
                  ? "`" + excerpt(tree.text(site.node)) +
                        "` is a position: give the variable in the def another name"
                  : "declare it: `dynamic theta;`, and name it alone");
    out.is_good = out.is_good && is_right;
}

void Evaluator::bind_list(Site site, const std::string& what, Bound& bound, Arguments& out)
{
    Bound found = evaluate(site);
    if (found.kind == Bound::Kind::object)
        found = place_of(found, site);
    const bool is_right = found.kind == Bound::Kind::list;
    if (is_right)
        bound = found;
    else if (found.kind != Bound::Kind::poison)
        error(site.tree->origin(site.node), "not-a-list", what + " must be a list",
              "write [1, 2, 3], or a vector: (1, 2, 3)");
    out.is_good = out.is_good && is_right;
}

std::optional<Value> Evaluator::evaluate_argument(Site site, const Given& given,
                                                  const Argument& argument, const std::string& what)
{
    const Bound found = given.known ? *given.known : evaluate(site);
    if (argument.kind == ArgumentKind::number) {
        const auto number = as_constant(found, site, what);
        return number ? std::optional(Value{*number}) : std::nullopt;
    }
    if (argument.kind != ArgumentKind::whole)
        return as_value(found, site);
    constexpr std::int64_t kMost = 1'000'000;
    const auto whole = as_whole(found, site, what);
    if (whole && std::abs(*whole) > kMost) {
        error(site.tree->origin(site.node), "out-of-range",
              what + " is larger than " + std::to_string(kMost), "write a smaller number");
        return std::nullopt;
    }
    return whole ? std::optional(Value{static_cast<double>(*whole)}) : std::nullopt;
}

/// A text, or the name of a file, without its quotes.
void Evaluator::bind_text(Site site, const Word& word, const Argument& argument, Bound& bound,
                          Arguments& out)
{
    const Tree& tree = *site.tree;
    const NodeKind kind = tree.nodes[site.node].kind;
    const bool may_be_text =
        kind == NodeKind::string || kind == NodeKind::choice || kind == NodeKind::element ||
        (kind == NodeKind::name &&
         scopes_.find(site.scope, tree.first_token(site.node).symbol) != kNoBinding);
    const Bound found = may_be_text ? evaluate(site) : Bound{};
    out.is_good = out.is_good && found.kind == Bound::Kind::text;
    if (found.kind == Bound::Kind::text)
        bound = found;
    else if (found.kind != Bound::Kind::poison)
        error(tree.origin(site.node),
              argument.kind == ArgumentKind::file ? "expected-file" : "expected-text",
              "the argument '" + std::string(argument.name) + "' of '" + std::string(word.name) +
                  "' must be " +
                  (argument.kind == ArgumentKind::file ? "the name of a file" : "a string"),
              "in quotes: `" + std::string(word.example) + "`");
}

/// One argument of a list of points: a number, a vector or an object, whose place is meant.
bool Evaluator::add_points_of(Site site, const Word& word, const Argument& argument, Arguments& out)
{
    Bound found = evaluate(site);
    if (found.kind == Bound::Kind::object && argument.kind == ArgumentKind::points)
        found = place_of(found, site);
    if (found.kind == Bound::Kind::list) {
        const auto values = vector_of(found, site.tree->origin(site.node));
        if (values)
            out.points.insert(out.points.end(), values->begin(), values->end());
        return values.has_value();
    }
    const auto value = as_value(found, site);
    out.points.push_back(value.value_or(Value{}));
    if (value)
        check_unit(site, word, argument);
    return value.has_value();
}

void Evaluator::bind_points(Site call, const Word& word, const Argument& argument,
                            const std::vector<Given>& nodes, std::size_t first, Arguments& out)
{
    const Tree& tree = *call.tree;
    for (std::size_t k = first; k < nodes.size(); ++k) {
        const NodeId node = nodes[k].node;
        if (nodes[k].is_named) {
            error(tree.origin(node), "unknown-argument",
                  "'" + std::string(word.name) + "' takes" +
                      (argument.kind == ArgumentKind::points ? " points" : " numbers") +
                      " only, without names",
                  "write `" + std::string(word.example) + "`");
            out.is_good = false;
        } else if (argument.kind == ArgumentKind::anything) {
            out.values.push_back(evaluate({&tree, node, call.scope}));
            out.is_good = out.is_good && out.values.back().kind != Bound::Kind::poison;
        } else if (nodes[k].known) {
            const auto value = as_value(*nodes[k].known, {&tree, node, call.scope});
            out.points.push_back(value.value_or(Value{}));
            out.is_good = out.is_good && value;
        } else {
            out.is_good =
                add_points_of({&tree, node, call.scope}, word, argument, out) && out.is_good;
        }
    }
    if (!check_budget(tree.origin(call.node)))
        out.is_good = false;
    if (argument.kind == ArgumentKind::anything || !out.is_good)
        return;
    const std::size_t count = out.points.size();
    const std::string quoted = "'" + std::string(word.name) + "'";
    const auto least = static_cast<std::size_t>(argument.least_points);
    const auto most = static_cast<std::size_t>(argument.most_points);
    const bool are_points = argument.kind == ArgumentKind::points;
    const std::size_t each = are_points ? 3 : 1;
    const std::string things = are_points ? " points" : " numbers";
    if (count % each != 0) {
        error(tree.origin(call.node), "points-not-triples",
              quoted + " takes x, y, z of each point; " + std::to_string(count) +
                  " numbers are not whole points",
              "give three numbers for each point");
        out.is_good = false;
    } else if (count < each * least || (most > 0 && count > each * most)) {
        const bool too_few = count < each * least;
        error(tree.origin(call.node), too_few ? "too-few-points" : "too-many-points",
              quoted + " takes " +
                  (least == most ? ""
                   : too_few     ? "at least "
                                 : "at most ") +
                  std::to_string(too_few ? least : most) + things + ", " +
                  std::to_string(count / each) + (count == each ? " is given" : " are given"),
              too_few ? "add" + things : "for more points use polyline(...) or polygon(...)");
        out.is_good = false;
    }
}

void Evaluator::bind_word(Site site, const Word& word, const Argument& argument, Bound& bound,
                          Arguments& out)
{
    const Tree& tree = *site.tree;
    std::string_view given = tree.text(site.node);
    if (const BindingId id = scopes_.find(site.scope, tree.first_token(site.node).symbol);
        tree.nodes[site.node].kind == NodeKind::name && id != kNoBinding &&
        scopes_.binding(id).bound.kind == Bound::Kind::text) {
        scopes_.binding(id).is_used = true;
        given = scopes_.binding(id).bound.text;
    }
    std::vector<std::string_view> choices;
    std::string list;
    for (std::size_t at = 0; at < argument.words.size();) {
        const std::size_t end = std::min(argument.words.find(' ', at), argument.words.size());
        choices.push_back(argument.words.substr(at, end - at));
        list += (list.empty() ? "" : ", ") + std::string(choices.back());
        at = end + 1;
    }
    const auto found = std::find(choices.begin(), choices.end(), given);
    if (found == choices.end()) {
        error(tree.origin(site.node), "unknown-choice",
              "'" + excerpt(given) + "' is not a choice for '" + std::string(argument.name) +
                  "' of '" + std::string(word.name) + "'",
              similar_hint(given, choices, "choose one of: " + list));
        out.is_good = false;
        return;
    }
    bound = {.kind = Bound::Kind::word, .text = *found, .origin = tree.origin(site.node)};
}

void Evaluator::check_range(Site site, const Word& word, const Argument& argument, Value value,
                            Arguments& out)
{
    if (!value.is_constant() || argument.range == Range::any)
        return;
    const double x = value.number;
    const bool fits = argument.range == Range::positive       ? x > 0
                      : argument.range == Range::not_negative ? x >= 0
                                                              : x >= 0 && x <= 1;
    if (fits)
        return;
    const std::string wanted = argument.range == Range::positive       ? "must be positive"
                               : argument.range == Range::not_negative ? "must not be negative"
                                                                       : "must lie between 0 and 1";
    const std::string unit = argument.unit.empty() ? "" : " " + std::string(argument.unit);
    std::string hint = "write a number from 0 to 1";
    if (word.kind == WordKind::body && argument.range == Range::positive)
        hint = "for what forces and contacts do not move write `obstacle();`";
    else if (argument.name == "mass")
        hint = "for a point without mass write `label()`; what has no free transformation does not "
               "move anyway";
    else if (argument.range == Range::not_negative)
        hint = "write 0 or more";
    else if (argument.range == Range::positive)
        hint = "write a number above 0";
    error(site.tree->origin(site.node), "out-of-range",
          "'" + std::string(argument.name) + "' of '" + std::string(word.name) + "' " + wanted +
              ", is " + number_text(x) + unit,
          hint);
    out.is_good = false;
}

void Evaluator::check_unit(Site site, const Word& word, const Argument& argument)
{
    const Tree& tree = *site.tree;
    NodeId node = site.node;
    while (tree.nodes[node].kind == NodeKind::negate || tree.nodes[node].kind == NodeKind::paren)
        node = tree.nodes[node].first_child;
    const Node& number = tree.nodes[node];
    if (number.kind != NodeKind::number || number.last_token == number.first_token)
        return;
    const std::string_view given = dimension_of(tree.tokens[number.last_token].kind);
    const std::string_view wanted = dimension_of(argument.unit);
    if (wanted.empty() || given == wanted)
        return;
    report_.warning(tree.origin(node), "unit-mismatch",
                    "'" + std::string(argument.name) + "' of '" + std::string(word.name) + "' is " +
                        with_article(wanted) + ", " + std::string(tree.text(node)) + " is " +
                        with_article(given),
                    "use a unit of " + std::string(wanted) + ", or none");
}

/// `rotatez(90)` turns by 90 radians: mostly degrees are meant.
void Evaluator::check_degrees(Site site, const Word& word, const Argument& argument)
{
    const Tree& tree = *site.tree;
    NodeId node = site.node;
    while (tree.nodes[node].kind == NodeKind::negate || tree.nodes[node].kind == NodeKind::paren)
        node = tree.nodes[node].first_child;
    const Node& number = tree.nodes[node];
    if (word.kind != WordKind::transformation || argument.unit != "rad" ||
        number.kind != NodeKind::number || number.last_token != number.first_token ||
        number_value(tree.text(node)) <= 2 * std::numbers::pi)
        return;
    const std::string text(tree.text(node));
    report_.warning(tree.origin(node), "degrees-meant",
                    "this is an angle of " + text + " radians, more than a full turn",
                    "if degrees are meant, write " + text + " deg");
}

} // namespace sinew::charli
