#include "islands/settle.h"

#include "islands/rows/substep.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

// Share of the kinetic energy that a step may gain by the error of its scheme; a stage that goes
// wrong gains many times that.
constexpr double kTruncation = 0.01;

/// Puts a block back to where the state has it.
void roll_back(const Ensemble& ensemble, const EnsembleState& state, BlockId id, Workspace& work)
{
    copy_block(ensemble, id, state.models[id.model], work.trials[id.model].state);
}

bool is_finite(const Ensemble& ensemble, BlockId id, const Workspace& work)
{
    const BlockShape& shape = ensemble.models[id.model]->blocks()[id.index];
    const ModelState& state = work.trials[id.model].state;
    const auto finite = [](double number) { return std::isfinite(number); };
    return std::all_of(state.x.begin() + shape.x_first,
                       state.x.begin() + shape.x_first + shape.x_count, finite) &&
           std::all_of(state.v.begin() + shape.v_first,
                       state.v.begin() + shape.v_first + shape.v_count, finite);
}

bool has_gained(const Batch& batch, const BatchIsland& island)
{
    const Balance now = balance_of(batch, island);
    return now.total() - island.step_energy - island.work > kTruncation * now.kinetic;
}

/// Stops a block for good, standing.
void freeze(const Ensemble& ensemble, BlockId id, double reached, std::string what, Workspace& work,
            Settlement& settlement, CouplingReport& report)
{
    const BlockShape& shape = ensemble.models[id.model]->blocks()[id.index];
    std::fill_n(work.trials[id.model].state.v.begin() + shape.v_first, shape.v_count, 0.0);
    settlement.frozen.push_back(id);
    report.faults.push_back({.block = id,
                             .problem = {.code = "frozen",
                                         .what = std::move(what),
                                         .hint = "make the step smaller, or look for what pulls "
                                                 "it apart"},
                             .reached = reached});
}

void add_alone(const BlockReport& block, CouplingReport& report)
{
    report.steps += block.steps;
    report.rejected += block.rejected;
    report.implicit_steps += block.implicit_steps;
    report.warnings.insert(report.warnings.end(), block.warnings.begin(), block.warnings.end());
}

void add_island(const BatchIsland& island, CouplingReport& report)
{
    ++report.islands;
    report.rows += int(island.row_count);
    report.passes = std::max(report.passes, island.passes);
    report.iterations += island.iterations;
    report.row_residual = std::max(report.row_residual, island.row_residual);
    report.gap = std::max(report.gap, island.gap);
    report.converged &= !island.is_unsettled;
}

struct Verdict {
    BlockId worst;
    bool is_finite = true;
    std::optional<Problem> fault; ///< of the worst
};

Verdict judge(const Batch& batch, const BatchIsland& island)
{
    Verdict verdict;
    double worst = -1;
    for (const auto& [model, member] : island.members) {
        const BlockId id = {model, batch.models[model].members[member].block};
        const BlockReport& report = batch.models[model].reports[member];
        const bool finite = report.finite && is_finite(*batch.ensemble, id, *batch.work);
        const double badness =
            report.fault || !finite ? std::numeric_limits<double>::infinity() : report.residual;
        if (badness > worst) {
            worst = badness;
            verdict.worst = id;
            verdict.fault = report.fault;
        }
        verdict.is_finite &= finite;
    }
    return verdict;
}

/// Islands that failed, went on unsettled or are no longer numbers: the others need no measuring.
std::span<const std::uint32_t> find_doubtful(Batch& batch)
{
    std::vector<std::uint32_t>& doubtful = batch.room.islands;
    doubtful.clear();
    for (std::uint32_t i = 0; i < batch.islands.size(); ++i) {
        const BatchIsland& island = batch.islands[i];
        const bool is_number = std::ranges::all_of(island.island->blocks, [&](BlockId id) {
            return is_finite(*batch.ensemble, id, *batch.work);
        });
        if (island.has_failed || island.is_unsettled || !is_number)
            doubtful.push_back(i);
    }
    return doubtful;
}

} // namespace

