// Values: numbers, names, calls, tracks, paths. Arithmetic on numbers is done at once; with
// anything that moves it becomes a formula of the scene.

#include "charli/evaluator.h"
#include "charli/lexer.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/formula.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::charli {

namespace {

/// Axis of an attribute name like `tip_x`; none when it does not end so.
std::optional<Axis> attribute_axis(std::string_view name)
{
    if (name.size() < 3 || name[name.size() - 2] != '_' || name.back() < 'x' || name.back() > 'z')
        return std::nullopt;
    return static_cast<Axis>(name.back() - 'x');
}

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

// --- expressions
// ----------------------------------------------------------------------------------

Bound Evaluator::evaluate(Site site)
{
    Depth depth(*this);
    if (depth.is_too_deep(site.tree->origin(site.node)))
        return poison();
    Bound result = evaluate_kind(site);
    if (result.origin.file == Origin::kNoFile)
        result.origin = site.tree->origin(site.node);
    return result;
}

Bound Evaluator::evaluate_kind(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const Origin origin = tree.origin(site.node);
    switch (node.kind) {
    case NodeKind::number: return evaluate_number(site);
    case NodeKind::pi: return bound({std::numbers::pi}, origin);
    case NodeKind::time:
        if (time_formula_ == Value::kNoFormula)
            time_formula_ = add_formula({.operation = Operation::time}).formula;
        return bound({0, time_formula_}, origin);
    case NodeKind::string:
        return {.kind = Bound::Kind::text, .text = tree.text(site.node), .origin = origin};
    case NodeKind::paren:
    case NodeKind::plus: return evaluate({&tree, node.first_child, site.scope});
    case NodeKind::negate: {
        const auto value = evaluate_value({&tree, node.first_child, site.scope});
        return value ? bound(apply(Operation::negate, *value, {}, origin), origin) : poison();
    }
    case NodeKind::sum:
    case NodeKind::product: return evaluate_chain(site);
    case NodeKind::comparison: return evaluate_comparison(site);
    case NodeKind::all_of:
    case NodeKind::any_of:
    case NodeKind::invert: return evaluate_logic(site);
    case NodeKind::name: return evaluate_name(site, true);
    case NodeKind::call: return evaluate_call(site);
    case NodeKind::along:
        pending_objects_.push_back(site);
        return {.kind = Bound::Kind::object,
                .pending = static_cast<std::uint32_t>(pending_objects_.size() - 1),
                .origin = origin};
    case NodeKind::track: return evaluate_track(site);
    case NodeKind::item:
        error(origin, "instance-as-value", "this makes an object, not a value",
              "an instance gets its name by `name = ...;` without `var`");
        return poison();
    default: return poison();
    }
}

Bound Evaluator::evaluate_number(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    double value = number_value(tree.text(tree.tokens[node.first_token]));
    if (!std::isfinite(value))
        return poison(); // the lexer has said it
    if (node.last_token > node.first_token)
        value *= unit_factor(tree.tokens[node.last_token].kind);
    if (std::isfinite(value))
        return bound({value}, tree.origin(site.node));
    error(tree.origin(site.node), "number-too-large", "this number is too large to be represented",
          "the largest is about 1.8e308, after its unit is applied");
    return poison();
}

std::optional<Value> Evaluator::evaluate_value(Site site)
{
    const Bound result = evaluate(site);
    switch (result.kind) {
    case Bound::Kind::value:
    case Bound::Kind::coordinate: return result.value;
    case Bound::Kind::poison: return std::nullopt;
    default: break;
    }
    const Origin origin = site.tree->origin(site.node);
    const std::string shown = excerpt(site.tree->text(site.node));
    if (result.kind == Bound::Kind::path)
        error(origin, "path-as-number", "'" + shown + "' is a path, not a number",
              "paths go into path_constraint(...) or path(...)");
    else if (result.kind == Bound::Kind::object &&
             site.tree->nodes[site.node].kind == NodeKind::name)
        report_unknown_object({site.tree, site.node, site.scope},
                              site.tree->last_name(site.node).symbol, origin);
    else
        error(origin, "not-a-number", "'" + shown + "' is not a number",
              "write a number or a name of one");
    return std::nullopt;
}

std::optional<double> Evaluator::evaluate_constant(Site site, const std::string& what)
{
    const auto value = evaluate_value(site);
    if (!value)
        return std::nullopt;
    if (!value->is_constant()) {
        error(site.tree->origin(site.node), "must-be-constant",
              what + " must be known when the script is read; this depends on " +
                  describe_dependence(*value),
              "write a number, or a var or param that holds one");
        return std::nullopt;
    }
    return value->number;
}

std::optional<std::int64_t> Evaluator::evaluate_whole(Site site, const std::string& what)
{
    const auto value = evaluate_constant(site, what);
    if (!value)
        return std::nullopt;
    constexpr double kLargest = 9e15; // beyond, doubles are no longer all whole numbers
    if (*value != sinew::floor(*value) || !(std::abs(*value) <= kLargest)) {
        error(site.tree->origin(site.node), "not-whole",
              what + " must be a whole number, is " + number_text(*value),
              "write 1, 2, 3, ... or use floor()");
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
}

std::optional<bool> Evaluator::evaluate_condition(Site site)
{
    const auto value = evaluate_constant(site, "a condition");
    return value ? std::optional(*value != 0) : std::nullopt;
}

Bound Evaluator::evaluate_chain(Site site)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    std::optional<Value> total;
    NodeId previous = kNoNode;
    bool is_good = true;
    for (const NodeId operand : children(tree, site.node)) {
        const auto value = evaluate_value({&tree, operand, site.scope});
        is_good = is_good && value;
        if (is_good && previous == kNoNode) {
            total = value;
        } else if (is_good) {
            const TokenKind sign = tree.tokens[tree.nodes[operand].first_token - 1].kind;
            const Operation operation = sign == TokenKind::plus    ? Operation::add
                                        : sign == TokenKind::minus ? Operation::subtract
                                        : sign == TokenKind::star  ? Operation::multiply
                                                                   : Operation::divide;
            const Node& right = tree.nodes[operand];
            const Node& left = tree.nodes[previous];
            const bool unit_below =
                right.kind == NodeKind::number && right.last_token > right.first_token;
            const bool plain_above = previous == tree.nodes[site.node].first_child &&
                                     left.kind == NodeKind::number &&
                                     left.last_token == left.first_token;
            if (operation == Operation::divide && unit_below && plain_above)
                report_.warning(tree.origin(operand), "unit-below-fraction",
                                "a unit binds to its number alone: this divides by " +
                                    std::string(tree.text(operand)),
                                "for a fraction of " +
                                    std::string(tree.text(tree.tokens[right.last_token])) +
                                    " write " +
                                    number_text(total->number / value->number *
                                                unit_factor(tree.tokens[right.last_token].kind)) +
                                    " " + std::string(tree.text(tree.tokens[right.last_token])) +
                                    "; to divide by " + std::string(tree.text(operand)) +
                                    " put it into brackets");
            if (operation == Operation::divide && value->is_constant() && value->number == 0) {
                error(tree.origin(operand), "division-by-zero", "this divides by zero",
                      "guard it with `if`, or change the value");
                return poison();
            }
            total = apply(operation, *total, *value, origin);
        }
        previous = operand;
    }
    return is_good && total ? bound(*total, origin) : poison();
}

Bound Evaluator::evaluate_comparison(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId left = tree.child(site.node, 0), right = tree.child(site.node, 1);
    const auto a = evaluate_constant({&tree, left, site.scope}, "what is compared");
    const auto b = evaluate_constant({&tree, right, site.scope}, "what is compared");
    if (!a || !b)
        return poison();
    bool result = false;
    switch (tree.tokens[tree.nodes[right].first_token - 1].kind) {
    case TokenKind::equal: result = *a == *b; break;
    case TokenKind::unequal: result = *a != *b; break;
    case TokenKind::less: result = *a < *b; break;
    case TokenKind::less_equal: result = *a <= *b; break;
    case TokenKind::greater: result = *a > *b; break;
    default: result = *a >= *b; break;
    }
    return bound({result ? 1.0 : 0.0}, tree.origin(site.node));
}

Bound Evaluator::evaluate_logic(Site site)
{
    const Tree& tree = *site.tree;
    const NodeKind kind = tree.nodes[site.node].kind;
    bool result = kind == NodeKind::all_of;
    bool is_good = true;
    for (const NodeId operand : children(tree, site.node)) {
        const auto value = evaluate_condition({&tree, operand, site.scope});
        is_good = is_good && value;
        if (!value)
            continue;
        result = kind == NodeKind::invert ? !*value : *value;
        if (kind != NodeKind::invert && result == (kind == NodeKind::any_of))
            break; // `n > 0 and 1 / n < 2`: the rest is not asked
    }
    return is_good ? bound({result ? 1.0 : 0.0}, tree.origin(site.node)) : poison();
}

// --- names
// ----------------------------------------------------------------------------------------

Bound Evaluator::evaluate_name(Site site, bool may_be_object)
{
    if (site.tree->nodes[site.node].first_child != kNoNode)
        return evaluate_path_name(site, may_be_object);
    return evaluate_plain_name(site, site.tree->first_token(site.node), may_be_object);
}

Bound Evaluator::evaluate_plain_name(Site site, const Token& token, bool may_be_object)
{
    const Origin origin = site.tree->origin(token);
    const BindingId found = scopes_.find(site.scope, token.symbol);
    if (found != kNoBinding) {
        link(origin, scopes_.binding(found).origin);
        const BindingKind kind = scopes_.binding(found).kind;
        if (kind == BindingKind::name_space) {
            error(origin, "namespace-as-value",
                  "'" + std::string(name(token.symbol)) + "' is a namespace, not a value",
                  "name something in it: " + std::string(name(token.symbol)) + ".name");
            return poison();
        }
        if (kind != BindingKind::def)
            return force(found, site);
    } else if (const auto axis = attribute_axis(name(token.symbol))) {
        return position_of(site, *axis);
    }
    if (!may_be_object)
        return poison();
    pending_objects_.push_back(site);
    return {.kind = Bound::Kind::object,
            .pending = static_cast<std::uint32_t>(pending_objects_.size() - 1),
            .origin = origin};
}

/// a.b, a[1], a.b_x, b[3].x: a value of an instance or namespace, an element, or a position.
Bound Evaluator::evaluate_path_name(Site site, bool may_be_object)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    const Token& first = tree.first_token(parts.front());
    const Token& last = tree.first_token(parts.back());
    const std::string_view last_name = name(last.symbol);

