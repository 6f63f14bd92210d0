// Names in expressions, and what they hold: variables, coordinates, params, members of instances,
// positions.

#include "charli/evaluate/evaluator.h"
#include "charli/text/lexer.h"

#include "base/text.h"
#include "math/turn.h"

#include <algorithm>

namespace sinew::charli {

namespace {

/// Axis of an attribute name like `tip_x`; none when it does not end so.
std::optional<Axis> attribute_axis(std::string_view name)
{
    if (name.size() < 3 || name[name.size() - 2] != '_' || name.back() < 'x' || name.back() > 'z')
        return std::nullopt;
    return static_cast<Axis>(name.back() - 'x');
}

} // namespace

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
            return force(found, site); // of a function: it says so
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

/// The variable that h[3], parts.length or parts.inner.h[2] names; none when it is an instance's.
BindingId Evaluator::find_value_in_namespaces(Site site, const std::vector<NodeId>& parts)
{
    const Tree& tree = *site.tree;
    BindingId found = scopes_.find(site.scope, tree.first_token(parts[0]).symbol);
    for (std::size_t i = 1; i < parts.size() && found != kNoBinding; ++i) {
        const Binding& outer = scopes_.binding(found);
        if (outer.kind != BindingKind::name_space ||
            tree.nodes[parts[i - 1]].first_child != kNoNode)
            return kNoBinding;
        link(tree.origin(tree.first_token(parts[i - 1])), outer.origin);
        found = scopes_.find_here(outer.number, tree.first_token(parts[i]).symbol);
    }
    if (found == kNoBinding)
        return kNoBinding;
    const BindingKind kind = scopes_.binding(found).kind;
    const bool has_index = tree.nodes[parts.back()].first_child != kNoNode;
    const bool can_be_row =
        kind == BindingKind::variable || kind == BindingKind::dynamic ||
        (kind == BindingKind::local && scopes_.binding(found).bound.kind == Bound::Kind::list);
    return (has_index ? can_be_row : holds_value(kind)) ? found : kNoBinding;
}

/// A variable, or the element of a row that the index behind its name says.
Bound Evaluator::evaluate_element(Site site, NodeId part, BindingId found)
{
    const Tree& tree = *site.tree;
    const Token& token = tree.first_token(part);
    link(tree.origin(token), scopes_.binding(found).origin);
    if (tree.nodes[part].first_child == kNoNode)
        return force(found, site);
    scopes_.binding(found).is_used = true;
    const bool is_row = scopes_.binding(found).has_elements ||
                        scopes_.binding(found).state == Binding::State::unassigned;
    Bound value = is_row ? Bound{} : force(found, site);
    for (const NodeId index_node : children(tree, part)) {
        const auto index = evaluate_whole({&tree, index_node, site.scope}, "an index");
        if (!index)
            return poison();
        value = value.kind == Bound::Kind::none ? force_element(site, token, found, *index)
                                                : element_of(value, *index, tree.origin(site.node));
    }
    return value;
}

/// h[3] of a row: h[1] = ..., h[2] = ..., and so on.
Bound Evaluator::force_element(Site site, const Token& token, BindingId row, std::int64_t index)
{
    const BindingId element = scopes_.find_element(row, index);
    if (element != kNoBinding)
        return force(element, site);
    error(site.tree->origin(site.node), "no-such-element",
          "'" + std::string(name(token.symbol)) + "' has no element " + std::to_string(index),
          "assign it: " + std::string(name(token.symbol)) + "[" + std::to_string(index) +
              "] = ...;");
    return poison();
}

/// v.x of a vector: its component; nothing where the name is not that of a value.
std::optional<Bound> Evaluator::evaluate_axis(Site site, std::vector<NodeId> parts)
{
    const Tree& tree = *site.tree;
    const std::string_view axis = name(tree.first_token(parts.back()).symbol);
    parts.pop_back();
    const BindingId found = find_value_in_namespaces(site, parts);
    if (found == kNoBinding)
        return std::nullopt;
    const Binding& binding = scopes_.binding(found);
    const bool has_index = tree.nodes[parts.back()].first_child != kNoNode;
    const bool may_be = binding.kind == BindingKind::variable || binding.kind == BindingKind::local;
    const bool is_other = binding.state == Binding::State::done && !binding.has_elements &&
                          binding.bound.kind != Bound::Kind::list;
    if (!may_be || is_other || (binding.has_elements && !has_index))
        return std::nullopt;
    const Bound value = evaluate_element(site, parts.back(), found);
    if (value.kind != Bound::Kind::list)
        return value.kind == Bound::Kind::poison ? std::optional(value) : std::nullopt;
    return component_of(value, axis, tree.origin(site.node));
}

/// a.b, a[1], a.b_x, b[3].x: a value of an instance or namespace, an element, or a position.
Bound Evaluator::evaluate_path_name(Site site, bool may_be_object)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    const Token& last = tree.first_token(parts.back());
    const std::string_view last_name = name(last.symbol);

