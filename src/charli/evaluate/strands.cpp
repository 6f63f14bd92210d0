// Strands once every object has its place: which curve branches from which, what properties and
// air concern, where points of strands are.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "scene/objects/strands.h"

#include <algorithm>
#include <utility>

namespace sinew::charli {

Vec3 turns_of(const Mat3& R)
{
    const double level = hypot(R.x.x, R.x.y);
    if (level < 1e-12)
        return {atan2(-R.z.y, R.y.y), atan2(-R.x.z, level), 0};
    return {atan2(R.y.z, R.z.z), atan2(-R.x.z, level), atan2(R.x.y, R.x.x)};
}

bool has_constant_curve(const Scene& scene, PathId path)
{
    const ValueList points = scene.paths[path.index].points;
    const auto first = scene.values.begin() + points.first;
    return points.count >= 6 &&
           std::all_of(first, first + points.count, [](Value v) { return v.is_constant(); });
}

/// `trunk at 0.6 along`, as the strand and the place.
void Evaluator::bind_along(Site site, const Word& word, Bound& bound, Arguments& out)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    if (tree.nodes[site.node].kind != NodeKind::along) {
        error(origin, "expected-along", "this must be a strand and a place along it",
              "write `" + std::string(word.example) + "`");
        out.is_good = false;
        return;
    }
    const ObjectId object = find_object({&tree, tree.child(site.node, 0), site.scope});
    const auto along = evaluate_constant({&tree, tree.child(site.node, 1), site.scope},
                                         "the place along a strand");
    out.is_good = out.is_good && object.is_valid() && along;
    bound = {.kind = Bound::Kind::object,
             .value = {along.value_or(0)},
             .object = object,
             .origin = origin};
}

/// An object for `name at u along`: it rides on the strand's tree, and the simulation moves it.
ObjectId Evaluator::add_site(Site site)
{
    const Tree& tree = *site.tree;
    const Origin origin = tree.origin(site.node);
    const ObjectId named = find_object({&tree, tree.child(site.node, 0), site.scope});
    const auto along = evaluate_constant({&tree, tree.child(site.node, 1), site.scope},
                                         "the place along a strand");
    if (!named.is_valid() || !along)
        return {};
    if (!(*along >= 0 && *along <= 1)) {
        error(origin, "along-off-curve",
              "a place along a strand lies between 0 and 1, this is " + number_text(*along),
              "0 is its first point, 1 its last");
        return {};
    }
    const ObjectId object =
        add_object(kNoSymbol, "point", Object::kNoIndex, object_scopes_[0], origin, true);
    if (!object.is_valid())
        return {};
    close_object(object);
    close_object(ObjectId{0});
    pending_sites_.push_back({object, named, *along, origin});
    return object;
}

void Evaluator::finish_strands()
{
    if (scene.strands.empty() && scene.strand_properties.empty() && scene.trees.empty() &&
        scene.airs.empty() && pending_sites_.empty() && scene.strand_poses.empty())
        return;
    order_strands();
    make_trees();
    find_property_curves();
    scale_stiffness();
    find_pose_curves();
    spread_airs();
    place_sites();
}

/// Curves by tree in the order of the script, each behind the one it branches from.
void Evaluator::order_strands()
{
    constexpr std::uint32_t kNone = StrandCurve::kNone;
    std::vector<StrandCurve> given = std::exchange(scene.strands, {});
    std::stable_sort(given.begin(), given.end(), [](const StrandCurve& a, const StrandCurve& b) {
        return a.tree.index < b.tree.index;
    });
    curves_of_.clear();
    for (std::uint32_t i = 0; i < given.size(); ++i)
        curves_of_[given[i].object.index].push_back(i);
    for (StrandCurve& curve : given)
        if (curve.from != kNone)
            curve.from = find_parent_curve(given, curve);

    constexpr std::uint32_t kUnseen = kNone, kOpen = kNone - 1;
    std::vector<std::uint32_t> moved_to(given.size(), kUnseen), way;
    for (std::uint32_t i = 0; i < given.size(); ++i) {
        std::uint32_t at = i;
        for (; at != kNone && moved_to[at] == kUnseen; at = given[at].from) {
            moved_to[at] = kOpen;
            way.push_back(at);
        }
        if (at != kNone && moved_to[at] == kOpen) {
            error(given[at].origin, "branch-circle", "this strand branches from itself",
                  "make one of the circle a strand(...), which grows from no other");
            given[at].from = kNone;
        }
        for (; !way.empty(); way.pop_back()) {
            StrandCurve curve = given[way.back()];
            if (curve.from != kNone)
                curve.from = moved_to[curve.from] < kOpen ? moved_to[curve.from] : kNone;
            moved_to[way.back()] = static_cast<std::uint32_t>(scene.strands.size());
            scene.strands.push_back(curve);
        }
    }
    curves_of_.clear();
    for (std::uint32_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        curves_of_[curve.object.index].push_back(i);
    }
}

