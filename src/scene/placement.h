#pragma once

#include "sinew/frame.h"
#include "sinew/scene.h"

#include <span>
#include <vector>

namespace sinew {

/// What is known at one instant.
struct Posture {
    double time = 0;
    std::span<const double> coordinates; ///< as Scene::coordinates
    std::span<const double> imports;     ///< values, as Scene::imports
};

/// What can be seen at an instant. `order`: order_of_frames, which does not change.
Frame make_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture);

} // namespace sinew
