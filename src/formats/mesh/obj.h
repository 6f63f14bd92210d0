#pragma once

#include "formats/out_file.h"
#include "formats/stage.h"

namespace sinew::formats {

/// A frame as Wavefront OBJ: shapes as faces, curves as lines, corners as `add_corners` has them.
void write_obj(OutFile& file, const Stage& stage, const StageFrame& frame);

} // namespace sinew::formats
