// Edits of a script that change only the bytes they mean: each finds a node of the lossless tree
// and replaces its text.

#include "charli/text/edit_tree.h"
#include "sinew/language.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>

namespace sinew {

namespace {

using namespace charli;

std::string without_spaces(std::string_view text)
{
    std::string out(text);
    std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    return out;
}

/// The right side of `name = ...;` in a block, or the value of a param.
NodeId find_value(const Tree& tree, NodeId block, std::string_view name)
{
    for (const NodeId node : children(tree, block)) {
        const NodeKind kind = tree.nodes[node].kind;
        if (kind == NodeKind::assign &&
            without_spaces(tree.text(tree.nodes[node].first_child)) == name)
            return tree.child(node, 1);
        if (kind == NodeKind::declare)
            for (const NodeId child : children(tree, node))
                if (tree.nodes[child].kind == NodeKind::assign &&
                    tree.text(tree.first_token(child)) == name)
                    return tree.child(child, 1);
        if (kind == NodeKind::param &&
            tree.text(tree.tokens[tree.nodes[node].first_token + 1]) == name)
            return tree.nodes[node].first_child;
    }
    return kNoNode;
}

NodeId find_declaration(const Tree& tree, NodeId block, std::string_view name)
{
    for (const NodeId node : children(tree, block)) {
        if (tree.nodes[node].kind != NodeKind::declare)
            continue;
        for (const NodeId child : children(tree, node))
            if (tree.text(tree.first_token(child)) == name)
                return node;
    }
    return kNoNode;
}

/// The statement that makes an instance: "left", "b[3]", "crate", "crate#2".
NodeId find_instance(const Tree& tree, NodeId block, const std::string& name)
{
    const std::size_t hash = name.find('#');
    int wanted = hash == std::string::npos ? 1 : std::atoi(name.c_str() + hash + 1);
    const std::string plain = name.substr(0, hash);
    for (const NodeId node : children(tree, block)) {
        const NodeKind kind = tree.nodes[node].kind;
        if (kind == NodeKind::assign && hash == std::string::npos &&
            item_of(tree, node) != kNoNode &&
            without_spaces(tree.text(tree.nodes[node].first_child)) == plain)
            return node;
        if (kind == NodeKind::item && callee_text(tree, node) == plain && --wanted == 0)
            return node;
    }
    return kNoNode;
}

/// A plain number in the text that can be changed: itself, or the start of a dynamic variable it
/// names.
std::optional<NodeId> find_literal(const Tree& tree, NodeId block, NodeId node)
{
    const auto is_literal = [&](NodeId id) { return plain_number(tree, id).has_value(); };
    if (is_literal(node))
        return node;
    if (tree.nodes[node].kind != NodeKind::name)
        return std::nullopt;
    const NodeId declaration = find_declaration(tree, block, tree.text(node));
    if (declaration == kNoNode || tree.first_token(declaration).kind != TokenKind::kw_dynamic)
        return std::nullopt;
    const NodeId value = find_value(tree, block, tree.text(node));
    if (value == kNoNode || tree.nodes[value].kind != NodeKind::call)
        return std::nullopt;
    const NodeId start = tree.child(value, 1);
    return start != kNoNode && is_literal(start) ? std::optional(start) : std::nullopt;
}

} // namespace

Result<ScriptEditor> ScriptEditor::open(const std::string& name, std::string text)
{
    Parsed parsed = parse_text(name, text);
    if (parsed.tree.has_faults)
        return parsed.report.take();
    return ScriptEditor(name, std::move(text));
}

Problems ScriptEditor::replace(std::size_t offset, std::size_t length, const std::string& by)
{
    std::string next = text_;
    next.replace(offset, length, by);
    Parsed parsed = parse_text(name_, next);
    if (parsed.tree.has_faults)
        return parsed.report.take();
    text_ = std::move(next);
    return {};
}

Problems ScriptEditor::set_value(const std::string& name, const std::string& value)
{
    if (Problems problems = check_value_text(name_, value); !problems.empty())
        return problems;
    const Parsed parsed = parse_text(name_, text_);
    const Tree& tree = parsed.tree;
    std::string own = name;
    const NodeId block = find_block(tree, own);
    const NodeId node = block == kNoNode ? kNoNode : find_value(tree, block, own);
    if (node != kNoNode)
        return replace(tree.first_token(node).offset, tree.text(node).size(), value);
    const NodeId declaration = block == kNoNode ? kNoNode : find_declaration(tree, block, own);
    if (declaration != kNoNode)
        return replace(tree.last_token(declaration).end(), 0, " " + own + " = " + value + ";");
    return refuse(name_, "unknown-name", "the script has no value '" + name + "'",
                  "declare it with `var`, `dynamic` or `param`; inside a def it is def_name.name");
}

Problems ScriptEditor::set_argument(const std::string& word, int statement, int argument,
                                    const std::string& value)
{
    if (Problems problems = check_value_text(name_, value); !problems.empty())
        return problems;
    const Parsed parsed = parse_text(name_, text_);
    const Tree& tree = parsed.tree;
    const NodeId found = find_statement(tree, word, statement);
    if (found == kNoNode)
        return refuse_statement(name_, word, statement);
    const NodeId head = head_of(tree, item_of(tree, found));
    NodeId node = tree.nodes[head].kind == NodeKind::call && argument >= 0
                      ? tree.child(head, argument + 1)
                      : kNoNode;
    if (node != kNoNode && tree.nodes[node].kind == NodeKind::named)
        node = tree.nodes[node].first_child;
    if (node == kNoNode)
        return refuse(name_, "missing-argument",
                      "'" + word + "' has no argument number " + std::to_string(argument) + " here",
                      "they are counted from 0");
    return replace(tree.first_token(node).offset, tree.text(node).size(), value);
}

Problems ScriptEditor::move_instance(const std::string& name, Vec3 by)
{
    const Parsed parsed = parse_text(name_, text_);
    const Tree& tree = parsed.tree;
    std::string own = name;
    const NodeId block = find_block(tree, own);
    const NodeId statement = block == kNoNode ? kNoNode : find_instance(tree, block, own);
    if (statement == kNoNode)
        return refuse(name_, "unknown-object",
                      "the script does not make '" + name + "' by a statement of its own",
                      "what a loop makes is moved in the loop; inside a def it is def_name.name");
    const NodeId item = item_of(tree, statement);

    // Translations at the end of the list commute: each axis changes the number it finds there.
    std::vector<NodeId> calls;
    NodeId last = head_of(tree, item);
    if (last != item)
        for (NodeId part = tree.nodes[last].next; part != kNoNode; part = tree.nodes[part].next)
            if (tree.nodes[part].kind == NodeKind::call)
                calls.push_back(last = part);
    double rest[3] = {by.x, by.y, by.z};
    std::vector<std::pair<NodeId, std::string>> changes;
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        const std::string_view word = tree.text(tree.nodes[*call].first_child);
        if (!word.starts_with("translate"))
            break;
        const int first_axis = word == "translate" ? 0 : word.back() - 'x';
        for (int i = 0; i < (word == "translate" ? 3 : 1); ++i) {
            const NodeId argument = tree.child(*call, i + 1);
            double& wanted = rest[first_axis + i];
            if (argument == kNoNode || wanted == 0)
                continue;
            if (const auto literal = find_literal(tree, block, argument)) {
                changes.emplace_back(*literal, shortest(*plain_number(tree, *literal) + wanted));
                wanted = 0;
            }
        }
    }
    std::string text = text_;
    std::string added;
    const int axes = (rest[0] != 0) + (rest[1] != 0) + (rest[2] != 0);
    if (axes == 1)
        for (int i = 0; i < 3; ++i)
            added += rest[i] == 0
                         ? ""
                         : std::string(" translate") + "xyz"[i] + "(" + shortest(rest[i]) + ")";
    else if (axes > 1)
        added = " translate(" + shortest(rest[0]) + ", " + shortest(rest[1]) + ", " +
                shortest(rest[2]) + ")";
    std::vector<std::tuple<std::size_t, std::size_t, std::string>> edits;
    edits.emplace_back(tree.last_token(last).end(), 0, added);
    for (const auto& [node, value] : changes)
        edits.emplace_back(tree.first_token(node).offset, tree.text(node).size(), value);
    std::sort(edits.rbegin(), edits.rend()); // from the back, so that offsets stay true
    for (const auto& [offset, length, value] : edits)
        text.replace(offset, length, value);
    Parsed check = parse_text(name_, text);
    if (check.tree.has_faults)
        return check.report.take();
    text_ = std::move(text);
    return {};
}

} // namespace sinew
