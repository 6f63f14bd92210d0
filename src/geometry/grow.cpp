// Hair on a surface.
//
//   in:  triangles, how many curves and of what manner, guides
//   out: curves and the places of their roots
//
// The area is cut into as many equal parts as there are roots, and each has its root at random in
// its own: even, and a root stays where it is when numbers other than count and seed change. What
// is random is a number of the seed, the curve and what it is for, never of the order of the work.

#include "geometry/grow.h"

#include "base/contract.h"
#include "math/functions.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <utility>

namespace sinew {

namespace {

/// What a random number of a curve is for.
enum class Use : std::uint64_t { part, u, v, length, phase, curl, tilt, way };

/// From 0 to below 1 [Steele14].
double chance(std::uint32_t seed, std::uint32_t curve, Use use)
{
    std::uint64_t z = (std::uint64_t(seed) << 32) + curve;
    for (int round = 0; round < 2; ++round) {
        z += 0x9e3779b97f4a7c15 * (std::uint64_t(use) + 1);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z = z ^ (z >> 31);
    }
    return double(z >> 11) * 0x1p-53;
}

struct Corners {
    Vec3 a, b, c;

    Corners(const TriangleMesh& mesh, std::uint32_t triangle)
        : a(mesh.vertices[mesh.triangles[triangle][0]]),
          b(mesh.vertices[mesh.triangles[triangle][1]]),
          c(mesh.vertices[mesh.triangles[triangle][2]])
    {
    }
    Vec3 across() const { return cross(b - a, c - a); } ///< twice the area
    Vec3 normal() const { return normalised(across()); }
    Vec3 at(const MeshPlace& place) const { return a + (b - a) * place.u + (c - a) * place.v; }
};

/// Some direction across another.
Vec3 any_across(const Vec3& n)
{
    const Vec3 axis = abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalised(axis - n * dot(axis, n));
}

/// The smallest turn from one direction to another.
Quat turn_between(const Vec3& from, const Vec3& to)
{
    const double w = 1 + dot(from, to);
    if (w < 1e-9)
        return rotation_about(any_across(from), std::numbers::pi);
    const Vec3 v = cross(from, to);
    return normalised(Quat{v.x, v.y, v.z, w});
}

double smooth(double s)
{
    s = min(max(s, 0.0), 1.0);
    return s * s * (3 - 2 * s);
}

/// A guide by its arc length, from where it stands and with the surface's normal there.
struct Guide {
    Vec3 root, normal;
    double length = 0;
    std::vector<Vec3> ways; ///< from the root, at equal parts of its length
};

class Grower {
public:
    Grower(const TriangleMesh& mesh, const Growth& growth, const CurveSet& guides)
        : mesh_(mesh), growth_(growth)
    {
        add_guides(guides);
    }

    Grown run()
    {
        Grown grown;
        grown.roots = find_roots();
        const std::vector<std::uint32_t> leaders = find_leaders(grown.roots);
        std::vector<std::vector<Vec3>> curves;
        for (std::uint32_t i = 0; i < growth_.count; ++i)
            curves.push_back(grow_one(i, grown.roots[i]));
        for (std::uint32_t i = 0; i < growth_.count; ++i) {
            const std::vector<Vec3>& leader = curves[leaders[i]];
            for (std::size_t k = 0; k < curves[i].size(); ++k) {
                const double pull = leaders[i] == i ? 0 : growth_.clumping * part_at(k);
                grown.curves.points.push_back(curves[i][k] + (leader[k] - curves[i][k]) * pull);
            }
            grown.curves.counts.push_back(growth_.points);
        }
        return grown;
    }

private:
    double part_at(std::size_t k) const { return double(k) / double(growth_.points - 1); }

    std::vector<MeshPlace> find_roots() const
    {
        std::vector<double> before;
        double area = 0;
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            before.push_back(area);
            area += length(Corners(mesh_, t).across());
        }
        SINEW_EXPECTS(area > 0);
        std::vector<MeshPlace> roots;
        for (std::uint32_t i = 0; i < growth_.count; ++i) {
            const double at = area * (i + chance(growth_.seed, i, Use::part)) / growth_.count;
            const auto next = std::ranges::upper_bound(before, at);
            const double u = chance(growth_.seed, i, Use::u), v = chance(growth_.seed, i, Use::v);
            const double r = sqrt(u); // even over a triangle
            roots.push_back(
                {static_cast<std::uint32_t>(next - before.begin()) - 1, r * (1 - v), r * v});
        }
        return roots;
    }

