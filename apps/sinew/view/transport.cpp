#include "transport.h"

#include <algorithm>
#include <cmath>

namespace sinew::viewer {

namespace {

constexpr double kLongestGap = 0.25; // [s]: after a stall time goes on, it does not leap
constexpr double kShortestWait = 0.008;

} // namespace

void Transport::play(Clock::time_point now, const Reel& reel)
{
    if (frame() >= reel.count - 1 && reel.ready >= reel.count)
        position_ = 0;
    go_on(now);
}

void Transport::update(Clock::time_point now, const Reel& reel)
{
    const double elapsed = std::chrono::duration<double>(now - updated_).count();
    updated_ = now;
    if (!is_playing_ || reel.ready <= 0)
        return;
    const double next = position_ + std::min(elapsed, kLongestGap) * speed_ * reel.frame_rate;
    if (next < double(reel.ready)) {
        position_ = next;
        return;
    }
    if (reel.ready < reel.count) { // just before the frame that is missing
        position_ = std::max(position_, double(reel.ready) - 1e-6);
        return;
    }
    is_playing_ = is_looping_;
    position_ = is_looping_ ? 0 : double(reel.count - 1);
}

Transport::Clock::time_point Transport::next_due(const Reel& reel) const
{
    if (!is_playing_ || position_ >= double(reel.ready))
        return Clock::time_point::max();
    const double left = (std::floor(position_) + 1 - position_) / (speed_ * reel.frame_rate);
    return updated_ + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(std::max(left + 1e-4, kShortestWait)));
}

} // namespace sinew::viewer
