#pragma once

// When an equation depends on others: the one definition, for every solver.
//
// The others are taken off a row, by elimination or by a factorisation with pivots. What is left of
// it is compared with what it was made of: its own size, or 1 where rows are scaled. So it does not
// matter which solver an island meets.

namespace sinew {

/// At most this is left: others imply the row. Rounding leaves 1e-16 of each of the thousands of
/// operations behind a pivot; rows that differ by design leave more than 1e-6.
constexpr double kDependent = 1e-11;

/// At most this is left where rows do not hold yet (a start that is far off, a projection on its
/// way): they may become dependent once they do, and are left out until then.
constexpr double kNearlyDependent = 1e-6;

/// At most this is left where rows contradict each other: a least-squares answer through smaller
/// pivots would move things far to close little.
constexpr double kContradicting = 1e-4;

} // namespace sinew
