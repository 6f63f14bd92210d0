#pragma once

#include <optional>
#include <string>

namespace sinew::bench {

/// Mean processor time of a step of MuJoCo [ms]; none where it is not installed.
std::optional<double> time_mujoco(const std::string& text, int steps);

} // namespace sinew::bench
