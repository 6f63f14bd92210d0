#pragma once

/// Loops over independent indices on several threads. What index i does must write only what
/// belongs to i; then the result has the same bits for any number of threads, and reductions are
/// made afterwards, in index order, by the caller.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace sinew {

namespace detail {
void run_indices(std::size_t count, int threads, void (*call)(void*, std::size_t), void* context);
}

/// Calls function(i) for i = 0 … count − 1, each once, in any order, on at most `threads` threads,
/// and returns when all are done. One thread, or one index, is a plain loop. Requires a function
/// that does not throw.
template <class Function>
void for_each_index(std::size_t count, int threads, Function&& function)
{
    using F = std::remove_reference_t<Function>;
    detail::run_indices(
        count, threads, [](void* f, std::size_t i) { (*static_cast<F*>(f))(i); },
        const_cast<void*>(static_cast<const void*>(std::addressof(function))));
}

/// Calls function(begin, end) for portions of `size` indices, where one index is too little work
/// for a call. The portions are the same for any number of threads.
template <class Function>
void for_each_portion(std::size_t count, std::size_t size, int threads, Function&& function)
{
    for_each_index((count + size - 1) / size, threads, [&](std::size_t portion) {
        function(portion * size, std::min(count, (portion + 1) * size));
    });
}

} // namespace sinew
