#pragma once

// What to simulate: plain data, no behaviour. The language makes it; C++ and Python can too.
// Everything refers to everything else by its number in the lists of Scene. SI units, y up.

#include "sinew/error.h"
#include "sinew/ids.h"
#include "sinew/look.h"
#include "sinew/math.h"
#include "sinew/shapes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

/// Where in the scripts a thing was written; none for a scene made by a program.
struct Origin {
    static constexpr std::uint32_t kNoFile = 0xffffffff;

    std::uint32_t file = kNoFile; ///< number in Scene::files
    std::uint32_t offset = 0;     ///< bytes from the beginning
    std::uint32_t length = 0;     ///< bytes
};

struct SourceFile {
    std::string name;
    std::shared_ptr<const std::string> text;
};

/// A number, or a formula of time, place along a curve, coordinates and positions.
struct Value {
    static constexpr std::uint32_t kNoFormula = 0xffffffff;

    double number = 0;                  ///< the value when there is no formula
    std::uint32_t formula = kNoFormula; ///< number in Scene::formulas

    constexpr bool is_constant() const { return formula == kNoFormula; }
};

enum class Operation : std::uint8_t {
    // leaves; `index` says which one
    time,
    coordinate,
    imported,
    position, ///< coordinate `axis` of object `index` in the frame of object `frame`
    here,     ///< coordinate `axis` of the place a field acts at, in the frame of object `frame`
    track,
    // of a
    negate,
    sine,
    cosine,
    tangent,
    arcsine,
    arccosine,
    arctangent,
    square_root,
    exponential,
    logarithm,
    absolute,
    round_down,
    round_up,
    // of a and b
    add,
    subtract,
    multiply,
    divide,
    arctangent2,
    power,
    minimum,
    maximum,
    remainder,
    less,   ///< 1 where a < b, else 0
    choose, ///< one of the two values of the formula `b`, by whether a is above 0.5
    either, ///< the two values of a choice; never evaluated by itself
    rate,   ///< a leaf: how fast coordinate `index` changes; of forces and probes only
    contact ///< a leaf: the force with which object `index` and `frame` push each other where they
            ///< touch [N], all that it touches where `frame` is none; of conditions only
};

enum class Axis : std::uint8_t { x, y, z };

struct Formula {
    Operation operation = Operation::time;
    Axis axis = Axis::x;
    std::uint32_t index = 0;
    ObjectId frame = {};
    Value a = {};
    Value b = {};
};

/// One key of a track: `value at at sec`, reached from the key before by `easing`.
struct Key {
    Value value = {};
    double at = 0; ///< seconds, or the fraction of the rest length
    Easing easing = Easing::linear;
};

/// A function of time, or of place along a curve (a ramp). Holds its ends outside the keys. The
/// values of keys may be tracks themselves: a ramp of tracks, a track of ramps.
struct Track {
    bool along = false;
    std::vector<Key> keys = {};
    Origin origin = {};
    bool repeats = false; ///< begins again at its last key, before and after; in time only
};

/// A knob: set from the command line, a slider in the viewer.
struct Parameter {
    std::string name;
    double value = 0;
    std::optional<double> low = {}, high = {};
    std::string text = {};
    Origin origin = {};
};

/// What a coordinate counts. A turn in space is four of them in a row, the parts of a unit
/// quaternion; the first of the four stands for the whole. An event is no unknown: its value is the
/// time at which it came, kNever before.
enum class CoordinateKind : std::uint8_t { number, turn_w, turn_x, turn_y, turn_z, event };

/// The time of an event that has not come [s].
constexpr double kNever = 1e9;

/// A free coordinate: a `dynamic` variable of one instance.
struct Coordinate {
    std::string name; ///< "theta", "left.theta", "x[3]"
    double initial = 0;
    double initial_rate = 0;
    Origin origin = {};
    CoordinateKind kind = CoordinateKind::number;
};

/// A function of time and state from a plug-in that whoever starts the run binds to the name.
struct Import {
    std::string name;
    Origin origin = {};
};

enum class TransformationKind : std::uint8_t {
    translate_x,
    translate_y,
    translate_z,
    rotate_x,
    rotate_y,
    rotate_z,
    scale, ///< all three axes alike
    scale_x,
    scale_y,
    scale_z,
    // The parts of a quaternion, four transformations in a row: together they turn by it.
    turn_w,
    turn_x,
    turn_y,
    turn_z,
};

constexpr bool is_scale(TransformationKind kind)
{
    return kind >= TransformationKind::scale && kind <= TransformationKind::scale_z;
}
constexpr bool is_turn_part(TransformationKind kind) { return kind >= TransformationKind::turn_w; }

struct Transformation {
    TransformationKind kind = TransformationKind::translate_x;
    Value amount = {}; ///< metres, radians or a factor
    Origin origin = {};
};

/// An instance of a def: a frame with a name. Children follow their parent in Scene::objects, so
/// the descendants of object i are the objects i + 1 .. objects[i].end - 1.
struct Object {
    static constexpr std::int64_t kNoIndex = INT64_MIN;

