// One number for all that decides a scene's motion and picture; where it was written does not
// count.

#include "base/hash.h"
#include "sinew/scene.h"

namespace sinew {

namespace {

class SceneHash {
public:
    std::uint64_t run(const Scene& s)
    {
        const auto each = [&](const auto& list, auto add) {
            hash_.add(list.size());
            for (const auto& element : list)
                add(element);
        };
        add_settings(s.settings);
        each(s.parameters, [&](const Parameter& p) {
            hash_.add(p.name)
                .add(p.value)
                .add(p.low.value_or(-1e300))
                .add(p.high.value_or(1e300))
                .add(p.text);
        });
        each(s.coordinates,
             [&](const Coordinate& c) { hash_.add(c.name).add(c.initial).add(c.initial_rate); });
        each(s.imports, [&](const Import& i) { hash_.add(i.name); });
        each(s.formulas, [&](const Formula& f) {
            hash_.add(int(f.operation)).add(int(f.axis)).add(f.index).add(f.frame.index);
            add(f.a, f.b);
        });
        each(s.tracks, [&](const Track& t) {
            hash_.add(t.along);
            each(t.keys, [&](const Key& k) {
                add(k.value);
                hash_.add(k.at).add(int(k.easing));
            });
        });
        each(s.values, [&](Value v) { add(v); });
        each(s.transformations, [&](const Transformation& t) {
            hash_.add(int(t.kind));
            add(t.amount);
        });
        each(s.objects, [&](const Object& o) {
            hash_.add(o.name)
                .add(o.index)
                .add(o.ordinal)
                .add(o.is_anonymous)
                .add(o.parent.index)
                .add(o.on.index);
            hash_.add(o.end).add(o.first_transformation).add(o.transformation_count);
        });
        each(s.paths, [&](const Path& p) {
            hash_.add(int(p.kind)).add(p.frame.index).add(p.points.first).add(p.points.count);
        });
        each(s.masses, [&](const Mass& m) { hash_.add(m.object.index).add(m.mass); });
        each(s.box_masses, [&](const BoxMass& m) {
            hash_.add(m.object.index).add(m.mass).add(m.size.x).add(m.size.y).add(m.size.z);
        });
        each(s.labels, [&](const Label& l) { hash_.add(l.object.index); });
        each(s.drawings, [&](const Drawing& d) {
            hash_.add(int(d.kind))
                .add(d.object.index)
                .add(d.points.first)
                .add(d.points.count)
                .add(d.path.index);
        });
        each(s.distance_constraints, [&](const DistanceConstraint& c) {
            hash_.add(c.a.index).add(c.b.index);
            add(c.distance);
        });
        each(s.path_constraints,
             [&](const PathConstraint& c) { hash_.add(c.point.index).add(c.path.index); });
        each(s.point_springs, [&](const PointSpring& p) {
            hash_.add(p.a.index).add(p.b.index);
            add(p.rest_length, p.stiffness, p.damping);
        });
        each(s.coordinate_springs, [&](const CoordinateSpring& c) {
            hash_.add(c.coordinate.index);
            add(c.rest_length, c.stiffness, c.damping);
        });
        each(s.forces, [&](const Force& f) {
            hash_.add(f.object.index).add(f.frame.index);
            add(f.x, f.y, f.z);
        });
        each(s.torques, [&](const Torque& t) {
            hash_.add(t.coordinate.index);
            add(t.value);
        });
        each(s.drags, [&](const Drag& d) {
            hash_.add(d.object.index);
            add(d.coefficient);
        });
        each(s.fields, [&](const Field& f) {
            hash_.add(f.frame.index);
            add(f.x, f.y, f.z);
            each(f.on, [&](ObjectId o) { hash_.add(o.index); });
        });
        each(s.colours, [&](const Colour& c) {
            hash_.add(c.object.index).add(c.rgb.x).add(c.rgb.y).add(c.rgb.z);
        });
        add_bodies(s);
        if (!s.strands.empty()) // what has none keeps the number it had before there were any
            add_strands(s);
        if (!s.rods.empty())
            add_rods(s);
        return hash_.value();
    }

private:
    void add_bodies(const Scene& s)
    {
        const auto each = [&](const auto& list, auto add_element) {
            hash_.add(list.size());
            for (const auto& element : list)
                add_element(element);
        };
        each(s.bodies, [&](const RigidBody& b) {
            hash_.add(b.object.index).add(b.density).add(b.mass);
            add_vectors(b.velocity, b.spin);
        });
        each(s.shapes, [&](const Shape& p) {
            hash_.add(int(p.kind)).add(p.body.index).add(p.frame.index).add(p.mesh);
            hash_.add(p.radius).add(p.length).add(p.offset);
            add_vectors(p.size);
        });
        each(s.meshes, [&](const TriangleMesh& m) {
            each(m.vertices, [&](const Vec3& x) { add_vectors(x); });
            each(m.triangles, [&](const auto& t) { hash_.add(t[0]).add(t[1]).add(t[2]); });
        });
        if (!s.mesh_motions.empty()) // what has none keeps the number it had before there were any
            each(s.mesh_motions, [&](const MeshMotion& m) { add_motion(m); });
        each(s.materials, [&](const Material& m) {
            hash_.add(m.object.index).add(m.friction).add(m.bounce).add(m.rolling);
        });
        each(s.material_pairs, [&](const MaterialPair& p) {
            hash_.add(p.a.index).add(p.b.index).add(p.friction).add(p.bounce).add(p.rolling);
        });
        each(s.joints, [&](const Joint& j) {
            hash_.add(int(j.kind)).add(j.a.index).add(j.b.index).add(j.frame.index);
            add_vectors(j.point, j.other, j.axis);
            for (const auto& number : {j.low, j.high, j.breaks})
                hash_.add(number.has_value()).add(number.value_or(0));
            hash_.add(j.motor_force).add(j.motor.has_value()).add(j.distance.has_value());
            add(j.motor.value_or(Value{}), j.distance.value_or(Value{}));
        });
    }

