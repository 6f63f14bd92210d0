#pragma once

// What does not change while a linkage moves: which frames carry which points, which unknowns move
// them, which rows tie them. Made once from the scene; the step only fills in numbers.

#include "math/jet.h"
#include "sinew/scene.h"
#include "solve/linear/sparse/sparse_ldl.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

class Kinematics;

/// Part of one of the plan's lists.
struct Range {
    std::uint32_t first = 0, count = 0;

    std::uint32_t end() const { return first + count; }
};

constexpr std::uint32_t kNoIndex = 0xffffffff;

/// Where a value's number comes from.
enum class ValueSource : std::uint8_t {
    constant,
    coordinate, ///< is a free coordinate, nothing else
    known,      ///< depends on time and imports only
    general     ///< a formula with coordinates or positions
};

/// A value of the scene as this linkage sees it.
struct PlannedValue {
    Value value = {};
    ValueSource source = ValueSource::constant;
    Range columns = {};    ///< in LinkagePlan::value_columns: unknowns it depends on
    Range positions = {};  ///< in LinkagePlan::positions: name_x it is made of
    bool switches = false; ///< abs, min, max, mod and their like: sides of a time differ
};

/// A `name_x` of a formula.
struct PlannedPosition {
    std::uint32_t formula = 0;      ///< in Scene::formulas
    std::uint32_t point = 0;        ///< the origin of the object
    std::uint32_t frame = kNoIndex; ///< the frame it is seen from; none: the world
    Range columns = {};             ///< in LinkagePlan::walk_columns: of `frame`
};

struct PlannedTransformation {
    TransformationKind kind = TransformationKind::translate_x;
    std::uint32_t value = 0; ///< in LinkagePlan::values
};

/// The frame of an object; parents come first.
struct PlannedFrame {
    ObjectId object;
    std::uint32_t parent = kNoIndex; ///< none: the world
    Range transformations = {};      ///< outermost first
    bool is_rigid = true;            ///< no scale between it and the world
    std::uint32_t relay = kNoIndex;  ///< the nearest relay above it or at it
    bool is_relay = false;
};

/// A frame whose motion is made of six unknowns of its own, tied to those above it by six rows.
/// Without relays the unknowns that move a point at the end of a long chain were all those of the
/// chain, and the mass matrix full; with them everything depends on a few neighbours.
struct PlannedRelay {
    std::uint32_t frame = 0;
    std::uint32_t first_column = 0; ///< velocity of the origin, angular velocity
    std::uint32_t first_row = 0;
    Range walk = {};  ///< in walk_columns: from this frame to the relay above it
    Range slots = {}; ///< in row_slots: for each column of the walk, which of its rows' columns
};

/// A material point: the walk from its frame to the relay above it meets the unknowns that move it.
struct PlannedPoint {
    std::uint32_t frame = kNoIndex; ///< none: fixed in the world
    Vec3 local = {0, 0, 0};
    Range partials = {}; ///< in the lists of partials: its distinct columns
    Range slots = {};    ///< in walk_slots: for each column met on the walk, which partial
};

struct PlannedMass {
    std::uint32_t point = 0;
    double mass = 0;
    std::vector<std::uint32_t> fields = {}; ///< in Scene::fields
};

/// One scalar row; its columns are a range of the lists of the Jacobian.
struct PlannedRow {
    Range columns = {};
    std::uint32_t statement = kNoIndex; ///< none: a relay's
};

enum class TieKind : std::uint8_t { distance, coincidence, path, coordinate };

/// A time in which a distance is so short that it counts as coincidence.
struct ZeroWindow {
    double begin = 0, end = 0;
};

/// A constraint of the script; or of a coordinate at its limit or stuck by friction, which has no
/// statement and does not hold at first.
struct PlannedTie {
    TieKind kind = TieKind::distance;
    std::uint32_t statement = 0;
    std::uint32_t first_row = 0, row_count = 1; ///< a distance that may vanish has three
    std::uint32_t a = 0, b = 0;                 ///< points; of a path: b is the point
    std::uint32_t length = kNoIndex;            ///< in values: of a distance
    std::uint32_t path = kNoIndex;              ///< in LinkagePlan::paths
    Range slots = {};                           ///< in row_slots: for each term, which column
    std::vector<ZeroWindow> windows = {};
    std::uint32_t memory = kNoIndex;  ///< of a distance that may vanish: direction in the memory
    std::uint32_t release = kNoIndex; ///< of one that may let go: 1 in the memory once it has
    std::uint32_t active = kNoIndex;  ///< in values: it lets go when this is not above 0.5
    bool waits = false;               ///< for an event: then it may hold again
    std::uint32_t place = kNoIndex;   ///< of a coordinate: in the memory, where it is held
};

