// Finding the node of the lossless tree that an edit means.

#include "charli/text/edit_tree.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sinew::charli {

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

namespace {

/// Calls use(statement) for every statement that has an item.
template <class Use>
void for_each_item(const Tree& tree, Use&& use)
{
    for (NodeId id = 0; id < tree.nodes.size(); ++id) {
        const NodeKind kind = tree.nodes[id].kind;
        if (kind != NodeKind::script && kind != NodeKind::block)
            continue;
        for (const NodeId statement : children(tree, id))
            if (item_of(tree, statement) != kNoNode)
                use(statement);
    }
}

/// Statements with a head `word` anywhere in the script, in the order of the text.
std::vector<NodeId> find_statements(const Tree& tree, std::string_view word)
{
    std::vector<NodeId> found;
    for_each_item(tree, [&](NodeId statement) {
        if (callee_text(tree, item_of(tree, statement)) == word)
            found.push_back(statement);
    });
    std::ranges::sort(found, {}, [&](NodeId id) { return tree.nodes[id].first_token; });
    return found;
}

} // namespace

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

NodeId find_statement_at(const Tree& tree, std::size_t offset)
{
    NodeId found = kNoNode; // an inner statement begins later than the one around it
    for_each_item(tree, [&](NodeId id) {
        if (tree.first_token(id).offset <= offset && offset < tree.last_token(id).end() &&
            (found == kNoNode || tree.nodes[id].first_token > tree.nodes[found].first_token))
            found = id;
    });
    return found;
}

Problems refuse_offset(const std::string& name, std::size_t offset)
{
    return refuse(name, "unknown-statement",
                  "there is no statement at byte " + std::to_string(offset) + " of the script",
                  "take the offset from where an object or constraint says it was written");
}

NodeId find_named_value(const Tree& tree, NodeId call, std::string_view name)
{
    for (const NodeId argument : children(tree, call))
        if (tree.nodes[argument].kind == NodeKind::named &&
            tree.text(tree.first_token(argument)) == name)
            return tree.nodes[argument].first_child;
    return kNoNode;
}

std::optional<double> plain_number(const Tree& tree, NodeId node)
{
    const bool is_negative = tree.nodes[node].kind == NodeKind::negate;
    const NodeId number = is_negative ? tree.nodes[node].first_child : node;
    if (tree.nodes[number].kind != NodeKind::number ||
        tree.nodes[number].first_token != tree.nodes[number].last_token)
        return std::nullopt;
    const double value = number_value(tree.text(number));
    return is_negative ? -value : value;
}

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

} // namespace sinew::charli
