#pragma once

#include "sinew/scene.h"

#include <array>
#include <span>
#include <vector>

namespace sinew {

/// A body with a linkage on it, and its frame as a part of that linkage: six coordinates that stand
/// behind those of the script.
///
///     F = T(x) R₀ Rz(c) Ry(b) Rx(a),     R₀ = Rz(C) Ry(B) Rx(A)                [notes: rows, eq.
///     8]
///
///   symbol  | code                  | unit | meaning
///   --------|-----------------------|------|--------------------------------------------------
///   x       | first_coordinate + 0… | m    | the origin of the body's object
///   a, b, c | first_coordinate + 3… | rad  | how far it has turned from R₀
///   A, B, C | angles of R₀          | rad  | constant in a step, so that a, b, c stay small
struct CarrierFrame {
    std::uint32_t body = 0; ///< in Scene::bodies
    ObjectId object;
    std::uint32_t first_coordinate = 0; ///< in the coordinates of the scene as linkages see it
    ObjectId weight;                    ///< the object that holds the linkage's share of its mass
};

/// What the linkage takes over of the mass of a body that carries it; the rest stays with the body,
/// and a joint holds the two together. Equal shares are best conditioned.
constexpr double kCarriedShare = 0.5;

/// Bodies with masses or constraints on them that coordinates move.
std::vector<std::uint32_t> find_carriers(const Scene& scene);

/// A scene as its linkages see it: bodies that carry some are frames with coordinates of their own,
/// and are no bodies. What acts on them as bodies acts no more. Requires a validated scene;
/// `objects`: where they are at the start.
struct CarriedScene {
    Scene scene;
    std::vector<CarrierFrame> carriers;
};
CarriedScene make_carried_scene(const Scene& scene, std::span<const Affine> objects);

/// A, B, C of a rotation.
std::array<double, 3> angles_of(const Quat& rotation);

} // namespace sinew
