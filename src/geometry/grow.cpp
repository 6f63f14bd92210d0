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
#include "base/hash.h"
#include "math/functions.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <utility>

namespace sinew {

namespace {

/// What a random number of a curve is for.
enum Use : std::uint64_t { kPart, kU, kV, kLength, kPhase, kCurl, kTilt, kWay, kUses };

/// From 0 to below 1 [Steele14].
double chance(std::uint32_t seed, std::uint32_t curve, std::uint64_t use)
{
    std::uint64_t z = (std::uint64_t(seed) << 32) + curve;
    for (int round = 0; round < 2; ++round) {
        z += 0x9e3779b97f4a7c15 * (use + 1);
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

} // namespace

Grower::Grower(TriangleMesh mesh, const Growth& growth, const CurveSet& guides)
    : mesh_(std::move(mesh)), growth_(growth)
{
    SINEW_EXPECTS(growth.count > 0 && growth.points >= 2 && !mesh_.triangles.empty());
    SINEW_EXPECTS(growth.length.has_value() || !guides.counts.empty());
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
        area_before_.push_back(area_);
        area_ += length(Corners(mesh_, t).across()) * // the mean of what is linear over it
                 value_at(growth_.maps.density, {t, 1.0 / 3, 1.0 / 3});
    }
    SINEW_EXPECTS(area_ > 0);
    add_guides(guides);
    add_leaders();
}

MeshPlace Grower::root(std::uint32_t curve) const
{
    const double at = area_ * (curve + draw(curve, kPart)) / growth_.count;
    const auto next = std::ranges::upper_bound(area_before_, at);
    const auto triangle = static_cast<std::uint32_t>(next - area_before_.begin()) - 1;
    const auto place = [&](std::uint64_t attempt) {
        const double r = sqrt(draw(curve, kU + attempt * kUses)),
                     v = draw(curve, kV + attempt * kUses); // even over a triangle
        return MeshPlace{triangle, r * (1 - v), r * v};
    };
    const std::vector<double>& density = growth_.maps.density;
    if (density.empty())
        return place(0);
    // A place is kept as often as it is dense; a third of them at least where density is linear.
    constexpr std::uint64_t kMostAttempts = 64;
    double most = 0;
    for (const std::uint32_t corner : mesh_.triangles[triangle])
        most = max(most, density[corner]);
    std::uint64_t attempt = 0;
    while (attempt + 1 < kMostAttempts &&
           draw(curve, kPart + (attempt + 1) * kUses) * most >= value_at(density, place(attempt)))
        ++attempt;
    return place(attempt);
}

double Grower::value_at(const std::vector<double>& map, const MeshPlace& place) const
{
    if (map.empty())
        return 1;
    const auto& corners = mesh_.triangles[place.triangle];
    return (1 - place.u - place.v) * map[corners[0]] + place.u * map[corners[1]] +
           place.v * map[corners[2]];
}

std::vector<Vec3> Grower::points(std::uint32_t curve)
{
    std::vector<Vec3> points = grow_one(curve);
    const std::uint32_t leader = find_leader(curve);
    if (leader == curve)
        return points;
    const auto [known, is_new] = leader_points_.try_emplace(leader);
    if (is_new)
        known->second = grow_one(leader);
    const double clumping =
        growth_.clumping * min(value_at(growth_.maps.clumping, root(curve)), 1.0);
    for (std::size_t k = 0; k < points.size(); ++k)
        points[k] += (known->second[k] - points[k]) * (clumping * part_at(k));
    return points;
}

std::uint64_t Grower::identity() const
{
    Hash hash;
    const auto add = [&](const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); };
    for (const auto& triangle : mesh_.triangles)
        for (const std::uint32_t corner : triangle)
            add(mesh_.vertices[corner]);
    for (const Guide& guide : guides_) {
        add(guide.root);
        for (const Vec3& way : guide.ways)
            add(way);
    }
    const Growth& g = growth_;
    for (const auto* map : {&g.maps.density, &g.maps.length, &g.maps.curl, &g.maps.clumping})
        for (const double factor : *map)
            hash.add(factor);
    return hash.add(g.count)
        .add(g.seed)
        .add(g.points)
        .add(g.length.value_or(-1))
        .add(g.vary)
        .add(g.droop)
        .add(g.curl)
        .add(g.curl_radius)
        .add(g.clumps)
        .add(g.clumping)
        .value();
}

double Grower::draw(std::uint32_t curve, std::uint64_t use) const
{
    return chance(growth_.seed, curve, use);
}

Vec3 Grower::place_of(std::uint32_t curve) const
{
    const MeshPlace place = root(curve);
    return Corners(mesh_, place.triangle).at(place);
}

/// The middles of clumps, spread over the area as the roots are.
void Grower::add_leaders()
{
    const std::uint32_t clumps = std::min(growth_.clumps, growth_.count);
    for (std::uint32_t c = 0; c < clumps; ++c) {
        leaders_.push_back(static_cast<std::uint32_t>(std::uint64_t(c) * growth_.count / clumps));
        leader_places_.push_back(place_of(leaders_.back()));
    }
}

/// The curve in the middle of a curve's clump: the nearest of those that lead; else itself.
std::uint32_t Grower::find_leader(std::uint32_t curve) const
{
    if (leaders_.empty())
        return curve;
    const Vec3 own = place_of(curve);
    const auto nearest = std::ranges::min_element(
        leader_places_, {}, [&](const Vec3& other) { return dot(other - own, other - own); });
    return leaders_[static_cast<std::size_t>(nearest - leader_places_.begin())];
}

void Grower::add_guides(const CurveSet& curves)
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
            guide.ways.push_back(points[piece - 1] + (points[piece] - points[piece - 1]) * part -
                                 guide.root);
        }
        guides_.push_back(std::move(guide));
    }
}

