// Lists and vectors, functions of the script, local names in expressions, choices.
//
// A vector is a list of numbers. Arithmetic goes component by component; what moves becomes a
// formula of the scene for each component.

#include "charli/evaluate/evaluator.h"

#include "base/hash.h"
#include "base/text.h"
#include "math/functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::charli {

namespace {

bool is_number(const Bound& bound)
{
    return bound.kind == Bound::Kind::value || bound.kind == Bound::Kind::coordinate;
}

/// Uniform in [0, 1): the upper 53 bits of a mixed pair (splitmix64).
double random_number(double seed, double number)
{
    std::uint64_t x = Hash().add(seed).add(number).value();
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

} // namespace

Bound Evaluator::add_list(std::vector<Bound> elements, Origin origin)
{
    list_entries_ += elements.size();
    if (!check_budget(origin))
        return poison();
    lists_.push_back(std::move(elements));
    return {.kind = Bound::Kind::list,
            .list = static_cast<std::uint32_t>(lists_.size() - 1),
            .origin = origin};
}

Bound Evaluator::evaluate_list(Site site)
{
    std::vector<Bound> elements;
    bool is_good = true;
    for (const NodeId child : children(*site.tree, site.node)) {
        elements.push_back(evaluate({site.tree, child, site.scope}));
        is_good = is_good && elements.back().kind != Bound::Kind::poison;
    }
    return is_good ? add_list(std::move(elements), site.tree->origin(site.node)) : poison();
}

Bound Evaluator::element_of(const Bound& list, std::int64_t index, Origin origin)
{
    if (list.kind == Bound::Kind::poison)
        return poison();
    if (list.kind != Bound::Kind::list) {
        error(origin, "not-a-list", "this is not a list and has no elements",
              "write [1, 2, 3], or a vector: (1, 2, 3)");
        return poison();
    }
    const std::vector<Bound>& elements = lists_[list.list];
    if (index >= 0 && index < static_cast<std::int64_t>(elements.size()))
        return elements[static_cast<std::size_t>(index)];
    error(origin, "no-such-element",
          "the list has " + std::to_string(elements.size()) + " elements, none with the number " +
              std::to_string(index),
          elements.empty() ? "it is empty"
                           : "they are counted from 0 to " + std::to_string(elements.size() - 1));
    return poison();
}

Bound Evaluator::component_of(const Bound& list, std::string_view axis, Origin origin)
{
    return element_of(list, axis[0] - 'x', origin);
}

/// f(x)[1], (a, b, c).x
Bound Evaluator::evaluate_component(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId value = tree.child(site.node, 0), index_node = tree.child(site.node, 1);
    const Bound list = evaluate({&tree, value, site.scope});
    const Origin origin = tree.origin(site.node);
    if (index_node == kNoNode)
        return component_of(list, tree.text(tree.last_token(site.node)), origin);
    const auto index = evaluate_whole({&tree, index_node, site.scope}, "an index");
    return index ? element_of(list, *index, origin) : poison();
}

/// A number or a list; anything else is an error.
Bound Evaluator::evaluate_operand(Site site)
{
    const Bound found = evaluate(site);
    if (found.kind == Bound::Kind::list)
        return found;
    const auto value = as_value(found, site);
    return value ? bound(*value, site.tree->origin(site.node)) : poison();
}

/// a ∘ b, component by component where they are lists.
Bound Evaluator::combine(Operation operation, const Bound& a, const Bound& b, Origin origin)
{
    if (a.kind == Bound::Kind::poison || b.kind == Bound::Kind::poison)
        return poison();
    const bool is_list_a = a.kind == Bound::Kind::list, is_list_b = b.kind == Bound::Kind::list;
    if (!is_list_a && !is_list_b)
        return is_number(a) && is_number(b)
                   ? bound(apply(operation, a.value, b.value, origin), origin)
                   : poison();
    const bool is_sum = operation == Operation::add || operation == Operation::subtract;
    const bool are_alike = is_list_a && is_list_b && lists_[a.list].size() == lists_[b.list].size();
    const bool is_scaled =
        !is_sum && !(is_list_a && is_list_b) && (operation == Operation::multiply || !is_list_b);
    if (!(is_sum ? are_alike : is_scaled)) {
        error(origin, "vector-arithmetic",
              is_sum ? "these cannot be added: they are not vectors of equal length"
                     : "vectors are multiplied and divided by numbers only",
              is_sum ? "add vectors to vectors"
                     : "between vectors there are dot(a, b) and cross(a, b)");
        return poison();
    }
    std::vector<Bound> result(lists_[is_list_a ? a.list : b.list].size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Bound left = is_list_a ? lists_[a.list][i] : a;
        const Bound right = is_list_b ? lists_[b.list][i] : b;
        result[i] = combine(operation, left, right, origin);
        if (result[i].kind == Bound::Kind::poison)
            return poison();
    }
    return add_list(std::move(result), origin);
}

/// let(a = 1, b = 2 * a) a + b: each name may use those before it.
Bound Evaluator::evaluate_let(Site site)
{
    const Tree& tree = *site.tree;
    ScopeId scope = site.scope;
    for (const NodeId part : children(tree, site.node)) {
        if (tree.nodes[part].kind != NodeKind::named || tree.nodes[part].next == kNoNode)
            return evaluate({&tree, part, scope});
        const Bound value = evaluate({&tree, tree.nodes[part].first_child, scope});
        scope = scopes_.add(scope, scopes_[scope].object);
        const BindingId id =
            add_binding({&tree, part, scope}, tree.first_token(part), BindingKind::local);
        scopes_.binding(id).state = Binding::State::done;
        scopes_.binding(id).bound = value;
    }
    return poison();
}

/// condition ? a : b. A condition that is known chooses at once, and the other is not looked at.
Bound Evaluator::evaluate_choice(Site site)
{
    const Tree& tree = *site.tree;
    const Site condition{&tree, tree.child(site.node, 0), site.scope};
    const Site first{&tree, tree.child(site.node, 1), site.scope};
    const Site second{&tree, tree.child(site.node, 2), site.scope};
    const auto known = evaluate_value(condition);
    if (!known)
        return poison();
    if (known->is_constant())
        return evaluate(known->number != 0 ? first : second);
    return choose(*known, evaluate_operand(first), evaluate_operand(second),
                  tree.origin(site.node));
}

Bound Evaluator::choose(Value condition, const Bound& a, const Bound& b, Origin origin)
{
    if (is_number(a) && is_number(b)) {
        const Value either =
            add_formula({.operation = Operation::either, .a = a.value, .b = b.value});
        return bound(
            add_checked({.operation = Operation::choose, .a = condition, .b = either}, origin),
            origin);
    }
    const bool are_alike = a.kind == Bound::Kind::list && b.kind == Bound::Kind::list &&
                           lists_[a.list].size() == lists_[b.list].size();
    if (!are_alike) {
        if (a.kind != Bound::Kind::poison && b.kind != Bound::Kind::poison)
            error(origin, "unlike-choices", "the two values of this choice are of different kinds",
                  "give two numbers, or two vectors of equal length");
        return poison();
    }
    std::vector<Bound> chosen(lists_[a.list].size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Bound left = lists_[a.list][i], right = lists_[b.list][i];
        chosen[i] = choose(condition, left, right, origin);
    }
    return add_list(std::move(chosen), origin);
}

/// The value of a function of the script: its text, with its parameters bound.
Bound Evaluator::call_function(BindingId function, Site call)
{
    const Binding binding = scopes_.binding(function);
    scopes_.binding(function).is_used = true;
    Depth depth(*this);
    const Origin origin = call.tree ? call.tree->origin(call.node) : binding.origin;
    if (depth.is_too_deep(origin) || !spend(origin))
        return poison();
    const ScopeId body = scopes_.add(binding.value_scope, scopes_[binding.value_scope].object);
    bind_def_arguments(function, call, body);
    NodeId value = binding.tree->nodes[binding.node].first_child;
    while (binding.tree->nodes[value].next != kNoNode)
        value = binding.tree->nodes[value].next;
    Bound result = evaluate({binding.tree, value, body});
    if (result.kind != Bound::Kind::object)
        result.origin = origin;
    return result;
}

/// The numbers of a vector, nested ones one after the other; nothing, with an error, when it holds
/// anything else.
std::optional<std::vector<Value>> Evaluator::vector_of(const Bound& list, Origin origin)
{
    std::vector<Value> out;
    for (const Bound& element : lists_[list.list]) {
        if (is_number(element)) {
            out.push_back(element.value);
            continue;
        }
        const auto inner =
            element.kind == Bound::Kind::list ? vector_of(element, origin) : std::nullopt;
        if (!inner) {
            if (element.kind != Bound::Kind::list && element.kind != Bound::Kind::poison)
                error(origin, "not-a-vector", "this list contains something that is not a number",
                      "a vector is a list of numbers: (1, 2, 3)");
            return std::nullopt;
        }
        out.insert(out.end(), inner->begin(), inner->end());
    }
    return out;
}

/// Where an object is, in the frame of the def it is asked in.
Bound Evaluator::place_of(const Bound& object, Site site)
{
    std::vector<Bound> place;
    const Origin origin = site.tree->origin(site.node);
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        const Value value = add_formula({.operation = Operation::position,
                                         .axis = axis,
                                         .index = object.object.index,
                                         .frame = scopes_[site.scope].object});
        if (object.pending != Bound::kNotPending)
            pending_positions_.push_back({value.formula, pending_objects_[object.pending], true});
        place.push_back(bound(value, origin));
    }
    if (all_objects_exist_)
        resolve_pending();
    return add_list(std::move(place), origin);
}

