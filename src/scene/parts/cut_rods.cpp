// The rods of one part: what the others compute is taken out, and the rest numbered again.

#include "scene/formula.h"
#include "scene/parts/islands.h"
#include "sinew/part_objects.h"

#include <span>
#include <utility>

namespace sinew {

namespace {

constexpr std::uint32_t kGone = std::uint32_t(-1);

/// Takes out the constraints of rods that have no number. Those that formulas ask for are in every
/// part, behind fewer others.
void leave_constraints_out(Scene& cut, std::span<const std::uint32_t> number)
{
    const std::vector<std::uint32_t> rods = rods_of_constraints(cut);
    std::vector<std::uint32_t> place(rods.size(), kGone);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < rods.size(); ++i)
        if (number[rods[i]] != kGone) {
            cut.rod_constraints[count] = cut.rod_constraints[i];
            place[i] = count++;
        }
    for (Formula& formula : cut.formulas)
        if (constraint_of_leaf(cut, formula))
            formula.b = operand_of({ConstraintList::rod, place[constraint_of(formula).index]});
    cut.rod_constraints.resize(count);
}

} // namespace

void leave_rods_out(Scene& cut, const PartPlan& plan, int part)
{
    std::vector<std::uint32_t> number(cut.rods.size(), kGone);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < number.size(); ++i)
        if (plan.part_of_rod[i] == 0 || plan.part_of_rod[i] == std::uint32_t(part))
            number[i] = count++;
    if (count == cut.rods.size())
        return;
    leave_constraints_out(cut, number);
    const std::vector<std::uint32_t> site = rods_of_sites(cut);
    std::erase_if(cut.rod_cuts, [&](const RodCut& c) {
        return site[c.site.index] != kGone && number[site[c.site.index]] == kGone;
    });
    std::erase_if(cut.rod_sites, [&](RodSite& s) {
        s.rod = number[s.rod];
        return s.rod == kGone;
    });
    std::vector<Rod> rods;
    for (std::uint32_t i = 0; i < number.size(); ++i)
        if (number[i] != kGone)
            rods.push_back(std::move(cut.rods[i]));
    cut.rods = std::move(rods);
}

} // namespace sinew
