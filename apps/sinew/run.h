#pragma once

#include "commands.h"

namespace sinew::app {

/// How a run ended.
struct RunEnd {
    int status = 0;          ///< as the program's
    bool is_refused = false; ///< the script cannot be run: trying again changes nothing
    std::string why = {};    ///< it is refused: the first error
};

/// The recording that a run writes.
std::string out_name(const RunOptions& options);

/// `sinew run` of a script, without what concerns the command line alone.
RunEnd run_script(const RunOptions& options);

} // namespace sinew::app