/// The value of an expression that may be a vector by its looks; nothing for what is a plain
/// number, or for what only its argument can tell.
std::optional<Bound> Evaluator::find_vector(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const auto is_vector = [&](NodeId child) {
        const auto found = find_vector({&tree, child, site.scope});
        return found && found->kind == Bound::Kind::list;
    };
    switch (node.kind) {
    case NodeKind::list:
    case NodeKind::let:
    case NodeKind::element: return evaluate(site);
    case NodeKind::paren:
    case NodeKind::plus: return find_vector({&tree, node.first_child, site.scope});
    case NodeKind::negate:
        return is_vector(node.first_child) ? std::optional(evaluate(site)) : std::nullopt;
    case NodeKind::choice:
        return is_vector(tree.child(site.node, 1)) ? std::optional(evaluate(site)) : std::nullopt;
    case NodeKind::sum:
    case NodeKind::product:
        for (const NodeId child : children(tree, site.node))
            if (is_vector(child))
                return evaluate(site);
        return std::nullopt;
    case NodeKind::call: return find_vector_of_call(site);
    case NodeKind::name: return find_vector_of_name(site);
    default: return std::nullopt;
    }
}

/// Functions of the script may give anything, of the language's own some give vectors.
std::optional<Bound> Evaluator::find_vector_of_call(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId callee = tree.nodes[site.node].first_child;
    const BindingId own = find_callee({&tree, callee, site.scope});
    const BindingKind kind = own == kNoBinding ? BindingKind::def : scopes_.binding(own).kind;
    if (kind != BindingKind::def) // which has no value, and hides no function
        return kind == BindingKind::function ? std::optional(evaluate(site)) : std::nullopt;
    const Word* word = find_word(tree.text(callee), WordKind::function);
    if (word && word->code == static_cast<std::uint8_t>(ListFunction::rate)) {
        const NodeId argument = tree.nodes[callee].next;
        const auto vector =
            argument == kNoNode ? std::nullopt : find_vector({&tree, argument, site.scope});
        return vector && vector->kind == Bound::Kind::list ? std::optional(evaluate(site))
                                                           : std::nullopt;
    }
    const bool makes_list =
        word && (word->code == static_cast<std::uint8_t>(ListFunction::cross) ||
                 word->code == static_cast<std::uint8_t>(ListFunction::constraint_force) ||
                 word->code == static_cast<std::uint8_t>(ListFunction::unit) ||
                 word->code == static_cast<std::uint8_t>(ListFunction::concat));
    return makes_list ? std::optional(evaluate(site)) : std::nullopt;
}

