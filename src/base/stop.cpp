#include "sinew/stop.h"

#include <utility>

namespace sinew {

namespace {

constexpr const char* kStopped = "stopped";

thread_local const std::atomic<bool>* heard = nullptr;

} // namespace

StopScope::StopScope(const std::atomic<bool>* flag) noexcept : before_(std::exchange(heard, flag))
{
}

StopScope::~StopScope() { heard = before_; }

const std::atomic<bool>* stop_flag() noexcept { return heard; }

bool is_stopping() noexcept { return heard && heard->load(std::memory_order_relaxed); }

Problem make_stopped()
{
    return {.code = kStopped, .what = "stopped before it was done", .hint = "begin it again"};
}

bool is_stopped(const std::optional<Problem>& fault) noexcept
{
    return fault && fault->code == kStopped;
}

} // namespace sinew
