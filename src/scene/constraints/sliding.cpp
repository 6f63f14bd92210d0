// A rod passes through a keyhole, a pearl slides along it, or it runs round a wheel.

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

void ConstraintSorter::sort(const WheelLaw& law, const Constraint& c)
{
    if (refuse_on_strand(c))
        return;
    RodConstraint made =
        for_rod(law.is_winch ? RodConstraintKind::winch : RodConstraintKind::pulley, c);
    made.frame = c.b.object.is_valid() ? c.b.object : c.frame;
    made.from = law.is_winch ? (law.is_last ? 1 : 0) : c.a.along.value_or(-1);
    made.direction = law.axis;
    made.radius = law.radius;
    made.friction = law.friction;
    made.viscous = law.viscous;
    made.turns = law.turns;
    made.is_last = law.is_last;
    made.slide = law.speed;
    made.torque = law.torque;
    made.stored = law.stored;
    made.end = RodEnd::leave;
    add(made, RodRank::held);
}

} // namespace sinew
