// Problems as people read them.

#include "base/text.h"
#include "sinew/language.h"

#include <algorithm>

namespace sinew {

namespace {

struct Colours {
    const char *bold, *error, *warning, *note, *quiet, *off;
};

constexpr Colours kColours = {"\033[1m",    "\033[1;31m", "\033[1;33m",
                              "\033[1;36m", "\033[2m",    "\033[0m"};
constexpr Colours kNoColours = {"", "", "", "", "", ""};

/// The line with the place underlined; tabs and long lines are kept readable.
std::string show_line(const Problem& problem, const Colours& c, const char* mark)
{
    constexpr int kWidest = 120;
    std::string line = problem.source_line;
    std::replace(line.begin(), line.end(), '\t', ' ');
    for (char& character : line)
        if (static_cast<unsigned char>(character) < 0x20)
            character = ' ';
    if (problem.place.line == 0 || line.empty() || count_characters(line) > 4 * kWidest ||
        problem.place.column > 2 * kWidest)
        return "";
    const std::string number = std::to_string(problem.place.line);
    const std::string margin(std::max<std::size_t>(5, number.size()), ' ');
    const int room = std::max(1, count_characters(line) - problem.place.column + 1);
    const std::string below(static_cast<std::size_t>(problem.place.column - 1), ' ');
    const std::string wave(static_cast<std::size_t>(std::min(problem.place.length, room) - 1), '~');
    return c.quiet + margin.substr(std::min(margin.size(), number.size())) + number + " | " +
           c.off + line + "\n" + c.quiet + margin + " | " + c.off + below + mark + "^" + wave +
           c.off + "\n";
}

} // namespace

std::string problems_text(const Problems& problems, bool colour)
{
    const Colours& c = colour ? kColours : kNoColours;
    std::string text;
    for (const Problem& problem : problems) {
        const char* mark = problem.severity == Severity::error     ? c.error
                           : problem.severity == Severity::warning ? c.warning
                                                                   : c.note;
        const char* label = problem.severity == Severity::error     ? ""
                            : problem.severity == Severity::warning ? "warning: "
                                                                    : "note: ";
        const bool is_question = problem.hint.starts_with("did you mean");
        text += c.bold + to_string(problem.place) + ": " + c.off + mark + label + problem.what +
                (is_question ? "; " + problem.hint : "") + c.off + "\n";
        text += show_line(problem, c, mark);
        if (!is_question && !problem.hint.empty())
            text += "      hint: " + problem.hint + "\n";
        for (const Remark& remark : problem.remarks)
            text += c.quiet + std::string("      ") + to_string(remark.place) + ": " + remark.what +
                    c.off + "\n";
    }
    return text;
}

} // namespace sinew
