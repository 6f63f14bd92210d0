#pragma once

// How many threads reading, checking and making may use.

namespace sinew {

/// While it lives, what this thread reads, checks and makes may be shared among so many threads;
/// what comes out does not depend on their number. Without one, this thread works alone. Requires
/// at least 1.
class ThreadsScope {
public:
    explicit ThreadsScope(int threads) noexcept;
    ~ThreadsScope();
    ThreadsScope(const ThreadsScope&) = delete;
    ThreadsScope& operator=(const ThreadsScope&) = delete;

private:
    int before_;
};

/// The number that this thread may use; 1 in the threads themselves.
int threads_here() noexcept;

} // namespace sinew