    const BindingId row = scopes_.find(site.scope, first.symbol);
    if (row != kNoBinding && parts.size() == 1) { // h[3]
        const Binding binding = scopes_.binding(row);
        if (binding.kind == BindingKind::variable || binding.kind == BindingKind::dynamic) {
            link(tree.origin(first), binding.origin);
            scopes_.binding(row).is_used = true;
            const auto index =
                evaluate_whole({&tree, tree.nodes[parts[0]].first_child, site.scope}, "an index");
            if (!index)
                return poison();
            const BindingId element = scopes_.find_element(row, *index);
            if (element != kNoBinding)
                return force(element, site);
            error(tree.origin(site.node), "no-such-element",
                  "'" + std::string(name(first.symbol)) + "' has no element " +
                      std::to_string(*index),
                  "assign it: " + std::string(name(first.symbol)) + "[" + std::to_string(*index) +
                      "] = ...;");
            return poison();
        }
    }
    if (row != kNoBinding && scopes_.binding(row).kind == BindingKind::name_space &&
        parts.size() == 2) {
        const ScopeId inside = scopes_.binding(row).number;
        const BindingId found = scopes_.find_here(inside, last.symbol);
        if (found != kNoBinding && scopes_.binding(found).kind != BindingKind::def &&
            tree.nodes[parts[1]].first_child == kNoNode) {
            link(tree.origin(first), scopes_.binding(row).origin);
            link(tree.origin(last), scopes_.binding(found).origin);
            return force(found, site);
        }
    }
    const bool is_axis = last_name.size() == 1 && last_name[0] >= 'x' && last_name[0] <= 'z' &&
                         parts.size() > 1 && tree.nodes[parts.back()].first_child == kNoNode;
    if (is_axis)
        return position_of(site, static_cast<Axis>(last_name[0] - 'x'));
    if (attribute_axis(last_name) && tree.nodes[parts.back()].first_child == kNoNode)
        return position_of(site, *attribute_axis(last_name));
    if (parts.size() > 1 && all_objects_exist_)
        return evaluate_member(site);
    if (parts.size() > 1) { // a value of an instance, once it exists
        const Value alias = add_formula({.operation = Operation::add});
        pending_values_.push_back({alias.formula, site});
        pending_objects_.push_back(site);
        Bound result = bound(alias, tree.origin(site.node));
        result.pending = static_cast<std::uint32_t>(pending_objects_.size() - 1);
        return result;
    }
    if (!may_be_object)
        return poison();
    pending_objects_.push_back(site);
    return {.kind = Bound::Kind::object,
            .pending = static_cast<std::uint32_t>(pending_objects_.size() - 1),
            .origin = tree.origin(site.node)};
}

