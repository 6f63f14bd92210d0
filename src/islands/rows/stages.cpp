// Stages and passes.
//
//   in:  islands at t0 in the trials, impulses to start from
//   out: islands at t0 + h, impulses
//
// In every pass all models take one Newton step with the rows' impulses held, then the rows are
// solved with the response of those very steps, then the difference is applied. What the passes
// converge to is the exact implicit stage with its rows: the matrices decide only how fast.

#include "islands/rows/stages.h"

#include "islands/rows/exposed.h"
#include "islands/rows/row_geometry.h"
#include "islands/rows/sparse_rows.h"
#include "sinew/stop.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// What the velocity of a push row must not fall below.
double push_target(const Batch& batch, const BatchIsland& island, const GroupOrigin& origin,
                   const Stage& stage, double smooth_velocity)
{
    // The base is closed by the end of the substep, not of the stage.
    const double time_left = stage.index == 0 ? stage.step : stage.theta;
    const Attachment& attachment = batch.attachments[origin.attachment];
    const double closing = attachment.seen_at_end ? (origin.floor - origin.base[0]) / time_left
                                                  : -std::max(origin.base[0], 0.0) / time_left;
    const double e = attachment.restitution * island.bounce;
    if (!origin.bounces || e == 0)
        return closing;
    const double smooth = std::clamp(smooth_velocity - origin.start[0],
                                     -batch.ensemble->rest_acceleration * stage.theta, 0.0);
    return std::max(closing, -e * origin.start[0] + smooth);
}

/// Linearised in place: g + θ (w − w of the trial that g was seen from) = 0, instead of w = 0. What
/// has no place keeps its speed.
void aim_at_places(Batch& batch, const Stage& stage, BatchIsland& island)
{
    RowSet& rows = batch.rows;
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
        if (has_no_place(batch.attachments[origin.attachment]))
            return;
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (const std::uint32_t row = group.first_row + r; group.law[r] == Law::equal)
                rows.bias[row] = rows.gap[row] / stage.theta - origin.seen[r];
    });
}

/// A pass that goes on from a solved one asks its laws for a share of what it may leave of the
/// velocities: what is left then is not added to by further passes.
double row_tolerance(const Batch& batch, const BatchIsland& island)
{
    constexpr double kShare = 0.02;
    const double least = RowOptions{}.tolerance;
    return island.goes_on ? std::max(least, kShare * batch.settings->limits.velocity_tolerance)
                          : least;
}

void solve_island(Batch& batch, const Stage& stage, BatchIsland& island)
{
    RowSet& rows = batch.rows;
    const auto part = [&](std::vector<double>& numbers) {
        return Eigen::VectorXd::Map(numbers.data() + island.first_row, island.row_count);
    };
    RowProblem& problem = island.problem;
    problem.q = part(rows.velocity);
    if (is_sparse(island)) {
        if (island.has_impact) // else nobody asks for velocities without impulses
            subtract_held(batch, island, problem.q);
    } else if (!is_exposed(island))
        problem.q.noalias() -= problem.C * part(rows.held); // without impulses
    if (batch.settings->limits.closes_gaps)
        aim_at_places(batch, stage, island);
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] == Law::push) {
                const std::uint32_t row = group.first_row + r;
                rows.bias[row] =
                    -push_target(batch, island, origin, stage, problem.q[row - island.first_row]);
            }
    });
    problem.q += part(rows.bias);
    island.rows_solved = false;
    if (!problem.q.allFinite() || !problem.C.allFinite())
        return;
    Eigen::VectorXd& impulse = island.impulse;
    impulse = part(rows.held);
    RowSolveReport report;
    if (is_exposed(island)) {
        problem.q += problem.compliance.cwiseProduct(part(rows.held));
        report = solve_exposed(batch, island, {problem.q.data(), island.row_count},
                               {rows.held.data() + island.first_row, island.row_count},
                               RowOptions{}.tolerance, impulse);
        island.has_slowed |= report.is_redundant; // its answer is coarse: a kept one drifts
    } else if (is_sparse(island)) {
        problem.q = part(rows.velocity) + part(rows.bias);
        report = solve_sparse(batch, island, problem,
                              {rows.held.data() + island.first_row, island.row_count},
                              {.tolerance = row_tolerance(batch, island)}, impulse);
    } else {
        soften_rigid_rows(batch, island, problem);
        report = solve_dense_rows(island, problem, {}, impulse);
    }
    part(rows.impulse) = impulse;
    island.rows_solved = island.goes_on = report.converged;
    island.iterations += report.iterations;
    island.row_residual = report.residual;
}