/// A coordinate between two stops.
struct PlannedLimit {
    std::uint32_t column = 0, tie = 0; ///< the tie holds it at a stop
    double low = 0, high = 0, bounce = 0;
};

/// Friction of a coordinate; the tie holds it while it sticks.
struct PlannedFriction {
    std::uint32_t column = 0, tie = 0;
    std::uint32_t most = 0; ///< a value
    std::uint32_t sign = 0; ///< in the memory: the way it slips; 0 while it sticks
};

/// An event of the scene: its time is in the memory.
struct PlannedEvent {
    std::uint32_t event = 0;            ///< in Scene::events
    std::uint32_t time = 0;             ///< in the memory
    std::uint32_t condition = kNoIndex; ///< a value; none: others say when it comes
    struct RateSet {
        std::uint32_t column = 0, rate = 0; ///< a value
    };
    std::vector<RateSet> rates = {};
};

/// Where a formula that moves something goes over from one function to another as the linkage
/// moves: the sign of a − b, or a whole number.
struct PlannedKink {
    Operation operation = Operation::absolute;
    std::uint32_t a = 0, b = 0; ///< values
};

/// The path of a path constraint, with its place u as an unknown.
struct PlannedPath {
    PathKind kind = PathKind::point;
    std::uint32_t scene_path = 0;
    std::uint32_t frame = kNoIndex;
    Range values = {};               ///< x, y, z of each point, in LinkagePlan::path_values
    bool is_constant = false;        ///< in its own frame
    std::uint32_t column = kNoIndex; ///< of u; none for a point
    Range walk = {};                 ///< in walk_columns: of `frame`
};

struct PlannedPointSpring {
    std::uint32_t a = 0, b = 0;                                ///< points
    std::uint32_t rest_length = 0, stiffness = 0, damping = 0; ///< values
};

struct PlannedCoordinateSpring {
    std::uint32_t column = 0;
    std::uint32_t rest_length = 0, stiffness = 0, damping = 0;
    std::uint32_t most = kNoIndex; ///< of a motor: a value
    bool is_motor() const { return most != kNoIndex; }
};

/// A turn in space: the columns of its four parts. They are one too many: nothing moves with the
/// length of q, so it gets a mass of its own and stays as it is [notes: linkages, eq. 9].
struct PlannedTurn {
    std::array<std::uint32_t, 4> columns = {}; ///< w, x, y, z
};

/// As TurnTorque has it.
struct PlannedTurnTorque {
    std::uint32_t turn = 0;                                        ///< in LinkagePlan::turns
    std::uint32_t x = 0, y = 0, z = 0, stiffness = 0, damping = 0; ///< values
};

struct PlannedForce {
    std::uint32_t point = 0;
    std::uint32_t frame = kNoIndex;
    std::uint32_t x = 0, y = 0, z = 0;
};

struct PlannedTorque {
    std::uint32_t column = 0, value = 0;
};

struct PlannedDrag {
    std::uint32_t point = 0, coefficient = 0;
};

struct PlannedField {
    std::uint32_t frame = kNoIndex;
    std::uint32_t x = 0, y = 0, z = 0;
};

/// Three rotations in a row by coordinates: where the first axis and the last coincide, nothing
/// tells these two apart.
struct PlannedGimbal {
    std::uint32_t first = 0, last = 0; ///< in LinkagePlan::transformations
};

/// A mass or label that rows from outside may hold; or what bodies are joined to, which rows may
/// also turn: then with the points one metre along the axes of its frame.
struct PlannedSite {
    ObjectId object;
    std::uint32_t point = 0;
    std::array<std::uint32_t, 3> axes = {kNoIndex, kNoIndex, kNoIndex};

    bool has_axes() const { return axes[0] != kNoIndex; }
};

/// When the constraint of a statement lets go.
inline const Release& release_of(const Scene& scene, std::uint32_t statement)
{
    const std::size_t distances = scene.distance_constraints.size();
    return statement < distances ? scene.distance_constraints[statement].release
                                 : scene.path_constraints[statement - distances].release;
}