    void add_motion(const MeshMotion& m)
    {
        hash_.add(m.mesh).add(m.begin).add(m.speed).add(m.scale);
        for (const Vec3& x : m.corners)
            add_vectors(x);
        for (const auto& joints : m.joints)
            for (const std::uint32_t joint : joints)
                hash_.add(joint);
        for (const auto& weights : m.weights)
            for (const double weight : weights)
                hash_.add(weight);
        for (const MeshMotion::Part& part : m.parts) {
            hash_.add(part.first).add(part.count).add(part.node).add(part.skin).add(part.mixed);
            for (const double share : part.shares)
                hash_.add(share);
            for (const std::vector<Vec3>& form : part.forms)
                for (const Vec3& x : form)
                    add_vectors(x);
        }
        for (const MeshMotion::Node& node : m.nodes) {
            hash_.add(node.parent).add(node.translated).add(node.turned).add(node.scaled);
            add_affine(node.matrix);
        }
        for (const MeshMotion::Skin& skin : m.skins)
            for (std::size_t i = 0; i < skin.nodes.size(); ++i) {
                hash_.add(skin.nodes[i]);
                add_affine(skin.to_node[i]);
            }
        for (const MotionChannel& channel : m.channels) {
            hash_.add(int(channel.way)).add(channel.width).add(channel.times.size());
            for (const double time : channel.times)
                hash_.add(time);
            for (const double value : channel.values)
                hash_.add(value);
        }
    }

    void add_affine(const Affine& frame)
    {
        add_vectors(frame.linear.x, frame.linear.y, frame.linear.z, frame.origin);
    }

    void add_strands(const Scene& s)
    {
        const auto each = [&](const auto& list, auto add_element) {
            hash_.add(list.size());
            for (const auto& element : list)
                add_element(element);
        };
        hash_.add(int(s.settings.strands.method)).add(s.settings.strands.is_float);
        hash_.add(s.settings.strands.tolerance).add(s.settings.strands.has_numerical_jacobian);
        hash_.add(s.settings.settle);
        each(s.trees, [&](const StrandTree& t) {
            hash_.add(t.object.index).add(t.has_zero_gravity_rest);
            add_vectors(t.velocity, t.spin);
            add(t.time_scale, t.local_dynamics, t.blend, t.freeze);
            hash_.add(t.reference.index);
        });
        each(s.strands, [&](const StrandCurve& c) {
            hash_.add(c.tree.index).add(c.object.index).add(c.path.index).add(c.segments);
            hash_.add(c.from).add(c.from_along).add(c.root);
        });
        each(s.strand_properties, [&](const StrandProperty& p) {
            hash_.add(int(p.kind)).add(p.tree.index).add(p.curve);
            add(p.a, p.b);
        });
        each(s.strand_sites, [&](const StrandSite& site) {
            hash_.add(site.object.index).add(site.curve).add(site.along);
        });
        hash_.add(int(s.settings.strands.friction));
        each(s.strand_poses, [&](const StrandPose& p) {
            hash_.add(p.tree.index).add(p.curve).add(p.path.index);
            add(p.strength, p.damping);
        });
        each(s.strand_constraints, [&](const StrandConstraint& c) {
            hash_.add(int(c.kind)).add(c.a.index).add(c.b.index).add(c.path.index);
            hash_.add(c.frame.index).add(c.distance.has_value()).add(c.ease);
            for (const auto& number : {c.low, c.high})
                hash_.add(number.has_value()).add(number.value_or(0));
            hash_.add(int(c.axis));
            add(c.x, c.y, c.z, c.distance.value_or(Value{}), c.stiffness, c.damping, c.active);
        });
        hash_.add(s.settings.strands.touch_each_other);
        each(s.skins, [&](const Skin& skin) {
            each(skin.triangles, [&](const auto& t) { hash_.add(t[0]).add(t[1]).add(t[2]); });
            each(skin.times, [&](double time) { hash_.add(time); });
            each(skin.vertices, [&](const Vec3& x) { add_vectors(x); });
        });
        each(s.strand_roots,
             [&](const StrandRoot& r) { hash_.add(r.skin).add(r.triangle).add(r.u).add(r.v); });
        each(s.airs, [&](const Air& a) { add_air(a); });
    }

