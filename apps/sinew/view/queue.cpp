#include "queue.h"

#include <algorithm>

namespace sinew::viewer {

namespace {

constexpr std::size_t kMostWaiting = 128;

template <class T>
bool are_both(const Message& a, const Message& b)
{
    return std::holds_alternative<T>(a) && std::holds_alternative<T>(b);
}

/// Whether nobody will miss `before` when `after` follows it.
bool is_replaced(const Command& before, const Command& after)
{
    const auto* a = std::get_if<Message>(&before.what);
    const auto* b = std::get_if<Message>(&after.what);
    if (!a || !b || before.client != after.client)
        return false;
    if (are_both<message::Parameter>(*a, *b))
        return std::get<message::Parameter>(*a).name == std::get<message::Parameter>(*b).name;
    return are_both<message::Drag>(*a, *b) || are_both<message::Seek>(*a, *b) ||
           are_both<message::Script>(*a, *b) || are_both<message::Speed>(*a, *b) ||
           are_both<message::Select>(*a, *b) || are_both<message::Show>(*a, *b);
}

} // namespace

bool CommandQueue::push(Command command)
{
    {
        const std::lock_guard lock(mutex_);
        if (!commands_.empty() && is_replaced(commands_.back(), command))
            commands_.back() = std::move(command);
        else if (commands_.size() < kMostWaiting ||
                 std::holds_alternative<Connected>(command.what) ||
                 std::holds_alternative<Disconnected>(command.what))
            commands_.push_back(std::move(command));
        else
            return false;
    }
    changed_.notify_one();
    return true;
}

std::deque<Command> CommandQueue::take(Clock::time_point deadline)
{
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, deadline,
                        [&] { return is_stopped_ || is_woken_ || !commands_.empty(); });
    is_woken_ = false;
    return std::exchange(commands_, {});
}

bool CommandQueue::has_urgent() const
{
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(commands_, [](const Command& command) {
        const auto* wish = std::get_if<Message>(&command.what);
        return wish && !std::holds_alternative<message::Drag>(*wish) &&
               !std::holds_alternative<message::Speed>(*wish);
    });
}

void CommandQueue::wake()
{
    {
        const std::lock_guard lock(mutex_);
        is_woken_ = true;
    }
    changed_.notify_one();
}

void CommandQueue::stop()
{
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
    }
    changed_.notify_all();
}

bool CommandQueue::is_stopped() const
{
    const std::lock_guard lock(mutex_);
    return is_stopped_;
}

} // namespace sinew::viewer
