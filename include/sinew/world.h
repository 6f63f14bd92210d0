#pragma once

// Everything in a scene, advancing together in time.

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/scene.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

/// What an import sees when it is asked for its value.
struct ImportInput {
    double time = 0;
    std::span<const double> coordinates; ///< as Scene::coordinates
    std::span<const double> rates;
};

/// The value of an import, and its derivatives with respect to time where they are known: an import
/// that drives a transformation without them is differentiated numerically.
struct ImportValue {
    double value = 0;
    std::optional<double> first = {}, second = {};
};

/// Called in the middle of a step, from any thread: must be a pure function of its input.
using ImportFunction = std::function<ImportValue(const ImportInput&)>;

/// Where a free body is and how it moves.
struct BodyMotion {
    ObjectId object = {};
    Pose pose = {Quat{}, {0, 0, 0}}; ///< of the object's frame, in the world
    Vec3 velocity = {0, 0, 0};       ///< of its origin [m/s]
    Vec3 spin = {0, 0, 0};           ///< [rad/s], world axes
};

/// A model of one's own: something that moves, touches and is tied to what the scene has. Those who
/// write one build with the sources: src/plugins/physical_model.h.
class PhysicalModel;

struct WorldOptions {
    int threads = 1;                               ///< the result does not depend on it
    std::map<std::string, ImportFunction> imports; ///< by name; every import of the scene
    std::vector<BodyMotion> bodies = {};           ///< that start otherwise than the script says
    std::vector<std::shared_ptr<const PhysicalModel>> models = {}; ///< beside those of the scene
};

struct Energy {
    double kinetic = 0;   ///< [J]
    double potential = 0; ///< [J], of gravity and springs
};

/// Momentum of all that moves, about the origin of the world.
struct Momentum {
    Vec3 linear = {0, 0, 0};  ///< [kg m/s]
    Vec3 angular = {0, 0, 0}; ///< [kg m²/s]

    Momentum& operator+=(const Momentum& other)
    {
        linear += other.linear;
        angular += other.angular;
        return *this;
    }
};

/// Two bodies that met: they did not touch before, and came together faster than they fall in a
/// step; or that began to pass through each other, where the script senses that.
struct ContactEvent {
    double time = 0;         ///< at the end of the step [s]
    ObjectId a = {}, b = {}; ///< objects of the bodies
    Vec3 place = {0, 0, 0};  ///< in the world
    Vec3 normal = {0, 0, 0}; ///< unit length, from a to b
    double speed = 0;        ///< at which they came together [m/s]
    double impulse = 0;      ///< along the normal, in that step [N s]
    double slip = 0;         ///< speed across the normal before [m/s]
    bool is_sensed = false;  ///< they pass through each other

    bool operator==(const ContactEvent&) const = default;
};

/// What one advance did, and what it could not do. Stepping never throws: look here.
struct StepReport {
    int steps = 0;                    ///< inner steps accepted, summed over all linkages
    int rejected = 0;                 ///< inner steps tried again with a smaller size
    int implicit_steps = 0;           ///< of the accepted, how many were implicit
    int rows = 0;                     ///< rows between blocks: ties; points of contact of bodies
    int iterations = 0;               ///< of the row solver, summed over passes
    int stages = 0;                   ///< of strands: implicit stages, failed attempts too
    int solves = 0;                   ///< of strands: linear systems solved in these stages
    int worst_solves = 0;             ///< of strands: most in one stage
    double residual = 0;              ///< largest error of a constraint, or overlap, at the end [m]
    double contact_error = 0;         ///< largest error of a contact's or a joint's law [m/s]
    std::optional<double> theta = {}; ///< of bodies by the paper's method: largest θ [m/s]
    std::vector<ContactEvent> events = {}; ///< bodies that met, in their order
    bool converged = true;                 ///< false: some stage was accepted unconverged
    Problems warnings = {}; ///< what happened that people should know: a path's end passed, ...
    std::optional<Problem> fault = {}; ///< why time stopped: the object, the time, the remedy
};

