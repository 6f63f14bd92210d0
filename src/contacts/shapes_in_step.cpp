#include "contacts/shapes_in_step.h"

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "models/rigid/contacts/contacts.h"

namespace sinew {

void ShapesInStep::update(const Pile& pile, const PileState& bodies, double h, double unit_now,
                          int threads)
{
    boxes.clear();
    reaches.clear();
    place_shapes(pile, bodies.bodies, threads, placed);
    unit = unit_now;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const BodyState& body = bodies.bodies[pile.shapes[i].body];
        const bool is_plane = placed[i].shape->kind == CollisionKind::plane;
        const double far =
            is_plane ? 0 : placed[i].shape->bounding_radius + length(placed[i].x - body.x);
        const double own = placed[i].shape->mesh ? placed[i].shape->mesh->speed : 0;
        reaches.push_back((length(body.v) + length(body.w) * far + own) * h + 20 * unit);
        const double r = reaches.back();
        const Vec3 half = is_plane ? Vec3{1e30, 1e30, 1e30} : extent_of(placed[i]) + Vec3{r, r, r};
        boxes.push_back({placed[i].x - half, placed[i].x + half});
    }
}

CapsuleShape::CapsuleShape(const Vec3& a, const Vec3& b, double radius)
    : shape(length(b - a) > 0 ? make_capsule(radius, length(b - a)) : make_sphere(radius))
{
    const double size = length(b - a);
    const Vec3 t = size > 0 ? (b - a) / size : Vec3{0, 1, 0};
    const std::array<Vec3, 2> across = make_tangents(t);
    placed = {&shape, a + (b - a) * 0.5, Mat3{across[1], t, across[0]}};
}

} // namespace sinew
