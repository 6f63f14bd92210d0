// Linkages in an island: implicit stages with rows from outside (solve/rows.h).
//
//     r(v) = M (v − v_base) − θ f(x, v) − Pᵀ Σ d λ,     x = x_base + θ v, then onto Φ(x) = 0
//
// The inner constraints Φ are kept by the KKT matrix of the linkage: W⁻¹ is the upper left block of
// its inverse, W = M + θ D + θ² K. A mass or label is a point: rows push it and do not turn it.
// What bodies are joined to is a frame, known by the points p_i at the ends of its axes e_i: a
// torque τ is the forces ½ τ × e_i there and their sum, turned round, at the origin, and ω = ½ Σ
// e_i × ṗ_i. A coordinate q may be a site too: the point (q, 0, 0), which rows push along x.

#include "models/linkage/equations/products.h"
#include "models/linkage/model.h"
#include "models/linkage/scratch.h"
#include "solve/rows/row_stages.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

const MatrixPlan& stage_plan(const LinkagePlan& plan, const LinkageMatrices& matrices)
{
    return has_springs(plan) ? matrices.with_springs : matrices.masses;
}

/// The column of a site that is a coordinate; these follow the sites of objects.
std::optional<std::uint32_t> column_of(const LinkagePlan& plan, const Site& site)
{
    if (site.element < plan.sites.size())
        return std::nullopt;
    return site.element - static_cast<std::uint32_t>(plan.sites.size());
}

std::array<Vec3, 3> axes_of(const Motion& motion, const PlannedSite& site)
{
    const Vec3 o = value_of(motion.point(site.point));
    std::array<Vec3, 3> e;
    for (std::size_t i = 0; i < 3; ++i)
        e[i] = value_of(motion.point(site.axes[i])) - o;
    return e;
}

/// out += Pᵀ of a wrench at a site.
void add_wrench(const Motion& motion, const Site& site, const Wrench& wrench, double times,
                std::span<double> out)
{
    if (const auto column = column_of(motion.plan(), site)) {
        out[*column] += wrench.force.x * times;
        return;
    }
    const PlannedSite& planned = motion.plan().sites[site.element];
    Vec3 force = wrench.force * times;
    if (planned.has_axes() && wrench.torque != Vec3{0, 0, 0}) {
        const std::array<Vec3, 3> e = axes_of(motion, planned);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 pair = cross(wrench.torque, e[i]) * (0.5 * times);
            add_at<double>(motion, planned.axes[i], pair, out);
            force -= pair;
        }
    }
    add_at<double>(motion, planned.point, force, out);
}

/// The velocity of a site along a wrench, for rates of the columns.
double speed_along(const Motion& motion, const Site& site, const Wrench& wrench,
                   std::span<const double> columns)
{
    if (const auto column = column_of(motion.plan(), site))
        return wrench.force.x * columns[*column];
    const PlannedSite& planned = motion.plan().sites[site.element];
    const Vec3 v = velocity_at<double>(motion, planned.point, columns);
    double speed = dot(wrench.force, v);
    if (planned.has_axes() && wrench.torque != Vec3{0, 0, 0}) {
        const std::array<Vec3, 3> e = axes_of(motion, planned);
        for (std::size_t i = 0; i < 3; ++i)
            speed += 0.5 * dot(cross(wrench.torque, e[i]),
                               velocity_at<double>(motion, planned.axes[i], columns) - v);
    }
    return speed;
}

SiteMotion motion_of(const Motion& motion, const Site& site)
{
    if (const auto column = column_of(motion.plan(), site))
        return {.pose = {.rotation = {}, .translation = {motion.instant().state[*column], 0, 0}},
                .twist = {{}, {motion.instant().rates[*column], 0, 0}}};
    const PlannedSite& planned = motion.plan().sites[site.element];
    const Vec3T<Jet2>& x = motion.point(planned.point);
    SiteMotion result{.pose = {.rotation = {}, .translation = value_of(x)},
                      .twist = {{}, first_of(x)},
                      .tangent = {}};
    if (!planned.has_axes())
        return result;
    const std::array<Vec3, 3> e = axes_of(motion, planned);
    result.pose.rotation = rotation_quat(Mat3{e[0], e[1], e[2]});
    for (std::size_t i = 0; i < 3; ++i)
        result.twist.angular +=
            cross(e[i], first_of(motion.point(planned.axes[i])) - first_of(x)) * 0.5;
    return result;
}

} // namespace

LinkageStage::LinkageStage(const LinkagePlan& plan, const LinkageMatrices& matrices,
                           const std::vector<ImportFunction>& imports)
    : system(plan, matrices.masses, imports), matrix(plan, stage_plan(plan, matrices)),
      columns(plan.column_count), rows(plan.rows.size()), product(plan.column_count),
      solution(plan.matrix_size()), given(plan.column_count), last(plan.column_count)
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

bool LinkageModel::has_axes(const Site& site) const
{
    return plans_[site.block.index].sites[site.element].has_axes();
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
                                     IntegratorMemory::linkage_size_of(plans_[block])));
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
        motions[s] = motion_of(stage.system.motion(), sites[s]);
    }
}

void LinkageModel::begin_stage(const Cohort& cohort, const Stage& stage,
                               Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        LinkageStage& own = stage_of(trial, member.block);
        free_coordinates(own, stage.time, trial, member.block);
        begin_given(stage, own);
        begin_flat_stage(shapes_[member.block], stage, trial);
        project_stage(own, stage.time, trial, member.block);
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
        add_wrench(motion, rows.site[touch.side], rows.direction[touch.direction],
                   impulse[touch.row], stage.columns);
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
        LinkageStage& stage = stage_of(trial, member.block);
        const Motion& motion = stage.system.motion();
        const std::span<const Touch> touches = cohort.touches_of(member);
        const std::span<double> C = responses.port_of(member);
        std::fill(stage.rows.begin(), stage.rows.end(), 0.0);
        for (std::size_t j = 0; j < touches.size(); ++j) {
            std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
            add_wrench(motion, rows.site[touches[j].side], rows.direction[touches[j].direction], 1,
                       stage.columns);
            stage.matrix.solve(stage.system.constraints(), stage.columns, stage.rows,
                               stage.solution);
            for (std::size_t i = 0; i < touches.size(); ++i)
                C[i * touches.size() + j] =
                    speed_along(motion, rows.site[touches[i].side],
                                rows.direction[touches[i].direction], stage.solution);
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
        LinkageStage& stage = stage_of(trial, member.block);
        std::fill(stage.columns.begin(), stage.columns.end(), 0.0);
        std::fill(stage.rows.begin(), stage.rows.end(), 0.0);
        for (const Touch& touch : cohort.touches_of(member))
            add_wrench(stage.system.motion(), rows.site[touch.side],
                       rows.direction[touch.direction],
                       rows.impulse[touch.row] - rows.held[touch.row], stage.columns);
        if (part == Part::velocity && plans_[member.block].has_releases) {
            std::fill(stage.last.begin(), stage.last.end(), 0.0);
            for (const Touch& touch : cohort.touches_of(member))
                add_wrench(stage.system.motion(), rows.site[touch.side],
                           rows.direction[touch.direction], rows.impulse[touch.row], stage.last);
        }
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
