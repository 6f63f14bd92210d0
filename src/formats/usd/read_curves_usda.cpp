// BasisCurves of USD as text, where their transformations put them. All else is passed over.

#include "formats/read_curves.h"
#include "formats/usd/curve_basis.h"
#include "formats/usd/xform_ops.h"

#include "base/text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {

namespace {

constexpr int kDeepest = 64; // prims in prims

class UsdaReader {
public:
    UsdaReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

    Result<CurveSet> read()
    {
        if (!text_.starts_with("#usda"))
            return fault("it does not begin with `#usda`",
                         "give USD as text: `usdcat -o` makes it");
        next();
        if (token_ == "(")
            read_metadata();
        while (!token_.empty()) {
            read_statement(false, 0);
            if (token_ == "}")
                stop("a brace closes nothing", "the file is damaged: export it again");
        }
        if (problem_)
            return *problem_;
        for (Vec3& x : out_.points)
            x = (is_z_up_ ? Vec3{x.x, x.z, -x.y} : x) * metres_;
        return std::move(out_);
    }

private:
    struct Curves {
        std::vector<std::uint32_t> counts;
        std::vector<Vec3> points;
        bool has_points = false;
        CurveForm form = {};
    };

    Problem fault(std::string what, std::string hint) const
    {
        return {.code = "curves-usda",
                .place = {.file = name_, .line = line_, .column = 1, .length = 1},
                .what = std::move(what),
                .hint = std::move(hint)};
    }
    void stop(std::string what, std::string hint)
    {
        if (!problem_)
            problem_ = fault(std::move(what), std::move(hint));
        at_ = text_.size();
        token_ = {};
    }

    /// Words, numbers, one sign, or a whole string or asset; empty at the end.
    void next()
    {
        skip_blanks();
        const std::size_t begin = at_;
        if (at_ >= text_.size()) {
            token_ = {};
            return;
        }
        const char c = text_[at_];
        if (c == '"' || c == '\'' || c == '@') {
            const std::string_view sign = text_.substr(at_, 1);
            const std::string long_sign(3, c);
            const bool is_long = text_.substr(at_, 3) == long_sign;
            const std::string_view end = is_long ? std::string_view(long_sign) : sign;
            at_ += end.size();
            for (; at_ < text_.size() && text_.substr(at_, end.size()) != end; ++at_) {
                line_ += text_[at_] == '\n';
                at_ += text_[at_] == '\\' && c != '@';
            }
            at_ = std::min(text_.size(), at_ + end.size());
        } else if (is_sign(c)) {
            ++at_;
        } else {
            while (at_ < text_.size() && !is_blank(text_[at_]) && !is_sign(text_[at_]) &&
                   text_[at_] != '"' && text_[at_] != '#')
                ++at_;
        }
        token_ = text_.substr(begin, at_ - begin);
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    static bool is_sign(char c)
    {
        return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}' || c == '=' ||
               c == ',' || c == ';';
    }
    void skip_blanks()
    {
        while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#')) {
            if (text_[at_] == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else
                line_ += text_[at_++] == '\n';
        }
    }

    /// Behind a value, of whatever kind.
    void skip_value()
    {
        std::size_t depth = 0;
        do {
            const std::string_view token = token_;
            next();
            if (token == "(" || token == "[" || token == "{")
                ++depth;
            else if ((token == ")" || token == "]" || token == "}") && depth > 0)
                --depth;
        } while (depth > 0 && !token_.empty());
        if (depth > 0)
            stop("it ends in the middle of a value", "the file is cut off: export it again");
    }

    std::optional<double> number()
    {
        double value = 0;
        const auto [end, error] =
            std::from_chars(token_.data(), token_.data() + token_.size(), value);
        const bool is_good =
            error == std::errc() && end == token_.data() + token_.size() && std::isfinite(value);
        if (!is_good)
            stop("'" + excerpt(token_) + "' is not a finite number", "export it again");
        next();
        return is_good ? std::optional(value) : std::nullopt;
    }

    bool take(std::string_view sign)
    {
        if (token_ != sign)
            return false;
        next();
        return true;
    }

