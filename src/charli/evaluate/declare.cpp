// The declaring pass: which names there are, and what conditions, loops and includes decide about
// them.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew::charli {

/// Names first, so that a statement may use what a later one declares.
void Evaluator::declare_names(Site block)
{
    for (const NodeId node : children(*block.tree, block.node)) {
        const Site site{block.tree, node, block.scope};
        switch (block.tree->nodes[node].kind) {
        case NodeKind::declare: declare_variables(site); break;
        case NodeKind::param: declare_param(site); break;
        case NodeKind::def: declare_def(site); break;
        case NodeKind::event: declare_event_name(site); break;
        default: break;
        }
    }
    for (const NodeId node : children(*block.tree, block.node))
        if (block.tree->nodes[node].kind == NodeKind::fault)
            declare_faulty({block.tree, node, block.scope});
}

/// Names in a statement that could not be read: their fault is told, nothing else is to be said of
/// them.
void Evaluator::declare_faulty(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    bool declares_all = false, declares_next = false;
    constexpr std::size_t kMost = 4'000'000; // a long one in a loop is met again in each round
    faulty_tokens_ += node.last_token - node.first_token;
    if (faulty_tokens_ > kMost)
        return;
    for (std::uint32_t i = node.first_token; i <= node.last_token; ++i) {
        const Token& token = tree.tokens[i];
        const TokenKind next = tree.tokens[i + 1].kind;
        if (token.kind != TokenKind::identifier) {
            const bool is_list = token.kind == TokenKind::kw_var ||
                                 token.kind == TokenKind::kw_dynamic ||
                                 token.kind == TokenKind::kw_import;
            declares_all = is_list || (declares_all && token.kind == TokenKind::comma);
            declares_next = token.kind == TokenKind::kw_def || token.kind == TokenKind::kw_param;
            continue;
        }
        const bool is_introduced = declares_all || declares_next || next == TokenKind::assign ||
                                   (i == node.first_token && next == TokenKind::left_bracket);
        BindingId id = scopes_.find_here(site.scope, token.symbol);
        if (id == kNoBinding && is_introduced)
            id = add_binding(site, token, BindingKind::local);
        if (id == kNoBinding)
            id = scopes_.find(site.scope, token.symbol);
        if (id == kNoBinding)
            continue;
        Binding& binding = scopes_.binding(id);
        binding.is_used = binding.is_used || binding.kind != BindingKind::def;
        if (is_introduced && binding.state == Binding::State::unassigned &&
            holds_value(binding.kind) && binding.kind != BindingKind::dynamic) {
            binding.state = Binding::State::done;
            binding.bound = poison();
        }
    }
}

void Evaluator::declare_block(Site block, Block& out)
{
    if (is_exhausted_)
        return;
    declare_names(block);
    // Plain values come first: a loop or a condition may stand before the value it needs.
    for (const NodeId node : children(*block.tree, block.node)) {
        const Site site{block.tree, node, block.scope};
        if (block.tree->nodes[node].kind != NodeKind::assign)
            continue;
        const NodeId target = block.tree->nodes[node].first_child;
        if (block.tree->nodes[target].first_child == kNoNode)
            if (const BindingId found = find_assigned(site); found != kNoBinding)
                assign_value(site, found);
    }
    for (const NodeId node : children(*block.tree, block.node))
        if (block.tree->nodes[node].kind == NodeKind::declare)
            assign_declared({block.tree, node, block.scope});
    for (const NodeId node : children(*block.tree, block.node)) {
        if (!spend(block.tree->origin(block.tree->first_token(node))))
            return;
        declare_statement({block.tree, node, block.scope}, out);
    }
}

/// var a = 1, b = 2;
void Evaluator::assign_declared(Site site)
{
    for (const NodeId node : children(*site.tree, site.node)) {
        const Site part{site.tree, node, site.scope};
        if (site.tree->nodes[node].kind != NodeKind::assign)
            continue;
        if (const BindingId found = find_assigned(part); found != kNoBinding)
            assign_value(part, found);
    }
}

void Evaluator::declare_statement(Site site, Block& out)
{
    switch (site.tree->nodes[site.node].kind) {
    case NodeKind::assign: return declare_assign(site, out);
    case NodeKind::item:
    case NodeKind::name:
    case NodeKind::call: out.actions.push_back({site}); return;
    case NodeKind::loop: return declare_loop(site, out);
    case NodeKind::branch: return declare_branch(site, out);
    case NodeKind::event: return declare_event(site, out);
    case NodeKind::include: return declare_include(site, out);
    default: return;
    }
}

