#include "display/sizes.h"

#include "math/functions.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

void include(Bounds& bounds, const Vec3& x)
{
    if (!is_finite(x))
        return;
    if (bounds.is_empty())
        bounds = {x, x};
    for (int k = 0; k < 3; ++k) {
        bounds.low[k] = std::min(bounds.low[k], x[k]);
        bounds.high[k] = std::max(bounds.high[k], x[k]);
    }
}

double radius_around(const Scene& scene, const Shape& shape)
{
    switch (shape.kind) {
    case ShapeKind::sphere: return shape.radius;
    case ShapeKind::box: return 0.5 * length(shape.size);
    case ShapeKind::capsule: return shape.radius + 0.5 * shape.length;
    case ShapeKind::cylinder:
    case ShapeKind::cone: return length(Vec3{shape.radius, 0.5 * shape.length, 0});
    case ShapeKind::ellipsoid: return std::max(shape.size.x, std::max(shape.size.y, shape.size.z));
    case ShapeKind::plane: return 0;
    default: break;
    }
    double radius = 0;
    for (const Vec3& x : scene.meshes[shape.mesh].vertices)
        radius = std::max(radius, length(x));
    return radius;
}

/// What moves decides how large small things are; obstacles only where nothing does.
void include_shapes(const Scene& scene, const Frame& frame, bool of_obstacles, Bounds& bounds)
{
    std::vector<bool> is_wanted(scene.objects.size());
    for (const RigidBody& body : scene.bodies)
        is_wanted[body.object.index] = body.is_obstacle() == of_obstacles;
    std::vector<double> of_mesh(scene.meshes.size(), -1);
    for (const Shape& shape : scene.shapes) {
        if (!is_wanted[shape.body.index] || shape.kind == ShapeKind::plane)
            continue;
        double radius = shape.mesh == Shape::kNoMesh ? -1 : of_mesh[shape.mesh];
        if (radius < 0)
            radius = radius_around(scene, shape);
        if (shape.mesh != Shape::kNoMesh)
            of_mesh[shape.mesh] = radius;
        const Vec3 x = frame.objects[shape.frame.index].origin, r{radius, radius, radius};
        include(bounds, x - r);
        include(bounds, x + r);
    }
}

Bounds bounds_of_frame(const Scene& scene, const Frame& frame)
{
    Bounds bounds;
    std::size_t first = 0;
    for (const Drawing& drawing : scene.drawings) {
        const std::size_t count = drawing_point_count(scene, drawing);
        for (std::size_t i = 0; i < count && drawing.kind != DrawingKind::probe; ++i)
            include(bounds, frame.points[first + i]);
        first += count;
    }
    for (const Vec3& x : frame.nodes)
        include(bounds, x);
    for (const Mass& mass : scene.masses)
        include(bounds, frame.objects[mass.object.index].origin);
    for (const Label& label : scene.labels)
        include(bounds, frame.objects[label.object.index].origin);
    for (const BoxMass& box : scene.box_masses)
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 signs{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5,
                             corner & 4 ? 0.5 : -0.5};
            include(bounds,
                    apply(frame.objects[box.object.index],
                          {signs.x * box.size.x, signs.y * box.size.y, signs.z * box.size.z}));
        }
    include_shapes(scene, frame, false, bounds);
    if (bounds.is_empty())
        include_shapes(scene, frame, true, bounds);
    return bounds;
}

/// The distance from one mass to the next of the script: mostly its neighbour. Zero: not known.
double median_spacing(const Scene& scene, const Frame& frame, double least)
{
    std::vector<double> spacings;
    for (std::size_t i = 1; i < scene.masses.size(); ++i) {
        const double spacing = length(frame.objects[scene.masses[i].object.index].origin -
                                      frame.objects[scene.masses[i - 1].object.index].origin);
        if (spacing > least && std::isfinite(spacing))
            spacings.push_back(spacing);
    }
    if (spacings.empty())
        return 0;
    const auto middle = spacings.begin() + std::ptrdiff_t(spacings.size() / 2);
    std::nth_element(spacings.begin(), middle, spacings.end());
    return *middle;
}

} // namespace

Sizes make_sizes(const Scene& scene, const Frame& first)
{
    constexpr double kSpacingInUnits = 7; // so that the largest spheres do not touch
    const Bounds bounds = bounds_of_frame(scene, first);
    const double whole = bounds.is_empty() ? 0 : length(bounds.high - bounds.low);
    Sizes sizes;
    sizes.unit = whole > 0 && std::isfinite(whole) ? whole / 100 : 0.01;
    sizes.small = sizes.unit;
    if (const double spacing = median_spacing(scene, first, 1e-9 * sizes.unit); spacing > 0)
        sizes.small = std::clamp(spacing / kSpacingInUnits, sizes.unit / 20, sizes.unit);
    return sizes;
}

double mass_radius(const Sizes& sizes, double part)
{
    return sizes.small * std::max(0.8, 2.2 * pow(std::clamp(part, 0.0, 1.0), 1.0 / 3));
}

} // namespace sinew
