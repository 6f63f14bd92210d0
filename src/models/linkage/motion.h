#pragma once

#include "models/linkage/equations/plan.h"
#include "sinew/world.h"

#include <span>
#include <vector>

namespace sinew {

/// The instant at which a linkage is looked at. `rates` are those of the state; accelerations count
/// as zero, so second derivatives are what the motion does by itself ("bias").
struct Instant {
    double time = 0;
    Side side = Side::after;
    std::span<const double> state; ///< coordinates, then places on paths
    std::span<const double> rates;
    std::span<const double> memory = {}; ///< of the linkage: times of events, ways of slipping
};

/// Where a linkage is at an instant, how fast, with which bias, and how each unknown moves it.
///
///   symbol | code                   | unit        | meaning
///   -------|------------------------|-------------|--------------------------------------------
///   p      | point()                | m           | jets along the motion with q̈ = 0
///   ∂p/∂q  | partials()             | m, m/rad    | one vector for each column of each point
class Motion {
public:
    Motion(const LinkagePlan& plan, const std::vector<ImportFunction>& imports);

    /// Everything at an instant. False when something is not finite.
    bool update(const Instant& instant);

    const Vec3T<Jet2>& point(std::uint32_t i) const { return points_[i]; }
    std::span<const Vec3> partials(std::uint32_t point) const
    {
        const Range range = plan_->points[point].partials;
        return {partials_.data() + range.first, range.count};
    }
    const AffineT<Jet2>& frame(std::uint32_t i) const { return frames_[i]; }

    /// A value along the motion, and its number alone.
    Jet2 value(std::uint32_t i) const;
    double number(std::uint32_t i) const;

    /// Its derivatives with respect to its columns, into `out`.
    void value_partials(std::uint32_t i, std::span<double> out) const;

    /// Calls use(∂p/∂column, turn) for each column of the walk from frame k to the relay above it,
    /// for a point given in the frame and in the world; `turn` is the angular velocity of a rigid
    /// frame for a unit rate.
    template <class Use>
    void walk(std::uint32_t k, const Vec3& local, const Vec3& world, bool from_relay_itself,
              Use&& use) const;

    const Instant& instant() const { return instant_; }

    /// The axis of a transformation in the world, in a rigid frame; of the part of a turn elsewhere
    /// about the axes that it starts from.
    const Vec3& axis(std::uint32_t transformation) const { return axis_[transformation]; }
    /// In a rigid frame: a point of that axis.
    const Vec3& centre(std::uint32_t transformation) const { return centre_[transformation]; }
    /// How fast the amount of a transformation changes with one of its columns, numbered as in
    /// LinkagePlan::value_columns.
    double value_partial(std::uint32_t value_column) const { return value_partials_[value_column]; }
    const LinkagePlan& plan() const { return *plan_; }
    ImportValue call_import(std::uint32_t i, double time) const;

private:
    struct MotionLeaves;
    struct NumberLeaves;
    struct ColumnLeaves;

    /// Of a coordinate of the scene; kNoIndex: it is not of this linkage.
    std::uint32_t column_of(std::uint32_t coordinate) const
    {
        const std::uint32_t at = coordinate - first_coordinate_; // those before it lie beyond all
        return at < columns_.size() ? columns_[at] : kNoIndex;
    }
    void find_upright_frames();
    void update_frame(std::uint32_t k);
    void update_upright_frame(std::uint32_t k);
    void append_turn(std::uint32_t i, bool is_rigid, AffineT<Jet2>& frame);
    void update_point(std::uint32_t i);
    void update_partials(std::uint32_t i);
    double time_of(const PlannedValue& planned) const;
    double event_time(std::uint32_t coordinate) const;
    Jet2 import_jet(std::uint32_t i) const;
    const PlannedPosition& position_of(const PlannedValue& value, const Formula& leaf) const;
    const Vec3T<Jet2>& relative(const PlannedPosition& position) const;
    Vec3 relative_partial(const PlannedPosition& position, std::uint32_t column) const;

