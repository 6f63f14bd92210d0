#include "render/camera.h"

#include "base/contract.h"
#include "sinew/render.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace picture {

namespace {

Vec up_for(const Vec& forward) { return abs(forward.y) < 0.999f ? Vec{0, 1, 0} : Vec{0, 0, -1}; }

} // namespace

Lens::Lens(const RenderOptions& options, const Ruler& ruler)
    : origin_(ruler.point(options.camera.position)),
      forward_(to_float(normalised(options.camera.target - options.camera.position)))
{
    const Camera& camera = options.camera;
    right_ = normalised(cross(forward_, up_for(forward_)));
    up_ = cross(right_, forward_);
    half_height_ = tan(float(camera.field_of_view) / 2);
    step_ = 2 * half_height_ / float(options.height);
    half_width_ = step_ * float(options.width) / 2;
    lens_radius_ = ruler.length(options.studio.aperture / 2);
    const double focus = options.studio.focus;
    focus_ = ruler.length(focus > 0 ? focus : length(camera.target - camera.position));
}

/// All rays through one point of the picture meet where things are sharp.
Ray Lens::ray(float x, float y, float u, float v) const
{
    constexpr float kTurn = 6.28318531f;
    const Vec way = direction(x, y);
    if (lens_radius_ == 0)
        return {origin_, way};
    const float r = lens_radius_ * sqrt(u), angle = kTurn * v;
    const Vec from = origin_ + right_ * (r * cos(angle)) + up_ * (r * sin(angle));
    const Vec sharp = origin_ + way * (focus_ / max(1e-6f, dot(way, forward_)));
    return {from, normalised(sharp - from)};
}

Lens::Pixel Lens::project(const Vec& point) const
{
    const Vec way = point - origin_;
    const float depth = dot(way, forward_);
    if (!(depth > 0))
        return {0, 0, false};
    return {(dot(way, right_) / depth + half_width_) / step_,
            (half_height_ - dot(way, up_) / depth) / step_, true};
}

} // namespace picture

namespace {

std::array<Vec3, 8> corners_of(const Bounds& bounds)
{
    std::array<Vec3, 8> corners;
    for (unsigned i = 0; i < 8; ++i)
        corners[i] = {i & 1 ? bounds.high.x : bounds.low.x, i & 2 ? bounds.high.y : bounds.low.y,
                      i & 4 ? bounds.high.z : bounds.low.z};
    return corners;
}

} // namespace

std::optional<double> find_ground(const Display& display, const DisplayFrame& frame)
{
    std::optional<double> ground;
    for (const Element& element : display.elements) {
        if (element.kind != ElementKind::plane || element.colour != kGroundColour)
            continue;
        const Affine& pose = frame.poses[element.first];
        const bool is_level = normalised(cross(pose.linear.z, pose.linear.x)).y > 0.999999;
        if (is_level && is_finite(pose.origin))
            ground = std::max(ground.value_or(pose.origin.y), pose.origin.y);
    }
    return ground;
}

Bounds join(const Bounds& a, const Bounds& b)
{
    if (a.is_empty() || b.is_empty())
        return a.is_empty() ? b : a;
    Bounds both = a;
    for (int k = 0; k < 3; ++k) {
        both.low[k] = std::min(a.low[k], b.low[k]);
        both.high[k] = std::max(a.high[k], b.high[k]);
    }
    return both;
}

/// The sides of the view are four planes through the eye. Along each of the two directions of the
/// picture the corners that lie farthest out, seen from infinity, fix where opposite planes meet.
Camera make_camera(const Bounds& bounds, double aspect)
{
    SINEW_EXPECTS(aspect > 0);
    constexpr double kFieldOfView = 0.49, kMargin = 1.08; // 28 degrees
    const Vec3 from = normalised(Vec3{0.36, 0.21, 1});
    const Bounds box = bounds.is_empty() ? Bounds{{-1, -1, -1}, {1, 1, 1}} : bounds;
    const Vec3 forward = -from, right = normalised(cross(forward, Vec3{0, 1, 0})),
               up = cross(right, forward), middle = (box.low + box.high) * 0.5;
    const double slope_up = tan(kFieldOfView / 2) / kMargin, slope_right = slope_up * aspect;

    double distance = 1e-9 + 0.01 * length(box.high - box.low);
    Vec3 target = middle;
    for (const auto& [axis, slope] : {std::pair{right, slope_right}, std::pair{up, slope_up}}) {
        // |a| ≤ slope (distance + d) for all corners: a across, d deeper than the target.
        double high = -1e300, low = -1e300;
        for (const Vec3& corner : corners_of(box)) {
            const Vec3 x = corner - middle;
            const double a = dot(x, axis), d = dot(x, forward);
            high = std::max(high, a - slope * d);
            low = std::max(low, -a - slope * d);
        }
        target += axis * ((high - low) / 2);
        distance = std::max(distance, (high + low) / 2 / slope);
    }
    return {.position = target + from * distance, .target = target, .field_of_view = kFieldOfView};
}

} // namespace sinew
