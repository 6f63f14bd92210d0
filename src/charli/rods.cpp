// Rods once every object has its place: points on them, and what other words say of these.

#include "charli/evaluator.h"

#include "scene/bodies.h"
#include "scene/kinematics.h"

#include <algorithm>
#include <utility>

namespace sinew::charli {

/// The rod that an object has.
std::optional<std::uint32_t> Evaluator::find_rod(ObjectId object) const
{
    const auto found = std::find_if(scene.rods.begin(), scene.rods.end(),
                                    [&](const Rod& rod) { return rod.object == object; });
    return found == scene.rods.end()
               ? std::nullopt
               : std::optional(static_cast<std::uint32_t>(found - scene.rods.begin()));
}

/// Surfaces in the def of a rod are the rod's.
bool Evaluator::give_to_rod(const StrandProperty& property)
{
    const bool is_surface = property.kind == StrandPropertyKind::surface;
    if (!is_surface && property.kind != StrandPropertyKind::contact)
        return false;
    const ObjectId named{property.curve == StrandCurve::kNone ? property.tree.index
                                                              : property.curve};
    for (Rod& rod : scene.rods) {
        if (rod.object != named && scene.objects[rod.object.index].parent != named)
            continue;
        if (is_surface) {
            rod.friction = property.a;
            rod.bounce = property.b;
        } else {
            rod.contact = property.a;
        }
        return true;
    }
    return false;
}

/// Where it is on a rod that it stands on, or is a point of, from there.
std::optional<Vec3> Evaluator::find_arm(ObjectId object) const
{
    const ObjectId site = find_rod_site(object);
    if (!site.is_valid() || site == object)
        return site.is_valid() ? std::optional(Vec3{0, 0, 0}) : std::nullopt;
    const auto frame = find_fixed_frame(scene, object, site);
    return frame ? std::optional(frame->origin) : std::nullopt;
}

/// The point of a rod that it is, stands on or moves against.
ObjectId Evaluator::find_rod_site(ObjectId object) const
{
    ObjectId up = object;
    for (std::size_t i = 0; i < scene.objects.size() && up.is_valid(); ++i) {
        if (std::ranges::find(scene.rod_sites, up, &RodSite::object) != scene.rod_sites.end())
            return up;
        up = frame_parent(scene.objects[up.index]);
    }
    return {};
}

bool Evaluator::is_on_rod(ObjectId object) const { return find_arm(object).has_value(); }

/// Above an object: on the one side of its first plane, else of y = 0 of its frame.
void Evaluator::keep_above(const StrandConstraint& above)
{
    Vec3 normal{0, 1, 0};
    ObjectId frame = above.b;
    double offset = 0;
    for (const Shape& shape : scene.shapes)
        if (shape.body == above.b && shape.kind == ShapeKind::plane) {
            normal = normalised(shape.size), offset = shape.offset;
            frame = shape.frame;
            break;
        }
    const Vec3 point = normal * offset;
    const std::uint32_t first = static_cast<std::uint32_t>(scene.values.size());
    for (int axis = 0; axis < 3; ++axis)
        scene.values.push_back({point[axis]});
    scene.paths.push_back(
        {.kind = PathKind::point, .frame = frame, .points = {first, 3}, .origin = above.origin});
    RodConstraint made{.kind = RodConstraintKind::plane,
                       .a = above.a,
                       .path = PathId{static_cast<std::uint32_t>(scene.paths.size() - 1)},
                       .frame = frame,
                       .direction = normal,
                       .is_at_least = true,
                       .origin = above.origin};
    made.release.active = above.active;
    made.release.ease = above.ease;
    scene.rod_constraints.push_back(made);
}

/// What is written of rods, or on them, and does nothing there.
void Evaluator::tell_of_rods()
{
    for (const Drag& drag : scene.drags)
        if (find_rod(drag.object) || is_on_rod(drag.object))
            error(drag.origin, "drag-on-rod", "the drag of a rod is one of its properties",
                  "write rod(..., drag_along = 0.1, drag_across = 0.5)");
    const auto tell = [&](ObjectId object, const Origin& origin, bool is_point) {
        const std::optional<Vec3> arm = find_arm(object);
        if (!arm && find_rod_site(object).is_valid())
            report_.warning(origin, "rides-without-weight",
                            "what moves against the rod that it rides on does not pull at it",
                            "hang it on a body that is tied to the rod: "
                            "fusion(cable at 0.5 along, crate)");
        if (arm && (!is_point || length(*arm) > 0))
            report_.warning(
                origin, "rides-as-point",
                "on a rod this weighs as a point of its axis: without size, without arm",
                "make it a body and tie it: fusion(cable at 0.5 along, crate)");
    };
    for (const Mass& mass : scene.masses)
        tell(mass.object, mass.origin, true);
    for (const BoxMass& mass : scene.box_masses)
        tell(mass.object, mass.origin, false);
}

/// A sphere about a point: only rods know it, and nobody else may see it.
void Evaluator::take_point_distances()
{
    std::erase_if(scene.distance_constraints, [&](const DistanceConstraint& c) {
        if (c.b.is_valid())
            return false;
        if (is_on_rod(c.a))
            scene.rod_constraints.push_back({.kind = RodConstraintKind::distance,
                                             .a = c.a,
                                             .path = c.path,
                                             .distance = c.distance,
                                             .release = c.release,
                                             .origin = c.origin});
        else
            error(
                c.origin, "distance-to-point",
                "only a place on a rod is kept at a distance from a point",
                "name a label that stands there: `def post label(); end; post translate(1,2,0);`");
        return true;
    });
}

/// What lets go, or comes and goes, and holds neither rod nor strand.
void Evaluator::tell_of_releases()
{
    const auto tell = [&](const auto& list) {
        for (const auto& held : list)
            if (!held.release.always_holds())
                error(held.origin, "always-holds",
                      "`until`, `breaks`, `beyond` and `active` are of what holds rods or strands",
                      "leave them out; of bodies: `dist_joint(a, b, 1, breaks = 100)`");
    };
    tell(scene.distance_constraints);
    tell(scene.path_constraints);
    tell(scene.point_springs);
}

/// Distances and paths that hold a point of a rod are the rod's.
void Evaluator::finish_rods()
{
    take_point_distances();
    if (!scene.rods.empty())
        take_from_rods();
    tell_of_releases();
}

void Evaluator::take_from_rods()
{
    const auto holds = [&](ObjectId object) { return is_on_rod(object); };
    tell_of_rods();
    std::erase_if(scene.distance_constraints, [&](const DistanceConstraint& c) {
        if (!holds(c.a) && !holds(c.b))
            return false;
        const bool is_first = holds(c.a);
        scene.rod_constraints.push_back({.kind = RodConstraintKind::distance,
                                         .a = is_first ? c.a : c.b,
                                         .b = is_first ? c.b : c.a,
                                         .distance = c.distance,
                                         .release = c.release,
                                         .origin = c.origin});
        return true;
    });
    std::erase_if(scene.path_constraints, [&](const PathConstraint& c) {
        if (!holds(c.point))
            return false;
        scene.rod_constraints.push_back({.kind = RodConstraintKind::trajectory,
                                         .a = c.point,
                                         .path = c.path,
                                         .release = c.release,
                                         .origin = c.origin});
        return true;
    });
    std::erase_if(scene.point_springs, [&](const PointSpring& s) {
        if (!holds(s.a) && !holds(s.b))
            return false;
        const bool is_first = holds(s.a);
        scene.rod_constraints.push_back({.kind = RodConstraintKind::spring,
                                         .a = is_first ? s.a : s.b,
                                         .b = is_first ? s.b : s.a,
                                         .distance = s.rest_length,
                                         .stiffness = s.stiffness,
                                         .damping = s.damping,
                                         .release = s.release,
                                         .origin = s.origin});
        return true;
    });
    std::erase_if(scene.joints, [&](const Joint& j) {
        if (!holds(j.a) && !holds(j.b))
            return false;
        if (j.kind != JointKind::distance) {
            error(j.origin, "joint-on-rod", "a joint of bodies cannot hold a point of a rod",
                  "write fusion(rope at 1 along, crate)");
            return true;
        }
        const bool is_first = holds(j.a);
        RodConstraint made{.kind = RodConstraintKind::distance,
                           .a = is_first ? j.a : j.b,
                           .b = is_first ? j.b : j.a,
                           .release = {.breaks = j.breaks},
                           .origin = j.origin};
        made.is_at_most = j.high.has_value() && !j.distance;
        made.is_at_least = j.low.has_value() && !j.distance && !j.high;
        made.distance = j.distance.value_or(Value{j.high ? *j.high : j.low.value_or(0)});
        scene.rod_constraints.push_back(made);
        return true;
    });
}

/// As strands: v = v₀ + ω × (x − x₀). True when there are rods in the instance.
bool Evaluator::set_rods_in_motion(const Motion& motion)
{
    const Object& instance = scene.objects[motion.object.index];
    bool moves_any = false;
    for (Rod& rod : scene.rods) {
        if (rod.object.index < motion.object.index || rod.object.index >= instance.end)
            continue;
        const auto around = find_fixed_frame(scene, frame_parent(instance), ObjectId{0});
        const auto centre = find_fixed_frame(scene, motion.object, ObjectId{0});
        const auto place = find_fixed_frame(scene, rod.object, ObjectId{0});
        moves_any = true;
        if (!around || !centre || !place)
            continue; // drawn where tracks have it at the start; it moves on its own
        const Vec3 spin = around->linear * motion.spin;
        rod.spin += spin;
        rod.velocity +=
            around->linear * motion.velocity + cross(spin, place->origin - centre->origin);
    }
    return moves_any;
}

} // namespace sinew::charli
