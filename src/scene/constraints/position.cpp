// a stays at b, whatever the two are: a place, or anything that moves.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const PositionLaw&, const Constraint& c)
{
    if (is_on_strand(c.a) || is_on_strand(c.b)) {
        if (refuse_root(c))
            return;
        refuse_conditions(c);
        return add(for_strand(StrandConstraintKind::position, c), StrandRank::held);
    }
    if (is_on_rod(c.a) || is_on_rod(c.b))
        return add(for_rod(RodConstraintKind::position, c), RodRank::held);
    hold_together(c);
}

} // namespace sinew
