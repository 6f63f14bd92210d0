#include "charli/text/lexer.h"
#include "support/readings.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace sinew;
using namespace sinew::charli;
using sinew::test::Codes;

namespace {

struct Lexed {
    std::string text;
    std::vector<Token> tokens;
    Problems problems;

    std::string_view word(std::size_t i) const
    {
        return std::string_view(text).substr(tokens[i].offset, tokens[i].length);
    }
};

Lexed lex_text(std::string text, const Limits& limits = {})
{
    Lexed result{.text = std::move(text), .tokens = {}, .problems = {}};
    Symbols symbols;
    add_reserved_words(symbols);
    Report report(limits.problem_count);
    report.files.push_back({"t.charli", std::make_shared<const std::string>(result.text)});
    result.tokens = lex(result.text, 0, limits, symbols, report);
    result.problems = report.take();
    return result;
}

using Kinds = std::vector<TokenKind>;

/// The kinds of all tokens but the last, which is always the end.
Kinds kinds_of(const std::string& text)
{
    Kinds kinds;
    for (const Token& token : lex_text(text).tokens)
        kinds.push_back(token.kind);
    REQUIRE(kinds.back() == TokenKind::end_of_text);
    kinds.pop_back();
    return kinds;
}

Codes faults_of(const std::string& text) { return test::codes_in(lex_text(text).problems); }

/// White space and comments only.
bool is_gap(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '#')
            i = std::min(text.find('\n', i), text.size());
        else if (text.substr(i, 2) == "/*") // one that never ends reaches to the end
            i = std::min(text.find("*/", i + 2), text.size() - 1) + 1;
        else if (std::string_view(" \t\r\n\f\v").find(text[i]) == std::string_view::npos)
            return false;
    }
    return true;
}

/// Every byte is in exactly one token or in a gap of white space and comments.
void require_nothing_is_lost(const std::string& text)
{
    const Lexed lexed = lex_text(text);
    std::string rebuilt;
    std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    rebuilt = text.substr(0, at);
    for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
        const Token& token = lexed.tokens[i];
        RC_ASSERT(token.offset >= at);
        const std::string gap = text.substr(at, token.offset - at);
        RC_ASSERT(is_gap(gap));
        rebuilt += gap + std::string(lexed.word(i));
        at = token.end();
        RC_ASSERT((token.length > 0) == (token.kind != TokenKind::end_of_text));
    }
    RC_ASSERT(rebuilt == text);
    RC_ASSERT(lexed.tokens.back().kind == TokenKind::end_of_text);
}

/// The textbook's way: decode, then look at the code point.
bool is_utf8(const std::string& bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const auto first = static_cast<unsigned char>(bytes[i]);
        const int more = first < 0x80           ? 0
                         : (first >> 5) == 0x06 ? 1
                         : (first >> 4) == 0x0e ? 2
                         : (first >> 3) == 0x1e ? 3
                                                : -1;
        if (more < 0 || i + static_cast<std::size_t>(more) >= bytes.size())
            return false;
        std::uint32_t point = more == 0 ? first : first & (0x3fu >> more);
        for (int k = 1; k <= more; ++k) {
            const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(k)]);
            if ((next >> 6) != 0x02)
                return false;
            point = (point << 6) | (next & 0x3fu);
        }
        const std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (point < least[more] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
            return false;
        i += static_cast<std::size_t>(more) + 1;
    }
    return true;
}

} // namespace

TEST_CASE("nothing of a text is lost, whatever its bytes")
{
    CHECK(rc::check("random bytes", [] {
        const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
        require_nothing_is_lost(bytes);
    }));
    CHECK(rc::check("pieces of scripts", [] {
        const auto pieces =
            *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                "1", "..", ".", "e", "8e5", "def", "cm", "\"", "\n", "#", "/*", "*/", " ", "=", "!",
                "<", "ä", "\xff", "\xef\xbb\xbf", "{", "_x"));
        std::string text;
        for (const std::string& piece : pieces)
            text += piece;
        require_nothing_is_lost(text);
    }));
}

TEST_CASE("a decimal point must be followed by a digit, so 1..20 is a range")
{
    using enum TokenKind;

    CHECK(kinds_of("1..20") == Kinds{number, dots, number});
    CHECK(kinds_of("1.0..2.5") == Kinds{number, dots, number});
    CHECK(kinds_of(".5") == Kinds{number});
    CHECK(kinds_of("1.") == Kinds{number, dot});
    CHECK(kinds_of("1...5") == Kinds{number, dots, number}); // 1 .. .5
    CHECK(kinds_of("1.2.3") == Kinds{number, number});
    CHECK(lex_text("1.2.3").word(1) == ".3");
    CHECK(kinds_of("b.x") == Kinds{identifier, dot, identifier});
}

