// The step: which stage follows which. Every line reads what the lines above wrote.

#include "islands/step.h"

#include "base/contract.h"
#include "base/overload.h"
#include "islands/rows/sparse_rows.h"
#include "islands/rows/substep.h"
#include "islands/settle.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr Overload kMostAttachments{"contacts and constraints in the rows of one step", 500'000};

/// All that follows works on a copy.
void begin_trials(const EnsembleState& state, Workspace& work)
{
    for (std::size_t m = 0; m < work.trials.size(); ++m) {
        Trial& trial = work.trials[m];
        trial.state = state.models[m];
        trial.x_start = trial.x_base = trial.state.x;
        trial.v_start = trial.v_base = trial.state.v;
    }
}

/// Tracks, imports, bases: known for any time in the step from here on.
void drive(const Ensemble& ensemble, double t0, double t1, Workspace& work)
{
    for (std::size_t m = 0; m < ensemble.models.size(); ++m)
        ensemble.models[m]->drive(t0, t1, work.trials[m]);
}

/// Everything that may act between blocks in this step, ascending by key.
void collide(const Ensemble& ensemble, double t0, double t1, Workspace& work)
{
    std::vector<Attachment>& found = work.attachments;
    found = ensemble.attachments;
    for (const RowSource* source : ensemble.sources)
        source->add_attachments(work.trials, t0, t1, found);
    if (is_too_many(found.size(), kMostAttachments))
        found.clear();
    if (!std::ranges::is_sorted(found, {}, &Attachment::key)) // they are long
        std::ranges::sort(found, {}, &Attachment::key);
    SINEW_ASSERT(std::ranges::adjacent_find(found, {}, &Attachment::key) == found.end());
}

/// mobile[model][block]: neither driven nor frozen.
void find_mobile(const Ensemble& ensemble, const EnsembleState& state,
                 std::vector<std::vector<char>>& mobile)
{
    mobile.resize(ensemble.models.size());
    for (std::size_t m = 0; m < mobile.size(); ++m) {
        const std::span<const BlockShape> blocks = ensemble.models[m]->blocks();
        mobile[m].clear();
        for (std::size_t i = 0; i < blocks.size(); ++i)
            mobile[m].push_back(!blocks[i].driven && ensemble.is_member(m, i));
    }
    for (const BlockId id : state.frozen)
        mobile[id.model][id.index] = 0;
}

/// Who moves with whom: it changes only with what moves and what rows join.
void join(const Ensemble& ensemble, const EnsembleState& state, Workspace& work)
{
    const auto joins = [](const Attachment& made) {
        return std::array{made.a.block, made.b.block};
    };
    Workspace::Joined& now = work.joining;
    find_mobile(ensemble, state, now.mobile);
    now.pairs.clear();
    std::ranges::transform(work.attachments, std::back_inserter(now.pairs), joins);
    for (const Attachment& made : work.attachments)
        for (std::size_t i = 0; is_eye(made) && i < made.path->passes.size(); ++i)
            now.pairs.push_back({made.a.block, made.path->passes[i].site.block});
    if (now == work.joined)
        return;
    work.islands = make_islands(now.mobile, work.attachments);
    work.joined = now;
}

void list(const Islands& islands, std::vector<const Island*>& pointers)
{
    pointers.clear();
    for (const Island& island : islands.islands)
        pointers.push_back(&island);
}

/// Those that one of the blocks is in.
void list_of(std::span<const BlockId> blocks, const Islands& islands,
             std::vector<const Island*>& pointers)
{
    pointers.clear();
    for (const Island& island : islands.islands)
        if (std::ranges::any_of(
                blocks, [&](BlockId id) { return std::ranges::binary_search(island.blocks, id); }))
            pointers.push_back(&island);
}

void clear(Settlement& settlement)
{
    settlement.held.clear();
    settlement.frozen.clear();
}

/// Of some islands alone: what they are now takes the place of what they were.
void commit_again(const Ensemble& ensemble, std::span<const Island* const> islands,
                  EnsembleState& state, Workspace& work)
{
    for (const Island* island : islands)
        for (const BlockId id : island->blocks)
            copy_block(ensemble, id, work.trials[id.model].state, state.models[id.model]);
    std::vector<HeldForce>& held = work.settlement.held;
    std::ranges::sort(held, {}, &HeldForce::key);
    std::erase_if(state.held, [&](const HeldForce& force) {
        return std::ranges::binary_search(held, force.key, {}, &HeldForce::key);
    });
    state.held.insert(state.held.end(), held.begin(), held.end());
    std::ranges::sort(state.held, {}, &HeldForce::key);
}

void commit(double time, EnsembleState& state, Workspace& work)
{
    Settlement& settlement = work.settlement;
    for (std::size_t m = 0; m < work.trials.size(); ++m)
        std::swap(state.models[m], work.trials[m].state);
    std::ranges::sort(settlement.held, {}, &HeldForce::key);
    std::swap(state.held, settlement.held);
    state.frozen.insert(state.frozen.end(), settlement.frozen.begin(), settlement.frozen.end());
    std::ranges::sort(state.frozen);
    state.time = time;
}

