// What an editor asks while a script is typed: completion, hover, definition, references.

#include "base/text.h"
#include "charli/lexer.h"
#include "charli/parser.h"
#include "charli/read.h"
#include "sinew/language.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace sinew {

namespace {

using namespace charli;
using enum TokenKind;

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
const Token& namespace_of(const Tree& tree, NodeId include)
{
    std::uint32_t at = tree.nodes[include].last_token;
    while (tree.tokens[at].kind != identifier)
        --at;
    return tree.tokens[at];
}

NodeId body_of(const Tree& tree, NodeId statement)
{
    NodeId node = tree.nodes[statement].first_child;
    while (node != kNoNode && tree.nodes[node].kind != NodeKind::block)
        node = tree.nodes[node].next;
    return node;
}

/// A parsed text for looking around a place in it.
struct Around : Parsed {
    std::string prefix;     ///< the beginning of the word at the place
    std::uint32_t next = 0; ///< first token not before the place and its prefix

    Around(const std::string& text, std::size_t offset)
        : Parsed({"", std::make_shared<const std::string>(text)})
    {
        while (tree.tokens[next].kind != end_of_text && tree.tokens[next].end() < offset)
            ++next;
        const Token& token = tree.tokens[next];
        const bool is_word = token.kind == identifier || is_reserved(token.kind);
        if (is_word && token.offset < offset)
            prefix = text.substr(token.offset, offset - token.offset);
        else if (token.kind != end_of_text && token.end() <= offset)
            ++next;
    }

    TokenKind before(std::uint32_t back = 1) const
    {
        return next < back ? end_of_text : tree.tokens[next - back].kind;
    }
};

bool is_in_comment_or_string(const std::string& text, std::size_t offset)
{
    const std::size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    bool in_string = false;
    for (std::size_t i = line; i < offset && i < text.size(); ++i) {
        if (text[i] == '"')
            in_string = !in_string;
        else if (text[i] == '#' && !in_string)
            return true;
    }
    return in_string;
}

/// What surrounds the place: the call it is an argument of, or the braces of a track.
struct Enclosure {
    std::uint32_t opening = 0;
    bool is_call = false, is_track = false;
    std::string_view callee = {};
};

Enclosure find_enclosure(const Around& around)
{
    int depth = 0;
    for (std::uint32_t i = around.next; i-- > 0;) {
        const TokenKind kind = around.tree.tokens[i].kind;
        if (kind == semicolon)
            break;
        if (kind == right_paren || kind == right_brace || kind == right_bracket)
            ++depth;
        if (kind != left_paren && kind != left_brace && kind != left_bracket)
            continue;
        if (depth-- > 0)
            continue;
        Enclosure found{.opening = i};
        found.is_track = kind == left_brace;
        found.is_call = kind == left_paren && i > 0 &&
                        (around.tree.tokens[i - 1].kind == identifier ||
                         around.tree.tokens[i - 1].kind == kw_initial);
        if (found.is_call)
            found.callee = around.tree.text(around.tree.tokens[i - 1]);
        return found;
    }
    return {};
}

class Completer {
public:
    Completer(const Around& around, std::size_t offset, ParsedFiles& files)
        : around_(around), offset_(offset), files_(files)
    {
    }

    std::vector<Completion> run()
    {
        collect_names(around_.tree, around_.tree.root);
        const TokenKind before = around_.before();
        const Enclosure enclosure = find_enclosure(around_);
        if (before == kw_var || before == kw_dynamic || before == kw_import || before == kw_param ||
            before == kw_def || before == kw_for || before == kw_as)
            return {}; // a new name
        if (before == dot) {
            add_members();
        } else if (before == number && around_.before(2) == kw_at) {
            add_reserved({"sec", "frames", "along"}, Completion::Kind::keyword);
        } else if (before == number) {
            add_units();
            if (enclosure.is_track)
                add_reserved({"at"}, Completion::Kind::keyword);
        } else if (enclosure.is_track && ends_key())
            add_easings();
        else if (enclosure.is_track && is_unit(before))
            add_reserved({"at"}, Completion::Kind::keyword);
        else if (enclosure.is_call)
            add_arguments(enclosure, before);
        else if (enclosure.is_track || enclosure.opening > 0)
            add_values();
        else
            add_statement_words(before);
        return std::move(out_);
    }

private:
    void add(std::string label, Completion::Kind kind, std::string detail = "",
             std::string documentation = "")
    {
        if (label.starts_with(around_.prefix) && seen_.insert(label).second)
            out_.push_back({std::move(label), kind, std::move(detail), std::move(documentation)});
    }

