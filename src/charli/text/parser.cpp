// Tokens to tree.
//
//   in:  the tokens of one file
//   out: a flat tree; faults in the report, never an exception
//
// Recursive descent over the grammar of docs/guide/language.md, two tokens of look-ahead. A fault
// ends its statement: the parser skips behind the next `;`, or to what begins a statement or ends a
// block.

#include "charli/text/parser.h"

#include "charli/text/lexer.h"
#include "charli/text/value_parser.h"

#include <algorithm>
#include <optional>

namespace sinew::charli {

namespace {

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return lower;
}

/// Statements and blocks.
class Parser : ValueParser {
public:
    Parser(Tree& tree, const Limits& limits, Report& report) : ValueParser(tree, limits, report) {}

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
                        "stray-end", "this `end` has nothing to close",
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
    NodeId parse_statement()
    {
        failed_ = false;
        may_index_ = true;
        in_key_place_ = in_head_ = false;
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
        case identifier:
            if (is_keyword_in_capitals() || is_other_else())
                return fail_at_slip();
            return begins_event() ? parse_event() : parse_assign_or_item();
        case semicolon:
            return fail_here("empty-statement", "there is no statement before this ';'",
                             "remove it");
        case kw_initial:
            return fail_here("initial-inside",
                             "initial(...) must be the whole right-hand side of `=`",
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

    /// `Dynamic x;`
    bool is_keyword_in_capitals() const
    {
        constexpr std::string_view kStarts[] = {"var", "dynamic", "import",  "param",
                                                "def", "for",     "include", "if"};
        const bool is_followed = kind(1) == identifier || kind(1) == number || kind(1) == string;
        return is_followed && std::ranges::find(kStarts, lower_case(text())) != std::end(kStarts);
    }

    /// `elseif n == 4`
    bool is_other_else() const
    {
        return (text() == "elseif" || text() == "elsif" || text() == "elif") && kind(1) != assign &&
               kind(1) != semicolon && kind(1) != dot;
    }

    NodeId fail_at_slip()
    {
        const std::string word(text());
        if (is_other_else())
            return fail_here("else-if", "there is no `" + word + "`",
                             "write `else if ... end;` with an `end` of its own before the last");
        return fail_here("keyword-in-capitals",
                         "'" + word + "' is not a word of the language: words are in lower case",
                         "did you mean '" + lower_case(text()) + "'?");
    }

    NodeId parse_declare()
    {
        const NodeId id = open(NodeKind::declare);
        Children names(*this, id);
        const bool takes_values = !is(kw_import);
        const bool is_dynamic = is(kw_dynamic);
        advance();
        if (is_dynamic && is(identifier) && text() == "ball" && kind(1) == identifier) {
            node(id).flags |= Node::kIsBall;
            advance();
        }
        do {
            names.add(parse_declared(takes_values));
            if (failed_)
                return kNoNode;
        } while (accept(comma));
        if (is(identifier) && !on_new_line())
            return fail_expecting("expected-semicolon", "',' or ';'",
                                  "names in a declaration are separated by ','");
        if (!expect_semicolon())
            return kNoNode;
        return close(id);
    }

    /// A name, or `name = value` which declares and assigns.
    NodeId parse_declared(bool takes_value)
    {
        const std::uint32_t start = at_;
        if (!expect_name("the variable"))
            return kNoNode;
        const NodeId name = close(open_at(NodeKind::name, start));
        if (!is(assign))
            return name;
        if (!takes_value)
            return fail_here("value-in-declaration", "an import gets its value from outside",
                             "bind it when the run starts: --import name=plugin");
        const NodeId id = open_at(NodeKind::assign, start);
        Children parts(*this, id);
        parts.add(name);
        advance();
        parts.add(parse_value());
        return failed_ ? kNoNode : close(id);
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
                !expect(right_bracket, "open-bracket", "']' after the range", "write [low..high]"))
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
            parts.add(parse_parameters());
            if (failed_)
                return skip_block(opening, "def");
        }
        if (is(assign))
            return parse_function(id, parts);
        parts.add(parse_block(false));
        finish_block(opening, "def");
        return close(id);
    }

    /// (a, b = 2): names, some of them with a default.
    NodeId parse_parameters()
    {
        const NodeId id = open(NodeKind::parameters);
        Children parts(*this, id);
        advance();
        if (!is(right_paren)) {
            do {
                parts.add(parse_parameter());
                if (failed_)
                    return kNoNode;
            } while (accept(comma));
        }
        if (!expect(right_paren, "open-bracket", "')' after the def's parameters",
                    "write `def name(a, b)`"))
            return kNoNode;
        return close(id);
    }

