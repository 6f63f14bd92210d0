// The standard layout of a script.
//
//   in:  a script without syntax faults
//   out: the same tokens and comments on the same lines, with standard indentation and spacing
//
// The author decides where lines break and which numbers stand close together (0,0,0, 1,0,0); the
// formatter decides the rest. Tokens are never touched, so the meaning cannot change.

#include "base/text.h"
#include "charli/text/lexer.h"
#include "charli/text/parser.h"
#include "sinew/language.h"

#include <algorithm>
#include <vector>

namespace sinew {

namespace charli {

namespace {

using enum TokenKind;

struct Line {
    int indent = 0;
    std::string code;
    std::string comment;
};

class Formatter {
public:
    explicit Formatter(const Tree& tree) : tree_(tree), starts_statement_(tree.tokens.size())
    {
        for (const Node& node : tree.nodes) {
            if (node.kind == NodeKind::script || node.kind == NodeKind::block)
                for (NodeId child = node.first_child; child != kNoNode;
                     child = tree.nodes[child].next)
                    starts_statement_[tree.nodes[child].first_token] = true;
            if (node.kind == NodeKind::event)
                events_.push_back(node.first_token);
            if (node.kind == NodeKind::def && (node.flags & Node::kIsFunction))
                functions_.push_back(node.first_token);
            if (node.kind == NodeKind::param && (node.flags & Node::kHasRange))
                range_brackets_.push_back(
                    tree.nodes[tree.nodes[node.first_child].next].first_token - 1);
        }
        std::sort(range_brackets_.begin(), range_brackets_.end());
        std::sort(functions_.begin(), functions_.end());
        std::sort(events_.begin(), events_.end());
    }

    std::string run()
    {
        for (std::uint32_t i = 0; i < tree_.tokens.size(); ++i) {
            place_gap(i);
            if (kind(i) != end_of_text)
                place_token(i);
        }
        flush();
        return text();
    }

private:
    TokenKind kind(std::uint32_t i) const { return tree_.tokens[i].kind; }

    /// White space and comments before token i: line ends, blank lines and comments are kept.
    void place_gap(std::uint32_t i)
    {
        const std::uint32_t begin = i == 0 ? 0 : tree_.tokens[i - 1].end();
        std::string_view gap =
            std::string_view(*tree_.source.text).substr(begin, tree_.tokens[i].offset - begin);
        if (i == 0 && gap.starts_with("\xef\xbb\xbf"))
            gap.remove_prefix(3);
        int newlines = 0;
        has_space_ = !gap.empty();
        for (std::size_t at = 0; at < gap.size(); ++at) {
            if (gap[at] == '\n') {
                flush();
                if (++newlines == 2)
                    add_blank_line();
            } else if (gap.compare(at, 2, "/*") == 0) {
                const std::size_t end = std::min(gap.find("*/", at + 2), gap.size() - 2) + 2;
                place_block_comment(gap.substr(at, end - at), i);
                at = end - 1;
                newlines = 0;
            } else if (gap[at] == '#') {
                const std::size_t end = std::min(gap.find('\n', at), gap.size());
                std::string_view comment = gap.substr(at, end - at);
                comment = comment.substr(0, comment.find_last_not_of(" \t\r\f\v") + 1);
                if (is_line_empty())
                    line_.indent = depth_ + continuation(i);
                line_.comment = comment;
                at = end - 1;
                newlines = 0;
                ends_with_comment_ = true;
            }
        }
    }

    /// A block comment stands like a word among the code; its own lines are kept as they are.
    void place_block_comment(std::string_view comment, std::uint32_t i)
    {
        if (ends_with_comment_)
            flush();
        if (line_.code.empty())
            line_.indent = depth_ + continuation(i);
        else
            line_.code += ' ';
        for (std::size_t end = comment.find('\n'); end != std::string_view::npos;
             end = comment.find('\n')) {
            std::string_view first = comment.substr(0, end);
            first = first.substr(0, first.find_last_not_of(" \t\r\f\v") + 1);
            line_.code += first;
            lines_.push_back(std::move(line_));
            line_ = {};
            comment.remove_prefix(end + 1);
        }
        line_.code += comment;
        follows_comment_ = true;
    }

    int continuation(std::uint32_t i) const
    {
        const bool is_inside = i > 0 && kind(i) != end_of_text && !starts_statement_[i] &&
                               kind(i) != kw_end && kind(i) != kw_else;
        return is_inside ? 2 : 0;
    }

