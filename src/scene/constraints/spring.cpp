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

Value ConstraintSorter::active_until(const Release& release)
{
    if (!release.until)
        return release.active;
    const auto add = [&](const Formula& formula) {
        scene_.formulas.push_back(formula);
        return Value{0, static_cast<std::uint32_t>(scene_.formulas.size() - 1)};
    };
    // A track, so that steps end at its key.
    const double until = *release.until;
    scene_.tracks.push_back({.keys = {{.value = {1}, .at = until - 1},
                                      {.value = {0}, .at = until, .easing = Easing::hold}}});
    const Value held = add({.operation = Operation::track,
                            .index = static_cast<std::uint32_t>(scene_.tracks.size() - 1)});
    return release.active.is_constant() && release.active.number > 0.5
               ? held
               : add({.operation = Operation::minimum, .a = release.active, .b = held});
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
        refuse(c, "not-of-springs", "a spring between objects has no `breaks` and no `beyond`",
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
