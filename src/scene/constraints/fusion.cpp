// a stays at b, and may keep its angles to it. Of a rod and a strand that are tied the strand comes
// first.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const FusionLaw& law, const Constraint& c)
{
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
