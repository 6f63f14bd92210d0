#pragma once

// Random motion of air as a sum of waves, for numbers and for lanes.

#include "models/strand/lanes/lanes.h"
#include "sinew/math.h"

#include <span>

namespace sinew::strand {

/// direction · cos(number · x + rate · t + phase), with the direction across the number.
struct Wave {
    Vec3 number = {0, 0, 0}; ///< [rad/m]
    Vec3 direction = {0, 0, 0};
    double rate = 0;  ///< [rad/s]
    double phase = 0; ///< [rad]
};

/// cos x to 1e-9 (of float: to rounding), the same bits wherever it runs: 1 − 2 sin²(x/2) by a
/// polynomial.
template <class T>
T cosine(const T& x)
{
    constexpr bool kIsFloat = sizeof(typename LaneTraits<T>::Scalar) == 4;
    const T big = static_cast<T>(kIsFloat ? 12582912.0 : 6755399441055744.0); // 1.5 · 2^(digits)
    const T turns = x * static_cast<T>(0.15915494309189535);
    const T rest = (turns - ((turns + big) - big)) * static_cast<T>(3.1415926535897931);
    const T z = rest * rest;
    T s = static_cast<T>(1.6059043836821613e-10); // 1/13!, and so on down
    for (const double c : {-2.5052108385441720e-8, 2.7557319223985893e-6, -1.9841269841269841e-4,
                           8.3333333333333332e-3, -1.6666666666666666e-1, 1.0})
        s = s * z + static_cast<T>(c);
    s = s * rest;
    return static_cast<T>(1) - static_cast<T>(2) * (s * s);
}

/// The sum of waves at a place, in whose units lengths are.
template <class T>
Vec3T<T> sum_of(std::span<const Wave> waves, const Vec3T<T>& place, double time)
{
    Vec3T<T> sum{T(0), T(0), T(0)};
    for (const Wave& wave : waves) {
        const T turn =
            place.x * static_cast<T>(wave.number.x) + place.y * static_cast<T>(wave.number.y) +
            place.z * static_cast<T>(wave.number.z) + static_cast<T>(wave.rate * time + wave.phase);
        const T c = cosine(turn);
        sum += Vec3T<T>{c * static_cast<T>(wave.direction.x), c * static_cast<T>(wave.direction.y),
                        c * static_cast<T>(wave.direction.z)};
    }
    return sum;
}

} // namespace sinew::strand
