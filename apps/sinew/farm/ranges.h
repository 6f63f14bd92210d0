#pragma once

// Many parameters from few words: ranges, lists and tables of values for the params of a script.

#include "sinew/error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinew::app {

/// One value of `-D` for one run.
using Parameters = std::map<std::string, std::string>;

constexpr std::size_t kMostRuns = 1'000'000; // of one sweep

/// The values of one param: `5`, `a,b,c`, `1..20`, `0.5..2:7`, `1e4..1e6:log:9`, each end with a
/// unit where the script wants one.
struct Range {
    std::vector<std::string> values = {}; ///< a list, or one; empty: it goes from low to high
    double low = 0, high = 0;
    std::size_t count = 0; ///< 0: not said
    bool is_log = false;
    bool is_whole = false; ///< both ends are whole numbers and no count is given
    std::string unit = {}; ///< behind each number
};

/// Reads what stands behind `-D name=`.
Result<Range> parse_range(const std::string& name, const std::string& text);

/// All values of a range, in order; a problem where it does not say how many.
Result<std::vector<std::string>> list_values(const std::string& name, const Range& range);

/// The parameters that a sweep varies, and their values.
struct Variation {
    std::vector<std::pair<std::string, std::string>> definitions = {}; ///< name, range: `-D`
    std::string list = {};                                             ///< a CSV file; empty: none
    std::size_t random_count = 0; ///< samples; 0: the whole grid
    std::uint64_t seed = 1;       ///< of these
};

/// The parameters of every run; the last definition varies fastest.
Result<std::vector<Parameters>> list_runs(const Variation& variation);

} // namespace sinew::app
