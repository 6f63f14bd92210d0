// Where on a rod a hand is.

#include "session/parts.h"

#include <algorithm>

namespace sinew {

std::span<const Vec3> nodes_of_rod(const Scene& scene, const Frame& frame, ObjectId object)
{
    std::size_t behind = frame.nodes.size(); // rods come last
    for (std::size_t i = scene.rods.size(); i-- > 0;) {
        const std::size_t count = scene.rods[i].spans + std::size_t(1);
        if (behind < count)
            return {};
        behind -= count;
        if (scene.rods[i].object == object)
            return std::span(frame.nodes).subspan(behind, count);
    }
    return {};
}

double find_along(std::span<const Vec3> nodes, const Vec3& place)
{
    double best = 0, least = -1;
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
        const Vec3 way = nodes[k + 1] - nodes[k], off = place - nodes[k];
        const double square = dot(way, way);
        const double part = square > 0 ? std::clamp(dot(off, way) / square, 0.0, 1.0) : 0;
        const Vec3 left = off - way * part;
        if (const double distance = dot(left, left); least < 0 || distance < least) {
            least = distance;
            best = (double(k) + part) / double(nodes.size() - 1);
        }
    }
    return best;
}

Vec3 point_along(std::span<const Vec3> nodes, double along)
{
    const double at = std::clamp(along, 0.0, 1.0) * double(nodes.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), nodes.size() - 2);
    return nodes[k] + (nodes[k + 1] - nodes[k]) * (at - double(k));
}

/// Hands as they are seen: those on rods hold the point of its frame that is there now.
std::vector<Grab> Session::Parts::hands_on(const Frame& frame, std::vector<Grab> grabs) const
{
    for (Grab& grab : grabs)
        if (const auto nodes = nodes_of_rod(scene, frame, grab.object); !nodes.empty()) {
            const Affine& X = frame.objects[grab.object.index];
            grab.point = inverse(X.linear) * (point_along(nodes, grab.point.x) - X.origin);
        }
    return grabs;
}

} // namespace sinew
