#pragma once

#include <cmath>

/// Fixed-size algebra: vectors, matrices, rotations and poses, templates over the scalar S.
///
/// Conventions: SI units, right-handed frames, column vectors: v' = R v, and (A B) v = A (B v).
/// X_WB maps coordinates in frame B to coordinates in frame W, so X_WC = X_WB * X_BC.
///
/// S needs + - * /, construction from double, and sqrt, sin, cos, atan2 found by its namespace
/// (double, float, jets, SIMD lanes). Functions choose with select(), never with `if`, unless their
/// comment says "plain comparisons": lanes give their own select() on their own mask.

namespace sinew {

/// How a value travels from one key to the next.
enum class Easing {
    linear,    ///< s
    slowin,    ///< s²: starts at rest
    slowout,   ///< 1 − (1 − s)²: ends at rest
    slowinout, ///< 3 s² − 2 s³: starts and ends at rest
    hold       ///< stays, then jumps at the end
};

/// One of two values. A function rather than ?: so that SIMD masks can choose lane by lane.
template <class S>
constexpr S select(bool condition, const S& yes, const S& no)
{
    return condition ? yes : no;
}

inline bool is_finite(double x) { return std::isfinite(x); }

// ---------------------------------------------------------------- vectors

template <class S>
struct Vec3T {
    S x = S(0), y = S(0), z = S(0);

    bool operator==(const Vec3T&) const = default;

    /// The component with index i = 0, 1 or 2.
    constexpr S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    constexpr Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
    constexpr Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
    constexpr Vec3T& operator*=(const S& s) { return *this = *this * s; }
    constexpr Vec3T& operator/=(const S& s) { return *this = *this / s; }

    friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b)
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b)
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3T operator*(const Vec3T& a, const S& s)
    {
        return {a.x * s, a.y * s, a.z * s};
    }
    friend constexpr Vec3T operator*(const S& s, const Vec3T& a) { return a * s; }
    friend constexpr Vec3T operator/(const Vec3T& a, const S& s)
    {
        return {a.x / s, a.y / s, a.z / s};
    }
};

