#include "progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sinew::app {

namespace {

constexpr std::chrono::milliseconds kQuiet{1000}, kPause{100};

int terminal_width()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string clock_text(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::min(seconds + 0.5, 1e9));
    return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                        : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

} // namespace

Progress::Progress(std::int64_t first, std::int64_t last, const char* name)
    : first_(first), last_(last), name_(name), is_terminal_(isatty(STDERR_FILENO))
{
}

void Progress::update(std::int64_t frame)
{
    const Clock::time_point now = Clock::now();
    if (!is_terminal_ || now - begin_ < kQuiet || now - shown_ < kPause || frame >= last_)
        return;
    shown_ = now;
    is_visible_ = true;
    const double made = double(frame - first_ + 1), all = double(last_ - first_ + 1);
    const double spent = std::chrono::duration<double>(now - begin_).count();
    const std::string words = fmt::format(" {} {} of {}, {} left", name_, frame, last_,
                                          clock_text(spent / made * (all - made)));
    const int room = std::clamp(terminal_width() - int(words.size()) - 3, 0, 40);
    const int filled = int(made / all * room);
    const std::string bar =
        room < 5 ? "" : fmt::format("[{:=<{}}{: <{}}]", "", filled, "", room - filled);
    fmt::print(stderr, "\r\033[K{}{}", bar, words);
    std::fflush(stderr);
}

void Progress::clear()
{
    if (!is_visible_)
        return;
    is_visible_ = false;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
}

} // namespace sinew::app
