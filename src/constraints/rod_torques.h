#pragma once

/// Torques that act on points of rods.

#include "models/rod/dynamics.h"
#include "scene/kinematics.h"
#include "scene/placement.h"

#include <vector>

namespace sinew {

struct RodTorque {
    std::uint32_t rod = 0;
    double u = 0;
    Vec3 torque = {0, 0, 0}; ///< world axes [N m]
    Origin origin = {};
};

/// Those of a scene, with what tracks make of them.
std::vector<RodTorque> find_rod_torques(const Scene& scene, const Posture& then,
                                        const std::vector<Affine>& objects);

/// Adds the forces on nodes that a torque is where the rod is now, times `scale`.
///                                                                         [notes: rods, eq. 6]
void add_rod_torque(const rod::RodDynamics& model, const ModelState& now, const RodTorque& torque,
                    double scale, rod::Loads& loads);

/// Torques that turn with their rods on the way to rest.
class FollowingTorques {
public:
    /// `now`: where the rods were when their loads were found.
    FollowingTorques(std::vector<RodTorque> torques, ModelState now)
        : torques_(std::move(torques)), now_(std::move(now))
    {
    }
    void follow(const rod::RodDynamics& model, const ModelState& to, rod::RodInput& input);

private:
    std::vector<RodTorque> torques_;
    ModelState now_;
};

} // namespace sinew
