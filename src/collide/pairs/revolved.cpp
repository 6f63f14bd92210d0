#include "collide/pairs/revolved.h"

#include "collide/touch.h"
#include "math/functions.h"

#include <limits>

namespace sinew {

namespace {

/// A place beside the axis: distance from it, and height.
struct Profile {
    double out, up;

    friend Profile operator-(Profile a, Profile b) { return {a.out - b.out, a.up - b.up}; }
    friend double dot(Profile a, Profile b) { return a.out * b.out + a.up * b.up; }
};

struct NearestProfile {
    double gap;
    Profile normal;
    std::uint32_t feature;
};

/// The outline that turns about the axis: foot, side and, of a cylinder, the other cap.
struct Outline {
    std::array<Profile, 4> corner;
    std::size_t count;

    explicit Outline(const CollisionShape& shape)
        : corner{{{0, -shape.half.y},
                  {shape.radius, -shape.half.y},
                  {shape.radius, shape.half.y},
                  {0, shape.half.y}}},
          count(4)
    {
        if (shape.kind == CollisionKind::cone)
            corner[2] = corner[3], count = 3;
    }
};

NearestProfile find_nearest_profile(const Outline& outline, Profile x)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    NearestProfile inside{-kInfinity, {0, 0}, 0}, outside{kInfinity, {0, 0}, 0};
    for (std::size_t k = 0; k + 1 < outline.count; ++k) {
        const Profile p = outline.corner[k], along = outline.corner[k + 1] - p, from = x - p;
        const double size = sqrt(dot(along, along));
        const Profile normal{along.up / size, -along.out / size};
        const double height = dot(normal, from);
        const auto edge = static_cast<std::uint32_t>(k);
        if (height > inside.gap)
            inside = {height, normal, edge};
        if (height <= 0)
            continue;
        const double share = min(1.0, max(0.0, dot(from, along) / (size * size)));
        const Profile way{from.out - along.out * share, from.up - along.up * share};
        const double distance =
            share > 0 && share < 1 ? height : sqrt(dot(way, way)); // the height is more exact
        if (distance < outside.gap)
            outside = {distance,
                       share > 0 && share < 1 ? normal
                                              : Profile{way.out / distance, way.up / distance},
                       edge};
    }
    return inside.gap <= 0 ? inside : outside;
}

} // namespace

void collide_sphere_revolved(const Placed& sphere, const Placed& revolved, bool sphere_is_a,
                             const CollideLengths& lengths, Manifold& m)
{
    m.count = 0;
    const Vec3 centre = revolved.to_local(sphere.x);
    const Profile x{sqrt(centre.x * centre.x + centre.z * centre.z), centre.y};
    const NearestProfile nearest = find_nearest_profile(Outline(*revolved.shape), x);
    const double radius = sphere.shape->radius, gap = nearest.gap - radius;
    if (gap > lengths.reach)
        return;
    const Vec3 radial = radial_along(centre);
    const Vec3 outwards = radial * nearest.normal.out + Vec3{0, nearest.normal.up, 0};
    m.count = 1;
    m.is_of_a = !sphere_is_a;
    m.local_normal = sphere_is_a ? -outwards : outwards;
    m.normal = revolved.R * m.local_normal;
    const Vec3 on_revolved = centre - outwards * nearest.gap;
    const Vec3 on_sphere = transpose(sphere.R) * (revolved.R * outwards) * -radius;
    m.point[0] = {sphere_is_a ? on_sphere : on_revolved, sphere_is_a ? on_revolved : on_sphere, gap,
                  1};
}

void collide_convex(const Placed& a, const Placed& b, const CollideLengths& lengths, Manifold& m)
{
    ConvexTouch touch;
    const Convex seen_b = seen_from(a, b);
    find_touch(seen_from(a, a), seen_b, lengths, touch);
    m.count = touch.count;
    m.is_of_a = touch.axis.kind != ConvexAxis::Kind::face_b;
    m.normal = a.R * touch.axis.normal;
    m.local_normal = m.is_of_a ? touch.axis.normal : transpose(seen_b.R) * touch.axis.normal;
    for (std::size_t i = 0; i < static_cast<std::size_t>(touch.count); ++i) {
        const ConvexTouch::Point& point = touch.point[i];
        m.point[i] = {point.on_a, seen_b.to_local(point.on_b), point.gap, point.feature};
    }
}

} // namespace sinew
