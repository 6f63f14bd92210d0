// Two things stay a distance apart, or between two distances. Strands and rods come before bodies,
// bodies before linkages.

#include "scene/constraints/sorter.h"

namespace sinew {

namespace {

RodConstraint with_distance(RodConstraint made, const DistanceLaw& law)
{
    made.is_at_most = law.high.has_value() && !law.distance;
    made.is_at_least = law.low.has_value() && !law.distance && !law.high;
    made.distance = law.distance.value_or(Value{law.high ? *law.high : law.low.value_or(0)});
    return made;
}

} // namespace

void ConstraintSorter::sort(const DistanceLaw& law, const Constraint& c)
{
    if (c.b.is_path()) {
        if (is_on_rod(c.a))
            return add(with_distance(for_rod(RodConstraintKind::distance, c), law),
                       RodRank::from_point);
        return refuse(
            c, "distance-to-point", "only a place on a rod is kept at a distance from a point",
            "name a label that stands there: `def post label(); end; post translate(1,2,0);`",
            ConstraintFault::Doubt::none);
    }
    if (is_on_strand(c.a) || is_on_strand(c.b)) {
        refuse_conditions(c);
        StrandConstraint made = for_strand(StrandConstraintKind::distance, c);
        made.frame = {};
        made.distance = law.distance;
        made.low = law.low;
        made.high = law.high;
        return add(made, law.is_joint ? StrandRank::joint : StrandRank::distance);
    }
    if (is_on_rod(c.a) || is_on_rod(c.b)) {
        RodConstraint made = with_distance(for_rod(RodConstraintKind::distance, c), law);
        made.frame = {};
        if (!is_on_rod(c.a))
            std::swap(made.a, made.b);
        return add(made, law.is_joint ? RodRank::joint : RodRank::distance);
    }
    if (law.is_joint || is_in_body(c.a) || is_in_body(c.b))
        return add_joint({.kind = JointKind::distance,
                          .a = c.a.object,
                          .b = c.b.object,
                          .frame = law.is_joint ? c.frame : ObjectId{0},
                          .distance = law.distance,
                          .low = law.low,
                          .high = law.high},
                         c);
    scene_.distance_constraints.push_back({.a = c.a.object,
                                           .b = c.b.object,
                                           .distance = law.distance.value_or(Value{}),
                                           .release = c.release,
                                           .origin = c.origin});
}

} // namespace sinew