    void add_word(const Word& word)
    {
        add(std::string(word.name), Completion::Kind::word,
            signature_text(word, word.signatures[0]),
            std::string(word.meaning) + "\n\n```charli\n" + std::string(word.example) + "\n```");
    }

    void add_words(std::initializer_list<WordKind> kinds)
    {
        for (const Word& word : words())
            if (std::find(kinds.begin(), kinds.end(), word.kind) != kinds.end())
                add_word(word);
    }

    void add_reserved(std::initializer_list<std::string_view> list, Completion::Kind kind)
    {
        for (const std::string_view word : list)
            add(std::string(word), kind, word_help(std::string(word)));
    }

    void add_units()
    {
        add_reserved({"mm", "cm", "km", "gram", "kg", "ms", "sec", "fps", "deg"},
                     Completion::Kind::unit);
    }
    void add_easings()
    {
        add_reserved({"linear", "slowin", "slowout", "slowinout", "hold"},
                     Completion::Kind::easing);
    }

    void add_names(std::initializer_list<Completion::Kind> kinds)
    {
        for (const Completion& name : names_)
            if (std::find(kinds.begin(), kinds.end(), name.kind) != kinds.end())
                add(name.label, name.kind, name.detail);
    }

    void add_values()
    {
        add_names({Completion::Kind::variable});
        add_words({WordKind::function});
        add_reserved({"pi", "time"}, Completion::Kind::keyword);
        add_positions();
    }

    void add_positions()
    {
        for (const Completion& name : names_)
            if (name.kind == Completion::Kind::object)
                for (const char* axis : {"_x", "_y", "_z"})
                    add(name.label + axis, Completion::Kind::variable, "position of " + name.label);
    }

    /// True behind `... at 2 sec`, where an easing follows; false behind `5 sec` alone.
    bool ends_key() const
    {
        const TokenKind before = around_.before();
        if (before == kw_frames || before == kw_along)
            return true;
        for (std::uint32_t i = around_.next; before == unit_sec && i-- > 0;) {
            const TokenKind kind = around_.tree.tokens[i].kind;
            if (kind == kw_at)
                return true;
            if (kind == left_brace || is_easing(kind) || kind == semicolon)
                return false;
        }
        return false;
    }

    /// Behind `left.`: its position, and what the def of `left` declares.
    void add_members()
    {
        for (const char* axis : {"x", "y", "z"})
            add(axis, Completion::Kind::variable, "position");
        std::uint32_t at = around_.next - 1; // the dot
        if (at > 0 && around_.tree.tokens[at - 1].kind == right_bracket)
            while (at > 0 && around_.tree.tokens[at].kind != left_bracket)
                --at;
        if (at == 0)
            return;
        const std::string owner(around_.tree.text(around_.tree.tokens[at - 1]));
        std::string def = owner;
        for (const auto& [instance, its_def] : defs_of_)
            if (instance == owner)
                def = its_def;
        names_.clear();
        for (const Tree* tree : seen_trees_)
            for (NodeId node = 0; node < tree->nodes.size(); ++node) {
                const Node& n = tree->nodes[node];
                if (n.kind == NodeKind::def && tree->text(tree->tokens[n.first_token + 1]) == def)
                    collect_names(*tree, body_of(*tree, node));
                if (n.kind == NodeKind::include && (n.flags & Node::kHasNamespace) &&
                    tree->text(namespace_of(*tree, node)) == owner)
                    if (const Tree* inside = files_.included(*tree, node))
                        collect_names(*inside, inside->root);
            }
        add_names({Completion::Kind::variable, Completion::Kind::object, Completion::Kind::def});
        add_positions();
    }

