#include "math/so3.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace sinew;

TEST_CASE("the right Jacobian maps rates of rotation vectors to body angular velocity")
{
    const Vec3 v = {0.3, -0.7, 0.2};
    for (const double angle : {0.0, 1e-9, 1e-3, 0.3, 0.999, 1.001, 2.0, 3.1, 5.0}) {
        const Vec3 r = normalised(Vec3{1, 2, -1}) * angle;
        const double h = 1e-6;
        const Quat step = conjugate(exp_quat(r - v * h)) * exp_quat(r + v * h);

        const Vec3 w = right_jacobian_times(r, v);

        CHECK(length(log_quat(step) / (2 * h) - w) < 1e-9);
        CHECK(length(right_jacobian_inverse_times(r, w) - v) < 1e-13);
    }
}

TEST_CASE("the right Jacobian, its inverse and its rate are seamless where their series end")
{
    const Vec3 axis = normalised(Vec3{1, 2, -1}), v = {0.3, -0.7, 0.2}, a = {1, 0, 2};
    for (const double seam : {1.0, std::sqrt(0.1)}) {
        const Vec3 below = axis * (seam - 1e-15), above = axis * (seam + 1e-15);
        const auto low = angular_motion(below, v, a), high = angular_motion(above, v, a);

        CHECK(length(low.velocity - high.velocity) < 1e-14);
        CHECK(length(low.acceleration - high.acceleration) < 1e-14);
        CHECK(length(right_jacobian_inverse_times(below, v) -
                     right_jacobian_inverse_times(above, v)) < 1e-14);
    }
}

TEST_CASE("body angular acceleration is the rate of body angular velocity")
{
    const Vec3 dr = {0.3, -0.7, 0.2}, ddr = {1, 0.5, -2};
    for (const double angle : {0.0, 1e-6, 0.5, 1.5, 3.1, 6.0}) {
        const Vec3 r = normalised(Vec3{1, 2, -1}) * angle;
        const double h = 1e-5;
        const auto velocity = [&](double t) {
            return right_jacobian_times(r + dr * t + ddr * (t * t / 2), dr + ddr * t);
        };

        const AngularMotionT<double> motion = angular_motion(r, dr, ddr);

        CHECK(length(motion.velocity - velocity(0)) < 1e-15);
        CHECK(length(motion.acceleration - (velocity(h) - velocity(-h)) / (2 * h)) < 1e-8);
    }
}