void note_velocities(Batch& batch, BatchIsland& island)
{
    island.velocities.clear();
    for_each_block(batch, island, [&](const BlockShape& shape, const Trial& trial) {
        const auto v = trial.state.v.begin() + shape.v_first;
        island.velocities.insert(island.velocities.end(), v, v + shape.v_count);
    });
}

/// Of a velocity in the pass [m/s]; not finite where one is not.
double largest_change(Batch& batch, const BatchIsland& island)
{
    double largest = 0;
    auto before = island.velocities.begin();
    for_each_block(batch, island, [&](const BlockShape& shape, const Trial& trial) {
        for (std::uint32_t i = shape.v_first; i < shape.v_first + shape.v_count; ++i) {
            const double change = std::abs(trial.state.v[i] - *before++) * shape.length;
            largest = change <= largest || std::isnan(largest) ? largest : change;
        }
    });
    return largest;
}

/// Passes of the stage may go on with the matrices of its first: where a scene asks for it, and in
/// islands in velocities, whose matrix is most of a pass.
bool may_keep(const Batch& batch, const BatchIsland& island)
{
    const StepLimits& limits = batch.settings->limits;
    return !limits.renews_matrices && (limits.keeps_matrices || is_sparse(island));
}

bool has_law(const BatchIsland& island, std::initializer_list<Law> laws)
{
    return std::ranges::any_of(island.problem.law,
                               [&](Law law) { return std::ranges::find(laws, law) != laws.end(); });
}

/// Where matrices are kept most passes are cheap, and halves would begin anew. Not with contacts:
/// what they have not found soon is an impact, which wants small steps.
int most_passes(const Batch& batch, const BatchIsland& island)
{
    const StepLimits& limits = batch.settings->limits;
    const bool may_go_on =
        limits.keeps_matrices && !island.has_slowed && !has_law(island, {Law::push, Law::disc});
    return may_go_on ? 2 * limits.passes : limits.passes;
}

/// Rows solved, and no velocity changed in the pass, or would in the next as passes contract. Where
/// they do so slowly, or too slowly to be done in the passes that are left, every pass has a matrix
/// of its own from then on.
bool has_converged(Batch& batch, int pass, BatchIsland& island)
{
    constexpr double kSlow = 0.4;
    constexpr double kLittle = 2e8; // multiplications in the step: beyond, passes with matrices of
                                    // their own did not do either
    const double before = island.change, tolerance = batch.settings->limits.velocity_tolerance;
    island.change = largest_change(batch, island);
    if (island.change <= tolerance || !may_keep(batch, island) || pass == 0)
        return island.change <= tolerance && island.rows_solved;
    const double rate = island.change / before;
    if (!(rate <= kSlow)) {
        island.has_slowed = true;
        return false;
    }
    const double left = rate / (1 - rate) * island.change; // if passes go on like this
    double at_last = left;
    for (int i = pass + 1; i < most_passes(batch, island); ++i)
        at_last *= rate;
    if (is_sparse(island) && batch.work->sparse[island.sparse]->spent < kLittle &&
        at_last > tolerance)
        island.has_slowed = true;
    return left <= tolerance && island.rows_solved;
}

/// Contacts and friction are too sensitive for a matrix of another stage.
void drop_matrix(BatchIsland& island)
{
    if (has_law(island, {Law::push, Law::disc, Law::slide}))
        island.matrix_theta = 0;
}

/// Who goes on with the matrices it has.
void choose_kept(Batch& batch, const Stage& stage)
{
    for_each_active(batch, [&](BatchIsland& island) {
        island.keeps_matrix =
            may_keep(batch, island) && !island.has_slowed && island.matrix_theta == stage.theta;
        island.matrix_theta = stage.theta;
    });
    set_kept(batch);
}

/// The rows of the eyes of one path, in the order of their groups.
struct EyeRows {
    const EyePath* path = nullptr;
    double tension = 0;                                         ///< of the row of the path [N s]
    std::vector<std::pair<std::uint32_t, double>> sliding = {}; ///< pass and impulse of its rows

    /// The mean of the tensions before and behind a pass.                    [notes: rods, eq. 11]
    double mean_at(std::uint32_t pass) const
    {
        double mean = tension;
        for (const auto& [other, impulse] : sliding)
            mean += other < pass ? 0.5 * impulse : other > pass ? -0.5 * impulse : 0.0;
        return mean;
    }
};

