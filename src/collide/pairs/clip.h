#pragma once

#include "collide/manifold.h"

namespace sinew {

/// The corners of b's face that looks at a face of a, cut to that face: the patch in which they
/// touch, at most four points. `is_flipped`: `own` is the manifold's b.
void clip_faces(const Placed& own, const Placed& other, std::uint32_t face, bool is_flipped,
                const CollideLengths& lengths, Manifold& manifold);

/// A corner of a patch, in the frame of the face it is cut to.
struct PatchCorner {
    Vec3 place = {0, 0, 0};
    double gap = 0;
    std::uint32_t feature = 0;
};

/// Leaves the four corners that span the most area: first an extreme one, then the farthest from
/// it, then the farthest on either side. Returns how many are left.
int reduce_patch(std::span<PatchCorner> corners, const Vec3& normal, double unit);

} // namespace sinew
