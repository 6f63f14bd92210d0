#pragma once

#include "scenes.h"

#include <memory>
#include <string>
#include <vector>

namespace sinew::bench {

struct MovingPose {
    Vec3 x = {0, 0, 0};
    Quat q = {};
    Vec3 v = {0, 0, 0};
};

/// What an engine must do to be compared: no sleeping, no damping, one thread.
class StackEngine {
public:
    virtual ~StackEngine() = default;
    virtual void step() = 0;
    virtual MovingPose pose(std::size_t body) const = 0;    ///< of a body that moves
    virtual std::size_t contact_count() const { return 0; } ///< points of the last step, if known
};

using StackEnginePointer = std::unique_ptr<StackEngine>;

/// Each builds a scene for steps of h seconds; nothing when built without that engine.
StackEnginePointer make_sinew_engine(const StackScene& scene, double h);
StackEnginePointer make_bullet_engine(const StackScene& scene, double h);
StackEnginePointer make_ode_engine(const StackScene& scene, double h);
StackEnginePointer make_mujoco_engine(const StackScene& scene, double h);

} // namespace sinew::bench
