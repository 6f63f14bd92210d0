// How places on skins move.

#include "models/strand/bases/skin_motion.h"

#include "math/functions.h"
#include "math/so3.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::strand;

namespace {

/// A triangle that goes, turns and grows.
Skin some_skin()
{
    Skin skin;
    skin.triangles = {{0, 1, 2}};
    for (int k = 0; k < 6; ++k) {
        skin.times.push_back(0.1 * k);
        const Quat turn = exp_quat(Vec3{0.3, 0.5, -0.2} * (0.4 * k));
        for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{1, 0, 0.1}, Vec3{0, 0.2, 1}})
            skin.vertices.push_back(rotate(turn, corner * (1 + 0.1 * k)) +
                                    Vec3{0.3, 0.1, -0.2} * double(k * k) * 0.1);
    }
    return skin;
}

Vec3 difference(const Vec3& a, const Vec3& b, double h) { return (b - a) / (2 * h); }

void check_rates(const auto& motion_at, double time)
{
    constexpr double kStep = 1e-5;
    const PoseMotion now = motion_at(time), before = motion_at(time - kStep),
                     after = motion_at(time + kStep);
    const Vec3 turn = log_quat(after.pose.rotation * conjugate(before.pose.rotation)) / (2 * kStep);
    CHECK(length(difference(before.pose.translation, after.pose.translation, kStep) -
                 now.velocity) < 1e-6);
    CHECK(length(difference(before.velocity, after.velocity, kStep) - now.acceleration) < 1e-5);
    CHECK(length(turn - now.angular_velocity) < 1e-6);
    CHECK(length(difference(before.angular_velocity, after.angular_velocity, kStep) -
                 now.angular_acceleration) < 1e-5);
}

} // namespace

TEST_CASE("the motion of a place on a skin has the rates that differences have")
{
    const Skin skin = some_skin();
    const StrandRoot root{.u = 0.2, .v = 0.5};
    for (const double time : {0.05, 0.13, 0.27, 0.48})
        check_rates([&](double t) { return motion_on_skin(skin, root, t); }, time);
}

TEST_CASE("what moves on what moves has the rates that differences have")
{
    const Skin skin = some_skin();
    check_rates(
        [&](double t) {
            return carried_by(motion_on_skin(skin, {.u = 0.2, .v = 0.5}, t),
                              motion_on_skin(skin, {.u = 0.1, .v = 0.1}, t + 0.05));
        },
        0.22);
}

TEST_CASE("a skin goes through its corners, and stands before and after")
{
    const Skin skin = some_skin();
    const StrandRoot corner{.u = 1, .v = 0};
    for (std::size_t k = 0; k < skin.times.size(); ++k)
        CHECK(length(motion_on_skin(skin, corner, skin.times[k]).pose.translation -
                     skin.vertices[3 * k + 1]) < 1e-12);
    for (const double time : {-1.0, 7.0})
        CHECK(length(motion_on_skin(skin, corner, time).velocity) < 1e-12);
    for (const double end : {0.0, 0.5}) { // one-sided: it moves at its ends, and jumps there
        CHECK(length(motion_on_skin(skin, corner, end, Side::before).velocity -
                     motion_on_skin(skin, corner, end, Side::after).velocity) > 0.1);
        CHECK(jumps(skin, end, end + 0.01));
    }
    CHECK_FALSE(jumps(skin, 0.1, 0.2));
}

TEST_CASE(
    "the motion on a skin has continuous velocity and acceleration [notes: pose_curve, eq. 6]")
{
    const Skin skin = some_skin();
    const StrandRoot root{.u = 0.2, .v = 0.5};
    for (std::size_t k = 1; k + 1 < skin.times.size(); ++k) {
        const PoseMotion before = motion_on_skin(skin, root, skin.times[k], Side::before),
                         after = motion_on_skin(skin, root, skin.times[k], Side::after);
        CHECK(length(before.velocity - after.velocity) < 1e-9);
        CHECK(length(before.acceleration - after.acceleration) < 1e-7);
        CHECK(length(before.angular_acceleration - after.angular_acceleration) < 1e-7);
    }
}
