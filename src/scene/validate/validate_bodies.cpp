// Every fault of bodies, shapes, materials and joints, taken as data.

#include "base/text.h"
#include "geometry/mesh.h"
#include "geometry/mesh_motion.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/validate/problems.h"

#include <cmath>

namespace sinew {

namespace {

class BodyValidator {
public:
    explicit BodyValidator(const Scene& scene) : scene_(scene) {}

    Problems run()
    {
        if (!check_references())
            return std::move(problems_);
        map_ = make_body_map(scene_);
        compute_traits(scene_, traits_);
        check_settings();
        check_bodies();
        check_shapes();
        check_bodies_have_shapes();
        check_strangers();
        check_followers();
        check_rates_of_values();
        check_materials();
        check_joints();
        return std::move(problems_);
    }

private:
    void fault(Origin origin, const std::string& element, std::string_view code, std::string what,
               std::string hint)
    {
        problems_.push_back(make_problem(scene_, Severity::error, std::string(code), origin,
                                         element, std::move(what), std::move(hint)));
    }

    static std::string at(const char* list, std::size_t i)
    {
        return std::string(list) + "[" + std::to_string(i) + "]";
    }

    std::string named(ObjectId object) const
    {
        while (object.index != 0 && scene_.objects[object.index].is_anonymous)
            object = scene_.objects[object.index].parent;
        if (names_.empty())
            names_ = object_names(scene_);
        return "'" + names_[object.index] + "'";
    }

    bool is_body(ObjectId object) const { return map_.around[object.index] == object; }

    // --- references, without which nothing else can be looked at

    bool check_references()
    {
        check_shape_references();
        check_material_references();
        check_motion_references();
        check_meshes();
        return problems_.empty();
    }

    void check_exists(bool exists, Origin origin, const char* list, std::size_t i)
    {
        if (!exists)
            fault(origin, at(list, i), "no-such-object",
                  "names an object, a mesh or a value that does not exist",
                  "use numbers of elements of the scene");
    }

    [[nodiscard]] bool is_object(ObjectId id) const { return id.index < scene_.objects.size(); }

    void check_shape_references()
    {
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            check_exists(is_object(scene_.bodies[i].object), scene_.bodies[i].origin, "bodies", i);
        for (std::size_t i = 0; i < scene_.shapes.size(); ++i) {
            const Shape& s = scene_.shapes[i];
            const bool has_mesh = s.kind == ShapeKind::hull || s.kind == ShapeKind::mesh ||
                                  s.kind == ShapeKind::height_field;
            const bool is_mesh_good =
                s.mesh < scene_.meshes.size() || (!has_mesh && s.mesh == Shape::kNoMesh);
            check_exists(is_object(s.frame) && (!s.body.is_valid() || is_object(s.body)) &&
                             is_mesh_good,
                         s.origin, "shapes", i);
        }
    }

    void check_material_references()
    {
        for (std::size_t i = 0; i < scene_.materials.size(); ++i)
            check_exists(is_object(scene_.materials[i].object), scene_.materials[i].origin,
                         "materials", i);
        for (std::size_t i = 0; i < scene_.material_pairs.size(); ++i) {
            const MaterialPair& pair = scene_.material_pairs[i];
            check_exists(is_object(pair.a) && is_object(pair.b), pair.origin, "material_pairs", i);
        }
        for (std::size_t i = 0; i < scene_.meetings.size(); ++i) {
            const MeetingPair& pair = scene_.meetings[i];
            check_exists(is_object(pair.a) && is_object(pair.b), pair.origin, "meetings", i);
        }
        for (std::size_t i = 0; i < scene_.mass_placements.size(); ++i)
            check_exists(is_object(scene_.mass_placements[i].object),
                         scene_.mass_placements[i].origin, "mass_placements", i);
    }

