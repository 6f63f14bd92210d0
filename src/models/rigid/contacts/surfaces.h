#pragma once

#include "collide/shape.h"

#include <memory>
#include <vector>

namespace sinew {

/// A mesh of obstacles that moves by itself, as an animation has it.
class MovingSurface {
public:
    MovingSurface(const TriangleMesh& mesh, const MeshMotion& motion);

    /// As it is when a step begins, with the velocities that take it to where it is when it ends.
    void move(double begin, double end);

    /// The same with a shape of its own, as it is now.
    MovingSurface copy() const;

    const std::shared_ptr<CollisionShape>& shape() const { return shape_; }

private:
    MovingSurface(std::shared_ptr<const TriangleMesh> drawn,
                  std::shared_ptr<const MeshMotion> motion);

    std::shared_ptr<const TriangleMesh> drawn_;
    std::shared_ptr<const MeshMotion> motion_;
    MovingMeshShape mesh_;
    std::shared_ptr<CollisionShape> shape_;
    std::vector<Vec3> corners_, velocities_;
    double begin_ = 0, end_ = -1;
};

/// How fast a shape's own surface moves at a place on it, its frame at rest: world axes.
Vec3 own_velocity(const Placed& placed, const Vec3& place);

} // namespace sinew
