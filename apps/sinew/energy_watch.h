#pragma once

// Energy where nothing drives or damps: what it changes by is the error of the simulation.

#include "sinew/scene.h"
#include "sinew/world.h"

#include <optional>

namespace sinew::app {

/// True for scenes that nothing drives, damps, stops or releases, and in which nothing but bodies
/// may touch.
bool keeps_energy(const Scene& scene);

class EnergyWatch {
public:
    explicit EnergyWatch(const Scene& scene) : is_on_(keeps_energy(scene)) {}

    bool is_on() const { return is_on_; }

    /// Bodies have met: from now on contacts take energy.
    void note_touch();

    /// The first frame says what there is. A warning, once, when that has changed by more than a
    /// millionth of the largest kinetic energy.
    std::optional<Problem> look(double time, const Energy& energy);

private:
    bool is_on_ = false;
    std::optional<double> start_ = {};
    double kinetic_ = 0, largest_ = 0; ///< [J]: so far
};

} // namespace sinew::app
