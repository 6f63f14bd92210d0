#pragma once

#include "sinew/frame.h"
#include "sinew/scene.h"
#include "sinew/threads.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// A curve of Scene::strands at rest, in the frame of its tree.
///
/// Node k lies on the path at the fraction k / segments of its arc length; of a branch the path is
/// shifted so that it starts on its parent, at the point of the parent's segment there. Segment k
/// joins node k to node k + 1; its frame has y along it. The first frame of a curve has for x the
/// tree's axis that is least along y (of equals the first of x, y, z), made perpendicular; that of
/// a branch is its parent's there, carried over. From segment to segment the frame is carried by
/// the smallest turn (parallel transport); where the curve turns straight back, by half a turn
/// about its x.
struct StrandShape {
    std::vector<Vec3> nodes;    ///< segments + 1
    std::vector<Quat> segments; ///< unit length
    double length = 0;          ///< of the path [m]
};

/// The rest shapes, as Scene::strands. Requires that validate_strands found no error.
std::vector<StrandShape> sample_strands(const Scene& scene, int threads = threads_here());

/// The lengths of their paths alone [m], which cost far less.
std::vector<double> measure_strands(const Scene& scene);

/// Where on a curve a fraction of its rest length falls. A node counts to the segment before it.
struct StrandPlace {
    std::uint32_t segment = 0;
    double fraction = 0; ///< 0 at the segment's first node, 1 at its second
};

/// Requires segment_count ≥ 1. `along` outside 0..1 falls on the ends.
StrandPlace place_on_strand(std::uint32_t segment_count, double along);
bool is_at_tip(std::uint32_t segment_count, double along);

/// The frame at a fraction of a curve's rest length, given its nodes and segments: that of a
/// StrandSite.
Affine frame_on_strand(std::span<const Vec3> nodes, std::span<const Quat> segments, double along);

/// `count` + 1 points of a path, or of the part of its length from `begin` to `end`, at equal arc
/// lengths, to rounding; the length of that. Doubled points add nothing. Requires a constant path.
struct SampledPath {
    std::vector<Vec3> points;
    double length = 0;
};
SampledPath sample_path(const Scene& scene, const Path& path, std::uint32_t count, double begin = 0,
                        double end = 1);

/// The same; a spline_through has chord lengths for parameters, so that it does not overshoot where
/// its points are uneven.
SampledPath sample_by_chords(const Scene& scene, const Path& path, std::uint32_t count,
                             double begin, double end);

/// The points of a pose at a time, in its tree's frame.
std::vector<Vec3> sample_pose(const Scene& scene, const StrandPose& pose, std::uint32_t count,
                              double time);

/// The smallest turn that takes the y axis of `frame` along `direction`, applied to it. Requires a
/// direction of unit length.
Quat carry_frame(const Quat& frame, const Vec3& direction);

/// The frame at the beginning of a curve that leaves along `direction`, of unit length.
Quat first_frame(const Vec3& direction);

/// Where the nodes and segments of each strand, then of each rod, begin in Frame::nodes and
/// Frame::segments; one more for the end. Node count = first_node.back().
struct StrandLayout {
    std::vector<std::size_t> first_node, first_segment;
};
StrandLayout layout_of_strands(const Scene& scene);

/// Appends nodes and segments of the shapes at rest to a frame whose objects have their places.
void add_rest_strands(const Scene& scene, const std::vector<StrandShape>& shapes, Frame& frame);

/// Everything wrong with trees, strands, their properties and points on them. Requires sound
/// objects, transformations and paths.
Problems validate_strands(const Scene& scene);

/// Everything wrong with what holds points of strands. Requires sound objects and paths, and that
/// validate_strands found nothing.
Problems validate_held(const Scene& scene);

/// What a reading says of a curve.
struct StrandReading {
    double length = 0;       ///< of its path [m]
    double mass = 0;         ///< [kg]
    bool has_hinges = false; ///< its joints turn about one axis
    bool is_rigid = false;   ///< said to be stiffer than anything
};

/// As Scene::strands. Requires that validate_strands found no error.
std::vector<StrandReading> read_strands(const Scene& scene);

/// What is allowed and seldom meant: wind that nothing feels, stiffness beyond all measure.
void add_strand_warnings(const Scene& scene, const std::vector<StrandReading>& readings,
                         Problems& problems);

/// Everything wrong with moving air, and with values of the place acted at. Requires sound values.
Problems validate_air(const Scene& scene);

} // namespace sinew
