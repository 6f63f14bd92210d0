#pragma once

#include "sinew/error.h"
#include "sinew/scene.h"

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sinew::charli {

/// Collects what is wrong with a script and the files it includes.
class Report {
public:
    explicit Report(std::size_t limit) : limit_(limit) {}

    std::vector<SourceFile> files;

    Problem& error(Origin origin, std::string_view code, std::string what, std::string hint);
    Problem& warning(Origin origin, std::string_view code, std::string what, std::string hint);
    Problem& note(Origin origin, std::string_view code, std::string what, std::string hint);
    /// A note of the script itself, as often as it is carried out.
    void echo(Origin origin, std::string what);

    /// Adds a second place to a problem: "declared here".
    void remark(Problem& problem, Origin origin, std::string what) const;

    bool is_full() const { return problems_.size() >= limit_; }
    /// Whether this is said of this place already: then there is no need to look for a remedy.
    bool is_told(Origin origin, std::string_view code) const;
    bool has_errors() const { return error_count_ > 0; }
    std::size_t error_count() const { return error_count_; }

    /// Problems in the order of files and places, each once.
    Problems take();

private:
    Problem& add(Severity severity, Origin origin, std::string_view code, std::string what,
                 std::string hint);

    Place locate_origin(Origin origin) const;

    /// The place found last: the next is mostly behind it, and a long text is not walked again.
    mutable struct {
        std::uint32_t file = Origin::kNoFile, offset = 0;
        int line = 1, column = 1;
    } last_;
    std::size_t limit_;
    std::size_t error_count_ = 0;
    Problems problems_;
    std::vector<Origin> origins_; ///< of each problem, for the order
    /// Which problem was told of which place: file, offset, length, code.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>> told_;
    Problem overflow_; ///< takes what is repeated or goes beyond the limit
};

/// The candidate closest to a word, if close enough to be a slip of the pen; else empty.
std::string_view find_similar(std::string_view word,
                              const std::vector<std::string_view>& candidates);

} // namespace sinew::charli
