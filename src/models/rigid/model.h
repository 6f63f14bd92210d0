#pragma once

#include "models/rigid/contacts/surfaces.h"
#include "models/rigid/pile.h"
#include "scene/placement.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// The pile as it is in a step: with the gravity, motors, lengths and surfaces of that step. It
/// follows from the scene and the time, and belongs to one world.
struct PileInput {
    Pile pile = {};
    std::vector<MovingSurface> surfaces = {};

    /// Meshes that move by themselves, as they are when a step begins, with the velocities that
    /// take them to where they are when it ends.
    void move_surfaces(double begin, double end)
    {
        for (MovingSurface& surface : surfaces)
            surface.move(begin, end);
    }
};

/// The bodies of a scene as a pile. Constant while stepping.
///
///   symbol | code       | unit | meaning
///   -------|------------|------|-------------------------------------------------------------
///   X_OB   | in_object_ | m    | centre of mass and principal axes in the frame of the object
class RigidModel {
public:
    /// Requires a validated scene; `objects`: where they are at the start.
    static Result<RigidModel> create(const Scene& scene, std::span<const Affine> objects);

    const Pile& pile() const { return pile_; }
    bool is_empty() const { return pile_.bodies.empty(); }

    /// Bodies where the script puts them, or where `given` says.
    PileState initial_state(const Scene& scene, std::span<const Affine> objects,
                            std::span<const BodyMotion> given) const;

    /// True when objects must be placed anew in every step: something is driven, or pushed.
    bool needs_objects() const { return !driven_.empty() || is_pushed_; }

    /// The pile at the start, for a world to prepare in every step.
    PileInput make_input() const;

    /// Gravity, motors and lengths at a time, where they change.
    void prepare(const Scene& scene, const Posture& posture, const std::vector<Affine>& objects,
                 PileInput& input) const;

    /// Lets joints go and takes hold again, as `input` says of the coming step: what a joint begins
    /// to hold it holds as it stands then. True when one did.
    bool switch_joints(PileState& state, PileInput& input) const;

    /// What forces, fields and drags of the scene do to bodies in a step of length h.
    void find_forces(const Scene& scene, const Posture& posture, const std::vector<Affine>& objects,
                     double h, const PileState& state, std::vector<BodyForce>& forces) const;

    /// Gives obstacles the velocities with which they arrive where they are to be in a time h.
    void drive(std::span<const Affine> objects_then, double h, PileState& state) const;

    /// Where the objects of free bodies are.
    void place(const PileState& state, std::vector<PlacedObject>& placed) const;

    std::vector<BodyMotion> motions(const PileState& state) const;
    Energy energy(const Pile& pile, const PileState& state) const;
    Momentum momentum(const PileState& state) const; ///< of free bodies

    /// What contacts pushed with in the last step.
    void add_forces(const Pile& pile, const PileState& state,
                    std::vector<ActingForce>& forces) const;

    /// Points that touch, and how far each body is from fixed ground (World::layers).
    std::vector<Contact> contacts(const Pile& pile, const PileState& state) const;
    static std::vector<int> layers(const Pile& pile, const PileState& state, std::size_t count);

    /// Pairs that overlap by more than a hundredth of the smaller one's size, by their numbers.
    struct Overlap {
        ObjectId a, b;
        double depth = 0; ///< [m]
    };
    std::vector<Overlap> overlaps(PileState state, double h) const;

    /// The free body of an object; none when it is no such object.
    std::optional<std::uint32_t> find_body(ObjectId object) const;
    std::optional<std::uint32_t> find_body_or_obstacle(ObjectId object) const;

    /// The free body that an object is fixed to or in.
    std::optional<std::uint32_t> find_body_around(ObjectId object) const;

    /// What a hand does to a body by a point of it in a time h, as an implicit spring.
    BodyForce pull(const Grab& grab, double h, const Pile& pile, const PileState& state) const;
    Vec3 hand_force(const Grab& grab, const PileState& state) const;
    Vec3 grip_of(const Grab& grab, const PileState& state) const; ///< where it holds

    /// A point of a body's object in the frame of its centre and principal axes.
    Vec3 point_in_body(std::uint32_t body, const Vec3& in_object) const;

    /// X_OB of a body; where its object is, and how it moves.
    Pose centre_in_object(std::uint32_t body) const { return in_object_[body]; }
    BodyMotion motion_of(std::uint32_t body, const PileState& state) const;

    /// Leaves a body a share of its mass: something else has the rest. Not while stepping.
    void scale_mass(std::uint32_t body, double share);

    /// A frame in a body's object, seen from its centre and principal axes.
    Pose frame_in_body(std::uint32_t body, const Pose& in_object) const;

    /// The object of a body, for messages.
    ObjectId object_of(std::uint32_t body) const { return object_[body]; }

private:
    Pile pile_;
    std::vector<std::uint32_t> body_of_; ///< of each object of the scene
    std::vector<ObjectId> object_;       ///< of each body
    std::vector<Pose> in_object_;        ///< X_OB of each body
    std::vector<ObjectId> around_;       ///< of each object: the free body it is fixed to or in
    std::vector<std::uint32_t> driven_;  ///< bodies
    std::vector<MovingSurface> surfaces_;
    bool is_pushed_ = false;

    void find_inputs(const Scene& scene);
    void add_own_forces(const Vec3& gravity, double h, const PileState& state,
                        std::vector<BodyForce>& forces) const;
    void add_joints(const Scene& scene, std::span<const Affine> objects);
    void carry_wheels(const Scene& scene, std::span<const Affine> objects);
    std::uint32_t body_for_joint(const Scene& scene, ObjectId object);
};

} // namespace sinew
