// Tokens to tree.
//
//   in:  the tokens of one file
//   out: a flat tree; faults in the report, never an exception
//
// Recursive descent over the grammar of docs/guide/language.md, two tokens of look-ahead. A fault
// ends its statement: the parser skips behind the next `;`, or to what begins a statement or ends a
// block.

#include "charli/parser.h"

#include "charli/lexer.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace sinew::charli {

namespace {

using enum TokenKind;

class Parser {
public:
    Parser(Tree& tree, const Limits& limits, Report& report)
        : tree_(tree), limits_(limits), report_(report)
    {
        tree_.nodes.reserve(tree_.tokens.size());
    }

    void run()
    {
        const NodeId script = open(NodeKind::script);
        Children statements(*this, script);
        while (!is(end_of_text)) {
            if (is_any({kw_end, kw_else})) {
                if (is(kw_else))
                    fail_stray_else();
                else
                    fail_here(
                        "stray-end", "this `end` closes nothing",
                        "remove it, or look for a `def`, `for` or `if` that was closed before");
                skip_stray_end();
                continue;
            }
            statements.add(parse_statement());
        }
        close(script);
        tree_.root = script;
    }

private:
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
        Children(Parser& parser, NodeId parent) : parser_(parser), parent_(parent) {}
        void add(NodeId child)
        {
            if (child == kNoNode)
                return;
            (last_ == kNoNode ? parser_.node(parent_).first_child : parser_.node(last_).next) =
                child;
            last_ = child;
        }

    private:
        Parser& parser_;
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
            return "a text";
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
        explicit Depth(Parser& parser) : parser_(parser) { ++parser_.depth_; }
        ~Depth() { --parser_.depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        bool is_too_deep()
        {
            if (parser_.depth_ <= parser_.limits_.nesting)
                return false;
            parser_.fail_here("nested-too-deep",
                              "brackets and blocks are nested more than " +
                                  std::to_string(parser_.limits_.nesting) + " deep",
                              "split this into several statements or defs");
            return true;
        }

    private:
        Parser& parser_;
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
        fail_here("stray-else", "this `else` belongs to no `if`",
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
                          "the statement has no ';' at its end", "write ';' behind it");
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
        std::string what = "'" + word + "' is no unit";
        std::string hint =
            "the units are mm cm km gram kg ms sec fps deg; without one a number is SI";
        if (is_word({"m", "metre", "metres", "meter", "meters"})) {
            what = "metres need no unit";
            hint = "write " + value;
        } else if (is_word({"s", "second", "seconds"})) {
            what = "'" + word + "' is no unit; seconds need none, or `sec`";
            hint = "write " + value + " sec";
        } else if (is_word({"rad", "radian", "radians"})) {
            what = "radians need no unit";
            hint = "write " + value;
        } else if (is_word({"g", "grams", "gramme", "grammes"})) {
            what = "'" + word + "' is no unit; grams are `gram`";
            hint = "write " + value + " gram";
        } else if (is_word({"degree", "degrees"})) {
            what = "'" + word + "' is no unit; degrees are `deg`";
            hint = "write " + value + " deg";
        } else if (is_word({"N", "Pa", "J", "W", "Hz", "newton", "newtons"})) {
            what = "'" + word + "' is no unit: SI needs none";
            hint = "write " + value;
        }
        fail_here("no-such-unit", what, hint);
    }

    // --- statements ---------------------------------------------------------------------------

    NodeId parse_statement()
    {
        failed_ = false;
        may_index_ = true;
        in_key_place_ = false;
        const std::uint32_t start = at_;
        Depth depth(*this);
        NodeId statement = depth.is_too_deep() ? kNoNode : parse_statement_kind();
        if (!failed_)
            return statement;
        if (at_ == start)
            advance();
        if (!std::exchange(is_skipped_, false))
            skip_to_next_statement();
        failed_ = false;
        return close(open_at(NodeKind::fault, start));
    }

