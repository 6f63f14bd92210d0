#pragma once

// The pictures of one motion, drawn one by one for others to put together.

#include "commands.h"

#include "sinew/render.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sinew::app {

class Painter {
public:
    /// Opens the script or recording of the options. These must outlive the painter.
    static Result<Painter> open(const PictureOptions& options);
    Painter(Painter&&) noexcept;
    ~Painter();

    std::int64_t frame_count() const;
    double frame_rate() const;
    std::int64_t typical_frame() const;
    const Camera& camera() const;
    void set_camera(const Camera& camera);
    /// Words at the lower edge.
    void set_title(const std::string& title);

    /// The last frame where there is none of this number. Without pixels: interrupted.
    Image draw(std::int64_t frame);

private:
    struct Parts;
    explicit Painter(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew::app
