// The structure of a script for editors: outline, folds, meanings of words, the call being typed.

#include "sinew/outline.h"

#include "charli/text/parsed_files.h"
#include "charli/words/words.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace sinew {

using namespace charli;

namespace {

using enum TokenKind;

Parsed parse_alone(const std::string& text)
{
    return Parsed({"", std::make_shared<const std::string>(text)});
}

OutlineItem make_item(const Tree& tree, NodeId statement, const Token& name, OutlineItem::Kind kind)
{
    const std::size_t begin = tree.first_token(statement).offset;
    return {.name = std::string(tree.text(name)),
            .kind = kind,
            .offset = begin,
            .length = tree.last_token(statement).end() - begin,
            .name_offset = name.offset,
            .name_length = name.length};
}

OutlineItem::Kind kind_of(TokenKind keyword)
{
    return keyword == kw_dynamic  ? OutlineItem::Kind::dynamic
           : keyword == kw_import ? OutlineItem::Kind::import
                                  : OutlineItem::Kind::variable;
}

void add_block(const Tree& tree, NodeId block, std::set<std::string>& values,
               std::vector<OutlineItem>& out);

void add_statement(const Tree& tree, NodeId node, std::set<std::string>& values,
                   std::vector<OutlineItem>& out)
{
    const Node& n = tree.nodes[node];
    const Token& second =
        tree.tokens[std::min<std::size_t>(n.first_token + 1, tree.tokens.size() - 1)];
    switch (n.kind) {
    case NodeKind::declare:
        for (const NodeId child : children(tree, node)) {
            values.emplace(tree.text(tree.first_token(child)));
            out.push_back(make_item(tree, child, tree.first_token(child),
                                    kind_of(tree.first_token(node).kind)));
        }
        break;
    case NodeKind::param:
        out.push_back(make_item(tree, node, second, OutlineItem::Kind::param));
        break;
    case NodeKind::def: {
        const bool is_function = (n.flags & Node::kIsFunction) != 0;
        out.push_back(
            make_item(tree, node, second,
                      is_function ? OutlineItem::Kind::function : OutlineItem::Kind::def));
        std::set<std::string> inside;
        if (!is_function)
            add_block(tree, body_of(tree, node), inside, out.back().children);
        break;
    }
    case NodeKind::assign: // the value of a variable is no news
        if (!values.contains(std::string(tree.text(tree.first_token(node)))))
            out.push_back(
                make_item(tree, node, tree.first_token(node), OutlineItem::Kind::instance));
        break;
    case NodeKind::loop:
    case NodeKind::branch:
        for (const NodeId child : children(tree, node))
            if (tree.nodes[child].kind == NodeKind::block)
                add_block(tree, child, values, out);
        break;
    default: break;
    }
}

void add_block(const Tree& tree, NodeId block, std::set<std::string>& values,
               std::vector<OutlineItem>& out)
{
    for (const NodeId node : children(tree, block))
        if (tree.nodes[node].kind == NodeKind::declare)
            for (const NodeId child : children(tree, node))
                values.emplace(tree.text(tree.first_token(child)));
    for (const NodeId node : children(tree, block))
        add_statement(tree, node, values, out);
}

/// Calls use(offset, length) for every comment of a gap between tokens.
template <class Use>
void for_each_comment(const std::string& text, std::size_t begin, std::size_t end, Use use)
{
    for (std::size_t at = begin; at < end; ++at) {
        const bool is_block = text.compare(at, 2, "/*") == 0;
        if (!is_block && text[at] != '#')
            continue;
        const std::size_t found = is_block ? text.find("*/", at + 2) : text.find('\n', at);
        const std::size_t stop =
            std::min(found == std::string::npos ? end : found + (is_block ? 2 : 0), end);
        use(at, stop - at);
        at = stop;
    }
}

template <class Use>
void for_each_comment(const Tree& tree, Use use)
{
    std::size_t begin = 0;
    for (const Token& token : tree.tokens) {
        for_each_comment(*tree.source.text, begin, token.offset, use);
        begin = token.end();
    }
}

/// Names by what they were introduced as, wherever in the script.
struct Introduced {
    std::set<std::string_view> defs, functions, parameters;
};

Introduced find_introduced(const Tree& tree)
{
    Introduced names;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const Node& n = tree.nodes[node];
        if (n.kind == NodeKind::def && n.first_token + 1 < tree.tokens.size())
            (n.flags & Node::kIsFunction ? names.functions : names.defs)
                .insert(tree.text(tree.tokens[n.first_token + 1]));
        if (n.kind == NodeKind::parameters)
            for (const NodeId child : children(tree, node))
                names.parameters.insert(tree.text(tree.first_token(child)));
    }
    return names;
}