    void add_arguments(const Enclosure& enclosure, TokenKind before)
    {
        const std::string_view named =
            before == assign && around_.next >= 2
                ? around_.tree.text(around_.tree.tokens[around_.next - 2])
                : "";
        bool wants_objects = true, wants_values = true, wants_paths = true;
        for (const Word& row : words()) {
            if (row.name != enclosure.callee)
                continue;
            for (const Signature& signature : row.signatures)
                for (const Argument& argument : signature) {
                    if (before == left_paren || before == comma)
                        add_argument_name(argument);
                    if (argument.name != named)
                        continue;
                    add_choices(argument);
                    wants_objects = argument.kind == ArgumentKind::object;
                    wants_paths = argument.kind == ArgumentKind::path;
                    wants_values = !wants_objects && argument.kind != ArgumentKind::word;
                }
        }
        if (wants_objects)
            add_names({Completion::Kind::object, Completion::Kind::def});
        if (wants_values)
            add_values();
        if (wants_paths)
            add_words({WordKind::path});
    }

    void add_choices(const Argument& argument)
    {
        for (std::size_t at = 0; at < argument.words.size();) {
            const std::size_t end = std::min(argument.words.find(' ', at), argument.words.size());
            add(std::string(argument.words.substr(at, end - at)), Completion::Kind::keyword,
                std::string(argument.meaning));
            at = end + 1;
        }
    }

    void add_argument_name(const Argument& argument)
    {
        if (argument.kind != ArgumentKind::points)
            add(std::string(argument.name) + " = ", Completion::Kind::argument,
                std::string(argument.meaning) +
                    (argument.unit.empty() ? "" : " [" + std::string(argument.unit) + "]"));
    }

    bool starts_statement() const
    {
        const TokenKind before = around_.before();
        if (before == semicolon || before == end_of_text || before == kw_else || before == kw_end)
            return true;
        // Behind the head of a def, for or if: a word on a new line begins a statement.
        const std::string& text = *around_.tree.source.text;
        const std::uint32_t from = around_.tree.tokens[around_.next - 1].end();
        const bool new_line =
            text.substr(from, offset_ - std::min<std::size_t>(from, offset_)).find('\n') !=
            std::string::npos;
        for (std::uint32_t i = around_.next; i-- > 0;) {
            const TokenKind kind = around_.tree.tokens[i].kind;
            if (kind == semicolon || kind == kw_end)
                return false;
            if (kind == kw_def)
                return new_line || (i + 2 == around_.next) || before == right_paren;
            if (kind == kw_for || kind == kw_if)
                return new_line;
        }
        return false;
    }

    void add_statement_words(TokenKind before)
    {
        if (before == assign) {
            add_names({Completion::Kind::variable, Completion::Kind::def});
            add_words({WordKind::path, WordKind::function, WordKind::primitive, WordKind::start});
            add_reserved({"pi", "time"}, Completion::Kind::keyword);
        } else if (before == kw_on || (before == comma && is_behind_on())) {
            add_names({Completion::Kind::object, Completion::Kind::def});
        } else if (starts_statement()) {
            add_names({Completion::Kind::def, Completion::Kind::variable});
            add_words({WordKind::primitive, WordKind::drawing, WordKind::constraint,
                       WordKind::force, WordKind::setting});
            add_reserved(
                {"var", "dynamic", "import", "param", "def", "for", "if", "else", "include", "end"},
                Completion::Kind::keyword);
        } else if (before == right_paren || before == identifier || before == right_bracket) {
            add_words({WordKind::transformation});
            add_reserved({"on"}, Completion::Kind::keyword);
        } else {
            add_values();
        }
    }

    bool is_behind_on() const
    {
        for (std::uint32_t i = around_.next; i-- > 0 && around_.tree.tokens[i].kind != semicolon;)
            if (around_.tree.tokens[i].kind == kw_on)
                return true;
        return false;
    }