Bound Evaluator::position_of(Site site, Axis axis)
{
    const Value value = add_formula({.operation = Operation::position,
                                     .axis = axis,
                                     .index = ObjectId::kNone,
                                     .frame = scopes_[site.scope].object});
    pending_positions_.push_back({value.formula, site});
    if (all_objects_exist_)
        resolve_pending();
    return bound(value, site.tree->origin(site.node));
}

// --- what names hold
// ------------------------------------------------------------------------------

Bound Evaluator::force(BindingId id, Site use)
{
    Binding& binding = scopes_.binding(id);
    binding.is_used = true;
    const std::string quoted = "'" + std::string(name(binding.symbol)) + "'";
    const Origin origin = use.tree->origin(use.node);
    if (binding.has_elements) {
        error(origin, "row-without-index", quoted + " is a row of values",
              "say which one: " + std::string(name(binding.symbol)) + "[1]");
        return poison();
    }
    if (binding.state == Binding::State::busy) {
        Problem& problem = error(origin, "depends-on-itself", quoted + " depends on itself",
                                 "break the circle: one of the values must be a number");
        report_.remark(problem, binding.assignment, "while computing this");
        return poison();
    }
    if (binding.state == Binding::State::unassigned && binding.kind == BindingKind::variable) {
        binding.state = Binding::State::done;
        binding.bound = poison();
        Problem& problem = error(origin, "no-value", quoted + " has no value",
                                 "assign it: " + std::string(name(binding.symbol)) + " = ...;");
        report_.remark(problem, binding.origin, "declared here");
        return poison();
    }
    return compute_binding(id);
}

