// One number for all that decides a scene's motion and picture; where it was written does not
// count. Fields come in the order of scene/fields.h. What was added to a list later is written only
// where it is not as usual, and the lists of curves only where there are any, so that a scene keeps
// the number that recordings have of it.

#include "base/hash.h"
#include "scene/fields.h"

#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <vector>

namespace sinew {

namespace {

template <class T>
bool is_usual(const std::vector<T>& list)
{
    return list.empty();
}
template <class T>
bool is_usual(const std::optional<T>& x)
{
    return !x;
}
template <std::same_as<bool> Flag>
bool is_usual(Flag flag)
{
    return !flag;
}
bool is_usual(CoordinateKind kind) { return kind == CoordinateKind::number; }
bool is_usual(Value value) { return value.is_constant() && value.number == 0; }
bool is_usual(const std::string& text) { return text.empty(); }
bool is_usual(PathId path) { return !path.is_valid(); }
bool is_usual(const Release& release) { return release.always_holds(); }

class SceneHash {
public:
    std::uint64_t run(const Scene& s)
    {
        add_settings(s.settings);
        for_each_field(
            [&](FieldName name, const auto& list) {
                if (!is_told_apart(name.text))
                    add_field(name, list);
            },
            s);
        if (!s.strands.empty())
            add_strands(s);
        if (!s.rods.empty())
            add_rods(s);
        return hash_.value();
    }

private:
    /// Files do not count, what constraints and cuts say is in the lists made of them, and the
    /// others follow below.
    static bool is_told_apart(std::string_view list)
    {
        constexpr std::string_view kApart[] = {
            "files",        "assets",       "settings",           "trees",
            "strands",      "strand_sites", "strand_properties",  "strand_poses",
            "strand_roots", "skins",        "strand_constraints", "airs",
            "rods",         "rod_sites",    "rod_constraints",    "rod_cuts"};
        return std::ranges::find(kApart, list) != std::end(kApart);
    }

    template <class T>
    void add_field(FieldName name, const T& field)
    {
        if constexpr (requires { is_usual(field); }) {
            if (name.is_later && is_usual(field))
                return;
        }
        add(field);
    }

    void add(const Origin&) {}
    void add(const SourceFile&) {}
    void add(const std::string& text) { hash_.add(text); }
    void add(const Vec3& v) { hash_.add(v.x).add(v.y).add(v.z); }
    void add(const Affine& X)
    {
        for (const Vec3& v : {X.linear.x, X.linear.y, X.linear.z, X.origin})
            add(v);
    }
    void add(Value value) { hash_.add(value.is_constant() ? value.number : 0).add(value.formula); }
    template <class Tag>
    void add(Id<Tag> id)
    {
        hash_.add(id.index);
    }
    template <class T>
    void add(const std::optional<T>& x)
    {
        hash_.add(x.has_value());
        add(x.value_or(T{}));
    }
    template <class T>
    void add(const std::vector<T>& list)
    {
        if (has_counts_)
            hash_.add(list.size());
        for (const T& element : list)
            add(element);
    }
    template <class T, std::size_t n>
    void add(const std::array<T, n>& list)
    {
        for (const T& element : list)
            add(element);
    }
    template <class T>
    void add(const T& x)
    {
        if constexpr (std::is_enum_v<T>)
            hash_.add(static_cast<int>(x));
        else if constexpr (std::is_arithmetic_v<T>)
            hash_.add(x);
        else
            for_each_field([&](FieldName name, const auto& f) { add_field(name, f); }, x);
    }
    template <class First, class Second, class... More>
    void add(const First& first, const Second& second, const More&... more)
    {
        add(first);
        add(second);
        (add(more), ...);
    }

    void add(const Parameter& p)
    {
        add(p.name, p.value, p.low.value_or(-1e300), p.high.value_or(1e300), p.text);
    }
    void add(const MeshMotion& motion)
    {
        has_counts_ = false;
        for_each_field([&](FieldName, const auto& f) { add(f); }, motion);
        has_counts_ = true;
    }
    /// Its translation, rotation and scale make the matrix.
    void add(const MeshMotion::Node& node)
    {
        add(node.parent, node.translated, node.turned, node.scaled, node.matrix);
    }
    void add(const MeshMotion::Skin& skin)
    {
        for (std::size_t i = 0; i < skin.nodes.size(); ++i)
            add(skin.nodes[i], skin.to_node[i]);
    }
    void add(const MotionChannel& channel)
    {
        add(channel.way, channel.width, channel.times.size(), channel.times, channel.values);
    }

