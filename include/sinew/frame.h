#pragma once

// What can be seen at one instant, by value: safe to keep, to send, to write to disk.

#include "sinew/math.h"
#include "sinew/scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sinew {

struct Frame {
    double time = 0;
    std::vector<Affine> objects = {}; ///< as Scene::objects
    std::vector<Vec3> points = {};    ///< of all drawings in their order, in the world
    std::vector<Vec3> nodes = {};     ///< of Scene::strands, each segments + 1, in the world; then
                                      ///< of Scene::rods, each spans + 1
    std::vector<Quat> segments = {};  ///< of the same: frames, y along the segment

    bool operator==(const Frame&) const = default;
};

/// How many points of Frame::points belong to a drawing. A path is drawn by a polyline.
std::size_t drawing_point_count(const Scene& scene, const Drawing& drawing);

/// One line of a table: a named thing at one instant.
struct TableRow {
    std::string name;
    Vec3 position;
    Quat rotation; ///< the identity for points: masses and labels
};

/// Every named thing of a frame, in the order of the script.
std::vector<TableRow> table_rows(const Scene& scene, const Frame& frame);

} // namespace sinew