Bound Evaluator::compute_binding(BindingId id)
{
    if (scopes_.binding(id).state == Binding::State::done)
        return scopes_.binding(id).bound;
    const Binding binding = scopes_.binding(id); // a copy: evaluating may add bindings
    const Site site{binding.tree, binding.node, binding.value_scope};
    scopes_.binding(id).state = Binding::State::busy;
    Bound result;
    switch (binding.kind) {
    case BindingKind::dynamic: result = make_coordinate(id); break;
    case BindingKind::import:
        result = bound(add_formula({.operation = Operation::imported, .index = binding.number}),
                       binding.origin);
        break;
    case BindingKind::param: {
        const Tree& tree = *binding.tree;
        Parameter parameter = scene.parameters[binding.number];
        const auto value = evaluate_constant(
            {&tree, tree.child(binding.node, 0), binding.value_scope}, "the value of a param");
        if (tree.nodes[binding.node].flags & Node::kHasRange) {
            const Site low{&tree, tree.child(binding.node, 1), binding.value_scope};
            const Site high{&tree, tree.child(binding.node, 2), binding.value_scope};
            parameter.low = evaluate_constant(low, "the range of a param");
            parameter.high = evaluate_constant(high, "the range of a param");
            if (parameter.low && parameter.high && !(*parameter.low < *parameter.high)) {
                error(tree.origin(low.node), "empty-range",
                      "the range is empty: its low end is not below its high end",
                      "write [low..high]");
                parameter.low = parameter.high = std::nullopt;
            }
        }
        if (tree.nodes[binding.node].flags & Node::kHasText) {
            const NodeId text =
                tree.child(binding.node, tree.nodes[binding.node].flags & Node::kHasRange ? 3 : 1);
            const std::string_view quoted = tree.text(text);
            parameter.text =
                quoted.substr(1, quoted.size() - std::min<std::size_t>(2, quoted.size()));
        }
        parameter.value = value.value_or(0);
        const auto given = options_.parameters.find(parameter.name);
        bool is_given = given != options_.parameters.end();
        if (is_given) {
            const auto number = parse_number_with_unit(given->second);
            if (number) {
                parameter.value = *number;
            } else {
                Problem& problem =
                    error({}, "param-not-a-number", "'" + given->second + "' is not a number",
                          "write -D " + parameter.name +
                              "=1.5, with one of the units mm cm km gram kg ms sec fps deg if "
                              "wanted; metres need none");
                problem.place.file = "-D " + parameter.name + "=" + given->second;
            }
        }
        const bool below = parameter.low && parameter.value < *parameter.low;
        const bool above = parameter.high && parameter.value > *parameter.high;
        if (below || above) {
            Problem& problem = error(is_given ? Origin{} : tree.origin(tree.child(binding.node, 0)),
                                     "param-outside-range",
                                     "'" + parameter.name + "' is " + number_text(parameter.value) +
                                         ", outside its range " + number_text(*parameter.low) +
                                         " to " + number_text(*parameter.high),
                                     "choose a value inside, or widen the range");
            if (is_given)
                problem.place.file = "-D " + parameter.name + "=" + given->second;
        }
        scene.parameters[binding.number] = parameter;
        result = value ? bound({parameter.value}, binding.origin) : poison();
        break;
    }
    default: {
        const Tree& tree = *binding.tree;
        const NodeId callee = tree.nodes[site.node].first_child;
        if (tree.nodes[site.node].kind == NodeKind::call &&
            tree.first_token(callee).kind == TokenKind::kw_initial) {
            error(tree.origin(site.node), "initial-of-var",
                  "'" + std::string(name(binding.symbol)) + "' is a var and has no start value",
                  "declare it `dynamic` if it is to move freely");
            result = poison();
            break;
        }
        result = evaluate(site);
        if (result.kind == Bound::Kind::object && result.pending != Bound::kNotPending &&
            tree.nodes[site.node].kind == NodeKind::name) {
            const Site named = pending_objects_[result.pending];
            if (named_in_text(named, named.tree->last_name(named.node).symbol))
                error(tree.origin(site.node), "instance-as-value",
                      "this makes an object, not a value",
                      "an instance gets its name by `name = ...;` without `var`");
            else
                report_unknown_object(named, named.tree->last_name(named.node).symbol,
                                      named.tree->origin(named.node));
            result = poison();
        } else if (result.kind == Bound::Kind::text) {
            error(tree.origin(site.node), "text-as-value", "a var cannot hold a text",
                  "write a number, a track or a path");
            result = poison();
        }
    }
    }
    scopes_.binding(id).state = Binding::State::done;
    scopes_.binding(id).bound = result;
    computed_.push_back(id);
    return result;
}

