#pragma once

#include "exchange/out_file.h"
#include "exchange/stage.h"

namespace sinew::exchange {

/// A frame as Wavefront OBJ: shapes as faces, curves as lines, corners as `add_corners` has them.
void write_obj(OutFile& file, const Stage& stage, const StageFrame& frame);

} // namespace sinew::exchange
