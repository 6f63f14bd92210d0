// An object or a point of a rod stays on a path, free to slide along it. A path that is a line goes
// on beyond its ends.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const PathLaw& law, const Constraint& c)
{
    if (refuse_on_strand(c))
        return;
    if (is_on_rod(c.a))
        return add(
            for_rod(law.is_axis ? RodConstraintKind::axis : RodConstraintKind::trajectory, c),
            law.is_axis ? RodRank::held : RodRank::path);
    if (law.is_axis && scene_.paths[c.b.path.index].kind != PathKind::line)
        return refuse(c, "wants-line", "an axis is a straight line",
                      "write line(x,y,z, x,y,z), or path_constraint for a curve");
    if (c.release.beyond)
        refuse(c, "not-of-paths", "`beyond` is for two objects, not for one on a path",
               "write `active = ...` with a condition, or `until`", ConstraintFault::Doubt::none);
    scene_.path_constraints.push_back({c.a.object, c.b.path, c.release, c.origin});
}

} // namespace sinew
