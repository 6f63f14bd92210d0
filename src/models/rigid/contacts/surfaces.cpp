#include "models/rigid/contacts/surfaces.h"

#include "geometry/mesh_motion.h"
#include "math/functions.h"

namespace sinew {

MovingSurface::MovingSurface(const TriangleMesh& mesh, const MeshMotion& motion)
    : MovingSurface(std::make_shared<const TriangleMesh>(mesh),
                    std::make_shared<const MeshMotion>(motion))
{
}

MovingSurface::MovingSurface(std::shared_ptr<const TriangleMesh> drawn,
                             std::shared_ptr<const MeshMotion> motion)
    : drawn_(std::move(drawn)), motion_(std::move(motion)), mesh_(*drawn_),
      shape_(std::make_shared<CollisionShape>())
{
    shape_->kind = CollisionKind::mesh;
    shape_->mesh = mesh_.mesh();
}

MovingSurface MovingSurface::copy() const
{
    MovingSurface made(drawn_, motion_);
    made.move(begin_, end_);
    return made;
}

void MovingSurface::move(double begin, double end)
{
    if (begin == begin_ && end == end_)
        return;
    begin_ = begin;
    end_ = end;
    MeshPoser poser(*motion_);
    poser.set_time(end);
    poser.place(velocities_);
    poser.set_time(begin);
    poser.place(corners_);
    const double h = end - begin;
    shape_->bounding_radius = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        velocities_[i] = h > 0 ? (velocities_[i] - corners_[i]) / h : Vec3{0, 0, 0};
        shape_->bounding_radius = max(shape_->bounding_radius, length(corners_[i]));
    }
    mesh_.move(corners_, velocities_);
}

Vec3 own_velocity(const Placed& placed, const Vec3& place)
{
    if (!placed.shape->mesh || !placed.shape->mesh->is_moving())
        return {0, 0, 0};
    return placed.R * velocity_on(*placed.shape->mesh, placed.to_local(place));
}

} // namespace sinew
