#pragma once

/// Rigid bodies that touch: what does not change, all that does, and the step.
///
///   symbol | code               | unit   | meaning
///   -------|--------------------|--------|-------------------------------------------------------
///   x, q   | BodyState          | m      | centre of mass, principal axes in the world
///   v, ω   | BodyState          | m/s    | of the centre; angular velocity, world axes
///   M      | Body               | kg     | mass, and principal moments of inertia [kg m²]
///   λ, f   | ContactState       | N s    | impulses of the points, of friction and twist
///   ℓ      | StepLengths::unit  | m      | |g| h²: what a body falls in a step; small lengths are
///          |                    |        | multiples of it, so that a scene and its model are
///          alike

#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "math/pair_law.h"
#include "sinew/scene.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// A shape of a body.
struct BodyShape {
    std::shared_ptr<const CollisionShape> shape;
    Pose place = {Quat{}, {0, 0, 0}}; ///< in the body's frame
    std::uint32_t body = 0;
    double friction = 0.5;
    double bounce = 0;                  ///< restitution, 0 to 1
    double rolling = 0;                 ///< arm of rolling resistance [m]
    std::optional<double> sliding = {}; ///< friction of what slides; none: the same
    bool has_belt = false;              ///< its surface may run
    Vec3 belt = {0, 0, 0};              ///< how it does, axes of the body [m/s]

    bool is_moving() const { return shape->mesh && shape->mesh->speed > 0; }
};

struct Body {
    double mass = 0;          ///< 0: nothing moves it but its own velocity
    Vec3 inertia = {0, 0, 0}; ///< principal moments
    std::uint32_t first_shape = 0, shape_count = 0;
    double gravity = 1;                   ///< share of it that the body feels
    double damping = 0, spin_damping = 0; ///< rates at which velocity and spin die down [1/s]

    bool is_free() const { return mass > 0; }
};

/// Holds two bodies together, of which at least one is free.
struct JointModel {
    JointKind kind = JointKind::ball;
    std::uint32_t a = 0, b = 0;
    /// The joint's frame in each body's; the axis of a hinge or slider is its x. They coincide
    /// where the coordinate is zero.
    Pose in_a = {Quat{}, {0, 0, 0}}, in_b = in_a;
    double length = 0;                                     ///< of a distance without limits
    double low = -std::numeric_limits<double>::infinity(); ///< limits [rad or m]; of a distance: of
    double high = std::numeric_limits<double>::infinity(); ///< its length
    bool has_motor = false;
    double speed = 0; ///< of the motor [rad/s or m/s]; with which the length of a distance changes
    double most_force = 0;                                   ///< of the motor [N m or N]; 0: any
    double breaks = std::numeric_limits<double>::infinity(); ///< above this force [N]
    double breaks_torque = std::numeric_limits<double>::infinity(); ///< above this torque [N m]
    double cone = std::numeric_limits<double>::infinity();  ///< of a ball: largest swing [rad]
    double twist = std::numeric_limits<double>::infinity(); ///< of a ball: largest turn [rad]
    double target = 0, target_speed = 0; ///< of spring or servo [rad or m, and by s]
    bool has_servo = false;              ///< the motor goes to the target
    bool is_driven = false;              ///< target or motor move: what it holds never sleeps
    double stiffness = 0, damping = 0;   ///< towards the target; against the motion
    double friction = 0;                 ///< dry, against the motion [N m or N]
    bool is_off = false;                 ///< it does not hold in this step
    PairLaw pair = {};                   ///< of locked axes, wheels and screws
    /// Of wheels: the joints that carry the two; they roll on each other while these hold.
    std::array<std::uint32_t, 2> carriers = {kNone, kNone};

    static constexpr std::uint32_t kNone = 0xffffffff;

    bool has_spring() const { return stiffness > 0 || damping > 0; }
};

/// How two bodies feel each other, where a script says so for the pair.
struct PairMaterial {
    double friction = 0.5, bounce = 0, rolling = 0;
    std::optional<double> sliding = {}; ///< friction of what slides; none: the same
};

