// Values: numbers, arithmetic, calls, paths. Arithmetic on numbers is done at once; with anything
// that moves it becomes a formula of the scene.

#include "charli/evaluate/evaluator.h"
#include "charli/text/lexer.h"

#include "base/text.h"
#include "math/functions.h"

#include <cmath>
#include <numbers>

namespace sinew::charli {

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
    case NodeKind::time: return evaluate_time(origin);
    case NodeKind::string: return evaluate_string(site);
    case NodeKind::paren:
    case NodeKind::plus: return evaluate({&tree, node.first_child, site.scope});
    case NodeKind::negate: return evaluate_negation(site);
    case NodeKind::list: return evaluate_list(site);
    case NodeKind::element: return evaluate_component(site);
    case NodeKind::let: return evaluate_let(site);
    case NodeKind::choice: return evaluate_choice(site);
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

Bound Evaluator::evaluate_time(Origin origin)
{
    if (time_formula_ == Value::kNoFormula)
        time_formula_ = add_formula({.operation = Operation::time}).formula;
    return bound({0, time_formula_}, origin);
}

Bound Evaluator::evaluate_string(Site site)
{
    const std::string_view text = site.tree->text(site.node);
    if (text.size() < 2 || text.back() != '"')
        return poison(); // an open string, reported by the lexer
    return {.kind = Bound::Kind::text,
            .text = text.substr(1, text.size() - 2),
            .origin = site.tree->origin(site.node)};
}

Bound Evaluator::evaluate_negation(Site site)
{
    const Origin origin = site.tree->origin(site.node);
    const Bound value =
        evaluate_operand({site.tree, site.tree->nodes[site.node].first_child, site.scope});
    if (value.kind == Bound::Kind::list)
        return combine(Operation::multiply, bound({-1}, origin), value, origin);
    return value.kind == Bound::Kind::poison
               ? poison()
               : bound(apply(Operation::negate, value.value, {}, origin), origin);
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

std::optional<Value> Evaluator::evaluate_value(Site site) { return as_value(evaluate(site), site); }

/// The number that was found at a place; nothing, with an error, when it is anything else.
std::optional<Value> Evaluator::as_value(const Bound& result, Site site)
{
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
    else if (result.kind == Bound::Kind::turn)
        error(origin, "ball-as-number", "'" + shown + "' is a ball, not a number",
              "use it in ball(q), free(q, x, y, z), torque(q, x, y, z) or "
              "spring_and_damper(q, stiffness, damping)");
    else if (result.kind == Bound::Kind::list)
        error(origin, "list-as-number",
              "'" + shown + "' is a list of " + std::to_string(lists_[result.list].size()) +
                  " values, not a number",
              "say which one: [0] is the first; of a vector .x, .y and .z");
    else if (result.kind == Bound::Kind::object &&
             site.tree->nodes[site.node].kind == NodeKind::name)
        report_unknown_object(site);
    else
        error(origin, "not-a-number", "'" + shown + "' is not a number",
              "write a number or a name of one");
    return std::nullopt;
}

std::optional<double> Evaluator::evaluate_constant(Site site, const std::string& what)
{
    return as_constant(evaluate(site), site, what);
}

std::optional<double> Evaluator::as_constant(const Bound& found, Site site, const std::string& what)
{
    const auto value = as_value(found, site);
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
    return as_whole(evaluate(site), site, what);
}

std::optional<std::int64_t> Evaluator::as_whole(const Bound& found, Site site,
                                                const std::string& what)
{
    const auto value = as_constant(found, site, what);
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
    const auto value = evaluate_value(site);
    if (value && !value->is_constant())
        error(
            site.tree->origin(site.node), "must-be-constant",
            "`if` decides when the script is read; this depends on " + describe_dependence(*value),
            "for what changes while it runs write `whenever condition ... end;` around forces and "
            "constraints, or choose a value: `condition ? 1 : 2`");
    return value && value->is_constant() ? std::optional(value->number != 0) : std::nullopt;
}

namespace {

/// What a unit measures: a length, a mass, a time, a rate or an angle; nothing for bare numbers.
const char* measure_of(const Tree& tree, NodeId node)
{
    const Node& number = tree.nodes[node];
    if (number.kind != NodeKind::number || number.last_token == number.first_token)
        return nullptr;
    switch (tree.tokens[number.last_token].kind) {
    case TokenKind::unit_mm:
    case TokenKind::unit_cm:
    case TokenKind::unit_km: return "a length";
    case TokenKind::unit_gram:
    case TokenKind::unit_kg: return "a mass";
    case TokenKind::unit_ms:
    case TokenKind::unit_sec: return "a time";
    case TokenKind::unit_fps: return "a rate";
    case TokenKind::unit_deg: return "an angle";
    default: return nullptr;
    }
}

/// `5 cm + 3 deg`
void check_units_of_sum(const Tree& tree, NodeId left, NodeId right, Report& report)
{
    const char* const a = measure_of(tree, left);
    const char* const b = measure_of(tree, right);
    if (a && b && std::string_view(a) != b)
        report.warning(tree.origin(right), "unlike-units",
                       "this adds " + std::string(b) + " to " + a,
                       "give both the same kind of unit");
}

} // namespace

Bound Evaluator::evaluate_chain(Site site)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    Bound total;
    NodeId previous = kNoNode;
    bool is_good = true;
    for (const NodeId operand : children(tree, site.node)) {
        const Bound value = evaluate_operand({&tree, operand, site.scope});
        is_good = is_good && value.kind != Bound::Kind::poison;
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
            const bool unit_above =
                left.kind == NodeKind::time ||
                (left.kind == NodeKind::number && left.last_token > left.first_token);
            if (operation == Operation::divide && unit_below && !unit_above) {
                const std::string divisor(tree.text(operand));
                const std::string unit(tree.text(tree.tokens[right.last_token]));
                const std::string number(tree.text(tree.tokens[right.first_token]));
                report_.warning(tree.origin(operand), "unit-below-fraction",
                                "a unit applies to its number alone: this divides by " + divisor,
                                "if that is meant, write / (" + divisor + "); for a fraction of " +
                                    unit + " write / " + number + " * 1 " + unit);
            }
            if (operation == Operation::add || operation == Operation::subtract)
                check_units_of_sum(tree, previous, operand, report_);
            if (operation == Operation::divide && value.kind == Bound::Kind::value &&
                value.value.is_constant() && value.value.number == 0) {
                error(tree.origin(operand), "division-by-zero", "this divides by zero",
                      "guard it with `if`, or change the value");
                return poison();
            }
            total = combine(operation, total, value, origin);
            is_good = total.kind != Bound::Kind::poison;
        }
        previous = operand;
    }
    total.origin = origin;
    return is_good ? total : poison();
}

