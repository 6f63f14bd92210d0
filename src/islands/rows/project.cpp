// Errors of position, removed without touching velocities.
//
//   in:  islands at the end of a substep
//   out: the same, with J δx = −g for equal rows, J δx + g ≥ 0 for push rows, δx the smallest in W
//
// The rows' λ are displacements times mass here; impulses are put back afterwards.

#include "islands/rows/project.h"

#include "islands/rows/exposed.h"
#include "islands/rows/sparse_rows.h"
#include "islands/rows/stages.h"
#include "sinew/stop.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Error of a row in place [m]; overlap up to `allowed` is none.
double gap_error(Law law, double gap, double allowed)
{
    return law == Law::equal ? std::abs(gap) : law == Law::push ? std::max(0.0, -gap - allowed) : 0;
}

/// Calls call(law, row) for the rows of an island.
template <class Call>
void for_each_row(Batch& batch, const BatchIsland& island, Call&& call)
{
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin&) {
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            call(group.law[r], group.first_row + r);
    });
}

double largest_error(Batch& batch, const BatchIsland& island, std::span<const double> allowed)
{
    double largest = 0;
    for_each_row(batch, island, [&](Law law, std::uint32_t row) {
        const double error = gap_error(law, batch.rows.gap[row], allowed[row]);
        largest = std::isfinite(error) ? std::max(largest, error) : error;
    });
    return largest;
}

/// Displacements of an island's rows, into `impulse`; nothing is held.
void solve_positions(Batch& batch, std::span<const double> allowed, BatchIsland& island)
{
    RowProblem& problem = island.placing;
    island.keeps_matrix = false; // other compliance
    problem = island.problem;
    problem.friction.setZero();
    problem.compliance.setZero();
    problem.lo.setZero(); // motors and springs hold nothing in place
    problem.hi.setZero();
    problem.q.resize(island.row_count);
    for_each_row(batch, island, [&](Law, std::uint32_t row) {
        problem.q[row - island.first_row] = batch.rows.gap[row] + allowed[row];
    });
    Eigen::VectorXd& displacement = island.impulse;
    displacement.setZero(island.row_count);
    const double tolerance = 0.1 * batch.settings->limits.gap_tolerance;
    if (is_exposed(island)) {
        std::swap(island.problem, problem);
        const RowProblem& now = island.problem;
        const std::span<const double> off(now.q.data(), island.row_count),
            none(now.lo.data(), island.row_count);
        if (now.q.allFinite())
            solve_exposed(batch, island, off, none, tolerance, displacement);
        std::swap(island.problem, problem);
    } else if (is_sparse(island)) {
        if (problem.q.allFinite())
            solve_sparse(batch, island, problem, {problem.lo.data(), island.row_count},
                         {.tolerance = tolerance}, displacement);
    } else {
        soften_rigid_rows(batch, island, problem);
        if (problem.q.allFinite() && problem.C.allFinite())
            solve_dense_rows(island, problem, {.tolerance = tolerance}, displacement);
    }
    for (std::uint32_t r = 0; r < island.row_count; ++r) {
        batch.rows.impulse[island.first_row + r] = displacement[r];
        batch.rows.held[island.first_row + r] = 0;
    }
}

} // namespace

void project(Batch& batch, const Stage& stage, double pushed_out)
{
    std::vector<std::uint32_t>&left = batch.room.left, &islands = batch.room.kept;
    std::vector<double>&impulse = batch.room.impulse, &allowed = batch.room.allowed;
    impulse = batch.rows.impulse;
    islands = batch.active;
    update_rows(batch, stage.time);
    allowed.assign(batch.rows.gap.size(), 0);
    for_each_active(batch, [&](BatchIsland& island) {
        for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin& origin) {
            const bool is_seen = batch.attachments[origin.attachment].seen_at_end.has_value();
            for (std::uint32_t r = 0; r < group.row_count; ++r)
                if (const std::uint32_t row = group.first_row + r; group.law[r] == Law::push)
                    allowed[row] =
                        is_seen ? -origin.floor : std::max(0.0, -batch.rows.gap[row] - pushed_out);
        });
    });
    for (int pass = 0; pass < batch.settings->limits.projections && !is_stopping(); ++pass) {
        left.clear();
        for (const std::uint32_t i : batch.active)
            if (largest_error(batch, batch.islands[i], allowed) >
                batch.settings->limits.gap_tolerance)
                left.push_back(i);
        set_active(batch, left);
        if (batch.active.empty())
            break;
        for_each_active(batch, [&](BatchIsland& island) { // the last stage's C is near enough once
            island.keeps_matrix = pass == 0 && island.matrix_theta > 0 && !is_exposed(island) &&
                                  batch.settings->limits.keeps_matrices;
        });
        set_kept(batch);
        respond(batch);
        for_each_active(batch,
                        [&](BatchIsland& island) { solve_positions(batch, allowed, island); });
        for_each_cohort(batch, [&](std::size_t m, Trial& trial, const Cohort& cohort) {
            batch.ensemble->models[m]->correct(cohort, batch.rows, stage, Part::position, trial);
        });
        update_rows(batch, stage.time);
        left.clear(); // what was left as it is would be left again
        for (const std::uint32_t i : batch.active)
            if (!batch.islands[i].impulse.isZero(0))
                left.push_back(i);
        set_active(batch, left);
    }
    batch.rows.impulse = impulse;
    set_active(batch, islands);
    std::ranges::fill(allowed, 0.0);
    for_each_active(
        batch, [&](BatchIsland& island) { island.gap = largest_error(batch, island, allowed); });
}

} // namespace sinew
