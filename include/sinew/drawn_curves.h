#pragma once

// Curves that are read, checked and made: sampled once.

#include <memory>

namespace sinew {

/// While it lives, this thread remembers how the strands of the last scene lie at rest: what reads,
/// checks and makes a scene samples its curves once, and what is drawn otherwise is sampled anew.
/// The results are the same; the scope holds the memory of these curves.
class DrawnCurvesScope {
public:
    DrawnCurvesScope();
    ~DrawnCurvesScope();
    DrawnCurvesScope(const DrawnCurvesScope&) = delete;
    DrawnCurvesScope& operator=(const DrawnCurvesScope&) = delete;

    struct Memory;

private:
    std::unique_ptr<Memory> memory_;
    Memory* before_;
};

} // namespace sinew
