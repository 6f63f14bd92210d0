#pragma once

// The motion of a script or a recording, as pictures need it: frames, and the space they take.

#include "commands.h"

#include "sinew/display.h"
#include "sinew/render.h"
#include "sinew/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

class Motion {
public:
    /// Reads a script and simulates it, or opens a recording.
    static Result<Motion> open(const PictureOptions& options);

    const Scene& scene() const { return session_.scene(); }
    const Display& display() const { return display_; }
    std::int64_t frame_count() const { return session_.valid_count(); }
    const Problems& notes() const { return session_.problems(); }
    const std::optional<Problem>& fault() const { return session_.fault(); }

    /// Requires 0 ≤ frame < frame_count().
    const Frame& frame(std::int64_t index);
    const DisplayFrame& placed(std::int64_t index);

    /// Nothing where the simulation cannot be made again.
    std::optional<Session::Details> details(std::int64_t index);

    /// The ways of all masses that move, up to a frame.
    std::vector<Trail> trails(std::int64_t index, double seconds);

    /// The box around all frames, as far as they stay near where they start.
    Bounds bounds();

    /// A frame worth a picture: a third of the way, before everything has left.
    std::int64_t typical_frame();

private:
    explicit Motion(Session session) : session_(std::move(session)) {}
    bool simulate();
    void measure();
    void thicken();

    Session session_;
    Display display_;
    std::shared_ptr<const Shot> shot_;
    bool is_whole_ = true;
    DisplayFrame placed_;
    Bounds bounds_;
    std::vector<std::int64_t> near_; ///< frames inside of the box
};

} // namespace sinew::app