std::optional<Bound> Evaluator::find_vector_of_name(Site site)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    if (!parts.empty() && tree.first_token(parts.back()).kind == TokenKind::kw_at)
        return evaluate(site);
    const BindingId found = parts.empty()
                                ? scopes_.find(site.scope, tree.first_token(site.node).symbol)
                                : find_value_in_namespaces(site, parts);
    if (found == kNoBinding)
        return std::nullopt;
    const Binding& binding = scopes_.binding(found);
    const bool may_be = binding.kind == BindingKind::variable || binding.kind == BindingKind::local;
    const bool is_row = binding.has_elements;
    const bool is_other =
        !is_row &&
        (binding.state == Binding::State::unassigned ||
         (binding.state == Binding::State::done && binding.bound.kind != Bound::Kind::list));
    if (!may_be || is_other || (is_row && parts.empty()))
        return std::nullopt;
    const Bound value = evaluate(site);
    return value.kind == Bound::Kind::list ? std::optional(value) : std::nullopt;
}

namespace {

Measure measure_of(ListFunction function)
{
    switch (function) {
    case ListFunction::constraint_force: return Measure::constraint;
    case ListFunction::tension: return Measure::tension;
    case ListFunction::bending_moment: return Measure::bending;
    case ListFunction::twist_moment: return Measure::twist;
    case ListFunction::constraint_error: return Measure::error;
    default: return Measure::contact;
    }
}

} // namespace

