#include "charli/assist/report.h"

#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew::charli {

Problem& Report::add(Severity severity, Origin origin, std::string_view code, std::string what,
                     std::string hint)
{
    error_count_ += severity == Severity::error;
    // A def with a mistake is read once per instance, a loop once per round; the mistake is one.
    const bool has_place = origin.file != Origin::kNoFile;
    if (is_full() ||
        (has_place && !told_.emplace(origin.file, origin.offset, origin.length, code).second)) {
        overflow_ = {};
        return overflow_;
    }
    Problem problem{.severity = severity,
                    .code = std::string(code),
                    .what = std::move(what),
                    .hint = std::move(hint)};
    if (origin.file < files.size()) {
        problem.place = locate_origin(origin);
        problem.source_line = shown_line(*files[origin.file].text, origin.offset);
    }
    problems_.push_back(std::move(problem));
    origins_.push_back(origin);
    return problems_.back();
}

bool Report::is_told(Origin origin, std::string_view code) const
{
    return is_full() ||
           told_.contains({origin.file, origin.offset, origin.length, std::string(code)});
}

Place Report::locate_origin(Origin origin) const
{
    const std::string_view text = *files[origin.file].text;
    if (last_.file != origin.file || last_.offset > origin.offset)
        last_ = {origin.file, 0, 1, 1};
    for (; last_.offset < origin.offset; ++last_.offset) {
        const char c = text[last_.offset];
        last_.line += c == '\n';
        last_.column = c == '\n' ? 1 : last_.column + ((c & 0xc0) != 0x80);
    }
    return {files[origin.file].name, last_.line, last_.column,
            std::max(1, count_characters(text.substr(origin.offset, origin.length)))};
}

Problem& Report::error(Origin origin, std::string_view code, std::string what, std::string hint)
{
    return add(Severity::error, origin, code, std::move(what), std::move(hint));
}

Problem& Report::warning(Origin origin, std::string_view code, std::string what, std::string hint)
{
    return add(Severity::warning, origin, code, std::move(what), std::move(hint));
}

void Report::echo(Origin origin, std::string what)
{
    told_.erase({origin.file, origin.offset, origin.length, "echo"});
    note(origin, "echo", std::move(what), "");
}

Problem& Report::note(Origin origin, std::string_view code, std::string what, std::string hint)
{
    return add(Severity::note, origin, code, std::move(what), std::move(hint));
}

void Report::remark(Problem& problem, Origin origin, std::string what) const
{
    if (origin.file < files.size())
        problem.remarks.push_back({locate_origin(origin), std::move(what)});
}

Problems Report::take()
{
    std::vector<std::size_t> order(problems_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return std::tie(origins_[i].file, origins_[i].offset) <
               std::tie(origins_[j].file, origins_[j].offset);
    });
    Problems sorted;
    for (const std::size_t i : order)
        sorted.push_back(std::move(problems_[i]));
    if (is_full())
        sorted.push_back(
            {.severity = has_errors() ? Severity::error : Severity::warning,
             .code = "too-many-problems",
             .place = {files.empty() ? "" : files[0].name},
             .what = "there are more problems than the " + std::to_string(limit_) + " listed",
             .hint = "mend these first"});
    problems_.clear();
    origins_.clear();
    told_.clear();
    return sorted;
}

std::string_view find_similar(std::string_view word,
                              const std::vector<std::string_view>& candidates)
{
    constexpr std::size_t kLongest = 40,
                          kMost = 4000; // a slip in a longer list is not worth the wait
    std::string_view best;
    if (word.size() < 3 || word.size() > kLongest || candidates.size() > kMost)
        return best;
    const auto is_same_letter = [](char a, char b) {
        const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
        return small(a) == small(b);
    };
    for (const std::string_view candidate : candidates) // rotateZ is rotatez, not rotatex
        if (candidate != word && std::ranges::equal(candidate, word, is_same_letter))
            return candidate;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::vector<std::size_t> above, row;
    for (const std::string_view candidate : candidates) {
        if (candidate == word || candidate.size() > word.size() + best_distance ||
            word.size() > candidate.size() + best_distance)
            continue;
        // Damerau-Levenshtein (adjacent letters exchanged count once), two rows and the one before.
        std::vector<std::size_t> before_above;
        above.resize(candidate.size() + 1);
        std::iota(above.begin(), above.end(), 0);
        for (std::size_t i = 1; i <= word.size(); ++i) {
            row.assign(candidate.size() + 1, i);
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const bool same = word[i - 1] == candidate[j - 1];
                row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + !same});
                if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] &&
                    word[i - 2] == candidate[j - 1])
                    row[j] = std::min(row[j], before_above[j - 2] + 1);
            }
            before_above = std::exchange(above, row);
        }
        if (above.back() < best_distance) {
            best_distance = above.back();
            best = candidate;
        }
    }
    return best;
}

} // namespace sinew::charli
