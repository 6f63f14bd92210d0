// The step of a world: which stage follows which.
//
//   in:  a state, the time to go to
//   out: the state then; with a fault the state as it was, and why
//
// Islands of several models move by rows (step.cpp). What is all of one model moves by that model's
// own solver: bodies as a pile, strands in lanes, linkages and rods alone by their integrators.

#include "base/contract.h"
#include "base/overload.h"
#include "base/parallel.h"
#include "base/text.h"
#include "math/finite.h"
#include "math/functions.h"
#include "scene/validate/problems.h"
#include "sinew/stop.h"
#include "world/parts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace sinew {

namespace {

constexpr std::size_t kPortion = 1 << 16; // of numbers that one thread looks at

bool are_all_finite(const std::vector<double>& numbers, int threads)
{
    std::atomic<bool> are_good = true; // portions only ever say no, in any order
    for_each_portion(numbers.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        if (!are_finite(std::span(numbers).subspan(begin, end - begin)))
            are_good.store(false, std::memory_order_relaxed);
    });
    return are_good;
}

bool has_numbers(const ModelState& state, int threads)
{
    return are_all_finite(state.x, threads) && are_all_finite(state.v, threads);
}

Problem make_beyond_numbers(double time)
{
    return {.code = "beyond-numbers",
            .place = {.file = "strands"},
            .what = "the motion leaves the numbers after " + number_text(time) + " s",
            .hint =
                "look for what is very large: speeds, forces, stiffness; or make the step smaller"};
}

} // namespace

/// One step, or none: with a fault everything stands where it was. Linkages come first, with the
/// bodies that are tied to them: the others may ride on them, strands on all.
void World::Parts::take_step(double until, StepReport& report)
{
    if (!has_bodies() && !has_strands() && !has_rods() && joined.is_empty())
        return step_linkages(until, report);
    const OverloadScope overload;
    const double begin = state.time;
    keep_begin();
    place_objects_at_begin();                     // what strands ride on
    const RowStep rows = lay_rows(until, report); // drives, loads, contacts, constraints
    weigh_riders(begin, until, rows);             // trees that are eliminated into bodies
    advance_rows(begin, until, rows, report);     // islands of several models, blocks alone
    advance_pile(begin, until, rows, report);     // bodies that are all of their island
    if (!report.fault && is_stopping())           // from here on the step is whole, or strands say
        report.fault = make_stopped();
    lead_riders(begin, until);
    advance_lanes(begin, until, report); // strands likewise
    settle_riders(begin, until, report);
    release_constraints(report); // what slides, breaks, is let go
    notice_events(report);       // those that no linkage sees
    if (!report.fault &&
        !has_numbers(state.strands, work.threads)) // lanes do not look at overflows
        report.fault = make_beyond_numbers(begin);
    if (overload.found())
        report.fault =
            make_too_many(*overload.found(), scene.files.empty() ? "" : scene.files[0].name);
    if (report.fault)
        go_back();
}

void World::Parts::place_objects_at_begin()
{
    if (strands.needs_objects() || strand_rows || !joined.is_empty())
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

/// The step's start, to go back to. A step of strands that nothing else moves leaves them as they
/// were in its room (step_strands takes them from there): they need not be copied.
void World::Parts::keep_begin()
{
    const bool are_left =
        has_strands() && !strand_rows && strand_contacts.is_empty() && mounts.empty();
    ModelState now;
    if (are_left) {
        strand_work.next = std::move(begin_state.strands);
        now = std::move(state.strands);
        begin_state.strands = {};
    }
    copy_state(state, work.threads, begin_state);
    if (are_left)
        state.strands = std::move(now);
}

/// Room that holds no state: what was broken off leaves nothing there.
void World::Parts::forget_work()
{
    work = make_workspace(ensemble, work.threads);
    strand_work = {};
    pile_work = make_pile_work();
}

/// To where the last step began.
void World::Parts::go_back()
{
    const bool are_untouched = has_strands() && begin_state.strands.x.empty(); // by this step
    ModelState now;
    if (are_untouched)
        now = std::move(state.strands);
    state = begin_state;
    if (are_untouched)
        state.strands = std::move(now);
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
            "this is not a finite number at " + number_text(until) + " s",
            "check for a root or logarithm of a negative number, a division by zero");
        return false;
    }
    return true;
}