/// Forces between objects, on one, or of a constraint; the evaluator looks for them once all
/// objects exist.
Bound Evaluator::force_of(Site site, const Word& word)
{
    const Origin origin = site.tree->origin(site.node);
    const Measure measure = measure_of(static_cast<ListFunction>(word.code));
    const bool is_vector = measure == Measure::constraint;
    PendingMeasure pending{static_cast<std::uint32_t>(scene.formulas.size()), 0, site, &word};
    std::vector<Bound> components;
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        components.push_back(bound(add_formula({.operation = Operation::contact,
                                                .axis = axis,
                                                .index = ObjectId::kNone,
                                                .a = {static_cast<double>(measure)}}),
                                   origin));
        ++pending.count;
        if (!is_vector)
            break;
    }
    pending_measures_.push_back(pending);
    if (all_objects_exist_)
        resolve_measures();
    return is_vector ? add_list(std::move(components), origin) : components.front();
}

/// The distance of the ends of a constraint: a formula of their places.
Bound Evaluator::length_of_constraint(Site site, const Word& word)
{
    const Origin origin = site.tree->origin(site.node);
    const auto first = static_cast<std::uint32_t>(scene.formulas.size());
    std::array<Value, 6> places; // of the first end, then of the second
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = add_formula({.operation = Operation::position,
                                 .axis = static_cast<Axis>(i % 3),
                                 .index = 0,
                                 .frame = ObjectId{0}});
    std::vector<Value> way;
    for (std::size_t i = 0; i < 3; ++i)
        way.push_back(apply(Operation::subtract, places[i + 3], places[i], origin));
    pending_measures_.push_back({first, 0, site, &word});
    if (all_objects_exist_)
        resolve_measures();
    return evaluate_vector_function(ListFunction::length, way, way, origin);
}

void Evaluator::resolve_measures()
{
    for (const PendingMeasure& pending : std::exchange(pending_measures_, {})) {
        const auto function = static_cast<ListFunction>(pending.word->code);
        const Origin origin = pending.site.tree->origin(pending.site.node);
        const bool wants_named = function == ListFunction::constraint_length ||
                                 function == ListFunction::constraint_error;
        takes_constraints_ = wants_named || function == ListFunction::constraint_force ||
                             function == ListFunction::tension;
        const Arguments arguments = bind_arguments(pending.site, *pending.word);
        takes_constraints_ = false;
        const ObjectId object = arguments.is_good ? arguments.bound[0].object : ObjectId{0};
        const bool is_named = named_constraints_.contains(object.index);
        if (arguments.is_good && wants_named && !is_named)
            error(origin, "wants-constraint",
                  "'" + path_of(object) + "' is an object, not a constraint",
                  "give the constraint a name: `rope = dist_constraint(a, b, 1);`");
        if (function == ListFunction::constraint_length)
            constraint_questions_.push_back({pending.first, object, true, origin});
        for (std::uint32_t i = pending.first; i < pending.first + pending.count; ++i) {
            Formula& leaf = scene.formulas[i];
            leaf.index = object.index;
            if (arguments.is_good && arguments.bound.size() > 1)
                leaf.frame = arguments.bound[1].object;
            if (is_named || wants_named)
                constraint_questions_.push_back({i, object, false, origin});
        }
        if (arguments.is_good && !is_named && is_of_section(measure_of(function)))
            measured_sections_.push_back(
                {arguments.bound[0].object, pending.site.tree->origin(pending.site.node)});
    }
}

