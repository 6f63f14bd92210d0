#pragma once

#include "sinew/error.h"

#include <string>

namespace sinew::app {

/// Where a recording is written: in its place, or in a folder of this machine from which it is
/// moved to its place when the run ends, however it ends.
class Scratch {
public:
    /// `folder`: empty: in its place, unless that is on a network file system.
    Scratch(const std::string& out, const std::string& folder);

    /// The file to write.
    const std::string& path() const { return path_; }

    /// Before a run goes on: gets what an earlier one left, here or in its place, whichever has
    /// more frames.
    Problems bring_in() const;
    /// After the run: the recording is in its place, or still in the folder and the problem says
    /// so. Requires that nobody has it open.
    Problems bring_out() const;

private:
    std::string out_, path_;
};

} // namespace sinew::app