TEST_CASE("an exponent needs digits, else its e begins a name")
{
    using enum TokenKind;

    CHECK(kinds_of("8e5") == Kinds{number});
    CHECK(kinds_of("8E+05") == Kinds{number});
    CHECK(kinds_of("8e-5") == Kinds{number});
    CHECK(kinds_of("8e") == Kinds{number, identifier});
    CHECK(kinds_of("8e-") == Kinds{number, identifier, minus});
    CHECK(kinds_of("8end") == Kinds{number, kw_end});
    CHECK(kinds_of("0x10") == Kinds{number, identifier});
}

TEST_CASE("the sign is an operator, no part of the number")
{
    using enum TokenKind;

    CHECK(kinds_of("-1") == Kinds{minus, number});
    CHECK(kinds_of("2-1") == Kinds{number, minus, number});
}

TEST_CASE("operators of two characters are one token")
{
    using enum TokenKind;

    CHECK(kinds_of("== != < <= > >= = . ..") ==
          Kinds{equal, unequal, less, less_equal, greater, greater_equal, assign, dot, dots});
    CHECK(kinds_of("===") == Kinds{equal, assign});
    CHECK(kinds_of(";,()[]{}+-*/") == Kinds{semicolon, comma, left_paren, right_paren, left_bracket,
                                            right_bracket, left_brace, right_brace, plus, minus,
                                            star, slash});
}

TEST_CASE("each reserved word has its own kind, and case matters")
{
    for (std::size_t i = 0; i < std::size(kReservedWords); ++i) {
        const std::string word(kReservedWords[i]);
        CAPTURE(word);
        const auto kind = static_cast<TokenKind>(static_cast<std::size_t>(TokenKind::kw_var) + i);

        CHECK(kinds_of(word) == Kinds{kind});
        CHECK(kinds_of(word + "_") == Kinds{TokenKind::identifier});
        std::string capital = word;
        capital[0] = static_cast<char>(std::toupper(capital[0]));
        CHECK(kinds_of(capital) == Kinds{TokenKind::identifier});
    }
    CHECK(kinds_of("mm cm km gram kg ms sec fps deg").size() == 9);
    for (const TokenKind kind : kinds_of("mm cm km gram kg ms sec fps deg"))
        CHECK(is_unit(kind));
    for (const TokenKind kind : kinds_of("linear slowin slowout slowinout hold"))
        CHECK(is_easing(kind));
    CHECK_FALSE(is_easing(TokenKind::unit_deg));
    CHECK_FALSE(is_unit(TokenKind::ease_linear));
}

