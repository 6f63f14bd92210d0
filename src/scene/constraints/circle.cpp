// A point of a rod stays on a circle.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const CircleLaw& law, const Constraint& c)
{
    if (refuse_on_strand(c))
        return;
    RodConstraint made = for_rod(RodConstraintKind::circle, c);
    made.direction = law.normal;
    made.distance = law.radius;
    add(made, RodRank::held);
}

} // namespace sinew
