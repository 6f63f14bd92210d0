// A rod passes through a keyhole, or a pearl slides along it.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const SlidingLaw& law, const Constraint& c)
{
    if (refuse_on_strand(c))
        return;
    RodConstraint made =
        for_rod(law.is_pearl ? RodConstraintKind::pearl : RodConstraintKind::keyhole, c);
    made.from = c.a.along.value_or(0.5);
    made.direction = law.direction.value_or(Vec3{0, 0, 0});
    made.is_oriented = law.direction.has_value();
    made.friction = law.friction;
    made.viscous = law.viscous;
    made.slide = law.speed;
    made.end = law.end;
    made.low = law.low;
    made.high = law.high;
    add(made, RodRank::held);
}

} // namespace sinew
