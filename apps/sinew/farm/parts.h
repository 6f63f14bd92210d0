#pragma once

#include "commands.h"

#include "sinew/error.h"
#include "sinew/scene.h"

namespace sinew::app {

/// The scene of options.part; a problem where nothing can be cut.
Result<Scene> scene_of_part(const RunOptions& options, const Scene& whole);

/// One rank of `mpirun sinew run --mpi`: computes its part; rank 0 then joins all of them.
int run_rank(const RunOptions& options);

} // namespace sinew::app