    /// Names declared in the blocks around the place, and in the files included there.
    void collect_names(const Tree& tree, NodeId block)
    {
        if (block == tree.root)
            seen_trees_.push_back(&tree);
        for (const NodeId node : children(tree, block)) {
            const Node& n = tree.nodes[node];
            const Token& second =
                tree.tokens[std::min<std::size_t>(n.first_token + 1, tree.tokens.size() - 1)];
            switch (n.kind) {
            case NodeKind::declare:
                for (std::uint32_t i = n.first_token + 1; i <= n.last_token; ++i)
                    if (tree.tokens[i].kind == identifier)
                        note(tree.text(tree.tokens[i]), Completion::Kind::variable,
                             tree.text(tree.tokens[n.first_token]));
                break;
            case NodeKind::param:
                note(tree.text(second), Completion::Kind::variable, "param");
                break;
            case NodeKind::def:
                note(tree.text(second), Completion::Kind::def, "def");
                note(tree.text(second), Completion::Kind::object, "def");
                break;
            case NodeKind::assign: note_instance(tree, node); break;
            case NodeKind::include:
                if (n.flags & Node::kHasNamespace)
                    note(tree.text(namespace_of(tree, node)), Completion::Kind::def, "include");
                else if (const Tree* inside = files_.included(tree, node);
                         inside && std::find(seen_trees_.begin(), seen_trees_.end(), inside) ==
                                       seen_trees_.end())
                    collect_names(*inside, inside->root);
                break;
            default: break;
            }
            const bool is_around = &tree == &around_.tree &&
                                   tree.first_token(node).offset <= offset_ &&
                                   offset_ <= tree.last_token(node).end();
            if (!is_around && n.kind != NodeKind::branch)
                continue;
            if (n.kind == NodeKind::loop)
                note(tree.text(second), Completion::Kind::variable, "loop");
            for (const NodeId child : children(tree, node)) {
                if (tree.nodes[child].kind == NodeKind::block)
                    collect_names(tree, child);
                if (tree.nodes[child].kind == NodeKind::parameters)
                    for (std::uint32_t i = tree.nodes[child].first_token;
                         i <= tree.nodes[child].last_token; ++i)
                        if (tree.tokens[i].kind == identifier)
                            note(tree.text(tree.tokens[i]), Completion::Kind::variable,
                                 "parameter");
            }
        }
    }

    /// `left = crate ...`: an instance, unless the name is that of a variable.
    void note_instance(const Tree& tree, NodeId assignment)
    {
        NodeId value = tree.child(assignment, 1);
        if (value != kNoNode && tree.nodes[value].kind == NodeKind::item)
            value = tree.nodes[value].first_child;
        if (value == kNoNode ||
            (tree.nodes[value].kind != NodeKind::call && tree.nodes[value].kind != NodeKind::name))
            return;
        const std::string_view label = tree.text(tree.first_token(assignment));
        if (variables_.count(std::string(label)))
            return;
        note(label, Completion::Kind::object, "instance");
        if (tree.nodes[value].kind == NodeKind::call)
            value = tree.nodes[value].first_child;
        defs_of_.emplace_back(label, tree.text(value));
    }

    void note(std::string_view label, Completion::Kind kind, std::string_view detail)
    {
        names_.push_back({std::string(label), kind, std::string(detail)});
        if (kind == Completion::Kind::variable)
            variables_.emplace(label);
    }

    const Around& around_;
    std::size_t offset_;
    ParsedFiles& files_;
    std::vector<const Tree*> seen_trees_; ///< whose names are known here
    std::vector<Completion> names_;
    std::set<std::string> variables_;                          ///< among the names
    std::vector<std::pair<std::string, std::string>> defs_of_; ///< instance and its def
    std::set<std::string> seen_;
    std::vector<Completion> out_;
};

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
        if (token.kind != identifier)
            return;
        const auto [place, is_new] = names.here.emplace(tree.text(token), span(tree, token));
        if (!is_new && definitions_.count({tree.source.name, token.offset}))
            place->second = span(tree, token);
    }

    void declare_all(const Tree& tree, NodeId node, Names& names)
    {
        for (std::uint32_t i = tree.nodes[node].first_token; i <= tree.nodes[node].last_token; ++i)
            declare(tree, tree.tokens[i], names);
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
        const std::uint32_t last = n.kind == NodeKind::declare ? n.last_token : n.first_token + 1;
        for (std::uint32_t i = n.first_token + 1; i <= last && n.kind != NodeKind::loop; ++i)
            use(tree, tree.tokens[i], names);
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
        if (token.kind != identifier)
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

} // namespace

