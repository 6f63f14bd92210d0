// Two things pull at each other.

#include "scene/constraints/sorter.h"

namespace sinew {

/// A stiffness or damping that is 0 while the spring does not act.
Value ConstraintSorter::while_held(Value value, const Release& release)
{
    const auto add = [&](const Formula& formula) {
        scene_.formulas.push_back(formula);
        return Value{0, static_cast<std::uint32_t>(scene_.formulas.size() - 1)};
    };
    const auto choose = [&](Value condition) {
        const Value either = add({.operation = Operation::either, .a = value, .b = Value{0}});
        value = add({.operation = Operation::choose, .a = condition, .b = either});
    };
    if (!release.active.is_constant() || !(release.active.number > 0.5))
        choose(release.active);
    if (release.until)
        choose(add({.operation = Operation::less,
                    .a = add({.operation = Operation::time}),
                    .b = Value{*release.until}}));
    return value;
}

void ConstraintSorter::sort(const SpringLaw& law, const Constraint& c)
{
    if (is_on_strand(c.a) || is_on_strand(c.b)) {
        refuse_conditions(c);
        StrandConstraint made = for_strand(StrandConstraintKind::spring, c);
        made.distance = law.rest_length;
        made.stiffness = law.stiffness;
        made.damping = law.damping;
        return add(made, StrandRank::spring);
    }
    if (is_on_rod(c.a) || is_on_rod(c.b)) {
        RodConstraint made = for_rod(RodConstraintKind::spring, c);
        if (!is_on_rod(c.a))
            std::swap(made.a, made.b);
        made.distance = law.rest_length;
        made.stiffness = law.stiffness;
        made.damping = law.damping;
        return add(made, RodRank::spring);
    }
    if (c.release.breaks || c.release.beyond)
        refuse(c, "not-of-springs",
               "`breaks` and `beyond` are of what holds, not of a spring between objects",
               "write `active = ...` with a condition, or `until`", ConstraintFault::Doubt::none);
    scene_.point_springs.push_back({c.a.object,
                                    c.b.object,
                                    law.rest_length,
                                    while_held(law.stiffness, c.release),
                                    while_held(law.damping, c.release),
                                    {},
                                    c.origin});
}

} // namespace sinew