BindingId Evaluator::add_binding(Site site, const Token& token, BindingKind kind)
{
    const Origin origin = site.tree->origin(token);
    if (const BindingId old = scopes_.find_here(site.scope, token.symbol); old != kNoBinding) {
        Problem& problem = error(origin, "declared-twice",
                                 "'" + std::string(name(token.symbol)) + "' is declared twice",
                                 "give one of them another name");
        report_.remark(problem, scopes_.binding(old).origin,
                       "first declared here, as " +
                           std::string(name_of(scopes_.binding(old).kind)));
        scopes_.binding(old).is_used = true;
        return kNoBinding;
    }
    link(origin, origin);
    Binding binding{.symbol = token.symbol, .kind = kind};
    binding.scope = site.scope;
    binding.origin = origin;
    return scopes_.bind(std::move(binding));
}

void Evaluator::declare_variables(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const TokenKind keyword = tree.tokens[node.first_token].kind;
    const BindingKind kind = keyword == TokenKind::kw_var       ? BindingKind::variable
                             : keyword == TokenKind::kw_dynamic ? BindingKind::dynamic
                                                                : BindingKind::import;
    for (const NodeId child : children(tree, site.node)) {
        const Token& token = tree.first_token(child);
        const BindingId id = add_binding(site, token, kind);
        if (id != kNoBinding)
            scopes_.binding(id).is_ball = (node.flags & Node::kIsBall) != 0;
        if (id != kNoBinding && kind == BindingKind::import) {
            Binding& binding = scopes_.binding(id);
            binding.number = static_cast<std::uint32_t>(scene.imports.size());
            scene.imports.push_back({std::string(tree.text(token)), binding.origin});
        }
    }
}

void Evaluator::declare_param(Site site)
{
    const Tree& tree = *site.tree;
    const Token& token = tree.tokens[tree.nodes[site.node].first_token + 1];
    if (scopes_[site.scope].parent != kNoScope) {
        error(tree.origin(token), "param-inside",
              "'" + std::string(tree.text(token)) + "' is a param inside a def or a loop",
              "params belong to the script as a whole: move it out, or write `var`");
        declare_faulty(site);
        return;
    }
    const BindingId id = add_binding(site, token, BindingKind::param);
    if (id == kNoBinding)
        return;
    Binding& binding = scopes_.binding(id);
    binding.tree = site.tree;
    binding.node = site.node;
    binding.value_scope = site.scope;
    binding.state = Binding::State::waiting;
    binding.number = static_cast<std::uint32_t>(scene.parameters.size());
    std::string prefix;
    for (const Symbol part : namespaces_)
        prefix += std::string(name(part)) + ".";
    scene.parameters.push_back(
        {.name = prefix + std::string(tree.text(token)), .origin = binding.origin});
    params_.push_back(id);
}

void Evaluator::declare_def(Site site)
{
    const Tree& tree = *site.tree;
    const bool is_function = (tree.nodes[site.node].flags & Node::kIsFunction) != 0;
    const BindingId id = add_binding(site, tree.tokens[tree.nodes[site.node].first_token + 1],
                                     is_function ? BindingKind::function : BindingKind::def);
    if (id == kNoBinding)
        return;
    scopes_.binding(id).tree = site.tree;
    scopes_.binding(id).node = site.node;
    scopes_.binding(id).value_scope = site.scope;
}

void Evaluator::declare_assign(Site site, Block& out)
{
    const BindingId found = find_assigned(site);
    if (found == kNoBinding)
        out.actions.push_back({site}); // an instance, or a fault that is reported there
    else
        assign_value(site, found);
}

/// What holds values and stands left of `=`.
BindingId Evaluator::find_assigned(Site site) const
{
    const NodeId target = site.tree->nodes[site.node].first_child;
    const BindingId found = scopes_.find(site.scope, site.tree->first_token(target).symbol);
    return found != kNoBinding && holds_value(scopes_.binding(found).kind) ? found : kNoBinding;
}

