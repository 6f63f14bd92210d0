#include "collide/pairs/separation.h"

#include "math/functions.h"

#include <array>
#include <limits>

namespace sinew {

namespace {

using Kind = SeparatingAxis::Kind;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

SeparatingAxis make_none() { return {.separation = -kInfinity}; }

// ---------------------------------------------------------------- boxes

/// Everything fifteen axes of two boxes need, in the frame of a.
struct BoxPair {
    std::array<std::array<double, 3>, 3> R, Q; ///< axes of b seen from a, and their sizes
    Vec3 d, t;                                 ///< from a to b: world, a's frame

    BoxPair(const Placed& a, const Placed& b) : d(b.x - a.x), t(transpose(a.R) * d)
    {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                R[i][j] = dot(a.R[i], b.R[j]);
                Q[i][j] = abs(R[i][j]);
            }
    }
};

/// The face axes of one box. False: one of them separates.
bool try_faces(const BoxPair& pair, const Placed& a, const Placed& b, bool of_a, double reach,
               SeparatingAxis& best)
{
    const Vec3 &ha = a.shape->half, &hb = b.shape->half;
    for (int i = 0; i < 3; ++i) {
        double along = pair.t[i],
               radii = ha[i] + hb.x * pair.Q[i][0] + hb.y * pair.Q[i][1] + hb.z * pair.Q[i][2];
        if (!of_a) {
            along = pair.t.x * pair.R[0][i] + pair.t.y * pair.R[1][i] + pair.t.z * pair.R[2][i];
            radii = hb[i] + ha.x * pair.Q[0][i] + ha.y * pair.Q[1][i] + ha.z * pair.Q[2][i];
        }
        const double separation = abs(along) - radii;
        if (separation > reach)
            return false;
        if (separation <= best.separation)
            continue;
        const Vec3 axis = of_a ? a.R[i] : b.R[i];
        const bool is_ahead = along > 0;
        best.kind = of_a ? Kind::face_a : Kind::face_b;
        best.separation = separation;
        best.normal = is_ahead ? axis : -axis;
        // of a the face that looks to b, of b the one that looks back
        (of_a ? best.a : best.b) = static_cast<std::uint32_t>(2 * i + (is_ahead == of_a ? 0 : 1));
    }
    return true;
}

/// The edge of a box along an axis that lies farthest along a direction.
std::uint32_t find_edge(const Hull& hull, int axis, const Vec3& direction)
{
    std::uint32_t best = 0;
    double farthest = -kInfinity;
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
        const Vec3 p = hull.vertices[hull.edges[e].a], q = hull.vertices[hull.edges[e].b];
        const double along = dot(direction, p + q);
        if ((p - q)[axis] != 0 && along > farthest)
            farthest = along, best = e;
    }
    return best;
}

/// The nine axes across two edges.
bool try_edges(const BoxPair& pair, const Placed& a, const Placed& b, double reach,
               SeparatingAxis& best)
{
    constexpr double kParallel = 1e-4; // sin² of the angle between edges that say nothing new
    const Vec3 &ha = a.shape->half, &hb = b.shape->half;
    int best_i = 0, best_j = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double across = 1 - pair.R[i][j] * pair.R[i][j];
            if (across < kParallel)
                continue;
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double along = pair.t[i2] * pair.R[i1][j] - pair.t[i1] * pair.R[i2][j];
            const double radii = ha[i1] * pair.Q[i2][j] + ha[i2] * pair.Q[i1][j] +
                                 hb[j1] * pair.Q[i][j2] + hb[j2] * pair.Q[i][j1];
            const double separation = (abs(along) - radii) / sqrt(across);
            if (separation > reach)
                return false;
            if (separation > best.separation) {
                best.kind = Kind::edges;
                best.separation = separation;
                best_i = i;
                best_j = j;
            }
        }
    if (best.kind == Kind::edges) {
        const Vec3 n = normalised(cross(a.R[best_i], b.R[best_j]));
        best.normal = dot(n, pair.d) < 0 ? -n : n;
        best.a = find_edge(a.shape->hull, best_i, transpose(a.R) * best.normal);
        best.b = find_edge(b.shape->hull, best_j, transpose(b.R) * -best.normal);
    }
    return true;
}

