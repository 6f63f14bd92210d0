// Mesh files gone mad: each ends in a mesh whose numbers can be used, or in problems that say where
// and what to do. The first byte chooses the kind of file.

#include "fuzz.h"
#include "geometry/mesh_motion.h"
#include "geometry/node_motion.h"
#include "geometry/vertex_numbers.h"
#include "sinew/shapes.h"

#include <algorithm>

using namespace sinew;

namespace {

/// Nodes of the same bytes, as glTF and as BVH.
void follow(std::string_view bytes)
{
    for (const char* name : {"m.glb", "m.bvh"}) {
        const Result<NodeTree> tree = read_nodes(name, bytes);
        for (std::uint32_t node = 0; tree && node < std::min<std::size_t>(tree->names.size(), 8);
             ++node) {
            const NodeSamples samples = sample_node(*tree, node);
            fuzz::require(samples.times.size() == samples.rotations.size() &&
                              samples.times.size() == samples.positions.size(),
                          "a pose for each time");
            fuzz::require(!samples.are_sound || !samples.times.empty(), "a sound node has a pose");
            fuzz::require(!find_nodes(*tree, path_of(*tree, node)).empty(), "a path leads back");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size == 0)
        return 0;
    constexpr const char* kNames[] = {"m.obj", "m.ply", "m.stl", "m.glb"};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    follow(bytes);
    const Result<MovingMesh> read = read_moving_mesh(kNames[data[0] % 4], bytes);
    if (!read) {
        fuzz::require(!read.problems().empty(), "no mesh without a reason");
        for (const Problem& problem : read.problems())
            fuzz::require(!problem.what.empty() && !problem.hint.empty() &&
                              !problem.place.file.empty(),
                          "a problem says where, what and what to do");
        return 0;
    }
    const TriangleMesh& mesh = read->mesh;
    if (const auto red = read_vertex_numbers(kNames[data[0] % 4], bytes, "red"); red)
        fuzz::require(red->size() == mesh.vertices.size(), "a number for each vertex");
    for (const Vec3& vertex : mesh.vertices)
        fuzz::require(is_finite(vertex), "corners are places");
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            fuzz::require(corner < mesh.vertices.size(), "triangles have corners that exist");
    if (!read->motion)
        return 0;
    fuzz::require(is_sound(*read->motion, mesh), "what is read can be posed");
    MeshPoser poser(*read->motion);
    for (const double time : {-1.0, 0.5, 1e9}) {
        std::vector<Vec3> corners;
        poser.set_time(time);
        poser.place(corners);
        fuzz::require(corners.size() == mesh.vertices.size(), "no corner is lost");
    }
    return 0;
}
