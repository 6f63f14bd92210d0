#pragma once

#include "collide/shape.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sinew {

/// Where two shapes touch, or nearly do, at one point of each.
struct ContactPoint {
    Vec3 on_a = {0, 0, 0}, on_b = {0, 0, 0}; ///< in the frames of the shapes
    double gap = 0;                          ///< [m]; negative: overlap
    std::uint32_t feature = 0;               ///< which corners and edges make it: stays the same
                                             ///< while they do
};

/// Two shapes that are near each other: up to four points that share a normal, the corners of the
/// patch in which they touch.
struct Manifold {
    std::array<ContactPoint, 4> point = {};
    int count = 0;
    Vec3 normal = {0, 0, 0};       ///< world, unit length, from a to b
    Vec3 local_normal = {0, 0, 0}; ///< the same in the frame of the shape whose face it is
    bool is_of_a = true;           ///< whose face it is
};

/// Lengths that count as nothing. All are proportional to one, so that a scene and its model behave
/// alike.
struct CollideLengths {
    double reach = 0;     ///< farther apart there is no contact [m]
    double clip = 0;      ///< corners so little beside a face still count as on it
    double face_bias = 0; ///< b's face must be better than a's by this to be the reference
    double edge_bias = 0; ///< edges must be better than faces by this
};

/// The lengths for a scene whose small motions are of size `unit`: |g| h², what a body falls in a
/// step.
inline CollideLengths make_lengths(double unit)
{
    return {.reach = 20 * unit, .clip = unit, .face_bias = 0.1 * unit, .edge_bias = unit};
}

/// One of the patches in which two shapes touch: meshes may give several.
struct SubManifold {
    Manifold manifold = {};
    std::uint32_t key = 0; ///< which: no two of a pair have the same; stays while the patch does
};

struct CollideScratch; ///< memory kept from call to call, and nothing else

std::shared_ptr<CollideScratch> make_collide_scratch();

/// Finds all patches in which two shapes touch, ascending by key; convex shapes have at most one,
/// with key 0. None when they are farther apart than `lengths.reach`, or both are planes or meshes.
void collide_all(const Placed& a, const Placed& b, const CollideLengths& lengths,
                 CollideScratch& scratch, std::vector<SubManifold>& found);

/// Finds how two convex shapes touch. No points when they are farther apart than `lengths.reach`.
/// Requires that not both are planes and none is a mesh.
void collide(const Placed& a, const Placed& b, const CollideLengths& lengths, Manifold& manifold);

/// Where a contact point is on a shape that has moved since: a sphere that rolls touches with
/// another place of it.
Vec3 touching_place(const Placed& placed, const Placed& other, const Vec3& local,
                    const Vec3& outwards);

/// Gaps and normal for other poses, with the points as they are.
void update_gaps(const Placed& a, const Placed& b, Manifold& manifold);

} // namespace sinew
