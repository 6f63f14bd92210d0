// A mesh and a convex shape: touches of single triangles become patches. Touches with nearly one
// normal are one patch, of which the four outermost points remain.

#include "collide/manifold.h"
#include "collide/mesh/mesh_touch.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew {

std::shared_ptr<CollideScratch> make_collide_scratch()
{
    return std::make_shared<CollideScratch>();
}

namespace {

constexpr double kSameNormal = 0.99985; // cosine of a degree
constexpr std::size_t kMostPatches = 16;
constexpr std::size_t kMostCorners = 64;

/// Touches of one patch, with the normal of the deepest.
struct Patch {
    Vec3 normal;
    std::uint32_t region; ///< the lowest: the key
    std::array<PatchCorner, kMostCorners> corner;
    std::size_t count = 0;
};

/// The patch whose normal a touch shares, or nearly does where there are too many already.
std::size_t find_patch(std::span<const Patch> patches, const Vec3& normal)
{
    std::size_t best = patches.size();
    double nearest = patches.size() < kMostPatches ? kSameNormal : -2;
    for (std::size_t i = 0; i < patches.size(); ++i)
        if (const double along = dot(patches[i].normal, normal); along > nearest)
            nearest = along, best = i;
    return best;
}

void add_corners(const TriangleTouch& touch, const CollideLengths& lengths, Patch& patch)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(touch.count); ++i) {
        const PatchCorner& corner = touch.corner[i];
        const bool is_known = std::any_of(
            patch.corner.begin(), patch.corner.begin() + static_cast<long>(patch.count),
            [&](const PatchCorner& known) {
                return squared_length(known.place - corner.place) < lengths.clip * lengths.clip;
            });
        if (!is_known && patch.count < kMostCorners)
            patch.corner[patch.count++] = corner;
    }
}

Manifold make_manifold(Patch& patch, const Convex& body, bool mesh_is_a,
                       const CollideLengths& lengths)
{
    Manifold m;
    m.count = reduce_patch(std::span(patch.corner).first(patch.count), patch.normal, lengths.clip);
    m.is_of_a = mesh_is_a;
    m.local_normal = mesh_is_a ? patch.normal : -patch.normal;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
        const PatchCorner& corner = patch.corner[i];
        const Vec3 on_mesh = corner.place - patch.normal * corner.gap;
        const Vec3 on_body = body.to_local(corner.place);
        std::uint32_t feature = corner.feature;
        for (std::size_t k = 0; k < i; ++k) // two triangles may number alike
            if (m.point[k].feature == feature)
                feature += 0x9e3779b1u * static_cast<std::uint32_t>(i);
        m.point[i] = {mesh_is_a ? on_mesh : on_body, mesh_is_a ? on_body : on_mesh, corner.gap,
                      feature};
    }
    return m;
}

/// Keys ascending, none twice: of patches that share a region the first keeps it.
void set_keys(std::vector<SubManifold>& found)
{
    std::ranges::sort(found, [](const SubManifold& a, const SubManifold& b) {
        const Vec3 &n = a.manifold.local_normal, &m = b.manifold.local_normal;
        return a.key < b.key ||
               (a.key == b.key &&
                (n.x < m.x || (n.x == m.x && (n.y < m.y || (n.y == m.y && n.z < m.z)))));
    });
    for (std::size_t i = 1; i < found.size(); ++i)
        found[i].key = std::max(found[i].key, found[i - 1].key + 1);
}

void collide_mesh(const Placed& mesh, const Placed& other, bool mesh_is_a,
                  const CollideLengths& lengths, CollideScratch& scratch,
                  std::vector<SubManifold>& found)
{
    const CollisionMesh& surface = *mesh.shape->mesh;
    const Convex body = seen_from(mesh, other);
    find_mesh_touches(surface, body, lengths, scratch);
    std::array<Patch, kMostPatches> patches;
    std::size_t count = 0;
    for (const TriangleTouch& touch : scratch.touches) {
        const std::uint32_t region = surface.triangles[touch.triangle].region * 4;
        const std::size_t at = find_patch(std::span(patches).first(count), touch.normal);
        if (at == count) {
            patches[count].normal = touch.normal;
            patches[count].region = region;
            patches[count++].count = 0;
        }
        patches[at].region = std::min(patches[at].region, region);
        add_corners(touch, lengths, patches[at]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        found.push_back({make_manifold(patches[i], body, mesh_is_a, lengths), patches[i].region});
        Manifold& m = found.back().manifold;
        m.normal = mesh.R * m.local_normal;
    }
    set_keys(found);
}

bool is_mesh(const Placed& placed) { return placed.shape->kind == CollisionKind::mesh; }
bool is_plane(const Placed& placed) { return placed.shape->kind == CollisionKind::plane; }

} // namespace

void collide_all(const Placed& a, const Placed& b, const CollideLengths& lengths,
                 CollideScratch& scratch, std::vector<SubManifold>& found)
{
    found.clear();
    if ((is_mesh(a) || is_plane(a)) && (is_mesh(b) || is_plane(b)))
        return;
    if (is_mesh(a))
        return collide_mesh(a, b, true, lengths, scratch, found);
    if (is_mesh(b))
        return collide_mesh(b, a, false, lengths, scratch, found);
    found.emplace_back();
    collide(a, b, lengths, found.back().manifold);
    if (found.back().manifold.count == 0)
        found.clear();
}

} // namespace sinew