/// What the ropes of an island pull with as they run through eyes, by the impulses of the pass
/// before.
std::vector<EyeRows> find_eye_rows(Batch& batch, BatchIsland& island)
{
    std::vector<EyeRows> paths;
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
        const Attachment& made = batch.attachments[origin.attachment];
        if (!made.path || made.kind == Attachment::Kind::eye_carry)
            return;
        auto found = std::ranges::find(paths, made.path, &EyeRows::path);
        if (found == paths.end())
            found = paths.insert(paths.end(), {.path = made.path});
        const double impulse = batch.rows.impulse[group.first_row];
        if (made.kind == Attachment::Kind::eye)
            found->tension = impulse;
        else
            found->sliding.push_back({made.pass, impulse});
    });
    return paths;
}

/// Springs, seen from the trial: with every pass nearer to what they are at the stage's end.
void update_springs(Batch& batch, const Stage& stage, BatchIsland& island)
{
    const std::vector<EyeRows> eyes = find_eye_rows(batch, island);
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
        const Attachment& attachment = batch.attachments[origin.attachment];
        if (!is_spring(attachment))
            return;
        const auto path = std::ranges::find(eyes, attachment.path, &EyeRows::path);
        const double pull = path == eyes.end() ? 0 : path->mean_at(attachment.pass);
        update_spring(attachment, group, stage.theta, pull, batch.rows);
    });
    const auto part = [&](const std::vector<double>& numbers) {
        return Eigen::VectorXd::Map(numbers.data() + island.first_row, island.row_count);
    };
    island.problem.compliance = part(batch.rows.compliance);
    island.problem.lo = part(batch.rows.lo);
    island.problem.hi = part(batch.rows.hi);
}

void run_pass(Batch& batch, const Stage& stage)
{
    const std::vector<const Dynamics*>& models = batch.ensemble->models;
    update_rows(batch, stage.time);
    for_each_active(batch, [&](BatchIsland& island) { update_springs(batch, stage, island); });
    for_each_active(batch, [&](BatchIsland& island) {
        note_velocities(batch, island);
        if (batch.settings->limits.closes_gaps)
            for_each_group(batch, island, [&](const RowGroup& group, GroupOrigin& origin) {
                for (std::uint32_t r = 0; r < group.row_count; ++r)
                    origin.seen[r] = batch.rows.velocity[group.first_row + r];
            });
        std::copy_n(batch.rows.impulse.begin() + island.first_row, island.row_count,
                    batch.rows.held.begin() + island.first_row);
    });
    for_each_cohort(batch, [&](std::size_t m, Trial& trial, const Cohort& cohort) {
        models[m]->predict(cohort, batch.rows, stage, trial);
    });
    update_velocities(batch, stage.time);
    respond(batch);
    for_each_active(batch, [&](BatchIsland& island) { solve_island(batch, stage, island); });
    for_each_cohort(batch, [&](std::size_t m, Trial& trial, const Cohort& cohort) {
        models[m]->correct(cohort, batch.rows, stage, Part::velocity, trial);
    });
}

// ---------------------------------------------------------------- stages

/// What of the whole substep the force of a stage stands for, θ being its own share.
double share_of(const Stage& stage)
{
    const bool is_first_of_two = stage.index + 1 < stage.count;
    return is_first_of_two ? (stage.step - stage.theta) / stage.theta : 1;
}

/// The impulse of a step is b₁ λ₁ + b₂ λ₂ of its stages.                      [notes: rows, eq. 9]
void add_given(const Batch& batch, const Stage& stage, BatchIsland& island)
{
    const double share = share_of(stage);
    for (std::uint32_t r = 0; r < island.row_count; ++r)
        island.given[r] += share * batch.rows.impulse[island.first_row + r];
    if (stage.index + 1 == stage.count)
        island.elapsed += stage.step;
}

/// Work [J] that springs and driven sides did on the island in a stage, for the energy balance.
void add_work(Batch& batch, const Stage& stage, BatchIsland& island)
{
    const double weight = share_of(stage);
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
        const Attachment& attachment = batch.attachments[origin.attachment];
        for (std::uint32_t r = 0; attachment.ease && r < group.row_count; ++r)
            island.work += weight * batch.rows.impulse[group.first_row + r] *
                           eased_rate(attachment, int(r), stage.time);
        // What a spring stores is its own: its work on all its sides, less that on driven ones.
        if (is_spring(attachment) || attachment.speed != 0)
            for (std::uint32_t r = group.first_row; r < group.first_row + group.row_count; ++r)
                island.work += weight * batch.rows.impulse[r] * batch.rows.velocity[r];
        for (std::uint32_t s = 0; s < group.side_count; ++s) {
            const std::uint32_t side = group.first_side + s;
            if (std::ranges::binary_search(island.island->blocks, batch.rows.site[side].block))
                continue;
            for (std::uint32_t r = 0; r < group.row_count; ++r)
                island.work -=
                    weight * batch.rows.impulse[group.first_row + r] *
                    dot(batch.motion[side].twist,
                        batch.rows.direction[group.first_direction + s * group.row_count + r]);
        }
    });
}

