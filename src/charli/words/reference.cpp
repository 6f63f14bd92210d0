// What the table of words says to people: the reference page, help, and the kinds of tokens.

#include "charli/assist/report.h"
#include "charli/text/lexer.h"
#include "charli/words/scripts.h"
#include "charli/words/words.h"
#include "sinew/language.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sinew {

namespace {

using namespace charli;

constexpr WordKind kPageOrder[] = {
    WordKind::transformation, WordKind::primitive, WordKind::drawing, WordKind::path,
    WordKind::constraint,     WordKind::force,     WordKind::body,    WordKind::shape,
    WordKind::motion,         WordKind::joint,     WordKind::strand,  WordKind::setting,
    WordKind::start,          WordKind::function};

std::string argument_line(const Argument& argument)
{
    std::string text(argument.kind == ArgumentKind::points ? "x, y, z, ..." : argument.name);
    if (argument.kind == ArgumentKind::numbers)
        text += ", ...";
    if (!argument.unit.empty())
        text += " [" + std::string(argument.unit) + "]";
    if (!argument.meaning.empty())
        text += ": " + std::string(argument.meaning);
    if (!argument.words.empty())
        text += " (" + std::string(argument.words) + ")";
    const bool is_constant =
        argument.kind == ArgumentKind::number || argument.kind == ArgumentKind::whole;
    const char* kind = is_constant                           ? "; a constant"
                       : argument.kind == ArgumentKind::file ? "; a file's name as a string"
                       : argument.may_ramp                   ? "; may change along the curve"
                                                             : "";
    return text + kind + (argument.is_optional ? "; optional" : "");
}

struct Reserved {
    std::string_view word, meaning;
};

constexpr Reserved kReservedMeanings[] = {
    {"var",
     "Declares variables: constants, tracks, ramps or paths, each assigned once. `var a, b;`"},
    {"dynamic",
     "Declares coordinates that the simulation moves. `dynamic theta; theta = initial(pi, 0);`"},
    {"import", "Declares an external function of time and state, bound when the run is started. "
               "`import engine;`"},
    {"param", "A parameter: `param gust = 4 [0..20] \"wind speed\";`, set by -D gust=7."},
    {"def", "Defines an object: `def bob mass(1); end;`, with parameters `def link(i) ... end;`."},
    {"end", "Ends a def, for or if."},
    {"for", "Repeats: `for i in 1..10 b[i] = bob translatex(i); end;`"},
    {"in", "Part of `for i in 1..10`."},
    {"if", "Chooses when the script is read: `if n > 3 ... else ... end;`"},
    {"else", "The other branch of an `if`."},
    {"include", "Reads another script of this folder: `include \"parts.charli\" as parts;`"},
    {"as", "Gives an included script a namespace."},
    {"at", "Places a key: `{0 at 0 sec linear 1 at 2 sec}`; or a point of a curve: `cable at 0.5 "
           "along`."},
    {"frames", "Ends a key that is counted in frames: `1 at 48 frames`."},
    {"along", "Ends a key along a curve, or names a point of a strand or rod."},
    {"on", "Names what an instance rides on or a field acts on: `square on bob;`"},
    {"and", "True when both are."},
    {"or", "True when one is."},
    {"not", "True when the other is not."},
    {"initial", "Initial value and rate of a dynamic variable: `theta = initial(pi, -1);`"},
    {"pi", "3.14159..."},
    {"time", "Seconds since the clock started; what depends on it is driven."},
    {"mm", "Millimetres."},
    {"cm", "Centimetres."},
    {"km", "Kilometres."},
    {"gram", "Grams."},
    {"kg", "Kilograms, the default."},
    {"ms", "Milliseconds."},
    {"sec", "Seconds, the default; ends a key in time."},
    {"fps", "Frames per second, the default."},
    {"deg", "Degrees."},
    {"linear", "Between two keys: evenly."},
    {"slowin", "Between two keys: starts slowly, s²."},
    {"slowout", "Between two keys: ends slowly, 1 − (1 − s)²."},
    {"slowinout", "Between two keys: starts and ends slowly, 3s² − 2s³."},
    {"hold", "Between two keys: stays, then jumps."},
};

/// No reserved words: statements that begin with a name, and what people ask for.
constexpr Reserved kTopics[] = {
    {"when",
     "Begins something once, at an event: `when b_y < 0 as landed torque(a, 2); end;`. Forces, "
     "springs, motors and constraints inside act from then on; `since(landed)` is the time "
     "since it, `landed` is 0 before and 1 after it."},
    {"whenever", "Applies what is inside whenever a condition holds, as often as it does: "
                 "`whenever b_y < 0 force(b, 0, 20, 0); end;`."},
    {"events",
     "Conditions decided while the simulation runs: `when`, `whenever`, `since`, `set_rate`, "
     "and `until`, `active`, `breaks`, `beyond` of constraints."},
    {"track",
     "A value that changes with time, or along a curve: `{0 at 0 sec slowinout 2 at 1 sec}`; "
     "between keys linear, slowin, slowout, slowinout, smooth or hold; `repeat` begins again."},
    {"smooth",
     "Between all keys of a track: one curve through them with continuous velocity and "
     "acceleration, for sampled motion: `{0 at 0 sec smooth 0.3 at 0.1 sec smooth 0.5 at 0.2 "
     "sec}`."},
    {"units", "mm cm km gram kg ms sec fps deg, after a number: `5 cm`, `30 deg`; without one a "
              "number is SI: metres, kilograms, seconds, radians."},
    {"easing", "Between two keys of a track: linear, slowin, slowout, slowinout, smooth, hold."},
};

} // namespace

