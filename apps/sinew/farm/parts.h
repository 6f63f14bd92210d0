#pragma once

#include "commands.h"

#include "sinew/language.h"

namespace sinew::app {

/// options.part of a script whose curves are counted and not made; a problem where nothing can be
/// cut.
ScriptReading read_own_part(const RunOptions& options, ScriptReading whole);

/// One rank of `mpirun sinew run --mpi`: computes its part; rank 0 then joins all of them.
int run_rank(const RunOptions& options);

} // namespace sinew::app