/// Islands of the list that have not failed.
std::span<const std::uint32_t> alive(Batch& batch, std::span<const std::uint32_t> islands)
{
    std::vector<std::uint32_t>& result = batch.room.left;
    result.clear();
    for (const std::uint32_t i : islands)
        if (!batch.islands[i].has_failed)
            result.push_back(i);
    return result;
}

/// The rows' forces go on as they were, whatever the stage's length.
void begin_impulses(Batch& batch, const Stage& stage, BatchIsland& island)
{
    for (std::uint32_t r = 0; r < island.row_count; ++r)
        batch.rows.impulse[island.first_row + r] *= stage.theta / island.theta;
    island.theta = stage.theta;
}

void run_stage(Batch& batch, const Stage& stage, std::span<const std::uint32_t> islands,
               bool may_fail)
{
    set_active(batch, alive(batch, islands));
    for_each_cohort(batch, [&](std::size_t m, Trial& trial, const Cohort& cohort) {
        batch.ensemble->models[m]->begin_stage(cohort, stage, trial);
    });
    if (stage.index > 0) { // where the stage stands, seen from its first guess
        update_rows(batch, stage.time);
        for_each_active(batch, [&](BatchIsland& island) {
            for_each_group(batch, island, [&](const RowGroup& group, GroupOrigin& origin) {
                for (std::uint32_t r = 0; r < group.row_count; ++r)
                    origin.base[r] = batch.rows.gap[group.first_row + r] -
                                     stage.theta * batch.rows.velocity[group.first_row + r];
            });
        });
    }
    for_each_active(batch, [&](BatchIsland& island) {
        begin_impulses(batch, stage, island);
        drop_matrix(island);
        island.goes_on = false;
    });
    for (int pass = 0; !batch.active.empty() && !is_stopping(); ++pass) {
        choose_kept(batch, stage);
        run_pass(batch, stage);
        for (const std::uint32_t i : batch.active)
            batch.islands[i].passes = std::max(batch.islands[i].passes, pass + 1);
        std::vector<std::uint32_t>& left = batch.room.left;
        left.clear();
        for (const std::uint32_t i : batch.active)
            if (BatchIsland& island = batch.islands[i]; !has_converged(batch, pass, island)) {
                if (pass + 1 < most_passes(batch, island))
                    left.push_back(i);
                else
                    (may_fail ? island.has_failed : island.is_unsettled) = true;
            }
        set_active(batch, left);
    }
    set_active(batch, alive(batch, islands));
    for_each_active(batch, [&](BatchIsland& island) { add_given(batch, stage, island); });
    const bool is_judged = !may_fail || std::ranges::any_of(batch.active, [&](std::uint32_t i) {
        return batch.islands[i].has_impact;
    });
    if (!is_judged) // nobody asks for the balance
        return;
    update_velocities(batch, stage.time);
    for_each_active(batch, [&](BatchIsland& island) { add_work(batch, stage, island); });
}

} // namespace

void run_stages(Batch& batch, Scheme scheme, double t0, double h,
                std::span<const std::uint32_t> islands, bool may_fail)
{
    for (int index = 0; index < stage_count(scheme); ++index)
        run_stage(batch, make_stage(scheme, index, t0, h), islands, may_fail);
}

namespace {

void set_velocities(Batch& batch, const RowGroup& group, const GroupOrigin& origin, double time)
{
    const Attachment& attachment = batch.attachments[origin.attachment];
    for (std::uint32_t r = 0; r < group.row_count; ++r)
        batch.rows.velocity[group.first_row + r] =
            row_velocity(group, int(r), batch.rows, batch.motion) -
            eased_rate(attachment, int(r), time);
}

} // namespace

void update_rows(Batch& batch, double time)
{
    locate(batch, time);
    slide(batch, time);
    for_each_active(batch, [&](BatchIsland& island) {
        for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
            const Attachment& attachment = batch.attachments[origin.attachment];
            update_geometry(attachment, group, batch.motion, batch.rows, lean_at(attachment, time));
            for (std::uint32_t r = 0; attachment.ease && r < group.row_count; ++r)
                batch.rows.gap[group.first_row + r] -= eased_gap(attachment, int(r), time);
            set_velocities(batch, group, origin, time);
        });
    });
}

void update_velocities(Batch& batch, double time)
{
    locate(batch, time);
    for_each_active(batch, [&](BatchIsland& island) {
        for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
            set_velocities(batch, group, origin, time);
        });
    });
}

} // namespace sinew