    void place_token(std::uint32_t i)
    {
        if (ends_with_comment_)
            flush();
        if (kind(i) == kw_end)
            depth_ = std::max(0, depth_ - 1);
        if (line_.code.empty())
            line_.indent = std::max(0, depth_ - (kind(i) == kw_else)) + continuation(i);
        else if (follows_comment_ || wants_space(i))
            line_.code += ' ';
        follows_comment_ = false;
        line_.code += tree_.text(tree_.tokens[i]);
        const bool is_function =
            kind(i) == kw_def && std::binary_search(functions_.begin(), functions_.end(), i);
        const bool is_event = std::binary_search(events_.begin(), events_.end(), i);
        depth_ += !is_function &&
                  (kind(i) == kw_def || kind(i) == kw_for || kind(i) == kw_if || is_event);
    }

    bool is_operand_end(TokenKind k) const
    {
        return k == identifier || k == number || k == string || k == right_paren ||
               k == right_bracket || k == right_brace || k == kw_pi || k == kw_time || is_unit(k);
    }

    bool is_unary(std::uint32_t i) const
    {
        return (kind(i) == minus || kind(i) == plus) && (i == 0 || !is_operand_end(kind(i - 1)));
    }

    bool wants_space(std::uint32_t i) const
    {
        const TokenKind before = kind(i - 1), here = kind(i);
        switch (here) {
        case semicolon:
        case comma:
        case right_paren:
        case right_bracket:
        case right_brace:
        case dots:
        case dot: return false;
        case colon: return true;
        case left_paren:
            if (before == identifier || before == kw_initial)
                return false;
            break;
        case left_bracket:
            if (is_operand_end(before) &&
                !std::binary_search(range_brackets_.begin(), range_brackets_.end(), i))
                return false;
            break;
        default: break;
        }
        switch (before) {
        case left_paren:
        case left_bracket:
        case left_brace:
        case dots:
        case dot: return false;
        case comma: return has_space_;
        case plus:
        case minus: return !is_unary(i - 1);
        default: return true;
        }
    }

    bool is_line_empty() const { return line_.code.empty() && line_.comment.empty(); }

    void flush()
    {
        if (!is_line_empty())
            lines_.push_back(std::move(line_));
        line_ = {};
        ends_with_comment_ = follows_comment_ = false;
    }

    void add_blank_line()
    {
        const bool is_wanted =
            !lines_.empty() && !(lines_.back().code.empty() && lines_.back().comment.empty());
        if (is_wanted)
            lines_.emplace_back();
    }

    static int width(const Line& line) { return 2 * line.indent + count_characters(line.code); }

    /// Comments behind the code of neighbouring lines stand below one another.
    std::string text()
    {
        while (!lines_.empty() && lines_.back().code.empty() && lines_.back().comment.empty())
            lines_.pop_back();
        std::string out;
        for (std::size_t i = 0; i < lines_.size();) {
            std::size_t end = i;
            int widest = 0;
            while (end < lines_.size() && !lines_[end].code.empty() && !lines_[end].comment.empty())
                widest = std::max(widest, width(lines_[end++]));
            end = std::max(end, i + 1);
            for (; i < end; ++i) {
                const Line& line = lines_[i];
                if (line.code.empty() && line.comment.empty()) {
                    out += '\n';
                    continue;
                }
                out.append(static_cast<std::size_t>(2 * line.indent), ' ');
                out += line.code;
                if (!line.code.empty() && !line.comment.empty())
                    out.append(static_cast<std::size_t>(widest - width(line) + 2), ' ');
                out += line.comment + "\n";
            }
        }
        return out;
    }

    const Tree& tree_;
    std::vector<bool> starts_statement_;
    std::vector<std::uint32_t> range_brackets_;
    std::vector<std::uint32_t> functions_; ///< defs without an `end`
    std::vector<std::uint32_t> events_;    ///< `when` and `whenever`
    std::vector<Line> lines_;
    Line line_;
    int depth_ = 0;
    bool has_space_ = false;
    bool ends_with_comment_ = false;
    bool follows_comment_ = false; ///< a block comment stands before the next token
};

} // namespace

} // namespace charli

Result<std::string> format_script(const std::string& name, const std::string& text)
{
    using namespace charli;
    const Limits limits;
    Report report(limits.problem_count);
    Symbols symbols;
    add_reserved_words(symbols);
    const Tree tree =
        parse({name, std::make_shared<const std::string>(text)}, limits, symbols, report);
    if (tree.has_faults)
        return report.take();
    return Formatter(tree).run();
}

} // namespace sinew
