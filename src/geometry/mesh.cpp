#include "geometry/mesh.h"

#include "base/text.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sinew {

namespace {

std::string place_text(const Vec3& x)
{
    return "(" + number_text(x.x) + ", " + number_text(x.y) + ", " + number_text(x.z) + ")";
}

/// A kind of fault: how often, and where first.
struct Fault {
    std::size_t count = 0;
    Vec3 first = {0, 0, 0};

    void note(const Vec3& x)
    {
        if (count++ == 0)
            first = x;
    }
};

void tell(const Fault& fault, const std::string& name, const char* code, const std::string& what,
          const char* hint, Problems& problems)
{
    if (fault.count > 0)
        problems.push_back({.code = code,
                            .place = {.file = name},
                            .what = std::to_string(fault.count) + " " + what + ", the first at " +
                                    place_text(fault.first),
                            .hint = hint});
}

using Edge = std::array<std::uint32_t, 2>;

/// How often each edge is run along, in its own direction.
std::map<Edge, int> count_edges(const TriangleMesh& mesh)
{
    std::map<Edge, int> count;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            ++count[{t[i], t[(i + 1) % 3]}];
    return count;
}

} // namespace

Problems check_solid(const TriangleMesh& mesh, const std::string& name)
{
    Problems problems;
    Fault endless, empty, open, crowded;
    for (const Vec3& vertex : mesh.vertices)
        if (!is_finite(vertex))
            endless.note({0, 0, 0});
    for (const auto& [a, b, c] : mesh.triangles)
        if (length(cross(mesh.vertices[b] - mesh.vertices[a],
                         mesh.vertices[c] - mesh.vertices[a])) == 0)
            empty.note(mesh.vertices[a]);
    const std::map<Edge, int> edges = count_edges(mesh);
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge[1], edge[0]});
        const Vec3 middle = (mesh.vertices[edge[0]] + mesh.vertices[edge[1]]) * 0.5;
        if (count > 1)
            crowded.note(middle);
        else if (back == edges.end())
            open.note(middle);
    }
    tell(endless, name, "mesh-not-finite", "corners are not finite", "repair the file", problems);
    tell(empty, name, "mesh-empty-triangles", "triangles have no area",
         "remove doubled corners in the program that made the mesh", problems);
    tell(open, name, "mesh-open", "edges have a triangle on one side only",
         "close the holes: only a closed surface has a volume", problems);
    tell(crowded, name, "mesh-crowded", "edges are run along twice in one direction",
         "make all triangles run the same way round, and cut parts that share an edge in two",
         problems);
    return problems;
}

void turn_inside_out(TriangleMesh& mesh)
{
    for (auto& triangle : mesh.triangles)
        std::swap(triangle[1], triangle[2]);
}

std::vector<std::uint32_t> weld(TriangleMesh& mesh)
{
    struct HashPlace {
        std::size_t operator()(const std::array<double, 3>& x) const
        {
            std::size_t hash = 0;
            for (const double number : x)
                hash = hash * 0x9e3779b97f4a7c15 + std::hash<double>()(number);
            return hash;
        }
    };
    std::unordered_map<std::array<double, 3>, std::uint32_t, HashPlace> known;
    std::vector<std::uint32_t> number(mesh.vertices.size()), before;
    std::vector<Vec3> kept;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3 x = mesh.vertices[i] + Vec3{0, 0, 0}; // −0 is 0
        const auto [place, is_new] =
            known.try_emplace({x.x, x.y, x.z}, static_cast<std::uint32_t>(kept.size()));
        if (is_new) {
            kept.push_back(x);
            before.push_back(static_cast<std::uint32_t>(i));
        }
        number[i] = place->second;
    }
    for (auto& triangle : mesh.triangles)
        for (std::uint32_t& corner : triangle)
            corner = number[corner];
    std::erase_if(mesh.triangles,
                  [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    mesh.vertices = std::move(kept);
    return before;
}

} // namespace sinew
