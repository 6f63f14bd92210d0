// The step of a world: which stage follows which.
//
//   in:  a state, the time to go to
//   out: the state then; with a fault the state as it was, and why
//
// Islands of several models move by rows (step.cpp). What is all of one model moves by that model's
// own solver: bodies as a pile, strands in lanes, linkages and rods alone by their integrators.

#include "base/contract.h"
#include "base/text.h"
#include "math/functions.h"
#include "scene/problems.h"
#include "world/parts.h"

#include <algorithm>
#include <array>

namespace sinew {

/// One step, or none: with a fault everything stands where it was. Linkages come first, with the
/// bodies that are tied to them: the others may ride on them, strands on all.
void World::Parts::take_step(double until, StepReport& report)
{
    if (!has_bodies() && !has_strands() && !has_rods())
        return add_report(sinew::step_to(ensemble, state, until, work), report);
    const double begin = state.time;
    begin_state = state;
    place_objects_at_begin();                     // what strands ride on
    const RowStep rows = lay_rows(until, report); // drives, loads, contacts, constraints
    advance_rows(begin, until, rows, report);     // islands of several models, blocks alone
    advance_pile(begin, until, rows, report);     // bodies that are all of their island
    advance_lanes(begin, until, report);          // strands likewise
    release_constraints(report);                  // what slides, breaks, is let go
    if (report.fault)
        go_back();
}

void World::Parts::place_objects_at_begin()
{
    if (strands.needs_objects() || strand_rows)
        update_instant(state.time, at_begin);
}

/// Everything that joins blocks in this step, as rows; which bodies they move.
World::Parts::RowStep World::Parts::lay_rows(double until, StepReport& report)
{
    const RowStep rows{take_bodies(until, at_begin.objects)};
    if (has_rods())
        report.fault = prepare_rods(until);
    row_gap = left_deep = 0;
    return rows;
}

void World::Parts::advance_rows(double begin, double until, const RowStep& rows, StepReport& report)
{
    if (report.fault)
        return;
    if (may_be_deep())
        rows_begin = state;
    const CouplingReport step = sinew::step_to(ensemble, state, until, work);
    add_report(step, report);
    row_gap = step.gap;
    if (report.fault)
        return;
    read_coordinates();
    if (strand_rows)
        return_strands(until);
    if (may_be_deep())
        left_deep = step_deep_rows(begin, until, rows.bodies, report);
    return_bodies(until - begin, rows.bodies, report);
    place_carried_frames();
}

void World::Parts::advance_pile(double begin, double until, const RowStep& rows, StepReport& report)
{
    if (!report.fault && has_bodies())
        step_bodies(begin, until, rows.bodies, report);
}

void World::Parts::advance_lanes(double begin, double until, StepReport& report)
{
    if (!report.fault && has_strands())
        step_strands(begin, until, report);
}

void World::Parts::release_constraints(StepReport& report)
{
    if (!report.fault && has_rods())
        finish_rods(row_gap, report);
}

/// To where the last step began.
void World::Parts::go_back()
{
    state = begin_state;
    if (has_bodies())
        pile_work = make_pile_work();
    read_coordinates();
    place_carried_frames();
}

// ---------------------------------------------------------------- halves, and steps in a row

/// Checks that everything that a track or a formula of time places is finite at `until`; reports
/// the first that is not.
bool World::Parts::check_tracks(double until, StepReport& report) const
{
    for (const std::uint32_t i : tracked) {
        const Transformation& track = scene.transformations[i];
        if (is_finite(rates_at(scene, track.amount, until).value))
            continue;
        report.fault = make_problem(
            scene, Severity::error, "track-not-finite", track.origin, "transformations",
            "this is no finite number at " + number_text(until) + " s",
            "look at what goes in: a root or logarithm of a negative number, a division by zero");
        return false;
    }
    return true;
}

/// Where nothing couples the parts, each finds its own steps and the world needs none.
double World::Parts::count_steps(double span) const
{
    const bool is_free = ensemble.attachments.empty() && ensemble.sources.empty() &&
                         !has_bodies() && !has_strands() && !has_rods();
    const double step = scene.settings.step / (has_bodies() ? scene.settings.bodies.substeps : 1);
    return is_free ? 1 : max(1.0, ceil(span / step * (1 - 1e-9)));
}

void World::Parts::step_to(double until, StepReport& report)
{
    if (has_rods() && scene.settings.rods.is_quasi_static)
        step_to_rest(until, report);
    else
        take_step(until, report);
}

constexpr int kMostHalvings = 8; // where strands cannot go on, or their axes are in something
constexpr int kDeepHalvings = 2; // where they are deeper than they shall be

/// Contacts of strands keep their planes through a step, and of what is fast no motion may obey
/// all of them, or each look finds others: then they are looked for anew half-way.
void World::Parts::step_in_halves(double until, int halvings, StepReport& report)
{
    const double begin = state.time;
    const StepReport before = report;
    step_to(until, report);
    const bool is_stuck = report.fault && report.fault->code == "frozen" && strand_rows;
    const int most = is_stuck || left_deep > 1 ? kMostHalvings : left_deep > 0 ? kDeepHalvings : 0;
    if (halvings >= most || (has_rods() && scene.settings.rods.is_quasi_static))
        return;
    if (!report.fault)
        go_back();
    report = before;
    ++report.rejected;
    step_in_halves(begin + 0.5 * (until - begin), halvings + 1, report);
    if (!report.fault)
        step_in_halves(until, halvings + 1, report);
}

/// What strands may do by themselves before all wait for all: the steps of a frame.
constexpr int kStepsInARow = 8;

StepReport World::advance(double until) noexcept
{
    Parts& p = *parts_;
    const double begin = p.state.time, span = until - begin;
    SINEW_EXPECTS(span >= 0);
    StepReport report;
    const double count = p.count_steps(span);
    const auto time_at = [&](double i) { return i < count ? begin + span * (i / count) : until; };
    for (double i = 0; i < count && span > 0 && !report.fault;) {
        std::array<double, kStepsInARow + 1> times = {p.state.time};
        double steps = min(count - i, double{kStepsInARow});
        for (double k = 1; k <= steps; ++k)
            times[static_cast<std::size_t>(k)] = time_at(i + k);
        if (StepReport ahead; !p.check_tracks(times[static_cast<std::size_t>(steps)], ahead)) {
            steps = 1;
            if (!p.check_tracks(times[1], report))
                break;
        }
        const int run = p.run_strands(std::span(times).first(1 + std::size_t(steps)), report);
        if (run == 0)
            p.step_in_halves(time_at(i + 1), 0, report);
        i += run > 0 ? run : 1;
    }
    p.read_coordinates();
    report.residual =
        std::max(report.residual, p.linkages->residual(p.look_at_linkages(), p.state.time));
    return report;
}

} // namespace sinew
