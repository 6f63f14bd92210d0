#include "farm/ranges.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <random>

namespace sinew::app {

namespace {

Problem range_problem(const std::string& name, const std::string& text, const std::string& what,
                      const std::string& hint)
{
    return {.code = "sweep-range",
            .place = {.file = "-D " + name + "=" + text},
            .what = what,
            .hint = hint};
}

constexpr const char* kForms = "write 1..20, 0.5..2:7, 1e4..1e6:log:9 or a,b,c";

std::string trimmed(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split(const std::string& text, char sign)
{
    std::vector<std::string> pieces(1);
    for (const char c : text)
        if (c == sign)
            pieces.emplace_back();
        else
            pieces.back() += c;
    for (std::string& piece : pieces)
        piece = trimmed(piece);
    return pieces;
}

/// A number with what stands behind it.
struct Quantity {
    double number = 0;
    std::string unit = {};
    bool is_whole = false;
};

std::optional<Quantity> read_quantity(const std::string& text)
{
    Quantity quantity;
    const char *begin = text.data(), *end = begin + text.size();
    begin += text.starts_with('+') ? 1 : 0;
    const auto [rest, fault] = std::from_chars(begin, end, quantity.number);
    if (fault != std::errc() || !std::isfinite(quantity.number))
        return std::nullopt;
    quantity.is_whole = std::string(begin, rest).find_first_of(".eE") == std::string::npos;
    quantity.unit = trimmed(std::string(rest, end));
    for (const char c : quantity.unit)
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '.')
            return std::nullopt;
    return quantity;
}

std::string value_text(double number, const std::string& unit)
{
    return fmt::format("{}", number) + (unit.empty() ? "" : " " + unit);
}

std::optional<std::size_t> read_count(const std::string& text)
{
    std::size_t count = 0;
    const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (fault != std::errc() || rest != text.data() + text.size())
        return std::nullopt;
    return count;
}

/// Count and `log` behind the colons of a range.
std::string read_wishes(const std::vector<std::string>& wishes, Range& range)
{
    for (std::size_t i = 1; i < wishes.size(); ++i) {
        if (wishes[i] == "log" && !range.is_log) {
            range.is_log = true;
            continue;
        }
        if (range.count > 0)
            return fmt::format("'{}' is too much: it has a number of values", wishes[i]);
        const std::optional<std::size_t> count = read_count(wishes[i]);
        if (!count || *count < 1 || *count > kMostRuns)
            return fmt::format("'{}' is not a number of values from 1 to {}", wishes[i], kMostRuns);
        range.count = *count;
    }
    return "";
}

double at(const Range& range, double part)
{
    if (part <= 0 || part >= 1) // the ends as they were written
        return part <= 0 ? range.low : range.high;
    if (range.is_log)
        return range.low * std::exp2(std::log2(range.high / range.low) * part);
    return range.low + (range.high - range.low) * part;
}

} // namespace

Result<Range> parse_range(const std::string& name, const std::string& text)
{
    Range range;
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
        range.values = split(text, ',');
        for (const std::string& value : range.values)
            if (value.empty())
                return range_problem(name, text, "a value of the list is empty", kForms);
        return range;
    }
    const std::vector<std::string> wishes = split(text.substr(dots + 2), ':');
    const std::optional<Quantity> low = read_quantity(trimmed(text.substr(0, dots)));
    const std::optional<Quantity> high = read_quantity(wishes[0]);
    if (!low || !high)
        return range_problem(name, text, "is not a range: each end must be a finite number",
                             kForms);
    if (!low->unit.empty() && low->unit != high->unit)
        return range_problem(name, text, "its ends have different units",
                             "write the same unit after both");
    range.low = low->number;
    range.high = high->number;
    range.unit = high->unit;
    if (const std::string what = read_wishes(wishes, range); !what.empty())
        return range_problem(name, text, what, kForms);
    range.is_whole = low->is_whole && high->is_whole && range.count == 0 && !range.is_log;
    if (!(range.low < range.high))
        return range_problem(
            name, text,
            fmt::format("the range is empty: its first end is not below its last; they are {} and "
                        "{}",
                        range.low, range.high),
            range.low == range.high ? fmt::format("one value: -D {}={}", name, range.low)
                                    : std::string("exchange the ends"));
    if (range.is_log && range.low <= 0)
        return range_problem(name, text, "a logarithmic range needs positive ends", kForms);
    return range;
}

Result<std::vector<std::string>> list_values(const std::string& name, const Range& range)
{
    if (!range.values.empty())
        return range.values;
    std::vector<std::string> values;
    if (range.is_whole) {
        if (range.high - range.low >= double(kMostRuns))
            return range_problem(name, "", "the range has too many whole numbers",
                                 "say how many: 0..1000000:11");
        for (double number = range.low; number <= range.high; ++number)
            values.push_back(value_text(number, range.unit));
        return values;
    }
    if (range.count == 0)
        return range_problem(name, fmt::format("{}..{}", range.low, range.high),
                             "does not say how many values it has",
                             fmt::format("write {}..{}:7", range.low, range.high));
    for (std::size_t i = 0; i < range.count; ++i)
        values.push_back(value_text(
            at(range, range.count == 1 ? 0 : double(i) / double(range.count - 1)), range.unit));
    return values;
}