    NodeId parse_parameter()
    {
        const NodeId id = open(kind(1) == assign ? NodeKind::named : NodeKind::name);
        if (!expect_name("the def's parameter"))
            return kNoNode;
        if (accept(assign))
            Children(*this, id).add(parse_value());
        return failed_ ? kNoNode : close(id);
    }

    /// def area(r) = pi * r * r;
    NodeId parse_function(NodeId id, Children& parts)
    {
        if (node(id).first_child == kNoNode)
            return fail_here("function-without-brackets",
                             "a function has its arguments in brackets",
                             "write `def name() = ...;`, or `var name = ...;` for a value");
        advance();
        parts.add(parse_value());
        node(id).flags |= Node::kIsFunction;
        if (failed_ || !expect_semicolon())
            return kNoNode;
        return close(id);
    }

    /// `step` behind the range of a loop, unless it is a def that the loop instances.
    bool begins_step() const
    {
        if (!is(identifier) || text() != "step")
            return false;
        return kind(1) == number || kind(1) == minus ||
               (kind(1) == identifier && kind(2) != left_paren);
    }

    NodeId parse_loop()
    {
        const NodeId id = open(NodeKind::loop);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        parse_loop_head(id, parts);
        if (failed_)
            return skip_block(opening, "for");
        parts.add(parse_block(false));
        finish_block(opening, "for");
        return close(id);
    }

    /// i in 1..10, i in 10..0 step -2, x in list
    void parse_loop_head(NodeId id, Children& parts)
    {
        const std::string form = "write `for i in 1..10 ... end;`";
        if (is(left_paren)) {
            fail_here("loop-in-brackets", "a loop counts with `in`, without brackets", form);
            return skip_brackets();
        }
        if (!expect_name("the loop's variable") || !expect(kw_in, "expected-in", "'in'", form))
            return;
        in_head_ = true;
        const bool is_on_next_line = on_new_line(); // a list there is rather the first statement
        const NodeId first = parse_expression();
        parts.add(first);
        if (!failed_ && accept(dots)) {
            parts.add(parse_expression());
            if (!failed_ && begins_step()) {
                advance();
                parts.add(parse_expression());
                node(id).flags |= Node::kHasStep;
            }
        } else if (!failed_ && (is_on_next_line || node(first).kind == NodeKind::number)) {
            fail_expecting("expected-range", "'..' between first and last", form);
        } else if (!failed_) {
            node(id).flags |= Node::kOverList;
        }
        in_head_ = false;
    }

    /// From "(" behind its ")".
    void skip_brackets()
    {
        int open_brackets = 0;
        do {
            open_brackets += is(left_paren) ? 1 : is(right_paren) ? -1 : 0;
            advance();
        } while (open_brackets > 0 && !is(end_of_text));
    }

    NodeId parse_branch()
    {
        const NodeId id = open(NodeKind::branch);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        in_head_ = true;
        parts.add(parse_expression());
        in_head_ = false;
        if (!failed_ && is(assign))
            fail_here("assignment-in-condition", "a condition compares with `==`",
                      "write `==` for `=`");
        if (failed_)
            return skip_block(opening, "if");
        parts.add(parse_block(true));
        if (accept(kw_else))
            parts.add(parse_block(false));
        finish_block(opening, "if");
        return close(id);
    }

    /// `when` and `whenever` are names elsewhere.
    bool begins_event() const
    {
        const bool is_word = text() == "when" || text() == "whenever";
        return is_word && kind(1) != assign && kind(1) != semicolon && kind(1) != left_bracket &&
               kind(1) != dot && kind(1) != end_of_text;
    }

    /// when ball_y < 0 as landed ... end;
    NodeId parse_event()
    {
        const NodeId id = open(NodeKind::event);
        const Token opening = token();
        Children parts(*this, id);
        advance();
        in_head_ = true;
        parts.add(parse_expression());
        in_head_ = false;
        if (!failed_ && accept(kw_as)) {
            const std::uint32_t start = at_;
            if (expect_name("the event"))
                parts.add(close(open_at(NodeKind::name, start)));
        }
        if (failed_)
            return skip_block(opening, "when");
        parts.add(parse_block(false));
        finish_block(opening, "when");
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
        const NodeId index = last_part == kNoNode ? kNoNode : node(last_part).first_child;
        if (index != kNoNode && node(index).next != kNoNode)
            return fail(tree_.origin(target), "assign-to-element", "an array has one index",
                        "assign a list: `name[1] = [2, 3];`");
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
                                     "' is used as a transformation, but has no arguments",
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