void copy_block(const Ensemble& ensemble, BlockId id, const ModelState& from, ModelState& to)
{
    const BlockShape& shape = ensemble.models[id.model]->blocks()[id.index];
    std::copy_n(from.x.begin() + shape.x_first, shape.x_count, to.x.begin() + shape.x_first);
    std::copy_n(from.v.begin() + shape.v_first, shape.v_count, to.v.begin() + shape.v_first);
    std::copy_n(from.memory.begin() + shape.memory_first, shape.memory_count,
                to.memory.begin() + shape.memory_first);
}

void advance_alone(const Ensemble& ensemble, const EnsembleState& state,
                   std::span<const BlockId> alone, double t1, Workspace& work,
                   Settlement& settlement, CouplingReport& report)
{
    constexpr std::size_t kPortion = 16; // blocks
    const std::size_t portion = alone.size() > 4 * kPortion ? kPortion : 1;
    std::vector<BlockReport>& blocks = work.reports;
    blocks.assign(alone.size(), {});
    std::vector<std::array<std::size_t, 2>>& portions = work.portions;
    portions.clear();
    for (std::size_t i = 0; i < alone.size(); ++i) {
        const bool is_full = portions.empty() || portions.back()[1] == portion ||
                             alone[portions.back()[0]].model != alone[i].model;
        if (is_full)
            portions.push_back({i, 0});
        ++portions.back()[1];
    }
    for_each_index(portions.size(), work.threads, [&](std::size_t p) {
        const auto [first, count] = portions[p];
        std::array<Member, kPortion> members;
        for (std::size_t i = 0; i < count; ++i)
            members[i].block = alone[first + i].index;
        const std::uint32_t m = alone[first].model;
        ensemble.models[m]->advance_alone({std::span(members).first(count), {}}, state.time, t1,
                                          work.trials[m], std::span(blocks).subspan(first, count));
    });
    for (std::size_t i = 0; i < alone.size(); ++i) {
        add_alone(blocks[i], report);
        if (blocks[i].fault) {
            report.is_committed = false;
            report.faults.push_back({alone[i], *blocks[i].fault, blocks[i].reached});
        } else if (!blocks[i].finite || !is_finite(ensemble, alone[i], work)) {
            roll_back(ensemble, state, alone[i], work);
            freeze(ensemble, alone[i], state.time, "its motion is not finite", work, settlement,
                   report);
        }
    }
}

void settle(Batch& batch, const EnsembleState& state, const Stage& last, bool may_fail,
            Settlement& settlement, CouplingReport& report, std::vector<const Island*>& again)
{
    const Ensemble& ensemble = *batch.ensemble;
    set_active(batch, find_doubtful(batch));
    measure(batch, last);
    again.clear();
    auto doubtful = batch.active.begin();
    for (std::uint32_t i = 0; i < batch.islands.size(); ++i) {
        const BatchIsland& island = batch.islands[i];
        const bool is_doubtful = doubtful != batch.active.end() && *doubtful == i;
        doubtful += is_doubtful;
        const Verdict verdict = is_doubtful ? judge(batch, island) : Verdict{};
        const bool has_risen = island.is_unsettled && has_gained(batch, island);
        const bool is_good = verdict.is_finite && !has_risen;
        if (!island.has_failed && is_good) {
            add_island(island, report);
            remember_forces(batch, island, settlement.held);
            continue;
        }
        for (const BlockId id : island.island->blocks)
            roll_back(ensemble, state, id, *batch.work);
        if (may_fail) {
            again.push_back(island.island);
            continue;
        }
        report.converged = false;
        freeze(ensemble, verdict.worst, state.time,
               verdict.fault ? verdict.fault->what
               : verdict.is_finite
                   ? "what it is tied to or touches cannot be solved without gaining energy"
                   : "its motion is not finite",
               *batch.work, settlement, report);
    }
}

} // namespace sinew