    const LinkagePlan* plan_;
    const std::vector<ImportFunction>* imports_;
    Instant instant_;
    /// From the first coordinate of the linkage to its last: their columns, kNoIndex for others'.
    std::vector<std::uint32_t> columns_;
    std::uint32_t first_coordinate_ = 0;
    std::vector<double> value_partials_; ///< as value_columns, of the transformations' values
    // Of each transformation: its amount, and the frame it starts from.
    std::vector<double> amount_;
    std::vector<Vec3> axis_, centre_;
    std::vector<Mat3> outer_, turn_;
    std::vector<AffineT<Jet2>> frames_;
    // Frames that only translations move, and of these the ones whose partials never change. A
    // point of a long chain of distances has no other.
    std::vector<bool> is_upright_, has_fixed_partials_;
    std::vector<std::uint32_t> first_point_, point_order_; ///< points by their frames
    std::vector<Vec3T<Jet2>> points_;
    std::vector<Vec3> partials_;
    /// A `name_x` seen from its frame: computed when first asked for at an instant.
    struct Relative {
        bool is_known = false;
        Vec3T<Jet2> place;
        Mat3 back; ///< from world axes to the frame's
    };
    mutable std::vector<Relative> relatives_; ///< as LinkagePlan::positions
    mutable std::vector<double> import_coordinates_, import_rates_;
};

constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// T x.
Vec3 transform(TransformationKind kind, double amount, const Vec3& x);

/// ∂(T x)/∂amount, given x and T x.
Vec3 transform_slope(TransformationKind kind, const Vec3& x, const Vec3& Tx);

inline Vec3 value_of(const Vec3T<Jet2>& x) { return {x.x.value, x.y.value, x.z.value}; }
inline Vec3 first_of(const Vec3T<Jet2>& x) { return {x.x.first, x.y.first, x.z.first}; }
inline Vec3 second_of(const Vec3T<Jet2>& x) { return {x.x.second, x.y.second, x.z.second}; }

template <class Use>
void Motion::walk(std::uint32_t k, const Vec3& local, const Vec3& world, bool from_relay_itself,
                  Use&& use) const
{
    const LinkagePlan& plan = *plan_;
    Vec3 x = local; // only needed below a scale
    for (bool is_first = true; k != kNoIndex; k = plan.frames[k].parent, is_first = false) {
        const PlannedFrame& frame = plan.frames[k];
        if (frame.is_relay && !(is_first && from_relay_itself)) {
            const Vec3 arm = world - value_of(frames_[k].origin);
            for (const Vec3& e : kAxes)
                use(e, Vec3{0, 0, 0});
            for (const Vec3& e : kAxes)
                use(cross(e, arm), e);
            return;
        }
        for (std::uint32_t i = frame.transformations.end(); i-- > frame.transformations.first;) {
            const PlannedTransformation& t = plan.transformations[i];
            const Range columns = plan.values[t.value].columns;
            Vec3 slope{0, 0, 0}, turn{0, 0, 0};
            if (!frame.is_rigid && is_turn_part(t.kind)) {
                if (t.kind == TransformationKind::turn_w) // the innermost of the four
                    x = turn_[i] * x;
                slope = outer_[i] * cross(axis_[i], x);
            } else if (!frame.is_rigid) {
                const Vec3 Tx = transform(t.kind, amount_[i], x);
                slope = outer_[i] * transform_slope(t.kind, x, Tx);
                x = Tx;
            } else if (t.kind <= TransformationKind::translate_z) {
                slope = axis_[i];
            } else {
                slope = cross(axis_[i], world - centre_[i]);
                turn = axis_[i];
            }
            for (std::uint32_t c = columns.first; c < columns.end(); ++c)
                use(slope * value_partials_[c], turn * value_partials_[c]);
        }
    }
}

} // namespace sinew
