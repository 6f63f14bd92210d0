#pragma once

#include "charli/assist/symbols.h"

#include <cstdint>
#include <string_view>

namespace sinew::charli {

enum class TokenKind : std::uint8_t {
    end_of_text,
    identifier,
    number,
    string,
    unknown, ///< characters that begin nothing

    semicolon,
    comma,
    left_paren,
    right_paren,
    left_bracket,
    right_bracket,
    left_brace,
    right_brace,
    assign,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    plus,
    minus,
    star,
    slash,
    dots,
    dot,
    question,
    colon,

    // Reserved words, in the order of kReservedWords.
    kw_var,
    kw_dynamic,
    kw_import,
    kw_param,
    kw_def,
    kw_end,
    kw_at,
    kw_frames,
    kw_along,
    kw_on,
    kw_for,
    kw_in,
    kw_if,
    kw_else,
    kw_include,
    kw_as,
    kw_and,
    kw_or,
    kw_not,
    kw_initial,
    kw_pi,
    kw_time,
    unit_mm,
    unit_cm,
    unit_km,
    unit_gram,
    unit_kg,
    unit_ms,
    unit_sec,
    unit_fps,
    unit_deg,
    ease_linear,
    ease_slowin,
    ease_slowout,
    ease_slowinout,
    ease_hold,
};

constexpr std::string_view kReservedWords[] = {
    "var", "dynamic", "import", "param", "def",    "end",     "at",      "frames",    "along",
    "on",  "for",     "in",     "if",    "else",   "include", "as",      "and",       "or",
    "not", "initial", "pi",     "time",  "mm",     "cm",      "km",      "gram",      "kg",
    "ms",  "sec",     "fps",    "deg",   "linear", "slowin",  "slowout", "slowinout", "hold",
};

constexpr bool is_reserved(TokenKind kind) { return kind >= TokenKind::kw_var; }
constexpr bool is_unit(TokenKind kind)
{
    return kind >= TokenKind::unit_mm && kind <= TokenKind::unit_deg;
}
constexpr bool is_easing(TokenKind kind) { return kind >= TokenKind::ease_linear; }

/// A piece of the text. What lies between two tokens is white space and comments, so the tokens and
/// the text together lose nothing.
struct Token {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    Symbol symbol = kNoSymbol; ///< of an identifier or reserved word
    TokenKind kind = TokenKind::end_of_text;

    std::uint32_t end() const { return offset + length; }
};

} // namespace sinew::charli