/// One linkage: objects, masses and constraints that share coordinates. Unknowns ("columns") are
/// first the coordinates, then the places on paths, then the relays' motions; the state holds the
/// first two.
struct LinkagePlan {
    const Scene* scene = nullptr;

    std::vector<std::uint32_t> coordinates; ///< column → number in Scene::coordinates
    std::uint32_t path_column_count = 0;
    std::uint32_t column_count = 0; ///< with the relays'
    std::uint32_t state_size() const
    {
        return static_cast<std::uint32_t>(coordinates.size()) + path_column_count;
    }
    std::vector<double> column_scale; ///< of the state: metres or radians that count as one
    std::vector<bool> is_length;      ///< of the state: else an angle, a factor, a place on a path

    std::vector<PlannedValue> values;
    std::vector<std::uint32_t> value_columns;
    std::vector<PlannedPosition> positions;
    std::vector<PlannedTransformation> transformations;
    std::vector<PlannedFrame> frames;
    std::vector<PlannedGimbal> gimbals;
    std::vector<PlannedTurn> turns;
    double turn_mass() const { return mean_mass * extent * extent; } ///< of the length of each
    std::vector<PlannedRelay> relays;
    std::vector<PlannedPoint> points;
    std::vector<std::uint32_t> partial_columns; ///< of all points
    std::vector<std::uint32_t> walk_columns, walk_slots;

    std::vector<PlannedMass> masses;
    std::vector<PlannedTie> ties;
    std::vector<PlannedLimit> limits;
    std::vector<PlannedFriction> frictions;
    std::vector<PlannedEvent> events;
    std::vector<PlannedKink> kinks;
    std::vector<PlannedPath> paths;
    std::vector<std::uint32_t> path_values;
    std::vector<PlannedRow> rows;
    std::vector<std::uint32_t> row_columns, row_slots;
    std::vector<PlannedPointSpring> point_springs;
    std::vector<PlannedCoordinateSpring> coordinate_springs;
    std::vector<PlannedForce> forces;
    std::vector<PlannedTorque> torques;
    std::vector<PlannedTurnTorque> turn_torques;
    std::vector<PlannedDrag> drags;
    std::vector<PlannedField> fields;
    std::uint32_t gravity[3] = {0, 0, 0}; ///< values
    std::vector<PlannedSite> sites;       ///< masses, labels, what is held; ascending by object

    std::vector<double> key_times; ///< where a track of this linkage has a key or a window an end
    std::uint32_t memory_size = 0; ///< directions of distances that may vanish, who has let go
    bool has_releases = false;
    bool has_switches() const ///< something that happens at times found on the way
    {
        return has_releases || !limits.empty() || !frictions.empty() || !events.empty() ||
               !kinks.empty();
    }
    double extent = 1;    ///< size of the mechanism [m]
    double mean_mass = 1; ///< [kg]

    std::size_t matrix_size() const { return column_count + rows.size(); }

    /// True when it may pass postures in which equations depend on each other for an instant.
    bool may_become_singular() const { return !ties.empty() || !gimbals.empty(); }
};

/// In whose frame a point is; the world for one that is fixed there.
inline ObjectId object_of(const LinkagePlan& plan, std::uint32_t point)
{
    const std::uint32_t frame = plan.points[point].frame;
    return frame == kNoIndex ? ObjectId{0} : plan.frames[frame].object;
}

/// Things of the scene that share coordinates, by their numbers in its lists.
struct LinkageParts {
    std::vector<std::uint32_t> coordinates, masses, box_masses, labels, distance_constraints,
        path_constraints, point_springs, coordinate_springs, limits, frictions, events, forces,
        torques, turn_torques, drags;
    std::vector<ObjectId> held; ///< what joints, springs and constraints tie to other models
};

/// Every linkage of a scene, in the order of their first coordinates. Coordinates that move nothing
/// belong to none. Requires a validated scene.
std::vector<LinkageParts> find_linkages(const Scene& scene);

LinkagePlan make_plan(const Scene& scene, const LinkageParts& parts);
/// The same for one linkage of many: `start` is where everything is then.
LinkagePlan make_plan(const Scene& scene, const LinkageParts& parts, const Kinematics& start);

/// Constraints by the hundred on the same few coordinates: at most as many can be independent as
/// there are coordinates, and all would have to be told apart in every step. None: fine.
std::optional<Problem> find_crowd(const LinkagePlan& plan);

} // namespace sinew
