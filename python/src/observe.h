#pragma once

#include "world_handle.h"

namespace sinew::python {

/// The classes of what a world tells, and the properties of World that tell it.
void add_observations(nb::module_& module);
void add_observations(nb::class_<WorldHandle>& world);

} // namespace sinew::python
