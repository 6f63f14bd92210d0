#pragma once

#include "base/contract.h"
#include "math/functions.h"
#include "sinew/math.h"

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

/// Curves through or near control points, with first and second derivatives.
///
/// Three kinds on u ∈ [0, 1], each linear in its points: c(u) = Σᵢ wᵢ(u) pᵢ. The weights depend on
/// u and on the number of points only, so the points may move, or carry jets, and a constraint can
/// use the weights as its Jacobian.
///
///   bspline   | clamped, uniform knots, cubic; for four points the Bézier curve, for three the
///             | parabola (quadratic Bézier), for two the line. C² inside.
///   through   | passes through pᵢ at u = i/(n−1): the natural cubic spline. C² everywhere.
///   polyline  | straight pieces, corner pᵢ at u = i/(n−1). C⁰.
///   closed    | passes through pᵢ at u = i/(n−1) and, its last point being its first, goes on
///   round
///             | and round: the periodic cubic spline. C² everywhere.
///
/// Outside [0, 1] a curve goes on along the tangent at its end: C¹ there, and for `through` C²,
/// since a natural spline ends without curvature. That, and weights that ignore where the points
/// are, is why the parameter is uniform and the ends natural: chord length would make the map
/// nonlinear in the points, not-a-knot would bend at the ends.
///
///   symbol | code                | unit | meaning
///   -------|---------------------|------|------------------------------------------------
///   n      | point_count         | -    | number of control points, at least 2
///   u      | u                   | -    | parameter; double, or a jet if the points are
///   pᵢ     | points[i]           | m    | control point
///   wᵢ     | weight[i − first]   | -    | weight of pᵢ in c
///   mᵢ     | moments[i]          | m    | second derivative of `through` at its points, in u·(n−1)

