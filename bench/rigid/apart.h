#pragma once

// Work in a process of its own: what aborts costs its own line only, and memory is counted apart.

#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

namespace sinew::bench {

/// Processor time of this process: other work on the machine disturbs it less than the wall's.
inline double now_ms()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

/// What `work` makes of a fresh result; as fresh where it did not come to its end. A result is
/// plain data of at most 4 kB.
template <class Result, class Work>
Result call_apart(Work&& work)
{
    static_assert(sizeof(Result) <= 4096);
    Result result = {};
    int ends[2];
    if (pipe(ends) != 0)
        return result;
    const pid_t child = fork();
    if (child == 0) {
        work(result);
        _exit(write(ends[1], &result, sizeof result) != sizeof result);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result)
        result = {};
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return result;
}

} // namespace sinew::bench