/// The rate of a coordinate, of a formula, or of each element of a vector.
Bound Evaluator::rate_of(Site site, const Word& word)
{
    const Origin origin = site.tree->origin(site.node);
    const auto rate = [&](Value x) {
        constexpr std::uint8_t kHasNone =
            Dependence::kRate | Dependence::kContact | Dependence::kImport | Dependence::kAlong;
        if (x.is_constant())
            return bound({0}, origin);
        if (scene.formulas[x.formula].operation == Operation::coordinate)
            return bound(add_formula({.operation = Operation::rate,
                                      .index = scene.formulas[x.formula].index}),
                         origin);
        if ((dependence_of(x) & kHasNone) == 0)
            return bound(
                add_formula({.operation = Operation::rate, .index = ObjectId::kNone, .a = x}),
                origin);
        error(origin, "no-rate", "'rate' does not know how fast this changes",
              "it takes formulas of coordinates, positions and time; no rates, forces, energies "
              "or imports");
        return poison();
    };
    NodeId argument = site.tree->nodes[site.node].first_child;
    argument = argument == kNoNode ? kNoNode : site.tree->nodes[argument].next;
    const std::optional<Bound> vector =
        argument == kNoNode ? std::nullopt : find_vector({site.tree, argument, site.scope});
    if (!vector || vector->kind != Bound::Kind::list) {
        const Arguments arguments = bind_arguments(site, word);
        return arguments.is_good ? rate(arguments.bound[0].value) : poison();
    }
    const auto values = vector_of(*vector, origin);
    if (!values)
        return poison();
    std::vector<Bound> rates;
    for (const Value x : *values)
        rates.push_back(rate(x));
    return add_list(std::move(rates), origin);
}

/// Functions of lists, and those of numbers that are no formulas.
Bound Evaluator::evaluate_list_function(Site site, const Word& word)
{
    const auto function = static_cast<ListFunction>(word.code);
    if (measure_of(function) != Measure::contact || function == ListFunction::contact_force)
        return force_of(site, word);
    if (function == ListFunction::constraint_length)
        return length_of_constraint(site, word);
    if (function == ListFunction::rate)
        return rate_of(site, word);
    const Arguments arguments = bind_arguments(site, word);
    const Origin origin = site.tree->origin(site.node);
    if (!arguments.is_good)
        return poison();
    const auto number = [&](std::size_t i) {
        return arguments.bound[i].kind == Bound::Kind::none ? arguments.signature[i].fallback
                                                            : arguments.bound[i].value.number;
    };
    if (function == ListFunction::kinetic_energy || function == ListFunction::potential_energy) {
        const bool is_kinetic = function == ListFunction::kinetic_energy;
        const Measure measure = is_kinetic ? Measure::kinetic : Measure::potential;
        return bound(
            add_formula(
                {.operation = Operation::contact, .index = 0, .a = {static_cast<double>(measure)}}),
            origin);
    }
    if (function == ListFunction::since) {
        const Value at = add_formula(
            {.operation = Operation::coordinate, .index = arguments.bound[0].coordinate.index});
        const Value now = add_formula({.operation = Operation::time});
        const Value since = apply(Operation::subtract, now, at, origin);
        return bound(apply(Operation::maximum, since, Value{0}, origin), origin);
    }
    if (function == ListFunction::sign) {
        const Value x = arguments.bound[0].value;
        if (x.is_constant())
            return bound({double(x.number > 0) - double(x.number < 0)}, origin);
        const Value above = apply(Operation::less, Value{0}, x, origin);
        const Value below = apply(Operation::less, x, Value{0}, origin);
        return bound(apply(Operation::subtract, above, below, origin), origin);
    }
    if (function == ListFunction::random)
        return bound({number(2) + (number(3) - number(2)) * random_number(number(0), number(1))},
                     origin);
    if (function == ListFunction::count)
        return bound({static_cast<double>(lists_[arguments.bound[0].list].size())}, origin);
    if (function == ListFunction::concat) {
        std::vector<Bound> all = lists_[arguments.bound[0].list];
        const std::vector<Bound>& more = lists_[arguments.bound[1].list];
        all.insert(all.end(), more.begin(), more.end());
        return add_list(std::move(all), origin);
    }
    const auto a = vector_of(arguments.bound[0], origin);
    const auto b = arguments.bound.size() > 1 ? vector_of(arguments.bound[1], origin) : a;
    if (!a || !b)
        return poison();
    return evaluate_vector_function(function, *a, *b, origin);
}

