#include "contacts/capsules.h"

#include <algorithm>

namespace sinew {

NearestParts find_nearest_parts(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    constexpr double kParallel = 0.01; // sine squared
    const Vec3 p = a1 - a0, q = b1 - b0, r = a0 - b0;
    const double pp = dot(p, p), qq = dot(q, q), pq = dot(p, q), pr = dot(p, r), qr = dot(q, r);
    const double det = pp * qq - pq * pq;
    NearestParts parts;
    const auto onto_b = [&](double a) {
        return qq > 0 ? std::clamp((qr + a * pq) / qq, 0.0, 1.0) : 0;
    };
    const auto onto_a = [&](double b) {
        return pp > 0 ? std::clamp((b * pq - pr) / pp, 0.0, 1.0) : 0;
    };
    if (det > kParallel * pp * qq) {
        parts.b = onto_b(std::clamp((pq * qr - qq * pr) / det, 0.0, 1.0));
        parts.a = onto_a(parts.b);
        parts.b = onto_b(parts.a);
        return parts;
    }
    parts.is_parallel = pp > 0 && qq > 0; // a ball is a point
    parts.a = 0.5 * (onto_a(0) + onto_a(1));
    parts.b = onto_b(parts.a);
    return parts;
}

} // namespace sinew