    if (const BindingId found = find_value_in_namespaces(site, parts); found != kNoBinding)
        return evaluate_element(site, parts.back(), found);
    const bool is_axis = last_name.size() == 1 && last_name[0] >= 'x' && last_name[0] <= 'z' &&
                         parts.size() > 1 && tree.nodes[parts.back()].first_child == kNoNode;
    if (is_axis)
        if (const std::optional<Bound> component = evaluate_axis(site, parts))
            return *component;
    if (last.kind == TokenKind::kw_at) {
        pending_objects_.push_back(site);
        return place_of({.kind = Bound::Kind::object,
                         .pending = static_cast<std::uint32_t>(pending_objects_.size() - 1)},
                        site);
    }
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

Bound Evaluator::force(BindingId id, Site use)
{
    Binding& binding = scopes_.binding(id);
    binding.is_used = true;
    const std::string quoted = "'" + std::string(name(binding.symbol)) + "'";
    const Origin origin = use.tree->origin(use.node);
    if (binding.kind == BindingKind::function) {
        error(origin, "function-as-value", quoted + " is a function",
              "call it: " + std::string(name(binding.symbol)) + "(...)");
        return poison();
    }
    if (binding.has_elements) {
        error(origin, "row-without-index", quoted + " is an array of values",
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

/// Evaluates the range `[low..high]` of a param; leaves it unset where one of its ends has a fault.
void Evaluator::compute_range(const Binding& binding, Parameter& parameter)
{
    const Tree& tree = *binding.tree;
    const Site low{&tree, tree.child(binding.node, 1), binding.value_scope};
    const Site high{&tree, tree.child(binding.node, 2), binding.value_scope};
    parameter.low = evaluate_constant(low, "the range of a param");
    parameter.high = evaluate_constant(high, "the range of a param");
    if (parameter.low && parameter.high && !(*parameter.low < *parameter.high)) {
        error(tree.origin(low.node), "empty-range",
              "the range is empty: its low end is not below its high end", "write [low..high]");
        parameter.low = parameter.high = std::nullopt;
    }
}

/// Takes the value that the caller gives for a param, if there is one: how it is written.
std::optional<std::string> Evaluator::take_given(Parameter& parameter)
{
    const auto given = options_.parameters.find(parameter.name);
    if (given == options_.parameters.end())
        return std::nullopt;
    std::string written = "-D " + parameter.name + "=" + given->second;
    if (const auto number = parse_number_with_unit(given->second)) {
        parameter.value = *number;
    } else {
        Problem& problem = error(
            {}, "param-not-a-number", "'" + given->second + "' is not a number",
            "write -D " + parameter.name +
                "=1.5, with one of the units mm cm km gram kg ms sec fps deg if wanted; metres "
                "need none");
        problem.place.file = written;
    }
    return written;
}

Bound Evaluator::compute_param(const Binding& binding)
{
    const Tree& tree = *binding.tree;
    Parameter parameter = scene.parameters[binding.number];
    const auto value = evaluate_constant({&tree, tree.child(binding.node, 0), binding.value_scope},
                                         "the value of a param");
    const bool has_range = tree.nodes[binding.node].flags & Node::kHasRange;
    if (has_range)
        compute_range(binding, parameter);
    if (tree.nodes[binding.node].flags & Node::kHasText) {
        const std::string_view quoted = tree.text(tree.child(binding.node, has_range ? 3 : 1));
        parameter.text = quoted.substr(1, quoted.size() - std::min<std::size_t>(2, quoted.size()));
    }
    parameter.value = value.value_or(0);
    const std::optional<std::string> given = take_given(parameter);
    const bool below = parameter.low && parameter.value < *parameter.low;
    const bool above = parameter.high && parameter.value > *parameter.high;
    if (below || above) {
        Problem& problem = error(
            given ? Origin{} : tree.origin(tree.child(binding.node, 0)), "param-outside-range",
            "'" + parameter.name + "' is " + number_text(parameter.value) + ", outside its range " +
                number_text(*parameter.low) + " to " + number_text(*parameter.high),
            "choose a value inside, or widen the range");
        if (given)
            problem.place.file = *given;
    }
    scene.parameters[binding.number] = parameter;
    return value ? bound({parameter.value}, binding.origin) : poison();
}

/// The value that is assigned to a variable, or the event it names.
Bound Evaluator::compute_value(const Binding& binding, Site site)
{
    const Tree& tree = *site.tree;
    if (tree.nodes[site.node].kind == NodeKind::event)
        return event_of(site);
    const NodeId callee = tree.nodes[site.node].first_child;
    if (tree.nodes[site.node].kind == NodeKind::call &&
        tree.first_token(callee).kind == TokenKind::kw_initial) {
        error(tree.origin(site.node), "initial-of-var",
              "'" + std::string(name(binding.symbol)) + "' is a var and has no start value",
              "declare it `dynamic` if it is to move freely");
        return poison();
    }
    const Bound result = evaluate(site);
    if (result.kind != Bound::Kind::object || result.pending == Bound::kNotPending ||
        tree.nodes[site.node].kind != NodeKind::name)
        return result;
    const Site named = pending_objects_[result.pending];
    if (named_in_text(named, named.tree->last_name(named.node).symbol))
        error(tree.origin(site.node), "instance-as-value", "this makes an object, not a value",
              "an instance gets its name by `name = ...;` without `var`");
    else
        report_unknown_object(named);
    return poison();
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
    case BindingKind::dynamic:
        result = binding.is_ball ? make_turn(id) : make_coordinate(id);
        break;
    case BindingKind::import:
        result = bound(add_formula({.operation = Operation::imported, .index = binding.number}),
                       binding.origin);
        break;
    case BindingKind::param: result = compute_param(binding); break;
    default: result = compute_value(binding, site);
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
    coordinate_scopes_.push_back(binding.scope);
    if (binding.node != kNoNode)
        evaluate_initial(id, {binding.tree, binding.node, binding.value_scope});
    const Value value =
        add_formula({.operation = Operation::coordinate, .index = coordinate.index});
    return {.kind = Bound::Kind::coordinate,
            .value = value,
            .coordinate = coordinate,
            .origin = binding.origin};
}

/// Gives a `dynamic ball` the four coordinates of a unit quaternion.
Bound Evaluator::make_turn(BindingId id)
{
    const Binding binding = scopes_.binding(id);
    const CoordinateId first{static_cast<std::uint32_t>(scene.coordinates.size())};
    const std::string own = with_index(
        name(binding.symbol), binding.element == INT64_MIN ? Object::kNoIndex : binding.element);
    for (std::uint32_t part = 0; part < 4; ++part) {
        const auto kind = static_cast<std::uint32_t>(CoordinateKind::turn_w) + part;
        scene.coordinates.push_back({.name = own + "." + "wxyz"[part],
                                     .initial = part == 0 ? 1.0 : 0.0,
                                     .origin = binding.origin,
                                     .kind = static_cast<CoordinateKind>(kind)});
        coordinate_scopes_.push_back(binding.scope);
    }
    if (binding.node != kNoNode)
        evaluate_initial(id, {binding.tree, binding.node, binding.value_scope});
    return {.kind = Bound::Kind::turn, .coordinate = first, .origin = binding.origin};
}

/// initial((x, y, z), (x, y, z)): the vector of a rotation, and an angular velocity about the same
/// axes.
void Evaluator::evaluate_turn_start(BindingId id, std::uint32_t first, const Arguments& arguments)
{
    const Binding& binding = scopes_.binding(id);
    const auto vector = [&](std::size_t at) {
        Vec3 v{0, 0, 0};
        for (std::size_t i = 0; i < 3; ++i)
            if (arguments.bound[at + i].kind != Bound::Kind::none)
                v[int(i)] = arguments.bound[at + i].value.number;
        return v;
    };
    if (arguments.bound.size() != 6) {
        error(binding.assignment, "ball-needs-vectors",
              "'" + std::string(name(binding.symbol)) + "' is a ball: its start is a vector",
              "write initial((x, y, z), (spin_x, spin_y, spin_z)): an axis times an angle, and an "
              "angular velocity");
        return;
    }
    const Quat q = exp_quat(vector(0));
    const TurnParts<double> parts{q.w, q.x, q.y, q.z}, rates = rates_of(parts, vector(3));
    for (std::uint32_t part = 0; part < 4; ++part) {
        scene.coordinates[first + part].initial = parts[part];
        scene.coordinates[first + part].initial_rate = rates[part];
    }
}

void Evaluator::evaluate_initial(BindingId id, Site site)
{
    const std::uint32_t coordinate = static_cast<std::uint32_t>(scene.coordinates.size()) - 1;
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const bool is_initial = node.kind == NodeKind::call &&
                            tree.first_token(node.first_child).kind == TokenKind::kw_initial;
    if (!is_initial) {
        const bool is_slip = node.kind == NodeKind::call &&
                             !find_similar(tree.text(node.first_child), {"initial"}).empty();
        Problem& problem =
            error(tree.origin(is_slip ? node.first_child : site.node), "dynamic-needs-initial",
                  "'" + std::string(name(scopes_.binding(id).symbol)) +
                      "' is dynamic: the simulation moves it, it has no other value than its start",
                  is_slip ? "did you mean 'initial'?"
                          : "write initial(value, rate), or declare it `var`");
        report_.remark(problem, scopes_.binding(id).origin, "declared dynamic here");
        return;
    }
    const Arguments arguments = bind_arguments(site, *find_word("initial", WordKind::start));
    if (!arguments.is_good)
        return;
    if (scopes_.binding(id).is_ball)
        return evaluate_turn_start(id, coordinate - 3, arguments);
    if (arguments.bound.size() != 2) {
        error(tree.origin(site.node), "start-of-a-ball",
              "'" + std::string(name(scopes_.binding(id).symbol)) +
                  "' is one number: its start is no vector",
              "write initial(value, rate), or declare it `dynamic ball`");
        return;
    }
    scene.coordinates[coordinate].initial = arguments.bound[0].value.number;
    scene.coordinates[coordinate].initial_rate =
        arguments.bound[1].kind == Bound::Kind::none ? 0 : arguments.bound[1].value.number;
}

/// The value `left.theta` stands for.
Bound Evaluator::evaluate_member(Site site)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    const NodeId last = parts.back();
    parts.pop_back();
    const ObjectId object = resolve_name_parts(site, parts, kNoSymbol);
    if (!object.is_valid())
        return poison();
    const Token& token = tree.first_token(last);
    const ScopeId scope = scope_of(object);
    BindingId found = scope == kNoScope ? kNoBinding : scopes_.find_here(scope, token.symbol);
    if (found != kNoBinding && tree.nodes[last].first_child != kNoNode) {
        const auto index =
            evaluate_whole({&tree, tree.nodes[last].first_child, site.scope}, "an index");
        found = index ? scopes_.find_element(found, *index) : kNoBinding;
    }
    if (found != kNoBinding && holds_value(scopes_.binding(found).kind)) {
        link(tree.origin(token), scopes_.binding(found).origin);
        return force(found, site);
    }
    std::vector<ObjectId> several;
    if (find_object_part(object, token.symbol, Object::kNoIndex, several).is_valid() ||
        !several.empty())
        return {.kind = Bound::Kind::object, .object = find_object(site)};
    const BindingId first = scopes_.find(site.scope, tree.first_token(site.node).symbol);
    const bool is_namespace =
        first != kNoBinding && scopes_.binding(first).kind == BindingKind::name_space;
    error(tree.origin(token), "unknown-member",
          "'" + path_of(object) + "' has no '" + std::string(name(token.symbol)) + "'",
          is_namespace ? "it must be declared in the included file"
                       : "it must be declared inside its def");
    return poison();
}

} // namespace sinew::charli
