#include "judge.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sinew::bench {

namespace {

void add_direction(std::vector<Vec3>& list, const Vec3& d)
{
    if (std::ranges::none_of(list, [&](const Vec3& e) { return std::abs(dot(e, d)) > 1 - 1e-12; }))
        list.push_back(d);
}

/// Where a shape lies along an axis.
struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    Extent(const std::vector<Vec3>& corners, const MovingPose& pose, const Vec3& axis)
    {
        for (const Vec3& corner : corners) {
            const double at = dot(axis, pose.x + rotate(pose.q, corner));
            low = std::min(low, at);
            high = std::max(high, at);
        }
    }
};

} // namespace

Judge::Judge(const StackScene& scene) : scene_(&scene)
{
    for (const StackShape& shape : scene.shapes)
        polys_.push_back(make_poly(shape));
}

Judge::Poly Judge::make_poly(const StackShape& shape)
{
    Poly p;
    if (shape.kind == StackShapeKind::sphere) {
        p.is_sphere = true;
        p.radius = shape.radius;
        return p;
    }
    if (shape.kind == StackShapeKind::box) {
        for (int i = 0; i < 8; ++i)
            p.corners.push_back({i & 1 ? shape.half.x : -shape.half.x,
                                 i & 2 ? shape.half.y : -shape.half.y,
                                 i & 4 ? shape.half.z : -shape.half.z});
        p.normals = p.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    } else {
        p.corners = shape.corners;
        const auto at = [&](int i) { return shape.corners[std::size_t(i)]; };
        for (const auto& f : shape.faces) {
            add_direction(p.normals, normalised(cross(at(f[1]) - at(f[0]), at(f[2]) - at(f[0]))));
            for (std::size_t k = 0; k < f.size(); ++k)
                add_direction(p.edges, normalised(at(f[(k + 1) % f.size()]) - at(f[k])));
        }
    }
    for (const Vec3& corner : p.corners)
        p.radius = std::max(p.radius, length(corner));
    return p;
}

double Judge::overlap(const std::vector<MovingPose>& poses) const
{
    const auto& bodies = scene_->bodies;
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto low = [&](std::size_t i) { return poses[i].x.z - poly(i).radius; };
    std::ranges::sort(order, {}, low);
    double worst = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            const std::size_t p = order[i], q = order[j];
            const double reach = poly(p).radius + poly(q).radius;
            if (low(q) > poses[p].x.z + poly(p).radius)
                break;
            if ((bodies[p].mass > 0 || bodies[q].mass > 0) &&
                length(poses[p].x - poses[q].x) <= reach)
                worst = std::max(worst, depth(p, q, poses));
        }
    return worst;
}

double Judge::depth(std::size_t i, std::size_t j, const std::vector<MovingPose>& poses) const
{
    const Poly &a = poly(i), &b = poly(j);
    if (a.is_sphere && b.is_sphere)
        return a.radius + b.radius - length(poses[i].x - poses[j].x);
    if (a.is_sphere)
        return ball_depth(i, j, poses);
    if (b.is_sphere)
        return ball_depth(j, i, poses);
    double least = std::numeric_limits<double>::max();
    const auto test = [&](const Vec3& axis) {
        const Extent of_a(a.corners, poses[i], axis), of_b(b.corners, poses[j], axis);
        least = std::min({least, of_a.high - of_b.low, of_b.high - of_a.low});
    };
    for (const Vec3& n : a.normals)
        test(rotate(poses[i].q, n));
    for (const Vec3& n : b.normals)
        test(rotate(poses[j].q, n));
    for (const Vec3& e : a.edges)
        for (const Vec3& f : b.edges) {
            const Vec3 axis = cross(rotate(poses[i].q, e), rotate(poses[j].q, f));
            if (length(axis) > 1e-3)
                test(normalised(axis));
        }
    return least;
}

double Judge::ball_depth(std::size_t ball, std::size_t box,
                         const std::vector<MovingPose>& poses) const
{
    const Vec3 half = scene_->shapes[scene_->bodies[box].shape].half;
    const Vec3 at = rotate(conjugate(poses[box].q), poses[ball].x - poses[box].x);
    Vec3 nearest = at;
    double inside = std::numeric_limits<double>::max();
    for (int i = 0; i < 3; ++i) {
        nearest[i] = std::clamp(at[i], -half[i], half[i]);
        inside = std::min(inside, half[i] - std::abs(at[i]));
    }
    const double outside = length(at - nearest);
    return poly(ball).radius + (outside > 0 ? -outside : inside);
}

} // namespace sinew::bench
