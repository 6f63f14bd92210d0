#pragma once

// How the numbers of a batch of strands lie in memory: [segment][field][lane], T holding the lanes.

#include "sinew/math.h"

#include <cstddef>

namespace sinew::strand {

/// Of a segment, constant through a stage.
struct Param {
    enum Field : int {
        length,
        tip_mass,          ///< m₁, at the far end
        joint_mass,        ///< m₀
        inertia,           ///< I′ (3): what is left of it about the joint
        stiffness = 6,     ///< K (3) about the section's axes
        damping = 9,       ///< (3)
        rest_inverse = 12, ///< back by the joint's rotation at rest, to the joint's axes (4)
        drag_along = 16,   ///< of half the segment, at either end
        drag_across,
        offset,     ///< (3) of a root's joint, in the base's frame
        reach = 21, ///< moment of inertia of the subtree along its arc: scales the residual
        attach,     ///< where on its parent a branch begins: 1 at the tip
        axes,       ///< from the joint's axes to the segment's (4)
        count = 27
    };
};

/// Of a segment whose length moves: behind the fields of Param, in rows that are so much longer.
struct Spring {
    enum Field : int {
        rest = Param::count, ///< length at rest
        stiffness,           ///< EA
        damping,             ///< force by speed
        mass,                ///< μ
        bulk,                ///< I′ + μL² across (2): about x and z
        count = bulk + 2
    };
};

/// Of a segment's tip, from outside: constant through a stage.
struct Load {
    enum Field : int {
        force,   ///< (3)
        air = 3, ///< (3) velocity
        count = 6
    };
};

/// Of a segment, in the middle of a stage.
struct Trail {
    enum Field : int {
        base_turn,             ///< Q̄ (4)
        base_rate = 4,         ///< ω̄ (3), body axes
        rate = 7,              ///< ω (3), body axes: the unknowns
        turn = 10,             ///< Q (4)
        world_rate = 14,       ///< w (3)
        acceleration = 17,     ///< of the joint (3)
        velocity = 20,         ///< of the joint (3)
        rate_coefficient = 23, ///< y₀, y₁ of Y/θ
        from_rate = 25,        ///< where the search started (3)
        step = 28,             ///< and where it goes (3)
        weight = 31,           ///< of the residual in the search
        bend_sign,             ///< d₀ of the joint when the stage began
        count
    };
};

/// Of a segment whose length moves: behind the fields of Trail, in rows that are so much longer.
struct Axial {
    enum Field : int {
        speed = Trail::count, ///< σ = L̇: an unknown, as the rate
        gain,                 ///< σ̇
        tension,              ///< of the spring and its damper
        slope,                ///< of that in L, of that in σ: k, c (2)
        mass = slope + 2,     ///< μ: what the motion of the tip against the joint weighs too much
        pull,                 ///< demand of what hangs on the segment, from its residual
        change,               ///< of the speed, from the outward sweep
        base_length,          ///< L̄; from here on in lanes alone
        base_speed,           ///< σ̄
        from_speed,           ///< where the search started
        step_speed,           ///< and where it goes
        heft,                 ///< of the residual in the search, as Trail::weight
        count
    };
};

/// Of a segment whose length moves, from the elimination: y = −q (g + c·δa + b·x).
struct AxialFactor {
    enum Field : int { q, g, c, b = c + 3, count = b + 3 };
};

/// Of a segment, from the elimination.
struct Factor {
    enum Field : int {
        G,      ///< overwritten outward by the joint's δa
        H = 9,  ///< overwritten outward by the tip's δa
        v = 18, ///< overwritten outward by δφ
        count = 21
    };
};

/// Fields of T, a row of them for each segment.
template <class T>
struct Rows {
    T* first = nullptr;
    int fields = 0;

    T& operator()(int i, int field) const
    {
        return first[static_cast<std::ptrdiff_t>(i) * fields + field];
    }
    Vec3T<T> vector(int i, int f) const
    {
        const T* p = &(*this)(i, f);
        return {p[0], p[1], p[2]};
    }
    QuatT<T> quat(int i, int f) const
    {
        const T* p = &(*this)(i, f);
        return {p[0], p[1], p[2], p[3]};
    }
    Mat3T<T> matrix(int i, int f) const
    {
        return {vector(i, f), vector(i, f + 3), vector(i, f + 6)};
    }
    /// Into the cache, while something else is computed.
    void fetch(int i) const
    {
        constexpr int kLine = sizeof(T) < 64 ? 64 / sizeof(T) : 1;
        for (int f = 0; f < fields; f += kLine)
            __builtin_prefetch(&(*this)(i, f));
    }
    void put(int i, int f, const Vec3T<T>& v) const
    {
        T* p = &(*this)(i, f);
        p[0] = v.x, p[1] = v.y, p[2] = v.z;
    }
    void put(int i, int f, const QuatT<T>& q) const
    {
        T* p = &(*this)(i, f);
        p[0] = q.x, p[1] = q.y, p[2] = q.z, p[3] = q.w;
    }
    void put(int i, int f, const Mat3T<T>& m) const
    {
        put(i, f, m.x), put(i, f + 3, m.y), put(i, f + 6, m.z);
    }
};

/// Which segment hangs on which: parent[i] < i, or −1 at a root. Most follow the one before, at its
/// tip; others branch off. slot[i] numbers the segments that others branch off from, −1 for the
/// rest.
struct Topology {
    int count = 0, slots = 0;
    const int* parent = nullptr;
    const int* slot = nullptr;
    const char* follows = nullptr;
};

/// Time and base of a stage.
template <class T>
struct StageOf {
    T theta, inverse_theta;          ///< θ and 1/θ; both 0 in statics
    QuatT<T> turn;                   ///< of the base
    Vec3T<T> rate, spinning;         ///< its angular velocity and acceleration, world axes
    Vec3T<T> velocity, acceleration; ///< of its origin; gravity taken off the acceleration
    Vec3T<T> place;                  ///< of its origin, from the lane's; where strands touch
    T part;                          ///< of the whole step that is over then; where strands touch
};

/// For batches in which nothing touches.
struct Untouched {
    static constexpr bool kAny = false;
};

} // namespace sinew::strand
