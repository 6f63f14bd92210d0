#pragma once

#include "charli/text/parsed_files.h"
#include "sinew/language.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sinew::charli {

/// Links for what the evaluation did not reach: branches not taken, loops without a round. Names
/// are looked up by the text alone, as the evaluation would: in the block, then around it. A name
/// behind a dot is left alone.
class QuietLinker {
public:
    struct Link {
        TextSpan use, definition;
    };

    QuietLinker(ParsedFiles& files, const std::vector<Link>& links) : files_(files)
    {
        for (const Link& link : links) {
            uses_[link.use.file].insert(link.use.offset);
            definitions_.insert({link.definition.file, link.definition.offset});
        }
    }

    std::vector<Link> run()
    {
        if (files_.count() > 0) {
            Names names;
            const Tree& tree = files_.tree(0);
            collect(tree, tree.root, names);
            collect_instances(tree, tree.root, names);
            visit_block(tree, tree.root, names, false);
        }
        return std::move(out_);
    }

private:
    struct Names {
        const Names* around = nullptr;
        std::map<std::string_view, TextSpan> here = {};

        const TextSpan* find(std::string_view name) const
        {
            for (const Names* names = this; names; names = names->around)
                if (const auto found = names->here.find(name); found != names->here.end())
                    return &found->second;
            return nullptr;
        }
    };

    static TextSpan span(const Tree& tree, const Token& token)
    {
        return {tree.source.name, token.offset, token.length};
    }

    /// Of two declarations of a name, in the two branches of an `if`, the one carried out counts.
    void declare(const Tree& tree, const Token& token, Names& names)
    {
        if (token.kind != TokenKind::identifier)
            return;
        const auto [place, is_new] = names.here.emplace(tree.text(token), span(tree, token));
        if (!is_new && definitions_.count({tree.source.name, token.offset}))
            place->second = span(tree, token);
    }

    void declare_all(const Tree& tree, NodeId node, Names& names)
    {
        for (const NodeId child : children(tree, node))
            declare(tree, tree.first_token(child), names);
    }

    void collect(const Tree& tree, NodeId block, Names& names)
    {
        for (const NodeId node : children(tree, block)) {
            const Node& n = tree.nodes[node];
            if (n.kind == NodeKind::declare)
                declare_all(tree, node, names);
            if (n.kind == NodeKind::param || n.kind == NodeKind::def)
                declare(tree, tree.tokens[n.first_token + 1], names);
            if (n.kind == NodeKind::branch)
                for (const NodeId child : children(tree, node))
                    if (tree.nodes[child].kind == NodeKind::block)
                        collect(tree, child, names);
            if (n.kind != NodeKind::include)
                continue;
            const Tree* inside = files_.included(tree, node);
            if (n.flags & Node::kHasNamespace)
                declare(tree, namespace_of(tree, node), names);
            else if (inside && collected_.insert(inside).second)
                collect(*inside, inside->root, names);
        }
    }

    /// Instances belong to the def around a loop, not to its round.
    void collect_instances(const Tree& tree, NodeId block, Names& names)
    {
        for (const NodeId node : children(tree, block)) {
            const NodeKind kind = tree.nodes[node].kind;
            const Token& first = tree.first_token(node);
            if (kind == NodeKind::assign && !names.find(tree.text(first)))
                declare(tree, first, names);
            if (kind == NodeKind::include && !(tree.nodes[node].flags & Node::kHasNamespace))
                if (const Tree* inside = files_.included(tree, node);
                    inside && instanced_.insert(inside).second)
                    collect_instances(*inside, inside->root, names);
            if (kind == NodeKind::branch || kind == NodeKind::loop)
                for (const NodeId child : children(tree, node))
                    if (tree.nodes[child].kind == NodeKind::block)
                        collect_instances(tree, child, names);
        }
    }

    /// True when the evaluation looked up nothing in a block.
    bool is_quiet(const Tree& tree, NodeId block) const
    {
        const auto uses = uses_.find(tree.source.name);
        if (uses == uses_.end())
            return true;
        const auto next = uses->second.lower_bound(tree.first_token(block).offset);
        return next == uses->second.end() || *next >= tree.last_token(block).end();
    }

