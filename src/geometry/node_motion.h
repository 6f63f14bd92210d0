#pragma once

// Nodes of files of other programs: joints of a skeleton, empties, whatever has a name there.

#include "sinew/shapes.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Nodes in nodes, moved by channels: `motion` has no corners.
struct NodeTree {
    MeshMotion motion = {};
    std::vector<std::string> names = {}; ///< of the nodes, as the file has them
};

/// Reads the nodes of a glTF (.glb) or BVH file, told apart by the end of its name, with its first
/// animation.
Result<NodeTree> read_nodes(const std::string& name, std::string_view bytes);

/// "Armature/Hips/Head".
std::string path_of(const NodeTree& tree, std::uint32_t node);

/// The nodes whose path is `path`, or ends with it behind a slash.
std::vector<std::uint32_t> find_nodes(const NodeTree& tree, std::string_view path);

/// Poses of a node, without its scale. Two equal times that follow each other: a key at which its
/// velocity may jump, once as it comes and once as it goes on. One sample: it stands still.
struct NodeSamples {
    std::vector<double> times = {};   ///< of the file [s]
    std::vector<Vec3> positions = {}; ///< in the units of the file
    std::vector<Quat> rotations = {}; ///< neighbours have the same sign
    bool are_sound = true;            ///< false: somewhere the node has no size or place
};

/// At the keys of a motion that is sampled, else 120 times a second from key to key.
NodeSamples sample_node(const NodeTree& tree, std::uint32_t node);

} // namespace sinew
