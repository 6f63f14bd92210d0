#pragma once

#include "charli/limits.h"
#include "charli/report.h"
#include "charli/symbols.h"
#include "charli/tree.h"

namespace sinew::charli {

/// Reads a text into a tree. Always returns one: what cannot be read is reported, and reading goes
/// on behind the next `;` or `end`. The file is added to `report.files`.
Tree parse(SourceFile source, const Limits& limits, Symbols& symbols, Report& report);

} // namespace sinew::charli
