// Where on a strand or rod a hand is.

#include "session/parts.h"

#include <algorithm>

namespace sinew {

namespace {

std::uint32_t curve_count(const Scene& scene)
{
    return static_cast<std::uint32_t>(scene.strands.size() + scene.rods.size());
}

bool is_of(const Scene& scene, std::uint32_t curve, ObjectId object)
{
    if (curve < scene.strands.size())
        return scene.strands[curve].object == object || scene.strands[curve].tree == object;
    return scene.rods[curve - scene.strands.size()].object == object;
}

std::uint32_t pieces_of(const Scene& scene, std::uint32_t curve)
{
    return curve < scene.strands.size() ? scene.strands[curve].segments
                                        : scene.rods[curve - scene.strands.size()].spans;
}

struct Nearest {
    double along = 0, square = -1; ///< the distance's
};

Nearest find_nearest(std::span<const Vec3> nodes, const Vec3& place)
{
    Nearest best;
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
        const Vec3 way = nodes[k + 1] - nodes[k], off = place - nodes[k];
        const double square = dot(way, way);
        const double part = square > 0 ? std::clamp(dot(off, way) / square, 0.0, 1.0) : 0;
        const Vec3 left = off - way * part;
        if (const double distance = dot(left, left); best.square < 0 || distance < best.square)
            best = {(double(k) + part) / double(nodes.size() - 1), distance};
    }
    return best;
}

} // namespace

std::span<const Vec3> nodes_of_curve(const Scene& scene, const Frame& frame, std::uint32_t curve)
{
    std::size_t first = 0;
    for (std::uint32_t i = 0; i < curve; ++i)
        first += pieces_of(scene, i) + std::size_t(1);
    const std::size_t count = pieces_of(scene, curve) + std::size_t(1);
    return first + count <= frame.nodes.size() ? std::span(frame.nodes).subspan(first, count)
                                               : std::span<const Vec3>();
}

std::optional<std::uint32_t> find_curve(const Scene& scene, ObjectId object, std::uint32_t number)
{
    for (std::uint32_t i = 0; i < curve_count(scene); ++i)
        if (is_of(scene, i, object) && number-- == 0)
            return i;
    return std::nullopt;
}

std::optional<CurvePlace> find_place(const Scene& scene, const Frame& frame, ObjectId object,
                                     const Vec3& place)
{
    std::optional<CurvePlace> found;
    double least = -1;
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < curve_count(scene); ++i) {
        if (!is_of(scene, i, object))
            continue;
        const Nearest near = find_nearest(nodes_of_curve(scene, frame, i), place);
        if (near.square >= 0 && (least < 0 || near.square < least)) {
            least = near.square;
            found = {.curve = i, .number = number, .along = near.along};
        }
        ++number;
    }
    return found;
}

Vec3 point_along(std::span<const Vec3> nodes, double along)
{
    const double at = std::clamp(along, 0.0, 1.0) * double(nodes.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), nodes.size() - 2);
    return nodes[k] + (nodes[k + 1] - nodes[k]) * (at - double(k));
}

/// Hands as they are seen: those on curves hold the point of its frame that is there now.
std::vector<Grab> Session::Parts::hands_on(const Frame& frame, std::vector<Grab> grabs) const
{
    for (Grab& grab : grabs)
        if (const auto curve = find_curve(scene, grab.object, grab.curve)) {
            const std::span<const Vec3> nodes = nodes_of_curve(scene, frame, *curve);
            if (nodes.empty())
                continue;
            const Affine& X = frame.objects[grab.object.index];
            grab.point = inverse(X.linear) * (point_along(nodes, grab.along) - X.origin);
        }
    return grabs;
}

} // namespace sinew
