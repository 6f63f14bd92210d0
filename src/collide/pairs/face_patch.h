#pragma once

#include "collide/manifold.h"
#include "collide/pairs/clip.h"
#include "collide/pairs/convex.h"

namespace sinew {

/// The corners of the common part of two faces, seen along a normal.
struct FacePatch {
    static constexpr std::size_t kMost = 96;

    std::array<PatchCorner, kMost> corner; ///< places on the second face
    std::size_t count = 0;
    double lowest = 0; ///< gap of the corners that lie truly within both; infinite without any
};

/// Where `other`, a face, line or point, lies above `own`, a flat face with normal n: at most four
/// corners, none farther than `lengths.reach`.
void find_face_patch(const SupportFace& own, const SupportFace& other, const Vec3& n,
                     const CollideLengths& lengths, FacePatch& patch);

} // namespace sinew
