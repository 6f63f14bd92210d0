// Statements added, removed and ended, by the lossless tree: what an edit does not mean stays.

#include "charli/text/edit_tree.h"
#include "sinew/language.h"

#include <algorithm>
#include <optional>

namespace sinew {

namespace {

using namespace charli;

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

/// The last key of a track that comes before a time, if what the track says until then does not
/// need the keys behind it: there are none, or it jumps to the next one. Keys whose times are not
/// plain seconds are not judged.
std::optional<NodeId> last_key_kept(const Tree& tree, NodeId track, double time)
{
    std::optional<NodeId> kept;
    if (tree.nodes[track].kind != NodeKind::track)
        return kept;
    for (const NodeId key : children(tree, track)) {
        const std::optional<double> at = plain_number(tree, tree.child(key, 1));
        if (!at || tree.last_token(key).kind != TokenKind::unit_sec)
            return std::nullopt;
        if (*at >= time) {
            const TokenKind easing = tree.tokens[tree.nodes[key].first_token - 1].kind;
            return easing == TokenKind::ease_hold ? kept : std::nullopt;
        }
        kept = key;
    }
    return kept;
}

} // namespace

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
    const NodeId found = find_statement(parsed.tree, word, statement);
    return found == kNoNode
               ? refuse_statement(name_, word, statement)
               : remove(parsed.tree.first_token(found).offset, parsed.tree.last_token(found).end());
}

Problems ScriptEditor::remove_statement_at(std::size_t offset)
{
    const Parsed parsed = parse_text(name_, text_);
    const NodeId found = find_statement_at(parsed.tree, offset);
    return found == kNoNode
               ? refuse_offset(name_, offset)
               : remove(parsed.tree.first_token(found).offset, parsed.tree.last_token(found).end());
}

Problems ScriptEditor::remove(std::size_t begin, std::size_t end)
{
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

Problems ScriptEditor::end_statement_at(std::size_t offset, double time)
{
    const Parsed parsed = parse_text(name_, text_);
    const Tree& tree = parsed.tree;
    const NodeId found = find_statement_at(tree, offset);
    const NodeId call = found == kNoNode ? kNoNode : head_of(tree, item_of(tree, found));
    if (call == kNoNode || tree.nodes[call].kind != NodeKind::call)
        return refuse_offset(name_, offset);
    const std::string end = " hold 0 at " + shortest(time) + " sec}";
    const std::string begin = " at " + shortest(time > 0 ? 0 : time - 1) + " sec";
    const NodeId active = find_named_value(tree, call, "active");
    if (active == kNoNode)
        return replace(tree.last_token(call).offset, 0, ", active = {1" + begin + end);
    const std::size_t first = tree.first_token(active).offset;
    const std::size_t last = tree.last_token(active).end();
    if (const auto kept = last_key_kept(tree, active, time)) {
        const std::size_t cut = tree.last_token(*kept).end();
        return replace(cut, last - cut, end);
    }
    return replace(first, last - first, "{" + std::string(tree.text(active)) + begin + end);
}

} // namespace sinew
