#include "collide/pairs/convex.h"

#include "math/functions.h"

#include <limits>

namespace sinew {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kTilted = 16; // rim corners that follow the tilt have other numbers

Vec3 hull_support(const Hull& hull, const Vec3& d)
{
    std::size_t best = 0;
    double farthest = -kInfinity;
    for (std::size_t i = 0; i < hull.vertices.size(); ++i)
        if (const double along = dot(d, hull.vertices[i]); along > farthest)
            farthest = along, best = i;
    return hull.vertices[best];
}

Vec3 rim_support(const CollisionShape& shape, const Vec3& d, double y)
{
    const Vec3 radial = radial_along(d);
    return {radial.x * shape.radius, y, radial.z * shape.radius};
}

/// x = A² d / |A d| with the radii on the diagonal of A.
Vec3 ellipsoid_support(const Vec3& radii, const Vec3& d)
{
    const Vec3 stretched = {radii.x * d.x, radii.y * d.y, radii.z * d.z};
    const double size = length(stretched);
    if (!(size > 0))
        return {0, radii.y, 0};
    return {radii.x * stretched.x / size, radii.y * stretched.y / size,
            radii.z * stretched.z / size};
}

Vec3 local_support(const CollisionShape& shape, const Vec3& d)
{
    const double h = shape.half.y;
    switch (shape.kind) {
    case CollisionKind::capsule: return {0, d.y < 0 ? -h : h, 0};
    case CollisionKind::box:
        return {d.x < 0 ? -shape.half.x : shape.half.x, d.y < 0 ? -h : h,
                d.z < 0 ? -shape.half.z : shape.half.z};
    case CollisionKind::hull: return hull_support(shape.hull, d);
    case CollisionKind::cylinder: return rim_support(shape, d, d.y < 0 ? -h : h);
    case CollisionKind::ellipsoid: return ellipsoid_support(shape.half, d);
    case CollisionKind::cone: {
        const Vec3 rim = rim_support(shape, d, -h);
        return dot(d, rim) > d.y * h ? rim : Vec3{0, h, 0};
    }
    default: return {0, 0, 0};
    }
}

/// Half the width where it is least.
double size_of(const CollisionShape& shape)
{
    switch (shape.kind) {
    case CollisionKind::sphere:
    case CollisionKind::capsule: return shape.radius;
    case CollisionKind::ellipsoid:
    case CollisionKind::box: return min(shape.half.x, min(shape.half.y, shape.half.z));
    case CollisionKind::cylinder:
    case CollisionKind::cone: return min(shape.radius, shape.half.y);
    default: return 0.3 * shape.bounding_radius;
    }
}

void add_disc(const Convex& c, const Vec3& d, double side, double flat, SupportFace& face)
{
    const CollisionShape& shape = *c.shape;
    const Vec3 tilt = {d.x, 0, d.z};
    const bool is_tilted = shape.radius * length(tilt) > flat;
    const Vec3 u = is_tilted ? normalised(tilt) : Vec3{1, 0, 0};
    const Vec3 v = {-u.z, 0, u.x};
    constexpr double kRoot = 0.70710678118654752440;
    constexpr std::array<std::array<double, 2>, 8> kRound = {{{1, 0},
                                                              {kRoot, -kRoot},
                                                              {0, -1},
                                                              {-kRoot, -kRoot},
                                                              {-1, 0},
                                                              {-kRoot, kRoot},
                                                              {0, 1},
                                                              {kRoot, kRoot}}};
    face.is_disc = true;
    face.normal = c.R.y * side;
    face.centre = c.to_search({0, side * shape.half.y, 0});
    face.radius = shape.radius;
    const std::uint32_t cap = side < 0 ? 0 : 8;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Vec3 way = (u * kRound[i][0] + v * kRound[i][1]) * shape.radius;
        face.add(face.centre + c.R * way, (is_tilted ? kTilted : 0) + cap + i);
    }
}

/// A side's line: of a cylinder between its rims, of a cone from rim to tip.
void add_side(const Convex& c, const Vec3& radial, SupportFace& face)
{
    const CollisionShape& shape = *c.shape;
    const double h = shape.half.y;
    const Vec3 out = radial * shape.radius;
    const Vec3 tip = shape.kind == CollisionKind::cone ? Vec3{0, h, 0} : out + Vec3{0, h, 0};
    face.add(c.to_search(out - Vec3{0, h, 0}), 0);
    face.add(c.to_search(tip), 1);
}

