#pragma once

// Small matrices whose zeros and symmetries are spared.

#include "sinew/math.h"

namespace sinew::strand {

template <class T>
void add_diagonal(Mat3T<T>& M, const T& s)
{
    M.x.x += s, M.y.y += s, M.z.z += s;
}

template <class T>
void add_cross(Mat3T<T>& M, const Vec3T<T>& v)
{
    M.x.y += v.z, M.x.z -= v.y, M.y.x -= v.z, M.y.z += v.x, M.z.x += v.y, M.z.y -= v.x;
}

/// [r] M
template <class T>
Mat3T<T> cross_times(const Vec3T<T>& r, const Mat3T<T>& M)
{
    return {cross(r, M.x), cross(r, M.y), cross(r, M.z)};
}

/// Rᵀ v
template <class T>
Vec3T<T> transposed_times(const Mat3T<T>& R, const Vec3T<T>& v)
{
    return {dot(R.x, v), dot(R.y, v), dot(R.z, v)};
}

/// Rᵀ M
template <class T>
Mat3T<T> transposed_times(const Mat3T<T>& R, const Mat3T<T>& M)
{
    return {transposed_times(R, M.x), transposed_times(R, M.y), transposed_times(R, M.z)};
}

template <class T>
Mat3T<T> times_diagonal(const Mat3T<T>& M, const Vec3T<T>& d)
{
    return {M.x * d.x, M.y * d.y, M.z * d.z};
}

template <class T>
Vec3T<T> multiply(const Vec3T<T>& a, const Vec3T<T>& b)
{
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// diag(d) M
template <class T>
Mat3T<T> diagonal_times(const Vec3T<T>& d, const Mat3T<T>& M)
{
    return {multiply(d, M.x), multiply(d, M.y), multiply(d, M.z)};
}

/// The six numbers of a symmetric matrix.
template <class T>
struct Sym3 {
    T xx, xy, xz, yy, yz, zz;

    Sym3& operator+=(const Sym3& b)
    {
        xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
        return *this;
    }
    friend Sym3 operator+(Sym3 a, const Sym3& b) { return a += b; }
    friend Sym3 operator*(const Sym3& a, const T& s)
    {
        return {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
    }
    friend Vec3T<T> operator*(const Sym3& a, const Vec3T<T>& v)
    {
        return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                a.xz * v.x + a.yz * v.y + a.zz * v.z};
    }
    friend Mat3T<T> operator*(const Sym3& a, const Mat3T<T>& M)
    {
        return {a * M.x, a * M.y, a * M.z};
    }
};

template <class T>
void add_diagonal(Sym3<T>& a, const T& s)
{
    a.xx += s, a.yy += s, a.zz += s;
}

template <class T>
Mat3T<T> full(const Sym3<T>& a)
{
    return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}

/// The upper half of a product that is known to be symmetric.
template <class T>
Sym3<T> upper_half(const Mat3T<T>& M)
{
    return {M.x.x, M.y.x, M.z.x, M.y.y, M.z.y, M.z.z};
}

/// R diag(d) Rᵀ
template <class T>
Sym3<T> rotated_diagonal(const Mat3T<T>& R, const Vec3T<T>& d)
{
    const Vec3T<T> x = R.x * d.x, y = R.y * d.y, z = R.z * d.z;
    return {x.x * R.x.x + y.x * R.y.x + z.x * R.z.x, x.x * R.x.y + y.x * R.y.y + z.x * R.z.y,
            x.x * R.x.z + y.x * R.y.z + z.x * R.z.z, x.y * R.x.y + y.y * R.y.y + z.y * R.z.y,
            x.y * R.x.z + y.y * R.y.z + z.y * R.z.z, x.z * R.x.z + y.z * R.y.z + z.z * R.z.z};
}

template <class T>
Sym3<T> inverse(const Sym3<T>& s)
{
    const T c0 = s.yy * s.zz - s.yz * s.yz, c1 = s.xz * s.yz - s.xy * s.zz,
            c2 = s.xy * s.yz - s.xz * s.yy;
    const T r = T(1) / (s.xx * c0 + s.xy * c1 + s.xz * c2);
    return {c0 * r,
            c1 * r,
            c2 * r,
            (s.xx * s.zz - s.xz * s.xz) * r,
            (s.xy * s.xz - s.xx * s.yz) * r,
            (s.xx * s.yy - s.xy * s.xy) * r};
}

} // namespace sinew::strand
