#pragma once

// How the roots of trees move: they stand, follow tracks, or ride on what moves by itself.

#include "math/pose_curve.h"
#include "models/strand/batch.h"
#include "sinew/scene.h"

#include <span>
#include <vector>

namespace sinew::strand {

/// Uniform scale and pose of a frame; the scale of its volume where the axes differ.
struct ScaledPose {
    Pose pose;
    double scale = 1;
};
ScaledPose scaled_pose(const Affine& frame);

/// Of a scene at a time [m/s²].
struct Gravity {
    Vec3 value;
    Gravity(const Scene& scene, double time);
};

/// Pose, velocity and acceleration of an object that only tracks move, exact.
PoseMotion motion_by_tracks(const Scene& scene, ObjectId object, double time,
                            Side side = Side::after);

/// Poses of a riding tree at the ends of the last steps: State.
struct Ridden {
    static constexpr std::size_t kNumbers = 16;
    static constexpr double kNever = -1e300;
    double* numbers = nullptr; ///< time and pose, twice; kNever: none yet
};

class Bases final : public BaseSource {
public:
    enum class Kind : std::uint8_t { fixed, driven, riding };

    Bases() = default;
    Bases(const Scene& scene, std::span<const ObjectId> trees, std::span<const Affine> objects);

    Kind kind(std::size_t tree) const { return trees_[tree].kind; }

    /// How a tree's base moves at the start.
    PoseMotion start(const Scene& scene, std::size_t tree) const;

    /// Makes ready for any time from t0 to t1. `now`, `then`: where objects are at these times.
    void prepare(const Scene& scene, double t0, double t1, std::span<const Affine> now,
                 std::span<const Affine> then, std::span<Ridden> ridden);

    PoseMotion base_at(std::uint32_t tree, double time) const noexcept override;
    Vec3 gravity_at(double time) const noexcept override;

private:
    struct Tree {
        ObjectId object;
        Kind kind = Kind::fixed;
        std::vector<double> kinks = {}; ///< times at which its velocity jumps
        bool has_curve = false;
        PoseMotion still = {};
        PoseCurve curve = {};
    };

    void ride(Tree& tree, double t0, double t1, const Pose& now, const Pose& then, Ridden& ridden);

    const Scene* scene_ = nullptr;
    double end_ = 0; ///< of the step: there tracks are as they come, not as they go on
    std::vector<Tree> trees_;
};

} // namespace sinew::strand
