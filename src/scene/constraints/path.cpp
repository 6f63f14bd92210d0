// An object stays on a path, free to slide along it; a point of a rod also on a line.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const PathLaw& law, const Constraint& c)
{
    if (law.is_axis) {
        if (!refuse_on_strand(c))
            add(for_rod(RodConstraintKind::axis, c), RodRank::held);
        return;
    }
    if (is_on_rod(c.a))
        return add(for_rod(RodConstraintKind::trajectory, c), RodRank::path);
    if (c.release.beyond)
        refuse(c, "not-of-paths", "`beyond` is of two objects, not of one on a path",
               "write `active = ...` with a condition, or `until`", ConstraintFault::Doubt::none);
    scene_.path_constraints.push_back({c.a.object, c.b.path, c.release, c.origin});
}

} // namespace sinew