/// The number of the curve that the object a branch names stands for; none, with an error.
std::uint32_t Evaluator::find_parent_curve(const std::vector<StrandCurve>& given,
                                           const StrandCurve& curve)
{
    const ObjectId named{curve.from};
    const auto found = curves_of_.find(named.index);
    const bool is_curve = found != curves_of_.end() && found->second.size() == 1;
    if (is_curve && given[found->second[0]].tree == curve.tree)
        return found->second[0];
    if (tells_of_strands_ && is_curve)
        error(curve.origin, "branch-of-other-tree",
              "'" + path_of(named) + "' belongs to another tree",
              "a branch grows from a strand of its own def");
    else if (tells_of_strands_)
        error(curve.origin, "branch-of-nothing",
              "'" + path_of(named) + "' is not a strand to branch from",
              "name one of this def: `trunk = strand(...);`");
    return StrandCurve::kNone;
}

/// One StrandTree for every object with strands.
void Evaluator::make_trees()
{
    std::vector<StrandTree> said = std::exchange(scene.trees, {});
    for (const StrandCurve& curve : scene.strands)
        if (scene.trees.empty() || scene.trees.back().object != curve.tree)
            scene.trees.push_back({.object = curve.tree, .origin = curve.origin});
    for (const StrandTree& wish : said) {
        const auto tree = find_tree(wish.object);
        const auto is_said = [](Value value, double usual) {
            return !value.is_constant() || value.number != usual;
        };
        if (tree != scene.trees.end()) {
            tree->has_zero_gravity_rest |= wish.has_zero_gravity_rest;
            if (is_said(wish.time_scale, 1))
                tree->time_scale = wish.time_scale;
            if (is_said(wish.blend, 1))
                tree->blend = wish.blend;
            if (is_said(wish.freeze, 0))
                tree->freeze = wish.freeze;
            if (is_said(wish.local_dynamics, 0)) {
                tree->local_dynamics = wish.local_dynamics;
                tree->reference = wish.reference;
            }
        } else if (tells_of_strands_)
            error(wish.origin, "property-without-strand",
                  "there is no strand here that this could apply to",
                  "write it into the def of a strand(...)");
    }
}

std::vector<StrandTree>::iterator Evaluator::find_tree(ObjectId object)
{
    const auto at = std::lower_bound(
        scene.trees.begin(), scene.trees.end(), object,
        [](const StrandTree& tree, ObjectId wanted) { return tree.object < wanted; });
    return at != scene.trees.end() && at->object == object ? at : scene.trees.end();
}

