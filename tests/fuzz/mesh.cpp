// Mesh files gone mad: each ends in a mesh whose numbers can be used, or in problems that say where
// and what to do. The first byte chooses the kind of file.

#include "fuzz.h"
#include "sinew/shapes.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size == 0)
        return 0;
    constexpr const char* kNames[] = {"m.obj", "m.ply", "m.stl", "m.glb"};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Result<TriangleMesh> mesh = read_mesh(kNames[data[0] % 4], bytes);
    if (!mesh) {
        fuzz::require(!mesh.problems().empty(), "no mesh without a reason");
        for (const Problem& problem : mesh.problems())
            fuzz::require(!problem.what.empty() && !problem.hint.empty() &&
                              !problem.place.file.empty(),
                          "a problem says where, what and what to do");
        return 0;
    }
    for (const Vec3& vertex : mesh->vertices)
        fuzz::require(is_finite(vertex), "corners are places");
    for (const auto& triangle : mesh->triangles)
        for (const std::uint32_t corner : triangle)
            fuzz::require(corner < mesh->vertices.size(), "triangles have corners that exist");
    return 0;
}
