#pragma once

// A tree of segments as the kernels want it, and the law of its lengths.

#include "models/strand/lanes/batch.h"
#include "sinew/math.h"

#include <span>
#include <vector>

namespace sinew::strand {

/// One rigid segment, in SI. Its own frame has y from the joint to the tip.
struct SegmentData {
    int parent = -1;   ///< an earlier one, or −1: clamped to the base
    double attach = 1; ///< where on the parent its joint is: 0 at the parent's joint, 1 at its tip
    double length = 0, mass = 0;
    Vec3 inertia = {0, 0, 0};   ///< about the joint, along the segment's axes [kg m²]
    Vec3 stiffness = {0, 0, 0}; ///< of the joint: torque over tan(angle/2) [N m]
    Vec3 damping = {0, 0, 0};   ///< of the joint [N m s]
    Quat rest = {};             ///< of the segment in its parent's frame, unloaded
    bool is_clamped = false;    ///< a branch: its joint stands for half a segment of its own
    Vec3 offset = {0, 0, 0};    ///< of a root's joint in the base's frame [m]
    double drag_along = 0, drag_across = 0; ///< of the whole segment [N s/m]
    double stretch = 0;                     ///< EA [N]; 0: its length does not move by itself
    double stretch_damping = 0;             ///< [N s]

    /// Of its mass, what half at either end weighs too much where the ends move apart.    [eq. 24]
    double spare_mass() const { return mass / 6; }
};

/// Of a segment that is stretched from its length at rest: Hooke's law down to half of it, below
/// that so much harder that nothing vanishes.                                        [eq. 27]
struct Stretching {
    double tension = 0, slope = 0, energy = 0; ///< [N, N/m, J]
};
Stretching stretched(const SegmentData& segment, double length);

/// The length at which it pulls so.
double length_for_tension(const SegmentData& segment, double tension);

/// A uniform round segment about its joint.
Vec3 inertia_of_cylinder(double mass, double length, double radius);

/// From the segment's axes to those in which its joint's stiffness is given: half-way back to the
/// parent as they are at rest; the segment's own where it is clamped.
Quat joint_axes(const SegmentData& segment);

/// Which segments hang on which.
struct TreeShape {
    std::vector<int> parent, slot;
    std::vector<char> follows;
    int slots = 0;

    explicit TreeShape(std::span<const SegmentData> segments);
    Topology view() const
    {
        return {static_cast<int>(parent.size()), slots, parent.data(), slot.data(), follows.data()};
    }
    bool operator==(const TreeShape& other) const
    {
        return parent == other.parent && follows == other.follows;
    }
};

/// Means over the segments; `time` is the step the strand will be moved by.
Units units_of(std::span<const SegmentData> segments, double time);

/// Param::count numbers per segment, in these units.
std::vector<double> make_params(std::span<const SegmentData> segments, const Units& units);

/// The same into what there is.
void make_params(std::span<const SegmentData> segments, const Units& units,
                 std::vector<double>& numbers);

/// The same for segments whose lengths move: Spring::count numbers per segment.
void make_elastic_params(std::span<const SegmentData> segments, const Units& units,
                         std::vector<double>& numbers);

} // namespace sinew::strand
