#include "models/strand/bases/track_motion.h"

#include "math/functions.h"
#include "math/jet.h"
#include "math/so3.h"
#include "math/turn.h"
#include "scene/kinematics.h"
#include "scene/placement.h"

namespace sinew::strand {

namespace {

using Affine2 = AffineT<Jet2>;

Jet2 jet_of(const Rates& rates) { return {rates.value, rates.first, rates.second}; }

/// One transformation whose amount moves.
Affine2 moving_transformation(TransformationKind kind, const Jet2& a)
{
    Affine2 T;
    const int k = static_cast<int>(kind);
    if (kind <= TransformationKind::translate_z) {
        T.origin[k] = a;
    } else if (kind <= TransformationKind::rotate_z) {
        Vec3T<Jet2> axis{Jet2(0), Jet2(0), Jet2(0)};
        axis[k - 3] = Jet2(1);
        T.linear = rotation_matrix(rotation_about(axis, a));
    } else if (kind == TransformationKind::scale) {
        T.linear = Mat3T<Jet2>::diagonal({a, a, a});
    } else {
        T.linear(k - 7, k - 7) = a;
    }
    return T;
}

/// Inner ones first.
template <class Use>
void for_each_transformation(const Scene& scene, const Carrier& from, Use&& use)
{
    std::uint32_t k = from.first;
    for (ObjectId id = from.object; id.is_valid(); id = frame_parent(scene.objects[id.index])) {
        const Object& object = scene.objects[id.index];
        for (; k < object.transformation_count; ++k)
            use(scene.transformations[object.first_transformation + k], Carrier{id, k});
        k = 0;
    }
}

Affine2 frame_by_tracks(const Scene& scene, const Carrier& carrier, double time, Side side)
{
    Affine2 frame;
    TurnParts<Jet2> turn{};
    for_each_transformation(scene, carrier, [&](const Transformation& t, const Carrier&) {
        const Jet2 amount = jet_of(rates_at(scene, t.amount, time, 0, side));
        if (!is_turn_part(t.kind)) {
            frame = moving_transformation(t.kind, amount) * frame;
            return;
        }
        turn[std::size_t(t.kind) - std::size_t(TransformationKind::turn_w)] = amount;
        if (t.kind == TransformationKind::turn_z) {
            Affine2 turned;
            turned.linear = matrix_of(turn);
            frame = turned * frame;
        }
    });
    return frame;
}

/// The vector of a skew matrix; of one that is not quite, of its skew part.
Vec3 vector_of(const Mat3& M)
{
    return Vec3{M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)} * 0.5;
}

template <class Get>
Mat3 part_of(const Mat3T<Jet2>& M, double scale, Get&& get)
{
    Mat3 out;
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            out(r, c) = get(M(r, c)) / scale;
    return out;
}

} // namespace

ScaledPose scaled_pose(const Affine& frame)
{
    const double volume = determinant(frame.linear);
    const double scale = volume == 1 ? 1 : pow(abs(volume), 1.0 / 3);
    Mat3 R = frame.linear;
    for (int i = 0; i < 3; ++i)
        R[i] = normalised(R[i]);
    return {{rotation_quat(R), frame.origin}, scale};
}

/// ω = Ṙ Rᵀ, ω̇ = (R̈ Rᵀ) less its symmetric part.
PoseMotion motion_of(const Affine2& frame)
{
    const Mat3 linear = part_of(frame.linear, 1, [](const Jet2& j) { return j.value; });
    const ScaledPose at =
        scaled_pose({linear, {frame.origin.x.value, frame.origin.y.value, frame.origin.z.value}});
    const Mat3 first = part_of(frame.linear, at.scale, [](const Jet2& j) { return j.first; });
    const Mat3 second = part_of(frame.linear, at.scale, [](const Jet2& j) { return j.second; });
    const Mat3 back = transpose(rotation_matrix(at.pose.rotation));
    return {at.pose,
            {frame.origin.x.first, frame.origin.y.first, frame.origin.z.first},
            vector_of(first * back),
            {frame.origin.x.second, frame.origin.y.second, frame.origin.z.second},
            vector_of(second * back)};
}

PoseMotion motion_by_tracks(const Scene& scene, const Carrier& carrier, double time, Side side)
{
    return motion_of(frame_by_tracks(scene, carrier, time, side));
}

Carried find_carrier(const Scene& scene, ObjectId object)
{
    Carrier moving;
    Affine still;
    for_each_transformation(scene, {object, 0}, [&](const Transformation& t, const Carrier& at) {
        if (!moving.object.is_valid() && t.amount.is_constant()) {
            still = make_transformation(t.kind, t.amount.number) * still;
            return;
        }
        if (!moving.object.is_valid())
            moving = at;
    });
    return {moving, scaled_pose(still).pose};
}

PoseMotion carried_by(const PoseMotion& carrier, const Pose& pose)
{
    const Vec3 arm = rotate(carrier.pose.rotation, pose.translation);
    const Vec3& w = carrier.angular_velocity;
    const Vec3 turning = cross(w, arm);
    return {{carrier.pose.rotation * pose.rotation, carrier.pose.translation + arm},
            carrier.velocity + turning,
            w,
            carrier.acceleration + cross(carrier.angular_acceleration, arm) + cross(w, turning),
            carrier.angular_acceleration};
}

} // namespace sinew::strand
