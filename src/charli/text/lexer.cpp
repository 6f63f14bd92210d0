// Text to tokens.
//
//   in:  UTF-8 bytes of one file
//   out: tokens with their offsets; white space and comments are what lies between
//
// Hand-written: one look at the first byte decides which kind of token begins.

#include "charli/text/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::charli {

namespace {

enum class Class : std::uint8_t { other, space, letter, digit, quote, comment, punctuation };

constexpr std::array<Class, 256> make_classes()
{
    std::array<Class, 256> classes{};
    for (const char c : {' ', '\t', '\r', '\n', '\f', '\v'})
        classes[static_cast<unsigned char>(c)] = Class::space;
    for (int c = 'a'; c <= 'z'; ++c)
        classes[c] = classes[c - 'a' + 'A'] = Class::letter;
    classes['_'] = Class::letter;
    for (int c = '0'; c <= '9'; ++c)
        classes[c] = Class::digit;
    classes['"'] = Class::quote;
    classes['#'] = Class::comment;
    for (const char c : std::string_view(";,()[]{}=!<>+-*/.?:"))
        classes[static_cast<unsigned char>(c)] = Class::punctuation;
    return classes;
}

constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

/// Bytes of the well-formed UTF-8 character at the beginning of a text, 0 if it is not one.
std::size_t character_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool overlong = first == 0xf0 && byte(1) < 0x90;
        const bool beyond = first == 0xf4 && byte(1) >= 0x90;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

class Lexer {
public:
    Lexer(std::string_view text, std::uint32_t file, const Limits& limits, Symbols& symbols,
          Report& report)
        : text_(text), file_(file), limits_(limits), symbols_(symbols), report_(report)
    {
    }

    std::vector<Token> run()
    {
        tokens_.reserve(text_.size() / 4 + 16);
        if (text_.starts_with("\xef\xbb\xbf")) // byte order mark
            at_ = 3;
        while (at_ < text_.size() && tokens_.size() < limits_.token_count)
            step();
        if (at_ < text_.size())
            report_.error({file_, static_cast<std::uint32_t>(at_), 1}, "script-too-long",
                          "the script has more than " + std::to_string(limits_.token_count) +
                              " words",
                          "split it into files, or write a `for`");
        push(TokenKind::end_of_text, text_.size(), 0);
        return std::move(tokens_);
    }

private:
    void step()
    {
        switch (class_of(text_[at_])) {
        case Class::space: ++at_; break;
        case Class::comment: skip_comment(); break;
        case Class::letter: lex_word(); break;
        case Class::digit: lex_number(); break;
        case Class::quote: lex_string(); break;
        case Class::punctuation: lex_punctuation(); break;
        case Class::other: lex_unknown(); break;
        }
    }

    char peek(std::size_t ahead) const
    {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void push(TokenKind kind, std::size_t offset, std::size_t length, Symbol symbol = kNoSymbol)
    {
        tokens_.push_back(
            {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), symbol, kind});
    }

