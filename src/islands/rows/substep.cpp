// One substep: impacts, stages, projection.
//
//   in:  islands at t0 in the trials, impulses to start from
//   out: islands at t0 + h, impulses
//
// Differs from a plain restitution law w⁺ ≥ −e w⁻: the smooth forces (at most gravity) keep acting
// in the step of an impact, w⁺ ≥ −e w⁻ + Δw. Else a bounce would gain their work, and with e near 1
// energy would rise at each [notes: rows, eq. 6].

#include "islands/rows/substep.h"

#include "islands/rows/project.h"
#include "islands/rows/stages.h"
#include "sinew/stop.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kGain = 1e-6; // share of the kinetic energy: rounding, and no more

/// Calls call(numbers) for everything that changes of the blocks of an island, in order.
template <class Call>
void for_each_slice(Batch& batch, const BatchIsland& island, Call&& call)
{
    for_each_block(batch, island, [&](const BlockShape& shape, Trial& trial) {
        call(std::span(trial.state.x).subspan(shape.x_first, shape.x_count));
        call(std::span(trial.state.v).subspan(shape.v_first, shape.v_count));
        call(std::span(trial.state.memory).subspan(shape.memory_first, shape.memory_count));
    });
}

void note_start(Batch& batch, BatchIsland& island)
{
    island.start.clear();
    for_each_slice(batch, island, [&](std::span<double> numbers) {
        island.start.insert(island.start.end(), numbers.begin(), numbers.end());
    });
    island.start_work = island.work;
    const auto impulse = batch.rows.impulse.begin() + island.first_row;
    island.start_impulse.assign(impulse, impulse + island.row_count);
    island.start_theta = island.theta;
    island.start_given = island.given;
    island.start_elapsed = island.elapsed;
    island.matrix_theta = 0;
    island.has_slowed = false;
    for_each_block(batch, island, [&](const BlockShape& shape, Trial& trial) {
        std::copy_n(trial.state.x.begin() + shape.x_first, shape.x_count,
                    trial.x_start.begin() + shape.x_first);
        std::copy_n(trial.state.v.begin() + shape.v_first, shape.v_count,
                    trial.v_start.begin() + shape.v_first);
    });
}

void return_to_start(Batch& batch, BatchIsland& island)
{
    auto from = island.start.begin();
    for_each_slice(batch, island, [&](std::span<double> numbers) {
        std::copy_n(from, numbers.size(), numbers.begin());
        from += std::ptrdiff_t(numbers.size());
    });
    island.work = island.start_work;
    std::ranges::copy(island.start_impulse, batch.rows.impulse.begin() + island.first_row);
    island.theta = island.start_theta;
    island.given = island.start_given;
    island.elapsed = island.start_elapsed;
    island.matrix_theta = 0;
    island.has_slowed = false;
}

/// A depth that lies before a contact which was seen at the step's end is left in even parts.
/// [notes: strands, eq. 29]
double floor_of(const Attachment& attachment, double gap, double t0, double h)
{
    if (!attachment.seen_at_end || gap >= 0)
        return 0;
    return gap * std::max(0.0, 1 - h / (*attachment.seen_at_end - t0));
}

/// Which rows meet with a jolt: violated faster than rest explains, and if push rows, within h.
void find_impacts(Batch& batch, double t0, double h, BatchIsland& island)
{
    const double rest = 2 * batch.ensemble->rest_acceleration * h;
    island.has_impact = false;
    island.bounce = 1;
    for_each_group(batch, island, [&](const RowGroup& group, GroupOrigin& origin) {
        origin.bounces = false;
        origin.floor =
            floor_of(batch.attachments[origin.attachment], batch.rows.gap[group.first_row], t0, h);
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            const std::uint32_t row = group.first_row + r;
            const double w = batch.rows.velocity[row];
            origin.start[r] = w;
            origin.base[r] = batch.rows.gap[row];
            const Law law = group.law[r];
            const bool closes = law == Law::push && w < 0 && origin.base[r] + h * w < 0;
            origin.bounces |= closes && -w > rest;
            // Whatever must change its velocity at once cannot be spread over two stages: that
            // would extrapolate the impulse. It need not be fast for that.
            const bool jolts = law == Law::equal ? std::abs(w + batch.rows.bias[row]) > rest
                                                 : closes && -w > 1e-3 * rest;
            island.has_impact |= jolts;
        }
    });
}

bool can_bounce(Batch& batch, const BatchIsland& island)
{
    bool can = false;
    for_each_group(batch, island, [&](const RowGroup&, const GroupOrigin& origin) {
        can |= origin.bounces && batch.attachments[origin.attachment].restitution > 0;
    });
    return can && island.bounce > 0;
}

