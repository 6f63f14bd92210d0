#pragma once

#include "charli/text/lexer.h"
#include "charli/text/parser.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinew::charli {

struct Parsed {
    Symbols symbols;
    Report report{Limits{}.problem_count};
    Tree tree;

    explicit Parsed(const SourceFile& file)
    {
        add_reserved_words(symbols);
        tree = parse(file, Limits{}, symbols, report);
    }
};

/// The files of a script, parsed when asked for; the first is the script itself.
class ParsedFiles {
public:
    explicit ParsedFiles(const std::vector<SourceFile>& files) : files_(files) {}

    std::size_t count() const { return files_.size(); }

    const Tree& tree(std::size_t number)
    {
        std::unique_ptr<Parsed>& parsed = parsed_[number];
        if (!parsed)
            parsed = std::make_unique<Parsed>(files_[number]);
        return parsed->tree;
    }

    /// The file that an include names; null when it was not read.
    const Tree* included(const Tree& tree_of_include, NodeId include)
    {
        namespace fs = std::filesystem;
        std::string_view quoted = tree_of_include.text(tree_of_include.nodes[include].first_child);
        if (quoted.size() < 2)
            return nullptr;
        quoted = quoted.substr(1, quoted.size() - 2);
        const std::string wanted =
            (fs::path(tree_of_include.source.name).parent_path() / fs::path(quoted))
                .lexically_normal()
                .generic_string();
        for (std::size_t i = 1; i < files_.size(); ++i)
            if (files_[i].name == wanted)
                return &tree(i);
        return nullptr;
    }

private:
    const std::vector<SourceFile>& files_;
    std::map<std::size_t, std::unique_ptr<Parsed>> parsed_;
};

/// The namespace of an include that has one.
inline const Token& namespace_of(const Tree& tree, NodeId include)
{
    std::uint32_t at =
        tree.nodes[include].last_token; // before it in a faulty statement: never closed
    while (at > tree.nodes[include].first_token && tree.tokens[at].kind != TokenKind::identifier)
        --at;
    return tree.tokens[at];
}

inline NodeId body_of(const Tree& tree, NodeId statement)
{
    NodeId node = tree.nodes[statement].first_child;
    while (node != kNoNode && tree.nodes[node].kind != NodeKind::block)
        node = tree.nodes[node].next;
    return node;
}

} // namespace sinew::charli
