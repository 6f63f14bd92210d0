// A point of a rod stays in a plane, or on one side of it.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const PlaneLaw& law, const Constraint& c)
{
    if (refuse_on_strand(c))
        return;
    RodConstraint made = for_rod(RodConstraintKind::plane, c);
    made.direction = law.normal;
    made.is_at_least = law.is_one_sided;
    add(made, RodRank::held);
}

} // namespace sinew