    Vec3 place_of(const MeshPlace& root) const { return Corners(mesh_, root.triangle).at(root); }

    /// The curve in the middle of each one's clump: the nearest of those that lead.
    std::vector<std::uint32_t> find_leaders(const std::vector<MeshPlace>& roots) const
    {
        std::vector<std::uint32_t> leader(growth_.count);
        for (std::uint32_t i = 0; i < growth_.count; ++i)
            leader[i] = i;
        const std::uint32_t clumps = std::min(growth_.clumps, growth_.count);
        if (clumps == 0)
            return leader;
        std::vector<std::uint32_t> led; // spread over the area as the roots are
        std::vector<Vec3> places;
        for (std::uint32_t c = 0; c < clumps; ++c) {
            led.push_back(static_cast<std::uint32_t>(std::uint64_t(c) * growth_.count / clumps));
            places.push_back(place_of(roots[led.back()]));
        }
        for (std::uint32_t i = 0; i < growth_.count; ++i) {
            const Vec3 own = place_of(roots[i]);
            const auto nearest = std::ranges::min_element(
                places, {}, [&](const Vec3& other) { return dot(other - own, other - own); });
            leader[i] = led[static_cast<std::size_t>(nearest - places.begin())];
        }
        return leader;
    }

    void add_guides(const CurveSet& curves)
    {
        std::size_t first = 0;
        for (const std::uint32_t count : curves.counts) {
            const std::span<const Vec3> points(&curves.points[first], count);
            first += count;
            Guide guide;
            guide.root = points[0];
            guide.normal = normal_near(points[0]);
            for (std::size_t k = 1; k < points.size(); ++k)
                guide.length += length(points[k] - points[k - 1]);
            if (!(guide.length > 0))
                continue;
            std::size_t piece = 1;
            double before = 0;
            for (std::uint32_t k = 0; k < growth_.points; ++k) {
                const double wanted = guide.length * part_at(k);
                double size = length(points[piece] - points[piece - 1]);
                while (piece + 1 < points.size() && before + size < wanted) {
                    before += size;
                    ++piece;
                    size = length(points[piece] - points[piece - 1]);
                }
                const double part = size > 0 ? min((wanted - before) / size, 1.0) : 0;
                guide.ways.push_back(points[piece - 1] +
                                     (points[piece] - points[piece - 1]) * part - guide.root);
            }
            guides_.push_back(std::move(guide));
        }
    }

    Vec3 normal_near(const Vec3& place) const
    {
        Vec3 normal{0, 1, 0};
        double least = 1e300;
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            const Corners corners(mesh_, t);
            const Vec3 off = (corners.a + corners.b + corners.c) / 3.0 - place;
            if (dot(off, off) < least && length(corners.across()) > 0) {
                least = dot(off, off);
                normal = corners.normal();
            }
        }
        return normal;
    }

    std::vector<Vec3> grow_one(std::uint32_t i, const MeshPlace& root) const
    {
        const Corners corners(mesh_, root.triangle);
        const Vec3 place = corners.at(root), normal = corners.normal();
        std::vector<Vec3> ways = guides_.empty() ? free_ways(i, normal) : led_ways(place, normal);
        double own = 0;
        for (std::size_t k = 1; k < ways.size(); ++k)
            own += length(ways[k] - ways[k - 1]);
        const double wanted = growth_.length.value_or(own) *
                              (1 + growth_.vary * 0.5 * (2 * draw(i, Use::length) - 1));
        for (Vec3& way : ways)
            way = way * (wanted / own);
        add_curl(i, ways);
        for (Vec3& way : ways)
            way += place;
        return ways;
    }

    double draw(std::uint32_t i, Use use) const { return chance(growth_.seed, i, use); }

