// Rods once every object has its place: points on them, and what other words say of these.

#include "charli/evaluate/evaluator.h"

#include "scene/constraints/sorter.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"

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

/// What is written of strands and rods, or on them, and does nothing there.
void Evaluator::tell_of_curves()
{
    for (const auto& [object, origin] : measured_sections_)
        if (!find_rod(object) &&
            std::ranges::find(scene.rod_sites, object, &RodSite::object) == scene.rod_sites.end())
            error(origin, "not-on-a-rod",
                  "'" + path_of(object) + "' is not a rod, nor a point of one",
                  "write tension(cable) or tension(cable at 0.5 along), where cable is a rod");
    if (scene.rods.empty() && scene.strands.empty())
        return;
    const EndMap ends(scene);
    for (const Drag& drag : scene.drags) {
        if (find_rod(drag.object) || ends.is_on_rod(drag.object))
            error(drag.origin, "drag-on-rod", "the drag of a rod is one of its properties",
                  "write rod(..., drag_along = 0.1, drag_across = 0.5)");
        if (curves_of_.contains(drag.object.index) || find_tree(drag.object) != scene.trees.end())
            error(drag.origin, "drag-on-strand", "the drag of a strand is one of its properties",
                  "write air_drag(0.1, 0.5) in its def");
    }
    for (const Mass& mass : scene.masses)
        tell_of_rider(ends, mass.object, mass.origin, true);
    for (const BoxMass& mass : scene.box_masses)
        tell_of_rider(ends, mass.object, mass.origin, false);
    for (const Rod& rod : scene.rods)
        tell_of_carrier(ends, rod);
    for (const RigidBody& body : scene.bodies)
        if (!body.is_obstacle() &&
            (ends.is_on_strand(body.object) || ends.find_rod_site(body.object).is_valid()))
            error(body.origin, "body-rides",
                  "'" + path_of(body.object) +
                      "' is a body: it is free, and does not ride on a strand or rod",
                  "put it there and tie it: fusion(cable at 1 along, " + path_of(body.object) +
                      ")");
}

void Evaluator::tell_of_rider(const EndMap& ends, ObjectId object, const Origin& origin,
                              bool is_point)
{
    const std::optional<Vec3> arm = ends.find_arm(object);
    if (!arm && ends.find_rod_site(object).is_valid())
        report_.warning(origin, "rides-without-weight",
                        "what moves against the rod that it rides on does not pull at it",
                        "hang it on a body that is tied to the rod: "
                        "fusion(cable at 0.5 along, crate)");
    if (arm && (!is_point || length(*arm) > 0))
        report_.warning(origin, "rides-as-point",
                        "on a rod this acts as a point mass on its axis, without size or lever arm",
                        "make it a body and tie it: fusion(cable at 0.5 along, crate)");
}

/// A rod is placed at the start by what its instance stands on, and free from then on.
void Evaluator::tell_of_carrier(const EndMap& ends, const Rod& rod)
{
    ObjectId up = rod.object;
    for (std::size_t i = 0; i < scene.objects.size() && up.is_valid(); ++i) {
        const Object& object = scene.objects[up.index];
        bool moves =
            ends.is_in_body(up) || ends.is_on_strand(up) || ends.find_rod_site(up).is_valid();
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const Value amount = scene.transformations[object.first_transformation + k].amount;
            moves =
                moves || (!amount.is_constant() && (traits_[amount.formula].dependence &
                                                    (Dependence::kCoordinate | Dependence::kTime)));
        }
        if (moves) {
            error(rod.origin, "rod-rides",
                  "'" + path_of(rod.object) +
                      "' is a rod: it is free, and does not ride on what "
                      "it stands on",
                  "place it beside that and tie it: fusion(" + path_of(rod.object) +
                      " at 0 along, crate)");
            return;
        }
        up = frame_parent(object);
    }
}

/// What each constraint is to the models, now that every point of strands and rods has its place.
void Evaluator::sort_constraints()
{
    using Doubt = ConstraintFault::Doubt;
    ConstraintSorter sorter(scene, constraints_, [&](ObjectId object) { return path_of(object); });
    std::vector<ConstraintFault> faults = sorter.run();
    note_objects_of_sorter();
    for (ConstraintFault& fault : faults) {
        const bool is_sure = fault.doubt == Doubt::none ||
                             (fault.doubt == Doubt::before && tells_of_strands_) ||
                             (fault.doubt == Doubt::any && spoiling_errors_ == 0);
        if (is_sure)
            error(fault.origin, fault.code, std::move(fault.what), std::move(fault.hint));
    }
}

/// Points that constraints hold things at have become objects, which no name leads to, and
/// conditions of theirs formulas.
void Evaluator::note_objects_of_sorter()
{
    object_symbols_.resize(scene.objects.size(), kNoSymbol);
    object_scopes_.resize(scene.objects.size(), kNoScope);
    object_names_at_.resize(scene.objects.size());
    object_is_named_.resize(scene.objects.size(), false);
    while (traits_.size() < scene.formulas.size())
        traits_.push_back(make_traits(scene, scene.formulas[traits_.size()], traits_));
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
