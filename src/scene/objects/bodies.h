#pragma once

#include "geometry/mass_properties.h"
#include "sinew/scene.h"

#include <optional>
#include <vector>

namespace sinew {

/// Which body or obstacle carries each object.
struct BodyMap {
    std::vector<ObjectId> around; ///< by object: the nearest that it is, stands in or rides on
    std::vector<bool> is_moved;   ///< by object: a body that is no obstacle
    std::vector<bool> is_loose;   ///< by object: coordinates move it against the body around it

    /// It is such a body, or a part of one.
    bool is_in_moved(ObjectId object) const
    {
        const ObjectId body = around[object.index];
        return body.is_valid() && is_moved[body.index] && !is_loose[object.index];
    }
    /// It belongs to a linkage that such a body carries.
    bool is_loose_on_moved(ObjectId object) const
    {
        const ObjectId body = around[object.index];
        return body.is_valid() && is_moved[body.index] && is_loose[object.index];
    }
};

/// Frames that ride on themselves lead to no body. Requires that all objects named exist.
BodyMap make_body_map(const Scene& scene);

/// Whether tracks, formulas and coordinates alone move what a value depends on: no body, strand,
/// rod or contact. Requires that all objects named exist.
bool is_known_to_linkages(const Scene& scene, Value value);

/// Where an object is in the frame of another that it stands in or rides on, when only constant
/// transformations lie between them. Object 0 is the world.
std::optional<Affine> find_fixed_frame(const Scene& scene, ObjectId object, ObjectId inside);

/// Volume, centre and inertia of a shape in its own frame; nothing for planes and height fields.
/// Of a mesh: exact for its closed surface.
MassProperties mass_of_shape(const Scene& scene, const Shape& shape);

/// The same of each body in its object's frame, as Scene::bodies; obstacles have none. Requires a
/// validated scene.
std::vector<MassProperties> masses_of_bodies(const Scene& scene);

/// The only joint of a kind that holds a body; none where there is no such joint, or several.
std::optional<std::uint32_t> find_carrier(const Scene& scene, ObjectId body, JointKind kind);

/// The mass that a body's statement gives it [kg].
double mass_of_body(const RigidBody& body, const MassProperties& properties);

/// Everything wrong with bodies, shapes, materials and joints. Requires sound objects and
/// transformations.
Problems validate_bodies(const Scene& scene);

} // namespace sinew