    /// Up along the normal, over along the slope, at last down.
    std::vector<Vec3> free_ways(std::uint32_t i, const Vec3& normal) const
    {
        const Vec3 down{0, -1, 0};
        const Vec3 first = any_across(normal), second = cross(normal, first);
        const double angle = 2 * std::numbers::pi * draw(i, Use::way);
        const Vec3 random = first * cos(angle) + second * sin(angle);
        const Vec3 slope = down - normal * dot(down, normal);
        const Vec3 way = normalised(slope + random * (0.05 + 0.5 * growth_.vary));
        const Vec3 up = normalised(normal + random * (0.5 * growth_.vary * draw(i, Use::tilt)));
        std::vector<Vec3> ways{{0, 0, 0}};
        for (std::uint32_t k = 1; k < growth_.points; ++k) {
            const double s = part_at(k) - 0.5 * part_at(1);
            const double lies = growth_.droop * smooth(s / 0.3);
            const double hangs = growth_.droop * smooth((s - 0.3) / 0.5);
            const Vec3 over = way * (1 - hangs) + down * hangs;
            const Vec3 along = up * (1 - lies) + over * lies;
            const double size = length(along);
            ways.push_back(ways.back() + (size > 1e-6 ? along / size : way));
        }
        return ways;
    }

    /// A mixture of the nearest guides by the inverse square of their distance.
    std::vector<Vec3> led_ways(const Vec3& place, const Vec3& normal) const
    {
        std::array<std::size_t, 3> nearest = {0, 0, 0};
        std::array<double, 3> away = {1e300, 1e300, 1e300};
        for (std::size_t g = 0; g < guides_.size(); ++g) {
            const Vec3 off = guides_[g].root - place;
            double d = dot(off, off);
            std::size_t number = g;
            for (std::size_t k = 0; k < nearest.size(); ++k)
                if (d < away[k])
                    std::swap(d, away[k]), std::swap(number, nearest[k]);
        }
        std::vector<Vec3> ways(growth_.points);
        double sum = 0;
        for (std::size_t k = 0; k < std::min(nearest.size(), guides_.size()); ++k) {
            const Guide& guide = guides_[nearest[k]];
            const double share = 1 / (away[k] + 1e-12 * guide.length * guide.length);
            const Quat turn = turn_between(guide.normal, normal);
            sum += share;
            for (std::size_t p = 0; p < ways.size(); ++p)
                ways[p] += rotate(turn, guide.ways[p]) * share;
        }
        for (Vec3& way : ways)
            way = way / sum;
        return ways;
    }

    /// A helix about the curve, from nothing at its root.
    void add_curl(std::uint32_t i, std::vector<Vec3>& ways) const
    {
        if (!(growth_.curl != 0 && growth_.curl_radius > 0))
            return;
        const double phase = 2 * std::numbers::pi * draw(i, Use::phase);
        const double radius =
            growth_.curl_radius * (1 + growth_.vary * 0.5 * (2 * draw(i, Use::curl) - 1));
        std::vector<Vec3> curled = ways;
        Vec3 along = normalised(ways[1] - ways[0]), x = any_across(along);
        for (std::size_t k = 1; k < ways.size(); ++k) {
            const Vec3 next = ways[k] - ways[k - 1];
            if (length(next) > 0) {
                x = rotate(turn_between(along, normalised(next)), x);
                along = normalised(next);
            }
            const double s = part_at(k), angle = phase + 2 * std::numbers::pi * growth_.curl * s;
            const Vec3 out = x * cos(angle) + cross(along, x) * sin(angle);
            curled[k] += out * (radius * smooth(4 * s));
        }
        ways = std::move(curled);
    }

    const TriangleMesh& mesh_;
    const Growth& growth_;
    std::vector<Guide> guides_;
};

} // namespace

Grown grow(const TriangleMesh& mesh, const Growth& growth, const CurveSet& guides)
{
    SINEW_EXPECTS(growth.count > 0 && growth.points >= 2 && !mesh.triangles.empty());
    SINEW_EXPECTS(growth.length.has_value() || !guides.counts.empty());
    return Grower(mesh, growth, guides).run();
}

} // namespace sinew