void Evaluator::find_property_curves()
{
    std::stable_sort(
        scene.strand_properties.begin(), scene.strand_properties.end(),
        [](const StrandProperty& a, const StrandProperty& b) { return a.tree < b.tree; });
    std::erase_if(scene.strand_properties, [&](StrandProperty& property) {
        if (give_to_rod(property))
            return true;
        const bool concerns_all = property.curve == StrandCurve::kNone;
        if (concerns_all && find_tree(property.tree) != scene.trees.end())
            return false;
        const ObjectId named{concerns_all ? property.tree.index : property.curve};
        const auto found = curves_of_.find(named.index);
        const bool is_curve =
            !concerns_all && found != curves_of_.end() && found->second.size() == 1;
        if (is_curve && scene.strands[found->second[0]].tree == property.tree) {
            property.curve = found->second[0];
            return false;
        }
        if (!tells_of_strands_)
            return true;
        if (concerns_all)
            error(property.origin, "property-without-strand",
                  "there is no strand here that this property could apply to",
                  "write it into the def of a strand(...)");
        else if (is_curve)
            error(property.origin, "property-of-other-tree",
                  "'" + path_of(named) + "' belongs to another tree",
                  "write it into the def of that strand");
        else
            error(property.origin, "property-of-no-strand",
                  "'" + path_of(named) + "' is not a named strand",
                  "name it: `limb = branch(...);`; without `on` it holds for the whole def");
        return true;
    });
}

void Evaluator::find_pose_curves()
{
    std::erase_if(scene.strand_poses, [&](StrandPose& pose) {
        const bool is_named = pose.curve != StrandCurve::kNone;
        const std::uint32_t curve =
            find_curve({.object = {},
                        .named = is_named ? ObjectId{pose.curve} : pose.tree,
                        .along = 0,
                        .origin = pose.origin});
        if (curve == StrandCurve::kNone)
            return true;
        if (scene.strands[curve].tree == pose.tree) {
            pose.curve = curve;
            return false;
        }
        if (tells_of_strands_)
            error(pose.origin, "property-of-other-tree", "this is a strand of another tree",
                  "write it into the def of that strand");
        return true;
    });
}

/// Air on an instance is air on all trees, rods and bodies with drag in it.
void Evaluator::spread_airs()
{
    const auto is_inside = [&](ObjectId inner, ObjectId outer) {
        return inner.index >= outer.index && inner.index < scene.objects[outer.index].end;
    };
    const auto has_drag = [&](ObjectId body) {
        return std::ranges::any_of(scene.drags,
                                   [&](const Drag& drag) { return is_inside(drag.object, body); });
    };
    for (Air& air : scene.airs) {
        std::vector<ObjectId> on;
        for (const ObjectId object : air.on) {
            const bool is_curve = curves_of_.contains(object.index);
            if (is_curve)
                on.push_back(object);
            const std::size_t before = on.size();
            for (const Rod& rod : scene.rods)
                if (rod.object.index >= object.index &&
                    rod.object.index < scene.objects[object.index].end)
                    on.push_back(rod.object);
            for (auto tree = std::lower_bound(
                     scene.trees.begin(), scene.trees.end(), object,
                     [](const StrandTree& t, ObjectId wanted) { return t.object < wanted; });
                 tree != scene.trees.end() && tree->object.index < scene.objects[object.index].end;
                 ++tree)
                if (tree->object != object || !is_curve)
                    on.push_back(tree->object);
            for (const RigidBody& body : scene.bodies)
                if (!body.is_obstacle() && is_inside(body.object, object) && has_drag(body.object))
                    on.push_back(body.object);
            if (!is_curve && on.size() == before && tells_of_strands_)
                error(air.origin, "no-strand",
                      "there is no strand, rod or body with drag in '" + path_of(object) +
                          "' to feel the air",
                      "name an instance whose def has `strand(...)` or `rod(...)`, or a body with "
                      "`drag(crate, 0.5);`");
        }
        air.on = std::move(on);
    }
}

/// The only curve that an object names, or that its tree has.
std::uint32_t Evaluator::find_curve(const PendingSite& site)
{
    if (const auto found = curves_of_.find(site.named.index);
        found != curves_of_.end() && found->second.size() == 1)
        return found->second[0];
    const auto in_tree = [&](const StrandCurve& curve) { return curve.tree == site.named; };
    const auto first = std::find_if(scene.strands.begin(), scene.strands.end(), in_tree);
    const auto last = std::find_if_not(first, scene.strands.end(), in_tree);
    if (last - first == 1)
        return static_cast<std::uint32_t>(first - scene.strands.begin());
    if (tells_of_strands_ && first != last)
        error(site.origin, "several-strands", "'" + path_of(site.named) + "' has several strands",
              "give them names, `trunk = strand(...);`, and say which: " + path_of(site.named) +
                  ".trunk at ... along");
    else if (tells_of_strands_)
        error(site.origin, "not-a-curve",
              "'" + path_of(site.named) +
                  "' is neither a strand nor a rod: `along` does not apply to it",
              "name the object alone");
    return StrandCurve::kNone;
}

