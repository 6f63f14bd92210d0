// Two things pull at each other.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const SpringLaw& law, const Constraint& c)
{
    if (is_on_strand(c.a) || is_on_strand(c.b)) {
        refuse_conditions(c);
        StrandConstraint made = for_strand(StrandConstraintKind::spring, c);
        made.distance = law.rest_length;
        made.stiffness = law.stiffness;
        made.damping = law.damping;
        return add(made, StrandRank::spring);
    }
    if (is_on_rod(c.a) || is_on_rod(c.b)) {
        RodConstraint made = for_rod(RodConstraintKind::spring, c);
        if (!is_on_rod(c.a))
            std::swap(made.a, made.b);
        made.distance = law.rest_length;
        made.stiffness = law.stiffness;
        made.damping = law.damping;
        return add(made, RodRank::spring);
    }
    refuse_release(c);
    scene_.point_springs.push_back(
        {c.a.object, c.b.object, law.rest_length, law.stiffness, law.damping, c.release, c.origin});
}

} // namespace sinew