template <class S>
constexpr S dot(const Vec3T<S>& a, const Vec3T<S>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
constexpr Vec3T<S> cross(const Vec3T<S>& a, const Vec3T<S>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class S>
constexpr S squared_length(const Vec3T<S>& a)
{
    return dot(a, a);
}

template <class S>
S length(const Vec3T<S>& a)
{
    using std::sqrt;
    return sqrt(dot(a, a));
}

/// The vector of length one in the same direction. Requires length(a) > 0; else not finite.
template <class S>
Vec3T<S> normalised(const Vec3T<S>& a)
{
    return a / length(a);
}

template <class S>
bool is_finite(const Vec3T<S>& a)
{
    return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

// ---------------------------------------------------------------- matrices

/// A 3×3 matrix by its columns: of a rotation R_WB, column x is B's x axis seen in W.
template <class S>
struct Mat3T {
    Vec3T<S> x, y, z;

    static constexpr Mat3T identity() { return diagonal({S(1), S(1), S(1)}); }
    static constexpr Mat3T diagonal(const Vec3T<S>& d)
    {
        return {{d.x, S(0), S(0)}, {S(0), d.y, S(0)}, {S(0), S(0), d.z}};
    }

    bool operator==(const Mat3T&) const = default;

    constexpr S& operator()(int row, int column) { return (*this)[column][row]; }
    constexpr const S& operator()(int row, int column) const { return (*this)[column][row]; }
    /// The column with index i = 0, 1 or 2.
    constexpr Vec3T<S>& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr const Vec3T<S>& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    constexpr Mat3T& operator+=(const Mat3T& B) { return *this = *this + B; }
    constexpr Mat3T& operator-=(const Mat3T& B) { return *this = *this - B; }
    constexpr Mat3T& operator*=(const S& s) { return *this = *this * s; }

    friend constexpr Mat3T operator+(const Mat3T& A, const Mat3T& B)
    {
        return {A.x + B.x, A.y + B.y, A.z + B.z};
    }
    friend constexpr Mat3T operator-(const Mat3T& A, const Mat3T& B)
    {
        return {A.x - B.x, A.y - B.y, A.z - B.z};
    }
    friend constexpr Mat3T operator-(const Mat3T& A) { return {-A.x, -A.y, -A.z}; }
    friend constexpr Mat3T operator*(const Mat3T& A, const S& s)
    {
        return {A.x * s, A.y * s, A.z * s};
    }
    friend constexpr Mat3T operator*(const S& s, const Mat3T& A) { return A * s; }
    friend constexpr Vec3T<S> operator*(const Mat3T& A, const Vec3T<S>& v)
    {
        return A.x * v.x + A.y * v.y + A.z * v.z;
    }
    friend constexpr Mat3T operator*(const Mat3T& A, const Mat3T& B)
    {
        return {A * B.x, A * B.y, A * B.z};
    }
};

template <class S>
constexpr Mat3T<S> transpose(const Mat3T<S>& A)
{
    return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

template <class S>
constexpr S trace(const Mat3T<S>& A)
{
    return A.x.x + A.y.y + A.z.z;
}

template <class S>
constexpr S determinant(const Mat3T<S>& A)
{
    return dot(A.x, cross(A.y, A.z));
}

/// Requires determinant(A) ≠ 0; else not finite.
template <class S>
constexpr Mat3T<S> inverse(const Mat3T<S>& A)
{
    const Vec3T<S> yz = cross(A.y, A.z), zx = cross(A.z, A.x), xy = cross(A.x, A.y);
    return transpose(Mat3T<S>{yz, zx, xy}) * (S(1) / dot(A.x, yz));
}

/// a bᵀ
template <class S>
constexpr Mat3T<S> outer(const Vec3T<S>& a, const Vec3T<S>& b)
{
    return {a * b.x, a * b.y, a * b.z};
}

/// The skew matrix [a]ₓ with [a]ₓ b = a × b.
template <class S>
constexpr Mat3T<S> cross_matrix(const Vec3T<S>& a)
{
    return {{S(0), a.z, -a.y}, {-a.z, S(0), a.x}, {a.y, -a.x, S(0)}};
}

template <class S>
bool is_finite(const Mat3T<S>& A)
{
    return is_finite(A.x) && is_finite(A.y) && is_finite(A.z);
}

// ---------------------------------------------------------------- rotations

/// A quaternion x i + y j + z k + w; of unit length where it stands for a rotation.
template <class S>
struct QuatT {
    S x = S(0), y = S(0), z = S(0), w = S(1);

    bool operator==(const QuatT&) const = default;

    constexpr Vec3T<S> vector() const { return {x, y, z}; }

    friend constexpr QuatT operator*(const QuatT& a, const QuatT& b)
    {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
    friend constexpr QuatT operator*(const QuatT& a, const S& s)
    {
        return {a.x * s, a.y * s, a.z * s, a.w * s};
    }
    friend constexpr QuatT operator-(const QuatT& a) { return {-a.x, -a.y, -a.z, -a.w}; }
};

/// The inverse rotation of a unit quaternion.
template <class S>
constexpr QuatT<S> conjugate(const QuatT<S>& q)
{
    return {-q.x, -q.y, -q.z, q.w};
}

template <class S>
constexpr S dot(const QuatT<S>& a, const QuatT<S>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <class S>
QuatT<S> normalised(const QuatT<S>& q)
{
    using std::sqrt;
    return q * (S(1) / sqrt(dot(q, q)));
}

template <class S>
bool is_finite(const QuatT<S>& q)
{
    return is_finite(q.vector()) && is_finite(q.w);
}

/// R v for the rotation R of the unit quaternion q.
template <class S>
constexpr Vec3T<S> rotate(const QuatT<S>& q, const Vec3T<S>& v)
{
    const Vec3T<S> t = cross(q.vector(), v) * S(2);
    return v + t * q.w + cross(q.vector(), t);
}

/// The matrix R of the unit quaternion q.
template <class S>
constexpr Mat3T<S> rotation_matrix(const QuatT<S>& q)
{
    const S xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const S xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
    const S wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    const S one = S(1), two = S(2);
    return {{one - two * (yy + zz), two * (xy + wz), two * (zx - wy)},
            {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
            {two * (zx + wy), two * (yz - wx), one - two * (xx + yy)}};
}

/// The unit quaternion of a rotation matrix; of its two signs either may come back. Divides by the
/// largest component, so every angle is safe. Plain comparisons.
template <class S>
QuatT<S> rotation_quat(const Mat3T<S>& R)
{
    const S xx = R.x.x, yy = R.y.y, zz = R.z.z, t = trace(R), one = S(1);
    QuatT<S> q;
    if (t >= xx && t >= yy && t >= zz)
        q = {R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x, one + t};
    else if (xx >= yy && xx >= zz)
        q = {one + xx - yy - zz, R.x.y + R.y.x, R.z.x + R.x.z, R.y.z - R.z.y};
    else if (yy >= zz)
        q = {R.x.y + R.y.x, one + yy - zz - xx, R.y.z + R.z.y, R.z.x - R.x.z};
    else
        q = {R.z.x + R.x.z, R.y.z + R.z.y, one + zz - xx - yy, R.x.y - R.y.x};
    return normalised(q);
}

/// The turn by `angle` [rad] about `axis`, counter-clockwise seen against it. Requires |axis| = 1.
template <class S>
QuatT<S> rotation_about(const Vec3T<S>& axis, const S& angle)
{
    using std::cos, std::sin;
    const Vec3T<S> v = axis * sin(angle * S(0.5));
    return {v.x, v.y, v.z, cos(angle * S(0.5))};
}

/// The turn by |r| [rad] about r: the exponential map from rotation vectors. Smooth through r = 0.
template <class S>
QuatT<S> exp_quat(const Vec3T<S>& r)
{
    using std::cos, std::sin, std::sqrt;
    const S x = dot(r, r) * S(0.25); // (θ/2)²
    const auto is_small = x < S(0.1);
    // Horner form of sin(√x)/√x and cos √x; the first term left out is below 1e-16.
    const S sinc_series =
        S(1) -
        x / S(6) *
            (S(1) - x / S(20) * (S(1) - x / S(42) * (S(1) - x / S(72) * (S(1) - x / S(110)))));
    const S half = sqrt(select(is_small, S(0.1), x));
    const S sinc = select(is_small, sinc_series, sin(half) / half);
    const S cosine_series =
        S(1) -
        x / S(2) *
            (S(1) - x / S(12) *
                        (S(1) - x / S(30) *
                                    (S(1) - x / S(56) * (S(1) - x / S(90) * (S(1) - x / S(132))))));
    const S w = select(is_small, cosine_series, cos(half));
    const Vec3T<S> v = r * (sinc * S(0.5));
    return {v.x, v.y, v.z, w};
}

/// The rotation vector of the unit quaternion q, of length at most π: the inverse of exp_quat.
/// q and −q give the same vector. Smooth through the identity, accurate up to π.
template <class S>
Vec3T<S> log_quat(const QuatT<S>& q)
{
    using std::atan2, std::sqrt;
    const S sign = select(q.w < S(0), S(-1), S(1));
    const S w = q.w * sign;
    const S ss = dot(q.vector(), q.vector());
    const auto is_small = ss < S(0.001) * w * w;
    // Series of atan(t)/t in x = t²; the first term left out is below 1e-18.
    const S x = ss / select(is_small, w * w, S(1));
    const S series =
        (S(1) -
         x * (S(1. / 3) - x * (S(1. / 5) - x * (S(1. / 7) - x * (S(1. / 9) - x * S(1. / 11)))))) /
        select(is_small, w, S(1));
    const S s = sqrt(select(is_small, S(1), ss));
    const S factor = select(is_small, series, atan2(s, w) / s); // (θ/2) / sin(θ/2)
    return q.vector() * (S(2) * factor * sign);
}

/// The rotation at fraction s of the shortest way from a to b, at constant angular velocity.
template <class S>
QuatT<S> slerp(const QuatT<S>& a, const QuatT<S>& b, const S& s)
{
    return a * exp_quat(log_quat(conjugate(a) * b) * s);
}

// ---------------------------------------------------------------- poses

/// A rigid motion x ↦ rotation x + translation; X_WB takes points in B to points in W.
template <class S>
struct PoseT {
    QuatT<S> rotation;         ///< R_WB, unit length
    Vec3T<S> translation = {}; ///< p_WB_W, B's origin in W [m]

    bool operator==(const PoseT&) const = default;

    /// X_WC = X_WB * X_BC
    friend constexpr PoseT operator*(const PoseT& a, const PoseT& b)
    {
        return {a.rotation * b.rotation, apply_to_point(a, b.translation)};
    }
};

/// p_W = R p_B + p: a position changes its frame.
template <class S>
constexpr Vec3T<S> apply_to_point(const PoseT<S>& X, const Vec3T<S>& point)
{
    return rotate(X.rotation, point) + X.translation;
}

/// v_W = R v_B: a direction, velocity or force changes the axes it is written in.
template <class S>
constexpr Vec3T<S> apply_to_direction(const PoseT<S>& X, const Vec3T<S>& direction)
{
    return rotate(X.rotation, direction);
}

template <class S>
constexpr PoseT<S> inverse(const PoseT<S>& X)
{
    const QuatT<S> back = conjugate(X.rotation);
    return {back, -rotate(back, X.translation)};
}

template <class S>
bool is_finite(const PoseT<S>& X)
{
    return is_finite(X.rotation) && is_finite(X.translation);
}

// ---------------------------------------------------------------- affine maps

/// x ↦ linear x + origin: where a frame is in the world. Not a pose, because frames can be scaled.
template <class S>
struct AffineT {
    Mat3T<S> linear = Mat3T<S>::identity();
    Vec3T<S> origin = {};

    bool operator==(const AffineT&) const = default;

    friend constexpr AffineT operator*(const AffineT& outer, const AffineT& inner)
    {
        return {outer.linear * inner.linear, apply(outer, inner.origin)};
    }
};

template <class S>
constexpr Vec3T<S> apply(const AffineT<S>& frame, const Vec3T<S>& x)
{
    return frame.linear * x + frame.origin;
}

using Vec3 = Vec3T<double>;
using Mat3 = Mat3T<double>;
using Quat = QuatT<double>;
using Pose = PoseT<double>;
using Affine = AffineT<double>;

} // namespace sinew
