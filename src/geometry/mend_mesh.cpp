// Flips and fans: nothing that is right already moves.

#include "geometry/mend_mesh.h"

#include <algorithm>
#include <map>

namespace sinew {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Edge = std::array<std::uint32_t, 2>;

double area_of(const TriangleMesh& mesh, const Triangle& t)
{
    const Vec3& a = mesh.vertices[t[0]];
    return 0.5 * length(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
}

bool has_area(const TriangleMesh& mesh, const Triangle& t) { return area_of(mesh, t) > 0; }

/// The triangle turned so that its longest edge comes first.
Triangle longest_first(const TriangleMesh& mesh, const Triangle& t)
{
    std::size_t longest = 0;
    const auto size = [&](std::size_t i) {
        return squared_length(mesh.vertices[t[(i + 1) % 3]] - mesh.vertices[t[i]]);
    };
    for (std::size_t i = 1; i < 3; ++i)
        if (size(i) > size(longest))
            longest = i;
    return {t[longest], t[(longest + 1) % 3], t[(longest + 2) % 3]};
}

/// Takes a triangle without area out; its neighbour across the longest edge becomes two, so that
/// the edges to the corner between keep their partners. False where there is no such neighbour.
bool flip_out(TriangleMesh& mesh, std::size_t flat)
{
    const auto [a, b, c] = longest_first(mesh, mesh.triangles[flat]);
    if (a == b || b == c || c == a)
        return false;
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        const Triangle t = mesh.triangles[k];
        for (std::size_t i = 0; k != flat && i < 3; ++i) {
            if (t[i] != b || t[(i + 1) % 3] != a)
                continue;
            const std::uint32_t d = t[(i + 2) % 3];
            const Triangle one = {b, c, d}, other = {c, a, d};
            if (d == c || !has_area(mesh, one) || !has_area(mesh, other))
                return false;
            mesh.triangles[k] = one;
            mesh.triangles[flat] = other;
            return true;
        }
    }
    return false;
}

std::size_t take_flat_out(TriangleMesh& mesh)
{
    constexpr std::size_t kMost = 1000; // each looks through the whole mesh
    std::size_t count = 0;
    std::erase_if(mesh.triangles, [&](const Triangle& t) {
        const bool is_line = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
        count += is_line;
        return is_line;
    });
    std::size_t tries = 0;
    for (std::size_t k = 0; k < mesh.triangles.size() && tries < kMost; ++k)
        if (!has_area(mesh, mesh.triangles[k])) {
            ++tries;
            count += flip_out(mesh, k);
        }
    return count;
}

/// For each corner at which a hole's edge begins, where that ends, the hole on its left; empty
/// where holes meet in a corner, or edges are run along twice.
std::map<std::uint32_t, std::uint32_t> find_rims(const TriangleMesh& mesh)
{
    std::map<Edge, int> edges;
    for (const Triangle& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            ++edges[{t[i], t[(i + 1) % 3]}];
    std::map<std::uint32_t, std::uint32_t> next;
    for (const auto& [edge, count] : edges) {
        if (count > 1)
            return {};
        if (!edges.contains({edge[1], edge[0]}) && !next.try_emplace(edge[1], edge[0]).second)
            return {};
    }
    return next;
}

/// One rim, out of all; empty where it does not come back to where it began.
std::vector<std::uint32_t> take_rim(std::map<std::uint32_t, std::uint32_t>& next)
{
    std::vector<std::uint32_t> rim = {next.begin()->first};
    for (auto at = next.begin(); at != next.end(); at = next.find(rim.back())) {
        const std::uint32_t to = at->second;
        next.erase(at);
        if (to == rim[0])
            return rim;
        rim.push_back(to);
    }
    return {};
}

/// A fan from the middle of a rim; none where it would be large.
std::vector<Triangle> make_fan(TriangleMesh& mesh, const std::vector<std::uint32_t>& rim,
                               double most)
{
    if (rim.size() == 3)
        return {{rim[0], rim[1], rim[2]}};
    const auto middle = std::uint32_t(mesh.vertices.size());
    Vec3 sum{0, 0, 0};
    for (const std::uint32_t corner : rim)
        sum += mesh.vertices[corner];
    mesh.vertices.push_back(sum / double(rim.size()));
    std::vector<Triangle> fan;
    double area = 0;
    for (std::size_t i = 0; i < rim.size(); ++i) {
        fan.push_back({rim[i], rim[(i + 1) % rim.size()], middle});
        area += area_of(mesh, fan.back());
    }
    const bool is_good = area <= most && std::ranges::all_of(fan, [&](const Triangle& t) {
                             return has_area(mesh, t);
                         });
    if (is_good)
        return fan;
    mesh.vertices.pop_back();
    return {};
}

std::size_t close_holes(TriangleMesh& mesh)
{
    constexpr double kSmall = 0.05; // of the surface
    double area = 0;
    for (const Triangle& t : mesh.triangles)
        area += area_of(mesh, t);
    std::map<std::uint32_t, std::uint32_t> next = find_rims(mesh);
    std::size_t count = 0;
    while (!next.empty()) {
        const std::vector<std::uint32_t> rim = take_rim(next);
        if (rim.size() < 3)
            continue;
        const std::vector<Triangle> fan = make_fan(mesh, rim, kSmall * area);
        double own = 0;
        for (const Triangle& t : fan)
            own += area_of(mesh, t);
        if (fan.empty() || !(own <= kSmall * area))
            continue;
        mesh.triangles.insert(mesh.triangles.end(), fan.begin(), fan.end());
        ++count;
    }
    return count;
}

} // namespace

Mending mend(TriangleMesh& mesh)
{
    Mending done;
    done.triangles = take_flat_out(mesh);
    done.holes = close_holes(mesh);
    return done;
}

} // namespace sinew
