// A solid is cut by planes until every part is as good as its convex hull. A part is a list of flat
// faces, each a heap of edges without order: of the surface, or made by cuts. A cut keeps the edges
// below the plane and joins the ends it makes by pairs along the line where face and plane meet;
// the same joins are the edges of the new face in the plane. Nothing has to be linked into
// outlines.
//
// How wrong a hull is, is measured on the surface's faces: how far it is from a place along the
// face's normal out of the hull. Planes tried are those of the faces that lie deepest, since a cut
// along a face ends its being covered, and three along the axes through the deepest place.

#include "geometry/convex_pieces.h"

#include "base/parallel.h"
#include "math/functions.h"
#include "sinew/threads.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace sinew {

namespace {

struct Line {
    Vec3 p, q;
};

struct FlatFace {
    std::vector<Line> lines;
    Vec3 normal;
    bool is_surface;
};

struct Plane {
    Vec3 normal;
    double offset;
};

struct Part {
    std::vector<FlatFace> faces;
    Hull hull;
    double depth = 0;   ///< of the surface below the hull, at most
    double missing = 0; ///< the same, summed over areas: about the volume that is too much
    Vec3 deepest = {0, 0, 0};
    bool is_final = false;
};

bool is_before(const Vec3& a, const Vec3& b)
{
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}

/// Where a line crosses a plane; the same bits for both directions of the line.
Vec3 crossing(const Vec3& p, const Vec3& q, double at_p, double at_q)
{
    if (at_p == 0)
        return p;
    if (at_q == 0)
        return q;
    if (is_before(q, p))
        return crossing(q, p, at_q, at_p);
    return p + (q - p) * (at_p / (at_p - at_q));
}

/// The part of a face below a plane; what is on the plane is not. New edges go to the cap too.
FlatFace clip_face(const FlatFace& face, const Plane& plane, double rounding, FlatFace& cap)
{
    const auto height = [&](const Vec3& x) {
        const double above = dot(plane.normal, x) - plane.offset;
        return abs(above) < rounding ? 0 : above;
    };
    FlatFace kept{{}, face.normal, face.is_surface};
    std::vector<Vec3> ends;
    for (const auto& [p, q] : face.lines) {
        const double at_p = height(p), at_q = height(q);
        if (at_p < 0 && at_q < 0) {
            kept.lines.push_back({p, q});
        } else if (at_p < 0 || at_q < 0) {
            const Vec3 x = crossing(p, q, at_p, at_q);
            kept.lines.push_back({at_p < 0 ? p : q, x});
            ends.push_back(x);
        }
    }
    const Vec3 along = cross(face.normal, plane.normal);
    std::ranges::stable_sort(ends, {}, [&](const Vec3& x) { return dot(along, x); });
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
        kept.lines.push_back({ends[i], ends[i + 1]});
        cap.lines.push_back({ends[i], ends[i + 1]});
    }
    return kept;
}

/// How far above a place the hull ends, along n.
double way_out(const Hull& hull, const Vec3& x, const Vec3& n)
{
    double way = std::numeric_limits<double>::infinity();
    for (const Hull::Face& face : hull.faces)
        if (const double facing = dot(face.normal, n); facing > 1e-6)
            way = min(way, max(0.0, face.offset - dot(face.normal, x)) / facing);
    return way;
}

Vec3 middle_of(const FlatFace& face)
{
    Vec3 sum{0, 0, 0};
    for (const auto& [p, q] : face.lines)
        sum += p + q;
    return sum / (2.0 * static_cast<double>(face.lines.size()));
}

/// The deepest place of a face below the hull.
struct Deepest {
    double depth = 0;
    Vec3 place = {0, 0, 0};
};
Deepest find_deepest(const Hull& hull, const FlatFace& face)
{
    Deepest deepest;
    const auto look = [&](const Vec3& x) {
        if (const double way = way_out(hull, x, face.normal); way > deepest.depth)
            deepest = {way, x};
    };
    look(middle_of(face));
    for (const auto& [p, q] : face.lines) {
        look(p);
        look((p + q) * 0.5);
    }
    return deepest;
}

void measure(Part& part)
{
    for (const FlatFace& face : part.faces) {
        if (!face.is_surface)
            continue;
        const Deepest deepest = find_deepest(part.hull, face);
        const Vec3 middle = middle_of(face);
        double area = 0;
        for (const auto& [p, q] : face.lines)
            area += 0.5 * length(cross(p - middle, q - middle));
        part.missing += area * deepest.depth;
        if (deepest.depth > part.depth)
            part.depth = deepest.depth, part.deepest = deepest.place;
    }
}

