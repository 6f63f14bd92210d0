#include "math/pose_curve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

using namespace sinew;

namespace {

using Poses = std::array<Pose, 4>;
using Times = std::array<double, 4>;

const Times kUneven = {-0.2, 0.1, 0.5, 0.75};

/// A tumbling motion known in closed form, smooth in every component.
Pose tumble(double t)
{
    return {exp_quat(Vec3{std::sin(t), 0.3, t}) * exp_quat(Vec3{0.5 * t * t, std::cos(2 * t), 0}),
            {std::cos(3 * t), t * t * t, std::exp(t)}};
}

Poses sample(const Times& times)
{
    return {tumble(times[0]), tumble(times[1]), tumble(times[2]), tumble(times[3])};
}

/// Steps of almost half a turn about axes that change.
Poses violent()
{
    Poses poses;
    for (std::size_t i = 1; i < 4; ++i)
        poses[i] = {poses[i - 1].rotation *
                        rotation_about(normalised(Vec3{1, 0.2 * double(i), 0.1}), 3.1),
                    {double(i), 0, double(i * i)}};
    return poses;
}

double difference(const Quat& a, const Quat& b) { return length(log_quat(conjugate(a) * b)); }

double difference(const Pose& a, const Pose& b)
{
    return difference(a.rotation, b.rotation) + length(a.translation - b.translation);
}

void check_by_differences(const PoseCurve& curve, double t)
{
    const double h = 1e-5; // truncation ~h², relative to the motion's own scale below
    const PoseMotion before = evaluate(curve, t - h), here = evaluate(curve, t),
                     after = evaluate(curve, t + h);
    const double scale = 1 + length(here.angular_acceleration) + length(here.acceleration);
    // World angular velocity: the left logarithm of the step.
    const Vec3 turned = log_quat(after.pose.rotation * conjugate(before.pose.rotation));

    CHECK(length(turned / (2 * h) - here.angular_velocity) < 1e-7 * scale);
    CHECK(length((after.pose.translation - before.pose.translation) / (2 * h) - here.velocity) <
          1e-7 * scale);
    CHECK(length((after.velocity - before.velocity) / (2 * h) - here.acceleration) < 1e-6 * scale);
    CHECK(length((after.angular_velocity - before.angular_velocity) / (2 * h) -
                 here.angular_acceleration) < 1e-6 * scale);
}

} // namespace

TEST_CASE("both curves pass through their poses")
{
    for (const Poses& poses : {sample(kUneven), violent()}) {
        const PoseCurve curve = make_pose_curve(poses, kUneven);
        const PoseCurve cubic = make_pose_cubic(poses, kUneven);

        CHECK(difference(evaluate(curve, kUneven[1]).pose, poses[1]) < 1e-13);
        CHECK(difference(evaluate(curve, kUneven[2]).pose, poses[2]) < 1e-13);
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(difference(evaluate(cubic, kUneven[i]).pose, poses[i]) < 1e-13);
    }
}

TEST_CASE("stated velocities and accelerations are those of the motion")
{
    for (const Poses& poses : {sample(kUneven), violent(), Poses{}})
        for (const double t : {0.1, 0.100001, 0.2, 0.33, 0.5}) {
            check_by_differences(make_pose_curve(poses, kUneven), t);
            check_by_differences(make_pose_cubic(poses, kUneven), t);
        }
}

TEST_CASE("a window that slides joins with continuous velocity and acceleration")
{
    const std::array<double, 5> t = {-0.2, 0.1, 0.5, 0.75, 1.1};
    for (const double brisk : {1.0, 5.0}) { // 5: up to 2.7 rad from pose to pose
        std::array<Pose, 5> X;
        for (std::size_t i = 0; i < 5; ++i)
            X[i] = tumble(brisk * t[i]);
        const PoseCurve a =
            make_pose_curve(Poses{X[0], X[1], X[2], X[3]}, Times{t[0], t[1], t[2], t[3]});
        const PoseCurve b =
            make_pose_curve(Poses{X[1], X[2], X[3], X[4]}, Times{t[1], t[2], t[3], t[4]});

        const PoseMotion end = evaluate(a, t[2]), begin = evaluate(b, t[2]);

        CHECK(difference(end.pose, begin.pose) < 1e-12);
        CHECK(length(end.velocity - begin.velocity) < 1e-11);
        CHECK(length(end.angular_velocity - begin.angular_velocity) < 1e-11);
        CHECK(length(end.acceleration - begin.acceleration) < 1e-10);
        CHECK(length(end.angular_acceleration - begin.angular_acceleration) < 1e-10);
    }
}

