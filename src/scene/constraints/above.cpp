// A point of a strand or rod does not sink below an object: below its first plane, else below y = 0
// of its frame. For rods that is one side of a plane.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const AboveLaw&, const Constraint& c)
{
    if (is_on_strand(c.a)) {
        refuse_conditions(c);
        return add(for_strand(StrandConstraintKind::above, c), StrandRank::held);
    }
    if (!is_on_rod(c.a))
        return refuse(c, "holds-no-strand",
                      "'" + name_of(c.a) +
                          "' is not a point of a strand or rod: this holds nothing",
                      "name one first: `braid at 1 along`");
    Vec3 normal{0, 1, 0};
    ObjectId frame = c.b.object;
    double offset = 0;
    for (const Shape& shape : scene_.shapes)
        if (shape.body == c.b.object && shape.kind == ShapeKind::plane) {
            normal = normalised(shape.size), offset = shape.offset;
            frame = shape.frame;
            break;
        }
    const Vec3 point = normal * offset;
    const auto first = static_cast<std::uint32_t>(scene_.values.size());
    for (int axis = 0; axis < 3; ++axis)
        scene_.values.push_back({point[axis]});
    scene_.paths.push_back(
        {.kind = PathKind::point, .frame = frame, .points = {first, 3}, .origin = c.origin});
    RodConstraint made = for_rod(RodConstraintKind::plane, c);
    made.b = {};
    made.path = PathId{static_cast<std::uint32_t>(scene_.paths.size() - 1)};
    made.frame = frame;
    made.direction = normal;
    made.is_at_least = true;
    add(made, RodRank::above);
}

} // namespace sinew
