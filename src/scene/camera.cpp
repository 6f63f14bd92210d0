#include "sinew/scene.h"

#include <algorithm>

namespace sinew {

Camera camera_at(const Camera& camera, double time)
{
    Camera now = camera;
    if (camera.keys.empty())
        return now;
    const auto after = std::ranges::upper_bound(camera.keys, time, {}, &CameraKey::time);
    const CameraKey& next = after == camera.keys.end() ? camera.keys.back() : *after;
    const CameraKey& last = after == camera.keys.begin() ? next : *(after - 1);
    const double span = next.time - last.time;
    const double s = span > 0 ? (time - last.time) / span : 0;
    now.position = last.position + (next.position - last.position) * s;
    now.target = last.target + (next.target - last.target) * s;
    return now;
}

} // namespace sinew
