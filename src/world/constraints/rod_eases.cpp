// Constraints of rods that begin to hold on the way: what is open then is closed with ease.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

/// Whether rows hold without letting go: the others have nothing to close.
bool is_kept_closed(const Attachment& made)
{
    using A = Attachment::Kind;
    return has_only_equal_rows(made) || made.kind == A::on_axis || made.kind == A::on_curve ||
           made.kind == A::angle || made.kind == A::level;
}

} // namespace

/// Those that hold from the start on need no memory until they let go: it says so.
void World::Parts::make_rod_eases()
{
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const Posture now = posture(state.time, values, placed);
    const std::vector<Affine> objects = place_objects(scene, frame_order, now);
    RodEases& all = rods.eases;
    std::vector<EaseState>& memory = state.constraints.rod_eases;
    for (const RodConstraint& c : scene.rod_constraints) {
        if (c.release.active.is_constant() && c.release.active.number > 0.5) {
            all.of_link.push_back(RodEases::kNone);
            continue;
        }
        all.of_link.push_back(static_cast<std::uint32_t>(memory.size() / RodEases::kGroups));
        const bool holds = value_at(scene, c.release.active, now, objects) > 0.5;
        memory.insert(memory.end(), RodEases::kGroups,
                      {.begin = holds ? EaseState::kFromTheStart : EaseState::kNever});
    }
    all.now.resize(memory.size());
}

/// What slides is brought to its place on the rod first.
bool World::Parts::is_closing(std::size_t constraint, double time) const
{
    const RodConstraint& c = scene.rod_constraints[constraint];
    const std::uint32_t number = rods.eases.of_link[constraint];
    if (number == RodEases::kNone || !(c.release.ease > 0))
        return false;
    const double begin = state.constraints.rod_eases[RodEases::kGroups * number].begin;
    return begin == EaseState::kNever || time < begin + c.release.ease;
}

/// Groups of rows that begin to hold in this step find out how far they are open; those that began
/// a short while ago close that.
void World::Parts::ease_rods(std::vector<Attachment>& attachments)
{
    RodEases& all = rods.eases;
    std::vector<EaseState>& memory = state.constraints.rod_eases;
    if (memory.empty())
        return;
    std::vector<std::size_t> groups(rods.links.size(), 0);
    for (Attachment& made : attachments) {
        const auto i = constraint_of(made);
        if (!i || all.of_link[*i] == RodEases::kNone || groups[*i] == RodEases::kGroups)
            continue;
        const std::size_t slot = RodEases::kGroups * all.of_link[*i] + groups[*i]++;
        EaseState& began = memory[slot];
        if (began.begin == EaseState::kNever) {
            began = measure_rod_ease(made, began);
            if (made.is_one_sided && began.gap[0] >= 0) // it holds
                began.gap[0] = began.rate[0] = 0;
        }
        Ease& ease = all.now[slot];
        ease = began.closing_in(scene.rod_constraints[*i].release.ease);
        if (is_kept_closed(made) && state.time < ease.begin + ease.span)
            made.ease = &ease;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) // released: the next time it begins again
        for (std::size_t k = 0; groups[i] == 0 && k < RodEases::kGroups; ++k)
            if (all.of_link[i] != RodEases::kNone)
                memory[RodEases::kGroups * all.of_link[i] + k].begin = EaseState::kNever;
}

EaseState World::Parts::measure_rod_ease(const Attachment& made, EaseState before) const
{
    const std::array motion = {locate_site(made.a), made.b.block == kGround
                                                        ? made.ground.motion_at(state.time)
                                                        : locate_site(made.b)};
    before.begin = state.time;
    measure_opening(made, motion, before.gap, before.rate);
    return before;
}

} // namespace sinew