    std::string name;              ///< its own, or its def's when it has none
    std::int64_t index = kNoIndex; ///< 3 in `b[3]`
    std::uint32_t ordinal = 0; ///< 2 in `crate#2`: among unnamed siblings of the same def; else 0
    bool is_anonymous = false; ///< the frame of a transformed primitive; cannot be named
    ObjectId parent = {};      ///< invalid for the world, object 0
    ObjectId on = {};          ///< the frame it rides on, if not its parent's
    std::uint32_t end = 0;     ///< one past its last descendant
    std::uint32_t first_transformation = 0; ///< in Scene::transformations, innermost first
    std::uint32_t transformation_count = 0;
    Origin origin = {};
};

struct Mass {
    ObjectId object;
    double mass = 0;
    Origin origin = {};
};

/// A homogeneous block centred at the origin of its object.
struct BoxMass {
    ObjectId object;
    double mass = 0;
    Vec3 size = {0, 0, 0};
    Origin origin = {};
};

/// A named point without mass.
struct Label {
    ObjectId object;
    Origin origin = {};
};

/// Part of Scene::values.
struct ValueList {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

enum class PathKind : std::uint8_t {
    point,
    line,
    spline,
    spline_through,
    polyline,
    closed_spline, ///< through its points and round again; the last point is the first
};

/// True for splines that pass through their points.
constexpr bool passes_through(PathKind kind)
{
    return kind == PathKind::spline_through || kind == PathKind::closed_spline;
}

/// A curve whose points may move, in the frame of the def it is written in.
struct Path {
    PathKind kind = PathKind::point;
    ObjectId frame = {};
    ValueList points = {}; ///< x, y, z of each
    Origin origin = {};
};

enum class DrawingKind : std::uint8_t {
    line,
    polygon,
    path,
    probe, ///< not seen: its one point holds numbers to be recorded
};

struct Drawing {
    DrawingKind kind = DrawingKind::line;
    ObjectId object = {};
    ValueList points = {}; ///< of a line or polygon
    PathId path = {};      ///< of a path
    Origin origin = {};
    std::string name = {}; ///< of a probe
};

/// When a constraint holds, and when it lets go for good. The conditions are of what holds rods;
/// `active` and `ease` of what holds strands too.
struct Release {
    std::optional<double> until = {};  ///< lets go at this time [s]
    std::optional<double> breaks = {}; ///< lets go above this force [N]
    /// Lets go when the two are farther apart than this; those that it keeps together: when they
    /// are farther from where they began [m].
    std::optional<double> beyond = {};
    Value active = {1}; ///< above 0.5 it holds
    double ease = 0.25; ///< how long it takes to close what is open when it begins to hold [s]

    bool has_conditions() const { return until || breaks || beyond; }
    bool always_holds() const
    {
        return !has_conditions() && active.is_constant() && active.number > 0.5;
    }
};

struct DistanceConstraint {
    ObjectId a;
    ObjectId b; ///< invalid: `path` stands for it
    Value distance = {};
    PathId path = {}; ///< a point, for points of rods
    Release release = {};
    Origin origin = {};
};

struct PathConstraint {
    ObjectId point;
    PathId path;
    Release release = {};
    Origin origin = {};
};

/// Force k (|b − a| − L0) + c d|b − a|/dt along the line from a to b.
struct PointSpring {
    ObjectId a, b;
    Value rest_length = {}, stiffness = {}, damping = {};
    Release release = {};
    Origin origin = {};
};

/// The same along one coordinate: a torsion spring where it drives a rotation. One that follows is
/// a motor: it damps the rate against that of its rest length, with a force of at most `most`.
struct CoordinateSpring {
    CoordinateId coordinate;
    Value rest_length = {}, stiffness = {}, damping = {};
    Origin origin = {};
    bool follows = false;
    Value most = {}; ///< [N, N m]; of a motor
};

/// A torque [N m] on a turn, about the axes it starts from: a given one, less k times the vector
/// of the rotation and c times the angular velocity.
struct TurnTorque {
    CoordinateId turn;
    Value x = {}, y = {}, z = {}, stiffness = {}, damping = {};
    Origin origin = {};
};

/// A coordinate stays between `low` and `high`: its rate there comes back times the bounce.
struct CoordinateLimit {
    CoordinateId coordinate;
    double low = 0, high = 0;
    double bounce = 0;
    Origin origin = {};
};

/// Friction of a coordinate against its own motion: at most `most` [N, N m].
struct CoordinateFriction {
    CoordinateId coordinate;
    Value most = {};
    Origin origin = {};
};

/// The moment at which a condition comes true, and the rates it sets: for the first time, or each
/// time anew.
struct Event {
    struct RateSet {
        CoordinateId coordinate;
        Value rate = {};
    };
    CoordinateId time;    ///< its coordinate
    Value condition = {}; ///< above 0.5 it comes
    std::vector<RateSet> rates = {};
    bool repeats = false; ///< its time is kNever again where the condition ends
    Origin origin = {};
};

/// A force [N] on the origin of an object, components along the axes of `frame`.
struct Force {
    ObjectId object, frame;
    Value x = {}, y = {}, z = {};
    Origin origin = {};
};

/// A generalised force on a coordinate: N m on a rotation, N on a translation.
struct Torque {
    CoordinateId coordinate;
    Value value = {};
    Origin origin = {};
};

/// A torque [N m] on the body that an object belongs to, components along the axes of `frame`.
struct BodyTorque {
    ObjectId object, frame;
    Value x = {}, y = {}, z = {};
    Origin origin = {};
};

/// A force −c v on the origin of an object.
struct Drag {
    ObjectId object;
    Value coefficient = {};
    Origin origin = {};
};

/// An acceleration [m/s²] of every mass and every tree in the named objects, along the axes of
/// `frame`. On trees it may depend on the place along and on the place acted at.
struct Field {
    ObjectId frame;
    Value x = {}, y = {}, z = {};
    std::vector<ObjectId> on = {};
    Origin origin = {};
};

enum class ShapeKind : std::uint8_t {
    sphere,       ///< radius
    box,          ///< size: full lengths
    capsule,      ///< radius; length of the straight part; along y, centred
    cylinder,     ///< radius, length; along y, centred
    cone,         ///< radius of the foot, length; along y, centred at half its length
    hull,         ///< the convex hull of the vertices of a mesh, whose triangles bound it
    plane,        ///< n·x = offset with n = size, of unit length; the free side is along n
    height_field, ///< a mesh over a grid in x and z, y upwards: size.x columns, size.z rows, length
                  ///< from one to the next; corner number row · columns + column
    mesh,         ///< a closed surface; of an obstacle it may be open
    ellipsoid     ///< size: its three radii
};

/// A shape of a body or obstacle.
struct Shape {
    static constexpr std::uint32_t kNoMesh = 0xffffffff;

