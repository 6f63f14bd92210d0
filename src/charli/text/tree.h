#pragma once

#include "charli/text/token.h"
#include "sinew/scene.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew::charli {

/// Nodes of the tree. In brackets: the children, in order; the rest is found among the tokens.
enum class NodeKind : std::uint8_t {
    // statements
    script,  ///< [statements]
    block,   ///< [statements]
    declare, ///< var, dynamic or import: the first token says which; [names and assignments]
    param,   ///< [value, low, high, string], the last three may be absent: see the flags
    def,     ///< token 1 is the name; [parameters?, block], of a function [parameters?, value]
    loop,    ///< for; token 1 is the variable; [from, to, step?, block] or [list, block]
    branch,  ///< if; [condition, block, block?]
    event,   ///< when or whenever; [condition, name?, block]
    include, ///< [string]; the last identifier is the namespace when flagged
    assign,  ///< [name, value or item]
    item,    ///< [name or call, transformation calls..., on?]
    fault,   ///< tokens the parser could not use
    // parts
    parameters, ///< of a def: [names, or named where they have a default]
    on,         ///< [designators]
    name,       ///< one identifier without children, or [parts] for a.b[1].c
    part,       ///< identifier; [indices]
    call,       ///< [name, arguments...]
    named,      ///< argument with a name: the first token; [value]
    along,      ///< designator `name at expr along`: [name, place]
    // values
    track,  ///< [keys]
    key,    ///< [value, place]; the easing is the token before, the last token says of what
    number, ///< a second token is its unit
    string,
    pi,
    time,
    paren,   ///< [value]
    list,    ///< (a, b, c) or [a, b, c]: [values]
    element, ///< f(x)[1], (a, b).x: [value, index?]; the last token is the axis without index
    let,     ///< let (a = 1, b = 2) value: [named..., value]
    choice,  ///< condition ? value : value: [condition, value, value]
    negate,
    plus,
    invert,     ///< not [value]
    sum,        ///< [operands] with the operators between them
    product,    ///< likewise
    comparison, ///< [left, right]
    all_of,     ///< and [operands]
    any_of,     ///< or [operands]
};

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = 0xffffffff;

struct Node {
    static constexpr std::uint8_t kHasRange = 1;     ///< of a param
    static constexpr std::uint8_t kHasText = 2;      ///< of a param
    static constexpr std::uint8_t kHasNamespace = 4; ///< of an include
    static constexpr std::uint8_t kHasStep = 8;      ///< of a loop
    static constexpr std::uint8_t kOverList = 16;    ///< of a loop
    static constexpr std::uint8_t kRepeats = 32;     ///< of a track
    static constexpr std::uint8_t kIsFunction = 64;  ///< of a def
    static constexpr std::uint8_t kIsBall = 128;     ///< of a declaration: `dynamic ball q;`

    NodeKind kind = NodeKind::fault;
    std::uint8_t flags = 0;
    std::uint32_t first_token = 0;
    std::uint32_t last_token = 0; ///< inclusive
    NodeId first_child = kNoNode;
    NodeId next = kNoNode; ///< next sibling
};

/// A parsed file: its text, tokens and nodes. Nothing of the text is lost.
struct Tree {
    SourceFile source;
    std::uint32_t file = 0; ///< number in the report's list of files
    std::vector<Token> tokens;
    std::vector<Node> nodes;
    NodeId root = kNoNode;
    bool has_faults = false; ///< the parser or lexer reported something

    std::string_view text(const Token& token) const
    {
        return std::string_view(*source.text).substr(token.offset, token.length);
    }
    std::string_view text(NodeId id) const
    {
        const Node& node = nodes[id];
        const std::uint32_t begin = tokens[node.first_token].offset;
        return std::string_view(*source.text).substr(begin, tokens[node.last_token].end() - begin);
    }
    const Token& first_token(NodeId id) const { return tokens[nodes[id].first_token]; }
    const Token& last_token(NodeId id) const { return tokens[nodes[id].last_token]; }

    Origin origin(NodeId id) const
    {
        const std::uint32_t begin = first_token(id).offset;
        return {file, begin, last_token(id).end() - begin};
    }
    /// Of a statement without its `;`.
    Origin statement_origin(NodeId id) const
    {
        const Node& node = nodes[id];
        const bool ends = tokens[node.last_token].kind == TokenKind::semicolon &&
                          node.last_token > node.first_token;
        const std::uint32_t begin = tokens[node.first_token].offset;
        return {file, begin, tokens[node.last_token - ends].end() - begin};
    }
    Origin origin(const Token& token) const { return {file, token.offset, token.length}; }

    /// The last name of a.b[1].c, or a plain name itself.
    const Token& last_name(NodeId id) const
    {
        NodeId part = nodes[id].first_child;
        if (part == kNoNode || nodes[part].kind != NodeKind::part)
            return first_token(id);
        while (nodes[part].next != kNoNode)
            part = nodes[part].next;
        return first_token(part);
    }

    NodeId child(NodeId id, int number) const
    {
        NodeId found = nodes[id].first_child;
        while (number-- > 0 && found != kNoNode)
            found = nodes[found].next;
        return found;
    }
};

/// for (NodeId child : children(tree, node)) ...
class ChildRange {
public:
    struct Iterator {
        const Tree* tree;
        NodeId id;
        NodeId operator*() const { return id; }
        Iterator& operator++()
        {
            id = tree->nodes[id].next;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return id != other.id; }
    };
    ChildRange(const Tree& tree, NodeId first) : tree_(&tree), first_(first) {}
    Iterator begin() const { return {tree_, first_}; }
    Iterator end() const { return {tree_, kNoNode}; }

private:
    const Tree* tree_;
    NodeId first_;
};

inline ChildRange children(const Tree& tree, NodeId id)
{
    return {tree, id == kNoNode ? kNoNode : tree.nodes[id].first_child};
}

} // namespace sinew::charli
