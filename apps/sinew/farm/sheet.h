#pragma once

#include "farm/sweep_folder.h"

namespace sinew::app {

struct SheetOptions {
    std::string out;               ///< a picture or a film; its end says the kind
    int width = 320, height = 240; ///< of each run [pixels]
    std::optional<std::int64_t> frame = {};
    int threads = 0;
};

/// Draws the runs of a sweep side by side, with their values; of more than kMostTiles every so
/// many.
Problems draw_sheet(const SweepFolder& folder, const SweepPlan& plan, const SheetOptions& options);

} // namespace sinew::app