    ShapeKind kind = ShapeKind::sphere;
    ObjectId body = {};  ///< object of the RigidBody it belongs to
    ObjectId frame = {}; ///< the frame it is written in: the body's own, or one fixed to it
    Vec3 size = {0, 0, 0};
    double radius = 0, length = 0, offset = 0;
    std::uint32_t mesh = kNoMesh; ///< in Scene::meshes
    Origin origin = {};
};

/// How the surfaces of a body feel. Two bodies in contact have the geometric mean of their
/// frictions and the larger bounce, unless a MaterialPair says otherwise.
struct Material {
    ObjectId object;
    double friction = 0.5;
    double bounce = 0;                  ///< restitution, 0 to 1
    double rolling = 0;                 ///< arm of rolling resistance [m]
    std::optional<double> sliding = {}; ///< friction of what slides; none: the same
    Origin origin = {};
};

/// The same for two bodies; of several for the same two the last holds.
struct MaterialPair {
    ObjectId a, b;
    double friction = 0.5, bounce = 0, rolling = 0;
    std::optional<double> sliding = {};
    Origin origin = {};
};

/// How the surface of a body runs against the body itself, axes of the object [m/s].
struct Belt {
    ObjectId object;
    Value x = {}, y = {}, z = {};
    Origin origin = {};
};

/// What two bodies do where they meet.
enum class Meeting : std::uint8_t {
    push,  ///< they push each other
    pass,  ///< they do not know of each other
    sense, ///< they pass through each other, and it is noted (World::contact_events)
};

/// An exception for two bodies; of several for the same two the last holds.
struct MeetingPair {
    ObjectId a, b;
    Meeting meeting = Meeting::push;
    Origin origin = {};
};

/// A def with `body(...)`, moved by forces and contacts, or with `obstacle()`, moved by tracks.
struct RigidBody {
    ObjectId object;
    double density = 0;        ///< [kg/m³]; 0: `mass` is given
    double mass = 0;           ///< [kg]; with density 0 too: an obstacle
    Vec3 velocity = {0, 0, 0}; ///< of the object's origin at the start, axes of the world [m/s]
    Vec3 spin = {0, 0, 0};     ///< at the start, axes of the world [rad/s]
    std::optional<double> gravity = {}; ///< share of it that the body feels; none: all of it
    double damping = 0;                 ///< rate at which its velocity dies down [1/s]
    double spin_damping = 0;            ///< and its spin [1/s]
    bool is_asleep = false;             ///< at the start: it stays until something wakes it
    Origin origin = {};