std::string charli::lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return out;
}

std::span<const WordKind> charli::page_order() { return kPageOrder; }

namespace {

/// Lines about arguments that many words take: the page says them once.
class SharedArguments {
public:
    SharedArguments()
    {
        std::map<std::string, std::size_t> counts;
        for (const Word& word : words())
            for (const Signature& signature : word.signatures)
                for (const Argument& argument : signature)
                    if (const std::string line = argument_line(argument);
                        argument.is_optional && ++counts[line] == kMany)
                        lines_.push_back(line);
        std::sort(lines_.begin(), lines_.end());
    }

    bool has(const Argument& argument) const
    {
        return std::find(lines_.begin(), lines_.end(), argument_line(argument)) != lines_.end();
    }
    const std::vector<std::string>& lines() const { return lines_; }

private:
    static constexpr std::size_t kMany = 8; // signatures
    std::vector<std::string> lines_;
};

/// The arguments of a word, of all its forms: a line each, once.
std::vector<const Argument*> arguments_of(const Word& word)
{
    std::vector<const Argument*> list;
    std::set<std::string> lines;
    for (const Signature& signature : word.signatures)
        for (const Argument& argument : signature)
            if (lines.insert(argument_line(argument)).second)
                list.push_back(&argument);
    return list;
}

/// A line each, and the names of the shared ones.
std::string argument_list(const Word& word, const SharedArguments& shared)
{
    std::string own, others;
    bool has_text = false;
    for (const Argument* argument : arguments_of(word)) {
        has_text = has_text || !argument->meaning.empty() || !argument->unit.empty();
        if (shared.has(*argument))
            others += (others.empty() ? "`" : ", `") + std::string(argument->name) + "`";
        else
            own += "- " + argument_line(*argument) + "\n";
    }
    if (!has_text)
        return "";
    if (!others.empty())
        own += "- " + others + ": see [shared arguments](#shared-arguments)\n";
    return "\n" + own;
}

std::string word_section(const Word& word, const SharedArguments& shared)
{
    std::string text = "\n### " + std::string(word.name) + "\n\n";
    for (const Signature& signature : word.signatures)
        text += "`" + signature_text(word, signature) + "`" +
                (word.takes_on ? " `on a, b, ...`" : "") + "\n\n";
    text += std::string(word.meaning) + "\n" + argument_list(word, shared);
    const std::string_view script = script_of(word);
    text += "\n```charli\n" +
            (script.empty() ? std::string(word.example) + "\n" : std::string(script)) + "```\n";
    if (!script.empty()) // the first line says what is to be seen: "# A bob on a rail: ..."
        text += "\n![" + std::string(script.substr(2, script.find('\n') - 2)) +
                "](pictures/words/" + picture_of(word) + ".webp)\n";
    return text;
}

} // namespace

