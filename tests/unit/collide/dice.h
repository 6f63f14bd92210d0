#pragma once

#include "collide/manifold.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sinew::collide_tests {

/// Random shapes and places.
class Dice {
public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    double number(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Vec3 vector(double size)
    {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    Mat3 rotation() { return rotation_matrix(exp_quat(vector(3))); }
    CollisionShape hull(int points)
    {
        for (;;) {
            std::vector<Vec3> cloud;
            for (int i = 0; i < points; ++i)
                cloud.push_back(vector(1));
            if (Result<Hull> made = make_hull(cloud))
                return make_convex(std::move(*made));
        }
    }
    CollisionShape box() { return make_box({number(0.2, 2), number(0.2, 2), number(0.2, 2)}); }
    CollisionShape convex(int kind)
    {
        switch (kind % 6) {
        case 0: return make_cylinder(number(0.1, 1), number(0.1, 2));
        case 1: return make_cone(number(0.1, 1), number(0.1, 2));
        case 2: return box();
        case 3: return hull(8);
        case 4: return make_capsule(number(0.1, 0.5), number(0.1, 1));
        default: return make_sphere(number(0.1, 0.8));
        }
    }

private:
    std::mt19937 engine_;
};

/// The area of the polygon that a patch's points span.
inline double patch_area(const Placed& a, const Manifold& m)
{
    std::vector<Vec3> corners;
    for (int i = 0; i < m.count; ++i)
        corners.push_back(a.to_world(m.point[std::size_t(i)].on_a));
    if (corners.size() < 3)
        return 0;
    Vec3 middle{0, 0, 0};
    for (const Vec3& corner : corners)
        middle += corner / double(corners.size());
    const Vec3 x = normalised(corners[0] - middle), y = cross(m.normal, x);
    std::ranges::sort(corners, {}, [&](const Vec3& c) {
        return std::atan2(dot(y, c - middle), dot(x, c - middle));
    });
    double area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
        area += 0.5 * dot(m.normal,
                          cross(corners[i] - middle, corners[(i + 1) % corners.size()] - middle));
    return area;
}

} // namespace sinew::collide_tests
