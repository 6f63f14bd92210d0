// Edits of a script that change only the bytes they mean: each finds a node of the lossless tree
// and replaces its text.

#include "charli/parsed_files.h"
#include "sinew/language.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <tuple>

namespace sinew {

namespace {

using namespace charli;

Parsed parse_text(const std::string& name, const std::string& text)
{
    return Parsed({name, std::make_shared<const std::string>(text)});
}

Problems refuse(const std::string& name, std::string code, std::string what, std::string hint)
{
    return {{.severity = Severity::error,
             .code = std::move(code),
             .place = {name},
             .what = std::move(what),
             .hint = std::move(hint)}};
}

std::string without_spaces(std::string_view text)
{
    std::string out(text);
    std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    return out;
}

/// The shortest text that reads back as the same number.
std::string shortest(double value)
{
    std::array<char, 40> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

NodeId find_def(const Tree& tree, NodeId block, std::string_view name)
{
    for (const NodeId node : children(tree, block))
        if (tree.nodes[node].kind == NodeKind::def &&
            tree.text(tree.tokens[tree.nodes[node].first_token + 1]) == name)
            return node;
    return kNoNode;
}

/// Splits "def.name" and finds the block the name is in; kNoNode when a def is missing.
NodeId find_block(const Tree& tree, std::string& name)
{
    NodeId block = tree.root;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.')) {
        const NodeId def = find_def(tree, block, name.substr(0, dot));
        if (def == kNoNode)
            return kNoNode;
        block = body_of(tree, def);
        name.erase(0, dot + 1);
    }
    return block;
}

/// The right side of `name = ...;` in a block, or the value of a param.
NodeId find_value(const Tree& tree, NodeId block, std::string_view name)
{
    for (const NodeId node : children(tree, block)) {
        const NodeKind kind = tree.nodes[node].kind;
        if (kind == NodeKind::assign &&
            without_spaces(tree.text(tree.nodes[node].first_child)) == name)
            return tree.child(node, 1);
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
        for (std::uint32_t i = tree.nodes[node].first_token; i <= tree.nodes[node].last_token; ++i)
            if (tree.tokens[i].kind == TokenKind::identifier && tree.text(tree.tokens[i]) == name)
                return node;
    }
    return kNoNode;
}

/// The item of a statement: `left = crate ...;` and `crate ...;` alike. kNoNode for other
/// statements.
NodeId item_of(const Tree& tree, NodeId statement)
{
    const Node& node = tree.nodes[statement];
    if (node.kind == NodeKind::item)
        return statement;
    if (node.kind != NodeKind::assign)
        return kNoNode;
    const NodeId value = tree.child(statement, 1);
    const NodeKind kind = tree.nodes[value].kind;
    return kind == NodeKind::item || kind == NodeKind::call || kind == NodeKind::name ? value
                                                                                      : kNoNode;
}

NodeId head_of(const Tree& tree, NodeId item)
{
    return tree.nodes[item].kind == NodeKind::item ? tree.nodes[item].first_child : item;
}

std::string_view callee_text(const Tree& tree, NodeId item)
{
    const NodeId head = head_of(tree, item);
    return tree.text(tree.nodes[head].kind == NodeKind::call ? tree.nodes[head].first_child : head);
}

/// Statements with a head `word` anywhere in the script, in the order of the text.
std::vector<NodeId> find_statements(const Tree& tree, std::string_view word)
{
    std::vector<NodeId> found;
    for (NodeId id = 0; id < tree.nodes.size(); ++id) {
        const NodeKind kind = tree.nodes[id].kind;
        if (kind != NodeKind::script && kind != NodeKind::block)
            continue;
        for (const NodeId statement : children(tree, id)) {
            const NodeId item = item_of(tree, statement);
            if (item != kNoNode && callee_text(tree, item) == word)
                found.push_back(statement);
        }
    }
    std::sort(found.begin(), found.end(), [&](NodeId a, NodeId b) {
        return tree.nodes[a].first_token < tree.nodes[b].first_token;
    });
    return found;
}

/// The `number`-th of them, counted from 0; kNoNode when there are not so many.
NodeId find_statement(const Tree& tree, std::string_view word, int number)
{
    const std::vector<NodeId> all = find_statements(tree, word);
    return number >= 0 && number < static_cast<int>(all.size()) ? all[number] : kNoNode;
}

Problems refuse_statement(const std::string& name, const std::string& word, int number)
{
    return refuse(name, "unknown-statement",
                  "there is no statement number " + std::to_string(number) + " of '" + word + "'",
                  "they are counted from 0 in the order of the text");
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
    const auto is_literal = [&](NodeId id) {
        if (tree.nodes[id].kind == NodeKind::negate)
            id = tree.nodes[id].first_child;
        return tree.nodes[id].kind == NodeKind::number &&
               tree.nodes[id].first_token == tree.nodes[id].last_token;
    };
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

double literal_value(const Tree& tree, NodeId node)
{
    if (tree.nodes[node].kind == NodeKind::negate)
        return -number_value(tree.text(tree.nodes[node].first_child));
    return number_value(tree.text(node));
}

/// Where the end of a def's body, or of the script, takes another statement.
struct Insertion {
    std::size_t offset;
    std::string text;
};

Insertion insert_in_def(const Tree& tree, NodeId def, const std::string& statement)
{
    const std::string& text = *tree.source.text;
    std::uint32_t end = tree.nodes[def].last_token;
    while (tree.tokens[end].kind != TokenKind::kw_end)
        --end;
    const std::size_t at = tree.tokens[end].offset;
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string indent = text.substr(line, at - line);
    if (line > 0 && indent.find_first_not_of(" \t") == std::string::npos)
        return {line, indent + "  " + statement + "\n"};
    return {at, statement + " "};
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

namespace {

/// Problems when a text is not exactly one value: nothing else may slip in with it.
Problems check_value_text(const std::string& name, const std::string& value)
{
    const Parsed parsed =
        parse_text(name, "x = " + value + ";"); // a comment in it would swallow the `;`
    const Tree& tree = parsed.tree;
    const NodeId first = tree.nodes[tree.root].first_child;
    const bool is_one = !tree.has_faults && first != kNoNode && tree.nodes[first].next == kNoNode &&
                        tree.nodes[first].kind == NodeKind::assign;
    return is_one ? Problems{}
                  : refuse(name, "not-a-value", "'" + value + "' is not a value",
                           "write an expression or a track");
}

} // namespace

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
                changes.emplace_back(*literal, shortest(literal_value(tree, *literal) + wanted));
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

Problems ScriptEditor::add_statement(const std::string& statement, const std::string& def_name)
{
    Parsed alone = parse_text(name_, statement);
    const NodeId first = alone.tree.nodes[alone.tree.root].first_child;
    if (alone.tree.has_faults)
        return alone.report.take();
    if (first == kNoNode || alone.tree.nodes[first].next != kNoNode)
        return refuse(name_, "not-a-statement", "'" + statement + "' is not one statement",
                      "write one statement with its ';'");
    const Parsed parsed = parse_text(name_, text_);
    if (def_name.empty()) {
        const bool needs_line = !text_.empty() && text_.back() != '\n';
        return replace(text_.size(), 0, (needs_line ? "\n" : "") + statement + "\n");
    }
    std::string own = def_name;
    const NodeId block = find_block(parsed.tree, own);
    const NodeId def = block == kNoNode ? kNoNode : find_def(parsed.tree, block, own);
    if (def == kNoNode)
        return refuse(name_, "unknown-def", "the script has no def '" + def_name + "'",
                      "add the statement to the script as a whole");
    const Insertion insertion = insert_in_def(parsed.tree, def, statement);
    return replace(insertion.offset, 0, insertion.text);
}

Problems ScriptEditor::remove_statement(const std::string& word, int statement)
{
    const Parsed parsed = parse_text(name_, text_);
    const Tree& tree = parsed.tree;
    const NodeId found = find_statement(tree, word, statement);
    if (found == kNoNode)
        return refuse_statement(name_, word, statement);
    std::size_t begin = tree.first_token(found).offset;
    std::size_t end = tree.last_token(found).end();
    const std::size_t line = text_.rfind('\n', begin == 0 ? 0 : begin - 1);
    const std::size_t line_begin = line == std::string::npos || begin == 0 ? 0 : line + 1;
    const std::size_t line_end = std::min(text_.find('\n', end), text_.size());
    const auto is_blank = [&](std::size_t from, std::size_t to) {
        return text_.substr(from, to - from).find_first_not_of(" \t\r") == std::string::npos;
    };
    if (is_blank(line_begin, begin) && is_blank(end, line_end)) {
        begin = line_begin;
        end = std::min(line_end + 1, text_.size());
    }
    return replace(begin, end - begin, "");
}

} // namespace sinew