void Evaluator::assign_value(Site site, BindingId found)
{
    const Tree& tree = *site.tree;
    const NodeId target = tree.nodes[site.node].first_child;
    const Token& token = tree.first_token(target);
    const std::string quoted = "'" + std::string(name(token.symbol)) + "'";
    const Origin origin = tree.origin(token);
    const bool is_plain = tree.nodes[target].first_child == kNoNode;
    if (const Binding& known = scopes_.binding(found);
        is_plain && known.node == tree.nodes[target].next && known.tree == &tree &&
        known.value_scope == site.scope)
        return; // seen before the loops and conditions of the block
    link(origin, scopes_.binding(found).origin);

    if (const Binding& faulty = scopes_.binding(found);
        faulty.state == Binding::State::done && faulty.bound.kind == Bound::Kind::poison)
        return; // its fault is told
    if (const BindingKind kind = scopes_.binding(found).kind;
        kind != BindingKind::variable && kind != BindingKind::dynamic) {
        Problem& problem = error(
            origin, "cannot-assign", quoted + " is " + a_name_of(kind) + " and cannot be assigned",
            kind == BindingKind::param ? "change the value in its declaration, or pass -D " +
                                             std::string(name(token.symbol)) + "=..."
                                       : "choose another name");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        return;
    }
    if (scopes_[scopes_.binding(found).scope].object != scopes_[site.scope].object) {
        Problem& problem =
            error(origin, "assigned-from-inside", quoted + " is declared outside this def",
                  "declare it inside, or assign it where it is declared");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        if (Binding& outer = scopes_.binding(found); outer.state == Binding::State::unassigned &&
                                                     outer.kind == BindingKind::variable &&
                                                     !outer.has_elements) {
            outer.state = Binding::State::done;
            outer.bound = poison();
        }
        return;
    }
    BindingId id = found;
    if (!is_plain) { // h[i] = ...
        const NodeId index_node = tree.nodes[tree.nodes[target].first_child].first_child;
        const auto index = evaluate_whole({&tree, index_node, site.scope}, "an index");
        if (!index)
            return;
        const bool has_own_value = scopes_.binding(found).state != Binding::State::unassigned;
        id = has_own_value ? found : scopes_.find_element(found, *index);
        if (id == kNoBinding)
            id = scopes_.add_element(found, *index);
    }
    Binding& binding = scopes_.binding(id);
    if (binding.state != Binding::State::unassigned || (id == found && binding.has_elements)) {
        const bool in_loop = binding.node == tree.child(site.node, 1) && binding.tree == &tree;
        Problem& problem = error(
            origin, "assigned-twice", quoted + " is given a second value",
            in_loop
                ? "each iteration assigns it: declare it inside the loop, or write " +
                      std::string(name(token.symbol)) + "[i]"
                : "a variable has one value: use another name, or a track that changes in time");
        report_.remark(problem, binding.assignment, "first value here");
        return;
    }
    binding.tree = &tree;
    binding.node = tree.child(site.node, 1);
    binding.value_scope = site.scope;
    binding.assignment = origin;
    binding.state = Binding::State::waiting;
}

void Evaluator::declare_loop(Site site, Block& out)
{
    const std::uint8_t flags = site.tree->nodes[site.node].flags;
    if (flags & Node::kOverList)
        return declare_list_loop(site, out);
    if (flags & Node::kHasStep)
        return declare_step_loop(site, out);
    const Tree& tree = *site.tree;
    const NodeId from_node = tree.child(site.node, 0), to_node = tree.child(site.node, 1);
    const auto from = evaluate_whole({&tree, from_node, site.scope}, "the first number of a loop");
    const auto to = evaluate_whole({&tree, to_node, site.scope}, "the last number of a loop");
    if (!from || !to)
        return;
    if (*from <= *to && static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from) >=
                            limits_.statement_count) {
        error(tree.origin(to_node), "loop-too-long",
              "this loop has more iterations than the " + std::to_string(limits_.statement_count) +
                  " statements a script may execute",
              "end the loop earlier");
        return;
    }
    for (std::int64_t i = *from; i <= *to; ++i)
        if (!declare_round(site, bound({static_cast<double>(i)}, {}), out))
            return;
}