/// Six constant transformations for an object that rides on a curve, at rest.
void Evaluator::ride(ObjectId rider, ObjectId carrier, const Affine& place, Origin origin)
{
    Object& object = scene.objects[rider.index];
    object.on = carrier;
    object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
    object.transformation_count = 6;
    const Vec3 turns = turns_of(place.linear);
    const auto add = [&](TransformationKind first, int axis, double amount) {
        scene.transformations.push_back(
            {static_cast<TransformationKind>(static_cast<int>(first) + axis), {amount}, origin});
    };
    for (int axis = 0; axis < 3; ++axis)
        add(TransformationKind::rotate_x, axis, turns[axis]);
    for (int axis = 0; axis < 3; ++axis)
        add(TransformationKind::translate_x, axis, place.origin[axis]);
}

/// Points of strands and rods get their places at rest, in the frame of the tree or rod.
void Evaluator::place_sites()
{
    if (pending_sites_.empty())
        return;
    const auto is_sound = [&](PathId path) { // curves that are only counted have no points yet
        return scene.paths[path.index].points.count == 0 || has_constant_curve(scene, path);
    };
    std::vector<StrandShape> shapes;
    if (std::all_of(scene.strands.begin(), scene.strands.end(),
                    [&](const StrandCurve& curve) { return is_sound(curve.path); }))
        shapes = sample_strands(scene);
    std::vector<RodShape> rods;
    if (std::all_of(scene.rods.begin(), scene.rods.end(),
                    [&](const Rod& rod) { return is_sound(rod.path) && rod.spans > 0; }))
        rods = sample_rods(scene);
    for (const PendingSite& site : std::exchange(pending_sites_, {})) {
        if (const auto rod = find_rod(site.named)) {
            scene.rod_sites.push_back({site.object, *rod, site.along, site.origin});
            ride(site.object, site.named,
                 rods.empty() ? Affine{} : frame_on_rod(rods[*rod], site.along), site.origin);
            continue;
        }
        const std::uint32_t curve = find_curve(site);
        if (curve == StrandCurve::kNone)
            continue;
        scene.strand_sites.push_back({site.object, curve, site.along, site.origin});
        ride(site.object, scene.strands[curve].tree,
             shapes.empty()
                 ? Affine{}
                 : frame_on_strand(shapes[curve].nodes, shapes[curve].segments, site.along),
             site.origin);
    }
}

/// As bodies: v = v₀ + ω × (x − x₀), ω. True when there are trees in the instance.
bool Evaluator::set_trees_in_motion(const Motion& motion)
{
    const Object& instance = scene.objects[motion.object.index];
    auto tree =
        std::lower_bound(scene.trees.begin(), scene.trees.end(), motion.object,
                         [](const StrandTree& t, ObjectId wanted) { return t.object < wanted; });
    bool moves_any = false;
    for (; tree != scene.trees.end() && tree->object.index < instance.end; ++tree) {
        moves_any = true;
        const auto around = find_fixed_frame(scene, frame_parent(instance), ObjectId{0});
        const auto centre = find_fixed_frame(scene, motion.object, ObjectId{0});
        const auto place = find_fixed_frame(scene, tree->object, ObjectId{0});
        if (!around || !centre || !place) {
            error(motion.origin, "motion-of-carried",
                  "'" + path_of(tree->object) +
                      "' rides on something that moves: it starts with it",
                  "remove this, or remove the strand from what it rides on");
            return true;
        }
        const Vec3 spin = around->linear * motion.spin;
        tree->spin += spin;
        tree->velocity +=
            around->linear * motion.velocity + cross(spin, place->origin - centre->origin);
    }
    return moves_any;
}

} // namespace sinew::charli
