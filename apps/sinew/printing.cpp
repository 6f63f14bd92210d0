#include "printing.h"

#include "sinew/language.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <unistd.h>

namespace sinew::app {

using nlohmann::json;

bool use_colour(Colour wish, int file_descriptor)
{
    if (wish != Colour::automatic)
        return wish == Colour::always;
    const char* no_colour = std::getenv("NO_COLOR");
    return isatty(file_descriptor) && !(no_colour && *no_colour);
}

Style make_style(bool colour)
{
    return colour ? Style{"\033[1;36m", "\033[1m", "\033[2m", "\033[1;32m", "\033[0m"} : Style{};
}

std::string count_of(std::int64_t count, const char* one, const char* many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string size_text(std::uintmax_t bytes)
{
    if (bytes < 1000)
        return count_of(static_cast<std::int64_t>(bytes), "byte", "bytes");
    const char* const units[] = {"kB", "MB", "GB", "TB"};
    double size = double(bytes) / 1000;
    std::size_t unit = 0;
    for (; size >= 999.5 && unit + 1 < std::size(units); ++unit)
        size /= 1000;
    return size < 9.95 ? fmt::format("{:.1f} {}", size, units[unit])
                       : fmt::format("{:.0f} {}", size, units[unit]);
}

std::string printable(std::string text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t k) {
            return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
        };
        const bool is_c1 = byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0;
        // U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069: they turn lines around.
        const bool is_turn =
            byte(0) == 0xe2 && ((byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f ||
                                                     (byte(2) >= 0xa8 && byte(2) <= 0xae))) ||
                                (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
        const bool is_control = (byte(0) < 0x20 && text[i] != '\t') || byte(0) == 0x7f;
        out += is_c1 || is_turn || is_control ? '?' : text[i];
        i += is_c1 ? 1 : is_turn ? 2 : 0;
    }
    return out;
}

Problem printable_problem(Problem problem)
{
    for (std::string* text :
         {&problem.place.file, &problem.what, &problem.hint, &problem.source_line})
        *text = printable(std::move(*text));
    for (Remark& remark : problem.remarks) {
        remark.place.file = printable(remark.place.file);
        remark.what = printable(remark.what);
    }
    return problem;
}

namespace {

/// Problems with the same key differ only in names and numbers: those of many instances of a def.
std::string key_of(const Problem& problem)
{
    std::string key = problem.code + char('0' + int(problem.severity));
    bool is_quoted = false;
    for (const char c : problem.what) {
        is_quoted = c == '\'' ? !is_quoted : is_quoted;
        if (!is_quoted && c != '.' && c != '-' && c != '+' && (c < '0' || c > '9'))
            key += c;
    }
    return key;
}

} // namespace

void print_problems(const Problems& problems, Colour colour)
{
    const bool has_colour = use_colour(colour, STDERR_FILENO);
    std::map<std::string, int> count;
    for (const Problem& problem : problems)
        ++count[key_of(problem)];
    for (const Problem& problem : problems) {
        int& left = count[key_of(problem)];
        if (left == 0)
            continue; // folded into an earlier one
        std::fputs(problems_text({printable_problem(problem)}, has_colour).c_str(), stderr);
        if (problem.severity == Severity::error)
            continue; // each has a place to mend
        if (left > 1)
            fmt::print(stderr, "      and {} more like it\n", left - 1);
        left = 0;
    }
    std::fflush(stderr);
}

void print_refusal(const std::string& file, const Problems& problems, Colour colour)
{
    print_problems(problems, colour);
    const auto errors = std::count_if(problems.begin(), problems.end(), [](const Problem& p) {
        return p.severity == Severity::error;
    });
    fmt::print(stderr, "{}: {}\n", printable(file), count_of(errors, "error", "errors"));
}

namespace {

json place_json(const Place& place)
{
    return {{"file", place.file},
            {"line", place.line},
            {"column", place.column},
            {"length", place.length}};
}

} // namespace

json problem_json(const Problem& problem)
{
    json out = place_json(problem.place);
    out["severity"] = problem.severity == Severity::error     ? "error"
                      : problem.severity == Severity::warning ? "warning"
                                                              : "note";
    out["code"] = problem.code;
    out["message"] = problem.what;
    out["hint"] = problem.hint;
    out["related"] = json::array();
    for (const Remark& remark : problem.remarks) {
        json related = place_json(remark.place);
        related["message"] = remark.what;
        out["related"].push_back(related);
    }
    return out;
}

void print_json(const json& value)
{
    // In ASCII: names may hold what commands a terminal, C1 and the marks of direction.
    fmt::print("{}\n", value.dump(2, ' ', true, json::error_handler_t::replace));
}

} // namespace sinew::app
