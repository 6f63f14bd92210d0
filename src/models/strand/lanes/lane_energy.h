#pragma once

// Energy of one strand of a batch, number by number: asked for seldom.

#include "math/functions.h"
#include "math/pose_curve.h"
#include "models/strand/lanes/fields.h"
#include "models/strand/lanes/lanes.h"

namespace sinew::strand {

/// In units of the strand.
struct Energies {
    double kinetic = 0, potential = 0;
};

/// Of a strand in gravity.
template <class T>
struct LaneEnergy {
    const Topology& tree;
    const Rows<T>& param;
    const Rows<T>& room; ///< 12 fields are written
    int lane;
    PoseMotion base; ///< accelerations do not matter
    Vec3 gravity;
    bool is_elastic = false; ///< its lengths move: states have the fields of Axial

    /// `turn` and `rate`: the fields that hold them, in `state`.
    Energies of(const Rows<T>& state, int turn, int rate) const
    {
        Energies sum;
        for (int i = 0; i < tree.count; ++i) {
            const double m1 = number(param, i, Param::tip_mass);
            const double m0 = number(param, i, Param::joint_mass);
            const Quat q = quat(state, i, turn);
            const Vec3 omega = vector(state, i, rate), w = rotate(q, omega);
            const Vec3 r = rotate(q, Vec3{0, number(param, i, Param::length), 0});
            const Vec3 I = vector(param, i, Param::inertia);
            const Vec3 x = at_joint(i, 0), v = at_joint(i, 3);
            const double speed = is_elastic ? number(state, i, Axial::speed) : 0;
            const Vec3 x_tip = x + r, v_tip = v + cross(w, r) + rotate(q, Vec3{0, speed, 0});
            put(i, 0, x), put(i, 3, v), put(i, 6, x_tip), put(i, 9, v_tip);
            sum.kinetic +=
                0.5 * (m0 * dot(v, v) + m1 * dot(v_tip, v_tip) + I.x * omega.x * omega.x +
                       I.y * omega.y * omega.y + I.z * omega.z * omega.z);
            if (is_elastic)
                sum.kinetic -= 0.5 * number(state, i, Axial::mass) * speed * speed;
            sum.potential -= dot(gravity, x * m0 + x_tip * m1);
            sum.potential += bent(i, q, state, turn);
        }
        return sum;
    }

private:
    static double number(const Rows<T>& rows, int i, int f, int lane)
    {
        return static_cast<double>(get_lane(rows(i, f), lane));
    }
    double number(const Rows<T>& rows, int i, int f) const { return number(rows, i, f, lane); }
    Vec3 vector(const Rows<T>& rows, int i, int f) const
    {
        return {number(rows, i, f), number(rows, i, f + 1), number(rows, i, f + 2)};
    }
    Quat quat(const Rows<T>& rows, int i, int f) const
    {
        const Vec3 v = vector(rows, i, f);
        return {v.x, v.y, v.z, number(rows, i, f + 3)};
    }
    void put(int i, int f, const Vec3& v) const
    {
        for (int c = 0; c < 3; ++c)
            set_lane(room(i, f + c), lane, v[c]);
    }

    /// Place (0) or velocity (3) of a joint; those of tips follow 6 later.
    Vec3 at_joint(int i, int f) const
    {
        const int p = tree.parent[i];
        if (p < 0) {
            const Vec3 arm = rotate(base.pose.rotation, vector(param, i, Param::offset));
            return f == 0 ? base.pose.translation + arm
                          : base.velocity + cross(base.angular_velocity, arm);
        }
        const Vec3 tip = vector(room, p, f + 6), joint = vector(room, p, f);
        return tree.follows[i] ? tip : joint + (tip - joint) * number(param, i, Param::attach);
    }

    /// Of the elastic joint.                                                           [eq. 4]
    double bent(int i, const Quat& q, const Rows<T>& state, int turn) const
    {
        const int p = tree.parent[i];
        const Quat before = p < 0 ? base.pose.rotation : quat(state, p, turn);
        const Quat axes = q * quat(param, i, Param::axes);
        const Quat d = quat(param, i, Param::rest_inverse) * (conjugate(before) * axes);
        const Vec3 g = d.vector() / d.w, K = vector(param, i, Param::stiffness);
        return K.x * log(1 + dot(g, g)) + (K.y - K.x) * log(1 + g.y * g.y) +
               (K.z - K.x) * log(1 + g.z * g.z);
    }
};

} // namespace sinew::strand