    bool is_obstacle() const { return density == 0 && mass == 0; }
};

/// How the mass of a body lies, where it is not spread evenly over its shapes.
struct MassPlacement {
    ObjectId object;
    std::optional<Vec3> centre = {};  ///< of mass, in the object's frame
    std::optional<Vec3> moments = {}; ///< of inertia about it, axes of the object [kg m²]
    Origin origin = {};
};

enum class JointKind : std::uint8_t {
    ball,
    hinge,
    slider,
    fixed,
    distance,
    universal, ///< turns about `axis` of b, then about `other` of a
    locks,     ///< no displacement along the axes of `frame` that `other` marks with 1, no rotation
               ///< about those that `axis` marks; at the centre of mass of a
    gear,      ///< a turns `distance` times for one turn of b, against it where that is positive
    rack,      ///< a slides on b, a wheel of radius `distance`, which rolls on it
    screw      ///< a hinge along which a moves by `distance` in a turn
};

/// Holds two things together, of which one at least is a free body: objects of RigidBodies, objects
/// outside all bodies that a linkage or tracks move, or b the world, object 0. Angles and ways are
/// those of a seen from b, about or along the axis, 0 at the start.
struct Joint {
    JointKind kind = JointKind::ball;
    ObjectId a, b;
    ObjectId frame = {};    ///< of point and axis, where it is at the start
    Vec3 point = {0, 0, 0}; ///< where they meet; of a distance: fixed to a, in a's own frame
    Vec3 other = {0, 0, 0}; ///< of a distance: fixed to b, in b's own frame
    Vec3 axis = {0, 0, 0};  ///< of a hinge, slider or screw, unit length
    std::optional<Value> distance = {};          ///< of a distance [m]; none: as at the start; of
                                                 ///< wheels and screws, constant: as JointKind says
    std::optional<double> low = {}, high = {};   ///< limits [rad or m]
    std::optional<Value> motor = {};             ///< speed [rad/s or m/s]
    double motor_force = 0;                      ///< at most [N m or N]; 0: any
    std::optional<double> breaks = {};           ///< above this force [N]
    std::optional<double> breaks_torque = {};    ///< above this torque [N m]
    std::optional<double> until = {};            ///< lets go at this time [s]
    Value active = {1};                          ///< above 0.5 it holds
    std::optional<double> cone = {}, twist = {}; ///< of a ball: how far its axis may swing, and how
                                                 ///< far it may turn about that [rad]
    std::optional<Value> target = {};            ///< angle or way to go to [rad or m]
    double stiffness = 0, damping = 0;           ///< towards the target; against the motion
    double friction = 0;                         ///< dry, against the motion [N m or N]
    Origin origin = {};
};

/// A curve of rigid segments with elastic joints. The curves of one object are a tree: those
/// without `from` are clamped to its frame, at their first point and with their first direction.
struct StrandCurve {
    static constexpr std::uint32_t kNone = 0xffffffff;

    ObjectId tree;   ///< the instance whose def it is written in; its frame carries the roots
    ObjectId object; ///< what names it: `tree.trunk`, or the tree itself
    PathId path;     ///< at rest, in the tree's frame; constant; sampled at equal arc lengths
    std::uint32_t segments = 0;
    std::uint32_t from = kNone; ///< the curve it branches from, an earlier one in Scene::strands
    double from_along = 0;      ///< where on it, a fraction of its rest length
    std::uint32_t root = kNone; ///< in Scene::strand_roots, where it stands on a skin
    Origin origin = {};
};

enum class StrandPropertyKind : std::uint8_t {
    radius,            ///< [m]
    mass_per_length,   ///< [kg/m]
    density,           ///< [kg/m³]
    young,             ///< [Pa]
    poisson,           ///< 1
    bend_stiffness,    ///< EI [N m²]: a about the section's x, b about its z
    twist_stiffness,   ///< GJ [N m²]
    damping,           ///< relaxation time of bending and twist [s]: a of bend, b of twist
    air_drag,          ///< force per length and speed [N s/m²]: a along the curve, b across it
    hinge,             ///< joints turn about one axis of the section only: 0 x, 1 y (twist), 2 z
    surface,           ///< a: friction, b: bounce, where it touches bodies
    contact,           ///< whether it touches bodies there: above 0.5
    least_radius,      ///< of curvature [m]: joints bend no further
    stretch,           ///< length by rest length, mass kept
    stretch_stiffness, ///< EA [N]: lengths move under load; not said: they do not
    sliding            ///< friction where it slides; not said: as where it sticks
};

/// One property of the curves of a tree, along and in time. What is said of one curve wins
/// over what is said of all, else the last holds.
/// Those of one tree stand together, trees in the order of their objects.
struct StrandProperty {
    StrandPropertyKind kind = StrandPropertyKind::radius;
    ObjectId tree;
    std::uint32_t curve = StrandCurve::kNone; ///< in Scene::strands; none: all of the tree
    Value a = {}, b = {};                     ///< b: of a pair; else as a
    Origin origin = {};
};

/// A tree as a whole.
struct StrandTree {
    ObjectId object;
    bool has_zero_gravity_rest = false; ///< at rest under gravity in the shape that is drawn
    Vec3 velocity = {0, 0, 0};          ///< of its start, as a rigid whole [m/s], axes of the world
    Vec3 spin = {0, 0, 0};              ///< [rad/s], about the object's origin
    /// Its base moves, for the tree, with β (v₀ − γ v_ref), and accelerates likewise.
    Value time_scale = {1};     ///< β
    Value local_dynamics = {0}; ///< γ
    ObjectId reference = {};    ///< of γ; invalid: the base itself
    Value blend = {1};          ///< of what is seen: 1 the simulation, 0 the pose or rest shape
    Value freeze = {0};         ///< above 0.5 its base carries it as it is
    Origin origin = {};
};

/// A surface whose corners move: at each of its times they are known, between them smooth. In the
/// frame of the trees that stand on it.
struct Skin {
    std::vector<std::array<std::uint32_t, 3>> triangles = {};
    std::vector<double> times = {};  ///< [s], rising; before and after them it stands
    std::vector<Vec3> vertices = {}; ///< those of each time, one behind the other
    Origin origin = {};

