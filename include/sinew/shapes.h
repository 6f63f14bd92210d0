#pragma once

// Surfaces as plain data.

#include "sinew/error.h"
#include "sinew/math.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Triangles, counter-clockwise seen from outside.
struct TriangleMesh {
    std::vector<Vec3> vertices = {};
    std::vector<std::array<std::uint32_t, 3>> triangles = {};

    bool operator==(const TriangleMesh&) const = default;
};

/// Numbers with keys in time; before the first and behind the last they stay.
struct MotionChannel {
    enum class Way : std::uint8_t { linear, hold, cubic };

    Way way = Way::linear;
    std::uint32_t width = 0;         ///< numbers of a key
    std::vector<double> times = {};  ///< ascending [s]
    std::vector<double> values = {}; ///< `width` a key; cubic: slopes before, values, slopes behind

    bool operator==(const MotionChannel&) const = default;
};

/// How the corners of a mesh move with time, as glTF has it: nodes in nodes, moved by channels;
/// skins over several nodes; forms that are mixed.
struct MeshMotion {
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Node {
        std::uint32_t parent = kNone; ///< one before it
        Affine matrix = {};           ///< where it is in its parent, if no channel says otherwise
        Vec3 translation = {0, 0, 0}, scale = {1, 1, 1};
        Quat rotation = {};
        /// Numbers in `channels`.
        std::uint32_t translated = kNone, turned = kNone, scaled = kNone;

        bool operator==(const Node&) const = default;
    };
    struct Skin {
        std::vector<std::uint32_t> nodes = {};
        std::vector<Affine> to_node = {}; ///< from the mesh into each node

        bool operator==(const Skin&) const = default;
    };
    /// Corners that follow each other.
    struct Part {
        std::uint32_t first = 0, count = 0;
        std::uint32_t node = 0;                    ///< that carries them, where there is no skin
        std::uint32_t skin = kNone, mixed = kNone; ///< in `skins`; in `channels`: shares of forms
        std::vector<std::vector<Vec3>> forms = {}; ///< what each adds to the corners
        std::vector<double> shares = {};           ///< of the forms, where no channel says

        bool operator==(const Part&) const = default;
    };

    std::uint32_t mesh = 0; ///< in Scene::meshes
    double begin = 0;       ///< when its time is zero [s]
    double speed = 1, scale = 1;
    std::vector<Vec3> corners = {};                        ///< before anything moves them
    std::vector<std::array<std::uint32_t, 4>> joints = {}; ///< of the corners: nodes of the skin
    std::vector<std::array<double, 4>> weights = {};       ///< of these; sum 1
    std::vector<Part> parts = {};
    std::vector<Node> nodes = {};
    std::vector<Skin> skins = {};
    std::vector<MotionChannel> channels = {};

    bool operator==(const MeshMotion&) const = default;
};

/// A mesh, and how it moves if it does: then its corners are those of time zero.
struct MovingMesh {
    TriangleMesh mesh = {};
    std::optional<MeshMotion> motion = {};
};

/// Reads a mesh from the bytes of an OBJ, PLY (text or binary), STL (text or binary) or glTF (.glb)
/// file, told apart by the end of its name. Faces with more corners are cut into triangles;
/// normals, colours, texture coordinates and lines are passed over. Problems have the line, or the
/// byte.
Result<TriangleMesh> read_mesh(const std::string& name, std::string_view bytes);

/// The same with the first animation of a glTF file.
Result<MovingMesh> read_moving_mesh(const std::string& name, std::string_view bytes);

} // namespace sinew
