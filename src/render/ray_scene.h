#pragma once

// Everything a ray can meet: elements as Embree's geometry, planes by themselves.

#include "render/image/paint.h"
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
    const Paint* paint = nullptr;
    bool is_floor = false;
    bool is_plane = false;   ///< without end: it is lost in the distance
    bool is_inside = false;  ///< the surface was met from its back
    Vec tangent = {0, 0, 0}; ///< of ropes and fibres: along them; else 0
    float across = 0;        ///< of fibres: −1 at one rim, 1 at the other
    float along = 0;         ///< of ropes and blades: how far from the root
    float angle = 0;         ///< of ropes: about the middle, from the section's x
};

/// World coordinates to those of the picture: (x − centre) / scale.
struct Ruler {
    Vec3 centre = {0, 0, 0};
    double scale = 1;

    Vec point(const Vec3& x) const { return to_float((x - centre) / scale); }
    float length(double x) const { return float(x / scale); }
};

/// A ray at a moment: 0 when the shutter opens, 1 when it closes.
struct Ray {
    Vec origin, direction; ///< of length one
    float time = 0;
};

constexpr float kFar = 1e30f;

class RayScene {
public:
    RayScene(const Display& display, const DisplayFrame& frame, const RenderOptions& options);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    const Ruler& ruler() const;
    bool has_glass() const;

    /// The nearest thing on a ray.
    std::optional<Hit> find_hit(const Ray& ray) const;

    /// The same without floors, not farther than `reach`.
    std::optional<Hit> find_thing(const Ray& ray, float reach = kFar) const;

    /// Whether a thing that is no floor is on the ray.
    bool is_blocked(const Ray& ray) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew::picture