/// Islands of the same settings, with their rows: those that do not converge again, in halves.
void advance_batch(const Ensemble& ensemble, const IslandSettings& settings,
                   const EnsembleState& state, double t1, double h,
                   std::vector<const Island*>& pending, Batch& batch, Workspace& work,
                   CouplingReport& report)
{
    const double t0 = state.time;
    begin_work(work);
    for (int k = 1; !pending.empty() && !is_stopping(); k *= 2) {
        const bool may_fail = k < settings.limits.substeps && !has_spent_all(work);
        fill_batch(ensemble, settings, state, work.attachments, pending, work, batch);
        start_warm(batch, state.held);
        if (!may_fail)
            note_energies(batch, t0);
        for (int i = 0; i < k && !is_stopping(); ++i)
            run_substep(batch, t0 + h * i / k, h / k, settings.limits.pushed_out / k, may_fail);
        report.substeps = std::max(report.substeps, k);
        const Stage last = make_stage(Scheme::euler, 0, t1 - h / k, h / k);
        settle(batch, state, last, may_fail, work.settlement, report, pending);
    }
}

/// All islands that are left: those with a block of a model that has settings of its own apart.
void advance_islands(const Ensemble& ensemble, const EnsembleState& state, double t1, double h,
                     Workspace& work, CouplingReport& report)
{
    std::vector<const Island*>&all = work.islands_left, &pending = work.islands_pending;
    const std::optional<Ensemble::OwnSettings>& own = ensemble.own_settings;
    const auto is_own = [&](const Island* island) {
        return own && std::ranges::any_of(island->blocks,
                                          [&](BlockId id) { return id.model == own->model; });
    };
    for (const bool wanted : {false, true}) {
        pending.clear();
        std::ranges::copy_if(all, std::back_inserter(pending),
                             [&](const Island* island) { return is_own(island) == wanted; });
        advance_batch(ensemble, wanted ? own->settings : ensemble.settings, state, t1, h, pending,
                      *work.batches[wanted], work, report);
    }
    all.clear();
}

/// What is due at the end of the step in blocks that rows held: events, constraints that let go.
void finish(const Ensemble& ensemble, std::span<const Island> islands, double t0, double t1,
            Workspace& work, CouplingReport& report)
{
    for (const Island& island : islands)
        for (const BlockId id : island.blocks) {
            const Dynamics& model = *ensemble.models[id.model];
            if (!model.finishes_steps())
                continue;
            const Member member{.block = id.index};
            BlockReport block;
            model.finish_step({{&member, 1}, {}}, t1, work.trials[id.model], {&block, 1});
            report.warnings.insert(report.warnings.end(), block.warnings.begin(),
                                   block.warnings.end());
            if (block.fault) {
                report.faults.push_back({id, *block.fault, t0});
                report.is_committed = false;
            }
        }
}

/// The table of contents. `h` is the length of the step: t1 − time up to rounding.
CouplingReport advance(const Ensemble& ensemble, EnsembleState& state, double t1, double h,
                       Workspace& work) noexcept
{
    const double t0 = state.time;
    SINEW_EXPECTS(h > 0 && state.models.size() == ensemble.models.size());
    SINEW_EXPECTS(work.trials.size() == ensemble.models.size());
    CouplingReport report;

    begin_trials(state, work);
    drive(ensemble, t0, t1, work);
    collide(ensemble, t0, t1, work);
    join(ensemble, state, work);
    Settlement& settlement = work.settlement;
    clear(settlement);
    advance_alone(ensemble, state, work.islands.alone, t1, work, settlement, report);
    if (!report.is_committed)
        return report;

    list(work.islands, work.islands_left);
    advance_islands(ensemble, state, t1, h, work, report);
    finish(ensemble, work.islands.islands, t0, t1, work, report);
    report.is_committed = report.is_committed && !is_stopping();
    if (report.is_committed)
        commit(t1, state, work);
    return report;
}

} // namespace

Workspace make_workspace(const Ensemble& ensemble, int threads)
{
    Workspace work;
    work.threads = threads;
    for (std::unique_ptr<Batch>& batch : work.batches)
        batch = std::make_unique<Batch>();
    for (const Dynamics* model : ensemble.models)
        work.trials.emplace_back().scratch = model->make_scratch();
    return work;
}

CouplingReport step(const Ensemble& ensemble, EnsembleState& state, double h,
                    Workspace& work) noexcept
{
    return advance(ensemble, state, state.time + h, h, work);
}

CouplingReport step_to(const Ensemble& ensemble, EnsembleState& state, double t1,
                       Workspace& work) noexcept
{
    return advance(ensemble, state, t1, t1 - state.time, work);
}

CouplingReport step_again(const Ensemble& ensemble, const EnsembleState& before,
                          std::span<const BlockId> blocks, EnsembleState& state,
                          Workspace& work) noexcept
{
    const double t0 = before.time, t1 = state.time;
    CouplingReport report;
    begin_trials(before, work);
    drive(ensemble, t0, t1, work);
    collide(ensemble, t0, t1, work);
    join(ensemble, before, work);
    clear(work.settlement);
    list_of(blocks, work.islands, work.islands_left);
    const std::vector<const Island*> islands = work.islands_left;
    advance_islands(ensemble, before, t1, t1 - t0, work, report);
    for (const Island* island : islands)
        finish(ensemble, {island, 1}, t0, t1, work, report);
    report.is_committed = report.faults.empty() && !is_stopping();
    if (report.is_committed)
        commit_again(ensemble, islands, state, work);
    return report;
}

} // namespace sinew