std::string words_reference()
{
    const SharedArguments shared;
    std::string page =
        "# The words of the language\n\n"
        "Made from the tables in src/charli/words by `sinew help --reference`; do "
        "not edit by hand.\n"
        "Arguments may be given in order or by name (`mass(mass = 2)`). Every script "
        "on this page is whole: save it as\n"
        "`word.charli` and call `sinew view word.charli`. `sinew help WORD` prints "
        "the same text.\n\n## Shared arguments\n\n";
    for (const std::string& line : shared.lines())
        page += "- " + line + "\n";
    for (const WordKind kind : kPageOrder) {
        page += "\n## " + std::string(title_of(kind)) + "\n";
        for (const Word& word : words())
            if (word.kind == kind)
                page += word_section(word, shared);
    }
    page += "\n## Reserved words\n\n| word | meaning |\n|---|---|\n";
    for (const Reserved& row : kReservedMeanings)
        page += "| `" + std::string(row.word) + "` | " + std::string(row.meaning) + " |\n";
    page += "\n## Topics\n\n| topic | meaning |\n|---|---|\n";
    for (const Reserved& row : kTopics)
        page += "| `" + std::string(row.word) + "` | " + std::string(row.meaning) + " |\n";
    return page;
}

std::string word_help(const std::string& word)
{
    std::string text;
    for (const Word& row : words()) {
        if (row.name != word)
            continue;
        text += text.empty() ? "" : "\n";
        for (const Signature& signature : row.signatures)
            text += signature_text(row, signature) + (row.takes_on ? " on a, b, ..." : "") + "\n";
        text += "  " + std::string(row.meaning) + "\n";
        for (const Argument* argument : arguments_of(row))
            text += "  - " + argument_line(*argument) + "\n";
        text += "  example: " + std::string(row.example) + "\n";
    }
    std::vector<Reserved> others(std::begin(kReservedMeanings), std::end(kReservedMeanings));
    others.insert(others.end(), std::begin(kTopics), std::end(kTopics));
    for (const Reserved& row : others)
        if (row.word == word && text.empty())
            text = std::string(row.word) + "\n  " + std::string(row.meaning) + "\n";
    if (!text.empty())
        return text;
    for (const WordKind kind : kPageOrder) { // "functions" lists them all
        if (lower(title_of(kind)) != lower(word))
            continue;
        for (const Word& row : words())
            if (row.kind == kind)
                text += signature_text(row, row.signatures[0]) + "\n  " + std::string(row.meaning) +
                        "\n";
    }
    return text;
}

std::string similar_word(const std::string& word)
{
    std::vector<std::string_view> candidates(std::begin(kReservedWords), std::end(kReservedWords));
    for (const Word& row : words())
        candidates.push_back(row.name);
    return std::string(find_similar(word, candidates));
}

std::vector<ScriptToken> script_tokens(const std::string& text)
{
    using Kind = ScriptToken::Kind;
    const Limits limits;
    Symbols symbols;
    add_reserved_words(symbols);
    Report report(limits.problem_count);
    report.files.push_back({"", std::make_shared<const std::string>(text)});
    std::vector<ScriptToken> out;
    for (const Token& token : lex(text, 0, limits, symbols, report)) {
        if (token.kind == TokenKind::end_of_text)
            break;
        const Kind kind = is_easing(token.kind) ? Kind::easing
                          : is_unit(token.kind) ? Kind::unit
                          : token.kind == TokenKind::kw_pi || token.kind == TokenKind::kw_time
                              ? Kind::constant
                          : is_reserved(token.kind)             ? Kind::keyword
                          : token.kind == TokenKind::identifier ? Kind::identifier
                          : token.kind == TokenKind::number     ? Kind::number
                          : token.kind == TokenKind::string     ? Kind::string
                          : token.kind == TokenKind::unknown    ? Kind::unknown
                                                                : Kind::punctuation;
        out.push_back({token.offset, token.length, kind});
    }
    return out;
}

} // namespace sinew
