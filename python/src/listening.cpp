#include "listening.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace sinew::python {

namespace {

// Of the main thread alone.
std::atomic<bool> wish = false;
struct sigaction before = {};
bool is_taken = false;

constexpr std::size_t kReserve = std::size_t(256) << 20; // [bytes], of addresses: it is not touched
std::atomic<void*> reserve = nullptr;
std::atomic<bool> is_starved = false;
std::new_handler handler_before = nullptr;

/// Room for what a step still needs until it hears that it shall end; the second time there is
/// none.
void give_up_reserve()
{
    void* const held = reserve.exchange(nullptr);
    if (held) {
        is_starved = wish = true;
        std::free(held);
    } else if (handler_before)
        handler_before();
    else
        throw std::bad_alloc();
}

void keep_reserve()
{
    static std::mutex mutex;
    static std::once_flag once;
    std::call_once(once, [] { handler_before = std::set_new_handler(give_up_reserve); });
    const std::lock_guard lock(mutex);
    if (reserve.load())
        return;
    reserve = std::malloc(kReserve);
    if (!reserve.load())
        throw std::bad_alloc();
    is_starved = false; // by what did not listen, such as reading a script
}

bool is_main_thread() { return getpid() == static_cast<pid_t>(syscall(SYS_gettid)); }

} // namespace

Listening::Listening()
{
    keep_reserve();
    struct sigaction action {};
    if (is_main_thread() && !is_taken)
        sigaction(SIGINT, nullptr, &action);
    if (action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL) {
        scope_.emplace(&is_starved); // signals are not Python's business, or not this thread's
        return;
    }
    before = action;
    is_mine_ = is_taken = true;
    wish = false;
    scope_.emplace(&wish);
    action.sa_sigaction = hear;
    action.sa_flags = before.sa_flags | SA_SIGINFO;
    sigaction(SIGINT, &action, nullptr);
}

Listening::~Listening()
{
    if (!is_mine_)
        return;
    sigaction(SIGINT, &before, nullptr);
    is_taken = false;
}

void Listening::raise_if_starved()
{
    if (is_starved.exchange(false))
        throw std::bad_alloc();
}

void Listening::hear(int signal, siginfo_t* info, void* context)
{
    wish = true;
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else
        before.sa_handler(signal);
}

} // namespace sinew::python
