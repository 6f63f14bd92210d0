// The tangent of a curve stays along a direction.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const OrientationLaw& law, const Constraint& c)
{
    if (!is_on_strand(c.a)) {
        RodConstraint made = for_rod(RodConstraintKind::orientation, c);
        made.direction = law.direction;
        return add(made, RodRank::held);
    }
    refuse_conditions(c);
    StrandConstraint made = for_strand(StrandConstraintKind::orientation, c);
    made.a = c.a.object;
    made.b = {}; // `frame` says what the direction is fixed to
    made.x = {law.direction.x};
    made.y = {law.direction.y};
    made.z = {law.direction.z};
    add(made, StrandRank::held);
}

} // namespace sinew