/// A hand that holds an object: a spring and a damper from a point of it to a place in the world.
struct Grab {
    ObjectId object = {};
    Vec3 target = {0, 0, 0};
    double stiffness = 0;    ///< [N/m]
    double damping = 0;      ///< [N s/m]
    Vec3 point = {0, 0, 0};  ///< where it holds a body, in the object's frame; masses: their origin
    double along = 0;        ///< where it holds a strand or a rod: fraction of its length
    std::uint32_t curve = 0; ///< which of the object's strands, counted from 0

    bool operator==(const Grab&) const = default;
};

/// A force as it acts at one instant.
struct ActingForce {
    enum class Kind : std::uint8_t { weight, spring, applied, drag, constraint, hand, contact };

    Kind kind = Kind::weight;
    ObjectId object = {};           ///< on whose origin it acts
    Vec3 force = {0, 0, 0};         ///< [N], world axes
    std::optional<Vec3> place = {}; ///< where it acts, if not at the object's origin
    Vec3 torque = {0, 0, 0};        ///< [N m], besides; of what holds rods in their directions
};

/// A point where two bodies touch.
struct Contact {
    ObjectId a = {}, b = {}; ///< objects of the bodies
    Vec3 place = {0, 0, 0};  ///< on b, in the world
    Vec3 normal = {0, 0, 0}; ///< unit length, from a to b
    double gap = 0;          ///< [m]; negative: overlap
    double force = 0;        ///< along the normal in the last step [N]
};

/// How everything moves at one instant, in the order of the lists of Frame.
struct Velocities {
    std::vector<Vec3> objects = {}; ///< of their origins [m/s]
    std::vector<Vec3> spins = {};   ///< angular velocities of objects [rad/s], world axes
    std::vector<Vec3> nodes = {};   ///< of strands, then of rods [m/s]
};

/// A world is built once from a scene and then only advanced and observed. The same scene and the
/// same advances give the same bits for any number of threads, and after `restore`.
class World {
public:
    /// Validates the scene, assembles the start, builds the world; or lists everything wrong.
    static Result<World> create(const Scene& scene, const WorldOptions& options = {});

    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    ~World();

    const Scene& scene() const noexcept;
    double time() const noexcept; ///< seconds on the scene's clock

    /// What the assembly of the start moved, and other notes.
    const Problems& start_notes() const noexcept;

    /// Advances to `until` in steps of at most the scene's step where one is needed. With a fault
    /// the world stands where its last good step ended: at the time before the call, unless rows
    /// couple its parts. Requires until ≥ time().
    StepReport advance(double until) noexcept;

    Frame frame() const;
    Energy energy() const;
    Momentum momentum() const;
    std::span<const double> coordinates() const noexcept; ///< as Scene::coordinates
    std::span<const double> rates() const noexcept;
    std::vector<BodyMotion> bodies() const; ///< free ones, as Scene::bodies
    Velocities velocities() const;

    /// Takes strands and rods as they are in another world, with what holds these, where both have
    /// the same: for a scene that goes on with other numbers.
    void take_curves(const World& before);

    /// What hands hold from now on. Input, not state: `snapshot` leaves it out. Problems where an
    /// object cannot be held; then the hands stay as they were.
    Problems set_grabs(const std::vector<Grab>& grabs);

    /// The object that a hand on `object` takes hold of: itself, or the mass it belongs to.
    /// Invalid when nothing there can be held.
    ObjectId find_grip(ObjectId object) const;

    /// The mass that moves with an object, as a hand feels it [kg]: for a fitting stiffness.
    double mass_around(ObjectId object) const;

    /// Everything that pushes and pulls now, and the errors of distance, then path constraints [m].
    std::vector<ActingForce> forces() const;
    std::vector<double> residuals() const;

    /// Where bodies touch, as the last step left it: none before the first.
    std::vector<Contact> contacts() const;

    /// Stack heights, as Scene::bodies: how many contacts a body is away from what is fixed or
    /// driven, which has 0 itself; −1 of what touches nothing that stands.
    std::vector<int> layers() const;

    /// All that changes, as bytes; `restore` continues from them bit for bit.
    std::vector<std::byte> snapshot() const;

    /// False, and nothing changed, when the bytes are no snapshot of this scene.
    [[nodiscard]] bool restore(std::span<const std::byte> snapshot);

    /// One number for the whole state.
    std::uint64_t state_hash() const;

private:
    struct Parts;
    explicit World(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew
