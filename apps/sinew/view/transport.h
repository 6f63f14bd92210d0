#pragma once

// Which frame is shown when: play, pause, speed, loop, by the clock on the wall.

#include <chrono>
#include <cstdint>

namespace sinew::viewer {

/// How far there is something to show.
struct Reel {
    double frame_rate = 24;
    std::int64_t ready = 0; ///< frames 0 .. ready − 1 can be played
    std::int64_t count = 0; ///< planned
};

class Transport {
public:
    using Clock = std::chrono::steady_clock;

    std::int64_t frame() const { return static_cast<std::int64_t>(position_); }
    bool is_playing() const { return is_playing_; }
    bool is_looping() const { return is_looping_; }
    double speed() const { return speed_; }

    /// From the start where it stands at the end.
    void play(Clock::time_point now, const Reel& reel);
    /// From where it stands.
    void go_on(Clock::time_point now)
    {
        is_playing_ = true;
        updated_ = now;
    }
    void pause() { is_playing_ = false; }
    void seek(std::int64_t frame) { position_ = double(frame < 0 ? 0 : frame); }
    void set_speed(double speed) { speed_ = speed; }
    void set_looping(bool on) { is_looping_ = on; }

    /// Goes on to now, where frames are ready; waits for those that are not.
    void update(Clock::time_point now, const Reel& reel);

    /// When the next frame is due; far away when none is.
    Clock::time_point next_due(const Reel& reel) const;

private:
    double position_ = 0; ///< in frames
    double speed_ = 1;
    bool is_playing_ = false, is_looping_ = false;
    Clock::time_point updated_ = {};
};

} // namespace sinew::viewer