    void check_motion_references()
    {
        for (std::size_t i = 0; i < scene_.belts.size(); ++i) {
            const Belt& b = scene_.belts[i];
            check_exists(is_object(b.object) && has_formula(b.x) && has_formula(b.y) &&
                             has_formula(b.z),
                         b.origin, "belts", i);
        }
        for (std::size_t i = 0; i < scene_.body_torques.size(); ++i) {
            const BodyTorque& t = scene_.body_torques[i];
            check_exists(is_object(t.object) && is_object(t.frame) && has_formula(t.x) &&
                             has_formula(t.y) && has_formula(t.z),
                         t.origin, "body_torques", i);
        }
        for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
            const Joint& j = scene_.joints[i];
            check_exists(is_object(j.a) && is_object(j.b) && is_object(j.frame) &&
                             has_formula(j.motor) && has_formula(j.distance) &&
                             has_formula(j.target) && has_formula(j.active),
                         j.origin, "joints", i);
        }
    }

    bool has_formula(const std::optional<Value>& value) const
    {
        return !value || value->is_constant() || value->formula < scene_.formulas.size();
    }

    void check_meshes()
    {
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
            const TriangleMesh& mesh = scene_.meshes[i];
            bool is_sound = !mesh.triangles.empty();
            for (const Vec3& vertex : mesh.vertices)
                is_sound = is_sound && is_finite(vertex);
            for (const auto& triangle : mesh.triangles)
                for (const std::uint32_t corner : triangle)
                    is_sound = is_sound && corner < mesh.vertices.size();
            if (!is_sound)
                fault({}, at("meshes", i), "bad-mesh",
                      "a mesh has no triangles, corners that do not exist or are not finite",
                      "give triangles of its own corners");
        }
        for (std::size_t i = 0; i < scene_.mesh_motions.size(); ++i) {
            const MeshMotion& motion = scene_.mesh_motions[i];
            if (motion.mesh >= scene_.meshes.size() ||
                !is_sound(motion, scene_.meshes[motion.mesh]))
                fault({}, at("mesh_motions", i), "bad-mesh",
                      "a motion does not fit its mesh, or has numbers that are not finite",
                      "give lists of its mesh's own corners, nodes and channels");
        }
    }

    void check_settings()
    {
        const BodySettings& s = scene_.settings.bodies;
        if (s.iterations < 0 || s.smoothing < 0 || s.substeps < 1)
            fault({}, "bodies", "out-of-range",
                  "iterations and smoothing must not be negative, substeps must be 1 or more",
                  "write `bodies(substeps = 2);`");
    }

    // --- bodies

