#pragma once

#include "sinew/error.h"
#include "sinew/record.h"
#include "sinew/scene.h"

#include <string>

namespace sinew::app {

/// A recording and the scene whose frames it holds, read from the script in it; of a part of a shot
/// what that part has.
struct RecordedScene {
    Recording recording;
    Scene scene;
};
Result<RecordedScene> open_recorded(const std::string& path);

} // namespace sinew::app
