// What holds things, of steel: a hook where a rope or strand is held at a place, an eye where a
// rope slides through, the rim of a wheel that it runs round, a pin where bodies are joined.

#include "display/maker.h"

#include "scene/placement.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr Vec3 kSteelColour = {0.62, 0.64, 0.67};
constexpr double kHook = 1.7;     // radius, in radii of what it holds
constexpr double kEye = 2.1;      // of the ring's middle, in radii of the rope
constexpr double kEyeWire = 0.55; // of the ring's wire
constexpr double kPin = 0.45;     // radius of a pin, in small units
constexpr double kPinLength = 3;  // half of it
constexpr double kRimWire = 0.12; // of a wheel's rim, in its radii
constexpr std::uint32_t kRing = 20, kRim = 48;
constexpr std::size_t kMostMounts = 2000; // beyond, they are dust
constexpr double kTurn = 6.283185307179586;

bool is_told_point(const Scene& scene, PathId id)
{
    if (!id.is_valid() || scene.paths[id.index].kind != PathKind::point)
        return false;
    const Path& path = scene.paths[id.index];
    bool is_told = true;
    for (std::uint32_t k = 0; k < path.points.count; ++k)
        is_told = is_told && is_told_by_frame(scene, scene.values[path.points.first + k]);
    return is_told;
}

Vec3 across(const Vec3& direction)
{
    return normalised(
        cross(direction, std::abs(direction.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
}

} // namespace

/// Of the rod that a site is on; 0 for anything else.
double DisplayMaker::rod_radius(ObjectId site) const
{
    for (const RodSite& on : scene_.rod_sites)
        if (on.object == site)
            return scene_.rods[on.rod].radius;
    return 0;
}

/// The written colour of the rod that a site is on, else of the object itself.
std::optional<Vec3> DisplayMaker::rod_colour(ObjectId site) const
{
    for (const RodSite& on : scene_.rod_sites)
        if (on.object == site)
            return colours_.written(scene_.rods[on.rod].object);
    return colours_.written(site);
}

void DisplayMaker::add_hook(PathId path, ObjectId object, double radius)
{
    Element& hook = add_points(ElementKind::sphere, ElementRole::mount, object, 1);
    hook.radius = radius;
    hook.colour = kSteelColour;
    hook.look = looks::kSteel;
    add_source(DisplaySource::Kind::path, path.index);
}

/// A ring about the rope, as it passes at the start.
void DisplayMaker::add_eye(const RodConstraint& keyhole)
{
    const auto rod = std::ranges::find(scene_.rods, keyhole.a, &sinew::Rod::object);
    if (rod == scene_.rods.end())
        return;
    const Element& rope = display_.elements[rod_elements_[std::size_t(rod - scene_.rods.begin())]];
    const auto k = std::min(std::uint32_t(keyhole.from * (rope.count - 1)), rope.count - 2);
    const Vec3 step = first_.nodes[rope.radii + k + 1] - first_.nodes[rope.radii + k];
    const double size = length(step), radius = rod->radius;
    if (!(size > 0) || !is_finite(step))
        return;
    add_ring(keyhole, step / size, {kRing, kEye * radius, kEyeWire * radius});
}

/// About the place of a constraint, across an axis.
void DisplayMaker::add_ring(const RodConstraint& held, const Vec3& axis, const Ring& shape)
{
    const Vec3 u = across(axis), v = cross(axis, u);
    const auto first = std::uint32_t(display_.offsets.size());
    for (std::uint32_t i = 0; i < shape.count; ++i)
        display_.offsets.push_back(
            (u * cos(kTurn * i / shape.count) + v * sin(kTurn * i / shape.count)) * shape.radius);
    Element& ring = add_points(ElementKind::curve, ElementRole::mount, held.a, shape.count);
    ring.is_closed = true;
    ring.radius = shape.wire;
    ring.colour = kSteelColour;
    ring.look = looks::kSteel;
    add_source(DisplaySource::Kind::beside, held.path.index, first, shape.count);
}

/// The rim of a wheel at a point, inside of the rope that runs round it.
void DisplayMaker::add_rim(const RodConstraint& wheel)
{
    const auto rod = std::ranges::find(scene_.rods, wheel.a, &sinew::Rod::object);
    const Affine frame = wheel.frame.is_valid() ? first_.objects[wheel.frame.index] : Affine{};
    const Vec3 axis = along_axes(frame, wheel.direction);
    const double wire = std::min(kRimWire * wheel.radius, 0.5 * wheel.radius);
    const double radius = rod == scene_.rods.end() ? 0 : rod->radius;
    if (length(axis) > 0 && wheel.radius > radius + 2 * wire)
        add_ring(wheel, normalised(axis), {kRim, wheel.radius - radius - wire, wire});
}

/// Along the axis of a hinge; a ball where there is none.
void DisplayMaker::add_pin(const sinew::Joint& joint)
{
    const bool is_hinge = joint.kind == JointKind::hinge;
    if ((!is_hinge && joint.kind != JointKind::ball) || !joint.a.is_valid())
        return;
    const Affine at = joint.frame.is_valid() ? first_.objects[joint.frame.index] : Affine{};
    const Affine& body = first_.objects[joint.a.index];
    const Mat3 back = inverse(body.linear);
    if (!is_finite(back))
        return;
    const auto first = std::uint32_t(display_.offsets.size());
    const Vec3 middle = apply(at, joint.point), along = at.linear * joint.axis;
    const double half = kPinLength * kPin * sizes_.small;
    const std::uint32_t count = is_hinge ? 2 : 1;
    for (const double side : {-1.0, 1.0})
        if (is_hinge || side < 0)
            display_.offsets.push_back(
                back * (middle + (is_hinge ? along * (side * half) : Vec3{0, 0, 0}) - body.origin));
    Element& pin = add_points(is_hinge ? ElementKind::curve : ElementKind::sphere,
                              ElementRole::mount, joint.a, count);
    pin.radius = (is_hinge ? 1 : 1.8) * kPin * sizes_.small;
    pin.colour = kSteelColour;
    pin.look = looks::kSteel;
    add_source(DisplaySource::Kind::attached, joint.a.index, first, count);
}

void DisplayMaker::add_mounts()
{
    if (scene_.rod_constraints.size() + scene_.strand_constraints.size() + scene_.joints.size() >
        kMostMounts)
        return;
    for (const RodConstraint& held : scene_.rod_constraints) {
        if (held.b.is_valid() || !is_told_point(scene_, held.path))
            continue;
        if (held.kind == RodConstraintKind::keyhole)
            add_eye(held);
        else if (held.kind == RodConstraintKind::pulley || held.kind == RodConstraintKind::winch)
            add_rim(held);
        else if (const double radius = rod_radius(held.a);
                 held.kind == RodConstraintKind::position && radius > 0)
            add_hook(held.path, held.a, kHook * radius);
    }
    for (const DistanceConstraint& held : scene_.distance_constraints)
        if (!held.b.is_valid() && is_told_point(scene_, held.path))
            add_hook(held.path, held.a, 1.1 * sizes_.small);
    for (const sinew::Joint& joint : scene_.joints)
        add_pin(joint);
}

} // namespace sinew
