// Linkages in an island: implicit stages with rows from outside (solve/rows.h).
//
//     r(v) = M (v − v_base) − θ f(x, v) − Pᵀ Σ d λ,     x = x_base + θ v, then onto Φ(x) = 0
//
// The inner constraints Φ are kept by the KKT matrix of the linkage: W⁻¹ is the upper left block of
// its inverse, W = M + θ D + θ² K. A site is a mass or label: a point, so rows push it and do not
// turn it.

#include "models/linkage/model.h"
#include "models/linkage/products.h"
#include "models/linkage/scratch.h"
#include "solve/row_stages.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

const MatrixPlan& stage_plan(const LinkagePlan& plan, const LinkageMatrices& matrices)
{
    return has_springs(plan) ? matrices.with_springs : matrices.masses;
}

std::uint32_t point_of(const LinkagePlan& plan, const Site& site)
{
    return plan.sites[site.element].point;
}

} // namespace

LinkageStage::LinkageStage(const LinkagePlan& plan, const LinkageMatrices& matrices,
                           const std::vector<ImportFunction>& imports)
    : system(plan, matrices.masses, imports), matrix(plan, stage_plan(plan, matrices)),
      columns(plan.column_count), rows(plan.rows.size()), product(plan.column_count),
      solution(plan.matrix_size())
{
}

std::optional<Site> LinkageModel::find_site(ObjectId object, std::uint32_t model) const
{
    for (std::uint32_t b = 0; b < plans_.size(); ++b) {
        const std::vector<PlannedSite>& sites = plans_[b].sites;
        const auto found =
            std::lower_bound(sites.begin(), sites.end(), object,
                             [](const PlannedSite& site, ObjectId id) { return site.object < id; });
        if (found != sites.end() && found->object == object)
            return Site{{model, b}, static_cast<std::uint32_t>(found - sites.begin()), 0};
    }
    return std::nullopt;
}

LinkageStage& LinkageModel::stage_of(const Trial& trial, std::size_t block) const
{
    auto& stage = static_cast<LinkageScratch&>(*trial.scratch).stages[block];
    if (!stage)
        stage = std::make_unique<LinkageStage>(plans_[block], matrices_[block], *imports_);
    return *stage;
}

void LinkageModel::look(LinkageStage& stage, double time, const Trial& trial,
                        std::size_t block) const
{
    const BlockShape& shape = shapes_[block];
    stage.system.update({time, Side::before,
                         std::span(trial.state.x).subspan(shape.x_first, shape.x_count),
                         std::span(trial.state.v).subspan(shape.v_first, shape.v_count)},
                        std::span(trial.state.memory)
                            .subspan(shape.memory_first + IntegratorMemory::count,
                                     shape.memory_count - IntegratorMemory::count));
}

void LinkageModel::locate(const Trial& trial, double time, std::span<const Site> sites,
                          std::span<SiteMotion> motions) const noexcept
{
    std::uint32_t looked_at = kNoIndex;
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::uint32_t block = sites[s].block.index;
        LinkageStage& stage = stage_of(trial, block);
        if (block != looked_at)
            look(stage, time, trial, block);
        looked_at = block;
        const Vec3T<Jet2>& x = stage.system.motion().point(point_of(plans_[block], sites[s]));
        motions[s] = {.pose = {.rotation = {}, .translation = value_of(x)},
                      .twist = {{}, first_of(x)},
                      .tangent = {}};
    }
}

void LinkageModel::begin_stage(const Cohort& cohort, const Stage& stage,
                               Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        begin_flat_stage(shapes_[member.block], stage, trial);
        project_stage(stage_of(trial, member.block), stage.time, trial, member.block);
    }
}

/// stage.columns = −r(v)
void LinkageModel::update_residual(LinkageStage& stage, const Cohort& cohort, const Member& member,
                                   const RowSet& rows, std::span<const double> impulse,
                                   double theta, const Trial& trial) const
{
    const BlockShape& shape = shapes_[member.block];
    const LinkagePlan& plan = plans_[member.block];
    const Motion& motion = stage.system.motion();
    std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
    add_forces(motion, stage.columns);
    for (double& force : stage.columns)
        force *= theta;
    for (std::uint32_t i = 0; i < shape.v_count; ++i)
        stage.product[i] = trial.v_base[shape.v_first + i] - trial.state.v[shape.v_first + i];
    extend<double>(plan, stage.system.constraints().jacobian(), stage.product);
    add_mass_product<double>(motion, stage.product, stage.columns);
    for (const Touch& touch : cohort.touches_of(member))
        add_at<double>(motion, point_of(plan, rows.site[touch.side]),
                       rows.direction[touch.direction].force * impulse[touch.row], stage.columns);
}

