#pragma once

#include "scene/objects/strands.h"
#include "sinew/frame.h"
#include "sinew/scene.h"

#include <array>
#include <vector>

namespace sinew {

/// A rod as drawn, in the frame of its object: nodes at equal arc lengths, frames with y along the
/// segments, carried from one to the next by the smallest turn.
struct RodShape {
    std::vector<Vec3> nodes;    ///< spans + 1
    std::vector<Quat> segments; ///< spans
    double length = 0;          ///< of the path [m]
};

/// Points of a rod's part of its path, `count` of them for each span, and the length of that part.
SampledPath sample_rod(const Scene& scene, const Rod& rod, std::uint32_t count);

/// True for a rod, or a piece of one, whose path ends where it begins: its last point is its first.
inline bool is_closed(const Scene& scene, const Rod& rod)
{
    return rod.path.index < scene.paths.size() &&
           scene.paths[rod.path.index].kind == PathKind::closed_spline;
}

/// Where a place on a piece of a rod is on the whole.
inline double along_whole(const Rod& rod, double along)
{
    return rod.begin + (rod.end - rod.begin) * along;
}

/// As Scene::rods. Requires that validate_rods found no error.
std::vector<RodShape> sample_rods(const Scene& scene);

/// The frame at a fraction of a rod as drawn: that of a RodSite at the start.
Affine frame_on_rod(const RodShape& shape, double along);

/// Appends nodes and segments of the rods as drawn to a frame whose objects have their places.
void add_drawn_rods(const Scene& scene, Frame& frame);

/// EA [N], EI and GJ [N m²]: as given, else of a round section.
std::array<double, 3> stiffness_of(const Rod& rod);
double mass_per_length_of(const Rod& rod); ///< [kg/m]

/// Its length at rest times its mass per length [kg].
double mass_of_rod(const Rod& rod, double drawn_length);

/// Everything wrong with rods, points on them and what holds them. Requires sound objects,
/// transformations and paths.
Problems validate_rods(const Scene& scene);

} // namespace sinew
