#pragma once

// Everything a ray can meet: elements as Embree's geometry, planes by themselves.

#include "render/vector.h"
#include "sinew/display.h"
#include "sinew/render.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinew::picture {

struct Hit {
    float distance = 0;
    Vec position, normal; ///< the normal faces the ray
    Vec colour;           ///< linear
    std::uint32_t object = Image::kNothing;
    bool is_floor = false;
};

/// World coordinates to those of the picture: (x − centre) / scale.
struct Ruler {
    Vec3 centre = {0, 0, 0};
    double scale = 1;

    Vec point(const Vec3& x) const { return to_float((x - centre) / scale); }
    float length(double x) const { return float(x / scale); }
};

constexpr float kFar = 1e30f;

class Stage {
public:
    Stage(const Display& display, const DisplayFrame& frame, const RenderOptions& options);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    const Ruler& ruler() const;

    /// The nearest thing on a ray. Directions have length one.
    std::optional<Hit> find_hit(const Vec& origin, const Vec& direction) const;

    /// The same without floors, not farther than `reach`.
    std::optional<Hit> find_thing(const Vec& origin, const Vec& direction,
                                  float reach = kFar) const;

    /// Whether a thing that is no floor is on the ray.
    bool is_blocked(const Vec& origin, const Vec& direction) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew::picture