void add_hull_face(const Convex& c, const Vec3& d, SupportFace& face)
{
    constexpr double kSameDirection = 1e-9; // between cosines: of equal faces the first is taken
    const Hull& hull = c.shape->hull;
    std::size_t best = 0;
    double highest = -kInfinity;
    for (std::size_t f = 0; f < hull.faces.size(); ++f)
        if (const double along = dot(hull.faces[f].normal, d); along > highest + kSameDirection)
            highest = along, best = f;
    face.normal = c.R * hull.faces[best].normal;
    const std::span<const std::uint32_t> corners = hull.corners_of(hull.faces[best]);
    // of very round faces some corners are enough
    const std::size_t stride = 1 + (corners.size() - 1) / SupportFace::kMostCorners;
    for (std::size_t k = 0; k < corners.size(); k += stride)
        face.add(c.to_search(hull.vertices[corners[k]]), corners[k]);
}

} // namespace

Vec3 Convex::centre() const
{
    return shape ? to_search(shape->middle) : (triangle[0] + triangle[1] + triangle[2]) / 3.0;
}

Vec3 radial_along(const Vec3& d)
{
    const double across = sqrt(d.x * d.x + d.z * d.z);
    return across > 0 ? Vec3{d.x / across, 0, d.z / across} : Vec3{1, 0, 0};
}

Vec3 side_normal(const CollisionShape& shape, const Vec3& radial)
{
    if (shape.kind == CollisionKind::cylinder)
        return radial;
    const Vec3 n = radial * (2 * shape.half.y) + Vec3{0, shape.radius, 0};
    return normalised(n);
}

Convex seen_from(const Placed& frame, const Placed& placed)
{
    Convex c;
    c.shape = placed.shape;
    c.x = frame.to_local(placed.x);
    c.R = transpose(frame.R) * placed.R;
    if (&frame == &placed)
        c.x = {0, 0, 0}, c.R = Mat3::identity(); // exactly
    if (placed.shape->kind == CollisionKind::sphere || placed.shape->kind == CollisionKind::capsule)
        c.radius = placed.shape->radius;
    c.size = size_of(*placed.shape);
    return c;
}

Convex make_triangle(const std::array<Vec3, 3>& corner, const Vec3& normal)
{
    Convex c;
    c.triangle = corner;
    c.triangle_normal = normal;
    c.size = kInfinity;
    return c;
}

Vec3 core_support(const Convex& c, const Vec3& n)
{
    if (c.shape)
        return c.to_search(local_support(*c.shape, transpose(c.R) * n));
    const double p = dot(n, c.triangle[0]), q = dot(n, c.triangle[1]), r = dot(n, c.triangle[2]);
    return p >= q && p >= r ? c.triangle[0] : q >= r ? c.triangle[1] : c.triangle[2];
}

double separation_along(const Convex& a, const Convex& b, const Vec3& n)
{
    return dot(n, core_support(b, -n) - core_support(a, n)) - a.radius - b.radius;
}

void find_support_face(const Convex& c, const Vec3& d, double flat, SupportFace& face)
{
    face.count = 0;
    face.is_disc = false;
    if (!c.shape) {
        face.normal = c.triangle_normal;
        for (std::uint32_t i = 0; i < 3; ++i)
            face.add(c.triangle[i], i);
        return;
    }
    const Vec3 local = transpose(c.R) * d;
    if (c.has_hull())
        return add_hull_face(c, local, face);
    if (c.shape->kind == CollisionKind::ellipsoid)
        return face.add(core_support(c, d), 0);
    if (!c.is_revolved()) {
        for (const double end : {-1.0, 1.0})
            if (end > 0 || c.shape->half.y > 0)
                face.add(c.to_search(Vec3{0, end * c.shape->half.y, 0}) + d * c.radius,
                         end < 0 ? 0 : 1);
        return;
    }
    const Vec3 radial = radial_along(local);
    const double beside = dot(side_normal(*c.shape, radial), local);
    const double side = c.shape->kind == CollisionKind::cone || local.y < 0 ? -1 : 1;
    if (side * local.y > beside)
        add_disc(c, local, side, flat, face);
    else
        add_side(c, radial, face);
}

void find_support_line(const Convex& c, const Vec3& d, double tolerance, SupportFace& line)
{
    const double farthest = dot(d, core_support(c, d)) + c.radius;
    line.count = 0;
    line.is_disc = false;
    const auto add = [&](const Vec3& place, std::uint32_t number) {
        if (dot(d, place) >= farthest - tolerance)
            line.add(place, number);
    };
    if (c.has_hull()) {
        const std::vector<Vec3>& vertices = c.shape->hull.vertices;
        for (std::uint32_t i = 0; i < vertices.size(); ++i)
            add(c.to_search(vertices[i]), i);
        return;
    }
    SupportFace face;
    find_support_face(c, d, 0, face);
    for (std::size_t i = 0; i < static_cast<std::size_t>(face.is_disc ? 1 : face.count); ++i)
        add(face.corner[i], face.id[i]);
}

} // namespace sinew
