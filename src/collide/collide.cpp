// Which shapes meet how.

#include "collide/manifold.h"
#include "collide/pairs/clip.h"
#include "collide/pairs/revolved.h"
#include "collide/pairs/round.h"
#include "collide/pairs/separation.h"
#include "math/functions.h"

namespace sinew {

namespace {

bool is_round(const Placed& placed)
{
    return placed.shape->kind == CollisionKind::sphere ||
           placed.shape->kind == CollisionKind::capsule;
}

bool is_revolved(const Placed& placed)
{
    return placed.shape->kind == CollisionKind::cylinder ||
           placed.shape->kind == CollisionKind::cone;
}

bool is_ellipsoid(const Placed& placed) { return placed.shape->kind == CollisionKind::ellipsoid; }

bool is_sphere(const Placed& placed) { return placed.shape->kind == CollisionKind::sphere; }

bool is_plane(const Placed& placed) { return placed.shape->kind == CollisionKind::plane; }

/// Two edges that cross: one point, where they are nearest.
void cross_edges(const Placed& a, const Placed& b, const SeparatingAxis& axis, Manifold& m)
{
    const Hull &p = a.shape->hull, &q = b.shape->hull;
    const Vec3 p0 = a.to_world(p.vertices[p.edges[axis.a].a]);
    const Vec3 q0 = b.to_world(q.vertices[q.edges[axis.b].a]);
    const Vec3 u = a.to_world(p.vertices[p.edges[axis.a].b]) - p0;
    const Vec3 v = b.to_world(q.vertices[q.edges[axis.b].b]) - q0, w = p0 - q0;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const double determinant = uu * vv - uv * uv;
    const double s = min(1.0, max(0.0, (uv * vw - vv * uw) / determinant));
    const double t = min(1.0, max(0.0, (uu * vw - uv * uw) / determinant));
    const Vec3 on_a = p0 + u * s, on_b = q0 + v * t;
    m.count = 1;
    m.normal = axis.normal;
    m.local_normal = transpose(a.R) * axis.normal;
    m.is_of_a = true;
    m.point[0] = {a.to_local(on_a), b.to_local(on_b), dot(axis.normal, on_b - on_a),
                  0x40000000u | (axis.a << 12) | axis.b};
}

void collide_hulls(const Placed& a, const Placed& b, const CollideLengths& lengths, Manifold& m)
{
    const SeparatingAxis axis =
        find_axis(a, b, lengths.reach, lengths.face_bias, lengths.edge_bias);
    switch (axis.kind) {
    case SeparatingAxis::Kind::none: m.count = 0; break;
    case SeparatingAxis::Kind::face_a: clip_faces(a, b, axis.a, false, lengths, m); break;
    case SeparatingAxis::Kind::face_b: clip_faces(b, a, axis.b, true, lengths, m); break;
    case SeparatingAxis::Kind::edges: cross_edges(a, b, axis, m);
    }
}

} // namespace

void collide(const Placed& a, const Placed& b, const CollideLengths& lengths, Manifold& m)
{
    if (is_plane(a))
        collide_plane(a, b, true, lengths, m);
    else if (is_plane(b))
        collide_plane(b, a, false, lengths, m);
    else if (is_ellipsoid(a) || is_ellipsoid(b))
        collide_convex(a, b, lengths, m);
    else if (is_sphere(a) && is_revolved(b))
        collide_sphere_revolved(a, b, true, lengths, m);
    else if (is_revolved(a) && is_sphere(b))
        collide_sphere_revolved(b, a, false, lengths, m);
    else if (is_revolved(a) || is_revolved(b))
        collide_convex(a, b, lengths, m);
    else if (is_round(a) && is_round(b))
        collide_round(a, b, lengths, m);
    else if (is_round(a))
        collide_round_hull(a, b, false, lengths, m);
    else if (is_round(b))
        collide_round_hull(b, a, true, lengths, m);
    else
        collide_hulls(a, b, lengths, m);
}

Vec3 touching_place(const Placed& placed, const Placed& other, const Vec3& local,
                    const Vec3& outwards)
{
    // Between triangles the normal is not that of the nearest place.
    const bool rolls = is_sphere(placed) && other.shape->kind != CollisionKind::mesh;
    return rolls ? placed.x + outwards * placed.shape->radius : placed.to_world(local);
}

void update_gaps(const Placed& a, const Placed& b, Manifold& m)
{
    const Vec3 apart = b.x - a.x;
    if (is_sphere(a) && is_sphere(b) && apart != Vec3{0, 0, 0})
        m.normal = normalised(apart);
    else
        m.normal = m.is_of_a ? a.R * m.local_normal : b.R * m.local_normal;
    for (int i = 0; i < m.count; ++i) {
        ContactPoint& point = m.point[static_cast<std::size_t>(i)];
        point.gap = dot(m.normal, touching_place(b, a, point.on_b, -m.normal) -
                                      touching_place(a, b, point.on_a, m.normal));
    }
}

} // namespace sinew