Bound Evaluator::evaluate_comparison(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId left = tree.child(site.node, 0), right = tree.child(site.node, 1);
    const TokenKind sign = tree.tokens[tree.nodes[right].first_token - 1].kind;
    const Bound first = evaluate({&tree, left, site.scope});
    if (first.kind == Bound::Kind::text) {
        const Bound second = evaluate({&tree, right, site.scope});
        const bool is_equal = second.kind == Bound::Kind::text && first.text == second.text;
        return bound({is_equal == (sign == TokenKind::equal) ? 1.0 : 0.0}, tree.origin(site.node));
    }
    const auto a = as_value(first, {&tree, left, site.scope});
    const auto b = evaluate_value({&tree, right, site.scope});
    return a && b ? compare(sign, *a, *b, tree.origin(site.node)) : poison();
}

/// 1 or 0; of what moves a formula that is 1 while the comparison holds.
Bound Evaluator::compare(TokenKind sign, Value a, Value b, Origin origin)
{
    if (!a.is_constant() || !b.is_constant()) {
        const auto less = [&](Value x, Value y) {
            return add_checked({.operation = Operation::less, .a = x, .b = y}, origin);
        };
        const auto opposite = [&](Value x) { return apply(Operation::subtract, {1}, x, origin); };
        switch (sign) {
        case TokenKind::less: return bound(less(a, b), origin);
        case TokenKind::greater: return bound(less(b, a), origin);
        case TokenKind::less_equal: return bound(opposite(less(b, a)), origin);
        case TokenKind::greater_equal: return bound(opposite(less(a, b)), origin);
        default:
            error(origin, "equality-of-moving",
                  "`==` between moving values holds for an instant only",
                  "compare with < or >, or write abs(a - b) < 0.01");
            return poison();
        }
    }
    bool result = false;
    switch (sign) {
    case TokenKind::equal: result = a.number == b.number; break;
    case TokenKind::unequal: result = a.number != b.number; break;
    case TokenKind::less: result = a.number < b.number; break;
    case TokenKind::less_equal: result = a.number <= b.number; break;
    case TokenKind::greater: result = a.number > b.number; break;
    default: result = a.number >= b.number; break;
    }
    return bound({result ? 1.0 : 0.0}, origin);
}

