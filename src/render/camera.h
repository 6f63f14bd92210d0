#pragma once

#include "render/ray_scene.h"
#include "sinew/scene.h"

namespace sinew::picture {

/// Rays through the pixels of a picture.
class Lens {
public:
    Lens(const RenderOptions& options, const Ruler& ruler);

    const Vec& origin() const { return origin_; }

    /// Through a place of the picture in pixels from its upper left corner.
    Vec direction(float x, float y) const
    {
        return normalised(forward_ + right_ * (x * step_ - half_width_) -
                          up_ * (y * step_ - half_height_));
    }

    /// The same, from a place of the lens; u, v in 0 to 1.
    Ray ray(float x, float y, float u, float v) const;

    /// The size of a pixel at distance 1.
    float step() const { return step_; }

    struct Pixel {
        float x, y;
        bool is_ahead;
    };
    /// Where a point of the picture's coordinates appears.
    Pixel project(const Vec& point) const;

private:
    Vec origin_, forward_, right_, up_;
    float half_width_, half_height_, step_; ///< at distance 1
    float lens_radius_, focus_;
};

} // namespace sinew::picture
