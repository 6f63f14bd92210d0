#pragma once

#include "farm/sweep_folder.h"

namespace sinew::app {

/// The results of a sweep as one table: a column for every key of any run's line, in their order.
struct SweepTable {
    enum class Kind { whole, real, text };
    struct Column {
        std::string name;
        Kind kind = Kind::whole;
    };
    std::vector<Column> columns;
    std::vector<std::vector<nlohmann::ordered_json>> rows; ///< a null: nothing
};

/// Of the runs that have ended; the others say "open".
SweepTable gather_results(const SweepFolder& folder, const SweepPlan& plan);

/// results.csv and results.db, each replaced at once; results.parquet where wanted.
Problems write_results(const SweepFolder& folder, const SweepTable& table, bool wants_parquet);

/// The bytes of a Parquet file.
std::string encode_parquet(const SweepTable& table);

} // namespace sinew::app
