#pragma once

// Columns of a sweep's table that say what a run did: places of objects, numbers of `probe`.

#include "recorded_scene.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sinew::app {

/// Adds the columns of `--probe`, then one for each `probe` of the script that is not among them;
/// nothing where the recording has no such number.
void add_probes(const std::vector<std::string>& wishes, const RecordedScene& recorded,
                nlohmann::ordered_json& row);

/// Those wishes that name nothing in the script.
std::vector<std::string> unknown_probes(const std::vector<std::string>& wishes, const Scene& scene);

} // namespace sinew::app