Vec3 Grower::normal_near(const Vec3& place) const
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

std::vector<Vec3> Grower::grow_one(std::uint32_t i) const
{
    const MeshPlace root = this->root(i);
    const Corners corners(mesh_, root.triangle);
    const Vec3 place = corners.at(root), normal = corners.normal();
    std::vector<Vec3> ways = guides_.empty() ? free_ways(i, normal) : led_ways(place, normal);
    double own = 0;
    for (std::size_t k = 1; k < ways.size(); ++k)
        own += length(ways[k] - ways[k - 1]);
    constexpr double kShortest = 0.01; // a strand without a length is none
    const double wanted = growth_.length.value_or(own) *
                          (1 + growth_.vary * 0.5 * (2 * draw(i, kLength) - 1)) *
                          max(value_at(growth_.maps.length, root), kShortest);
    for (Vec3& way : ways)
        way = way * (wanted / own);
    add_curl(i, ways);
    for (Vec3& way : ways)
        way += place;
    return ways;
}

/// Up along the normal, over along the slope, at last down.
std::vector<Vec3> Grower::free_ways(std::uint32_t i, const Vec3& normal) const
{
    const Vec3 down{0, -1, 0};
    const Vec3 first = any_across(normal), second = cross(normal, first);
    const double angle = 2 * std::numbers::pi * draw(i, kWay);
    const Vec3 random = first * cos(angle) + second * sin(angle);
    const Vec3 slope = down - normal * dot(down, normal);
    const Vec3 way = normalised(slope + random * (0.05 + 0.5 * growth_.vary));
    const Vec3 up = normalised(normal + random * (0.5 * growth_.vary * draw(i, kTilt)));
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
std::vector<Vec3> Grower::led_ways(const Vec3& place, const Vec3& normal) const
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
void Grower::add_curl(std::uint32_t i, std::vector<Vec3>& ways) const
{
    if (!(growth_.curl != 0 && growth_.curl_radius > 0))
        return;
    const double phase = 2 * std::numbers::pi * draw(i, kPhase);
    const double radius = growth_.curl_radius *
                          (1 + growth_.vary * 0.5 * (2 * draw(i, kCurl) - 1)) *
                          value_at(growth_.maps.curl, root(i));
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

Grown grow(const TriangleMesh& mesh, const Growth& growth, const CurveSet& guides)
{
    Grower grower(mesh, growth, guides);
    Grown grown;
    for (std::uint32_t i = 0; i < growth.count; ++i) {
        const std::vector<Vec3> points = grower.points(i);
        grown.roots.push_back(grower.root(i));
        grown.curves.points.insert(grown.curves.points.end(), points.begin(), points.end());
        grown.curves.counts.push_back(growth.points);
    }
    return grown;
}

} // namespace sinew
