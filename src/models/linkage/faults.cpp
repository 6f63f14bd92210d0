// Why a linkage cannot go on, in words: the object or coordinate, the time, the remedy.

#include "base/text.h"
#include "math/functions.h"
#include "models/linkage/integrator.h"
#include "scene/equations.h"
#include "scene/problems.h"

namespace sinew {

Problem describe_fault(const LinkageSystem& system, double time, std::uint32_t column)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    const std::uint32_t c = column < plan.coordinates.size() ? plan.coordinates[column] : 0;
    const Coordinate& coordinate = scene.coordinates[c];
    return make_problem(scene, Severity::error, "singular", coordinate.origin,
                        "coordinates[" + std::to_string(c) + "]",
                        "at " + number_text(time) + " s nothing fixes the acceleration of '" +
                            coordinate.name + "'",
                        "give what it moves a mass, or end the run earlier");
}

Problem describe_inconsistency(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    std::uint32_t row = 0;
    const double residual = system.constraints().largest_residual(&row);
    const std::uint32_t statement = plan.rows[row].statement;
    return make_problem(scene, Severity::error, "cannot-be-satisfied",
                        statement == kNoIndex ? Origin{} : statement_origin(scene, statement),
                        "constraints",
                        "at " + number_text(time) +
                            " s the constraints cannot all hold: this one "
                            "is off by " +
                            number_text(residual) + " m",
                        "change its length or path, or free another coordinate");
}

} // namespace sinew
