#pragma once

#include <string>

namespace sinew::bench {

/// Seconds for 1/240 s of a hanging chain of rods with ball joints, shaken loose, implicit; below
/// zero where the rival is not installed.
double time_mujoco_step(int segments); ///< one step of its integrator `implicit`
double time_simbody_step(int segments, const std::string& program); ///< CPODES (BDF), as many steps
                                                                    ///< as accuracy 1e-3 asks for

} // namespace sinew::bench