void World::Parts::tell_many_steps()
{
    constexpr double kMany = 1e5;
    const double count = count_steps(1 / scene.settings.frame_rate);
    if (count > kMany)
        notes.push_back(make_problem(
            scene, Severity::warning, "many-steps", scene.settings.simulate_origin, "simulate.step",
            "every frame takes " + number_text(count) + " steps", "make the step larger"));
}

/// Where nothing couples the parts, each finds its own steps and the world needs none.
double World::Parts::count_steps(double span) const
{
    const bool is_free = ensemble.attachments.empty() && noticed.empty() && !has_bodies() &&
                         !has_strands() && !has_rods() && joined.is_empty();
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
constexpr int kRodHalvings = 5;  // where rods cannot: each halves its own steps four times besides
constexpr double kTorn = 1e-3;   // of the shortest rod: what rows may be off by at a rope in eyes
constexpr int kTornHalvings = 3;
constexpr int kDeepHalvings = 2; // where they are deeper than they shall be

/// Contacts of strands keep their planes through a step, and of what is fast no motion may obey
/// all of them, or each look finds others: then they are looked for anew half-way. Ropes keep which
/// spans run through eyes, and which legs are too short to turn.
void World::Parts::take_pieces(StepReport& report)
{
    while (!way.pieces.empty() && !report.fault) {
        const auto [until, halvings] = way.pieces.back();
        const double begin = state.time;
        StepReport tried = report;
        step_to(until, tried);
        const bool is_stuck = tried.fault && tried.fault->code == "frozen";
        const bool is_torn = !tried.fault && !rods.eyes.empty() && row_gap > kTorn * rods.shortest;
        const int most = (is_stuck && strand_rows) || left_deep > 1 ? kMostHalvings
                         : is_stuck && has_rods()                   ? kRodHalvings
                         : is_torn                                  ? kTornHalvings
                         : left_deep > 0                            ? kDeepHalvings
                                                                    : 0;
        if (halvings >= most || (has_rods() && scene.settings.rods.is_quasi_static) ||
            (tried.fault && is_stopping())) {
            report = std::move(tried);
            if (!report.fault)
                way.pieces.pop_back();
            continue;
        }
        if (!tried.fault)
            go_back();
        ++report.rejected;
        way.pieces.back().halvings = halvings + 1;
        way.pieces.push_back({begin + 0.5 * (until - begin), halvings + 1});
    }
}

/// What strands may do by themselves before all wait for all: the steps of a frame.
constexpr int kStepsInARow = 8;

/// The next step of the way, or several of strands alone.
void World::Parts::take_steps(StepReport& report)
{
    if (way.pieces.empty()) {
        std::array<double, kStepsInARow + 1> times = {state.time};
        double steps = min(way.count - way.done, double{kStepsInARow});
        for (double k = 1; k <= steps; ++k)
            times[static_cast<std::size_t>(k)] = way.time_at(way.done + k);
        if (StepReport ahead; !check_tracks(times[static_cast<std::size_t>(steps)], ahead)) {
            steps = 1;
            if (!check_tracks(times[1], report))
                return;
        }
        const int run = run_strands(std::span(times).first(1 + std::size_t(steps)), report);
        way.done += run;
        if (run > 0)
            return;
        way.pieces.push_back({times[1], 0});
    }
    take_pieces(report);
    if (!report.fault)
        ++way.done;
}

void World::Parts::begin_way(double until)
{
    way.begin = state.time;
    way.until = until;
    way.count = until > state.time ? count_steps(until - state.time) : 0;
    way.done = 0;
    way.pieces.clear();
    way.report = {};
}

StepReport World::advance(double until) noexcept
{
    Parts& p = *parts_;
    SINEW_EXPECTS(until >= p.state.time);
    Parts::Way& way = p.way;
    if (!way.is_open || way.until != until)
        p.begin_way(until);
    StepReport report = std::exchange(way.report, {});
    while (way.done < way.count && !report.fault)
        p.take_steps(report);
    way.is_open = report.fault && is_stopping();
    if (way.is_open) {
        report.fault.reset();
        way.report = report;
        report.fault = make_stopped();
        p.forget_work();
    }
    p.read_coordinates();
    report.residual =
        std::max(report.residual, p.linkages->residual(p.look_at_linkages(), p.state.time));
    return report;
}

} // namespace sinew