    void visit_block(const Tree& tree, NodeId block, const Names& names, bool quiet)
    {
        for (const NodeId node : children(tree, block)) {
            const NodeKind kind = tree.nodes[node].kind;
            const bool has_scope = kind == NodeKind::def || kind == NodeKind::loop;
            Names own{.around = &names};
            if (kind == NodeKind::include)
                visit_file(tree, node, names);
            if (quiet && (kind == NodeKind::declare || has_scope || kind == NodeKind::param))
                link_declared(tree, node, names);
            if (kind == NodeKind::loop)
                declare(tree, tree.tokens[tree.nodes[node].first_token + 1], own);
            for (const NodeId child : children(tree, node)) {
                if (tree.nodes[child].kind == NodeKind::parameters)
                    declare_all(tree, child, own);
                if (tree.nodes[child].kind != NodeKind::block)
                    continue;
                if (has_scope)
                    collect(tree, child, own);
                if (kind == NodeKind::def)
                    collect_instances(tree, child, own);
                const bool is_child_quiet = quiet || is_quiet(tree, child);
                if (is_child_quiet && has_scope)
                    link_own(tree, own);
                visit_block(tree, child, has_scope ? own : names, is_child_quiet);
            }
            if (quiet)
                visit(tree, node, names);
        }
    }

    void visit_file(const Tree& tree, NodeId include, const Names& names)
    {
        const Tree* inside = files_.included(tree, include);
        if (!inside || !visited_.insert(inside).second)
            return;
        if (!(tree.nodes[include].flags & Node::kHasNamespace))
            return visit_block(*inside, inside->root, names, false);
        Names own;
        collect(*inside, inside->root, own);
        collect_instances(*inside, inside->root, own);
        visit_block(*inside, inside->root, own, false);
    }

    void link_declared(const Tree& tree, NodeId node, const Names& names)
    {
        const Node& n = tree.nodes[node];
        if (n.kind == NodeKind::declare)
            for (const NodeId child : children(tree, node))
                use(tree, tree.first_token(child), names);
        else if (n.kind != NodeKind::loop)
            use(tree, tree.tokens[n.first_token + 1], names);
    }

    /// Parameters and the variable of a loop are their own definitions.
    void link_own(const Tree& tree, const Names& own)
    {
        for (const auto& [name, definition] : own.here)
            if (definition.file == tree.source.name)
                add(definition, definition);
    }

    /// Names in the expressions of a statement; its blocks are visited by themselves.
    void visit(const Tree& tree, NodeId node, const Names& names)
    {
        const Node& n = tree.nodes[node];
        if (n.kind == NodeKind::name)
            use(tree, tree.tokens[n.first_token], names);
        bool is_first = true;
        for (const NodeId child : children(tree, node)) {
            const NodeKind kind = tree.nodes[child].kind;
            const bool is_transformation = n.kind == NodeKind::item && !is_first;
            is_first = false;
            if (kind == NodeKind::block || kind == NodeKind::parameters)
                continue;
            if (is_transformation && kind == NodeKind::call) {
                for (NodeId argument = tree.child(child, 1); argument != kNoNode;
                     argument = tree.nodes[argument].next)
                    visit(tree, argument, names);
            } else {
                visit(tree, child, names);
            }
        }
    }

    void use(const Tree& tree, const Token& token, const Names& names)
    {
        if (token.kind != TokenKind::identifier)
            return;
        const std::string_view name = tree.text(token);
        TextSpan place = span(tree, token);
        const TextSpan* definition = names.find(name);
        if (!definition && (name.ends_with("_x") || name.ends_with("_y") || name.ends_with("_z"))) {
            definition = names.find(name.substr(0, name.size() - 2));
            place.length -= 2;
        }
        if (definition)
            add(place, *definition);
    }

    void add(const TextSpan& place, const TextSpan& definition)
    {
        if (uses_[place.file].insert(place.offset).second)
            out_.push_back({place, definition});
    }

    ParsedFiles& files_;
    std::map<std::string, std::set<std::size_t>> uses_; ///< by file: where a name is linked
    std::set<std::pair<std::string, std::size_t>> definitions_;
    std::set<const Tree*> collected_, instanced_, visited_; ///< each file once
    std::vector<Link> out_;
};

} // namespace sinew::charli
