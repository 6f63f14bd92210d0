#pragma once

// What probes and conditions ask for besides places.

#include "scene/formula.h"

#include <utility>

namespace sinew {

/// Calls use(leaf) for what a value is measured by, besides places.
template <class Use>
void for_each_measured(const Scene& scene, Value value, Use&& use)
{
    for_each_leaf(scene, value, [&](const Formula& leaf) {
        if (leaf.operation == Operation::contact || is_rate_of_value(leaf))
            use(leaf);
    });
}

/// True of a leaf that asks for this of objects or of the scene; constraints with a name are asked
/// by `constraint_of`.
inline bool measures(const Formula& leaf, Measure what)
{
    return leaf.operation == Operation::contact && measure_of(leaf) == what &&
           constraint_of(leaf).list == ConstraintList::none;
}

} // namespace sinew
