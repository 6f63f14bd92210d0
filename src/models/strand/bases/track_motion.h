#pragma once

// How objects move that only tracks move.

#include "math/jet.h"
#include "math/pose_curve.h"
#include "scene/formula.h"
#include "sinew/scene.h"

namespace sinew::strand {

/// Uniform scale and pose of a frame; the scale of its volume where the axes differ.
struct ScaledPose {
    Pose pose;
    double scale = 1;
};
ScaledPose scaled_pose(const Affine& frame);

/// Transformations of an object from a number on, and those of all that it stands on.
struct Carrier {
    ObjectId object;
    std::uint32_t first = 0;

    bool operator==(const Carrier&) const = default;
};

/// Pose, velocity and acceleration of a frame that is given with its rates.
PoseMotion motion_of(const AffineT<Jet2>& frame);

/// The same of a carrier, exact. Requires amounts that are known in advance.
PoseMotion motion_by_tracks(const Scene& scene, const Carrier& carrier, double time, Side side);

/// What moves an object, and where on it the object stands still.
struct Carried {
    Carrier carrier;
    Pose pose;
};

/// The carrier that most others have in common: what moves, without what stands still on it.
/// Requires an object that something moves and nothing scales.
Carried find_carrier(const Scene& scene, ObjectId object);

/// Of a pose on something that moves.
PoseMotion carried_by(const PoseMotion& carrier, const Pose& pose);

} // namespace sinew::strand