    NodeId parse_statement_kind()
    {
        switch (kind()) {
        case kw_var:
        case kw_dynamic:
        case kw_import: return parse_declare();
        case kw_param: return parse_param();
        case kw_def: return parse_def();
        case kw_for: return parse_loop();
        case kw_if: return parse_branch();
        case kw_include: return parse_include();
        case identifier: return parse_assign_or_item();
        case semicolon:
            return fail_here("empty-statement", "there is no statement before this ';'",
                             "remove it");
        case kw_initial:
            return fail_here("initial-inside", "initial(...) stands alone right of `=`",
                             "write `x = initial(value, rate);` for a dynamic x");
        case slash:
            return fail_expecting("expected-statement", "a statement",
                                  "if this is a comment, begin it with #");
        case kw_pi:
        case kw_time:
            return fail_here("reserved-word", "'" + std::string(text()) + "' is a reserved word",
                             "choose another name");
        default:
            return fail_expecting("expected-statement", "a statement",
                                  "a statement begins with a name or one of var, dynamic, import, "
                                  "param, def, for, if, "
                                  "include");
        }
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

    NodeId parse_declare()
    {
        const NodeId id = open(NodeKind::declare);
        const std::string what = "the variable";
        advance();
        do {
            if (!expect_name(what))
                return kNoNode;
        } while (accept(comma));
        if (is(assign))
            return fail_here("value-in-declaration", "a declaration takes names only",
                             "declare first, then assign: `var a; a = 1;`");
        if (is(identifier) && !on_new_line())
            return fail_expecting("expected-semicolon", "',' or ';'",
                                  "names in a declaration are separated by ','");
        if (!expect_semicolon())
            return kNoNode;
        return close(id);
    }

    NodeId parse_param()
    {
        const NodeId id = open(NodeKind::param);
        Children parts(*this, id);
        advance();
        if (!expect_name("the parameter") ||
            !expect(assign, "expected-assign", "'=' and the parameter's value",
                    "write `param name = 1 [0..2] \"what it does\";`"))
            return kNoNode;
        may_index_ = false; // here "[" opens the range
        parts.add(parse_expression());
        may_index_ = true;
        if (failed_)
            return kNoNode;
        if (accept(left_bracket)) {
            parts.add(parse_expression());
            if (failed_ || !expect(dots, "expected-range", "'..' between the ends of the range",
                                   "write [low..high]"))
                return kNoNode;
            parts.add(parse_expression());
            if (failed_ ||
                !expect(right_bracket, "open-bracket", "']' behind the range", "write [low..high]"))
                return kNoNode;
            node(id).flags |= Node::kHasRange;
        }
        if (is(string)) {
            parts.add(leaf(NodeKind::string));
            node(id).flags |= Node::kHasText;
        }
        if (!expect_semicolon())
            return kNoNode;
        return close(id);
    }

    NodeId parse_def()
    {
        const NodeId id = open(NodeKind::def);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        if (!expect_name("the def"))
            return skip_block(opening, "def");
        if (is(left_paren)) {
            const NodeId parameters = open(NodeKind::parameters);
            advance();
            if (!is(right_paren)) {
                do {
                    if (!expect_name("the def's parameter"))
                        return skip_block(opening, "def");
                } while (accept(comma));
            }
            if (!expect(right_paren, "open-bracket", "')' behind the def's parameters",
                        "write `def name(a, b)`"))
                return skip_block(opening, "def");
            parts.add(close(parameters));
        }
        parts.add(parse_block(false));
        finish_block(opening, "def");
        return close(id);
    }

    NodeId parse_loop()
    {
        const NodeId id = open(NodeKind::loop);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        const std::string form = "write `for i in 1..10 ... end;`";
        if (!expect_name("the loop's variable") || !expect(kw_in, "expected-in", "'in'", form))
            return skip_block(opening, "for");
        parts.add(parse_expression());
        if (failed_ || !expect(dots, "expected-range", "'..' between first and last", form))
            return skip_block(opening, "for");
        parts.add(parse_expression());
        if (failed_)
            return skip_block(opening, "for");
        parts.add(parse_block(false));
        finish_block(opening, "for");
        return close(id);
    }

    NodeId parse_branch()
    {
        const NodeId id = open(NodeKind::branch);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        parts.add(parse_expression());
        if (failed_)
            return skip_block(opening, "if");
        parts.add(parse_block(true));
        if (accept(kw_else))
            parts.add(parse_block(false));
        finish_block(opening, "if");
        return close(id);
    }

    /// A fault in the head of a block: the body is read all the same, so that its `end` closes it.
    NodeId skip_block(const Token& opening, const std::string& what)
    {
        skip_to_next_statement();
        parse_block(true);
        if (accept(kw_else))
            parse_block(false);
        finish_block(opening, what);
        failed_ = is_skipped_ = true;
        return kNoNode;
    }

    NodeId parse_block(bool may_else)
    {
        const NodeId id = open(NodeKind::block);
        Children statements(*this, id);
        while (!is_any({end_of_text, kw_end}) && !(may_else && is(kw_else))) {
            if (is(kw_else)) {
                fail_stray_else();
                skip_stray_end();
                continue;
            }
            statements.add(parse_statement());
        }
        failed_ = false;
        close(id);
        if (node(id).first_child == kNoNode) // empty: the token before; harmless, nobody reads it
            node(id).last_token = node(id).first_token;
        return id;
    }

    void finish_block(const Token& opening, const std::string& what)
    {
        if (!accept(kw_end)) {
            Problem& problem = report_.error(
                tree_.origin(opening), "missing-end",
                "this `" + what + "` has no `end` before the script ends", "close it with `end;`");
            if (suspect_.length > 0)
                report_.remark(problem, tree_.origin(suspect_),
                               "or this one: its `end` is indented less than it is");
            tree_.has_faults = true;
            return;
        }
        // A block that was closed by the `end` of the block around it shows in the indentation.
        const auto opens = indentation(opening), ends = indentation(tree_.tokens[at_ - 1]);
        if (suspect_.length == 0 && opens && ends && *ends < *opens)
            suspect_ = opening;
        accept(semicolon);
    }

    /// Blanks before the first token of a line; none when it is not the first, or far to the right.
    std::optional<std::uint32_t> indentation(const Token& token_) const
    {
        constexpr std::uint32_t kWidest = 200;
        for (std::uint32_t blanks = 0; blanks < kWidest; ++blanks) {
            const char before =
                blanks == token_.offset ? '\n' : (*tree_.source.text)[token_.offset - blanks - 1];
            if (before == '\n')
                return blanks;
            if (before != ' ' && before != '\t')
                break;
        }
        return std::nullopt;
    }

    NodeId parse_include()
    {
        const NodeId id = open(NodeKind::include);
        advance();
        if (!is(string))
            return fail_expecting("expected-file", "the name of a file in quotes",
                                  "write `include \"parts.charli\";`");
        Children(*this, id).add(leaf(NodeKind::string));
        if (accept(kw_as)) {
            if (!expect_name("the namespace"))
                return kNoNode;
            node(id).flags |= Node::kHasNamespace;
        }
        if (!expect_semicolon())
            return kNoNode;
        return close(id);
    }

    NodeId parse_assign_or_item()
    {
        const std::uint32_t start = at_;
        const NodeId name = parse_name();
        if (failed_)
            return kNoNode;
        NodeId id;
        if (is(assign)) {
            id = parse_assign(start, name);
        } else {
            const NodeId head = is(left_paren) ? parse_call(name) : name;
            id = failed_ ? kNoNode : parse_item(head);
        }
        if (failed_ || !expect_semicolon())
            return kNoNode;
        return close(id);
    }

    NodeId parse_assign(std::uint32_t start, NodeId target)
    {
        const NodeId last_part = node(target).first_child;
        if (last_part != kNoNode && node(last_part).next != kNoNode)
            return fail(tree_.origin(target), "assign-to-path",
                        "only a plain or indexed name can be given a value",
                        "assign inside the def that declares it");
        const NodeId id = open_at(NodeKind::assign, start);
        Children parts(*this, id);
        parts.add(target);
        advance();
        NodeId value = parse_value();
        if (failed_)
            return kNoNode;
        const bool may_be_item =
            node(value).kind == NodeKind::name || node(value).kind == NodeKind::call;
        if (may_be_item && is_any({identifier, kw_on}) && !on_new_line_identifier_assign())
            value = parse_item(value);
        parts.add(value);
        return id;
    }

    /// `a = b` with its `;` forgotten, `c = ...` on the next line: `c` is no transformation.
    bool on_new_line_identifier_assign() const
    {
        return on_new_line() && (kind(1) == assign || kind(1) == left_bracket);
    }

    NodeId parse_item(NodeId head)
    {
        const NodeId id = open_at(NodeKind::item, node(head).first_token);
        Children parts(*this, id);
        parts.add(head);
        while (is(identifier) && !on_new_line_identifier_assign()) {
            if (kind(1) != left_paren) {
                if (on_new_line())
                    break; // a forgotten ';' is likelier than a transformation without arguments
                return fail_here("transformation-without-arguments",
                                 "'" + std::string(text()) +
                                     "' stands where a transformation is "
                                     "expected, and has no arguments",
                                 "write `" + std::string(text()) + "(...)`, or ';' before it");
            }
            const NodeId name = leaf(NodeKind::name);
            parts.add(parse_call(name));
            if (failed_)
                return kNoNode;
        }
        if (is(kw_on)) {
            const NodeId on = open(NodeKind::on);
            Children designators(*this, on);
            advance();
            do {
                designators.add(parse_designator());
                if (failed_)
                    return kNoNode;
            } while (accept(comma));
            parts.add(close(on));
        }
        return close(id);
    }

    NodeId parse_designator()
    {
        if (!is(identifier))
            return fail_expecting("expected-object", "the name of an object", "name an instance");
        const NodeId name = parse_name();
        return failed_ || !is(kw_at) ? name : parse_along(name);
    }

    NodeId parse_along(NodeId name)
    {
        const NodeId id = open_at(NodeKind::along, node(name).first_token);
        Children parts(*this, id);
        parts.add(name);
        advance();
        parts.add(parse_expression());
        if (failed_ || !expect(kw_along, "expected-along", "'along'",
                               "a point of a strand or rod is `name at 0.5 along`"))
            return kNoNode;
        return close(id);
    }

    NodeId parse_name()
    {
        const NodeId id = open(NodeKind::name);
        const bool plain = kind(1) != dot && (kind(1) != left_bracket || !may_index_);
        if (plain) {
            advance();
            return close(id);
        }
        Children parts(*this, id);
        do {
            const NodeId part = open(NodeKind::part);
            if (!expect_name("a part of the object"))
                return kNoNode;
            if (may_index_ && accept(left_bracket)) {
                Children(*this, part).add(parse_expression());
                if (failed_ ||
                    !expect(right_bracket, "open-bracket", "']' behind the index", "write name[1]"))
                    return kNoNode;
            }
            parts.add(close(part));
        } while (accept(dot));
        return close(id);
    }

    NodeId parse_call(NodeId name)
    {
        const NodeId id = open_at(NodeKind::call, node(name).first_token);
        Children parts(*this, id);
        parts.add(name);
        const bool may_index = std::exchange(may_index_, true);
        const bool in_key_place = std::exchange(in_key_place_, false);
        advance();
        if (!is(right_paren)) {
            do {
                parts.add(parse_argument());
                if (failed_)
                    return kNoNode;
            } while (accept(comma));
        }
        if (!is(right_paren) && is(identifier) && tree_.tokens[at_ - 1].kind == number) {
            fail_unit(tree_.tokens[at_ - 1]);
            return kNoNode;
        }
        if (!expect(right_paren, "open-bracket", "',' or ')'",
                    "close the '(' behind '" + std::string(tree_.text(name).substr(0, 40)) + "'"))
            return kNoNode;
        may_index_ = may_index;
        in_key_place_ = in_key_place;
        return close(id);
    }

    NodeId parse_argument()
    {
        if (is_any({right_paren, comma}))
            return fail_expecting("missing-argument", "an argument", "remove the extra ','");
        if (is(identifier) && kind(1) == assign) {
            const NodeId id = open(NodeKind::named);
            advance();
            advance();
            Children(*this, id).add(parse_argument_value());
            return failed_ ? kNoNode : close(id);
        }
        return parse_argument_value();
    }

    NodeId parse_argument_value()
    {
        if (is(string))
            return leaf(NodeKind::string);
        const NodeId value = parse_value();
        if (!failed_ && node(value).kind == NodeKind::name && is(kw_at))
            return parse_along(value);
        return value;
    }

    // --- values -------------------------------------------------------------------------------

    NodeId parse_value() { return is(left_brace) ? parse_track() : parse_expression(); }

    NodeId parse_track()
    {
        const NodeId id = open(NodeKind::track);
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        Children keys(*this, id);
        const bool in_key_place = std::exchange(in_key_place_, false);
        advance();
        keys.add(parse_key());
        while (!failed_ && is_easing(kind())) {
            advance();
            keys.add(parse_key());
        }
        if (failed_)
            return kNoNode;
        if (is_any({number, identifier, comma}))
            return fail_expecting("expected-easing", "an easing between two keys",
                                  "write linear, slowin, slowout, slowinout or hold");
        if (!expect(right_brace, "open-bracket", "'}' behind the last key",
                    "write {0 at 0 sec linear 1 at 2 sec}"))
            return kNoNode;
        in_key_place_ = in_key_place;
        return close(id);
    }

    NodeId parse_key()
    {
        const NodeId id = open(NodeKind::key);
        Children parts(*this, id);
        parts.add(parse_value());
        if (failed_ || !expect(kw_at, "expected-at", "'at' behind the key's value",
                               "a key is `value at 2 sec`"))
            return kNoNode;
        in_key_place_ = true; // here `sec` ends the key and is no unit
        parts.add(parse_expression());
        in_key_place_ = false;
        if (failed_)
            return kNoNode;
        if (!is_any({unit_sec, kw_frames, kw_along}))
            return fail_expecting(
                "expected-key-unit", "'sec', 'frames' or 'along' behind the key's place",
                "a key is `value at 2 sec`, `value at 48 frames` or `value at 0.5 along`");
        advance();
        return close(id);
    }

    /// operand { operator operand }, all of one strength; a single operand stands for itself.
    template <class ParseOperand>
    NodeId parse_chain(NodeKind chain_kind, std::initializer_list<TokenKind> operators,
                       ParseOperand parse_operand)
    {
        const NodeId first = parse_operand();
        if (failed_ || !is_any(operators))
            return first;
        const NodeId id = open_at(chain_kind, node(first).first_token);
        Children operands(*this, id);
        operands.add(first);
        while (is_any(operators)) {
            advance();
            operands.add(parse_operand());
            if (failed_)
                return kNoNode;
        }
        return close(id);
    }

    NodeId parse_expression()
    {
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        return parse_chain(NodeKind::any_of, {kw_or}, [&] {
            return parse_chain(NodeKind::all_of, {kw_and}, [&] { return parse_not(); });
        });
    }

    NodeId parse_not()
    {
        if (!is(kw_not))
            return parse_comparison();
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        const NodeId id = open(NodeKind::invert);
        advance();
        Children(*this, id).add(parse_not());
        return failed_ ? kNoNode : close(id);
    }

    NodeId parse_comparison()
    {
        const NodeId left = parse_sum();
        if (failed_ || !is_comparison())
            return left;
        const NodeId id = open_at(NodeKind::comparison, node(left).first_token);
        Children parts(*this, id);
        parts.add(left);
        advance();
        parts.add(parse_sum());
        if (failed_)
            return kNoNode;
        if (is_comparison())
            return fail_here("chained-comparison", "comparisons cannot be chained",
                             "write `a < b and b < c`");
        return close(id);
    }

    bool is_comparison() const
    {
        return is_any({equal, unequal, less, less_equal, greater, greater_equal});
    }

    NodeId parse_sum()
    {
        return parse_chain(NodeKind::sum, {plus, minus}, [&] {
            return parse_chain(NodeKind::product, {star, slash}, [&] { return parse_unary(); });
        });
    }

    NodeId parse_unary()
    {
        if (!is_any({minus, plus}))
            return parse_primary();
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        const NodeId id = open(is(minus) ? NodeKind::negate : NodeKind::plus);
        advance();
        Children(*this, id).add(parse_unary());
        return failed_ ? kNoNode : close(id);
    }

    NodeId parse_primary()
    {
        switch (kind()) {
        case number: return parse_number();
        case kw_pi: return leaf(NodeKind::pi);
        case kw_time: return leaf(NodeKind::time);
        case kw_initial:
            if (kind(1) != left_paren)
                return fail_here("initial-without-arguments", "`initial` needs its arguments",
                                 "write `x = initial(value, rate);`");
            return parse_call(leaf(NodeKind::name));
        case identifier: {
            const NodeId name = parse_name();
            return !failed_ && is(left_paren) ? parse_call(name) : name;
        }
        case left_paren: return parse_paren();
        case left_brace:
            return fail_here("track-in-expression", "a track cannot stand inside an expression",
                             "give it a name first: `t = {...};`, then use t");
        case string:
            return fail_here("text-in-expression", "a text is no number",
                             "write a number or a name");
        case dot:
            return fail_here("point-without-digit", "a point needs a digit behind it",
                             "write 5.0 or .5");
        default:
            if (is_unit(kind()))
                return fail_here("unit-without-number",
                                 "the unit '" + std::string(text()) + "' has no number before it",
                                 "write for example 5 " + std::string(text()));
            return fail_expecting(
                "expected-value", "a value",
                "a value is a number, a name, a call, a track or brackets around one");
        }
    }

    NodeId parse_number()
    {
        const NodeId id = open(NodeKind::number);
        advance();
        if (is_unit(kind()) && !(in_key_place_ && is(unit_sec)))
            advance();
        else if (is(dot) && kind(1) != identifier)
            return fail_here("point-without-digit", "a point needs a digit behind it",
                             "write " + std::string(tree_.text(tree_.tokens[at_ - 1])) + ".0");
        return close(id);
    }

    NodeId parse_paren()
    {
        const NodeId id = open(NodeKind::paren);
        const bool may_index = std::exchange(may_index_, true);
        const bool in_key_place = std::exchange(in_key_place_, false);
        advance();
        Children(*this, id).add(parse_expression());
        if (failed_ || !expect(right_paren, "open-bracket", "')'", "close the '('"))
            return kNoNode;
        may_index_ = may_index;
        in_key_place_ = in_key_place;
        return close(id);
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
};

} // namespace

Tree parse(SourceFile source, const Limits& limits, Symbols& symbols, Report& report)
{
    Tree tree;
    tree.source = source;
    tree.file = static_cast<std::uint32_t>(report.files.size());
    report.files.push_back(std::move(source));
    const std::size_t errors_before = report.error_count();
    tree.tokens = lex(*tree.source.text, tree.file, limits, symbols, report);
    Parser(tree, limits, report).run();
    tree.has_faults = tree.has_faults || report.error_count() > errors_before;
    return tree;
}

} // namespace sinew::charli
