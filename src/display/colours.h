#pragma once

#include "sinew/display.h"
#include "sinew/scene.h"

#include <optional>
#include <vector>

namespace sinew {

/// Which colour the things of each object have, and what they are made of.
class Colours {
public:
    explicit Colours(const Scene& scene);

    /// What the script says: of the nearest object around it with a `colour`.
    std::optional<Vec3> written(ObjectId object) const;

    /// The same, else a colour of the palette: masses from one def, under one part of the scene,
    /// share it; each body has its own. None where neither the object nor one around it has a
    /// mass.
    std::optional<Vec3> of_mass(ObjectId object) const;

    /// What the script says: of the nearest object around it with a `look`.
    std::optional<Look> look(ObjectId object) const { return looks_[object.index]; }

private:
    std::vector<std::optional<Vec3>> written_, given_;
    std::vector<std::optional<Look>> looks_;
};

namespace colours {

constexpr Vec3 kLine = {0.27, 0.29, 0.33};     ///< graphite
constexpr Vec3 kPath = {0.42, 0.45, 0.50};     ///< lighter: paths are no bodies
constexpr Vec3 kSpring = {0.50, 0.54, 0.60};   ///< steel
constexpr Vec3 kRope = {0.78, 0.62, 0.38};     ///< hemp
constexpr Vec3 kStrand = {0.42, 0.27, 0.16};   ///< chestnut
constexpr Vec3 kPolygon = {0.56, 0.67, 0.78};  ///< pale blue
constexpr Vec3 kObstacle = {0.64, 0.66, 0.69}; ///< calm: what moves is looked at
constexpr Vec3 kGround = kGroundColour;
constexpr Vec3 kLabel = {0.20, 0.21, 0.24};
constexpr Vec3 kConstraint = {0.80, 0.47, 0.65};
constexpr Vec3 kAxes[] = {{0.84, 0.15, 0.16}, {0.17, 0.60, 0.17}, {0.12, 0.40, 0.80}};

} // namespace colours

/// Surfaces of what has no `look`.
namespace looks {

constexpr Look kPlastic = {.roughness = 0.34};
constexpr Look kMatt = {.roughness = 0.62};
constexpr Look kGround = {.roughness = 0.85};
constexpr Look kSteel = {.roughness = 0.32, .metal = 0.85};
constexpr Look kGraphite = {.roughness = 0.45, .metal = 0.3};
constexpr Look kRope = {.roughness = 0.9, .relief = 1, .pattern = LookPattern::rope};
/// Of thin strands.
constexpr Look kHair = {.roughness = 0.32, .variation = 0.3, .pattern = LookPattern::hair};
constexpr Look kStem = {.roughness = 0.6, .translucency = 0.15};

} // namespace looks

} // namespace sinew
