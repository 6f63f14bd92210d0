// Two things stay a distance apart, or between two distances. Strands and rods come before bodies,
// bodies before linkages.

#include "scene/constraints/sorter.h"
#include "scene/formula.h"
#include "scene/kinematics.h"

#include <cmath>

namespace sinew {

void ConstraintSorter::sort(const DistanceLaw& law, const Constraint& c)
{
    if (is_on_strand(c.a) || is_on_strand(c.b)) {
        refuse_conditions(c);
        StrandConstraint made = for_strand(StrandConstraintKind::distance, c);
        made.frame = {};
        made.distance = law.distance;
        made.low = law.low;
        made.high = law.high;
        return add(made, law.is_joint ? StrandRank::joint : StrandRank::distance);
    }
    if (is_on_rod(c.a) || is_on_rod(c.b))
        return add_rod_distance(law, c, !is_on_rod(c.a));
    if (c.b.is_path())
        return refuse(c, "wants-point", "a distance is kept from a point, not from a curve",
                      "write point(x, y, z)", ConstraintFault::Doubt::none);
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

/// One law of a fixed distance, or one for each limit that there is.
void ConstraintSorter::add_rod_distance(const DistanceLaw& law, const Constraint& c,
                                        bool has_swapped_ends)
{
    RodConstraint made = for_rod(RodConstraintKind::distance, c);
    if (!c.b.is_path())
        made.frame = {};
    if (has_swapped_ends)
        std::swap(made.a, made.b);
    const RodRank rank = c.b.is_path()  ? RodRank::from_point
                         : law.is_joint ? RodRank::joint
                                        : RodRank::distance;
    const auto add_one = [&](Value distance, bool is_at_least, bool is_at_most) {
        made.distance = distance;
        made.is_at_least = is_at_least;
        made.is_at_most = is_at_most;
        add(made, rank);
    };
    if (law.distance)
        return add_one(*law.distance, false, false);
    if (!law.low && !law.high)
        return add_one({find_distance_at_start(c).value_or(0)}, false, false);
    if (law.low == law.high)
        return add_one({*law.low}, false, false);
    if (law.low && (*law.low > 0 || !law.high)) // farther apart than 0 they are anyway
        add_one({*law.low}, true, false);
    if (law.high)
        add_one({*law.high}, false, true);
}

std::optional<double> ConstraintSorter::find_distance_at_start(const Constraint& c)
{
    if (!c.a.object.is_valid() || !c.b.object.is_valid())
        return std::nullopt;
    if (origins_.empty()) {
        std::vector<FormulaTraits> traits;
        if (compute_traits(scene_, traits))
            return std::nullopt;
        std::vector<double> coordinates;
        for (const Coordinate& coordinate : scene_.coordinates)
            coordinates.push_back(coordinate.initial);
        const Kinematics kinematics(scene_, coordinates, scene_.settings.start);
        if (!kinematics.is_sound())
            return std::nullopt;
        for (std::uint32_t i = 0; i < scene_.objects.size(); ++i)
            origins_.push_back(kinematics.frame(ObjectId{i}).origin);
    }
    const double distance = length(origins_[c.a.object.index] - origins_[c.b.object.index]);
    return std::isfinite(distance) ? std::optional(distance) : std::nullopt;
}

/// A distance of 0 makes two origins coincide, for bodies as for linkages.
void ConstraintSorter::hold_together(const Constraint& c)
{
    if (!refuse_no_point(c))
        sort(DistanceLaw{.distance = Value{0}}, c);
}

} // namespace sinew
