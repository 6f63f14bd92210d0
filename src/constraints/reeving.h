#pragma once

/// How a rope lies at the start that runs round wheels: straight from one to the next.

#include "islands/rows/eye_geometry.h"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A wheel that a rope is laid round.
struct ReevedWheel {
    Wheel wheel = {}; ///< its sense is found
    bool is_drum = false, is_last = false;
    double from = -1;  ///< where on the drawn rope, 0 to 1; −1: nearest to the wheel
    double stored = 0; ///< on a drum [m]
    double turns = 0;  ///< besides what is drawn
    double wrap = 0;   ///< found: the angle it turns the rope by
    double middle = 0; ///< found: where on the rope as laid, 0 to 1; of a drum: where it leaves
};

/// A rope as laid, or why it cannot be.
struct Reeving {
    std::vector<Vec3> samples = {}; ///< at equal lengths
    double length = 0;              ///< with what drums have stored [m]
    std::string fault = {}, hint = {};
    std::size_t faulty = 0; ///< which wheel
};

/// Lays a rope that is drawn through `vertices` round wheels: it leaves out vertices near them.
/// What is found is written to the wheels.
Reeving reeve(std::span<const Vec3> vertices, std::size_t sample_count,
              std::vector<ReevedWheel>& wheels);

} // namespace sinew