    std::size_t vertex_count() const { return times.empty() ? 0 : vertices.size() / times.size(); }
};

/// Where a curve stands on a skin: at (1 − u − v) a + u b + v c of a triangle's corners. It goes
/// and turns with the triangle; its path is as things are at the skin's first time.
struct StrandRoot {
    std::uint32_t skin = 0, triangle = 0;
    double u = 0, v = 0;
};

/// An animated shape that springs draw the tips of a curve's segments to, and that a blend shows.
struct StrandPose {
    ObjectId tree;
    std::uint32_t curve = 0; ///< in Scene::strands
    PathId path;             ///< in the tree's frame; may move, known in advance
    Value strength = {0};    ///< stiffness per length [N/m²], along and in time
    Value damping = {0};     ///< per length [N s/m²], along and in time
    Origin origin = {};
};

/// A point of a strand as a frame: y along the segment there, x and z across it.
struct StrandSite {
    ObjectId object; ///< an anonymous one, which others ride on; it rides on the tree, and its
                     ///< transformations are the place at rest
    std::uint32_t curve = 0;
    double along = 0; ///< fraction of the curve's rest length
    Origin origin = {};
};

enum class StrandConstraintKind : std::uint8_t {
    position,    ///< a's origin stays at b's, or at the point `path`: three equations
    fusion,      ///< the same, and the two frames keep the turn between them that they start with
    orientation, ///< a's y axis stays along (x, y, z) of `frame`: two equations
    distance,    ///< the origins of a and b stay `distance` apart, or between `low` and `high`
    above,       ///< a's origin stays above b: its first plane, else y = 0 of its frame
    spring,      ///< as PointSpring, with `distance` for its rest length
    joint        ///< the joint before a's segment has the turn `distance` about `axis` of its
                 ///< section, against its rest, or one between `low` and `high` [rad]
};

/// Holds a point of a strand. What it is held to may be another such point (of the same strand
/// too: a loop), a body, a point of a linkage, or anything that tracks move.
struct StrandConstraint {
    StrandConstraintKind kind = StrandConstraintKind::position;
    ObjectId a;          ///< the object of a StrandSite, or one fixed to it
    ObjectId b = {};     ///< invalid: `path` or the direction says where
    PathId path = {};    ///< of a position: a point, which may move
    ObjectId frame = {}; ///< of an orientation's direction
    Value x = {}, y = {}, z = {};
    std::optional<Value> distance = {};
    std::optional<double> low = {}, high = {}; ///< of a distance [m] or joint [rad]
    Axis axis = Axis::x;                       ///< of a joint
    Value stiffness = {}, damping = {};        ///< of a spring
    Value active = {1};                        ///< above 0.5 it holds
    double ease = 0.25; ///< how long it takes to close what is open when it begins to hold [s]
    Origin origin = {};
};

enum class RodKind : std::uint8_t {
    spline, ///< a cubic B-spline: stretches, bends and twists
    chain   ///< points with springs between them: stretches and bends
};

/// A curve that stretches, bends and twists: a rope, a cable, a bow. Free, unless constraints hold
/// it. A round section of one material.
struct Rod {
    ObjectId object; ///< the instance whose def it is written in; its frame at the start places it
    PathId path; ///< at the start, in the object's frame; constant; sampled at equal arc lengths
    RodKind kind = RodKind::spline;
    std::uint32_t spans = 0;
    double radius = 0;                            ///< [m]
    double young = 0;                             ///< [Pa]
    double poisson = 0;                           ///< 1
    double density = 0;                           ///< [kg/m³]
    double damping = 0;                           ///< relaxation time of all its strains [s]
    double drag_along = 0, drag_across = 0;       ///< of air: force per length and speed [N s/m²]
    std::optional<double> stretch_stiffness = {}; ///< EA [N]; none: of the section
    std::optional<double> bend_stiffness = {};    ///< EI [N m²]; the same
    std::optional<double> twist_stiffness = {};   ///< GJ [N m²]; the same
    std::optional<double> mass_per_length = {};   ///< [kg/m]; the same
    std::optional<double> stretch_damping = {};   ///< [s]; none: `damping`
    std::optional<double> bend_damping = {}, twist_damping = {}; ///< the same
    std::optional<double> rest_length = {};                      ///< [m]; none: as drawn
    bool is_straight = false;                                    ///< at rest; else bent as drawn
    PathId rest_path = {};     ///< or as this one; constant; invalid: none
    Vec3 velocity = {0, 0, 0}; ///< of its start, as a rigid whole, axes of the world
    Vec3 spin = {0, 0, 0};     ///< [rad/s], about the object's origin
    Value friction = {0.5}; ///< of its surface; along the rod, at the start, as those that follow
    Value bounce = {0};
    Value contact = {1};       ///< whether it touches there: above 0.5
    double begin = 0, end = 1; ///< of a piece of a rod that is cut: which part of the path it is
    ObjectId whole = {};       ///< of such a piece: what names all of it; invalid: it is no piece
    Origin origin = {};
};

/// A point of a rod as a frame: y along the rod, x and z across it, as its material turns.
struct RodSite {
    ObjectId object; ///< an anonymous one, which others ride on
    std::uint32_t rod = 0;
    double along = 0; ///< fraction of the rest length
    Origin origin = {};
};

enum class RodConstraintKind : std::uint8_t {
    position,    ///< a stays at b, or at the point `path`
    orientation, ///< the y axis of a (a rod's tangent) stays along `direction`
    plane,       ///< a stays in the plane through the point `path` across `direction`
    axis,        ///< a stays on the line `path`
    circle,      ///< a stays `distance` from the point `path`, in the plane across `direction`
    trajectory,  ///< a stays on the curve `path`
    distance,    ///< a and b, or a and the point `path`, stay `distance` apart
    fusion,      ///< a and b stay together
    keyhole,     ///< the rod a passes through b, or through the point `path`
    pearl,       ///< the same, b being what slides on the rod
    spring,      ///< a and b pull at each other, at rest at `distance`
    pulley,      ///< the rod a runs round a wheel of `radius` about `direction`, fixed to b or at
                 ///< the point `path`
    winch        ///< an end of the rod a is wound on such a wheel
};

/// What happens to a keyhole or pearl where its rod ends.
enum class RodEnd : std::uint8_t {
    stop,  ///< it comes no further
    leave, ///< it comes off for good
    clamp  ///< it stays there for good
};

enum class RodTangent : std::uint8_t {
    free,  ///< of a fusion: they may turn against each other
    fixed, ///< they keep the angles they have at the start
    along  ///< both tangents stay parallel
};

/// Holds points of rods to places, to each other, to bodies and to what linkages or tracks move.
/// Of a and b at least one is, or slides on, a rod.
struct RodConstraint {
    RodConstraintKind kind = RodConstraintKind::position;
    ObjectId a; ///< object of a RodSite, or anything; of a keyhole or pearl the Rod's own object
    ObjectId b = {};            ///< invalid: `path` stands for it
    PathId path = {};           ///< point, line or curve; its points may move
    ObjectId frame = {};        ///< of direction: fixed to it
    Vec3 direction = {0, 0, 0}; ///< unit length
    Value distance = {};        ///< [m]
    RodTangent tangent = RodTangent::free;
    bool is_at_most = false, is_at_least = false; ///< one-sided: distance, plane
    double from = 0;                              ///< keyhole, pearl: where on the rod at the start
    double friction = 0;                          ///< keyhole, pearl: Coulomb's μ
    double viscous = 0;                           ///< keyhole, pearl: [N s/m]
    std::optional<Value> slide = {}; ///< keyhole: speed of the rod through it; winch: pays out
                                     ///< [m/s]
    bool is_oriented = false;        ///< keyhole: the tangent stays along `direction`
    RodEnd end = RodEnd::stop;
    double low = 0, high = 1;         ///< keyhole, pearl: stops on the rod; 0 and 1: its ends
    std::optional<double> angle = {}; ///< fusion: between the tangents [rad]
    Value stiffness = {0};            ///< spring [N/m]
    Value damping = {0};              ///< spring [N s/m]
    double radius = 0;                ///< pulley, winch: to the middle of the rod [m]
    std::optional<Value> torque = {}; ///< winch: that winds up [N m]
    double stored = 0;                ///< winch: wound up at the start [m]
    std::uint32_t turns = 0;          ///< pulley: whole turns besides what is drawn
    bool is_last = false;             ///< winch: winds up the rod's last point
    Release release = {};
    Origin origin = {};
};

/// Where a rod is cut. It is two rods from the start on, each a piece of the path, which a fusion
/// holds together until then.
struct RodCut {
    ObjectId site;              ///< the last point of the piece before it, as in Scene::rod_sites
    std::optional<double> when; ///< [s]; none: from the start on
    Origin origin = {};
};

/// What rods touch.
enum class RodContact : std::uint8_t {
    bodies, ///< and obstacles
    all,    ///< each other and themselves too
    none
};

/// How the matrix of rods and their constraints is solved.
enum class RodSolver : std::uint8_t {
    fast,  ///< dense rows, or fronts where they are many
    banded ///< the paper's: reverse Cuthill-McKee, LU in a band; friction keeps to dense rows
};

struct RodSettings {
    int iterations = 0; ///< of each stage; 0: until it converges; 1: the paper's linearised step
    RodContact contact = RodContact::bodies;
    RodSolver solver = RodSolver::fast;
    double tolerance = 1e-6;      ///< of a stage: what velocities may still change by [m/s]
    bool is_quasi_static = false; ///< without inertia: at rest at the end of every step
};

enum class AirKind : std::uint8_t {
    wind,       ///< velocity (x, y, z) everywhere
    turbulence, ///< random, without sources; of a strength, a length and a time
    vortex,     ///< about an axis: solid within `size`, falling as 1/r outside
    wake,       ///< dragged along behind a moving object: falls off over `size`
    noise,      ///< a random force per mass instead of an air velocity [m/s²]
    continuum   ///< no air: hair as a fluid of its neighbours, pushing and dragging each other
};

/// How air moves: what has air drag feels its velocity against it.
struct Air {
    AirKind kind = AirKind::wind;
    ObjectId frame = {};             ///< of vectors and places
    Value x = {0}, y = {0}, z = {0}; ///< wind: velocity [m/s]; continuum: pressure at twice its
                                     ///< density [Pa], viscosity [1/s], density [kg/m³]
    Value strength = {0}; ///< turbulence: root mean square [m/s]; noise [m/s²]; vortex: speed at
                          ///< `size` [m/s]; wake: share of the object's velocity
    double size = 1;   ///< turbulence, noise: length [m]; vortex: of its core; wake: of its width;
                       ///< continuum: how far neighbours feel each other
    double period = 1; ///< turbulence, noise: time [s]
    Vec3 point = {0, 0, 0}, axis = {0, 1, 0}; ///< vortex, in `frame`
    ObjectId behind = {};                     ///< wake
    std::uint32_t seed = 1;
    Value weight = {1};            ///< along the curve
    std::vector<ObjectId> on = {}; ///< trees, or single curves
    Origin origin = {};
};

enum class StrandMethod : std::uint8_t {
    automatic, ///< implicit steps of Settings::step, second order
    ida        ///< variable order and steps to a tolerance, for reference
};

enum class StrandFriction : std::uint8_t {
    disc, ///< against the slip, whichever way that is
    hadap ///< the paper's: along one direction, found when the step begins
};

struct StrandSettings {
    StrandMethod method = StrandMethod::automatic;
    StrandFriction friction = StrandFriction::disc;
    bool touch_each_other = false;
    bool is_float = false;   ///< precision = float: in the strand's own units
    double tolerance = 1e-8; ///< of ida
    /// Of ida: by differences, dense. For fields that are steep within a segment's length.
    bool has_numerical_jacobian = false;
};

struct Colour {
    ObjectId object;
    Vec3 rgb = {0, 0, 0}; ///< 0 to 1 each
    Origin origin = {};
};

/// What an object and all inside it are made of, to the eye.
struct ObjectLook {
    ObjectId object;
    Look look = {};
    std::optional<Vec3> colour = {}; ///< where the object has no Colour; sRGB, 0 to 1
    Origin origin = {};
};

/// Hairs that are drawn about the strands of a tree.
struct TreeChildren {
    ObjectId tree;
    Children children = {};
    Origin origin = {};
};

/// Where a camera is at a time, and what it looks at.
struct CameraKey {
    double time = 0; ///< [s]
    Vec3 position = {0, 0, 0};
    Vec3 target = {0, 0, 0};
};

struct Camera {
    Vec3 position = {0, 0, 0};
    Vec3 target = {0, 0, 0};
    double field_of_view = 0; ///< radians, vertical
    Origin origin = {};
    ObjectId frame = {}; ///< what it rides on, with position and target; invalid: the world
    std::vector<CameraKey> keys = {}; ///< times ascending: where it is instead; straight between
};

/// Where a camera is at a time, in its frame.
Camera camera_at(const Camera& camera, double time);

enum class BodyMethod : std::uint8_t {
    automatic, ///< patches and Newton, until the contact laws hold
    erleben    ///< the paper's: projected Gauss-Seidel with error correction and shock propagation
};

struct BodySettings {
    BodyMethod method = BodyMethod::automatic;
    int iterations = 0;    ///< of the paper's method; 0: its own choice
    bool has_shock = true; ///< propagate shocks layer by layer
    int smoothing = 0;     ///< iterations afterwards
    int substeps = 1;
    bool may_sleep = true;
};

enum class LinkageMethod : std::uint8_t {
    automatic, ///< exact constraints, steps as short as the error asks for
    charli,    ///< the paper's scheme: steps of Settings::step
    fixed      ///< exact constraints, steps of Settings::step: order 4, cost known in advance
};

struct Settings {
    Value gravity_x = {0}, gravity_y = {-9.81}, gravity_z = {0};
    double frame_rate = 24;
    double start = 0;
    double end = 10;
    double step = 1.0 / 240;
    bool assemble = false; ///< move the start into agreement with the constraints, however far
    LinkageMethod linkage_method = LinkageMethod::automatic;
    BodySettings bodies = {};
    StrandSettings strands = {};
    RodSettings rods = {};
    bool settle = false; ///< start from the static equilibrium
    std::optional<Camera> camera = {};
    Origin simulate_origin = {}; ///< of the statement that set start, end and step
};

struct Scene {
    std::vector<SourceFile> files;
    std::vector<SourceFile> assets; ///< other files it was made from: meshes, heights
    Settings settings;
    std::vector<Parameter> parameters;
    std::vector<Coordinate> coordinates;
    std::vector<Import> imports;
    std::vector<Formula> formulas;
    std::vector<Track> tracks;
    std::vector<Value> values;
    std::vector<Transformation> transformations;
    std::vector<Object> objects; ///< objects[0] is the world
    std::vector<Path> paths;
    std::vector<Mass> masses;
    std::vector<BoxMass> box_masses;
    std::vector<Label> labels;
    std::vector<Drawing> drawings;
    std::vector<DistanceConstraint> distance_constraints;
    std::vector<PathConstraint> path_constraints;
    std::vector<PointSpring> point_springs;
    std::vector<CoordinateSpring> coordinate_springs;
    std::vector<TurnTorque> turn_torques;
    std::vector<CoordinateLimit> coordinate_limits;
    std::vector<CoordinateFriction> coordinate_frictions;
    std::vector<Event> events;
    std::vector<Force> forces;
    std::vector<Torque> torques;
    std::vector<Drag> drags;
    std::vector<Field> fields;
    std::vector<Colour> colours;
    std::vector<RigidBody> bodies;
    std::vector<Shape> shapes;
    std::vector<TriangleMesh> meshes;
    std::vector<MeshMotion> mesh_motions; ///< of some of them; of obstacles alone
    std::vector<Material> materials;
    std::vector<MaterialPair> material_pairs;
    std::vector<Joint> joints;
    std::vector<StrandTree> trees;
    std::vector<StrandCurve> strands;
    std::vector<StrandProperty> strand_properties;
    std::vector<StrandSite> strand_sites;
    std::vector<Skin> skins;
    std::vector<StrandRoot> strand_roots;
    std::vector<StrandPose> strand_poses;
    std::vector<StrandConstraint> strand_constraints;
    std::vector<Air> airs;
    std::vector<Rod> rods;
    std::vector<RodSite> rod_sites;
    std::vector<RodConstraint> rod_constraints;
    std::vector<RodCut> rod_cuts;
    std::vector<ObjectLook> looks;
    std::vector<TreeChildren> children;
    std::optional<Studio> studio;
    std::optional<double> still; ///< [s]: the moment of a single picture
    std::vector<Belt> belts;
    std::vector<MeetingPair> meetings;
    std::vector<MassPlacement> mass_placements;
    std::vector<BodyTorque> body_torques;
};

/// A value and its first and second derivative with respect to time.
struct Rates {
    double value = 0, first = 0, second = 0;
};

/// On which side of a key to look: where a step arrives, or where the next one starts.
enum class Side : std::uint8_t { before, after };

/// What a value is at a time and a place along a curve.
/// Requires that it depends on nothing else (`is_known_in_advance`).
Rates rates_at(const Scene& scene, Value value, double time, double along = 0,
               Side side = Side::after);

/// The same with derivatives with respect to the place along the curve.
Rates rates_along(const Scene& scene, Value value, double time, double along,
                  Side side = Side::after);

/// True when the value depends on time and place along a curve only: no coordinate, position,
/// import.
bool is_known_in_advance(const Scene& scene, Value value);

/// The times of all keys the value depends on, sorted, each once.
std::vector<double> key_times(const Scene& scene, Value value);

/// The places along the curve of all keys the value depends on, sorted, each once.
std::vector<double> key_places(const Scene& scene, Value value);

/// What people and tables call each object: its plain name where that is the only one, else the way
/// down to it, "left.tip". The world is "world".
std::vector<std::string> object_names(const Scene& scene);

/// What tables call each strand, as Scene::strands: "tree.trunk", or its tree's name where it has
/// none of its own; of several such "tree#1", "tree#2". Its nodes are "tree.trunk[0]", ...
std::vector<std::string> strand_names(const Scene& scene);

/// What tables call each rod, as Scene::rods: its object's name. Its nodes are "rope[0]", ...
std::vector<std::string> rod_names(const Scene& scene);

/// Line and column of an origin; the empty place when the scene was made by a program.
Place place_of(const Scene& scene, Origin origin);

/// One number for all that decides a scene's motion and picture: equal for scripts that differ only
/// in white space and comments.
std::uint64_t fingerprint(const Scene& scene);

/// Every fault of a scene taken as data: numbers that are not finite or have the wrong sign,
/// references that lead nowhere, keys out of order, frames that ride on themselves.
Problems validate(const Scene& scene);

/// The mechanism in numbers, and what its start says before the first frame.
struct Reading {
    int object_count = 0; ///< without the world
    int mass_count = 0;
    int label_count = 0;
    int coordinate_count = 0;
    int driven_count = 0;      ///< transformations that a track, an import or `time` drives
    int constraint_count = 0;  ///< statements
    int equation_count = 0;    ///< scalar equations of all constraints
    int independent_count = 0; ///< of these, how many are independent at the start
    int spring_count = 0;
    int force_count = 0; ///< forces, torques, drags, fields
    int drawing_count = 0;
    int body_count = 0; ///< that forces and contacts move
    int obstacle_count = 0;
    int joint_count = 0;
    int tree_count = 0;   ///< of strands
    int strand_count = 0; ///< curves
    std::uint64_t segment_count = 0;
    std::uint64_t joint_coordinate_count = 0; ///< 3 for a segment, 1 where its joint is a hinge
    std::vector<double> strand_masses = {};   ///< as Scene::strands [kg]
    int rod_count = 0;
    int rod_constraint_count = 0;         ///< statements
    std::uint64_t rod_point_count = 0;    ///< control points
    std::vector<double> rod_masses = {};  ///< as Scene::rods [kg]
    std::vector<double> body_masses = {}; ///< as Scene::bodies [kg]; 0: an obstacle
    std::optional<int> freedom =
        {}; ///< coordinates − independent constraints; none: too large to count
    std::vector<double> residuals = {}; ///< by how much each constraint is off at the start [m]
    Problems problems = {}; ///< constraints violated at the start, massless directions, ...
};

/// Requires that `validate` found no error.
Reading read_scene(const Scene& scene);

} // namespace sinew
