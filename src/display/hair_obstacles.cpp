#include "display/hair_obstacles.h"

#include "math/functions.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr float kUnknown = 1e30f;
constexpr int kMostCells = 72; // along the longest side
constexpr int kBand = 2;       // cells about the surface whose distance is known
constexpr double kTiny = 1e-12;

/// The place of a triangle nearest to x, by the regions about it.
Vec3 nearest_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x)
{
    const Vec3 ab = b - a, ac = c - a, ax = x - a, bx = x - b, cx = x - c;
    const double d1 = dot(ab, ax), d2 = dot(ac, ax), d3 = dot(ab, bx), d4 = dot(ac, bx),
                 d5 = dot(ab, cx), d6 = dot(ac, cx);
    if (d1 <= 0 && d2 <= 0)
        return a;
    if (d3 >= 0 && d4 <= d3)
        return b;
    if (d6 >= 0 && d5 <= d6)
        return c;
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return a + ab * (d1 / (d1 - d3));
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return a + ac * (d2 / (d2 - d6));
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6));
    const double sum = va + vb + vc;
    return a + ab * (vb / sum) + ac * (vc / sum);
}

Vec3 least(const Vec3& a, const Vec3& b)
{
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vec3 most(const Vec3& a, const Vec3& b)
{
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// Out of a box about the origin, through its nearest face.
Vec3 out_of_box(const Vec3& x, const Vec3& half)
{
    int axis = -1;
    double nearest = 1e300;
    for (int k = 0; k < 3; ++k) {
        const double gap = half[k] - std::abs(x[k]);
        if (gap <= 0)
            return x;
        if (gap < nearest) {
            nearest = gap;
            axis = k;
        }
    }
    Vec3 out = x;
    out[axis] = x[axis] < 0 ? -half[axis] : half[axis];
    return out;
}

Vec3 out_of_ball(const Vec3& x, const Vec3& centre, double radius)
{
    const Vec3 away = x - centre;
    const double size = length(away);
    return size >= radius || size < kTiny ? x : centre + away * (radius / size);
}

/// Out of a cylinder about y, through its side or the nearer end.
Vec3 out_of_cylinder(const Vec3& x, double radius, double half)
{
    const double across = hypot(x.x, x.z), gap = radius - across;
    const double end = half - std::abs(x.y);
    if (gap <= 0 || end <= 0)
        return x;
    if (end < gap || across < kTiny)
        return {x.x, x.y < 0 ? -half : half, x.z};
    return {x.x * radius / across, x.y, x.z * radius / across};
}

} // namespace

DistanceField::DistanceField(std::span<const Vec3> vertices,
                             std::span<const std::array<std::uint32_t, 3>> triangles)
{
    if (vertices.empty())
        return;
    Vec3 high = vertices[0];
    low_ = high;
    for (const Vec3& x : vertices) {
        low_ = least(low_, x);
        high = most(high, x);
    }
    const Vec3 size = high - low_;
    cell_ = std::max({size.x, size.y, size.z, 1e-9}) / kMostCells;
    const double room = (kBand + 1) * cell_;
    low_ = low_ - Vec3{room, room, room};
    for (int k = 0; k < 3; ++k)
        sizes_[k] = int(std::ceil(size[k] / cell_)) + 2 * kBand + 4;
    const auto count = std::size_t(sizes_[0]) * std::size_t(sizes_[1]) * std::size_t(sizes_[2]);
    distances_.assign(count, kUnknown);
    alignments_.assign(count, 0);
    for (const auto& [a, b, c] : triangles)
        add_triangle(vertices[a], vertices[b], vertices[c]);
}

/// Into all corners of the grid near it. Where two triangles are as near, the one that is seen more
/// squarely says which side is inside.
void DistanceField::add_triangle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 area = cross(b - a, c - a);
    const double size = length(area);
    if (!(size > 0) || !std::isfinite(size))
        return;
    const Vec3 normal = area / size, low = least(a, least(b, c)), high = most(a, most(b, c));
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        first[k] = std::max(0, int(std::floor((low[k] - low_[k]) / cell_)) - kBand);
        last[k] = std::min(sizes_[k] - 1, int(std::ceil((high[k] - low_[k]) / cell_)) + kBand);
    }
    for (int k = first[2]; k <= last[2]; ++k)
        for (int j = first[1]; j <= last[1]; ++j)
            for (int i = first[0]; i <= last[0]; ++i) {
                const Vec3 x = low_ + Vec3{double(i), double(j), double(k)} * cell_;
                const Vec3 away = x - nearest_of(a, b, c, x);
                const double distance = length(away), facing = dot(away, normal);
                const auto square = float(distance > 0 ? std::abs(facing) / distance : 1);
                const std::size_t n = (std::size_t(k) * std::size_t(sizes_[1]) + std::size_t(j)) *
                                          std::size_t(sizes_[0]) +
                                      std::size_t(i);
                const double known = std::abs(double(distances_[n])), near = 1e-4 * cell_;
                if (distance < known - near ||
                    (distance < known + near && square > alignments_[n])) {
                    distances_[n] = float(facing < 0 ? -distance : distance);
                    alignments_[n] = square;
                }
            }
}

