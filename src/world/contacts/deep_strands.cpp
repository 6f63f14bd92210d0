// Strands that move by rows and are in something when the step ends take it again, with the
// contacts as they are seen there: a contact keeps its plane through a step, and where the strand
// slides along what is round, or meets what was not in reach, that plane was not the one.
//
//   in:  islands where the step has ended, their attachments, where the step began
//   out: islands of strands that were deep, stepped again; all others as they were

#include "math/functions.h"
#include "math/so3.h"
#include "sinew/stop.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

/// Whether a strand that moves by rows may be in something when the step ends.
bool World::Parts::may_be_deep() const
{
    return strand_rows && !strand_contacts.is_empty() &&
           std::ranges::find(taken_strands, 1) != taken_strands.end();
}

/// Bodies where the step ends: what rows have moved, and what is driven.
void World::Parts::look_ahead(double h, double until, std::span<const char> taken)
{
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i])
            state.pile.bodies[i] = blocks->body_of(state.models[kBodies], i);
    place_carried_frames();
    update_instant(until, at_end);
    pile_ahead.bodies = state.pile.bodies;
    rigid.drive(at_end.objects, h, pile_ahead);
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (BodyState& body = pile_ahead.bodies[i]; !taken[i]) {
            body.x += body.v * h;
            body.q = normalised(exp_quat(body.w * h) * body.q);
        }
}

/// Contacts of the trees that are in something now take the place of those before. The trees.
World::Parts::Deep World::Parts::take_deep_touches(double begin, double until,
                                                   std::span<const char> taken)
{
    const double h = until - begin;
    std::vector<char> is_left(strands.tree_count());
    for (std::size_t i = 0; i < is_left.size(); ++i)
        is_left[i] = !taken_strands[i];
    strand_contacts.find({strands,
                          pile(),
                          pile_ahead,
                          state.strands,
                          {scene, at_end.objects, at_end.objects, {}, until, until + h},
                          state.inside,
                          work.threads,
                          is_left,
                          row_touches,
                          DeepStrands::kDepth},
                         strand_search);
    const auto can_push = [&](const StrandTouch& touch) {
        const bool is_free = pile().bodies[touch.body].is_free();
        return !is_free || (taken[touch.body] && !touch.is_own);
    };
    std::ranges::fill(is_left, 1);
    Deep deep;
    for (const StrandTouch& touch : strand_search.found) {
        if (!(touch.gap < -DeepStrands::kDepth * touch.length) || !can_push(touch))
            continue;
        deep.most = max(deep.most, -touch.gap / touch.radius);
        if (is_left[touch.tree])
            deep.trees.push_back({kStrands, touch.tree});
        is_left[touch.tree] = 0;
    }
    const std::size_t known = row_touches.size();
    for (StrandTouch touch : strand_search.found)
        if (!is_left[touch.tree] && can_push(touch))
            see_at_end(touch, known, until);
    std::ranges::stable_sort(row_touches, {}, &StrandTouch::tree);
    return deep;
}

/// A contact as it is when the step ends. Its friction is as it was when it began.
void World::Parts::see_at_end(StrandTouch touch, std::size_t known, double until)
{
    StrandTouch* const before = find_same(std::span(row_touches).first(known), touch);
    const Vec3 pull = strand::Gravity(scene, state.time).value * (until - begin_state.time);
    Attachment made = make_attachment(touch, pile_ahead, scene.settings.strands.friction, pull);
    hand_to_carrier(coupling, touch.body, made);
    made.seen_at_end = until;
    if (!before) {
        row_touches.push_back(touch);
        ensemble.attachments.push_back(made);
        return;
    }
    *before = touch;
    Attachment& old = *std::ranges::find(ensemble.attachments, touch.key, &Attachment::key);
    made.friction = old.friction;
    old = made;
}

/// By how many of its radii one is still deep at last.
double World::Parts::step_deep_rows(double begin, double until, std::span<const char> taken,
                                    StepReport& report)
{
    Deep deep;
    for (int round = 0; round <= DeepStrands::kMostLooks && !is_stopping(); ++round) {
        look_ahead(until - begin, until, taken);
        deep = take_deep_touches(begin, until, taken);
        if (deep.trees.empty() || round == DeepStrands::kMostLooks)
            break;
        const CouplingReport again = step_again(ensemble, rows_begin, deep.trees, state, work);
        if (!again.is_committed)
            break;
        add_report(again, report);
        read_coordinates();
        return_strands(until);
    }
    return deep.most;
}

} // namespace sinew
