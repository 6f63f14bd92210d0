// Bodies once every object has its place: which shape belongs to which body, how things move at the
// start.

#include "charli/evaluate/evaluator.h"

#include "geometry/mass_properties.h"
#include "geometry/mend_mesh.h"
#include "geometry/mesh.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew::charli {

void Evaluator::add_motion(Site part, const Word& word, ObjectId object)
{
    const Arguments arguments = bind_arguments(part, word);
    if (!arguments.is_good || !object.is_valid())
        return;
    const Vec3 amount{arguments.bound[0].value.number, arguments.bound[1].value.number,
                      arguments.bound[2].value.number};
    const Vec3 none{0, 0, 0};
    const bool is_spin = word.name == "spin";
    motions_.push_back(
        {object, is_spin ? none : amount, is_spin ? amount : none, part.tree->origin(part.node)});
}

namespace {

/// The meshes of bodies that fall closed where little is missing, each noted once. What obstacles
/// have of the same file stays as it is.
void mend_meshes(Scene& scene, const BodyMap& bodies, Report& report)
{
    std::vector<char> is_free(scene.objects.size(), 0);
    for (const RigidBody& body : scene.bodies)
        is_free[body.object.index] = !body.is_obstacle();
    std::map<std::uint32_t, std::uint32_t> mended; // numbers of meshes
    for (Shape& shape : scene.shapes) {
        if (shape.kind != ShapeKind::mesh || shape.mesh == Shape::kNoMesh ||
            !shape.body.is_valid() || !is_free[bodies.around[shape.frame.index].index])
            continue;
        if (const auto known = mended.find(shape.mesh); known != mended.end()) {
            shape.mesh = known->second;
            continue;
        }
        const std::uint32_t before = shape.mesh;
        mended[before] = before;
        if (check_solid(scene.meshes[before], "").empty())
            continue;
        TriangleMesh mesh = scene.meshes[before];
        const Mending done = mend(mesh);
        if (!check_solid(mesh, "").empty())
            continue;
        if (mesh_mass(mesh).volume < 0)
            turn_inside_out(mesh);
        shape.mesh = mended[before] = std::uint32_t(scene.meshes.size());
        scene.meshes.push_back(std::move(mesh));
        report.note(shape.origin, "mesh-mended",
                    "this surface was mended; triangles without area taken out: " +
                        std::to_string(done.triangles) +
                        ", small holes closed: " + std::to_string(done.holes),
                    "mend it in the program that made it, or write `hull(\"...\")` where its "
                    "convex hull will do");
    }
}

} // namespace

void Evaluator::finish_bodies()
{
    const bool has_any = !scene.bodies.empty() || !scene.shapes.empty() ||
                         !scene.material_pairs.empty() || !scene.meetings.empty() ||
                         !motions_.empty();
    if (!has_any)
        return;
    const BodyMap bodies = make_body_map(scene);
    for (Shape& shape : scene.shapes)
        shape.body = bodies.around[shape.frame.index];
    mend_meshes(scene, bodies, report_);
    expand_pairs(scene.material_pairs);
    expand_pairs(scene.meetings);
    set_in_motion();
}

/// A pair of instances with bodies in them stands for all pairs of these.
template <class BodyPair>
void Evaluator::expand_pairs(std::vector<BodyPair>& list)
{
    if (list.empty())
        return;
    std::vector<ObjectId> all;
    for (const RigidBody& body : scene.bodies)
        all.push_back(body.object);
    std::sort(all.begin(), all.end());
    const auto inside = [&](ObjectId object) {
        const ObjectId end{scene.objects[object.index].end};
        return std::span(std::lower_bound(all.begin(), all.end(), object),
                         std::lower_bound(all.begin(), all.end(), end));
    };
    std::vector<BodyPair> pairs;
    for (const BodyPair& wanted : std::exchange(list, {})) {
        const auto first = inside(wanted.a), second = inside(wanted.b);
        if ((first.empty() || second.empty()) && spoiling_errors_ == 0)
            error(wanted.origin, "no-body",
                  "there is no body in '" + path_of(first.empty() ? wanted.a : wanted.b) + "'",
                  "name instances whose defs have `body(...)` or `obstacle()`");
        if (pairs.size() + first.size() * second.size() > limits_.pair_count) {
            error(wanted.origin, "too-many-pairs",
                  "the script says how more than " + std::to_string(limits_.pair_count) +
                      " pairs of bodies touch",
                  "give the bodies a `material` instead");
            return;
        }
        for (const ObjectId a : first)
            for (const ObjectId b : second)
                if (a != b) {
                    pairs.push_back(wanted);
                    pairs.back().a = a;
                    pairs.back().b = b;
                }
    }
    list = std::move(pairs);
}

/// v = v₀ + ω × (x − x₀), ω: as one with the origin of the instance; what is inside one another
/// adds up.
void Evaluator::set_in_motion()
{
    std::vector<std::uint32_t> order(scene.bodies.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto object_of = [&](std::uint32_t i) { return scene.bodies[i].object.index; };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t j) { return object_of(i) < object_of(j); });
    const bool is_whole = spoiling_errors_ == 0;
    for (const Motion& motion : std::exchange(motions_, {})) {
        const Object& instance = scene.objects[motion.object.index];
        auto at = std::lower_bound(
            order.begin(), order.end(), motion.object.index,
            [&](std::uint32_t i, std::uint32_t object) { return object_of(i) < object; });
        bool moves_any = set_trees_in_motion(motion);
        moves_any = set_rods_in_motion(motion) || moves_any;
        for (; at != order.end() && object_of(*at) < instance.end; ++at) {
            RigidBody& body = scene.bodies[*at];
            if (body.is_obstacle())
                continue;
            moves_any = true;
            const auto around = find_fixed_frame(scene, frame_parent(instance), ObjectId{0});
            const auto centre = find_fixed_frame(scene, motion.object, ObjectId{0});
            const auto place = find_fixed_frame(scene, body.object, ObjectId{0});
            if (!around || !centre || !place)
                continue; // a body that something drives: told elsewhere
            const Vec3 spin = around->linear * motion.spin;
            body.spin += spin;
            body.velocity +=
                around->linear * motion.velocity + cross(spin, place->origin - centre->origin);
        }
        if (!moves_any && is_whole)
            error(motion.origin, "motion-without-body",
                  "'" + path_of(motion.object) +
                      "' has no body, strand or rod in it to set in motion",
                  "write `body(...)` in its def; obstacles are moved by tracks, linkages start "
                  "with `initial`");
    }
}

} // namespace sinew::charli
