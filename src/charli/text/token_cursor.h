#pragma once

#include "charli/assist/report.h"
#include "charli/text/limits.h"
#include "charli/text/tree.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::charli {

using enum TokenKind;

/// Where the parser is among the tokens, the nodes it makes, and the faults it reports. A fault is
/// kept in `failed_`: every function returns kNoNode then, up to the statement.
class TokenCursor {
protected:
    TokenCursor(Tree& tree, const Limits& limits, Report& report)
        : tree_(tree), limits_(limits), report_(report)
    {
        tree_.nodes.reserve(tree_.tokens.size());
    }

    // --- tokens -------------------------------------------------------------------------------

    const Token& token(std::uint32_t ahead = 0) const
    {
        return tree_.tokens[std::min<std::size_t>(at_ + ahead, tree_.tokens.size() - 1)];
    }
    TokenKind kind(std::uint32_t ahead = 0) const { return token(ahead).kind; }
    bool is(TokenKind wanted) const { return kind() == wanted; }
    bool is_any(std::initializer_list<TokenKind> wanted) const
    {
        return std::find(wanted.begin(), wanted.end(), kind()) != wanted.end();
    }
    std::string_view text() const { return tree_.text(token()); }
    void advance()
    {
        if (!is(end_of_text))
            ++at_;
    }
    bool accept(TokenKind wanted)
    {
        if (!is(wanted))
            return false;
        advance();
        return true;
    }
    bool on_new_line() const
    {
        if (at_ == 0)
            return true;
        const std::uint32_t begin = tree_.tokens[at_ - 1].end();
        return std::string_view(*tree_.source.text)
                   .substr(begin, token().offset - begin)
                   .find('\n') != std::string_view::npos;
    }

    // --- nodes --------------------------------------------------------------------------------

    NodeId open(NodeKind node_kind) { return open_at(node_kind, at_); }
    NodeId open_at(NodeKind node_kind, std::uint32_t first_token)
    {
        tree_.nodes.push_back({.kind = node_kind, .first_token = first_token});
        return static_cast<NodeId>(tree_.nodes.size() - 1);
    }
    NodeId close(NodeId id)
    {
        Node& node = tree_.nodes[id];
        node.last_token = std::max(node.first_token, at_ == 0 ? 0 : at_ - 1);
        return id;
    }
    Node& node(NodeId id) { return tree_.nodes[id]; }
    NodeId leaf(NodeKind node_kind)
    {
        const NodeId id = open(node_kind);
        advance();
        return close(id);
    }

    /// Appends children to a node, in order.
    class Children {
    public:
        Children(TokenCursor& cursor, NodeId parent) : cursor_(cursor), parent_(parent) {}
        void add(NodeId child)
        {
            if (child == kNoNode)
                return;
            (last_ == kNoNode ? cursor_.node(parent_).first_child : cursor_.node(last_).next) =
                child;
            last_ = child;
        }

    private:
        TokenCursor& cursor_;
        NodeId parent_;
        NodeId last_ = kNoNode;
    };

    // --- faults -------------------------------------------------------------------------------

    /// Thrown away statement: the functions below return kNoNode up to parse_statement.
    NodeId fail(Origin origin, std::string_view code, std::string what, std::string hint)
    {
        if (!failed_) // one fault a statement: what follows it is guesswork
            report_.error(origin, code, std::move(what), std::move(hint));
        failed_ = true;
        tree_.has_faults = true;
        return kNoNode;
    }
    NodeId fail_here(std::string_view code, std::string what, std::string hint)
    {
        if (is(unknown)) { // the lexer has said it
            failed_ = tree_.has_faults = true;
            return kNoNode;
        }
        return fail(tree_.origin(token()), code, std::move(what), std::move(hint));
    }

    /// How a message names the token at hand.
    std::string found() const
    {
        if (is(end_of_text))
            return "the end of the script";
        if (is(string))
            return "a string";
        const std::string word(text().substr(0, 40));
        return (is_reserved(kind()) ? "the reserved word '" : "'") + word + "'";
    }

    NodeId fail_expecting(std::string_view code, const std::string& wanted, std::string hint)
    {
        return fail_here(code, "expected " + wanted + ", found " + found(), std::move(hint));
    }

    bool expect(TokenKind wanted, std::string_view code, const std::string& name, std::string hint)
    {
        if (accept(wanted))
            return true;
        fail_expecting(code, name, std::move(hint));
        return false;
    }

