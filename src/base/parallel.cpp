// Loops on several threads. With SINEW_NO_THREADS they are serial.
//
// Who begins a loop does portions of it until none is left; others, which are kept for the life of
// the program, come and take portions too. Between loops they look for the next one for a moment
// and then sleep: nobody turns where there is nothing to share.

#include "base/parallel.h"
#include "sinew/stop.h"

#include <algorithm>

#ifndef SINEW_NO_THREADS
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace sinew::detail {

#ifndef SINEW_NO_THREADS

namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void pause_briefly()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Asks again and again, for a moment. True as soon as it is so.
template <class Question>
bool is_soon(Question&& question)
{
    constexpr double kMomentUs = 50; // some ten times what it takes to wake a thread
    constexpr int kPauses = 16;      // between two looks at the clock
    const Clock::time_point begin = Clock::now();
    do {
        for (int i = 0; i < kPauses; ++i) {
            if (question())
                return true;
            pause_briefly();
        }
    } while (us_since(begin) < kMomentUs);
    return question();
}

/// What an index of each loop of the program has taken, so that only loops that are long enough
/// wake other threads. It decides who does the work, never what comes out.
class LoopTimes {
public:
    /// In how many shares a loop is worth doing; all, as long as it is not known.
    std::size_t shares_of(const void* loop, std::size_t count, std::size_t most) const
    {
        const float us = us_an_index(loop).load(std::memory_order_relaxed);
        const double worth = us > 0 ? us * double(count) / kShareUs : double(most);
        return worth >= double(most) ? most : std::max(std::size_t(worth), std::size_t(1));
    }
    void note(const void* loop, std::size_t count, double us)
    {
        std::atomic<float>& mean = us_an_index(loop);
        const float now = float(us / double(count)) + kLeast;
        const float before = mean.load(std::memory_order_relaxed);
        mean.store(before > 0 ? (3 * before + now) / 4 : now, std::memory_order_relaxed);
    }

private:
    static constexpr double kShareUs = 25; // a thread that sleeps comes within some 10
    static constexpr float kLeast = 1e-6f; // known, however short

    /// Two loops in one place only share worse.
    std::atomic<float>& us_an_index(const void* loop) const
    {
        const auto bits = reinterpret_cast<std::uintptr_t>(loop);
        return means_[(bits >> 4 ^ bits >> 14) % means_.size()];
    }

    mutable std::array<std::atomic<float>, 1024> means_ = {};
};

/// A loop that others may help with. It lives with who began it, until all have left.
struct Loop {
    void (*call)(void*, std::size_t);
    void* context;
    std::size_t count, portion;
    const std::atomic<bool>* stop; ///< of the thread that began it
    std::size_t places;            ///< for those who come; the pool's mutex guards it
    bool is_awaited = false;       ///< likewise: who began it sleeps until all have left
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> helpers = 0; ///< who are at work
    std::atomic<double> us = 0;           ///< of all threads together

    void run()
    {
        const StopScope listening(stop);
        const Clock::time_point begin = Clock::now();
        for (std::size_t i = 0; (i = next.fetch_add(portion, std::memory_order_relaxed)) < count;)
            for (const std::size_t end = std::min(count, i + portion); i < end; ++i)
                call(context, i);
        us.fetch_add(us_since(begin), std::memory_order_relaxed);
    }
};

/// Threads that help with loops, as many as have ever been asked for and the machine has.
class Pool {
public:
    LoopTimes times;

    /// Runs a loop here and on at most loop.places other threads.
    void run(Loop& loop)
    {
        open(loop);
        loop.run();
        close(loop);
    }

private:
    std::mutex mutex_;
    std::condition_variable is_open_, is_left_;
    std::vector<Loop*> loops_;            ///< that are under way
    std::atomic<std::size_t> places_ = 0; ///< of all of them
    std::size_t threads_ = 0, asleep_ = 0;

    void open(Loop& loop)
    {
        static const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
        std::size_t called = 0;
        {
            const std::lock_guard lock(mutex_);
            for (; threads_ < std::min(loop.places, processors - 1); ++threads_)
                std::thread([this] { work(); }).detach(); // they sleep when the program ends
            loops_.push_back(&loop);
            places_ += loop.places;
            called = std::min(loop.places, asleep_);
        }
        for (; called > 0; --called)
            is_open_.notify_one();
    }

    /// Returns when nobody is at work in it any more.
    void close(Loop& loop)
    {
        {
            const std::lock_guard lock(mutex_);
            std::erase(loops_, &loop);
            shut(loop);
        }
        const auto is_left = [&] { return loop.helpers.load(std::memory_order_acquire) == 0; };
        if (is_soon(is_left))
            return;
        std::unique_lock lock(mutex_);
        loop.is_awaited = true;
        is_left_.wait(lock, is_left);
    }

    void shut(Loop& loop) { places_ -= std::exchange(loop.places, 0); }

    void work()
    {
        for (;;) {
            Loop& loop = join();
            loop.run();
            leave(loop);
        }
    }

    /// Waits for a loop with a place.
    Loop& join()
    {
        const auto has_place = [&] { return places_.load(std::memory_order_relaxed) > 0; };
        is_soon(has_place);
        std::unique_lock lock(mutex_);
        ++asleep_;
        is_open_.wait(lock, has_place);
        --asleep_;
        Loop& loop = **std::ranges::find_if(loops_, [](const Loop* l) { return l->places > 0; });
        --loop.places;
        --places_;
        ++loop.helpers;
        return loop;
    }

    /// The loop may be gone as soon as its last helper is.
    void leave(Loop& loop)
    {
        const std::lock_guard lock(mutex_);
        shut(loop); // nothing of it is left to do
        if (loop.is_awaited)
            is_left_.notify_all();
        loop.helpers.fetch_sub(1, std::memory_order_release);
    }
};

Pool& pool()
{
    static Pool& kept = *new Pool; // its threads outlive everything
    return kept;
}

} // namespace

#endif

void run_indices(std::size_t count, int threads, void (*call)(void*, std::size_t), void* context)
{
#ifndef SINEW_NO_THREADS
    constexpr std::size_t kPortions = 8; // of a share: who is done sooner takes more of them
    const std::size_t most = std::min(count, std::size_t(std::max(threads, 1)));
    if (most > 1) {
        const auto* const name = reinterpret_cast<const void*>(call);
        const std::size_t shares = pool().times.shares_of(name, count, most);
        Loop loop{.call = call,
                  .context = context,
                  .count = count,
                  .portion = std::max(count / (kPortions * shares), std::size_t(1)),
                  .stop = stop_flag(),
                  .places = shares - 1};
        if (shares > 1)
            pool().run(loop);
        else
            loop.run();
        pool().times.note(name, count, loop.us.load(std::memory_order_relaxed));
        return;
    }
#else
    static_cast<void>(threads);
#endif
    for (std::size_t i = 0; i < count; ++i)
        call(context, i);
}

} // namespace sinew::detail
