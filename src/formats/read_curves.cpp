// Curves from OBJ lines and from tables.

#include "formats/read_curves.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

std::string ending_of(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return ending;
}

std::vector<std::string_view> split_row(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        std::string_view cell = line.substr(at, end - at);
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t'))
            cell.remove_prefix(1);
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r'))
            cell.remove_suffix(1);
        cells.push_back(cell);
        at = end + 1;
    }
    return cells;
}

std::optional<double> number_of(std::string_view text)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_good =
        fault == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return is_good ? std::optional(value) : std::nullopt;
}

/// "hair#1" of "hair#1[7]"; nothing for names of other things.
std::optional<std::string_view> strand_of(std::string_view name)
{
    const std::size_t bracket = name.rfind('[');
    if (bracket == std::string_view::npos || name.back() != ']')
        return std::nullopt;
    return name.substr(0, bracket);
}

Problem too_large(const std::string& name)
{
    return {.code = "curves-too-large",
            .place = {.file = name},
            .what = "there are more than " + std::to_string(kMostCorners) + " points in it",
            .hint = "export fewer curves, or with fewer points"};
}

/// Rows of one curve stand together.
class TableReader {
public:
    TableReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

    Result<CurveSet> read()
    {
        if (!next_line() || !read_header())
            return fault("curves-header", "the first line must name the columns x, y and z",
                         "write: curve,x,y,z");
        while (next_line()) {
            if (cells_.size() == 1 && cells_[0].empty())
                continue;
            if (auto problem = read_row())
                return *problem;
            if (out_.points.size() > kMostCorners)
                return too_large(name_);
        }
        return std::move(out_);
    }

private:
    enum Column : std::size_t { kX, kY, kZ, kCurve, kName, kTime, kColumns };

    bool next_line()
    {
        if (at_ >= text_.size())
            return false;
        ++line_;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        cells_ = split_row(text_.substr(at_, end - at_));
        at_ = end + 1;
        return true;
    }

    bool read_header()
    {
        constexpr std::array<std::string_view, kColumns> kNames{"x",     "y",    "z",
                                                                "curve", "name", "time"};
        columns_.fill(kNowhere);
        for (std::size_t i = 0; i < cells_.size(); ++i)
            for (std::size_t k = 0; k < kColumns; ++k)
                if (cells_[i] == kNames[k])
                    columns_[k] = i;
        return columns_[kX] != kNowhere && columns_[kY] != kNowhere && columns_[kZ] != kNowhere;
    }

    std::string_view cell(Column column) const
    {
        return columns_[column] < cells_.size() ? cells_[columns_[column]] : std::string_view();
    }

    std::optional<Problem> read_row()
    {
        if (columns_[kTime] != kNowhere) {
            if (!first_time_)
                first_time_ = cell(kTime);
            if (cell(kTime) != *first_time_)
                return std::nullopt;
        }
        std::string_view owner = cell(kCurve);
        if (columns_[kCurve] == kNowhere && columns_[kName] != kNowhere) {
            const auto strand = strand_of(cell(kName));
            if (!strand)
                return std::nullopt; // a body, a mass, a label
            owner = *strand;
        }
        const auto a = number_of(cell(kX)), b = number_of(cell(kY)), c = number_of(cell(kZ));
        if (!a || !b || !c)
            return fault("curves-number", "x, y and z must be finite numbers",
                         "write: 1,0.5,-0.25,3e-2");
        if (out_.counts.empty() || owner != last_)
            out_.counts.push_back(0);
        last_ = owner;
        ++out_.counts.back();
        out_.points.push_back({*a, *b, *c});
        return std::nullopt;
    }

    Problem fault(std::string code, std::string what, std::string hint) const
    {
        return {.code = std::move(code),
                .place = {.file = name_, .line = line_, .column = 1, .length = 1},
                .what = std::move(what),
                .hint = std::move(hint)};
    }

    static constexpr std::size_t kNowhere = SIZE_MAX;

    const std::string& name_;
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 0;
    std::vector<std::string_view> cells_;
    std::array<std::size_t, kColumns> columns_ = {};
    std::optional<std::string_view> first_time_;
    std::string_view last_;
    CurveSet out_;
};

} // namespace

Result<CurveSet> read_curves_csv(const std::string& name, std::string_view text)
{
    return TableReader(name, text).read();
}

Result<CurveSet> read_curves_obj(const std::string& name, std::string_view text)
{
    LineReader lines(name, text);
    std::vector<Vec3> corners;
    CurveSet out;
    while (lines.next_line()) {
        const std::string_view word = lines.word();
        if (word == "v") {
            Vec3 place;
            for (int k = 0; k < 3; ++k)
                if (!lines.number(place[k]))
                    return lines.problem("curves-number", "a vertex needs three finite numbers",
                                         "write: v 1.0 2.0 3.0");
            corners.push_back(place);
        } else if (word == "l") {
            out.counts.push_back(0);
            for (std::string_view corner = lines.word(); !corner.empty(); corner = lines.word()) {
                const auto written = number_of(corner.substr(0, corner.find('/')));
                const double count = double(corners.size());
                const double index = !written ? -1 : *written < 0 ? count + *written : *written - 1;
                if (!(index >= 0 && index < count) || index != std::floor(index))
                    return lines.problem("curves-corner",
                                         "'" + excerpt(corner) + "' is none of the " +
                                             std::to_string(corners.size()) + " vertices before it",
                                         "number vertices from 1 in the order of the file");
                out.points.push_back(corners[static_cast<std::size_t>(index)]);
                ++out.counts.back();
            }
        }
        if (corners.size() > kMostCorners || out.points.size() > kMostCorners)
            return too_large(name);
    }
    return out;
}

Result<CurveSet> read_curves(const std::string& name, std::string_view bytes)
{
    const std::string ending = ending_of(name);
    const bool is_usd = ending == "usd" || ending == "usda" || ending == "usdc";
    if (ending != "obj" && ending != "csv" && ending != "hair" && !is_usd)
        return Problem{.code = "curves-unknown-format",
                       .place = {.file = name},
                       .what = "'" + excerpt(name) + "' is not a readable file of curves",
                       .hint = "give one that ends in .hair, .usd, .usda, .usdc, .obj or .csv"};
    const bool is_text = ending == "usda" || bytes.starts_with("#usda"); // .usd may be either
    Result<CurveSet> curves = ending == "obj"    ? read_curves_obj(name, bytes)
                              : ending == "csv"  ? read_curves_csv(name, bytes)
                              : ending == "hair" ? read_curves_hair(name, bytes)
                              : is_text          ? read_curves_usda(name, bytes)
                                                 : read_curves_usdc(name, bytes);
    if (!curves)
        return curves;
    for (std::size_t i = 0; i < curves->counts.size(); ++i)
        if (curves->counts[i] < 2)
            return Problem{.code = "curves-short",
                           .place = {.file = name},
                           .what = "curve " + std::to_string(i + 1) + " of " +
                                   std::to_string(curves->counts.size()) +
                                   " has fewer than two points",
                           .hint = "leave it out, or give it a second point"};
    if (curves->counts.empty())
        return Problem{.code = "curves-none",
                       .place = {.file = name},
                       .what = "there are no curves in it",
                       .hint = "export curves: guides, lines or BasisCurves, not a surface"};
    return curves;
}

} // namespace sinew
