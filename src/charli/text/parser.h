#pragma once

#include "charli/assist/report.h"
#include "charli/assist/symbols.h"
#include "charli/text/limits.h"
#include "charli/text/tree.h"

namespace sinew::charli {

/// Reads a text into a tree. Always returns one: what cannot be read is reported, and reading goes
/// on behind the next `;` or `end`. The file is added to `report.files`.
Tree parse(SourceFile source, const Limits& limits, Symbols& symbols, Report& report);

} // namespace sinew::charli
