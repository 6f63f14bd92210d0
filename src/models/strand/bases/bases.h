#pragma once

// How the roots of trees move: they stand, follow tracks, or ride on what moves by itself.

#include "math/pose_curve.h"
#include "models/strand/bases/track_motion.h"
#include "models/strand/lanes/batch.h"
#include "sinew/scene.h"

#include <array>
#include <span>
#include <vector>

namespace sinew::strand {

/// Of a scene at a time [m/s²].
struct Gravity {
    Vec3 value = {0, 0, 0};
    bool is_constant = true;

    Gravity() = default;
    Gravity(const Scene& scene, double time);
};

/// Whether motion_by_tracks knows all about an object.
bool is_moved_by_tracks(const Scene& scene, ObjectId object);

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
    /// `roots`: of each tree in Scene::strand_roots, or none.
    Bases(const Scene& scene, std::span<const ObjectId> trees, std::span<const std::uint32_t> roots,
          std::span<const Affine> objects);

    Kind kind(std::size_t tree) const { return trees_[tree].kind; }

    /// How a tree's base moves at the start.
    PoseMotion start(const Scene& scene, std::size_t tree) const;

    /// Of a tree that tracks drive, at any time.
    PoseMotion driven_at(const Scene& scene, std::size_t tree, double time,
                         Side side = Side::after) const;

    /// Of all trees. `objects`: where they are then, of those that ride; what many stand on is
    /// evaluated once.
    void motions_at(const Scene& scene, std::span<const Affine> objects, double time,
                    std::vector<PoseMotion>& motions) const;

    /// Of a tree whose object moves so: of its own place on a skin, where it stands on one.
    PoseMotion on_skin(const Scene& scene, std::size_t tree, const PoseMotion& object, double time,
                       Side side = Side::after) const;

    /// Makes ready for any time from t0 to t1. `now`, `then`: where objects are at these times.
    void prepare(const Scene& scene, double t0, double t1, std::span<const Affine> now,
                 std::span<const Affine> then, std::span<Ridden> ridden);

    /// Makes ready for trees that follow leaders, alone.
    void prepare_led(const Scene& scene, double t0, double t1) { prepare(scene, t0, t1, step_); }

    /// From now on a tree goes as a leader does, which the world tells of in every step.
    void follow(std::uint32_t tree, std::uint32_t leader, const Pose& on_leader);

    /// How a leader goes in a step: its velocities change evenly.
    void lead(std::uint32_t leader, double t0, double t1, const PoseMotion& from,
              const PoseMotion& to);

    PoseMotion base_at(std::uint32_t tree, double time) const noexcept override;
    Quat drift_at(std::uint32_t tree, double time) const noexcept override;
    Vec3 pull_at(std::uint32_t tree, double time) const noexcept override;
    PoseMotion true_base_at(std::uint32_t tree, double time) const noexcept override
    {
        return base_at(step_, tree, time);
    }
    bool is_directed(std::uint32_t tree) const noexcept override
    {
        return trees_[tree].direction.is_used;
    }
    Vec3 gravity_at(double time) const noexcept override { return gravity_at(step_, time); }
    bool is_on_skin(std::size_t tree) const { return trees_[tree].root != StrandCurve::kNone; }

    /// What many trees may stand on: evaluated once in a step.
    struct Shared {
        Carrier carrier;
        std::array<double, 3> times = {};
        std::array<PoseMotion, 3> motions = {};

        void prepare(const Scene& scene, double t0, double t1);
        const PoseMotion* find(double time) const; ///< none: not at one of the times
    };

    /// What trees stand on that they pull at.
    struct Leader {
        double begin = 0, span = 1; ///< of the step [s]
        PoseMotion from = {}, to = {};
        std::array<double, 3> times = {};
        std::array<PoseMotion, 3> motions = {};

        PoseMotion at(double time) const;
    };

    /// What all trees have in common in a step.
    struct Step {
        const Scene* scene = nullptr;
        double begin = 0, end = 0;
        bool has_curves = false; ///< of trees that ride or jump
        Gravity gravity = {};
        std::vector<Shared> carriers = {};
    };

    /// True when a step needs no more than a Step: nothing rides, and no velocity jumps.
    bool is_smooth(const Scene& scene, double t0, double t1) const;
    void prepare(const Scene& scene, double t0, double t1, Step& step) const;
    PoseMotion base_at(const Step& step, std::uint32_t tree, double time) const noexcept;
    Vec3 gravity_at(const Step& step, double time) const noexcept;

private:
    /// v₀ ← β (v₀ − γ v_ref), a₀ ← β (a₀ − γ a_ref)                        [Hadap06, eq. 19]
    struct Direction {
        bool is_used = false;
        Value time_scale = {1}, local_dynamics = {0};
        ObjectId reference = {}; ///< invalid: the base itself
    };
    struct Tree {
        ObjectId object;
        Kind kind = Kind::fixed;
        std::uint32_t carrier = 0;      ///< of one that tracks drive
        Pose on_carrier = {};           ///< where on it
        std::vector<double> kinks = {}; ///< times at which its velocity jumps
        Direction direction = {};
        std::uint32_t root = StrandCurve::kNone; ///< in Scene::strand_roots
        Pose back = {};                          ///< from its place on the skin, at its first time
        bool has_curve = false;
        PoseMotion still = {};
        PoseCurve curve = {};
        bool has_skin_curve = false; ///< instead of the skin, in this step
        PoseCurve skin_curve = {};
        std::uint32_t leader = kNoLeader;
        Pose on_leader = {};
    };
    static constexpr std::uint32_t kNoLeader = 0xffffffff;
    void jump_with_skin(const Scene& scene, double t0, double t1, Tree& tree) const;

    std::uint32_t add_carrier(const Carried& carried, Pose& pose);
    static Direction find_direction(const StrandTree* tree);
    PoseMotion directed(const Tree& tree, const PoseMotion& base, double time) const;
    /// What a tree is to feel of its base's motion.
    struct Felt {
        PoseMotion motion;
        Pose reference; ///< of local dynamics
        double beta = 1, gamma = 0;

        bool is_local() const { return beta == 1 && gamma == 1; }
    };
    Felt directed_at(const Scene& scene, const Tree& tree, const PoseMotion& base, double time,
                     Side side) const;
    PoseMotion object_at(const Step& step, std::uint32_t tree, double time) const noexcept;
    void ride(Tree& tree, double t0, double t1, const Pose& now, const Pose& then, Ridden& ridden);

    std::vector<Tree> trees_;
    std::vector<Carrier> carriers_;
    std::vector<Leader> leaders_;
    Step step_;
};

/// Bases in one of several steps that are made ready together.
struct BasesInStep final : BaseSource {
    const Bases* bases = nullptr;
    Bases::Step step = {};

    PoseMotion base_at(std::uint32_t tree, double time) const noexcept override
    {
        return bases->base_at(step, tree, time);
    }
    Vec3 gravity_at(double time) const noexcept override { return bases->gravity_at(step, time); }
};

} // namespace sinew::strand
