#pragma once

#include "formats/export_scene.h"
#include "formats/out_file.h"

namespace sinew::formats {

/// A frame as Wavefront OBJ: shapes as faces, curves as lines, corners as `add_corners` has them.
void write_obj(OutFile& file, const ExportScene& exported, const ExportFrame& frame);

} // namespace sinew::formats
