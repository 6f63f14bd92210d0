#pragma once

#include "solve/rows/rows.h"

namespace sinew {

/// Numbers of a world's models in its ensemble, in the order in which snapshots have them. A model
/// that the scene does not need is there without blocks: see no_model().
enum ModelNumber : std::uint32_t { kLinkages, kBodies, kStrands, kTargets, kRods, kModelCount };

/// A model without blocks.
const Dynamics& no_model();

} // namespace sinew
