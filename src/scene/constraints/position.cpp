// a stays at b: a point of a strand or rod, at a place or at anything else.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const PositionLaw&, const Constraint& c)
{
    if (!is_on_strand(c.a) && !is_on_strand(c.b))
        return add(for_rod(RodConstraintKind::position, c), RodRank::held);
    if (refuse_root(c))
        return;
    refuse_conditions(c);
    add(for_strand(StrandConstraintKind::position, c), StrandRank::held);
}

} // namespace sinew
