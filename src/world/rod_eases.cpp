// Constraints of rods that begin to hold on the way: what is open then is closed with ease.

#include "math/functions.h"
#include "world/parts.h"
#include "world/row_geometry.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kFromTheStart = -1e299; // after EaseMemory::kNever, before every time
constexpr std::size_t kPerLink = RodEases::kGroups * EaseMemory::kNumbers;

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
    for (const RodConstraint& c : scene.rod_constraints) {
        if (c.release.active.is_constant() && c.release.active.number > 0.5) {
            all.of_link.push_back(RodEases::kNone);
            continue;
        }
        all.of_link.push_back(static_cast<std::uint32_t>(all.memory.size() / kPerLink));
        const bool holds = value_at(scene, c.release.active, now, objects) > 0.5;
        for (std::size_t group = 0; group < RodEases::kGroups; ++group) {
            all.memory.push_back(holds ? kFromTheStart : EaseMemory::kNever);
            all.memory.resize(all.memory.size() + EaseMemory::kNumbers - 1, 0.0);
        }
    }
    all.now.resize(all.memory.size() / EaseMemory::kNumbers);
}

/// What slides is brought to its place on the rod first.
bool World::Parts::is_closing(std::size_t constraint, double time) const
{
    const RodConstraint& c = scene.rod_constraints[constraint];
    const std::uint32_t number = rods.eases.of_link[constraint];
    if (number == RodEases::kNone || !(c.release.ease > 0))
        return false;
    const double begin = rods.eases.memory[kPerLink * number];
    return begin == EaseMemory::kNever || time < begin + c.release.ease;
}

/// Groups of rows that begin to hold in this step find out how far they are open; those that began
/// a short while ago close that.
void World::Parts::ease_rods(std::vector<Attachment>& attachments)
{
    RodEases& all = rods.eases;
    if (all.memory.empty())
        return;
    std::vector<std::size_t> groups(rods.links.size(), 0);
    for (Attachment& made : attachments) {
        const auto i = constraint_of(made);
        if (!i || all.of_link[*i] == RodEases::kNone || groups[*i] == RodEases::kGroups)
            continue;
        const std::size_t slot = RodEases::kGroups * all.of_link[*i] + groups[*i]++;
        double* memory = &all.memory[EaseMemory::kNumbers * slot];
        if (memory[0] == EaseMemory::kNever) {
            note_rod_open(made, memory);
            if (made.is_one_sided && memory[1] >= 0) // it holds
                memory[1] = memory[7] = 0;
        }
        Ease& ease = all.now[slot];
        ease.begin = memory[0];
        ease.span = scene.rod_constraints[*i].release.ease;
        std::copy_n(memory + 1, 6, ease.gap.begin());
        std::copy_n(memory + 7, 6, ease.rate.begin());
        if (is_kept_closed(made) && state.time < ease.begin + ease.span)
            made.ease = &ease;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) // let go: the next time it begins anew
        for (std::size_t k = 0; groups[i] == 0 && k < RodEases::kGroups; ++k)
            if (all.of_link[i] != RodEases::kNone)
                all.memory[kPerLink * all.of_link[i] + k * EaseMemory::kNumbers] =
                    EaseMemory::kNever;
}

void World::Parts::note_rod_open(const Attachment& made, double* memory)
{
    const std::array motion = {locate_site(made.a), made.b.block == kGround
                                                        ? made.ground.motion_at(state.time)
                                                        : locate_site(made.b)};
    memory[0] = state.time;
    measure_opening(made, motion, std::span<double, 6>(memory + 1, 6),
                    std::span<double, 6>(memory + 7, 6));
}

} // namespace sinew