/// One round of a loop; false when no more may follow.
bool Evaluator::declare_round(Site loop, Bound value, Block& out)
{
    const Tree& tree = *loop.tree;
    if (!spend(tree.origin(tree.first_token(loop.node))))
        return false;
    const Token& variable = tree.tokens[tree.nodes[loop.node].first_token + 1];
    const ScopeId round = scopes_.add(loop.scope, scopes_[loop.scope].object);
    const BindingId id = add_binding({&tree, loop.node, round}, variable, BindingKind::local);
    Binding& binding = scopes_.binding(id);
    binding.state = Binding::State::done;
    binding.is_used = true;
    if (value.origin.file == Origin::kNoFile)
        value.origin = binding.origin;
    binding.bound = value;
    NodeId body = tree.nodes[loop.node].first_child;
    while (tree.nodes[body].next != kNoNode)
        body = tree.nodes[body].next;
    declare_block({&tree, body, round}, out);
    return true;
}

/// for x in list
void Evaluator::declare_list_loop(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const NodeId list_node = tree.child(site.node, 0);
    const Bound list = evaluate({&tree, list_node, site.scope});
    if (list.kind != Bound::Kind::list) {
        if (list.kind != Bound::Kind::poison)
            error(tree.origin(list_node), "not-a-list",
                  "'" + excerpt(tree.text(list_node)) + "' is not a list",
                  "write a range, `1..10`, or a list, `[1, 2, 5]`");
        return;
    }
    const std::vector<Bound> elements = lists_[list.list];
    for (const Bound& element : elements)
        if (!declare_round(site, element, out))
            return;
}

/// for i in 0..10 step 2
void Evaluator::declare_step_loop(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const auto number = [&](int child, const char* what) {
        return evaluate_constant({&tree, tree.child(site.node, child), site.scope}, what);
    };
    const auto from = number(0, "the first number of a loop"),
               to = number(1, "the last number of a loop"), step = number(2, "the step of a loop");
    if (!from || !to || !step)
        return;
    if (*step == 0) {
        error(tree.origin(tree.child(site.node, 2)), "no-step", "the step of a loop cannot be 0",
              "write another step; the range says where it ends");
        return;
    }
    constexpr double kRounding = 1e-9; // of a step: 0..1 step 0.1 has eleven rounds
    const double rounds = sinew::floor((*to - *from) / *step + kRounding);
    if (rounds >= static_cast<double>(limits_.statement_count)) {
        error(tree.origin(tree.child(site.node, 1)), "loop-too-long",
              "this loop has more iterations than the " + std::to_string(limits_.statement_count) +
                  " statements a script may execute",
              "end the loop earlier");
        return;
    }
    for (double k = 0; k <= rounds; ++k)
        if (!declare_round(site, bound({*from + k * *step}, {}), out))
            return;
}

void Evaluator::declare_branch(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const auto condition = evaluate_condition({&tree, tree.child(site.node, 0), site.scope});
    if (!condition)
        return;
    const NodeId chosen = tree.child(site.node, *condition ? 1 : 2);
    if (chosen != kNoNode)
        declare_block({&tree, chosen, site.scope}, out);
}

/// `as landed`: a value that is 0 before the event and 1 from then on.
void Evaluator::declare_event_name(Site site)
{
    const Tree& tree = *site.tree;
    const NodeId second = tree.child(site.node, 1);
    if (tree.nodes[second].kind != NodeKind::name)
        return;
    const BindingId id = add_binding(site, tree.first_token(second), BindingKind::variable);
    if (id == kNoBinding)
        return;
    Binding& binding = scopes_.binding(id);
    binding.tree = &tree;
    binding.node = site.node;
    binding.value_scope = site.scope;
    binding.assignment = binding.origin;
    binding.state = Binding::State::waiting;
    binding.is_used = true; // its time is part of the motion
}

void Evaluator::declare_event(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    NodeId block = tree.nodes[site.node].first_child;
    while (tree.nodes[block].next != kNoNode)
        block = tree.nodes[block].next;
    Block inner;
    declare_block({&tree, block, site.scope}, inner);
    for (Action& action : inner.actions) {
        if (!action.event.tree)
            action.event = site;
        out.actions.push_back(action);
    }
}

/// Values in the order of the text: each mostly needs those before it, so nothing nests deeply.
void Evaluator::force_values(std::size_t first_binding)
{
    for (std::size_t i = first_binding; i < scopes_.bindings().size(); ++i) {
        const Binding& binding = scopes_.bindings()[i];
        if (binding.state == Binding::State::waiting)
            compute_binding(static_cast<BindingId>(i));
    }
}

} // namespace sinew::charli