void LinkageModel::predict(const Cohort& cohort, const RowSet& rows, const Stage& now,
                           Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const BlockShape& shape = shapes_[member.block];
        const LinkagePlan& plan = plans_[member.block];
        LinkageStage& stage = stage_of(trial, member.block);
        look(stage, now.time, trial, member.block);
        const Constraints& constraints = stage.system.constraints();
        const std::span<const double> dropped =
            std::span<const double>(trial.state.memory)
                .subspan(shape.memory_first + IntegratorMemory::count + plan.memory_size,
                         plan.rows.size());
        update_residual(stage, cohort, member, rows, rows.held, now.theta, trial);
        // The inner constraints hold in place at the end of the stage: a gap left by the last one
        // closes within it.
        for (std::size_t r = 0; r < plan.rows.size(); ++r)
            stage.rows[r] = -constraints.rate()[r];
        if (!stage.matrix.factor(stage.system.motion(), constraints,
                                 {1.0, now.theta, now.theta * now.theta}, dropped))
            continue;
        stage.matrix.solve(constraints, stage.columns, stage.rows, stage.solution);
        for (std::uint32_t i = 0; i < shape.v_count; ++i)
            trial.state.v[shape.v_first + i] += stage.solution[i];
    }
}

void LinkageModel::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                           Responses& responses) const noexcept
{
    for (const Member& member : cohort.members) {
        const LinkagePlan& plan = plans_[member.block];
        LinkageStage& stage = stage_of(trial, member.block);
        const Motion& motion = stage.system.motion();
        const std::span<const Touch> touches = cohort.touches_of(member);
        const std::span<double> C = responses.port_of(member);
        std::fill(stage.rows.begin(), stage.rows.end(), 0.0);
        const auto direction = [&](const Touch& touch) {
            return rows.direction[touch.direction].force;
        };
        for (std::size_t j = 0; j < touches.size(); ++j) {
            std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
            add_at<double>(motion, point_of(plan, rows.site[touches[j].side]),
                           direction(touches[j]), stage.columns);
            stage.matrix.solve(stage.system.constraints(), stage.columns, stage.rows,
                               stage.solution);
            for (std::size_t i = 0; i < touches.size(); ++i)
                C[i * touches.size() + j] =
                    dot(direction(touches[i]),
                        velocity_at<double>(motion, point_of(plan, rows.site[touches[i].side]),
                                            stage.solution));
        }
        for (std::size_t i = 0; i < touches.size(); ++i) // to rounding it is symmetric anyway
            for (std::size_t j = 0; j < i; ++j)
                C[i * touches.size() + j] = C[j * touches.size() + i] =
                    0.5 * (C[i * touches.size() + j] + C[j * touches.size() + i]);
    }
}

void LinkageModel::project_stage(LinkageStage& stage, double time, Trial& trial,
                                 std::size_t block) const
{
    constexpr int kMostIterations = 8;
    const LinkageState state = view_of(trial.state, block);
    if (!plans_[block].rows.empty())
        project_positions(stage.system, time, Side::before, state, kMostIterations);
}

void LinkageModel::correct(const Cohort& cohort, const RowSet& rows, const Stage& now, Part part,
                           Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const BlockShape& shape = shapes_[member.block];
        const LinkagePlan& plan = plans_[member.block];
        LinkageStage& stage = stage_of(trial, member.block);
        std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
        std::fill(stage.rows.begin(), stage.rows.end(), 0.0);
        for (const Touch& touch : cohort.touches_of(member))
            add_at<double>(stage.system.motion(), point_of(plan, rows.site[touch.side]),
                           rows.direction[touch.direction].force *
                               (rows.impulse[touch.row] - rows.held[touch.row]),
                           stage.columns);
        stage.matrix.solve(stage.system.constraints(), stage.columns, stage.rows, stage.solution);
        for (std::uint32_t i = 0; i < shape.v_count; ++i) {
            const std::uint32_t x = shape.x_first + i, v = shape.v_first + i;
            if (part == Part::velocity) {
                trial.state.v[v] += stage.solution[i];
                trial.state.x[x] = trial.x_base[x] + now.theta * trial.state.v[v];
            } else if (part == Part::position) {
                trial.state.x[x] += stage.solution[i];
            } else {
                trial.v_start[v] += stage.solution[i];
            }
        }
        if (part != Part::impulse)
            project_stage(stage, now.time, trial, member.block);
    }
}

void LinkageModel::measure(const Cohort& cohort, const RowSet& rows, const Stage& now,
                           const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const Member& member = cohort.members[k];
        const BlockShape& shape = shapes_[member.block];
        LinkageStage& stage = stage_of(trial, member.block);
        look(stage, now.time, trial, member.block);
        update_residual(stage, cohort, member, rows, rows.impulse, now.theta, trial);
        // What the inner constraints carry is no residual: take it out with their multipliers.
        for (std::size_t r = 0; r < stage.rows.size(); ++r)
            stage.rows[r] = 0;
        stage.matrix.solve(stage.system.constraints(), stage.columns, stage.rows, stage.solution);
        std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
        add_mass_product<double>(
            stage.system.motion(),
            std::span<const double>(stage.solution).first(stage.columns.size()), stage.columns);
        const Energy energy = energy_of(stage.system.motion());
        reports[k].kinetic = energy.kinetic;
        reports[k].potential = energy.potential;
        reports[k].residual = 0;
        for (std::uint32_t i = 0; i < shape.v_count; ++i) {
            reports[k].residual = std::max(reports[k].residual, std::abs(stage.columns[i]));
            reports[k].finite = reports[k].finite &&
                                std::isfinite(trial.state.x[shape.x_first + i]) &&
                                std::isfinite(trial.state.v[shape.v_first + i]);
        }
    }
}

} // namespace sinew