double DistanceField::at(int i, int j, int k) const
{
    return distances_[(std::size_t(k) * std::size_t(sizes_[1]) + std::size_t(j)) *
                          std::size_t(sizes_[0]) +
                      std::size_t(i)];
}

double DistanceField::depth(const Vec3& x, double margin, Vec3& out) const
{
    const Vec3 p = (x - low_) / cell_;
    for (int k = 0; k < 3; ++k)
        if (!(p[k] >= 0 && p[k] < sizes_[k] - 1))
            return 0;
    const int i = int(p.x), j = int(p.y), k = int(p.z);
    const double u = p.x - i, v = p.y - j, w = p.z - k;
    double corner[2][2][2];
    for (int c = 0; c < 8; ++c) {
        const double d = at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        if (d == double(kUnknown))
            return 0;
        corner[c >> 2][c >> 1 & 1][c & 1] = d;
    }
    const auto mean = [](double a, double b, double t) { return a + (b - a) * t; };
    const auto row = [&](int z, int y) { return mean(corner[z][y][0], corner[z][y][1], u); };
    const double near = mean(row(0, 0), row(0, 1), v), far = mean(row(1, 0), row(1, 1), v);
    const double distance = mean(near, far, w);
    if (distance >= margin)
        return 0;
    const auto slope = [&](int z, int y) { return corner[z][y][1] - corner[z][y][0]; };
    out = {mean(mean(slope(0, 0), slope(0, 1), v), mean(slope(1, 0), slope(1, 1), v), w),
           mean(row(0, 1) - row(0, 0), row(1, 1) - row(1, 0), w), far - near};
    const double size = length(out);
    if (size < kTiny)
        return 0;
    out = out / size;
    return margin - distance;
}

HairObstacles::HairObstacles(const Display& display, const DisplayFrame& frame)
{
    for (const Element& element : display.elements) {
        if (!element.is_obstacle)
            continue;
        Obstacle obstacle{.element = &element};
        if (element.kind == ElementKind::sphere) {
            obstacle.centre = frame.points[element.first];
            obstacle.axes = Mat3::identity();
            obstacle.reach = element.radius;
        } else if (element.kind == ElementKind::surface) {
            obstacle.axes = Mat3::identity();
            obstacle.field = int(fields_.size());
            fields_.emplace_back(std::span(frame.points.data() + element.first, element.count),
                                 display.meshes[element.mesh].triangles);
        } else if (element.kind >= ElementKind::box) {
            const Affine& pose = frame.poses[element.first];
            obstacle.scale = length(pose.linear.x);
            if (!is_finite(pose.origin) || !(obstacle.scale > kTiny))
                continue;
            obstacle.centre = pose.origin;
            obstacle.axes = Mat3{normalised(pose.linear.x), normalised(pose.linear.y),
                                 normalised(pose.linear.z)};
            const double half = 0.5 * length(element.size) + element.radius;
            obstacle.reach = element.kind == ElementKind::plane ? 0 : half * obstacle.scale;
            if (element.kind == ElementKind::mesh) {
                const DisplayMesh& mesh = display.meshes[element.mesh];
                obstacle.field = int(fields_.size());
                fields_.emplace_back(mesh.vertices, mesh.triangles);
            }
        } else
            continue;
        obstacles_.push_back(obstacle);
    }
}

Vec3 HairObstacles::out_of(const Obstacle& obstacle, const Vec3& x, double margin) const
{
    const Element& element = *obstacle.element;
    if (element.kind == ElementKind::sphere)
        return out_of_ball(x, obstacle.centre, element.radius + margin);
    const Vec3 p = (transpose(obstacle.axes) * (x - obstacle.centre)) / obstacle.scale;
    const double room = margin / obstacle.scale, half = element.size.y / 2;
    Vec3 moved = p;
    switch (element.kind) {
    case ElementKind::box:
        moved = out_of_box(p, element.size * 0.5 + Vec3{room, room, room});
        break;
    case ElementKind::capsule:
        moved = out_of_ball(p, {0, std::clamp(p.y, -half, half), 0}, element.radius + room);
        break;
    case ElementKind::cylinder:
        moved = out_of_cylinder(p, element.radius + room, half + room);
        break;
    case ElementKind::cone: {
        const double r = element.radius * std::clamp((half - p.y) / (2 * half), 0.0, 1.0);
        moved = out_of_cylinder(p, r + room, half + room);
        break;
    }
    case ElementKind::plane: moved.y = std::max(p.y, room); break;
    default: {
        Vec3 way;
        for (int i = 0; i < 3; ++i)
            if (const double depth = fields_[std::size_t(obstacle.field)].depth(moved, room, way);
                depth > 0)
                moved += way * depth;
    }
    }
    return obstacle.centre + obstacle.axes * (moved * obstacle.scale);
}

Vec3 HairObstacles::moved_out(Vec3 x, double margin) const
{
    for (const Obstacle& obstacle : obstacles_) {
        const double reach = obstacle.reach + margin;
        const Vec3 away = x - obstacle.centre;
        if (obstacle.reach == 0 || dot(away, away) < reach * reach)
            x = out_of(obstacle, x, margin);
    }
    return x;
}

} // namespace sinew
