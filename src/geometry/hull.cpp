// Quickhull [Barber96]: a tetrahedron grows by the point farthest outside one of its faces, which
// replaces all faces it sees. Afterwards neighbouring triangles in one plane become one face.

#include "geometry/hull.h"

#include "math/functions.h"

#include <algorithm>
#include <limits>
#include <map>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

struct Triangle {
    std::array<std::uint32_t, 3> vertex = {};
    std::array<std::uint32_t, 3> next = {kNone, kNone, kNone}; ///< beyond the edge vertex[i], [i+1]
    Vec3 normal = {0, 0, 0};
    double offset = 0;
    std::vector<std::uint32_t> outside = {}; ///< points above it
    bool is_gone = false;
};

class Quickhull {
public:
    Quickhull(std::span<const Vec3> points, double tolerance)
        : points_(points), tolerance_(tolerance)
    {
    }

    /// False when the points are flat.
    bool build()
    {
        if (!start())
            return false;
        for (std::uint32_t f = 0; f < triangles_.size(); ++f) // the list grows meanwhile
            while (!triangles_[f].is_gone && !triangles_[f].outside.empty())
                add_farthest(f);
        return true;
    }

    const std::vector<Triangle>& triangles() const { return triangles_; }

private:
    double height(const Triangle& face, std::uint32_t point) const
    {
        return dot(face.normal, points_[point]) - face.offset;
    }

    std::uint32_t add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c)
    {
        Triangle face{.vertex = {a, b, c}};
        const Vec3 n = cross(points_[b] - points_[a], points_[c] - points_[a]);
        const double size = length(n);
        if (size > 0)
            face.normal = n / size;
        face.offset = dot(face.normal, points_[a]);
        triangles_.push_back(std::move(face));
        return static_cast<std::uint32_t>(triangles_.size() - 1);
    }

    void give(std::uint32_t point, std::span<const std::uint32_t> faces)
    {
        std::uint32_t best = kNone;
        double highest = tolerance_;
        for (const std::uint32_t f : faces)
            if (const double above = height(triangles_[f], point); above > highest)
                highest = above, best = f;
        if (best != kNone)
            triangles_[best].outside.push_back(point);
    }

    /// The first tetrahedron: as large as is easily found.
    bool start()
    {
        const auto farthest = [&](auto&& measure) {
            std::uint32_t best = 0;
            for (std::uint32_t i = 1; i < points_.size(); ++i)
                if (measure(points_[i]) > measure(points_[best]))
                    best = i;
            return best;
        };
        const Vec3 any = points_[0];
        const std::uint32_t a = farthest([&](const Vec3& x) { return squared_length(x - any); });
        const Vec3 A = points_[a];
        const std::uint32_t b = farthest([&](const Vec3& x) { return squared_length(x - A); });
        const Vec3 along = points_[b] - A;
        std::uint32_t c =
            farthest([&](const Vec3& x) { return squared_length(cross(x - A, along)); });
        const Vec3 n = cross(along, points_[c] - A);
        const std::uint32_t d = farthest([&](const Vec3& x) { return abs(dot(n, x - A)); });
        const double volume = dot(n, points_[d] - A);
        if (!(length(n) > tolerance_ * length(along)) || !(abs(volume) > tolerance_ * length(n)))
            return false;
        std::uint32_t b_now = b;
        if (volume > 0)
            std::swap(b_now, c);
        add_triangle(a, b_now, c);
        add_triangle(a, d, b_now);
        add_triangle(b_now, d, c);
        add_triangle(c, d, a);
        triangles_[0].next = {1, 2, 3};
        triangles_[1].next = {3, 2, 0};
        triangles_[2].next = {1, 3, 0};
        triangles_[3].next = {2, 1, 0};
        const std::array<std::uint32_t, 4> all = {0, 1, 2, 3};
        for (std::uint32_t i = 0; i < points_.size(); ++i)
            give(i, all);
        return true;
    }

    /// The rim of what a point sees, in order: (face beyond, its edge).
    void walk(std::uint32_t face, std::uint32_t entered, std::uint32_t point)
    {
        // With a stack of its own: a hull may have many faces.
        struct Visit {
            std::uint32_t face, first, done;
        };
        std::vector<Visit> stack = {{face, entered, 0}};
        triangles_[face].is_gone = true;
        seen_.push_back(face);
        const std::uint32_t turns_of_root = 3;
        while (!stack.empty()) {
            Visit& visit = stack.back();
            const std::uint32_t turns = stack.size() == 1 ? turns_of_root : 2;
            if (visit.done == turns) {
                stack.pop_back();
                continue;
            }
            const std::uint32_t edge = (visit.first + visit.done + (stack.size() == 1 ? 0 : 1)) % 3;
            ++visit.done;
            const std::uint32_t here = visit.face, beyond = triangles_[here].next[edge];
            if (triangles_[beyond].is_gone)
                continue;
            const std::uint32_t back = edge_towards(beyond, here);
            if (height(triangles_[beyond], point) > tolerance_) {
                triangles_[beyond].is_gone = true;
                seen_.push_back(beyond);
                stack.push_back({beyond, back, 0});
            } else {
                rim_.push_back({beyond, back});
            }
        }
    }

    std::uint32_t edge_towards(std::uint32_t face, std::uint32_t other) const
    {
        for (std::uint32_t e = 0; e < 3; ++e)
            if (triangles_[face].next[e] == other)
                return e;
        return 0;
    }

    void add_farthest(std::uint32_t face)
    {
        const std::vector<std::uint32_t>& above = triangles_[face].outside;
        const std::uint32_t point =
            *std::max_element(above.begin(), above.end(), [&](std::uint32_t i, std::uint32_t j) {
                return height(triangles_[face], i) < height(triangles_[face], j);
            });
        seen_.clear();
        rim_.clear();
        walk(face, 0, point);
        std::vector<std::uint32_t> made;
        for (const auto& [beyond, edge] : rim_) {
            // The edge runs the other way round on this side.
            const std::uint32_t b = triangles_[beyond].vertex[edge];
            const std::uint32_t a = triangles_[beyond].vertex[(edge + 1) % 3];
            const std::uint32_t fresh = add_triangle(a, b, point);
            triangles_[fresh].next[0] = beyond;
            triangles_[beyond].next[edge] = fresh;
            made.push_back(fresh);
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            const std::uint32_t after = made[(i + 1) % made.size()];
            triangles_[made[i]].next[1] = after;
            triangles_[after].next[2] = made[i];
        }
        for (const std::uint32_t gone : seen_) {
            for (const std::uint32_t orphan : triangles_[gone].outside)
                if (orphan != point)
                    give(orphan, made);
            triangles_[gone].outside.clear();
        }
    }

    std::span<const Vec3> points_;
    double tolerance_;
    std::vector<Triangle> triangles_;
    std::vector<std::uint32_t> seen_;
    std::vector<std::array<std::uint32_t, 2>> rim_;
};