/// Gives a `dynamic` its coordinate, with the start value when one is assigned.
Bound Evaluator::make_coordinate(BindingId id)
{
    const Binding binding = scopes_.binding(id);
    const CoordinateId coordinate{static_cast<std::uint32_t>(scene.coordinates.size())};
    std::string full(
        name(binding.symbol)); // the way down to it is added when all objects have theirs
    if (binding.element != INT64_MIN)
        full += "[" + std::to_string(binding.element) + "]";
    scene.coordinates.push_back({.name = std::move(full), .origin = binding.origin});
    coordinate_objects_.push_back(scopes_[binding.scope].object);
    if (binding.node != kNoNode)
        evaluate_initial(id, {binding.tree, binding.node, binding.value_scope});
    const Value value =
        add_formula({.operation = Operation::coordinate, .index = coordinate.index});
    return {.kind = Bound::Kind::coordinate,
            .value = value,
            .coordinate = coordinate,
            .origin = binding.origin};
}

void Evaluator::evaluate_initial(BindingId id, Site site)
{
    const std::uint32_t coordinate = static_cast<std::uint32_t>(scene.coordinates.size()) - 1;
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const bool is_initial = node.kind == NodeKind::call &&
                            tree.first_token(node.first_child).kind == TokenKind::kw_initial;
    if (!is_initial) {
        Problem& problem =
            error(tree.origin(site.node), "dynamic-needs-initial",
                  "'" + std::string(name(scopes_.binding(id).symbol)) +
                      "' is dynamic: the simulation moves it, it has no other value than its start",
                  "write initial(value, rate), or declare it `var`");
        report_.remark(problem, scopes_.binding(id).origin, "declared dynamic here");
        return;
    }
    const Arguments arguments = bind_arguments(site, *find_word("initial", WordKind::start));
    if (!arguments.is_good)
        return;
    scene.coordinates[coordinate].initial = arguments.bound[0].value.number;
    scene.coordinates[coordinate].initial_rate =
        arguments.bound[1].kind == Bound::Kind::none ? 0 : arguments.bound[1].value.number;
}