TEST_CASE("constant angular and linear velocity are reproduced exactly, up to half a turn a frame")
{
    for (const double angle : {1e-10, 0.1, 1.5, 3.1}) {
        const Vec3 axis = normalised(Vec3{1, -1, 2}), w = axis * (angle / 0.4), v = {1, 2, 3};
        Poses poses;
        for (std::size_t i = 0; i < 4; ++i)
            poses[i] = {rotation_about(axis, dot(w, axis) * kUneven[i]), v * kUneven[i]};

        for (const PoseCurve& curve :
             {make_pose_curve(poses, kUneven), make_pose_cubic(poses, kUneven)}) {
            const PoseMotion motion = evaluate(curve, 0.23);

            CHECK(difference(motion.pose.rotation, rotation_about(axis, dot(w, axis) * 0.23)) <
                  1e-13);
            CHECK(length(motion.angular_velocity - w) < 1e-12);
            CHECK(length(motion.velocity - v) < 1e-12);
            CHECK(length(motion.angular_acceleration) < 1e-11);
            CHECK(length(motion.acceleration) < 1e-11);
        }
    }
}

TEST_CASE("the curve reproduces constant acceleration, the cubic constant jerk")
{
    const auto at = [](double t, double jerk) {
        return Pose{rotation_about(Vec3{0, 1, 0}, 0.4 * t + t * t + jerk * t * t * t),
                    {t * t, 2 * t, jerk * t * t * t}};
    };
    for (const double jerk : {0.0, 0.7}) {
        Poses poses;
        for (std::size_t i = 0; i < 4; ++i)
            poses[i] = at(kUneven[i], jerk);
        const PoseCurve curve =
            jerk == 0 ? make_pose_curve(poses, kUneven) : make_pose_cubic(poses, kUneven);

        const PoseMotion motion = evaluate(curve, 0.3);

        CHECK(difference(motion.pose, at(0.3, jerk)) < 1e-14);
        CHECK(length(motion.angular_acceleration - Vec3{0, 2 + 6 * jerk * 0.3, 0}) < 1e-12);
        CHECK(length(motion.acceleration - Vec3{2, 0, 6 * jerk * 0.3}) < 1e-12);
    }
}

TEST_CASE("the curve converges with third order, the cubic with fourth")
{
    const auto error = [](auto make, double h) {
        const Times times = {0.5 - h, 0.5, 0.5 + h, 0.5 + 2 * h};
        const double t = 0.5 + 0.25 * h;
        return difference(evaluate(make(sample(times), times), t).pose, tumble(t));
    };
    const auto curve = [](const Poses& p, const Times& t) { return make_pose_curve(p, t); };
    const auto cubic = [](const Poses& p, const Times& t) { return make_pose_cubic(p, t); };

    CHECK(error(curve, 0.02) / error(curve, 0.01) == doctest::Approx(8).epsilon(0.1));
    CHECK(error(cubic, 0.02) / error(cubic, 0.01) == doctest::Approx(16).epsilon(0.1));
}

TEST_CASE("the signs of the quaternions do not matter")
{
    Poses poses = sample(kUneven);
    const Pose before = evaluate(make_pose_curve(poses, kUneven), 0.3).pose;
    poses[0].rotation = -poses[0].rotation;
    poses[2].rotation = -poses[2].rotation;

    CHECK(difference(evaluate(make_pose_curve(poses, kUneven), 0.3).pose, before) < 1e-14);
}

TEST_CASE("a pose beyond the end goes on at the last pace")
{
    const Pose a = {rotation_about(Vec3{0, 0, 1}, 0.2), {1, 0, 0}};
    const Pose b = {rotation_about(Vec3{0, 0, 1}, 0.5), {3, 1, 0}};

    const Pose next = extrapolated(a, b);

    CHECK(difference(next, Pose{rotation_about(Vec3{0, 0, 1}, 0.8), {5, 2, 0}}) < 1e-14);
}
