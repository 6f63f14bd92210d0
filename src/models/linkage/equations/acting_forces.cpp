// What pushes and pulls in a linkage, for people who look at it.

#include "models/linkage/model.h"
#include "models/linkage/scratch.h"

#include <cmath>

namespace sinew {

namespace {

LinkageSystem& system_of(const Trial& trial, std::size_t block)
{
    return static_cast<LinkageScratch&>(*trial.scratch).integrators[block]->system();
}

std::vector<PointForce> forces_on(const LinkagePlan& plan, std::size_t block,
                                  std::span<const SiteForce> outside)
{
    std::vector<PointForce> forces;
    for (const SiteForce& force : outside)
        if (force.site.block.index == block)
            forces.push_back({plan.sites[force.site.element].point, force.force});
    return forces;
}

void list_tie_forces(const LinkageSystem& system, std::vector<ActingForce>& out)
{
    const LinkagePlan& plan = system.plan();
    for (const PlannedTie& tie : plan.ties) {
        const Vec3 force = system.tie_force(tie);
        if (!is_finite(force))
            continue;
        out.push_back({ActingForce::Kind::constraint, object_of(plan, tie.b), force});
        if (tie.kind != TieKind::path)
            out.push_back({ActingForce::Kind::constraint, object_of(plan, tie.a), -force});
    }
}

/// With the system at an instant: the multipliers there. False where there are none.
bool solve_ties(LinkageSystem& system, const LinkageState& state,
                std::span<const PointForce> outside)
{
    if (system.plan().ties.empty() || !system.factor())
        return false;
    std::vector<double> accelerations(state.x.size());
    system.solve_accelerations(accelerations, outside);
    return true;
}

/// Of rows that are so many numbers from the first.
double error_of(const PlannedTie& tie, const LinkageSystem& system)
{
    double sum = 0;
    for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r)
        sum += system.constraints().residual()[r] * system.constraints().residual()[r];
    return std::sqrt(sum);
}

} // namespace

std::vector<ActingForce> LinkageModel::forces(Trial& trial, double time,
                                              std::span<const SiteForce> outside) const
{
    std::vector<ActingForce> out;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = system_of(trial, i);
        const LinkageState state = view_of(trial.state, i);
        if (!system.update({time, Side::after, state.x, state.v}, state.memory))
            continue;
        list_forces(system.motion(), out);
        if (solve_ties(system, state, forces_on(plans_[i], i, outside)))
            list_tie_forces(system, out);
    }
    for (const SiteForce& force : outside)
        out.push_back({force.kind, plans_[force.site.block.index].sites[force.site.element].object,
                       force.force});
    return out;
}

void LinkageModel::read_residuals(Trial& trial, double time, std::span<double> residuals) const
{
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = system_of(trial, i);
        const LinkageState state = view_of(trial.state, i);
        if (!system.update({time, Side::before, state.x, state.v}, state.memory))
            continue;
        for (const PlannedTie& tie : plans_[i].ties)
            if (tie.statement != kNoIndex)
                residuals[tie.statement] = error_of(tie, system);
    }
}

void LinkageModel::read_tie_forces(Trial& trial, double time, std::span<const SiteForce> outside,
                                   std::span<Vec3> forces) const
{
    for (std::size_t i = 0; i < plans_.size(); ++i) {
        LinkageSystem& system = system_of(trial, i);
        const LinkageState state = view_of(trial.state, i);
        if (!system.update({time, Side::after, state.x, state.v}, state.memory) ||
            !solve_ties(system, state, forces_on(plans_[i], i, outside)))
            continue;
        for (const PlannedTie& tie : plans_[i].ties)
            if (tie.statement != kNoIndex)
                forces[tie.statement] =
                    system.tie_force(tie) *
                    (tie.statement < scene_->distance_constraints.size() ? -1.0 : 1.0);
    }
}

double LinkageModel::mass_of(const Site& site) const
{
    double sum = 0;
    for (const PlannedMass& mass : plans_[site.block.index].masses)
        sum += mass.mass;
    return sum;
}

} // namespace sinew