// --- calls
// ----------------------------------------------------------------------------------------

Bound Evaluator::evaluate_call(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId callee = tree.nodes[site.node].first_child;
    const Token& token = tree.first_token(callee);
    const std::string quoted = "'" + excerpt(tree.text(callee), 60) + "'";
    const Origin origin = tree.origin(callee);
    if (token.kind == TokenKind::kw_initial) {
        error(origin, "initial-inside", "initial(...) stands alone right of `=`",
              "write `x = initial(value, rate);` for a dynamic x");
        return poison();
    }
    const bool is_plain = tree.nodes[callee].first_child == kNoNode;
    const BindingId own = is_plain ? scopes_.find(site.scope, token.symbol) : kNoBinding;
    if (own != kNoBinding) {
        link(origin, scopes_.binding(own).origin);
        const bool is_def = scopes_.binding(own).kind == BindingKind::def;
        error(origin, is_def ? "def-as-value" : "call-of-value",
              is_def ? quoted + " makes an object, not a value"
                     : quoted + " is a " + std::string(name_of(scopes_.binding(own).kind)) +
                           ", it takes no arguments",
              is_def ? "instance it as a statement: `" + std::string(name(token.symbol)) + "(...);`"
                     : "remove the brackets, or write `*` between");
        return poison();
    }
    const std::string_view word_name = is_plain ? name(token.symbol) : std::string_view();
    if (const Word* word = find_word(word_name, WordKind::function))
        return evaluate_function(site, *word);
    if (const Word* word = find_word(word_name, WordKind::path))
        return evaluate_path(site, *word);
    if (const Word* word = find_any_word(word_name)) {
        error(origin, "statement-as-value", quoted + " is no function: it cannot give a value",
              "use it as a statement: `" + std::string(word->example) + "`");
        return poison();
    }
    std::vector<std::string_view> candidates;
    for (const Word& word : words())
        if (word.kind == WordKind::function || word.kind == WordKind::path)
            candidates.push_back(word.name);
    error(origin, "unknown-function", "unknown function " + quoted,
          similar_hint(word_name, candidates, "`sinew help functions` lists them"));
    return poison();
}