    Origin origin(std::size_t offset, std::size_t length) const
    {
        return {file_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
    }

    /// Reports bytes of [begin, end) that are not UTF-8, once a stretch.
    void check_encoding(std::size_t begin, std::size_t end)
    {
        for (std::size_t i = begin; i < end;) {
            const std::size_t length = character_length(text_.substr(i, end - i));
            if (length == 0) {
                report_.error(origin(i, 1), "not-utf8", "this is not UTF-8 text",
                              "save the script as UTF-8");
                return;
            }
            i += length;
        }
    }

    void skip_comment()
    {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        check_encoding(at_, end);
        at_ = end;
    }

    /// From `/*` to the next `*/`; they do not nest.
    void skip_block_comment()
    {
        const std::size_t close = text_.find("*/", at_ + 2);
        const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
        if (close == std::string_view::npos)
            report_.error(origin(at_, 2), "open-comment", "this comment is not closed",
                          "end it with */");
        check_encoding(at_, end);
        at_ = end;
    }

    void lex_word()
    {
        std::size_t end = at_ + 1;
        while (end < text_.size() &&
               (class_of(text_[end]) == Class::letter || class_of(text_[end]) == Class::digit))
            ++end;
        std::string_view word = text_.substr(at_, end - at_);
        if (word.size() > limits_.name_length) {
            report_.error(origin(at_, 1), "name-too-long",
                          "a name of " + std::to_string(word.size()) + " characters is too long",
                          "use at most " + std::to_string(limits_.name_length));
            word = word.substr(0, limits_.name_length);
        }
        const Symbol symbol = symbols_.intern(word);
        const bool reserved = symbol < std::size(kReservedWords);
        const TokenKind kind =
            reserved ? static_cast<TokenKind>(static_cast<Symbol>(TokenKind::kw_var) + symbol)
                     : TokenKind::identifier;
        push(kind, at_, end - at_, symbol);
        at_ = end;
    }

    std::size_t skip_digits(std::size_t i) const
    {
        while (i < text_.size() && class_of(text_[i]) == Class::digit)
            ++i;
        return i;
    }

    void lex_number()
    {
        std::size_t end = skip_digits(at_);
        if (end + 1 < text_.size() && text_[end] == '.' && class_of(text_[end + 1]) == Class::digit)
            end = skip_digits(end + 1);
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            std::size_t exponent = end + 1;
            if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-'))
                ++exponent;
            if (skip_digits(exponent) > exponent)
                end = skip_digits(exponent);
        }
        if (!(number_value(text_.substr(at_, end - at_)) < std::numeric_limits<double>::infinity()))
            report_.error(origin(at_, end - at_), "number-too-large",
                          "this number is too large to be represented",
                          "the largest is about 1.8e308");
        push(TokenKind::number, at_, end - at_);
        at_ = end;
    }

    void lex_string()
    {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != '"' && text_[end] != '\n' && text_[end] != '\r')
            ++end;
        check_encoding(at_, end);
        if (end < text_.size() && text_[end] == '"')
            ++end;
        else
            report_.error(origin(at_, end - at_), "open-string", "this string has no closing quote",
                          "end it with \" on the same line");
        push(TokenKind::string, at_, end - at_);
        at_ = end;
    }

    void lex_punctuation()
    {
        const char next = peek(1);
        const auto take = [&](TokenKind kind, std::size_t length) {
            push(kind, at_, length);
            at_ += length;
        };
        static constexpr std::array<std::pair<char, TokenKind>, 13> kAlone = {{
            {';', TokenKind::semicolon},
            {',', TokenKind::comma},
            {'(', TokenKind::left_paren},
            {')', TokenKind::right_paren},
            {'[', TokenKind::left_bracket},
            {']', TokenKind::right_bracket},
            {'{', TokenKind::left_brace},
            {'}', TokenKind::right_brace},
            {'+', TokenKind::plus},
            {'-', TokenKind::minus},
            {'*', TokenKind::star},
            {'?', TokenKind::question},
            {':', TokenKind::colon},
        }};
        for (const auto& [character, kind] : kAlone)
            if (text_[at_] == character)
                return take(kind, 1);
        switch (text_[at_]) {
        case '/': return next == '*' ? skip_block_comment() : take(TokenKind::slash, 1);
        case '=': return next == '=' ? take(TokenKind::equal, 2) : take(TokenKind::assign, 1);
        case '<': return next == '=' ? take(TokenKind::less_equal, 2) : take(TokenKind::less, 1);
        case '>':
            return next == '=' ? take(TokenKind::greater_equal, 2) : take(TokenKind::greater, 1);
        case '!':
            if (next == '=')
                return take(TokenKind::unequal, 2);
            return lex_unknown();
        default: // '.'
            if (next == '.')
                return take(TokenKind::dots, 2);
            if (class_of(next) == Class::digit)
                return lex_number();
            return take(TokenKind::dot, 1);
        }
    }

    void lex_unknown()
    {
        const std::size_t length = character_length(text_.substr(at_));
        const std::string_view character = text_.substr(at_, std::max<std::size_t>(1, length));
        if (length == 0)
            report_.error(origin(at_, 1), "not-utf8", "this is not UTF-8 text",
                          "save the script as UTF-8");
        else
            report_.error(origin(at_, length), "unknown-character", describe(character),
                          hint_for(character));
        // A run of such characters is one fault.
        std::size_t end = at_ + character.size();
        while (end < text_.size() && class_of(text_[end]) == Class::other)
            ++end;
        push(TokenKind::unknown, at_, end - at_);
        at_ = end;
    }

