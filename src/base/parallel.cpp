// The only place that knows oneTBB. With SINEW_NO_THREADS the loop is serial and nothing is linked.

#include "base/parallel.h"
#include "sinew/stop.h"

#include <algorithm>

#ifndef SINEW_NO_THREADS
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace sinew::detail {

void run_indices(std::size_t count, int threads, void (*call)(void*, std::size_t), void* context)
{
    const std::size_t shares = std::min(count, std::size_t(std::max(threads, 1)));
    const auto run_share = [&](std::size_t share) {
        const std::size_t end = count * (share + 1) / shares;
        for (std::size_t i = count * share / shares; i < end; ++i)
            call(context, i);
    };
#ifndef SINEW_NO_THREADS
    if (shares > 1) {
        // No arena of our own: as many tasks as shares keep to the number of threads, and workers
        // that are awake are found again by the next loop. Isolated: a thread that waits here takes
        // up no other loop's work.
        const std::atomic<bool>* flag = stop_flag();
        const auto run_and_listen = [&](std::size_t share) {
            const StopScope listening(flag);
            run_share(share);
        };
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(std::size_t(0), shares, run_and_listen, tbb::simple_partitioner());
        });
        return;
    }
#endif
    for (std::size_t share = 0; share < shares; ++share)
        run_share(share);
}

} // namespace sinew::detail
