#pragma once

// From one list of constraints to what the models read. Each law has a file of its own, which says
// what its ends may be, and what it is to the model that they belong to.

#include "scene/constraints/ends.h"
#include "scene/constraints/law.h"
#include "scene/formula.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

/// A constraint that holds nothing, or cannot hold what it names.
struct ConstraintFault {
    /// Whether it may follow from another fault, and is told only where there was none: before the
    /// constraints were looked at, or at all.
    enum class Doubt : std::uint8_t { none, before, any };

    Origin origin;
    std::string_view code;
    std::string what, hint;
    Doubt doubt = Doubt::before;
    std::size_t number = 0; ///< of the constraint
};

class ConstraintSorter {
public:
    /// `name_of`: what people call an object.
    ConstraintSorter(Scene& scene, std::span<const Constraint> constraints,
                     std::function<std::string(ObjectId)> name_of);

    std::vector<ConstraintFault> run();

    /// Where each constraint is now, after `run`: nowhere where it was refused, several times where
    /// it became several laws.
    const std::vector<std::vector<ConstraintPlace>>& places() const { return places_; }

private:
    // What each law is to the models: one file each.
    void sort(const PositionLaw& law, const Constraint& c);
    void sort(const FusionLaw& law, const Constraint& c);
    void sort(const OrientationLaw& law, const Constraint& c);
    void sort(const PlaneLaw& law, const Constraint& c);
    void sort(const AboveLaw& law, const Constraint& c);
    void sort(const PathLaw& law, const Constraint& c);
    void sort(const CircleLaw& law, const Constraint& c);
    void sort(const DistanceLaw& law, const Constraint& c);
    void sort(const SlidingLaw& law, const Constraint& c);
    void sort(const WheelLaw& law, const Constraint& c);
    void sort(const SpringLaw& law, const Constraint& c);
    void sort(const AngleLaw& law, const Constraint& c);
    void sort(const BallLaw& law, const Constraint& c);
    void sort(const HingeLaw& law, const Constraint& c);
    void sort(const SliderLaw& law, const Constraint& c);
    void sort(const FixedLaw& law, const Constraint& c);
    void sort(const PairJointLaw& law, const Constraint& c);

    // What they share.
    bool is_on_strand(const End& end) const;
    bool is_on_rod(const End& end) const;
    bool is_in_body(const End& end) const;
    std::string name_of(const End& end) const { return name_of_(end.object); }
    void refuse(const Constraint& c, std::string_view code, std::string what, std::string hint,
                ConstraintFault::Doubt doubt = ConstraintFault::Doubt::before);
    void refuse_conditions(const Constraint& c, bool has_more = false); ///< of strands
    Value while_held(Value value, const Release& release);
    Value active_until(const Release& release); ///< of strands: `active`, and 0 from `until` on
    bool refuse_on_strand(const Constraint& c); ///< true: told; of what only rods know
    bool refuse_root(const Constraint& c);      ///< true: told
    bool refuse_whole_rod(const Constraint& c); ///< true: told
    bool refuse_no_point(const Constraint& c);  ///< true: told
    void hold_together(const Constraint& c);    ///< neither of strands nor of rods: in distance.cpp
    void add_rod_distance(const DistanceLaw& law, const Constraint& c, bool has_swapped_ends);

    /// How far apart the ends are as they are drawn; nothing where that is not known.
    std::optional<double> find_distance_at_start(const Constraint& c);

    /// The two as a model wants them, the end that is on it first.
    StrandConstraint for_strand(StrandConstraintKind kind, const Constraint& c);
    RodConstraint for_rod(RodConstraintKind kind, const Constraint& c) const;

    /// Models read a list in the order of these, and those of one in the order of the script.
    enum class StrandRank : std::uint8_t { held, distance, joint, spring };
    enum class RodRank : std::uint8_t {
        held,
        above,
        from_point,
        distance,
        path,
        spring,
        joint,
        cut
    };
    template <class Rank, class Made>
    struct Ranked {
        Rank rank;
        Made made;
        std::size_t number; ///< of the constraint
    };
    using RankedStrands = std::vector<Ranked<StrandRank, StrandConstraint>>;
    using RankedRods = std::vector<Ranked<RodRank, RodConstraint>>;
    void add(const StrandConstraint& made, StrandRank rank)
    {
        strands_.push_back({rank, made, number_});
    }
    void add(const RodConstraint& made, RodRank rank) { rods_.push_back({rank, made, number_}); }
    template <class AllRanked, class List>
    void append(AllRanked ranked, ConstraintList kind, List& list);
    void append_joints(const std::vector<std::pair<std::size_t, Joint>>& joints);
    void note_place(std::size_t number, ConstraintList list, std::size_t index)
    {
        places_[number].push_back({list, static_cast<std::uint32_t>(index)});
    }

    // Joints of bodies: joints.cpp
    void add_joint(Joint joint, const Constraint& c);
    void add_axis_joint(JointKind kind, const AxisJoint& law, const Constraint& c);
    bool hold_bodies(Joint& joint);
    bool find_joint_end(const Joint& joint, ObjectId& end, Vec3& point);

    Scene& scene_;
    std::vector<Constraint> constraints_; ///< points that only objects can stand for are objects
    EndMap ends_;
    std::function<std::string(ObjectId)> name_of_;
    RankedStrands strands_;
    RankedRods rods_;
    std::vector<std::pair<std::size_t, Joint>> joints_, distance_joints_; ///< by their constraints
    std::vector<std::vector<ConstraintPlace>> places_;
    std::vector<Vec3> origins_; ///< of the objects, as they are drawn; empty: not asked yet
    std::vector<bool> is_cut_;  ///< by object: a point where a rod is cut
    std::vector<ConstraintFault> faults_;
    std::size_t number_ = 0; ///< of the constraint being looked at
};

/// Makes the lists that the models read, and says what holds nothing or cannot hold what it names.
Problems sort_constraints(Scene& scene, std::span<const Constraint> constraints);

} // namespace sinew