    void read_metadata()
    {
        take("(");
        while (!token_.empty() && !take(")")) {
            const std::string_view name = token_;
            next();
            if (!take("="))
                continue;
            if (name == "metersPerUnit") {
                const auto metres = number();
                if (metres && !(*metres > 0))
                    stop("metersPerUnit must be positive", "write: metersPerUnit = 1");
                metres_ = metres.value_or(1);
            } else if (name == "startTimeCode") {
                start_ = number().value_or(0);
            } else if (name == "upAxis") {
                is_z_up_ = token_ == "\"Z\"";
                next();
            } else {
                skip_value();
            }
        }
    }

    void read_prim(int depth)
    {
        if (depth > kDeepest)
            return stop("prims are nested more than " + std::to_string(kDeepest) + " deep",
                        "flatten the stage");
        next();
        const bool has_type = !token_.empty() && token_[0] != '"';
        const bool is_curves = token_ == "BasisCurves";
        if (has_type)
            next();
        next(); // the name
        if (token_ == "(")
            skip_value();
        if (!take("{"))
            return stop("a prim has no body", "the file is cut off or damaged: export it again");
        Curves outer = std::move(curves_);
        XformOps outer_ops = std::move(ops_);
        curves_ = {};
        ops_ = {};
        const std::size_t first = out_.points.size();
        while (!token_.empty() && token_ != "}")
            read_statement(is_curves, depth);
        if (is_curves && !problem_)
            keep_curves();
        if (out_.points.size() > first && !problem_)
            move_to_parent(first);
        curves_ = std::move(outer);
        ops_ = std::move(outer_ops);
        take("}");
    }

    /// The points of a prim and of those in it, from `first` on, from there into its parent.
    void move_to_parent(std::size_t first)
    {
        std::string fault;
        const auto matrix = ops_.matrix(fault);
        if (!matrix)
            return stop("its curves are moved by '" + excerpt(fault) + "', which is not read",
                        "apply it before: freeze or flatten the curves");
        for (std::size_t i = first; i < out_.points.size(); ++i) {
            out_.points[i] = apply(*matrix, out_.points[i]);
            if (!is_finite(out_.points[i]))
                return stop("a point of its curves is not at a finite place", "export it again");
        }
    }

    /// The words before the value of a property; the last of them is its name.
    std::string_view read_name()
    {
        std::string_view name = token_;
        while (!token_.empty() && token_ != "=" && token_ != "}" && token_ != "(" &&
               token_ != "{" && token_ != "def") {
            name = token_;
            const bool is_list = token_ == "[";
            next();
            if (is_list && token_ == "]")
                next();
        }
        return name;
    }

    void read_statement(bool is_in_curves, int depth)
    {
        if (token_ == "def" || token_ == "over" || token_ == "class")
            return read_prim(depth + 1);
        const std::string_view name = read_name();
        if (token_ == "{" || token_ == "(")
            return skip_value();
        if (!take("="))
            return;
        if (name == "xformOpOrder")
            read_order();
        else if (name.starts_with("xformOp:"))
            read_operation(name);
        else if (is_in_curves && name == "curveVertexCounts")
            read_counts();
        else if (is_in_curves && name == "points")
            read_points();
        else if (is_in_curves && name == "points.timeSamples")
            read_first_sample();
        else if (is_in_curves && (name == "type" || name == "basis" || name == "wrap"))
            read_form(name);
        else
            skip_value();
        if (token_ == "(")
            skip_value();
    }

    static std::string_view unquoted(std::string_view word)
    {
        while (word.starts_with('"') || word.starts_with('\''))
            word.remove_prefix(1);
        while (word.ends_with('"') || word.ends_with('\''))
            word.remove_suffix(1);
        return word;
    }

    void read_order()
    {
        ops_.order.clear();
        if (!take("["))
            return skip_value();
        while (!token_.empty() && !take("]")) {
            ops_.order.emplace_back(unquoted(token_));
            next();
            take(",");
        }
    }

    /// A number, or brackets of numbers, in brackets for a matrix; of samples the one at the start.
    void read_operation(std::string_view name)
    {
        constexpr std::string_view kSamples = ".timeSamples";
        if (name.find('.') == name.npos)
            return read_operands(ops_.numbers[std::string(name)]);
        if (!name.ends_with(kSamples)) // a connection, a spline
            return skip_value();
        name.remove_suffix(kSamples.size());
        std::vector<double>& numbers = ops_.numbers[std::string(name)];
        if (!take("{"))
            return stop("time samples are enclosed in braces", "export it again");
        bool is_found = false;
        while (!token_.empty() && !take("}")) {
            const double time = sample_time();
            is_found ? skip_value() : read_operands(numbers);
            is_found = is_found || time >= start_;
            take(",");
        }
    }

