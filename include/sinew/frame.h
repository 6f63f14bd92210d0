#pragma once

// What can be seen at one instant, by value: safe to keep, to send, to write to disk.

#include "sinew/math.h"
#include "sinew/scene.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What a constraint pushed and turned its first end with in the last step; its other end felt the
/// opposite.
struct ConstraintLoad {
    Vec3 place = {0, 0, 0};  ///< of that end, in the world
    Vec3 force = {0, 0, 0};  ///< on it [N], world axes
    Vec3 torque = {0, 0, 0}; ///< on it, about the place [N m]

    bool operator==(const ConstraintLoad&) const = default;
};

/// The section force at a node of a rod: what the two sides of its section exert on each other.
struct SectionForce {
    double tension = 0; ///< [N], negative where it is pressed
    double bending = 0; ///< size of the bending moment [N m]
    double twist = 0;   ///< moment about the tangent [N m]

    bool operator==(const SectionForce&) const = default;
};

struct Frame {
    double time = 0;
    std::vector<Affine> objects = {}; ///< as Scene::objects
    std::vector<Vec3> points = {};    ///< of all drawings in their order, in the world
    std::vector<Vec3> nodes = {};     ///< of Scene::strands, each segments + 1, in the world; then
                                      ///< of Scene::rods, each spans + 1
    std::vector<Quat> segments = {};  ///< of the same: frames, y along the segment
    std::vector<ConstraintLoad> loads = {};  ///< of Scene::strand_constraints, then of
                                             ///< Scene::rod_constraints; none: not known
    std::vector<SectionForce> sections = {}; ///< of Scene::rods, each spans + 1; none: not known

    bool operator==(const Frame&) const = default;
};

/// What tables call each constraint of strands, then of rods: what it holds and its word,
/// "rope.fusion"; of several such "rope.fusion#1", "rope.fusion#2".
std::vector<std::string> constraint_names(const Scene& scene);

/// How many points of Frame::points belong to a drawing. A path is drawn by a polyline.
std::size_t drawing_point_count(const Scene& scene, const Drawing& drawing);

/// One line of a table: a named thing at one instant.
struct TableRow {
    std::string name;
    Vec3 position;
    Quat rotation;                            ///< the identity for constraints and probes
    std::optional<ConstraintLoad> load = {};  ///< of a constraint
    std::optional<SectionForce> section = {}; ///< of a node of a rod
};

/// Every named thing of a frame, in the order of the script, then its probes, whose numbers stand
/// in the place of a position, then what holds strands and rods.
std::vector<TableRow> table_rows(const Scene& scene, const Frame& frame);

/// The same as lines of a table with commas, 17 digits, which is all a double has, and the line
/// above them: it has columns for loads where the scene has such constraints, and for what rods
/// carry where it has rods.
std::string table_lines(const Scene& scene, const Frame& frame);
std::string table_head(const Scene& scene);

} // namespace sinew