    /// What came later counts only where it is said, as in recordings that know nothing of it.
    void add(const RigidBody& b)
    {
        add(b.object, b.density, b.mass, b.velocity, b.spin);
        if (b.gravity || b.damping != 0 || b.spin_damping != 0 || b.is_asleep)
            add(b.gravity, b.damping, b.spin_damping, b.is_asleep);
    }
    void add(const Material& m)
    {
        add(m.object, m.friction, m.bounce, m.rolling);
        if (m.sliding)
            add(m.sliding);
    }
    void add(const MaterialPair& p)
    {
        add(p.a, p.b, p.friction, p.bounce, p.rolling);
        if (p.sliding)
            add(p.sliding);
    }
    void add(const Joint& j)
    {
        add(j.kind, j.a, j.b, j.frame, j.point, j.other, j.axis, j.low, j.high, j.breaks);
        add(j.motor_force, j.motor.has_value(), j.distance.has_value());
        add(j.motor.value_or(Value{}), j.distance.value_or(Value{}));
        const bool is_plain = !j.breaks_torque && !j.until && !j.cone && !j.twist && !j.target &&
                              j.active.is_constant() && j.active.number > 0.5 && j.stiffness == 0 &&
                              j.damping == 0 && j.friction == 0;
        if (is_plain)
            return; // as in recordings that know no more of joints
        add(j.breaks_torque, j.until, j.active, j.cone, j.twist, j.target.has_value());
        add(j.target.value_or(Value{}), j.stiffness, j.damping, j.friction);
    }
    void add(const StrandConstraint& c)
    {
        add(c.kind, c.a, c.b, c.path, c.frame, c.distance.has_value(), c.ease, c.low, c.high);
        add(c.axis, c.x, c.y, c.z, c.distance.value_or(Value{}), c.stiffness, c.damping, c.active);
    }
    void add(const RodConstraint& c)
    {
        add(c.kind, c.a, c.b, c.path, c.frame, c.tangent, c.end, c.is_at_most, c.is_at_least);
        add(c.is_oriented, c.from, c.friction, c.viscous, c.slide.has_value(), c.distance);
        add(c.slide.value_or(Value{}), c.direction, c.low, c.high, c.stiffness, c.damping);
        const Release& r = c.release;
        add(r.until, r.breaks, r.beyond, c.angle, r.active, r.ease);
        const bool is_plain = c.radius == 0 && !c.torque && c.stored == 0 && c.turns == 0;
        if (is_plain && !c.is_last)
            return; // as in recordings that know no wheels
        add(c.radius, c.torque.has_value(), c.torque.value_or(Value{}), c.stored, c.turns);
        add(c.is_last);
    }

    void add_strands(const Scene& s)
    {
        const StrandSettings& settings = s.settings.strands;
        add(settings.method, settings.is_float, settings.tolerance);
        add(settings.has_numerical_jacobian, s.settings.settle);
        add(s.trees, s.strands, s.strand_properties, s.strand_sites, settings.friction);
        add(s.strand_poses, s.strand_constraints, settings.touch_each_other);
        add(s.skins, s.strand_roots, s.airs);
    }

    void add_rods(const Scene& s)
    {
        const RodSettings& settings = s.settings.rods;
        add(settings.iterations, s.settings.settle, settings.contact, settings.solver);
        add(settings.tolerance, settings.is_quasi_static);
        add(s.rods, s.rod_sites, s.rod_constraints);
        if (s.strands.empty())
            add(s.airs);
    }

    void add_settings(const Settings& s)
    {
        add(s.gravity_x, s.gravity_y, s.gravity_z, s.frame_rate, s.start, s.end, s.step);
        add(s.assemble, s.linkage_method, s.bodies, s.camera.has_value());
        if (!s.camera)
            return;
        add(s.camera->position, s.camera->target, s.camera->field_of_view);
        if (s.camera->frame.is_valid())
            add(s.camera->frame);
        for (const CameraKey& key : s.camera->keys)
            add(key);
    }

    Hash hash_;
    bool has_counts_ = true; ///< lists are written with how many they hold
};

} // namespace

std::uint64_t fingerprint(const Scene& scene) { return SceneHash().run(scene); }

} // namespace sinew