namespace sinew {

/// c(u), c'(u) and c''(u).
template <class S>
struct CurvePointT {
    Vec3T<S> point, first, second;
};

using CurvePoint = CurvePointT<double>;

/// The weights of `count` control points from index `first` on, with their derivatives in u.
template <class U>
struct CurveWeightsT {
    int first = 0;
    int count = 0;
    std::array<U, 4> weight = {}, first_derivative = {}, second_derivative = {};
};

using CurveWeights = CurveWeightsT<double>;

/// Weights of the clamped uniform B-spline; its degree is at most point_count − 1.
/// Requires point_count ≥ 2 and 1 ≤ degree ≤ 3.
template <class U>
CurveWeightsT<U> bspline_basis(int point_count, const U& u, int degree = 3);

/// Weights of the polyline: the B-spline of degree one.
template <class U>
CurveWeightsT<U> polyline_basis(int point_count, const U& u)
{
    return bspline_basis(point_count, u, 1);
}

/// The number type of a sequence of points (vector, array or span of Vec3T<S>).
template <class Points>
using ScalarOf = std::remove_cvref_t<decltype(std::declval<Points>()[0].x)>;

template <class Points, class U>
CurvePointT<ScalarOf<Points>> combine(const Points& points, const CurveWeightsT<U>& weights)
{
    using S = ScalarOf<Points>;
    CurvePointT<S> c;
    for (std::size_t i = 0; i < std::size_t(weights.count); ++i) {
        const Vec3T<S>& p = points[std::size_t(weights.first) + i];
        c.point += p * S(weights.weight[i]);
        c.first += p * S(weights.first_derivative[i]);
        c.second += p * S(weights.second_derivative[i]);
    }
    return c;
}

/// Requires at least two points.
template <class Points, class U>
CurvePointT<ScalarOf<Points>> evaluate_bspline(const Points& points, const U& u)
{
    return combine(points, bspline_basis(int(std::size(points)), u));
}

/// Requires at least two points.
template <class Points, class U>
CurvePointT<ScalarOf<Points>> evaluate_polyline(const Points& points, const U& u)
{
    return combine(points, polyline_basis(int(std::size(points)), u));
}

/// Overwrites the moments of the natural spline through `points`: two sweeps, no allocation.
/// Requires at least two points and as many moments.
template <class Points, class Moments>
void update_moments(const Points& points, Moments&& moments);

/// The natural spline through `points`. Requires moments that update_moments made of them.
template <class Points, class Moments, class U>
CurvePointT<ScalarOf<Points>> evaluate_through(const Points& points, const Moments& moments,
                                               const U& u);

/// Overwrites the weights of all points in the natural spline at u, and their derivatives in u.
/// Requires spans of equal size, at least 2.
void update_through_weights(double u, std::span<double> weight, std::span<double> first_derivative,
                            std::span<double> second_derivative);

/// Overwrites the moments of the periodic spline through `points`, the last of which is the first.
/// Requires at least four points and as many moments.
template <class Points, class Moments>
void update_closed_moments(const Points& points, Moments&& moments);

/// The periodic spline. Requires moments that update_closed_moments made of the points.
template <class Points, class Moments, class U>
CurvePointT<ScalarOf<Points>> evaluate_closed(const Points& points, const Moments& moments,
                                              const U& u);

/// update_through_weights of the periodic spline. Requires spans of equal size, at least 4.
void update_closed_weights(double u, std::span<double> weight, std::span<double> first_derivative,
                           std::span<double> second_derivative);

// ---------------------------------------------------------------- the rest is how

namespace detail {

/// Where a parameter falls among uniform pieces: the piece, and the place in it from 0 to 1.
template <class U>
struct Piece {
    int index;
    U s;
    U beyond; ///< how far u lies outside [0, 1], with sign, in pieces
};

template <class U>
Piece<U> find_piece(int piece_count, const U& u)
{
    const U x = u * U(piece_count);
    const U inside = select(x < U(0), U(0), select(U(piece_count) < x, U(piece_count), x));
    const double value = value_of(inside);
    const int index = value >= 0 ? int(min(value, piece_count - 1.0)) : 0; // NaN: first
    return {index, inside - U(index), x - inside};
}

/// Knot j of a clamped uniform B-spline, knots counted in pieces.
constexpr int knot(int j, int degree, int piece_count)
{
    const int k = j - degree;
    return k < 0 ? 0 : k > piece_count ? piece_count : k;
}

} // namespace detail

template <class U>
CurveWeightsT<U> bspline_basis(int point_count, const U& u, int degree)
{
    SINEW_EXPECTS(point_count >= 2 && degree >= 1 && degree <= 3);
    const int p = degree < point_count ? degree : point_count - 1;
    const int piece_count = point_count - p;
    const auto [piece, s, beyond] = detail::find_piece(piece_count, u);
    const U x = s + U(piece);
    const auto t = [&](int j) { return detail::knot(j + piece + p, p, piece_count); };

    using Row = std::array<U, 4>;
    // Cox-de Boor: from the functions of degree d−1 that live on this piece to those of degree d.
    // Knots count from this piece: t(0) ≤ x < t(1).
    const auto raise = [&](const Row& low, int d) {
        Row high = {};
        for (int r = 0; r < d; ++r) {
            const int left = t(r + 1 - d), right = t(r + 1);
            const U part = low[std::size_t(r)] / U(right - left);
            high[std::size_t(r)] += (U(right) - x) * part;
            high[std::size_t(r + 1)] += (x - U(left)) * part;
        }
        return high;
    };
    // Its derivative: the same differences without the ramps, times d.
    const auto raise_derivative = [&](const Row& low, int d) {
        Row high = {};
        for (int r = 0; r < d; ++r) {
            const U part = low[std::size_t(r)] * U(d) / U(t(r + 1) - t(r + 1 - d));
            high[std::size_t(r)] -= part;
            high[std::size_t(r + 1)] += part;
        }
        return high;
    };

    std::array<Row, 4> value = {Row{U(1)}};
    for (int d = 1; d <= p; ++d)
        value[std::size_t(d)] = raise(value[std::size_t(d - 1)], d);
    const Row first = raise_derivative(value[std::size_t(p - 1)], p);
    const Row second =
        p >= 2 ? raise_derivative(raise_derivative(value[std::size_t(p - 2)], p - 1), p) : Row{};

    const bool is_inside = value_of(beyond) == 0;
    const U scale = U(piece_count);
    CurveWeightsT<U> result = {piece, p + 1, value[std::size_t(p)], first, second};
    for (std::size_t i = 0; i < 4; ++i) {
        result.weight[i] += beyond * first[i];
        result.first_derivative[i] *= scale;
        result.second_derivative[i] *= is_inside ? scale * scale : U(0);
    }
    return result;
}

namespace detail {

/// Weights of (pᵢ, pᵢ₊₁, mᵢ, mᵢ₊₁) in a natural spline, piece `first`; derivatives in u.
template <class U>
CurveWeightsT<U> through_basis(int point_count, const U& u)
{
    const auto [piece, s, beyond] = find_piece(point_count - 1, u);
    const U r = U(1) - s, k = U(point_count - 1), sixth = U(1. / 6);
    CurveWeightsT<U> w = {
        piece,
        4,
        {r, s, (r * r * r - r) * sixth, (s * s * s - s) * sixth},
        {-k, k, k * (U(1) - U(3) * r * r) * sixth, k * (U(3) * s * s - U(1)) * sixth},
        {U(0), U(0), k * k * r, k * k * s}};
    if (value_of(beyond) != 0) {
        for (std::size_t i = 0; i < 4; ++i)
            w.weight[i] += beyond * w.first_derivative[i] / k;
        w.second_derivative = {};
    }
    return w;
}

/// Solves mᵢ₋₁ + 4 mᵢ + mᵢ₊₁ = rhsᵢ, i = 1..n−2, with m₀ = mₙ₋₁ = 0, in place of the right-hand
/// side. The pivots cᵢ = 1/(4 − cᵢ₋₁) converge to 2 − √3 at once, so they are made again on the way
/// back rather than stored.
template <class Values>
void solve_natural(Values&& m, int n)
{
    constexpr int kSettled = 16; // cᵢ repeats to the last bit from here on
    std::array<double, kSettled + 1> pivot = {0};
    for (std::size_t i = 1; i <= kSettled; ++i)
        pivot[i] = 1 / (4 - pivot[i - 1]);
    const auto c = [&](int i) { return pivot[std::size_t(i < kSettled ? i : kSettled)]; };

    m[0] = m[std::size_t(n - 1)] = {};
    for (int i = 1; i < n - 1; ++i)
        m[std::size_t(i)] = (m[std::size_t(i)] - m[std::size_t(i - 1)]) * c(i);
    for (int i = n - 3; i >= 1; --i)
        m[std::size_t(i)] = m[std::size_t(i)] - m[std::size_t(i + 1)] * c(i);
}

/// Solves mᵢ₋₁ + 4 mᵢ + mᵢ₊₁ = rhsᵢ for indices that go round, in place of the right-hand side: the
/// inverse is the convolution with z^|k| / (2√3), z = √3 − 2, done by one sweep in each sense.
template <class Values>
void solve_periodic(Values&& m, int n)
{
    constexpr double z = -0.26794919243112270647;
    double power = z; // zⁿ in the end
    for (int k = 1; k < n; ++k) {
        m[0] = m[0] + m[std::size_t(n - k)] * power;
        power *= z;
    }
    m[0] = m[0] * (1 / (1 - power));
    for (int i = 1; i < n; ++i)
        m[std::size_t(i)] = m[std::size_t(i)] + m[std::size_t(i - 1)] * z;
    double share = z;
    for (int k = 0; k + 1 < n; ++k) {
        m[std::size_t(n - 1)] = m[std::size_t(n - 1)] + m[std::size_t(k)] * share;
        share *= z;
    }
    m[std::size_t(n - 1)] = m[std::size_t(n - 1)] * (-z / (1 - power));
    for (int i = n - 2; i >= 0; --i)
        m[std::size_t(i)] = (m[std::size_t(i + 1)] - m[std::size_t(i)]) * z;
}

/// The parameter on the first way round.
template <class U>
U wrapped(const U& u)
{
    return u - U(floor(value_of(u)));
}

} // namespace detail

template <class Points, class Moments>
void update_closed_moments(const Points& points, Moments&& moments)
{
    using S = ScalarOf<Points>;
    const std::size_t n = std::size(points) - 1;
    SINEW_EXPECTS(n >= 3 && std::size(moments) == n + 1);
    for (std::size_t i = 0; i < n; ++i)
        moments[i] = (points[i == 0 ? n - 1 : i - 1] - points[i] * S(2) + points[i + 1]) * S(6);
    detail::solve_periodic(moments, int(n));
    moments[n] = moments[0];
}

template <class Points, class Moments, class U>
CurvePointT<ScalarOf<Points>> evaluate_closed(const Points& points, const Moments& moments,
                                              const U& u)
{
    return evaluate_through(points, moments, detail::wrapped(u));
}

template <class Points, class Moments>
void update_moments(const Points& points, Moments&& moments)
{
    using S = ScalarOf<Points>;
    const std::size_t n = std::size(points);
    SINEW_EXPECTS(n >= 2 && std::size(moments) == n);
    for (std::size_t i = 1; i + 1 < n; ++i)
        moments[i] = (points[i - 1] - points[i] * S(2) + points[i + 1]) * S(6);
    detail::solve_natural(moments, int(n));
}

template <class Points, class Moments, class U>
CurvePointT<ScalarOf<Points>> evaluate_through(const Points& points, const Moments& moments,
                                               const U& u)
{
    SINEW_EXPECTS(std::size(points) >= 2 && std::size(moments) == std::size(points));
    const CurveWeightsT<U> w = detail::through_basis(int(std::size(points)), u);
    const std::size_t i = std::size_t(w.first);
    const std::array corners = {points[i], points[i + 1], moments[i], moments[i + 1]};
    return combine(corners,
                   CurveWeightsT<U>{0, 4, w.weight, w.first_derivative, w.second_derivative});
}

} // namespace sinew