Bound Evaluator::evaluate_vector_function(ListFunction function, const std::vector<Value>& a,
                                          const std::vector<Value>& b, Origin origin)
{
    const bool is_cross = function == ListFunction::cross;
    if (a.size() != b.size() || a.empty() || (is_cross && a.size() != 3)) {
        error(origin, "vector-arithmetic", "these are not vectors of equal length",
              is_cross ? "cross(a, b) takes two vectors of three numbers"
                       : "dot(a, b) takes two vectors of equal length");
        return poison();
    }
    const auto times = [&](Value x, Value y) { return apply(Operation::multiply, x, y, origin); };
    if (is_cross) {
        std::vector<Bound> result;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            result.push_back(bound(
                apply(Operation::subtract, times(a[j], b[k]), times(a[k], b[j]), origin), origin));
        }
        return add_list(std::move(result), origin);
    }
    Value sum = times(a[0], b[0]);
    for (std::size_t i = 1; i < a.size(); ++i)
        sum = apply(Operation::add, sum, times(a[i], b[i]), origin);
    if (function == ListFunction::dot)
        return bound(sum, origin);
    const Value length = apply(Operation::square_root, sum, {}, origin);
    if (function == ListFunction::length)
        return bound(length, origin);
    if (length.is_constant() && length.number == 0) {
        error(origin, "no-direction", "a vector of length 0 has no direction",
              "give it a length, or write the direction itself");
        return poison();
    }
    std::vector<Bound> result;
    for (const Value& x : a)
        result.push_back(bound(apply(Operation::divide, x, length, origin), origin));
    return add_list(std::move(result), origin);
}

/// A value as people read it.
std::string Evaluator::text_of(const Bound& value) const
{
    switch (value.kind) {
    case Bound::Kind::value:
    case Bound::Kind::coordinate:
        return value.value.is_constant()
                   ? number_text(value.value.number)
                   : "(changes with " + describe_dependence(value.value) + ")";
    case Bound::Kind::text: return std::string(value.text);
    case Bound::Kind::list: {
        std::string text = "[";
        for (const Bound& element : lists_[value.list])
            text += (text.size() == 1 ? "" : ", ") + text_of(element);
        return text + "]";
    }
    case Bound::Kind::object: return "an object";
    case Bound::Kind::path: return "a path";
    default: return "?";
    }
}

/// echo(...) tells values while the script is read; assert(condition, ...) those of what fails.
void Evaluator::carry_out_echo(const Site& statement, const Word& word, const Arguments& arguments)
{
    const Tree& tree = *statement.tree;
    const Origin origin = tree.statement_origin(statement.node);
    std::string text;
    for (const Bound& value : arguments.values)
        text += (text.empty() ? "" : " ") + text_of(value);
    if (word.name == "echo")
        report_.echo(origin, text);
    else if (arguments.bound[0].value.number == 0)
        error(origin, "assertion-failed",
              text.empty() ? "assertion failed: " + excerpt(tree.text(statement.node)) : text,
              "the script contains this assert(...)");
}

} // namespace sinew::charli