TEST_CASE("a number token has the value of its digits")
{
    CHECK(number_value("1") == 1);
    CHECK(number_value(".5") == 0.5);
    CHECK(number_value("8e5") == 8e5);
    CHECK(number_value("007") == 7);
    CHECK(number_value("0.1") == 0.1);
    CHECK(number_value("1.7976931348623157e308") == std::numeric_limits<double>::max());
    CHECK(rc::check("as the C library reads it", [] {
        const auto digits = *rc::gen::nonEmpty(
            rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789"))));
        const auto point = *rc::gen::inRange<std::size_t>(0, digits.size());
        const auto exponent = *rc::gen::inRange(-330, 330);
        const std::string number =
            digits.substr(0, point) + "." + digits.substr(point) + "e" + std::to_string(exponent);
        RC_ASSERT(number_value(number) == std::strtod(number.c_str(), nullptr));
    }));
}

TEST_CASE("numbers beyond all others are infinite, those below all others are zero")
{
    const std::string zeros(400, '0');

    CHECK(number_value("1e309") == std::numeric_limits<double>::infinity());
    CHECK(number_value("1e99999999999999999999") == std::numeric_limits<double>::infinity());
    CHECK(number_value("1" + zeros) == std::numeric_limits<double>::infinity());
    CHECK(number_value("1" + zeros + "e-50") == std::numeric_limits<double>::infinity());
    CHECK(number_value("1e-999") == 0);
    CHECK(number_value("0." + zeros + "1") == 0);
    CHECK(number_value("0." + zeros + "1e+50") == 0);
    CHECK(number_value("1" + zeros + "e-400") == 1);
    CHECK(number_value("0e999") == 0);
    CHECK(faults_of("1e309") == Codes{"number-too-large"});
    CHECK(faults_of("1e-999") == Codes{});
}

TEST_CASE("a unit makes its number SI")
{
    const auto factor = [](const char* unit) { return unit_factor(lex_text(unit).tokens[0].kind); };

    CHECK(factor("mm") == 1e-3);
    CHECK(factor("cm") == 1e-2);
    CHECK(factor("km") == 1e3);
    CHECK(factor("gram") == 1e-3);
    CHECK(factor("kg") == 1);
    CHECK(factor("ms") == 1e-3);
    CHECK(factor("sec") == 1);
    CHECK(factor("fps") == 1);
    CHECK(factor("deg") == doctest::Approx(std::acos(-1.0) / 180).epsilon(1e-15));
}

TEST_CASE("a number from outside may have a sign and a unit, and nothing else")
{
    CHECK(parse_number_with_unit("2") == 2.0);
    CHECK(parse_number_with_unit(" -1.5 cm ") == -0.015);
    CHECK(parse_number_with_unit("30 deg") == doctest::Approx(0.5235987755982988));
    CHECK(parse_number_with_unit("5cm") == 0.05);
    for (const char* text : {"", "-", "cm", "1 2", "--1", "+1", "1 + 1", "1 m", "1 cm cm", "long",
                             "1e999", "1e308 km", "\"1\"", "1;"})
        CHECK_MESSAGE(!parse_number_with_unit(text), text);
}

TEST_CASE("a comment ends with its line, a text with its quote")
{
    using enum TokenKind;

    CHECK(kinds_of("# 1 \"2\nvar") == Kinds{kw_var});
    CHECK(kinds_of("\"# no comment\" var") == Kinds{TokenKind::string, kw_var});
    CHECK(kinds_of("\"\"") == Kinds{TokenKind::string});
    CHECK(faults_of("\"open") == Codes{"open-string"});
    CHECK(faults_of("\"open\nvar") == Codes{"open-string"});
    CHECK(kinds_of("\"open\r\nvar") == Kinds{TokenKind::string, kw_var});
    CHECK(lex_text("\"open\r\nvar").word(0) == "\"open");
}

TEST_CASE("lines may end in any way, and a byte order mark is no character")
{
    using enum TokenKind;

    CHECK(kinds_of("var\r\n\ta\f;\v") == Kinds{kw_var, identifier, semicolon});
    CHECK(kinds_of("\xef\xbb\xbfvar") == Kinds{kw_var});
    CHECK(lex_text("\xef\xbb\xbfvar").tokens[0].offset == 3);
}

TEST_CASE("only well-formed UTF-8 is text")
{
    for (const char* good : {"# é", "# €", "# 𝄞", "\"größe\"", "# \xf4\x8f\xbf\xbf"})
        CHECK_MESSAGE(faults_of(good) == Codes{}, good);
    for (const char* bad :
         {"# \xff", "# \xc0\x80", "# \xe0\x80\x80", "# \xed\xa0\x80", "# \xf4\x90\x80\x80",
          "# \xc3", "# \xe2\x82", "# \xf0\x9d\x84", "# \x80", "\"\xc3(\"", "\xc3("})
        CHECK_MESSAGE(faults_of(bad) == Codes{"not-utf8"}, bad);
    CHECK(rc::check("as a decoder of code points says", [] {
        auto bytes = *rc::gen::container<std::string>(rc::gen::elementOf(
            std::string("a\x7f\x80\xbf\xc2\xdf\xe0\xa0\x9f\xed\xef\xf0\x8f\x90\xf4\xf5\xff")));
        const bool has_fault = !lex_text("#" + bytes).problems.empty();
        RC_ASSERT(has_fault == !is_utf8(bytes));
    }));
}

TEST_CASE("a run of strange characters is one token and one fault")
{
    using enum TokenKind;

    CHECK(kinds_of("a @@€@ b") == Kinds{identifier, unknown, identifier});
    CHECK(faults_of("a @@€@ b") == Codes{"unknown-character"});
    CHECK(faults_of("@ @") == Codes{"unknown-character", "unknown-character"});
    CHECK(faults_of(std::string("a\0b", 3)) == Codes{"unknown-character"});
}

TEST_CASE("a fault is placed by line and character, not by byte")
{
    const Problems problems = lex_text("# ä\n\"ä\" \t@").problems;

    REQUIRE(problems.size() == 1);
    CHECK(problems[0].place == Place{"t.charli", 2, 6, 1});
}

TEST_CASE("names and scripts have a longest length")
{
    Limits limits;
    limits.name_length = 8;
    limits.token_count = 4;

    CHECK(test::codes_in(lex_text("abcdefgh", limits).problems) == Codes{});
    CHECK(test::codes_in(lex_text("abcdefghi", limits).problems) == Codes{"name-too-long"});
    CHECK(test::codes_in(lex_text("a b c d", limits).problems) == Codes{});
    CHECK(test::codes_in(lex_text("a b c d e", limits).problems) == Codes{"script-too-long"});
    CHECK(lex_text("a b c d e", limits).tokens.back().kind == TokenKind::end_of_text);
}
