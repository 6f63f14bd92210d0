#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace sinew::bench {

constexpr int kRepeats = 5; // report the fastest: noise only ever adds time

/// Of this thread alone: on a machine that is shared the clock on the wall counts others' work too.
inline double seconds_now()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Seconds for one call: the fastest of some rounds, each long enough for the clock.
template <class Work>
double seconds_per_call(Work&& work, double round_length = 0.02)
{
    const double first_start = seconds_now();
    work();
    const double first = seconds_now() - first_start;
    const int calls = std::max(1, static_cast<int>(round_length / std::max(first, 1e-9)));
    // What takes seconds is not repeated: it is bearable once.
    if (first > 1)
        return first;
    double fastest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRepeats; ++round) {
        const double start = seconds_now();
        for (int i = 0; i < calls; ++i)
            work();
        fastest = std::min(fastest, (seconds_now() - start) / calls);
    }
    return fastest;
}

} // namespace sinew::bench
