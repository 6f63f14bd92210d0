#pragma once

#include "sinew/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Camera and timing of a glTF file.
struct FileShot {
    double field_of_view = 0;         ///< radians, vertical; 0: there is no camera
    std::vector<CameraKey> keys = {}; ///< one where it stands still
    double end = 0;                   ///< of its first animation [s]; 0: there is none
};
Result<FileShot> read_shot(const std::string& name, std::string_view bytes);

} // namespace sinew
