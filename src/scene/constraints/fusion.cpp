// a stays at b, and may keep its angles to it. Of a rod and a strand that are tied the strand comes
// first.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const FusionLaw& law, const Constraint& c)
{
    const bool is_on_curve =
        is_on_strand(c.a) || is_on_strand(c.b) || is_on_rod(c.a) || is_on_rod(c.b);
    if (!is_on_curve) {
        if (law.tangent == RodTangent::free && !law.angle)
            return hold_together(c);
        if (!refuse_no_point(c))
            refuse(c, "no-tangent",
                   "`tangent` and `angle` are for rods and strands, and neither end is a point of "
                   "one",
                   "leave them out; bodies keep their angle by fixed_joint(" + name_of(c.a) + ", " +
                       name_of(c.b) + ")");
        return;
    }
    if (!is_on_strand(c.a) && !is_on_strand(c.b)) {
        RodConstraint made = for_rod(RodConstraintKind::fusion, c);
        made.tangent = law.tangent;
        made.angle = law.angle;
        return add(made, c.a.object.is_valid() && is_cut_[c.a.object.index] ? RodRank::cut
                                                                            : RodRank::held);
    }
    if (refuse_root(c))
        return;
    refuse_conditions(c, law.angle.has_value());
    const bool keeps_turn = law.tangent != RodTangent::free;
    add(for_strand(keeps_turn ? StrandConstraintKind::fusion : StrandConstraintKind::position, c),
        StrandRank::held);
}

} // namespace sinew