// ---------------------------------------------------------------- hulls

double lowest_along(const Hull& hull, const Vec3& n)
{
    double lowest = kInfinity;
    for (const Vec3& vertex : hull.vertices)
        lowest = min(lowest, dot(n, vertex));
    return lowest;
}

/// The faces of one hull against the corners of the other. False: one of them separates.
bool try_hull_faces(const Placed& own, const Placed& other, Kind kind, double reach,
                    SeparatingAxis& best)
{
    const Hull& hull = own.shape->hull;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const Vec3 n = own.R * hull.faces[f].normal;
        const double separation = dot(n, other.x - own.x) +
                                  lowest_along(other.shape->hull, transpose(other.R) * n) -
                                  hull.faces[f].offset;
        if (separation > reach)
            return false;
        if (separation <= best.separation)
            continue;
        best.kind = kind;
        best.separation = separation;
        best.normal = kind == Kind::face_a ? n : -n;
        (kind == Kind::face_a ? best.a : best.b) = f;
    }
    return true;
}

/// Whether two edges build a face of the difference of the hulls: the arcs of their faces' normals
/// cross on the sphere of directions. c, d are b's normals turned round.
bool do_arcs_cross(const Vec3& a, const Vec3& b, const Vec3& b_x_a, const Vec3& c, const Vec3& d,
                   const Vec3& d_x_c)
{
    const double cba = dot(c, b_x_a), dba = dot(d, b_x_a);
    const double adc = dot(a, d_x_c), bdc = dot(b, d_x_c);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

bool try_hull_edges(const Placed& a, const Placed& b, double reach, SeparatingAxis& best)
{
    constexpr double kParallel = 1e-2; // sine
    const Hull &p = a.shape->hull, &q = b.shape->hull;
    const Mat3 R = transpose(a.R) * b.R; // b's directions, seen from a
    const Vec3 shift = transpose(a.R) * (b.x - a.x);
    for (std::uint32_t j = 0; j < q.edges.size(); ++j) {
        const Hull::Edge& f = q.edges[j];
        const Vec3 q0 = R * q.vertices[f.a] + shift, v = R * q.vertices[f.b] + shift - q0;
        const Vec3 c = -(R * q.faces[f.left].normal), d = -(R * q.faces[f.right].normal);
        for (std::uint32_t i = 0; i < p.edges.size(); ++i) {
            const Hull::Edge& e = p.edges[i];
            const Vec3 p0 = p.vertices[e.a], u = p.vertices[e.b] - p0;
            if (!do_arcs_cross(p.faces[e.left].normal, p.faces[e.right].normal, u, c, d, v))
                continue;
            const Vec3 n = cross(u, v);
            const double size = length(n);
            if (!(size > kParallel * sqrt(squared_length(u) * squared_length(v))))
                continue;
            Vec3 normal = n / size;
            if (dot(normal, p.faces[e.left].normal + p.faces[e.right].normal) < 0)
                normal = -normal;
            const double separation = dot(normal, q0 - p0);
            if (separation > reach)
                return false;
            if (separation > best.separation)
                best = {Kind::edges, separation, a.R * normal, i, j};
        }
    }
    return true;
}

} // namespace

SeparatingAxis find_axis(const Placed& a, const Placed& b, double reach, double face_bias,
                         double edge_bias)
{
    const bool are_boxes =
        a.shape->kind == CollisionKind::box && b.shape->kind == CollisionKind::box;
    SeparatingAxis of_a = make_none(), of_b = make_none(), edges = make_none();
    if (are_boxes) {
        const BoxPair pair(a, b);
        if (!try_faces(pair, a, b, true, reach, of_a) ||
            !try_faces(pair, a, b, false, reach, of_b) || !try_edges(pair, a, b, reach, edges))
            return {};
    } else if (!try_hull_faces(a, b, Kind::face_a, reach, of_a) ||
               !try_hull_faces(b, a, Kind::face_b, reach, of_b) ||
               !try_hull_edges(a, b, reach, edges)) {
        return {};
    }
    const SeparatingAxis& face = of_b.separation > of_a.separation + face_bias ? of_b : of_a;
    return edges.separation > face.separation + edge_bias ? edges : face;
}

} // namespace sinew