    /// Counts nesting; false, with a fault, when too deep.
    class Depth {
    public:
        explicit Depth(TokenCursor& cursor) : cursor_(cursor) { ++cursor_.depth_; }
        ~Depth() { --cursor_.depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        bool is_too_deep()
        {
            if (cursor_.depth_ <= cursor_.limits_.nesting)
                return false;
            cursor_.fail_here("nested-too-deep",
                              "brackets and blocks are nested more than " +
                                  std::to_string(cursor_.limits_.nesting) + " deep",
                              "split this into several statements or defs");
            return true;
        }

    private:
        TokenCursor& cursor_;
    };

    bool begins_statement() const
    {
        return is_any({kw_var, kw_dynamic, kw_import, kw_param, kw_def, kw_for, kw_if, kw_include});
    }

    /// Behind the next `;`, or to what begins a statement or ends a block.
    void skip_to_next_statement()
    {
        while (!is_any({end_of_text, semicolon, kw_end, kw_else}) &&
               !(begins_statement() && on_new_line()))
            advance();
        accept(semicolon);
    }

    void fail_stray_else()
    {
        fail_here("stray-else", "this `else` has no matching `if`",
                  "an `if` has one `else` and ends with `end`");
    }

    void skip_stray_end()
    {
        failed_ = false;
        advance();
        accept(semicolon);
    }

    bool expect_semicolon()
    {
        if (accept(semicolon))
            return true;
        const Token& last = tree_.tokens[at_ == 0 ? 0 : at_ - 1];
        const bool plausible = is_any({end_of_text, kw_end, kw_else}) || on_new_line();
        if (plausible && is_open_string(last)) // it has swallowed the ';', the lexer has said it
            return true;
        if (plausible && !failed_) {
            // Nothing is lost: the statement is whole, only its end is missing.
            report_.error({tree_.file, last.end() - 1, 1}, "missing-semicolon",
                          "the statement has no ';' at its end", "write ';' after it");
            tree_.has_faults = true;
            return true;
        }
        if (kind() == identifier && last.kind == number)
            fail_unit(last);
        else
            fail_expecting("expected-semicolon", "';'", "a statement ends with ';'");
        return false;
    }

    bool is_open_string(const Token& token_) const
    {
        return token_.kind == string && (token_.length < 2 || !tree_.text(token_).ends_with('"'));
    }

    void fail_unit(const Token& number_token)
    {
        const std::string value(tree_.text(number_token));
        const std::string word(text());
        const auto is_word = [&](std::initializer_list<std::string_view> words) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        std::string what = "'" + word + "' is not a unit";
        std::string hint =
            "the units are mm cm km gram kg ms sec fps deg; without one a number is SI";
        if (is_word({"m", "metre", "metres", "meter", "meters"})) {
            what = "metres need no unit";
            hint = "write " + value;
        } else if (is_word({"s", "second", "seconds"})) {
            what = "'" + word + "' is not a unit; seconds need none, or `sec`";
            hint = "write " + value + " sec";
        } else if (is_word({"rad", "radian", "radians"})) {
            what = "radians need no unit";
            hint = "write " + value;
        } else if (is_word({"g", "grams", "gramme", "grammes"})) {
            what = "'" + word + "' is not a unit; grams are `gram`";
            hint = "write " + value + " gram";
        } else if (is_word({"degree", "degrees"})) {
            what = "'" + word + "' is not a unit; degrees are `deg`";
            hint = "write " + value + " deg";
        } else if (is_word({"N", "Pa", "J", "W", "Hz", "newton", "newtons"})) {
            what = "'" + word + "' is not a unit: SI needs none";
            hint = "write " + value;
        }
        fail_here("no-such-unit", what, hint);
    }

    bool expect_name(const std::string& what)
    {
        if (accept(identifier))
            return true;
        if (is_reserved(kind())) {
            fail_here("reserved-word", "'" + std::string(text()) + "' is a reserved word",
                      "choose another name for " + what);
            if (!on_new_line())
                advance(); // it stands for the name, and neither begins nor ends anything
        } else {
            fail_expecting("expected-name", "a name for " + what,
                           "names are made of letters, digits and _");
        }
        return false;
    }

    Tree& tree_;
    const Limits& limits_;
    Report& report_;
    std::uint32_t at_ = 0;
    int depth_ = 0;
    Token suspect_ = {}; ///< the first block whose `end` looks like another's; empty: none
    bool failed_ = false;
    bool is_skipped_ = false;   ///< the rest of a faulty statement has been read
    bool may_index_ = true;     ///< "[" behind a name is an index
    bool in_key_place_ = false; ///< behind `at` of a key
    bool in_head_ = false;      ///< between `for` or `if` and its block
};

} // namespace sinew::charli
