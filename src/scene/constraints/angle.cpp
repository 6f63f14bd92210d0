// A joint of a strand keeps an angle, or stays between two.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const AngleLaw& law, const Constraint& c)
{
    if (!is_on_strand(c.a))
        return refuse(c, "holds-no-strand",
                      "'" + name_of(c.a) + "' is not a point of a strand: this holds nothing",
                      "name one first: `braid at 1 along`");
    refuse_conditions(c);
    StrandConstraint made = for_strand(StrandConstraintKind::joint, c);
    made.axis = law.axis;
    made.distance = law.angle;
    made.low = law.low;
    made.high = law.high;
    add(made, StrandRank::held);
}

} // namespace sinew