/// What does not change while stepping.
struct Pile {
    std::map<std::pair<std::uint32_t, std::uint32_t>, PairMaterial> pairs;    ///< bodies, ascending
    std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings = {}; ///< not Meeting::push
    std::vector<Body> bodies;
    std::vector<BodyShape> shapes; ///< those of a body follow each other
    std::vector<JointModel> joints;
    Vec3 gravity = {0, -9.81, 0};
};

/// How two shapes of different bodies feel each other.
PairMaterial material_of(const Pile& pile, const BodyShape& a, const BodyShape& b);

struct BodyState {
    Vec3 x = {0, 0, 0};
    Quat q = {};
    Vec3 v = {0, 0, 0}, w = {0, 0, 0};

    bool operator==(const BodyState&) const = default;
};

/// Two shapes that are near each other.
struct ContactState {
    Pair shapes;
    std::uint32_t key = 0; ///< which of their patches: shapes with meshes may have several
    Manifold manifold = {};
    std::array<double, 4> impulse = {}; ///< of the points, along the normal
    Vec3 friction = {0, 0, 0};          ///< across it, world axes
    double twist = 0;                   ///< about it [N m s]
    Vec3 roll = {0, 0, 0};              ///< against rolling, world axes [N m s]
    int age = 0;                        ///< steps since they came near
    double stiffness = 1;               ///< penalty of the direct method, a power of four
    bool is_found = false;
    Pose found_a = {Quat{}, {0, 0, 0}}, found_b = found_a; ///< bodies when the manifold was found
};

struct JointState {
    bool is_broken = false;             ///< for good
    std::array<double, 8> impulse = {}; ///< of its rows
    double stiffness = 1;               ///< as of a contact
    double coordinate = 0;   ///< of a hinge [rad, full turns counted], slider or distance
    Vec3 force = {0, 0, 0};  ///< on b in the last step [N], world axes
    Vec3 torque = {0, 0, 0}; ///< on b besides the force, where they are held [N m]
    double drive = 0;        ///< of motor and limit [N m or N]

    bool operator==(const JointState&) const = default;
};

/// A joint that may be let go and hold again.
struct JointSwitch {
    std::uint32_t joint = 0;
    bool is_off = false;              ///< it did not hold in the last step
    Pose shift = {Quat{}, {0, 0, 0}}; ///< of its frame in a, since it began to hold again

    bool operator==(const JointSwitch&) const = default;
};

/// What an island remembers from step to step of how its solving went. State.
struct SolverMood {
    double penalty = 0; ///< κ; 0: not yet chosen
    int wait = 0;       ///< steps for which the direct method is left alone
    int backoff = 0;    ///< the last such time
    int good = 0;       ///< solves that succeeded in a row
    int steps = 0;      ///< since the island came into being

    bool operator==(const SolverMood&) const = default;
};

/// How long a body has stayed in its place.
struct RestState {
    static constexpr double kHangs = -1; ///< time of what sleeps from the start, wherever it is

    Vec3 x = {0, 0, 0};
    Quat q = {};
    double time = 0; ///< [s]
    bool is_asleep = false;
    bool is_taken = false; ///< within a step only: see PileOptions::taken

    bool operator==(const RestState&) const = default;
};

/// All that changes.
struct PileState {
    std::vector<BodyState> bodies;
    std::vector<Box> boxes; ///< of the shapes, fat: pairs are looked for when one leaves its own
    std::vector<ContactState> contacts; ///< ascending by shapes and keys
    std::vector<JointState> joints;
    std::vector<JointSwitch> switches; ///< of those that may be let go, ascending
    std::vector<Pair> sensed;          ///< bodies that pass through each other now, ascending
    std::vector<SolverMood> moods;     ///< of islands, each at its first free body
    std::vector<RestState> rest;       ///< of the bodies, where they may sleep
    Vec3 rest_gravity = {0, 0, 0};     ///< under which they do
    std::int64_t steps = 0;
    double step = 0; ///< length of the last one [s]
};

/// Two bodies whose joint or contact is farther from its law than it may be.
struct WorstPair {
    std::uint32_t a = 0, b = 0; ///< bodies
    double error = 0;           ///< [m/s]
    bool is_contact = false;
};

