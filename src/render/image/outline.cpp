// Filled outlines: triangles by cutting ears. Quadratic, and outlines are short.

#include "math/functions.h"
#include "render/shapes.h"

#include <numeric>

namespace sinew::picture {

namespace {

struct Flat {
    double x, y;
};

/// Twice the signed area of a triangle.
double turn(const Flat& a, const Flat& b, const Flat& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether p lies in the triangle but at none of its corners.
bool is_inside(const Flat& p, const Flat& a, const Flat& b, const Flat& c)
{
    const auto is_at = [&](const Flat& q) { return p.x == q.x && p.y == q.y; };
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 && !is_at(a) &&
           !is_at(b) && !is_at(c);
}

std::vector<Flat> flatten(std::span<const Vec3> outline, const Vec3& normal)
{
    const Vec3 other = abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalised(cross(other, normal)), v = cross(normal, u);
    std::vector<Flat> flat;
    for (const Vec3& x : outline)
        flat.push_back({dot(u, x - outline[0]), dot(v, x - outline[0])});
    return flat;
}

bool is_ear(const std::vector<Flat>& points, const std::vector<std::uint32_t>& left, std::size_t k)
{
    const std::size_t n = left.size();
    const Flat &a = points[left[(k + n - 1) % n]], &b = points[left[k]],
               &c = points[left[(k + 1) % n]];
    if (turn(a, b, c) <= 0)
        return false;
    for (const std::uint32_t i : left)
        if (is_inside(points[i], a, b, c))
            return false;
    return true;
}

} // namespace

std::vector<std::array<std::uint32_t, 3>> cut_ears(std::span<const Vec3> outline,
                                                   const Vec3& normal)
{
    const std::vector<Flat> points = flatten(outline, normal);
    std::vector<std::uint32_t> left(points.size());
    std::iota(left.begin(), left.end(), 0u);
    std::vector<std::array<std::uint32_t, 3>> triangles;
    while (left.size() >= 3) {
        std::size_t k = 0;
        while (k < left.size() && !is_ear(points, left, k))
            ++k;
        if (k == left.size()) // crosses itself: cut anything, something is better than a hole
            k = 0;
        const std::size_t n = left.size();
        triangles.push_back({left[(k + n - 1) % n], left[k], left[(k + 1) % n]});
        left.erase(left.begin() + std::ptrdiff_t(k));
    }
    return triangles;
}

} // namespace sinew::picture
