#include "sinew/threads.h"

#include "base/contract.h"

#include <utility>

namespace sinew {

namespace {

thread_local int allowed = 1;

} // namespace

ThreadsScope::ThreadsScope(int threads) noexcept : before_(std::exchange(allowed, threads))
{
    SINEW_EXPECTS(threads >= 1);
}

ThreadsScope::~ThreadsScope() { allowed = before_; }

int threads_here() noexcept { return allowed; }

} // namespace sinew