    void check_bodies()
    {
        std::vector<bool> seen(scene_.objects.size());
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
            const RigidBody& body = scene_.bodies[i];
            const std::string element = at("bodies", i);
            if (!(body.density >= 0) || !(body.mass >= 0) || !std::isfinite(body.density) ||
                !std::isfinite(body.mass) || (body.density > 0 && body.mass > 0) ||
                !is_finite(body.velocity) || !is_finite(body.spin))
                fault(body.origin, element, "out-of-range",
                      "density, mass and motion must be finite, density or mass above zero, not "
                      "both",
                      "give one of them; an obstacle has neither");
            if (!std::isfinite(body.gravity.value_or(1)) || !(body.damping >= 0) ||
                !(body.spin_damping >= 0) || !std::isfinite(body.damping) ||
                !std::isfinite(body.spin_damping))
                fault(body.origin, element, "out-of-range",
                      "the share of gravity must be finite, dampings not negative",
                      "write `body(mass = 1, gravity = 0.5, damping = 0.1);`");
            if (body.object.index == 0) {
                fault(body.origin, element, "body-outside-def",
                      "the world as a whole cannot be a body or an obstacle",
                      "put it into a def with its shapes, and make an instance of that");
                continue;
            }
            if (seen[body.object.index]) {
                fault(body.origin, element, "body-twice", named(body.object) + " is a body already",
                      "one `body(...)` or `obstacle()` for each def; several shapes make a "
                      "compound");
                continue;
            }
            seen[body.object.index] = true;
            check_frames_above(body, element);
        }
    }

    /// What moves a body, or makes it larger, before physics does.
    void check_frames_above(const RigidBody& body, const std::string& element)
    {
        ObjectId up = body.object;
        for (; up.is_valid(); up = frame_parent(scene_.objects[up.index])) {
            if (up != body.object && up.index != 0 && is_body(up) &&
                !(body.is_obstacle() && !map_.is_moved[up.index])) {
                fault(
                    scene_.objects[body.object.index].origin, element, "body-in-body",
                    named(body.object) + " is inside or attached to " + named(up) +
                        ", which is a body of its own",
                    body.is_obstacle()
                        ? "give its shapes to the body"
                        : "make instances beside each other, and hold them with fixed_joint(...)");
                return;
            }
            const Object& object = scene_.objects[up.index];
            for (std::uint32_t k = 0; k < object.transformation_count; ++k)
                if (!check_transformation(
                        body, scene_.transformations[object.first_transformation + k], element))
                    return;
        }
    }

    bool check_transformation(const RigidBody& body, const Transformation& t,
                              const std::string& element)
    {
        if (is_scale(t.kind)) {
            fault(t.origin, element, "body-scaled",
                  named(body.object) + " is a body or an obstacle: it cannot be scaled",
                  "give its shapes their sizes, as parameters of its def or by `scale = ` of a "
                  "mesh");
            return false;
        }
        const std::uint8_t on = t.amount.is_constant() ? 0 : traits_[t.amount.formula].dependence;
        const bool is_free = on & (Dependence::kCoordinate | Dependence::kPosition);
        if (on == 0 || body.is_obstacle())
            return true;
        if (is_free)
            fault(t.origin, element, "body-on-coordinate",
                  named(body.object) + " is a body: it moves freely without dynamic variables",
                  "start it with velocity(...) and spin(...), hold it with a joint, or give "
                  "mass(...) instead of body(...)");
        else
            fault(t.origin, element, "body-driven",
                  named(body.object) + " is a body: forces move it, not tracks",
                  "write `obstacle();` instead of `body(...);` in its def");
        return false;
    }

    // --- shapes

    void check_shapes()
    {
        std::vector<bool> is_solid(scene_.meshes.size());
        for (std::size_t i = 0; i < scene_.shapes.size(); ++i) {
            const Shape& shape = scene_.shapes[i];
            const std::string element = at("shapes", i);
            if (!shape.body.is_valid() || !is_body(shape.body)) {
                fault(shape.origin, element, "shape-without-body",
                      "this shape belongs to no body: nothing moves it or collides with it",
                      "write `body(density = 400);` or `obstacle();` in its def");
                continue;
            }
            check_size(shape, element);
            check_frame(shape, element);
            if (map_.is_moved[shape.body.index])
                check_solidity(shape, element, is_solid);
        }
    }

    void check_size(const Shape& s, const std::string& element)
    {
        const auto good = [](double x) { return x > 0 && std::isfinite(x); };
        bool fits = true;
        switch (s.kind) {
        case ShapeKind::sphere: fits = good(s.radius); break;
        case ShapeKind::ellipsoid:
        case ShapeKind::box: fits = good(s.size.x) && good(s.size.y) && good(s.size.z); break;
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: fits = good(s.radius) && good(s.length); break;
        case ShapeKind::plane:
            fits = std::abs(length(s.size) - 1) < 1e-9 && std::isfinite(s.offset);
            break;
        case ShapeKind::height_field:
            fits = good(s.length) && s.size.x >= 2 && s.size.z >= 2 &&
                   s.size.x * s.size.z == double(scene_.meshes[s.mesh].vertices.size());
            break;
        case ShapeKind::hull:
        case ShapeKind::mesh: break;
        }
        if (!fits)
            fault(s.origin, element, "out-of-range",
                  "the sizes of a shape must be positive and finite",
                  "give lengths above zero, a normal of unit length, a grid as large as its mesh");
    }

    /// Between a shape and its body only constant turns and moves.
    void check_frame(const Shape& shape, const std::string& element)
    {
        ObjectId up = shape.frame;
        for (; up.is_valid() && up != shape.body; up = frame_parent(scene_.objects[up.index])) {
            const Object& object = scene_.objects[up.index];
            for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
                const Transformation& t = scene_.transformations[object.first_transformation + k];
                if (is_scale(t.kind))
                    return fault(t.origin, element, "shape-scaled",
                                 "a shape of a body cannot be scaled",
                                 "give it its size; a mesh takes `scale = 0.01`");
                if (!t.amount.is_constant())
                    return fault(t.origin, element, "shape-moves",
                                 "a shape is fixed to its body: this transformation must not move",
                                 "give a constant, or make it a body of its own and join the two");
            }
        }
        if (!up.is_valid())
            fault(shape.origin, element, "shape-without-body",
                  "this shape is not fixed to the body it belongs to",
                  "its frame must stand in the body's");
    }

    void check_solidity(const Shape& shape, const std::string& element, std::vector<bool>& is_solid)
    {
        if (shape.kind == ShapeKind::plane || shape.kind == ShapeKind::height_field)
            return fault(shape.origin, element, "shape-without-volume",
                         "a plane or a height field has no volume: no body can have one",
                         "write `obstacle();` instead of `body(...);`");
        if (shape.mesh == Shape::kNoMesh || is_solid[shape.mesh])
            return;
        is_solid[shape.mesh] = true; // said once
        const Problems faults = check_solid(scene_.meshes[shape.mesh], element);
        for (const Problem& problem : faults)
            fault(shape.origin, element, "body-not-closed",
                  "the surface of a body must be closed: " + problem.what,
                  problem.hint + "; or write `hull(\"...\")`, or make it an obstacle");
        if (faults.empty() && !(mass_of_shape(scene_, shape).volume > 0))
            fault(shape.origin, element, "body-without-volume",
                  "the surface of a body must enclose a volume",
                  "let its triangles run counter-clockwise seen from outside");
    }

    void check_bodies_have_shapes()
    {
        std::vector<bool> has_shape(scene_.objects.size());
        for (const Shape& shape : scene_.shapes)
            if (shape.body.is_valid())
                has_shape[shape.body.index] = true;
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
            const RigidBody& body = scene_.bodies[i];
            if (body.object.index == 0 || has_shape[body.object.index])
                continue;
            has_shape[body.object.index] = true; // said once
            fault(body.origin, at("bodies", i), "body-without-shape",
                  named(body.object) + (body.is_obstacle() ? " is an obstacle" : " is a body") +
                      " without a shape",
                  "give it one: `box(1, 1, 1);`, `sphere(0.5);`");
        }
    }

    /// Masses and constraints of linkages have no place in or on a body.
    void check_strangers()
    {
        const auto check = [&](ObjectId object, Origin origin, const std::string& element) {
            if (object.index < map_.around.size() && map_.is_in_moved(object))
                fault(origin, element, "mass-in-body",
                      "this mass is inside or attached to the body " +
                          named(map_.around[object.index]) + ", whose mass comes from its shapes",
                      "change `body(density = ...)` or `body(mass = ...)`; a linkage on the body "
                      "moves against it by `dynamic` variables: `bob translatey(y);`");
        };
        for (std::size_t i = 0; i < scene_.masses.size(); ++i)
            check(scene_.masses[i].object, scene_.masses[i].origin, at("masses", i));
        for (std::size_t i = 0; i < scene_.box_masses.size(); ++i)
            check(scene_.box_masses[i].object, scene_.box_masses[i].origin, at("box_masses", i));
        const auto check_held = [&](ObjectId object, Origin origin, const std::string& element) {
            if (object.index < map_.around.size() && map_.is_in_moved(object))
                fault(origin, element, "constraint-on-body",
                      named(map_.around[object.index]) +
                          " is a body: constraints of linkages do not hold it",
                      "use a joint: slider_joint(...), dist_joint(...)");
        };
        for (std::size_t i = 0; i < scene_.path_constraints.size(); ++i) {
            const PathConstraint& c = scene_.path_constraints[i];
            check_held(c.point, c.origin, at("path_constraints", i));
            const bool is_rider = c.point.index < map_.around.size() &&
                                  map_.is_loose_on_moved(c.point); // the wire is the body's
            if (c.path.index < scene_.paths.size() && !is_rider)
                check_held(scene_.paths[c.path.index].frame, c.origin, at("path_constraints", i));
        }
        for (std::size_t i = 0; i < scene_.distance_constraints.size(); ++i) {
            const DistanceConstraint& c = scene_.distance_constraints[i];
            check_held(c.a, c.origin, at("distance_constraints", i));
            check_held(c.b, c.origin, at("distance_constraints", i));
        }
    }

    /// Of time, and of the times of events: known when a step begins.
    bool is_known_by_events(Value value) const
    {
        bool is_known = true;
        for_each_leaf(scene_, value, [&](const Formula& leaf) {
            const bool is_event = leaf.operation == Operation::coordinate &&
                                  scene_.coordinates[leaf.index].kind == CoordinateKind::event;
            is_known = is_known && (is_event || leaf.operation == Operation::time ||
                                    leaf.operation == Operation::track);
        });
        return is_known;
    }

    /// How fast a place changes is known to linkages within their steps; not to what pushes bodies,
    /// strands and rods.
    void check_rates_of_values()
    {
        const auto is_in_linkage = [&](ObjectId object) {
            const auto is_site = [&](const auto& site) { return site.object == object; };
            return !map_.is_in_moved(object) &&
                   std::ranges::none_of(scene_.strand_sites, is_site) &&
                   std::ranges::none_of(scene_.rod_sites, is_site);
        };
        const auto check = [&](Origin origin, const std::string& element, auto... values) {
            bool has_rate = false;
            const auto look = [&](const Formula& leaf) {
                has_rate = has_rate || is_rate_of_value(leaf);
            };
            (for_each_leaf(scene_, values, look), ...);
            if (has_rate)
                fault(origin, element, "rate-of-value",
                      "what pushes a body, a strand or a rod cannot depend on the rate of a "
                      "position or formula",
                      "use drag(...), or the rate of a dynamic variable");
        };
        for (std::size_t i = 0; i < scene_.forces.size(); ++i)
            if (const Force& f = scene_.forces[i]; !is_in_linkage(f.object))
                check(f.origin, at("forces", i), f.x, f.y, f.z);
        for (std::size_t i = 0; i < scene_.body_torques.size(); ++i)
            check(scene_.body_torques[i].origin, at("body_torques", i), scene_.body_torques[i].x,
                  scene_.body_torques[i].y, scene_.body_torques[i].z);
        for (std::size_t i = 0; i < scene_.drags.size(); ++i)
            if (!is_in_linkage(scene_.drags[i].object))
                check(scene_.drags[i].origin, at("drags", i), scene_.drags[i].coefficient);
    }

    /// Where bodies are is known only once linkages have moved.
    void check_followers()
    {
        const auto check = [&](Origin origin, const std::string& element, auto... values) {
            ObjectId seen;
            const auto look = [&](const Formula& leaf) {
                if (leaf.operation == Operation::position)
                    for (const ObjectId id : {ObjectId{leaf.index}, leaf.frame})
                        if (map_.is_in_moved(id))
                            seen = id;
            };
            (for_each_leaf(scene_, values, look), ...);
            if (seen.is_valid())
                fault(origin, element, "linkage-follows-body",
                      "a linkage cannot be driven by where the body " +
                          named(map_.around[seen.index]) + " is",
                      "tie them: spring_and_damper(...), ball_joint(...), dist_joint(...)");
        };
        for (std::size_t i = 0; i < scene_.forces.size(); ++i) {
            const Force& f = scene_.forces[i];
            if (!map_.is_in_moved(f.object))
                check(f.origin, at("forces", i), f.x, f.y, f.z);
        }
        for (std::size_t i = 0; i < scene_.torques.size(); ++i)
            check(scene_.torques[i].origin, at("torques", i), scene_.torques[i].value);
        for (std::size_t i = 0; i < scene_.coordinate_springs.size(); ++i) {
            const CoordinateSpring& s = scene_.coordinate_springs[i];
            check(s.origin, at("coordinate_springs", i), s.rest_length, s.stiffness, s.damping);
        }
        for (std::size_t i = 0; i < scene_.distance_constraints.size(); ++i)
            check(scene_.distance_constraints[i].origin, at("distance_constraints", i),
                  scene_.distance_constraints[i].distance,
                  scene_.distance_constraints[i].release.active);
        for (std::size_t i = 0; i < scene_.path_constraints.size(); ++i)
            check(scene_.path_constraints[i].origin, at("path_constraints", i),
                  scene_.path_constraints[i].release.active);
        for (std::size_t i = 0; i < scene_.coordinate_frictions.size(); ++i)
            check(scene_.coordinate_frictions[i].origin, at("coordinate_frictions", i),
                  scene_.coordinate_frictions[i].most);
        for (std::size_t i = 0; i < scene_.events.size(); ++i)
            for (const Event::RateSet& set : scene_.events[i].rates)
                check(scene_.events[i].origin, at("events", i), set.rate);
    }

    // --- materials and joints

    template <class Surface>
    void check_surface(const Surface& s, const std::string& element)
    {
        const Origin origin = s.origin;
        const double sliding = s.sliding.value_or(0);
        if (!(s.friction >= 0) || !std::isfinite(s.friction) || !(s.rolling >= 0) ||
            !std::isfinite(s.rolling) || !(s.bounce >= 0 && s.bounce <= 1) || !(sliding >= 0) ||
            !std::isfinite(sliding))
            fault(origin, element, "out-of-range",
                  "friction and rolling must not be negative, bounce lies between 0 and 1",
                  "write `material(friction = 0.5, bounce = 0.1);`");
    }

    void check_materials()
    {
        std::vector<bool> seen(scene_.objects.size());
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
            const Material& m = scene_.materials[i];
            check_surface(m, at("materials", i));
            if (!is_body(m.object))
                fault(m.origin, at("materials", i), "material-without-body",
                      "this material belongs to no body",
                      "write it into a def with `body(...)` or `obstacle()`");
            else if (seen[m.object.index])
                fault(m.origin, at("materials", i), "material-twice",
                      named(m.object) + " has a material already", "remove one");
            seen[m.object.index] = true;
        }
        for (std::size_t i = 0; i < scene_.material_pairs.size(); ++i) {
            const MaterialPair& p = scene_.material_pairs[i];
            check_surface(p, at("material_pairs", i));
            if (!is_body(p.a) || !is_body(p.b) || p.a == p.b)
                fault(p.origin, at("material_pairs", i), "no-body",
                      "a material of two needs two different bodies", "name two bodies");
        }
        for (std::size_t i = 0; i < scene_.meetings.size(); ++i) {
            const MeetingPair& p = scene_.meetings[i];
            if (!is_body(p.a) || !is_body(p.b) || p.a == p.b)
                fault(p.origin, at("meetings", i), "no-body",
                      "`touches` is said of two different bodies", "name two bodies");
        }
        check_belts();
        check_mass_placements();
        for (std::size_t i = 0; i < scene_.body_torques.size(); ++i)
            if (const BodyTorque& t = scene_.body_torques[i];
                !map_.is_in_moved(t.object) && !is_on_rod(t.object))
                fault(t.origin, at("body_torques", i), "torque-without-body",
                      named(t.object) + " is not part of a body: a torque has no effect on it",
                      "name an instance whose def has `body(...)`, a point of a rod, or a dynamic "
                      "variable: `torque(theta, 2);`");
    }

    /// True for what stands in the frame of a point of a rod. Points are not checked yet.
    bool is_on_rod(ObjectId object) const
    {
        for (; object.is_valid(); object = frame_parent(scene_.objects[object.index]))
            if (std::ranges::any_of(scene_.rod_sites,
                                    [&](const RodSite& site) { return site.object == object; }))
                return true;
        return false;
    }

    void check_belts()
    {
        std::vector<bool> seen(scene_.objects.size());
        for (std::size_t i = 0; i < scene_.belts.size(); ++i) {
            const Belt& belt = scene_.belts[i];
            if (!is_body(belt.object))
                fault(belt.origin, at("belts", i), "belt-without-body",
                      "this belt belongs to no body",
                      "write it into a def with `body(...)` or `obstacle()`");
            else if (seen[belt.object.index])
                fault(belt.origin, at("belts", i), "belt-twice",
                      named(belt.object) + " has a belt already", "remove one");
            seen[belt.object.index] = true;
            for (const Value& value : {belt.x, belt.y, belt.z})
                if (!is_known_in_advance(scene_, value))
                    return fault(belt.origin, at("belts", i), "belt-not-known",
                                 "the speed of a belt may depend on time only",
                                 "use a number, a track or a formula of `time`");
        }
    }

    void check_mass_placements()
    {
        std::vector<int> seen(scene_.objects.size());
        for (std::size_t i = 0; i < scene_.mass_placements.size(); ++i) {
            const MassPlacement& m = scene_.mass_placements[i];
            const std::string element = at("mass_placements", i);
            if (!is_body(m.object) || !map_.is_moved[m.object.index])
                fault(m.origin, element, "mass-without-body",
                      "where mass lies is said of a body, and this is none",
                      "write it into a def with `body(...)`");
            const int kinds = (m.centre ? 1 : 0) | (m.moments ? 2 : 0);
            if (seen[m.object.index] & kinds)
                fault(m.origin, element, "mass-placed-twice",
                      named(m.object) + " already has a centre of mass", "remove one");
            seen[m.object.index] |= kinds;
            const Vec3 I = m.moments.value_or(Vec3{1, 1, 1});
            if (!(I.x > 0 && I.y > 0 && I.z > 0) || I.x > I.y + I.z || I.y > I.z + I.x ||
                I.z > I.x + I.y)
                fault(m.origin, element, "no-such-moments",
                      "no body has these moments of inertia: one is larger than the other two "
                      "together",
                      "a moment is at most the sum of the others, as of a thin disc");
        }
    }

    void check_joints()
    {
        for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
            const Joint& j = scene_.joints[i];
            const std::string element = at("joints", i);
            const bool are_bodies = j.a.index != 0 && can_be_held(j.a) && can_be_held(j.b) &&
                                    j.a != j.b &&
                                    (map_.is_moved[j.a.index] || map_.is_moved[j.b.index]);
            if (!are_bodies)
                fault(j.origin, element, "joint-holds-nothing",
                      "a joint holds a body, and another body, an obstacle, an object of a linkage "
                      "or the world",
                      "name two different things, one of them a body");
            check_unscaled(j.a, j, element);
            check_unscaled(j.b, j, element);
            check_joint_numbers(j, element);
            if (j.kind == JointKind::gear || j.kind == JointKind::rack)
                check_wheels(j, element);
        }
    }

    /// Where wheels and racks lie is what the joints that carry them say.
    void check_wheels(const Joint& j, const std::string& element)
    {
        const auto check_end = [&](ObjectId end, JointKind kind) {
            if (end.index == 0 || find_carrier(scene_, end, kind))
                return;
            const bool is_hinge = kind == JointKind::hinge;
            fault(j.origin, element, is_hinge ? "wheel-without-hinge" : "rack-without-slider",
                  named(end) + (is_hinge ? " needs exactly one hinge_joint to turn on"
                                         : " needs exactly one slider_joint to slide on"),
                  is_hinge ? "write `hinge_joint(wheel, line(0,0,0, 0,0,1));` for each wheel"
                           : "write `slider_joint(bar, line(0,0,0, 1,0,0));` for the rack");
        };
        check_end(j.a, j.kind == JointKind::gear ? JointKind::hinge : JointKind::slider);
        check_end(j.b, JointKind::hinge);
        if (j.a.index == 0 || j.b.index == 0)
            fault(j.origin, element, "wheel-is-world", "wheels and racks are bodies",
                  "name two bodies, each held by a joint of its own");
    }

    /// A body as a whole, or something outside of all bodies.
    bool can_be_held(ObjectId object) const
    {
        return !map_.around[object.index].is_valid() || is_body(object) ||
               map_.is_loose_on_moved(object);
    }

    void check_unscaled(ObjectId end, const Joint& j, const std::string& element)
    {
        for (ObjectId up = end; up.is_valid() && !map_.around[end.index].is_valid();
             up = frame_parent(scene_.objects[up.index]))
            for (std::uint32_t k = 0; k < scene_.objects[up.index].transformation_count; ++k)
                if (is_scale(
                        scene_.transformations[scene_.objects[up.index].first_transformation + k]
                            .kind))
                    return fault(
                        j.origin, element, "joint-end-scaled",
                        named(end) + " is in a scaled frame: a joint cannot "
                                     "measure lengths there",
                        "hold something whose transformations only rotate and translate it");
    }

    /// Limits of a joint: finite where given, and not negative or not zero where that means
    /// nothing.
    [[nodiscard]] static bool are_limits_good(const Joint& j)
    {
        const auto is_at_least = [](const std::optional<double>& x, double least) {
            return !x || (std::isfinite(*x) && *x >= least);
        };
        const auto is_positive = [](const std::optional<double>& x) {
            return !x || (std::isfinite(*x) && *x > 0);
        };
        const bool is_ordered = !j.low || !j.high || *j.low <= *j.high;
        return is_at_least(j.low, -HUGE_VAL) && is_at_least(j.high, -HUGE_VAL) && is_ordered &&
               is_at_least(j.until, -HUGE_VAL) && is_at_least(j.cone, 0) &&
               is_at_least(j.twist, 0) && is_positive(j.breaks) && is_positive(j.breaks_torque);
    }

    /// Forces and springs of a joint, and what drives it.
    [[nodiscard]] static bool are_drives_good(const Joint& j)
    {
        const auto is_good = [](const std::optional<Value>& x) {
            return !x || !x->is_constant() || std::isfinite(x->number);
        };
        const auto is_size = [](double x) { return x >= 0 && std::isfinite(x); };
        return is_good(j.motor) && is_good(j.distance) && is_good(j.target) &&
               is_size(j.motor_force) && is_size(j.stiffness) && is_size(j.damping) &&
               is_size(j.friction);
    }

    void check_joint_numbers(const Joint& j, const std::string& element)
    {
        const bool has_axis = j.kind == JointKind::hinge || j.kind == JointKind::slider ||
                              j.kind == JointKind::screw || j.kind == JointKind::universal;
        const bool is_axis_good = !has_axis || std::abs(length(j.axis) - 1) < 1e-9;
        if (!is_finite(j.point) || !is_finite(j.other) || !is_axis_good || !are_limits_good(j) ||
            !are_drives_good(j))
            fault(j.origin, element, "out-of-range",
                  "places, limits and forces of a joint must be finite, its axis of unit length",
                  "give finite numbers, low below high");
        const bool has_ratio =
            j.kind == JointKind::gear || j.kind == JointKind::rack || j.kind == JointKind::screw;
        const bool is_ratio_good =
            !has_ratio || (j.distance && j.distance->is_constant() &&
                           std::isfinite(j.distance->number) && j.distance->number != 0);
        const bool is_cross_good =
            j.kind != JointKind::universal ||
            (std::abs(length(j.other) - 1) < 1e-9 && std::abs(dot(j.axis, j.other)) < 1e-6);
        if (!is_ratio_good || !is_cross_good)
            fault(j.origin, element, "out-of-range",
                  "a ratio, radius or pitch is a constant other than zero, and the two axes of a "
                  "universal joint are of unit length and at a right angle",
                  "give a finite ratio; draw the second axis across the first");
        for (const auto& value : {j.distance, j.target})
            if (value && !is_known_in_advance(scene_, *value))
                fault(j.origin, element, "joint-not-known",
                      "length and target of a joint may depend on time only",
                      "use a number, a track or a formula of `time`");
        for (const auto& value : {j.motor, std::optional(j.active)})
            if (value && !is_known_by_events(*value))
                fault(j.origin, element, "joint-not-known",
                      "what drives a joint may depend on time and events only",
                      "use a number, a track, a formula of `time`, or an event: `when b_y < 1 as "
                      "low end;`, then `motor = 2 * low`");
    }

    const Scene& scene_;
    BodyMap map_;
    std::vector<FormulaTraits> traits_;
    mutable std::vector<std::string> names_;
    Problems problems_;
};

} // namespace

Problems validate_bodies(const Scene& scene)
{
    const bool has_any = !scene.bodies.empty() || !scene.shapes.empty() || !scene.meshes.empty() ||
                         !scene.materials.empty() || !scene.material_pairs.empty() ||
                         !scene.meetings.empty() || !scene.belts.empty() ||
                         !scene.mass_placements.empty() || !scene.body_torques.empty() ||
                         !scene.joints.empty();
    return has_any ? BodyValidator(scene).run() : Problems{};
}

} // namespace sinew
