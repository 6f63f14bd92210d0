#pragma once

#include <span>

namespace sinew {

/// Whether all are numbers: none infinite, none without a value. In lanes, no branch for each.
bool are_finite(std::span<const double> numbers);

} // namespace sinew
