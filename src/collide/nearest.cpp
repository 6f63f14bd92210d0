#include "collide/nearest.h"

#include "math/functions.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sinew {

namespace {

/// A corner of the difference a − b, and what made it.
struct Corner {
    Vec3 w, a, b;
};

/// Corners with weights: the place Σ weight w nearest to the origin.
struct Simplex {
    std::array<Corner, 4> corner;
    std::array<double, 4> weight = {};
    int count = 0;

    template <class Member>
    Vec3 mean(Member member) const
    {
        Vec3 sum{0, 0, 0};
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            sum += corner[i].*member * weight[i];
        return sum;
    }
    const Vec3& w(int i) const { return corner[static_cast<std::size_t>(i)].w; }
};

/// Which corners of a simplex make its place nearest to the origin, and with what weights.
struct Choice {
    std::array<int, 3> which;
    std::array<double, 3> weight;
    int count;
    Vec3 place;

    double size() const { return squared_length(place); }
};

Choice choose_line(const Simplex& s, int i, int j)
{
    const Vec3 p = s.w(i), d = s.w(j) - p;
    const double along = -dot(p, d), size = squared_length(d);
    if (!(along > 0))
        return {{i}, {1}, 1, p};
    if (along >= size)
        return {{j}, {1}, 1, s.w(j)};
    const double share = along / size;
    return {{i, j}, {1 - share, share}, 2, p + d * share};
}

/// The part of triangle i, j, k nearest to the origin. In axes of its plane, along the longest side
/// and across it: the triangles of round shapes become slivers, and anything squared is lost.
Choice choose_triangle(const Simplex& s, int i, int j, int k)
{
    const double ij = squared_length(s.w(j) - s.w(i)), jk = squared_length(s.w(k) - s.w(j));
    const double ki = squared_length(s.w(i) - s.w(k));
    if (jk > ij && jk >= ki)
        std::tie(i, j, k) = std::tuple(j, k, i);
    else if (ki > ij)
        std::tie(i, j, k) = std::tuple(k, i, j);
    const Vec3 a = s.w(i), ab = s.w(j) - a, ac = s.w(k) - a;
    const double size = length(ab);
    const Vec3 e = ab / size, across = ac - e * dot(e, ac);
    constexpr double kOnLine = 1e-14; // of a side: three corners on a line, but for rounding
    const double height = length(across);
    if (height > kOnLine * size) {
        const double weight_k = -dot(a, across) / (height * height);
        const double weight_j = -(dot(a, e) + weight_k * dot(ac, e)) / size;
        if (weight_j >= 0 && weight_k >= 0 && weight_j + weight_k <= 1)
            return {{i, j, k},
                    {1 - weight_j - weight_k, weight_j, weight_k},
                    3,
                    a + ab * weight_j + ac * weight_k};
    }
    Choice best = choose_line(s, i, j);
    for (const auto& [p, q] : {std::pair(j, k), std::pair(k, i)})
        if (const Choice line = choose_line(s, p, q); line.size() < best.size())
            best = line;
    return best;
}

/// The nearest of all faces: of flat solids it is hard to say which of them looks at the origin.
Choice choose_solid(const Simplex& s)
{
    Choice best = choose_triangle(s, 0, 1, 2);
    constexpr int kFaces[3][3] = {{0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (const auto& [i, j, k] : kFaces)
        if (const Choice face = choose_triangle(s, i, j, k); face.size() < best.size())
            best = face;
    return best;
}

/// Leaves the corners that count. Returns their place.
Vec3 reduce(Simplex& s)
{
    const Choice choice = s.count == 2   ? choose_line(s, 0, 1)
                          : s.count == 3 ? choose_triangle(s, 0, 1, 2)
                                         : choose_solid(s);
    std::array<Corner, 3> kept;
    for (std::size_t i = 0; i < static_cast<std::size_t>(choice.count); ++i) {
        kept[i] = s.corner[static_cast<std::size_t>(choice.which[i])];
        s.weight[i] = choice.weight[i];
    }
    std::copy_n(kept.begin(), choice.count, s.corner.begin());
    s.count = choice.count;
    return choice.place;
}

bool has(const Simplex& s, const Vec3& w)
{
    for (int i = 0; i < s.count; ++i)
        if (s.w(i) == w)
            return true;
    return false;
}

} // namespace

NearestPlaces find_nearest(const Convex& a, const Convex& b, const Vec3& shift, const Vec3& guess)
{
    constexpr int kMostSteps = 100;
    constexpr double kClose = 1e-14;               // of |v|²: what is left to gain
    const auto corner_along = [&](const Vec3& d) { // of a − b, farthest along d
        const Vec3 p = core_support(a, d), q = core_support(b, -d);
        return Corner{p - q - shift, p, q};
    };
    Simplex simplex;
    simplex.corner[0] = corner_along(guess);
    simplex.count = 1;
    simplex.weight[0] = 1;
    Vec3 v = simplex.w(0);
    double size = squared_length(v);
    for (int step = 0; step < kMostSteps; ++step) {
        const Corner next = corner_along(-v);
        if (size - dot(v, next.w) <= kClose * size || has(simplex, next.w))
            break;
        const Simplex before = simplex;
        simplex.corner[static_cast<std::size_t>(simplex.count++)] = next;
        const Vec3 nearer = reduce(simplex);
        const double less = squared_length(nearer);
        if (!(less < size)) { // rounding is all that is left
            simplex = before;
            break;
        }
        v = nearer;
        size = less;
    }
    if (!(size > 0))
        return {};
    return {simplex.mean(&Corner::a), simplex.mean(&Corner::b), -v / sqrt(size), true};
}

} // namespace sinew