    static std::string describe(std::string_view character)
    {
        const auto byte = static_cast<unsigned char>(character[0]);
        if (byte >= 0x20 && byte != 0x7f)
            return "unexpected character '" + std::string(character) + "'";
        return "unexpected control character (code " + std::to_string(byte) + ")";
    }

    static std::string hint_for(std::string_view character)
    {
        if (character == "!" || character == "~")
            return "for the opposite write `not`, for different `!=`";
        if (character == "&")
            return "write `and`";
        if (character == "|")
            return "write `or`";
        if (character == "^")
            return "write `pow(x, n)`";
        if (character == "%")
            return "write `mod(x, n)`";
        if (character == "'" || character == "\u201c" || character == "\u201d" ||
            character == "\u2018" || character == "\u2019")
            return "texts are enclosed in straight quotes: \"...\"";
        if (character == "\u2212" || character == "\u2013" || character == "\u2014")
            return "write a plain minus: -";
        if (character == "\u00d7")
            return "write *";
        if (character == "\u00b0")
            return "write `deg`";
        if (character == "\u03c0")
            return "write `pi`";
        return "remove it; names are made of the letters a to z, digits and _";
    }

    std::string_view text_;
    std::uint32_t file_;
    const Limits& limits_;
    Symbols& symbols_;
    Report& report_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace

void add_reserved_words(Symbols& symbols)
{
    for (const std::string_view word : kReservedWords)
        symbols.intern(word);
}

std::vector<Token> lex(std::string_view text, std::uint32_t file, const Limits& limits,
                       Symbols& symbols, Report& report)
{
    return Lexer(text, file, limits, symbols, report).run();
}

double number_value(std::string_view digits)
{
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc::result_out_of_range)
        return value;
    // Out of range is either too large or closer to zero than any number: 1e-999 is 0. The power
    // of ten of the first digit that is not zero tells which.
    const std::size_t exponent = std::min(digits.find_first_of("eE"), digits.size());
    const std::size_t point = std::min(digits.find('.'), exponent);
    const std::size_t first = digits.find_first_of("123456789");
    double power = 0;
    if (exponent < digits.size()) {
        const bool has_sign = digits[exponent + 1] == '-' || digits[exponent + 1] == '+';
        for (const char c : digits.substr(exponent + 1 + has_sign))
            power = 10 * power + (c - '0');
        power = digits[exponent + 1] == '-' ? -power : power;
    }
    power += static_cast<double>(point) - static_cast<double>(first);
    return power < 0 ? 0 : std::numeric_limits<double>::infinity();
}

double unit_factor(TokenKind unit)
{
    switch (unit) {
    case TokenKind::unit_mm: return 1e-3;
    case TokenKind::unit_cm: return 1e-2;
    case TokenKind::unit_km: return 1e3;
    case TokenKind::unit_gram: return 1e-3;
    case TokenKind::unit_ms: return 1e-3;
    case TokenKind::unit_deg: return std::numbers::pi / 180;
    default: return 1; // kg, sec, fps
    }
}

std::optional<double> parse_number_with_unit(std::string_view text)
{
    const Limits limits;
    Symbols symbols;
    add_reserved_words(symbols);
    Report report(1);
    const std::vector<Token> tokens = lex(text, 0, limits, symbols, report);
    std::size_t at = 0;
    const bool is_negative = tokens[at].kind == TokenKind::minus;
    at += is_negative;
    if (report.has_errors() || tokens[at].kind != TokenKind::number)
        return std::nullopt;
    double value = number_value(text.substr(tokens[at].offset, tokens[at].length));
    ++at;
    if (is_unit(tokens[at].kind))
        value *= unit_factor(tokens[at++].kind);
    if (tokens[at].kind != TokenKind::end_of_text || !std::isfinite(value))
        return std::nullopt;
    return is_negative ? -value : value;
}

} // namespace sinew::charli
