#pragma once

#include <cstdint>
#include <string>

namespace sinew {

/// A hash over what this machine computes: elementary functions, roots, roundings, sums and
/// products that fused operations or wider registers would change, numbers too small for a normal
/// double. All machines should have the same; two that differ do not continue each other's runs.
std::uint64_t arithmetic_hash();

/// For people: processor and compiler.
std::string machine_text();

} // namespace sinew
