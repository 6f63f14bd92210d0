#pragma once

#include "formats/export_scene.h"
#include "formats/out_file.h"

namespace sinew::formats {

/// What the things of a scene are in an OBJ file: objects, which programs read as a mesh each, or
/// groups of one mesh.
enum class ObjParts { objects, groups };

/// A frame as Wavefront OBJ: shapes as faces, curves as lines, corners as `add_corners` has them.
void write_obj(OutFile& file, const ExportScene& exported, const ExportFrame& frame,
               ObjParts parts = ObjParts::objects);

} // namespace sinew::formats
