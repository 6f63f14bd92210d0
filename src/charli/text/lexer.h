#pragma once

#include "charli/assist/report.h"
#include "charli/assist/symbols.h"
#include "charli/text/limits.h"
#include "charli/text/token.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sinew::charli {

/// Interns the reserved words, so that the symbol of a word is its place in kReservedWords.
/// Requires that `symbols` is new.
void add_reserved_words(Symbols& symbols);

/// Cuts a text into tokens. The last is end_of_text. Faults are reported against file number `file`
/// and leave `unknown` tokens; every byte is inside a token or between two.
std::vector<Token> lex(std::string_view text, std::uint32_t file, const Limits& limits,
                       Symbols& symbols, Report& report);

/// The number a number token stands for, or infinity when it is too large.
double number_value(std::string_view digits);

/// What a unit multiplies its number by to make it SI.
double unit_factor(TokenKind unit);

/// "-1.5 cm" as the language reads it; none when it is anything else.
std::optional<double> parse_number_with_unit(std::string_view text);

} // namespace sinew::charli
