// Completion: the tokens around a place say what may stand there, the blocks around it which names
// are known.

#include "charli/assist/completer.h"

#include "charli/words/words.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sinew::charli {

namespace {

using enum TokenKind;

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
        add("smooth", Completion::Kind::easing, word_help("smooth"));
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

    /// The place of each object, by coordinate.
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
        for (const char* axis : {"x", "y", "z", "at"})
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
                    wants_objects = argument.kind == ArgumentKind::object ||
                                    argument.kind == ArgumentKind::along;
                    wants_paths = argument.kind == ArgumentKind::path;
                    wants_values = !wants_objects && argument.kind != ArgumentKind::word &&
                                   argument.kind != ArgumentKind::file;
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
        if (!argument.is_list())
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
            add_words({WordKind::path, WordKind::function, WordKind::primitive, WordKind::shape,
                       WordKind::strand, WordKind::start});
            add_reserved({"pi", "time"}, Completion::Kind::keyword);
        } else if (before == kw_on || (before == comma && is_behind_on())) {
            add_names({Completion::Kind::object, Completion::Kind::def});
        } else if (starts_statement()) {
            add_names({Completion::Kind::def, Completion::Kind::variable});
            add_words({WordKind::primitive, WordKind::body, WordKind::shape, WordKind::strand,
                       WordKind::drawing, WordKind::constraint, WordKind::joint, WordKind::force,
                       WordKind::setting});
            add_reserved(
                {"var", "dynamic", "import", "param", "def", "for", "if", "else", "include", "end"},
                Completion::Kind::keyword);
        } else if (before == right_paren || before == identifier || before == right_bracket) {
            add_words({WordKind::transformation, WordKind::motion});
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
                for (const NodeId child : children(tree, node))
                    note(tree.text(tree.first_token(child)), Completion::Kind::variable,
                         tree.text(tree.tokens[n.first_token]));
                break;
            case NodeKind::param:
                note(tree.text(second), Completion::Kind::variable, "param");
                break;
            case NodeKind::def:
                if (n.flags & Node::kIsFunction) {
                    note(tree.text(second), Completion::Kind::variable, "function");
                    break;
                }
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
                    for (const NodeId parameter : children(tree, child))
                        note(tree.text(tree.first_token(parameter)), Completion::Kind::variable,
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

} // namespace

bool is_in_comment_or_string(const std::string& text, std::size_t offset)
{
    std::size_t at = 0;
    while (at < offset && at < text.size()) {
        const bool is_block = text.compare(at, 2, "/*") == 0;
        if (text[at] != '"' && text[at] != '#' && !is_block) {
            ++at;
            continue;
        }
        // A text and a comment end with their line; a text at its quote too, a block at its mark.
        const std::size_t begin = at;
        const char* const ends = text[at] == '"' ? "\"\n" : "\n";
        at = is_block ? text.find("*/", at + 2) : text.find_first_of(ends, at + 1);
        if (at == std::string::npos || at + (is_block ? 1 : 0) >= offset)
            return begin < offset;
        at += is_block ? 2 : 1;
    }
    return false;
}

std::vector<Completion> complete_at(const std::string& text, std::size_t offset, ParsedFiles& files)
{
    const Around around(text, offset);
    return Completer(around, offset, files).run();
}

} // namespace sinew::charli
