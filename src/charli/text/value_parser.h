#pragma once

#include "charli/text/token_cursor.h"

namespace sinew::charli {

/// Names, calls with their arguments, tracks and expressions.
class ValueParser : protected TokenCursor {
protected:
    using TokenCursor::TokenCursor;

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
            const bool is_place = part != id + 1 && accept(kw_at); // a.at
            if (!is_place && !expect_name("a part of the object"))
                return kNoNode;
            Children indices(*this, part);
            while (may_index_ && is(left_bracket)) {
                indices.add(parse_index());
                if (failed_)
                    return kNoNode;
            }
            parts.add(close(part));
        } while (accept(dot));
        return close(id);
    }

    /// The expression between "[" and "]".
    NodeId parse_index()
    {
        advance();
        const bool in_head = std::exchange(in_head_, false);
        const NodeId index = parse_expression();
        if (failed_ ||
            !expect(right_bracket, "open-bracket", "']' after the index", "write name[1]"))
            return kNoNode;
        in_head_ = in_head;
        return index;
    }

    NodeId parse_call(NodeId name)
    {
        const NodeId id = open_at(NodeKind::call, node(name).first_token);
        Children parts(*this, id);
        parts.add(name);
        const bool may_index = std::exchange(may_index_, true);
        const bool in_key_place = std::exchange(in_key_place_, false);
        const bool in_head = std::exchange(in_head_, false);
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
        if (is_unit(kind()))
            return fail_here("unit-without-number", "a unit follows a number only",
                             "multiply: write ... * 1 " + std::string(text()));
        if (!expect(right_paren, "open-bracket", "',' or ')'",
                    "close the '(' after '" + std::string(tree_.text(name).substr(0, 40)) + "'"))
            return kNoNode;
        may_index_ = may_index;
        in_key_place_ = in_key_place;
        in_head_ = in_head;
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
        const NodeId value = parse_value();
        if (!failed_ && node(value).kind == NodeKind::name && is(kw_at))
            return parse_along(value);
        return value;
    }

    // --- values -------------------------------------------------------------------------------

    NodeId parse_value()
    {
        if (is(string) && ends_value(kind(1)))
            return leaf(NodeKind::string);
        return is(left_brace) ? parse_track() : parse_expression();
    }

    /// True for what may stand behind a text: it takes part in no arithmetic.
    static bool ends_value(TokenKind kind) { return !(kind >= equal && kind <= slash); }

    /// A name anywhere else.
    bool is_smooth() { return is(identifier) && text() == "smooth"; }

    NodeId parse_track()
    {
        const NodeId id = open(NodeKind::track);
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        Children keys(*this, id);
        const bool in_key_place = std::exchange(in_key_place_, false);
        const bool in_head = std::exchange(in_head_, false);
        advance();
        keys.add(parse_key());
        while (!failed_ && (is_easing(kind()) || is_smooth())) {
            advance();
            keys.add(parse_key());
        }
        if (failed_)
            return kNoNode;
        if (is(identifier) && text() == "repeat") {
            advance();
            node(id).flags |= Node::kRepeats;
        }
        if (is_any({number, identifier, comma}))
            return fail_expecting("expected-easing", "an easing between two keys",
                                  "write linear, slowin, slowout, slowinout, smooth or hold");
        if (!expect(right_brace, "open-bracket", "'}' after the last key",
                    "write {0 at 0 sec linear 1 at 2 sec}"))
            return kNoNode;
        in_key_place_ = in_key_place;
        in_head_ = in_head;
        return close(id);
    }

    NodeId parse_key()
    {
        const NodeId id = open(NodeKind::key);
        Children parts(*this, id);
        parts.add(parse_value());
        if (failed_ || !expect(kw_at, "expected-at", "'at' after the key's value",
                               "a key is `value at 2 sec`"))
            return kNoNode;
        in_key_place_ = true; // here `sec` ends the key and is no unit
        parts.add(parse_expression());
        in_key_place_ = false;
        if (failed_)
            return kNoNode;
        if (!is_any({unit_sec, kw_frames, kw_along}))
            return fail_expecting(
                "expected-key-unit", "'sec', 'frames' or 'along' after the position of the key",
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
        const NodeId first = parse_chain(NodeKind::any_of, {kw_or}, [&] {
            return parse_chain(NodeKind::all_of, {kw_and}, [&] { return parse_not(); });
        });
        return failed_ || !is(question) ? first : parse_choice(first);
    }

    /// condition ? value : value
    NodeId parse_choice(NodeId condition)
    {
        const NodeId id = open_at(NodeKind::choice, node(condition).first_token);
        Children parts(*this, id);
        parts.add(condition);
        advance();
        parts.add(parse_value());
        if (failed_ || !expect(colon, "expected-colon", "':' and the other value",
                               "write `condition ? value : other value`"))
            return kNoNode;
        parts.add(parse_value());
        return failed_ ? kNoNode : close(id);
    }

    bool begins_let() const
    {
        return is(identifier) && text() == "let" && kind(1) == left_paren &&
               kind(2) == identifier && kind(3) == assign;
    }

    /// let(a = 1, b = 2 * a) a + b
    NodeId parse_let()
    {
        const NodeId id = open(NodeKind::let);
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        Children parts(*this, id);
        const bool in_head = std::exchange(in_head_, false);
        advance();
        do {
            advance();
            parts.add(parse_argument());
            if (failed_)
                return kNoNode;
        } while (is(comma));
        if (!expect(right_paren, "open-bracket", "',' or ')'", "close the '(' after 'let'"))
            return kNoNode;
        in_head_ = in_head;
        parts.add(parse_value());
        return failed_ ? kNoNode : close(id);
    }

    /// f(x)[1], (a, b, c).x
    NodeId parse_postfix(NodeId value)
    {
        const auto is_axis = [&] {
            const std::string_view axis = tree_.text(token(1));
            return is(dot) && kind(1) == identifier && axis.size() == 1 && axis[0] >= 'x' &&
                   axis[0] <= 'z';
        };
        while (!failed_ && ((is(left_bracket) && may_index_) || is_axis())) {
            const NodeId id = open_at(NodeKind::element, node(value).first_token);
            Children parts(*this, id);
            parts.add(value);
            if (is(left_bracket)) {
                parts.add(parse_index());
            } else {
                advance();
                advance();
            }
            value = close(id);
        }
        return failed_ ? kNoNode : value;
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
        const bool is_text = is(string) && (kind(1) == equal || kind(1) == unequal);
        const NodeId left = is_text ? leaf(NodeKind::string) : parse_sum();
        if (failed_ || !is_comparison())
            return left;
        const NodeId id = open_at(NodeKind::comparison, node(left).first_token);
        Children parts(*this, id);
        parts.add(left);
        const bool is_equality = is(equal) || is(unequal);
        advance();
        parts.add(is_equality && is(string) ? leaf(NodeKind::string) : parse_sum());
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
            if (begins_let())
                return parse_let();
            const NodeId name = parse_name();
            return !failed_ && is(left_paren) ? parse_postfix(parse_call(name)) : name;
        }
        case left_paren: return parse_postfix(parse_paren());
        case left_bracket: return parse_postfix(parse_list());
        case left_brace:
            return fail_here("track-in-expression", "a track cannot be part of an expression",
                             "give it a name first: `t = {...};`, then use t");
        case string:
            return fail_here("text-in-expression", "a string is not a number",
                             "write a number or a name");
        case dot:
            return fail_here("point-without-digit", "a decimal point must be followed by a digit",
                             "write 5.0 or .5");
        default:
            if (is_unit(kind()))
                return fail_here("unit-without-number",
                                 "the unit '" + std::string(text()) + "' has no number before it",
                                 "write for example 5 " + std::string(text()));
            if (is(star))
                return fail_here("power-sign", "there is no `**`", "write `pow(x, n)`");
            return fail_expecting(
                "expected-value", "a value",
                "a value is a number, a name, a call, a track or brackets around one");
        }
    }

    NodeId parse_number()
    {
        const NodeId id = open(NodeKind::number);
        advance();
        if ((is_unit(kind()) && !(in_key_place_ && is(unit_sec))) || is_metre())
            advance();
        else if (is(dot) && kind(1) != identifier)
            return fail_here("point-without-digit", "a decimal point must be followed by a digit",
                             "write " + std::string(tree_.text(tree_.tokens[at_ - 1])) + ".0");
        return close(id);
    }

    /// `3 m`. In `for i in 1..5 m translatex(i); end` the m is an object.
    bool is_metre() const { return !in_head_ && is(identifier) && text() == "m" && !on_new_line(); }

    NodeId parse_paren()
    {
        return parse_brackets(NodeKind::paren, right_paren, "')'", "close the '('");
    }

    NodeId parse_list()
    {
        return parse_brackets(NodeKind::list, right_bracket, "',' or ']'", "close the '['");
    }

    /// One value in round brackets is itself; several, or any number in square ones, are a list.
    NodeId parse_brackets(NodeKind of_one, TokenKind closing, const std::string& expected,
                          const std::string& hint)
    {
        const NodeId id = open(of_one);
        Depth depth(*this);
        if (depth.is_too_deep())
            return kNoNode;
        Children values(*this, id);
        const bool may_index = std::exchange(may_index_, true);
        const bool in_key_place = std::exchange(in_key_place_, false);
        const bool in_head = std::exchange(in_head_, false);
        do {
            advance();
            if (of_one == NodeKind::list && is(closing))
                break; // [], or a comma behind the last value
            values.add(parse_value());
            if (failed_)
                return kNoNode;
            if (is(comma))
                node(id).kind = NodeKind::list;
        } while (is(comma));
        if (!expect(closing, "open-bracket", expected, hint))
            return kNoNode;
        may_index_ = may_index;
        in_key_place_ = in_key_place;
        in_head_ = in_head;
        return close(id);
    }
};

} // namespace sinew::charli
