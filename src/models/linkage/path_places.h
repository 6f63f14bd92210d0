#pragma once

// Where on its path a tie holds its point.

#include "models/linkage/equations/plan.h"
#include "scene/kinematics.h"
#include "scene/reading/equations.h"

#include <span>
#include <vector>

namespace sinew {

/// The place on a tie's path that is nearest to its point. Requires that the path has places.
inline double nearest_place(const Kinematics& kinematics, const LinkagePlan& plan,
                            const PlannedTie& tie)
{
    const Path& path = plan.scene->paths[plan.paths[tie.path].scene_path];
    const ObjectId object = plan.frames[plan.points[tie.b].frame].object;
    return find_nearest(*plan.scene, kinematics, path, kinematics.frame(object).origin).u;
}

/// Puts the place of a tie that begins to hold where its point is: until then it stood still.
/// `x`: positions of the linkage.
inline void put_on_path(const LinkagePlan& plan, const PlannedTie& tie, double time,
                        std::span<double> x)
{
    if (tie.path == kNoIndex || plan.paths[tie.path].column == kNoIndex)
        return;
    std::vector<double> coordinates;
    for (const Coordinate& coordinate : plan.scene->coordinates)
        coordinates.push_back(coordinate.initial);
    for (std::size_t c = 0; c < plan.coordinates.size(); ++c)
        coordinates[plan.coordinates[c]] = x[c];
    const Kinematics kinematics(*plan.scene, coordinates, time);
    x[plan.paths[tie.path].column] = nearest_place(kinematics, plan, tie);
}

} // namespace sinew