std::optional<ScriptMeaning::Kind> meaning_of(const Tree& tree, const Introduced& names,
                                              std::uint32_t i, int depth)
{
    using Kind = ScriptMeaning::Kind;
    const Token& token = tree.tokens[i];
    if (token.kind == number)
        return Kind::number;
    if (token.kind == string)
        return Kind::string;
    if (is_reserved(token.kind))
        return Kind::keyword;
    if (token.kind != identifier)
        return std::nullopt;
    const std::string_view word = tree.text(token);
    const TokenKind next = tree.tokens[i + 1].kind;
    if (depth > 0 && next == assign)
        return Kind::argument;
    if (names.defs.contains(word))
        return Kind::def;
    if (names.functions.contains(word))
        return Kind::function;
    if (names.parameters.contains(word))
        return Kind::parameter;
    return find_any_word(word) && (next == left_paren || next == semicolon) ? Kind::word
                                                                            : Kind::variable;
}

/// The parameters of a def or function of the script, as its text has them.
std::optional<CallHelp::Form> form_of_def(const Tree& tree, std::string_view callee)
{
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const Node& n = tree.nodes[node];
        if (n.kind != NodeKind::def || tree.text(tree.tokens[n.first_token + 1]) != callee)
            continue;
        CallHelp::Form form{std::string(callee) + "(", {}, {}};
        const NodeId list = n.first_child;
        if (list != kNoNode && tree.nodes[list].kind == NodeKind::parameters)
            for (const NodeId parameter : children(tree, list)) {
                form.arguments.emplace_back(tree.text(parameter));
                form.meanings.emplace_back();
                form.text += (form.arguments.size() == 1 ? "" : ", ") + form.arguments.back();
            }
        form.text += ")";
        return form;
    }
    return std::nullopt;
}

CallHelp::Form form_of(const Word& word, const Signature& signature)
{
    CallHelp::Form form{signature_text(word, signature), {}, {}};
    for (const Argument& argument : signature) {
        form.arguments.emplace_back(argument.kind == ArgumentKind::points ? "x, y, z, ..."
                                                                          : argument.name);
        form.meanings.push_back(
            std::string(argument.meaning) +
            (argument.unit.empty() ? "" : " [" + std::string(argument.unit) + "]"));
    }
    return form;
}

/// The "(" of the call that an offset lies in, and the commas between.
std::optional<std::pair<std::uint32_t, std::size_t>> find_opening(const Tree& tree,
                                                                  std::size_t offset)
{
    std::uint32_t behind = 0;
    while (tree.tokens[behind].kind != end_of_text && tree.tokens[behind].end() <= offset)
        ++behind;
    int depth = 0;
    std::size_t commas = 0;
    for (std::uint32_t i = behind; i-- > 0;) {
        const TokenKind kind = tree.tokens[i].kind;
        if (kind == semicolon)
            return std::nullopt;
        if (kind == right_paren || kind == right_brace || kind == right_bracket)
            ++depth;
        commas += depth == 0 && kind == comma;
        if (kind != left_paren && kind != left_brace && kind != left_bracket)
            continue;
        if (depth-- > 0)
            continue;
        if (kind == left_paren && i > 0 &&
            (tree.tokens[i - 1].kind == identifier || tree.tokens[i - 1].kind == kw_initial))
            return std::pair(i, commas);
        depth = 0;
        commas = 0; // brackets inside the call's argument
    }
    return std::nullopt;
}

} // namespace

std::vector<OutlineItem> script_outline(const std::string& text)
{
    const Parsed parsed = parse_alone(text);
    std::vector<OutlineItem> out;
    std::set<std::string> values;
    add_block(parsed.tree, parsed.tree.root, values, out);
    return out;
}