ScriptAssistant::ScriptAssistant(std::string name, std::string text, const ReadFile& read_file)
    : name_(std::move(name)), text_(std::move(text))
{
    std::vector<Evaluator::Link> links;
    reading_ = charli::read(name_, text_, read_file, {}, {}, &links);
    const auto span = [&](Origin origin) {
        return TextSpan{reading_.scene.files[origin.file].name, origin.offset, origin.length};
    };
    // A def with many instances gives each link many times.
    const auto key = [](const Evaluator::Link& link) {
        return std::tuple(link.use.file, link.use.offset, link.use.length, link.definition.file,
                          link.definition.offset, link.definition.length);
    };
    std::sort(links.begin(), links.end(),
              [&](const Evaluator::Link& a, const Evaluator::Link& b) { return key(a) < key(b); });
    links.erase(std::unique(links.begin(), links.end(),
                            [&](const Evaluator::Link& a, const Evaluator::Link& b) {
                                return key(a) == key(b);
                            }),
                links.end());
    std::vector<QuietLinker::Link> live;
    for (const Evaluator::Link& link : links)
        if (link.use.file < reading_.scene.files.size() &&
            link.definition.file < reading_.scene.files.size())
            live.push_back({span(link.use), span(link.definition)});
    ParsedFiles files(reading_.scene.files);
    for (const auto& list : {live, QuietLinker(files, live).run()})
        for (const QuietLinker::Link& link : list)
            links_.push_back({link.use, link.definition});
}

std::vector<Completion> ScriptAssistant::complete(std::size_t offset) const
{
    offset = std::min(offset, text_.size());
    if (is_in_comment_or_string(text_, offset))
        return {};
    const Around around(text_, offset);
    ParsedFiles files(reading_.scene.files);
    return Completer(around, offset, files).run();
}

const ScriptAssistant::Link* ScriptAssistant::find_link(std::size_t offset) const
{
    for (const Link& link : links_)
        if (link.use.file == name_ && link.use.offset <= offset &&
            offset <= link.use.offset + link.use.length)
            return &link;
    for (const ScriptToken& token : script_tokens(text_)) // the _x of tip_x
        if (token.kind == ScriptToken::Kind::identifier && token.offset < offset &&
            offset <= token.offset + token.length)
            for (const Link& link : links_)
                if (link.use.file == name_ && link.use.offset == token.offset)
                    return &link;
    return nullptr;
}

std::optional<TextSpan> ScriptAssistant::definition(std::size_t offset) const
{
    const Link* link = find_link(offset);
    return link ? std::optional(link->definition) : std::nullopt;
}

std::vector<TextSpan> ScriptAssistant::references(std::size_t offset) const
{
    std::vector<TextSpan> spans;
    const Link* found = find_link(offset);
    if (!found)
        return spans;
    spans.push_back(found->definition);
    for (const Link& link : links_)
        if (link.definition == found->definition)
            spans.push_back(link.use);
    std::sort(spans.begin(), spans.end(), [](const TextSpan& a, const TextSpan& b) {
        return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
    });
    spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    return spans;
}

/// The line of a definition, and of the value assigned to it.
std::string ScriptAssistant::describe(const TextSpan& definition) const
{
    for (const SourceFile& file : reading_.scene.files) {
        if (file.name != definition.file)
            continue;
        std::string out = "```charli\n" + std::string(line_at(*file.text, definition.offset));
        for (const Link& link : links_) {
            if (!(link.definition == definition) || link.use == definition ||
                link.use.file != definition.file)
                continue;
            const std::size_t behind =
                file.text->find_first_not_of(" \t", link.use.offset + link.use.length);
            if (behind != std::string::npos && (*file.text)[behind] == '=' &&
                (*file.text)[behind + 1] != '=') {
                out += "\n" + std::string(line_at(*file.text, link.use.offset));
                break;
            }
        }
        return out + "\n```";
    }
    return "";
}

std::optional<Hover> ScriptAssistant::hover(std::size_t offset) const
{
    if (is_in_comment_or_string(text_, offset))
        return std::nullopt;
    for (const ScriptToken& token : script_tokens(text_)) {
        if (offset < token.offset || offset >= token.offset + token.length)
            continue;
        const bool is_name = token.kind == ScriptToken::Kind::identifier;
        if (const Link* link = is_name ? find_link(token.offset) : nullptr)
            return Hover{link->use, describe(link->definition)};
        const std::string help = word_help(text_.substr(token.offset, token.length));
        const bool is_word =
            token.kind != ScriptToken::Kind::number && token.kind != ScriptToken::Kind::punctuation;
        if (is_word && !help.empty())
            return Hover{{name_, token.offset, token.length}, "```\n" + help + "```"};
        return std::nullopt;
    }
    return std::nullopt;
}

bool ScriptAssistant::is_name(std::string_view word)
{
    const std::vector<ScriptToken> tokens = script_tokens(std::string(word));
    return tokens.size() == 1 && tokens[0].kind == ScriptToken::Kind::identifier &&
           tokens[0].length == word.size();
}

} // namespace sinew