// ---------------------------------------------------------------- whole faces

/// Which triangles share a plane, by the number of one of them.
std::vector<std::uint32_t> find_planes(const std::vector<Triangle>& triangles,
                                       std::span<const Vec3> points, double tolerance)
{
    std::vector<std::uint32_t> plane(triangles.size());
    std::vector<std::uint32_t> by_size;
    for (std::uint32_t f = 0; f < triangles.size(); ++f) {
        plane[f] = kNone;
        if (!triangles[f].is_gone)
            by_size.push_back(f);
    }
    const auto area = [&](std::uint32_t f) {
        const auto& [a, b, c] = triangles[f].vertex;
        return squared_length(cross(points[b] - points[a], points[c] - points[a]));
    };
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::uint32_t f, std::uint32_t g) { return area(f) > area(g); });
    std::vector<std::uint32_t> border;
    for (const std::uint32_t seed : by_size) { // large ones know their planes best
        if (plane[seed] != kNone)
            continue;
        plane[seed] = seed;
        border = {seed};
        while (!border.empty()) {
            const std::uint32_t f = border.back();
            border.pop_back();
            for (const std::uint32_t g : triangles[f].next) {
                if (plane[g] != kNone)
                    continue;
                const bool is_flat = std::ranges::all_of(triangles[g].vertex, [&](std::uint32_t v) {
                    return abs(dot(triangles[seed].normal, points[v]) - triangles[seed].offset) <=
                           tolerance;
                });
                if (is_flat && dot(triangles[g].normal, triangles[seed].normal) >= 0) {
                    plane[g] = seed;
                    border.push_back(g);
                }
            }
        }
    }
    return plane;
}

/// The outline of the triangles of one plane: from each corner to the next.
std::vector<std::uint32_t> trace_outline(const std::vector<Triangle>& triangles,
                                         const std::vector<std::uint32_t>& plane,
                                         std::uint32_t seed)
{
    std::map<std::uint32_t, std::uint32_t> after;
    for (std::uint32_t f = 0; f < triangles.size(); ++f)
        if (plane[f] == seed)
            for (std::uint32_t e = 0; e < 3; ++e)
                if (plane[triangles[f].next[e]] != seed)
                    after[triangles[f].vertex[e]] = triangles[f].vertex[(e + 1) % 3];
    std::vector<std::uint32_t> outline;
    for (std::uint32_t v = after.begin()->first; outline.size() < after.size(); v = after.at(v))
        outline.push_back(v);
    return outline;
}

/// Corners on a straight way between their neighbours say nothing; where a third face meets them
/// they stay, so that edges of neighbours agree.
bool is_straight(const Vec3& a, const Vec3& b, const Vec3& c, double tolerance)
{
    const Vec3 along = c - a;
    return length(cross(b - a, along)) <= tolerance * length(along);
}

Problem refuse(std::string code, std::string what, std::string hint)
{
    return {.code = std::move(code), .what = std::move(what), .hint = std::move(hint)};
}

struct Outline {
    std::uint32_t seed;
    std::vector<std::uint32_t> corners;
};

