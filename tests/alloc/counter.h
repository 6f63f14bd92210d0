#pragma once

#include <cstddef>

namespace sinew::test {

/// True where allocations can be counted: not under a sanitizer, which has an allocator of its own.
bool can_count_allocations();

/// Calls of malloc and its kin since the program began, by whatever way: new, Eigen, the C library.
std::size_t allocation_count();

} // namespace sinew::test