Bound Evaluator::evaluate_logic(Site site)
{
    const Tree& tree = *site.tree;
    const NodeKind kind = tree.nodes[site.node].kind;
    const Origin origin = tree.origin(site.node);
    bool result = kind == NodeKind::all_of;
    bool is_good = true;
    std::vector<Value> moving;
    for (const NodeId operand : children(tree, site.node)) {
        const auto value = evaluate_value({&tree, operand, site.scope});
        is_good = is_good && value;
        if (!value)
            continue;
        if (!value->is_constant()) {
            moving.push_back(*value);
            continue;
        }
        const bool holds = value->number != 0;
        result = kind == NodeKind::invert ? !holds : holds;
        if (kind != NodeKind::invert && result == (kind == NodeKind::any_of))
            return is_good ? bound({result ? 1.0 : 0.0}, origin)
                           : poison(); // `n > 0 and 1 / n < 2`: the rest is not asked
    }
    if (!is_good)
        return poison();
    return moving.empty() ? bound({result ? 1.0 : 0.0}, origin)
                          : evaluate_moving_logic(kind, moving, origin);
}

/// and: the smallest, or: the largest, not: 1 - x, of conditions that are 0 or 1.
Bound Evaluator::evaluate_moving_logic(NodeKind kind, const std::vector<Value>& operands,
                                       Origin origin)
{
    Value result = operands[0];
    if (kind == NodeKind::invert)
        return bound(apply(Operation::subtract, {1}, result, origin), origin);
    const Operation operation = kind == NodeKind::all_of ? Operation::multiply : Operation::maximum;
    for (std::size_t i = 1; i < operands.size(); ++i)
        result = apply(operation, result, operands[i], origin);
    return bound(result, origin);
}

Bound Evaluator::evaluate_call(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId callee = tree.nodes[site.node].first_child;
    const Token& token = tree.first_token(callee);
    const std::string quoted = "'" + excerpt(tree.text(callee), 60) + "'";
    const Origin origin = tree.origin(callee);
    if (token.kind == TokenKind::kw_initial) {
        error(origin, "initial-inside", "initial(...) must be the whole right-hand side of `=`",
              "write `x = initial(value, rate);` for a dynamic x");
        return poison();
    }
    const bool is_plain = tree.nodes[callee].first_child == kNoNode;
    const BindingId own = find_callee({&tree, callee, site.scope});
    if (own != kNoBinding && scopes_.binding(own).kind == BindingKind::function)
        return call_function(own, site);
    const std::string_view word_name = is_plain ? name(token.symbol) : std::string_view();
    const Word* function = find_word(word_name, WordKind::function);
    const Word* path = find_word(word_name, WordKind::path);
    const bool is_def = own != kNoBinding && scopes_.binding(own).kind == BindingKind::def;
    // A def makes an object and has no value, so that `def floor` leaves floor(x) as it is.
    if (own != kNoBinding && !(is_def && (function || path))) {
        link(origin, scopes_.binding(own).origin);
        error(origin, is_def ? "def-as-value" : "call-of-value",
              is_def ? quoted + " makes an object, not a value"
                     : quoted + " is " + a_name_of(scopes_.binding(own).kind) +
                           ", it takes no arguments",
              is_def ? "instance it as a statement: `" + std::string(name(token.symbol)) + "(...);`"
                     : "remove the brackets, or write `*` between");
        return poison();
    }
    if (function)
        return evaluate_function(site, *function);
    if (path)
        return evaluate_path(site, *path);
    if (const Word* word = find_any_word(word_name)) {
        error(origin, "statement-as-value", quoted + " is not a function: it has no value",
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
    if (word.code >= static_cast<std::uint8_t>(ListFunction::dot))
        return evaluate_list_function(site, word);
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
    if (path.kind == PathKind::closed_spline)
        for (std::uint32_t i = 0; i < 3; ++i) // its last point is its first
            scene.values.push_back(Value(scene.values[path.points.first + i]));
    path.points.count = static_cast<std::uint32_t>(scene.values.size()) - path.points.first;
    scene.paths.push_back(path);
    return {.kind = Bound::Kind::path,
            .path = PathId{static_cast<std::uint32_t>(scene.paths.size() - 1)},
            .origin = path.origin};
}

} // namespace sinew::charli