    void add_rods(const Scene& s)
    {
        const auto each = [&](const auto& list, auto add_element) {
            hash_.add(list.size());
            for (const auto& element : list)
                add_element(element);
        };
        hash_.add(s.settings.rods.iterations).add(s.settings.settle);
        hash_.add(int(s.settings.rods.contact)).add(int(s.settings.rods.solver));
        hash_.add(s.settings.rods.tolerance).add(s.settings.rods.is_quasi_static);
        each(s.rods, [&](const Rod& r) {
            hash_.add(r.object.index).add(r.path.index).add(int(r.kind)).add(r.spans);
            for (const double number :
                 {r.radius, r.young, r.poisson, r.density, r.damping, r.drag_along, r.drag_across})
                hash_.add(number);
            hash_.add(r.rest_length.has_value()).add(r.rest_length.value_or(0));
            hash_.add(r.is_straight).add(r.rest_path.index);
            add_vectors(r.velocity, r.spin);
            add(r.friction, r.bounce, r.contact);
            hash_.add(r.begin).add(r.end).add(r.whole.index);
        });
        each(s.rod_sites, [&](const RodSite& site) {
            hash_.add(site.object.index).add(site.rod).add(site.along);
        });
        each(s.rod_constraints, [&](const RodConstraint& c) {
            hash_.add(int(c.kind)).add(c.a.index).add(c.b.index).add(c.path.index);
            hash_.add(c.frame.index).add(int(c.tangent)).add(int(c.end));
            hash_.add(c.is_at_most).add(c.is_at_least).add(c.is_oriented);
            hash_.add(c.from).add(c.friction).add(c.viscous).add(c.slide.has_value());
            add(c.distance, c.slide.value_or(Value{}));
            add_vectors(c.direction);
            hash_.add(c.low).add(c.high);
            add(c.stiffness, c.damping);
            for (const auto& number :
                 {c.release.until, c.release.breaks, c.release.beyond, c.angle})
                hash_.add(number.has_value()).add(number.value_or(0));
            add(c.release.active);
            hash_.add(c.release.ease);
        });
        if (s.strands.empty())
            each(s.airs, [&](const Air& a) { add_air(a); });
    }

    void add_air(const Air& a)
    {
        hash_.add(int(a.kind)).add(a.frame.index).add(a.size).add(a.period);
        hash_.add(a.behind.index).add(a.seed);
        add(a.x, a.y, a.z, a.strength, a.weight);
        add_vectors(a.point, a.axis);
        hash_.add(a.on.size());
        for (const ObjectId object : a.on)
            hash_.add(object.index);
    }

    template <class... Vectors>
    void add_vectors(const Vectors&... vectors)
    {
        (hash_.add(vectors.x).add(vectors.y).add(vectors.z), ...);
    }

    template <class... Values>
    void add(Values... values)
    {
        (hash_.add(values.is_constant() ? values.number : 0).add(values.formula), ...);
    }

    void add_settings(const Settings& s)
    {
        add(s.gravity_x, s.gravity_y, s.gravity_z);
        hash_.add(s.frame_rate)
            .add(s.start)
            .add(s.end)
            .add(s.step)
            .add(s.assemble)
            .add(int(s.linkage_method));
        hash_.add(int(s.bodies.method))
            .add(s.bodies.iterations)
            .add(s.bodies.has_shock)
            .add(s.bodies.smoothing)
            .add(s.bodies.substeps)
            .add(s.bodies.may_sleep);
        hash_.add(s.camera.has_value());
        if (s.camera)
            for (const double x : {s.camera->position.x, s.camera->position.y, s.camera->position.z,
                                   s.camera->target.x, s.camera->target.y, s.camera->target.z,
                                   s.camera->field_of_view})
                hash_.add(x);
        if (s.camera && s.camera->frame.is_valid())
            hash_.add(s.camera->frame.index);
        for (std::size_t i = 0; s.camera && i < s.camera->keys.size(); ++i) {
            hash_.add(s.camera->keys[i].time);
            add_vectors(s.camera->keys[i].position, s.camera->keys[i].target);
        }
    }

    Hash hash_;
};

} // namespace

std::uint64_t fingerprint(const Scene& scene) { return SceneHash().run(scene); }

} // namespace sinew