    /// None for a value that is no number: that matters only where curves are moved by it.
    void read_operands(std::vector<double>& numbers)
    {
        constexpr std::string_view kBegins = "(+-.0123456789";
        if (token_.empty() || kBegins.find(token_[0]) != kBegins.npos)
            return read_numbers(numbers);
        numbers.clear();
        skip_value();
    }

    void read_numbers(std::vector<double>& numbers)
    {
        constexpr std::size_t kMost = 16;
        numbers.clear();
        std::size_t depth = 0;
        do {
            if (take("(")) {
                ++depth;
            } else if (take(")")) {
                depth -= depth > 0 ? 1 : 0;
            } else if (!take(",")) {
                numbers.push_back(number().value_or(0));
            }
        } while (depth > 0 && !token_.empty() && numbers.size() <= kMost);
        if (depth > 0)
            stop("a transformation has too many numbers, or its brackets are not closed",
                 "export it again");
    }

    void read_form(std::string_view name)
    {
        const std::string_view word = unquoted(token_);
        (name == "type"    ? curves_.form.type
         : name == "basis" ? curves_.form.basis
                           : curves_.form.wrap) = word;
        next();
    }

    void read_counts()
    {
        if (!take("["))
            return stop("the counts of curves are not a list", "write: [4, 4]");
        while (!token_.empty() && !take("]")) {
            const auto count = number();
            if (count && !(*count >= 0 && *count <= double(kMostCorners)))
                return stop("a curve cannot have " + std::to_string(*count) + " points",
                            "export it again");
            curves_.counts.push_back(std::uint32_t(count.value_or(0)));
            take(",");
        }
    }

    void read_points()
    {
        if (!take("["))
            return stop("the points are not a list", "write: [(0, 0, 0), (1, 0, 0)]");
        curves_.points.clear();
        curves_.has_points = true;
        while (!token_.empty() && !take("]")) {
            Vec3 x;
            if (!take("("))
                return stop("a point is three numbers in brackets", "write: (0, 0, 0)");
            for (int k = 0; k < 3 && !problem_; ++k) {
                x[k] = number().value_or(0);
                take(",");
            }
            if (!take(")"))
                return stop("a point is three numbers in brackets", "write: (0, 0, 0)");
            take(",");
            curves_.points.push_back(x);
            if (curves_.points.size() + out_.points.size() > kMostCorners)
                return stop("there are too many points in it", "export fewer curves");
        }
    }

    void read_first_sample()
    {
        const bool has_default = curves_.has_points;
        if (!take("{"))
            return stop("time samples are enclosed in braces", "export it again");
        bool is_found = has_default;
        while (!token_.empty() && !take("}")) {
            const double time = sample_time();
            if (!is_found && token_ == "[")
                read_points(); // of one before the start too, in case none follows
            else
                skip_value();
            is_found = is_found || time >= start_;
            take(",");
        }
    }

    /// "12:", or "12 :".
    double sample_time()
    {
        double time = 0;
        std::from_chars(token_.data(), token_.data() + token_.size(), time);
        const bool is_whole = token_.ends_with(":");
        next();
        if (!is_whole)
            take(":");
        return time;
    }

    void keep_curves()
    {
        std::uint64_t all = 0;
        for (const std::uint32_t count : curves_.counts)
            all += count;
        if (all != curves_.points.size())
            return stop("its curves need " + std::to_string(all) + " points, there are " +
                            std::to_string(curves_.points.size()),
                        "export it again");
        std::span<const Vec3> given = curves_.points;
        for (const std::uint32_t count : curves_.counts) {
            const std::vector<Vec3> places = places_on_curve(curves_.form, given.first(count));
            given = given.subspan(count);
            out_.counts.push_back(std::uint32_t(places.size()));
            out_.points.insert(out_.points.end(), places.begin(), places.end());
        }
    }

    const std::string& name_;
    std::string_view text_, token_;
    std::size_t at_ = 0;
    int line_ = 1;
    double metres_ = 1;
    double start_ = -std::numeric_limits<double>::infinity();
    bool is_z_up_ = false;
    Curves curves_;
    XformOps ops_; ///< of the prim at hand
    CurveSet out_;
    std::optional<Problem> problem_;
};

} // namespace

Result<CurveSet> read_curves_usda(const std::string& name, std::string_view text)
{
    return UsdaReader(name, text).read();
}

} // namespace sinew