/// A part with hull and measures. None when it has no volume.
std::optional<Part> make_part(std::vector<FlatFace> faces)
{
    std::vector<Vec3> points;
    for (const FlatFace& face : faces)
        for (const Line& line : face.lines)
            points.push_back(line.p), points.push_back(line.q);
    std::ranges::sort(points, is_before);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    Result<Hull> hull = make_hull(points);
    if (!hull)
        return std::nullopt;
    Part part{.faces = std::move(faces), .hull = std::move(*hull)};
    measure(part);
    return part;
}

std::optional<Part> clip(const Part& part, const Plane& plane, double rounding)
{
    std::vector<FlatFace> faces;
    FlatFace cap{{}, plane.normal, false};
    for (const FlatFace& face : part.faces)
        if (FlatFace kept = clip_face(face, plane, rounding, cap); !kept.lines.empty())
            faces.push_back(std::move(kept));
    if (faces.empty())
        return std::nullopt;
    if (!cap.lines.empty())
        faces.push_back(std::move(cap));
    return make_part(std::move(faces));
}

/// Planes that may be good cuts, the most promising first.
std::vector<Plane> find_planes(const Part& part)
{
    constexpr std::size_t kMostFaces = 8;
    struct Wish {
        double weight;
        Plane plane;
    };
    std::vector<Wish> wishes;
    for (const FlatFace& face : part.faces) {
        if (!face.is_surface)
            continue;
        const double depth = find_deepest(part.hull, face).depth;
        const Plane plane{face.normal, dot(face.normal, face.lines[0].p)};
        if (depth < 0.2 * part.depth)
            continue;
        const auto same = std::ranges::find_if(wishes, [&](const Wish& wish) {
            return dot(wish.plane.normal, plane.normal) > 1 - 1e-9 &&
                   abs(wish.plane.offset - plane.offset) < 1e-6 * part.depth;
        });
        if (same == wishes.end())
            wishes.push_back({depth, plane});
        else
            same->weight += depth;
    }
    std::ranges::stable_sort(wishes, std::greater{}, &Wish::weight);
    std::vector<Plane> planes;
    for (std::size_t i = 0; i < std::min(kMostFaces, wishes.size()); ++i)
        planes.push_back(wishes[i].plane);
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        planes.push_back({axis, dot(axis, part.deepest)});
    return planes;
}

/// The cut that leaves least too much; none when no plane cuts the part in two.
std::optional<std::array<Part, 2>> cut(const Part& part, double rounding)
{
    const std::vector<Plane> planes = find_planes(part);
    std::vector<std::optional<Part>> sides(2 * planes.size());
    for_each_index(sides.size(), threads_here(), [&](std::size_t i) {
        const Plane& plane = planes[i / 2];
        sides[i] = clip(part, i % 2 == 0 ? plane : Plane{-plane.normal, -plane.offset}, rounding);
    });
    std::optional<std::array<Part, 2>> best;
    double least = part.missing;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        std::optional<Part>&below = sides[2 * i], &above = sides[2 * i + 1];
        if (!below || !above || !(below->missing + above->missing < least))
            continue;
        least = below->missing + above->missing;
        best = {std::move(*below), std::move(*above)};
    }
    return best;
}

std::vector<FlatFace> faces_of(const TriangleMesh& mesh)
{
    std::vector<FlatFace> faces;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 p = mesh.vertices[a], q = mesh.vertices[b], r = mesh.vertices[c];
        const Vec3 across = cross(q - p, r - p);
        if (const double size = length(across); size > 0)
            faces.push_back({{{p, q}, {q, r}, {r, p}}, across / size, true});
    }
    return faces;
}

} // namespace

Result<std::vector<Hull>> make_convex_pieces(const TriangleMesh& mesh, const PiecesOptions& options)
{
    Result<Hull> whole = make_hull(mesh.vertices);
    if (!whole)
        return whole.problems();
    double size = 0;
    for (const Vec3& vertex : mesh.vertices)
        size = max(size, length(vertex - mesh.vertices[0]));
    const double rounding = 1e-9 * size, tolerance = max(options.tolerance, 10 * rounding);
    std::vector<Part> parts;
    if (std::optional<Part> first = make_part(faces_of(mesh)))
        parts.push_back(std::move(*first));
    while (parts.size() < options.most) {
        const auto worst = std::ranges::max_element(
            parts, {}, [](const Part& part) { return part.is_final ? 0 : part.depth; });
        if (worst == parts.end() || worst->is_final || worst->depth <= tolerance)
            break;
        std::optional<std::array<Part, 2>> halves = cut(*worst, rounding);
        if (!halves) {
            worst->is_final = true;
            continue;
        }
        *worst = std::move((*halves)[0]);
        parts.push_back(std::move((*halves)[1]));
    }
    std::vector<Hull> pieces;
    for (Part& part : parts)
        pieces.push_back(std::move(part.hull));
    return pieces;
}

} // namespace sinew
