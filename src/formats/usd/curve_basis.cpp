// Places on the curves that USD's bases make of control points.

#include "formats/usd/curve_basis.h"

namespace sinew {

namespace {

/// A cubic B-spline at its knots: (p₋ + 4p + p₊)/6. Pinned curves reach their first and last point,
/// as if 2p₀ − p₁ stood before.
std::vector<Vec3> knots_of_bspline(std::string_view wrap, std::span<const Vec3> p)
{
    const std::size_t n = p.size();
    std::vector<Vec3> out;
    const auto knot = [&](std::size_t i) {
        return (p[(i + n - 1) % n] + 4.0 * p[i] + p[(i + 1) % n]) / 6.0;
    };
    const bool is_open = wrap != "periodic";
    if (wrap == "pinned")
        out.push_back(p.front());
    for (std::size_t i = is_open ? 1 : 0; i + (is_open ? 1 : 0) < n; ++i)
        out.push_back(knot(i));
    if (wrap == "pinned")
        out.push_back(p.back());
    return out;
}

Vec3 bezier_at(std::span<const Vec3> p, std::size_t first, double t)
{
    const double s = 1 - t;
    const auto at = [&](std::size_t i) { return p[(first + i) % p.size()]; };
    return s * s * s * at(0) + 3 * s * s * t * at(1) + 3 * s * t * t * at(2) + t * t * t * at(3);
}

std::vector<Vec3> places_on_bezier(std::string_view wrap, std::span<const Vec3> p)
{
    const std::size_t spans = wrap == "periodic" ? p.size() / 3 : (p.size() - 1) / 3;
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < 3 * spans; ++i)
        out.push_back(bezier_at(p, 3 * (i / 3), double(i % 3) / 3));
    if (wrap != "periodic")
        out.push_back(p[3 * spans]);
    return out;
}

} // namespace

std::vector<Vec3> places_on_curve(const CurveForm& form, std::span<const Vec3> points)
{
    const bool is_bezier = form.basis != "bspline" && form.basis != "catmullRom";
    const std::size_t least = form.wrap == "pinned" && !is_bezier ? 2 : 4; // of a cubic span
    const std::vector<Vec3> as_given(points.begin(), points.end());
    if (!form.is_cubic() || points.size() < least)
        return as_given;
    if (form.basis == "bspline")
        return knots_of_bspline(form.wrap, points);
    if (form.basis == "catmullRom") // passes through its points; open ones leave out the ends
        return form.wrap == "pinned" || form.wrap == "periodic"
                   ? as_given
                   : std::vector<Vec3>(points.begin() + 1, points.end() - 1);
    return places_on_bezier(form.wrap, points);
}

} // namespace sinew