std::vector<ScriptFold> script_folds(const std::string& text)
{
    const Parsed parsed = parse_alone(text);
    const Tree& tree = parsed.tree;
    std::vector<ScriptFold> folds;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const Node& n = tree.nodes[node];
        const bool is_block = n.kind == NodeKind::loop || n.kind == NodeKind::branch ||
                              n.kind == NodeKind::event ||
                              (n.kind == NodeKind::def && !(n.flags & Node::kIsFunction));
        const std::size_t begin = tree.tokens[n.first_token].offset;
        if (is_block && n.last_token > n.first_token)
            folds.push_back({begin, tree.tokens[n.last_token].end() - begin, false});
    }
    // Comments on lines that follow one another are one.
    const std::size_t blocks = folds.size();
    for_each_comment(tree, [&](std::size_t offset, std::size_t length) {
        const bool goes_on =
            folds.size() > blocks && text[offset] == '#' &&
            text.find_first_not_of(" \t\n", folds.back().offset + folds.back().length) == offset;
        if (goes_on)
            folds.back().length = offset + length - folds.back().offset;
        else
            folds.push_back({offset, length, true});
    });
    std::erase_if(folds, [&](const ScriptFold& fold) {
        return text.substr(fold.offset, fold.length).find('\n') == std::string::npos;
    });
    return folds;
}

std::vector<ScriptMeaning> script_meanings(const std::string& text)
{
    const Parsed parsed = parse_alone(text);
    const Tree& tree = parsed.tree;
    const Introduced names = find_introduced(tree);
    std::vector<ScriptMeaning> out;
    int depth = 0;
    for (std::uint32_t i = 0; i + 1 < tree.tokens.size(); ++i) {
        const Token& token = tree.tokens[i];
        depth += token.kind == left_paren ? 1 : token.kind == right_paren ? -1 : 0;
        if (const auto kind = meaning_of(tree, names, i, depth))
            out.push_back({token.offset, token.length, *kind});
    }
    for_each_comment(tree, [&](std::size_t offset, std::size_t length) {
        const std::size_t stop = offset + length;
        while (offset < stop) {
            const std::size_t end = std::min(text.find('\n', offset), stop);
            if (end > offset)
                out.push_back({offset, end - offset, ScriptMeaning::Kind::comment});
            offset = end + 1;
        }
    });
    std::ranges::stable_sort(out, {}, &ScriptMeaning::offset);
    return out;
}

std::optional<CallHelp> call_help(const std::string& text, std::size_t offset)
{
    const Parsed parsed = parse_alone(text);
    const Tree& tree = parsed.tree;
    const auto opening = find_opening(tree, offset);
    if (!opening)
        return std::nullopt;
    const std::string_view callee = tree.text(tree.tokens[opening->first - 1]);
    CallHelp help;
    help.argument = opening->second;
    if (const auto own = form_of_def(tree, callee)) {
        help.forms.push_back(*own);
        return help;
    }
    for (const Word& word : words())
        if (word.name == callee) {
            help.meaning = word.meaning;
            for (const Signature& signature : word.signatures)
                help.forms.push_back(form_of(word, signature));
        }
    return help.forms.empty() ? std::nullopt : std::optional(help);
}

std::string proposed_word(const std::string& hint)
{
    constexpr std::string_view kBefore = "did you mean '";
    const std::size_t begin = hint.find(kBefore);
    const std::size_t end = hint.find("'?", begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos)
        return "";
    return hint.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

std::string comment_above(const std::string& text, std::size_t offset)
{
    std::string out;
    std::size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    while (line > 0) {
        const std::size_t above = line < 2 ? 0 : text.rfind('\n', line - 2) + 1;
        std::size_t first = text.find_first_not_of(" \t", above);
        if (first >= line - 1 || text[first] != '#')
            break;
        first = std::min(text.find_first_not_of("# \t", first), line - 1);
        out = text.substr(first, line - 1 - first) + (out.empty() ? "" : "\n" + out);
        line = above;
    }
    return out;
}

} // namespace sinew