Bound Evaluator::evaluate_function(Site site, const Word& word)
{
    const Arguments arguments = bind_arguments(site, word);
    if (!arguments.is_good)
        return poison();
    const Value a = arguments.bound[0].value;
    const Value b = arguments.bound.size() > 1 ? arguments.bound[1].value : Value{};
    const Origin origin = site.tree->origin(site.node);
    const Value result = apply(static_cast<Operation>(word.code), a, b, origin);
    return bound(result, origin);
}

Bound Evaluator::evaluate_path(Site site, const Word& word)
{
    const Arguments arguments = bind_arguments(site, word);
    if (!arguments.is_good)
        return poison();
    Path path{.kind = static_cast<PathKind>(word.code), .frame = scopes_[site.scope].object};
    if (!path.frame.is_valid())
        path.frame = ObjectId{0};
    path.origin = site.tree->origin(site.node);
    path.points.first = static_cast<std::uint32_t>(scene.values.size());
    if (path.kind == PathKind::point)
        for (const Bound& argument : arguments.bound)
            scene.values.push_back(argument.value);
    else
        scene.values.insert(scene.values.end(), arguments.points.begin(), arguments.points.end());
    path.points.count = static_cast<std::uint32_t>(scene.values.size()) - path.points.first;
    scene.paths.push_back(path);
    return {.kind = Bound::Kind::path,
            .path = PathId{static_cast<std::uint32_t>(scene.paths.size() - 1)},
            .origin = path.origin};
}

// --- tracks
// ---------------------------------------------------------------------------------------

Bound Evaluator::evaluate_track(Site site)
{
    const Tree& tree = *site.tree;
    Track track{.origin = tree.origin(site.node)};
    std::vector<bool> in_frames;
    bool is_good = true;
    for (const NodeId key : children(tree, site.node))
        is_good = evaluate_key({&tree, key, site.scope}, track, in_frames) && is_good;
    if (!is_good || !check_budget(track.origin))
        return poison();
    const auto number = static_cast<std::uint32_t>(scene.tracks.size());
    for (std::size_t i = 0; i < in_frames.size(); ++i)
        if (in_frames[i])
            pending_frames_.push_back({number, static_cast<std::uint32_t>(i)});
    const Origin origin = track.origin;
    scene.tracks.push_back(std::move(track));
    return bound(add_checked({.operation = Operation::track, .index = number}, origin), origin);
}

bool Evaluator::evaluate_key(Site site, Track& track, std::vector<bool>& in_frames)
{
    const Tree& tree = *site.tree;
    const NodeId value_node = tree.child(site.node, 0), place_node = tree.child(site.node, 1);
    const auto value = evaluate_value({&tree, value_node, site.scope});
    const auto at = evaluate_constant({&tree, place_node, site.scope}, "the place of a key");
    if (!value || !at)
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
    Key key{.value = *value, .at = *at};
    const std::uint32_t before = tree.nodes[site.node].first_token - 1;
    if (!track.keys.empty())
        key.easing = easing_of(tree.tokens[before].kind);
    track.keys.push_back(key);
    in_frames.push_back(frames);
    return true;
}

// --- formulas
// -------------------------------------------------------------------------------------

bool Evaluator::check_budget(Origin origin)
{
    if (is_exhausted_)
        return false;
    if (scene.formulas.size() + scene.values.size() + scene.tracks.size() <= limits_.value_count)
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