/// Two bodies that met in a step: they did not touch before. Of several places the one that was
/// pushed hardest.
struct PileEvent {
    std::uint32_t a = 0, b = 0; ///< bodies
    Vec3 place = {0, 0, 0};
    Vec3 normal = {0, 0, 0}; ///< from a to b
    double speed = 0;        ///< at which they came together [m/s]
    double impulse = 0;      ///< along the normal, of all places [N s]
    double slip = 0;         ///< speed of b against a across the normal [m/s]
    bool is_sensed = false;  ///< they pass through each other
};

/// What one step did.
struct PileReport {
    int contacts = 0; ///< points that are near
    int islands = 0;
    int sweeps = 0;
    int factors = 0, solves = 0;
    double residual = 0;                 ///< largest error of a contact's law [m/s]
    double overlap = 0;                  ///< largest [m]
    double joint_error = 0;              ///< largest before it was removed [m]
    double joint_gap = 0;                ///< largest that is left [m]
    std::optional<WorstPair> worst = {}; ///< where laws do not hold: the step is not solved
    int broken = 0;                      ///< joints that broke
    int asleep = 0;                      ///< bodies
    std::vector<PileEvent> events = {};  ///< ascending by bodies
    std::vector<double> theta = {}; ///< of each iteration of the paper's method, when asked for
    /// The first body whose state or forces are not finite: then the state is as it was.
    std::optional<std::uint32_t> fault_body = {};
};

/// What pushes a body from outside during a step, besides gravity.
struct BodyForce {
    std::uint32_t body = 0;
    Vec3 force = {0, 0, 0};  ///< [N]
    Vec3 torque = {0, 0, 0}; ///< about its centre [N m]
    bool wakes = true;       ///< what sleeps; else it acts only on what is awake
};

/// What stands on a body and is eliminated into it: of its end velocities v⁺, ω⁺ the impulse on the
/// body is push − K (v⁺ − v, ω⁺ − w), K = [mass armᵀ; arm inertia].      [notes: strands, eq. 34]
struct BodyRiders {
    std::uint32_t body = 0;
    Vec3 v = {0, 0, 0}, w = {0, 0, 0};        ///< velocities that `push` is of
    Vec3 push = {0, 0, 0}, twist = {0, 0, 0}; ///< impulses [N s], about the centre [N m s]
    Mat3 mass = {}, arm = {}, inertia = {};
    bool wakes = false;                              ///< it moves too much to let the body sleep
    Vec3 given = {0, 0, 0}, given_twist = {0, 0, 0}; ///< out: impulses that the step gave the body
};

struct PileOptions {
    double tolerance = 2e-5; ///< of the residual [m/s] at |g| h = 0.0981 m/s; scales with it
    int sweeps = 2, rounds = 4, newton = 8;
    double penalty = 1e3; ///< κ
    BodyMethod method = BodyMethod::automatic;
    int iterations = 0;         ///< of the paper's method; 0: ten
    bool has_shock = true;      ///< of the paper's method: propagate shocks layer by layer
    int smoothing = 0;          ///< of the paper's method: sweeps afterwards
    bool records_theta = false; ///< of the paper's method: in the report
    bool may_sleep = false;
    int threads = 1; ///< at most; the same bits for any number
    std::span<const BodyForce> forces = {};
    std::span<BodyRiders> riders = {}; ///< of bodies that nothing else moves
    /// By body: nonzero for those that stand already where the step takes them, with all that they
    /// touch or are joined to. None: the pile moves all.
    std::span<const char> taken = {};
};

struct PileWork; ///< memory kept from step to step, and nothing else

std::shared_ptr<PileWork> make_pile_work();

/// Contacts, impulses, motion: one step of length h. Driven bodies move with their velocities.
PileReport step_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work);

/// Joints were let go or hold again: what they held may collide now, or no more.
void forget_pairs(PileWork& work);

/// The two halves of a step, for whoever moves some of the bodies between them.
void find_contacts(const Pile& pile, int threads, double h, PileState& state, PileWork& work);
PileReport move_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work);

/// `is_joined`, by body: nonzero for the free bodies that contacts and joints join to one of the
/// `seeds`.
void find_joined(const Pile& pile, const PileState& state, std::span<const std::uint32_t> seeds,
                 PileWork& work, std::vector<char>& is_joined);

/// A start from poses and velocities.
PileState make_pile_state(const Pile& pile, std::vector<BodyState> bodies);

} // namespace sinew
