// Rods once every object has its place: points on them, and what other words say of these.

#include "charli/evaluate/evaluator.h"

#include "scene/constraints/sorter.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"

#include <algorithm>
#include <utility>
#include <variant>

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
    if (spoiling_errors_ == 0 && faults.empty())
        answer_measures(sorter.places());
    for (ConstraintFault& fault : faults) {
        const bool is_sure = fault.doubt == Doubt::none ||
                             (fault.doubt == Doubt::before && tells_of_strands_) ||
                             (fault.doubt == Doubt::any && spoiling_errors_ == 0);
        if (is_sure)
            error(fault.origin, fault.code, std::move(fault.what), std::move(fault.hint));
    }
}

/// What formulas ask of named constraints, now that each is where models look for it.
void Evaluator::answer_measures(const std::vector<std::vector<ConstraintPlace>>& places)
{
    const auto tell = [&](Origin origin, const std::string& what, const std::string& hint) {
        error(origin, "constraint-cannot-tell", what, hint);
    };
    for (const ConstraintQuestion& question : std::exchange(constraint_questions_, {})) {
        const std::size_t number = named_constraints_.at(question.named.index);
        if (number >= places.size() || places[number].empty())
            continue;
        const bool is_error =
            !question.is_length && measure_of(scene.formulas[question.formula]) == Measure::error;
        const auto knows = [&](ConstraintPlace place) { return knows_error(place); };
        const std::string name = "'" + path_of(question.named) + "'";
        if (is_error && !std::ranges::all_of(places[number], knows))
            tell(question.origin, "the error of " + name + " is not a single length",
                 "ask a distance, a pin, a path, or a point of a rod or strand");
        else if (!question.is_length)
            answer_measure(question.formula, places[number]);
        else if (!answer_length(question.formula, places[number][0], constraints_[number]))
            tell(question.origin, name + " has no two ends whose distance could be told",
                 "hold two objects, or an object and a label() in place of a moving point");
    }
}

bool Evaluator::knows_error(ConstraintPlace place) const
{
    switch (place.list) {
    case ConstraintList::distance:
    case ConstraintList::path: return true;
    case ConstraintList::strand: {
        const StrandConstraintKind kind = scene.strand_constraints[place.index].kind;
        return kind == StrandConstraintKind::position || kind == StrandConstraintKind::fusion ||
               kind == StrandConstraintKind::distance;
    }
    case ConstraintList::rod: {
        const RodConstraintKind kind = scene.rod_constraints[place.index].kind;
        return kind == RodConstraintKind::position || kind == RodConstraintKind::fusion ||
               kind == RodConstraintKind::distance;
    }
    default: return false;
    }
}

/// Forces of several laws of one constraint add; of its errors the largest counts.
void Evaluator::answer_measure(std::uint32_t formula, std::span<const ConstraintPlace> places)
{
    const Formula question = scene.formulas[formula];
    const auto leaf_of = [&](ConstraintPlace place) {
        Formula leaf = question;
        leaf.b = operand_of(place);
        return leaf;
    };
    Formula all = leaf_of(places[0]);
    for (const ConstraintPlace place : places.subspan(1)) {
        const Value before = add_formula(all), more = add_formula(leaf_of(place));
        all = {.operation =
                   measure_of(question) == Measure::error ? Operation::maximum : Operation::add,
               .a = before,
               .b = more};
    }
    scene.formulas[formula] = all;
    traits_[formula] = make_traits(scene, all, traits_);
}

/// `first`: the positions of the two ends, six formulas.
bool Evaluator::answer_length(std::uint32_t first, ConstraintPlace place,
                              const Constraint& constraint)
{
    ObjectId a = constraint.a.object, b = constraint.b.object;
    const auto take = [&](const auto& made) {
        a = made.a;
        b = made.b;
    };
    switch (place.list) {
    case ConstraintList::distance: take(scene.distance_constraints[place.index]); break;
    case ConstraintList::spring: take(scene.point_springs[place.index]); break;
    case ConstraintList::strand: take(scene.strand_constraints[place.index]); break;
    case ConstraintList::rod: take(scene.rod_constraints[place.index]); break;
    case ConstraintList::path: return false;
    default: break;
    }
    const bool is_sliding = std::holds_alternative<SlidingLaw>(constraint.law) ||
                            std::holds_alternative<WheelLaw>(constraint.law);
    return !is_sliding && locate_end(first, a, {}) && locate_end(first + 3, b, constraint.b.path);
}

bool Evaluator::locate_end(std::uint32_t first, ObjectId object, PathId path)
{
    const bool is_point = !object.is_valid() && path.is_valid() &&
                          scene.paths[path.index].kind == PathKind::point &&
                          scene.paths[path.index].frame.index == 0;
    for (std::uint32_t k = 0; k < 3; ++k) {
        Formula& place = scene.formulas[first + k];
        if (object.is_valid())
            place.index = object.index;
        else if (is_point)
            place = {.operation = Operation::add,
                     .a = scene.values[scene.paths[path.index].points.first + k]};
        traits_[first + k] = make_traits(scene, place, traits_);
    }
    return object.is_valid() || is_point;
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
