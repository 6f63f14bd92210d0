#include "formats/usd/usd_values.h"

#include "formats/usd/usd_prims.h"
#include "math/functions.h"
#include "math/half.h"

#include <algorithm>

namespace sinew::formats {

namespace {

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

/// Sizes and turn of a pose without shear; mirrored ones along z.
struct Parts {
    Quat turn;
    Vec3 size;
};

Parts parts_of(const Mat3& A)
{
    Vec3 size{length(A.x), length(A.y), length(A.z)};
    const Vec3 x = size.x > 0 ? A.x / size.x : Vec3{1, 0, 0};
    const Vec3 across = A.y - x * dot(x, A.y);
    const Vec3 y = length(across) > 0 ? normalised(across) : any_across(x);
    const Vec3 z = cross(x, y);
    if (dot(z, A.z) < 0)
        size.z = -size.z;
    return {rotation_quat(Mat3{x, y, z}), size};
}

/// How fast a difference over the window is, a second.
double speed_of(const Window& window, double rate)
{
    const auto frames = double(window.after.index - window.before.index);
    return frames > 0 ? rate / frames : 0;
}

} // namespace

UsdValue linear_colour(const Vec3& srgb)
{
    const Vec3 linear{to_linear(srgb.x), to_linear(srgb.y), to_linear(srgb.z)};
    UsdValue value = usd_vectors({&linear, 1});
    value.is_array = false;
    return value;
}

UsdValue counts_of_triangles(std::size_t count)
{
    const std::vector<std::int32_t> counts(count, 3);
    return usd_array(UsdType::whole, std::span<const std::int32_t>(counts));
}

UsdValue corners_of(const std::vector<std::array<std::uint32_t, 3>>& triangles)
{
    return {.type = UsdType::whole,
            .is_array = true,
            .count = 3 * triangles.size(),
            .bytes = {reinterpret_cast<const char*>(triangles.data()), 12 * triangles.size()}};
}

UsdValue extent_of(std::span<const Vec3> points, std::span<const double> radii)
{
    std::array<Vec3, 2> box{};
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            const double radius = radii.empty() ? 0 : radii[i];
            const double low = points[i][k] - radius, high = points[i][k] + radius;
            box[0][k] = i == 0 ? low : std::min(box[0][k], low);
            box[1][k] = i == 0 ? high : std::max(box[1][k], high);
        }
    return usd_vectors(box);
}

UsdValue origins_of(const ExportFrame& frame, std::span<const std::size_t> bodies)
{
    std::vector<Vec3> list;
    for (const std::size_t i : bodies)
        list.push_back(frame.poses[i].origin);
    return usd_vectors(list);
}

UsdValue turns_of(const ExportFrame& frame, std::span<const std::size_t> bodies, bool is_half)
{
    std::vector<float> turns;
    for (const std::size_t i : bodies) {
        const Quat q = parts_of(frame.poses[i].linear).turn;
        for (const double x : {q.x, q.y, q.z, q.w})
            turns.push_back(to_float(x));
    }
    if (!is_half)
        return usd_array(UsdType::single4, std::span<const float>(turns), 4);
    std::vector<std::uint16_t> halves;
    for (const float x : turns)
        halves.push_back(to_half(x));
    return usd_array(UsdType::half4, std::span<const std::uint16_t>(halves), 4);
}

UsdValue sizes_of(const ExportFrame& frame, std::span<const std::size_t> bodies)
{
    std::vector<Vec3> list;
    for (const std::size_t i : bodies)
        list.push_back(parts_of(frame.poses[i].linear).size);
    return usd_vectors(list);
}

UsdValue origin_velocities(const Window& window, std::span<const std::size_t> bodies, double rate)
{
    std::vector<Vec3> list;
    for (const std::size_t i : bodies)
        list.push_back((window.after.poses[i].origin - window.before.poses[i].origin) *
                       speed_of(window, rate));
    return usd_vectors(list);
}

std::vector<Vec3> control_points(const ExportScene& exported, const ExportGroup& group,
                                 const ExportFrame& frame)
{
    const auto begin = frame.points.begin() + group.first_point;
    std::vector<Vec3> points(begin, begin + group.point_count);
    if (group.is_closed)
        return points;
    for (std::uint32_t i = 0; i < group.curve_count; ++i) {
        const ExportCurve& curve = exported.curves[group.first_curve + i];
        fit_basis(exported.options.basis, {&points[curve.first - group.first_point], curve.count});
    }
    return points;
}

UsdValue point_velocities(const ExportScene& exported, const ExportGroup& group,
                          const Window& window, double rate)
{
    std::vector<Vec3> list = control_points(exported, group, window.after);
    const std::vector<Vec3> before = control_points(exported, group, window.before);
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = (list[i] - before[i]) * speed_of(window, rate);
    return usd_vectors(list);
}

/// The B-spline with ends p₀ and pₙ, as USD's `pinned` has them, through the nodes x:
/// pᵢ₋₁ + 4 pᵢ + pᵢ₊₁ = 6 xᵢ, by elimination from one end and back from the other.
void fit_basis(CurveBasis basis, std::span<Vec3> nodes)
{
    const std::size_t n = nodes.size();
    if (basis != CurveBasis::bspline || n < 3)
        return;
    std::vector<double> above(n, 0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double pivot = 4 - above[i - 1];
        above[i] = 1 / pivot;
        nodes[i] = (nodes[i] * 6 - nodes[i - 1]) / pivot;
    }
    for (std::size_t i = n - 2; i > 0; --i)
        nodes[i] -= nodes[i + 1] * above[i];
}

} // namespace sinew::formats
