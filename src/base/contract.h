#pragma once

/// Contracts: our own faults. A broken one prints where and aborts: the state is unknown, and
/// nothing else is honest. Faults of the input's author go through Result, faults of nature through
/// reports.

namespace sinew {

[[noreturn]] void contract_broken(const char* kind, const char* condition, const char* file,
                                  int line) noexcept;

} // namespace sinew

/// At a room's door; always checked.
#define SINEW_EXPECTS(condition)                                                                   \
    ((condition) ? void(0) : ::sinew::contract_broken("expects", #condition, __FILE__, __LINE__))

/// Inside a room; checked in debug and sanitizer builds.
#ifdef NDEBUG
#define SINEW_ASSERT(condition) void(0)
#else
#define SINEW_ASSERT(condition)                                                                    \
    ((condition) ? void(0) : ::sinew::contract_broken("assert", #condition, __FILE__, __LINE__))
#endif