namespace {

/// One line of a table with commas; texts in quotes may hold commas and doubled quotes. Nothing
/// where a quote is not closed.
std::vector<std::string> read_cells(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (line[i] == '"')
            is_quoted = !is_quoted;
        else if (line[i] == ',' && !is_quoted)
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    if (is_quoted)
        return {};
    for (std::string& cell : cells)
        cell = trimmed(cell);
    return cells;
}

/// What is wrong with the first line of a list, and what to do.
std::pair<std::string, std::string> fault_of_names(const std::vector<std::string>& names)
{
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (name->empty())
            return {"a column has no name", "name a param in each column"};
        if (name->find_first_of(";\t") != std::string::npos)
            return {"the columns are not separated by commas", "export the table as CSV with ','"};
        if (std::find(names.begin(), name, *name) != name)
            return {"two columns are named '" + *name + "'", "give each param one column"};
    }
    return {};
}

Result<std::vector<Parameters>> read_list(const std::string& path)
{
    const auto problem = [&](int line, const std::string& what, const std::string& hint) {
        return Problem{.code = "sweep-list",
                       .place = {.file = path, .line = line, .column = line > 0 ? 1 : 0},
                       .what = what,
                       .hint = hint};
    };
    std::ifstream file(path);
    if (!file)
        return problem(0, "cannot be read", "name a CSV file whose first line has the params");
    std::string text;
    std::vector<std::string> names;
    std::vector<Parameters> runs;
    for (int line = 1; std::getline(file, text); ++line) {
        if (trimmed(text).empty())
            continue;
        if (line == 1 && text.starts_with("\xef\xbb\xbf")) // as spreadsheets write it
            text.erase(0, 3);
        const std::vector<std::string> cells = read_cells(text);
        if (cells.empty())
            return problem(line, "a quotation mark is not closed", "close it on the same line");
        if (names.empty()) {
            names = cells;
            if (const auto [what, hint] = fault_of_names(names); !what.empty())
                return problem(line, what, hint);
            continue;
        }
        if (cells.size() != names.size())
            return problem(line,
                           fmt::format("has {} values, the first line has {} names", cells.size(),
                                       names.size()),
                           "give each param a value");
        if (runs.size() == kMostRuns)
            return problem(line, fmt::format("has more than {} runs", kMostRuns), "split the list");
        Parameters& run = runs.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            run[names[i]] = cells[i];
    }
    if (runs.empty())
        return problem(0, "has no runs", "a line with names, then a line of values for each run");
    return runs;
}

std::string sample(const Range& range, std::mt19937_64& random)
{
    // We draw them ourselves: distributions differ between standard libraries.
    const double part = double(random() >> 11) * 0x1p-53;
    if (!range.values.empty())
        return range.values[std::size_t(part * double(range.values.size()))];
    if (range.is_whole)
        return value_text(range.low + std::floor(part * (range.high - range.low + 1)), range.unit);
    return value_text(at(range, part), range.unit);
}

/// Every run becomes one for each value.
Problems multiply(const std::string& name, const std::vector<std::string>& values,
                  std::vector<Parameters>& runs)
{
    if (runs.size() > kMostRuns / values.size())
        return {{.code = "sweep-too-many",
                 .place = {.file = "-D " + name},
                 .what = fmt::format("the sweep would have more than {} runs", kMostRuns),
                 .hint = "make the ranges coarser, or take samples with --random N"}};
    std::vector<Parameters> product;
    for (const Parameters& run : runs)
        for (const std::string& value : values) {
            product.push_back(run);
            product.back()[name] = value;
        }
    runs = std::move(product);
    return {};
}

} // namespace

Result<std::vector<Parameters>> list_runs(const Variation& variation)
{
    std::vector<Parameters> runs(1);
    if (!variation.list.empty()) {
        Result<std::vector<Parameters>> listed = read_list(variation.list);
        if (!listed)
            return listed;
        runs = std::move(*listed);
    }
    std::vector<std::pair<std::string, Range>> ranges;
    for (const auto& [name, text] : variation.definitions) {
        Result<Range> range = parse_range(name, text);
        if (!range)
            return range.problems();
        if (runs[0].contains(name))
            return range_problem(name, text, "the list has this param too", "give it once");
        if (std::ranges::find(ranges, name, &std::pair<std::string, Range>::first) != ranges.end())
            return range_problem(name, text, "this param was given before",
                                 "give it once, with all of its values");
        ranges.emplace_back(name, std::move(*range));
    }
    if (variation.random_count > 0) {
        const std::vector<Parameters> each = std::move(runs);
        runs.clear();
        std::mt19937_64 random(variation.seed);
        for (std::size_t i = 0; i < variation.random_count; ++i) {
            Parameters& run = runs.emplace_back(each[i % each.size()]);
            for (const auto& [name, range] : ranges)
                run[name] = sample(range, random);
        }
        return runs;
    }
    for (const auto& [name, range] : ranges) {
        const Result<std::vector<std::string>> values = list_values(name, range);
        if (!values)
            return values.problems();
        if (Problems problems = multiply(name, *values, runs); !problems.empty())
            return problems;
    }
    return runs;
}

} // namespace sinew::app