/// Vertices where at least three faces meet.
std::vector<int> count_faces(const std::vector<Outline>& outlines, std::size_t points)
{
    std::vector<int> count(points);
    for (const Outline& outline : outlines)
        for (const std::uint32_t v : outline.corners)
            ++count[v];
    return count;
}

void drop_straight(std::vector<Outline>& outlines, std::span<const Vec3> points, double tolerance)
{
    const std::vector<int> faces = count_faces(outlines, points.size());
    for (Outline& outline : outlines) {
        std::vector<std::uint32_t> kept;
        const std::size_t n = outline.corners.size();
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t v = outline.corners[i];
            const bool goes =
                faces[v] < 3 && is_straight(points[outline.corners[(i + n - 1) % n]], points[v],
                                            points[outline.corners[(i + 1) % n]], tolerance);
            if (!goes)
                kept.push_back(v);
        }
        if (kept.size() >= 3)
            outline.corners = std::move(kept);
    }
}

/// Newell's normal of an outline, and the mean height of its corners.
Hull::Face make_face(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners)
{
    Vec3 normal{0, 0, 0}, middle{0, 0, 0};
    const Vec3 origin = vertices[corners[0]];
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 a = vertices[corners[i]] - origin;
        const Vec3 b = vertices[corners[(i + 1) % corners.size()]] - origin;
        normal += cross(a, b);
        middle += vertices[corners[i]] / double(corners.size());
    }
    normal = normalised(normal);
    double highest = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t corner : corners)
        highest = max(highest, dot(normal, vertices[corner]));
    return {
        .count = static_cast<std::uint32_t>(corners.size()), .normal = normal, .offset = highest};
}

void add_edges(Hull& hull)
{
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> left;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const std::span<const std::uint32_t> corners = hull.corners_of(hull.faces[f]);
        for (std::size_t i = 0; i < corners.size(); ++i)
            left[{corners[i], corners[(i + 1) % corners.size()]}] = f;
    }
    for (const auto& [ends, face] : left)
        if (const auto other = left.find({ends[1], ends[0]});
            ends[0] < ends[1] && other != left.end())
            hull.edges.push_back({ends[0], ends[1], face, other->second});
}

Hull assemble(const std::vector<Outline>& outlines, std::span<const Vec3> points)
{
    Hull hull;
    std::vector<std::uint32_t> number(points.size(), kNone);
    for (const Outline& outline : outlines)
        for (const std::uint32_t v : outline.corners)
            number[v] = 0;
    for (std::size_t v = 0; v < points.size(); ++v) // in the order they were given
        if (number[v] == 0) {
            number[v] = static_cast<std::uint32_t>(hull.vertices.size());
            hull.vertices.push_back(points[v]);
        }
    for (const Outline& outline : outlines) {
        const auto first = static_cast<std::uint32_t>(hull.corners.size());
        for (const std::uint32_t v : outline.corners)
            hull.corners.push_back(number[v]);
        Hull::Face face = make_face(hull.vertices, std::span(hull.corners).subspan(first));
        face.first = first;
        hull.faces.push_back(face);
    }
    add_edges(hull);
    return hull;
}

double largest_coordinate(std::span<const Vec3> points)
{
    double largest = 0;
    for (const Vec3& x : points)
        largest = max(largest, max(abs(x.x), max(abs(x.y), abs(x.z))));
    return largest;
}

} // namespace

Result<Hull> make_hull(std::span<const Vec3> points)
{
    constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
    constexpr double kFlat = 1e-9; // of the size: a face is not bent by less
    if (!std::ranges::all_of(points, [](const Vec3& x) { return is_finite(x); }))
        return refuse("hull-not-finite", "a point of the hull is not finite",
                      "give numbers that are");
    if (points.size() < 4)
        return refuse("hull-few-points",
                      "a hull needs at least four points, not " + std::to_string(points.size()),
                      "add points that are not all in one plane");
    const double size = largest_coordinate(points);
    Quickhull quickhull(points, kRounding * size);
    if (!quickhull.build())
        return refuse("hull-flat", "the points of the hull lie in one plane",
                      "add a point beside that plane, or use a box");
    const std::vector<Triangle>& triangles = quickhull.triangles();
    const std::vector<std::uint32_t> plane = find_planes(triangles, points, kFlat * size);
    std::vector<Outline> outlines;
    for (std::uint32_t f = 0; f < triangles.size(); ++f)
        if (plane[f] == f)
            outlines.push_back({f, trace_outline(triangles, plane, f)});
    drop_straight(outlines, points, kFlat * size);
    return assemble(outlines, points);
}

TriangleMesh triangles_of(const Hull& hull)
{
    TriangleMesh mesh{.vertices = hull.vertices};
    for (const Hull::Face& face : hull.faces) {
        const std::span<const std::uint32_t> corners = hull.corners_of(face);
        for (std::size_t i = 2; i < corners.size(); ++i)
            mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
    return mesh;
}

} // namespace sinew