/// Energy has risen in the substep, by more than its drives put in.
bool has_gained(Batch& batch, const BatchIsland& island)
{
    const Balance now = balance_of(batch, island);
    const double put_in = island.work - island.start_work + now.work;
    return now.total() - island.start_energy - put_in > kGain * now.kinetic;
}

/// Did the bounce of an island ask too much? It gained energy, or its rows have no solution: out of
/// a narrow wedge with much friction there is no way up at a given speed.
bool is_too_strong(Batch& batch, const BatchIsland& island, bool was_unsettled)
{
    const bool is_unsolved = island.has_failed || (island.is_unsettled && !was_unsettled);
    return can_bounce(batch, island) && (is_unsolved || has_gained(batch, island));
}

/// Impacts: one stage of euler; where a bounce asked too much, again with half the restitution, at
/// last with none.
void run_impacts(Batch& batch, double t0, double h, std::vector<std::uint32_t>& islands,
                 bool may_fail)
{
    if (islands.empty())
        return;
    set_active(batch, islands);
    measure(batch, {.time = t0});
    for (const std::uint32_t i : islands)
        batch.islands[i].start_energy = balance_of(batch, batch.islands[i]).total();
    while (!islands.empty() && !is_stopping()) {
        std::vector<char>& was_unsettled = batch.room.was_unsettled;
        was_unsettled.clear();
        for (const std::uint32_t i : islands)
            was_unsettled.push_back(batch.islands[i].is_unsettled);
        run_stages(batch, Scheme::euler, t0, h, islands, may_fail);
        measure(batch, make_stage(Scheme::euler, 0, t0, h));
        std::vector<std::uint32_t>& again = batch.room.again;
        again.clear();
        for (std::size_t k = 0; k < islands.size(); ++k) {
            BatchIsland& island = batch.islands[islands[k]];
            if (!is_too_strong(batch, island, was_unsettled[k]))
                continue;
            island.bounce = island.bounce > 0.2 ? island.bounce / 2 : 0;
            island.has_failed = false;
            island.is_unsettled = was_unsettled[k];
            return_to_start(batch, island);
            again.push_back(islands[k]);
        }
        std::swap(islands, again);
    }
}

} // namespace

void start_warm(Batch& batch, std::span<const HeldForce> held)
{
    for (const RowGroup& group : batch.rows.group) {
        if (const HeldForce* found = find_force(held, group.key))
            std::copy_n(found->force.begin(), group.row_count,
                        batch.rows.impulse.begin() + group.first_row);
    }
    for (BatchIsland& island : batch.islands)
        island.theta = 1; // a force is the impulse of a second
}

void note_energies(Batch& batch, double t0)
{
    set_all_active(batch);
    measure(batch, {.time = t0});
    for (BatchIsland& island : batch.islands)
        island.step_energy = balance_of(batch, island).total();
}

void remember_forces(Batch& batch, const BatchIsland& island, std::vector<HeldForce>& held)
{
    for_each_group(batch, island, [&](const RowGroup& group, const GroupOrigin&) {
        HeldForce& force = held.emplace_back(HeldForce{.key = group.key});
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            force.force[r] = island.given[group.first_row + r - island.first_row] / island.elapsed;
        force.u = batch.rows.site[group.first_side].u;
    });
}

void run_substep(Batch& batch, double t0, double h, double pushed_out, bool may_fail)
{
    const auto has_failed = [&](std::uint32_t i) { return batch.islands[i].has_failed; };
    std::vector<std::uint32_t>&islands = batch.room.islands, &smooth = batch.room.smooth,
    &impacts = batch.room.impacts;
    set_all_active(batch);
    std::erase_if(islands, has_failed);
    set_active(batch, islands);
    smooth.clear();
    impacts.clear();
    update_rows(batch, t0);
    for_each_active(batch, [&](BatchIsland& island) {
        note_start(batch, island);
        find_impacts(batch, t0, h, island);
    });
    for (const std::uint32_t i : islands)
        (batch.islands[i].has_impact ? impacts : smooth).push_back(i);
    run_stages(batch, batch.settings->scheme, t0, h, smooth, may_fail);
    run_impacts(batch, t0, h, impacts, may_fail);
    std::erase_if(islands, has_failed);
    set_active(batch, islands);
    const Stage end = make_stage(Scheme::euler, 0, t0, h);
    project(batch, end, pushed_out);
    if (may_fail)
        return;
    measure(batch, end); // the last chance: the balance will be judged
    for (const std::uint32_t i : islands)
        batch.islands[i].work += balance_of(batch, batch.islands[i]).work;
}

} // namespace sinew
