// Every fault of what holds, poses and directs strands, taken as data.

#include "base/text.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Kind = StrandConstraintKind;

class HeldValidator {
public:
    explicit HeldValidator(const Scene& scene) : scene_(scene), is_site_(scene.objects.size())
    {
        for (const StrandSite& site : scene.strand_sites)
            if (site.object.index < is_site_.size())
                is_site_[site.object.index] = true;
    }

    Problems run()
    {
        for (std::size_t i = 0; i < scene_.trees.size(); ++i)
            check_direction(scene_.trees[i], "trees[" + std::to_string(i) + "]");
        for (std::size_t i = 0; i < scene_.strand_poses.size(); ++i)
            check_pose(scene_.strand_poses[i], "strand_poses[" + std::to_string(i) + "]");
        for (std::size_t i = 0; i < scene_.strand_constraints.size(); ++i)
            check(scene_.strand_constraints[i], "strand_constraints[" + std::to_string(i) + "]");
        return std::move(problems_);
    }

private:
    void fault(Origin origin, const std::string& element, std::string_view code, std::string what,
               std::string hint)
    {
        problems_.push_back(make_problem(scene_, Severity::error, std::string(code), origin,
                                         element, std::move(what), std::move(hint)));
    }

    bool is_object(ObjectId object) const { return object.index < scene_.objects.size(); }

    bool is_sound(Value value) const
    {
        return value.is_constant() ? std::isfinite(value.number)
                                   : value.formula < scene_.formulas.size();
    }

    bool rides(ObjectId object) const
    {
        for (; object.is_valid(); object = frame_parent(scene_.objects[object.index]))
            if (is_site_[object.index])
                return true;
        return false;
    }

    void check_pose(const StrandPose& pose, const std::string& element)
    {
        const bool is_sound_here = is_object(pose.tree) && pose.curve < scene_.strands.size() &&
                                   scene_.strands[pose.curve].tree == pose.tree &&
                                   pose.path.index < scene_.paths.size() &&
                                   is_sound(pose.strength) && is_sound(pose.damping);
        if (!is_sound_here)
            return fault(pose.origin, element, "no-such-object",
                         "names a strand, a path or a value that does not exist",
                         "use numbers of elements of the scene, a strand of the same tree");
        const Path& path = scene_.paths[pose.path.index];
        if (path.kind == PathKind::point)
            return fault(pose.origin, element, "strand-of-one-point",
                         "a pose is a curve, not a point",
                         "write line(...), polyline(...), spline(...) or spline_through(...)");
        bool is_known =
            is_known_in_advance(scene_, pose.strength) && is_known_in_advance(scene_, pose.damping);
        for (std::uint32_t i = 0; i < path.points.count; ++i)
            is_known =
                is_known && is_known_in_advance(scene_, scene_.values[path.points.first + i]);
        if (!is_known)
            return fault(pose.origin, element, "property-not-known",
                         "a pose may depend on time only, its strength also on the position "
                         "along the curve",
                         "use numbers, tracks or formulas of `time`");
        for (const Value value : {pose.strength, pose.damping})
            for (const double along : {0.0, 0.25, 0.5, 0.75, 1.0})
                if (!(rates_at(scene_, value, scene_.settings.start, along).value >= 0))
                    return fault(pose.origin, element, "out-of-range",
                                 "strength and damping of a pose must not be negative",
                                 "give 0 or more");
    }

    void check_direction(const StrandTree& tree, const std::string& element)
    {
        const bool is_sound_here = is_sound(tree.time_scale) && is_sound(tree.local_dynamics) &&
                                   is_sound(tree.blend) && is_sound(tree.freeze) &&
                                   (!tree.reference.is_valid() || is_object(tree.reference));
        if (!is_sound_here)
            return fault(tree.origin, element, "no-such-object",
                         "names an object or a value that does not exist",
                         "use numbers of elements of the scene");
        if (!is_known_in_advance(scene_, tree.time_scale) ||
            !is_known_in_advance(scene_, tree.local_dynamics) ||
            !is_known_in_advance(scene_, tree.blend) || !is_known_in_advance(scene_, tree.freeze))
            fault(tree.origin, element, "property-not-known",
                  "time_scale, local_dynamics, blend and freeze may depend on time "
                  "only",
                  "use a number, a track or a formula of `time`");
        if (tree.reference.is_valid() && !is_frame_known(tree.reference))
            fault(tree.origin, element, "reference-not-known",
                  "the reference of local_dynamics must be driven by tracks only",
                  "name what tracks move, or leave it out: then it is the base itself");
    }

    bool refers_well(const StrandConstraint& c) const
    {
        const bool is_point = c.kind == Kind::position && !c.b.is_valid();
        const bool is_turn = c.kind == Kind::orientation;
        const bool has_end = c.kind == Kind::joint ? !c.b.is_valid()
                             : is_point            ? c.path.index < scene_.paths.size()
                             : is_turn             ? is_object(c.frame) && !c.b.is_valid()
                                                   : is_object(c.b);
        return is_object(c.a) && has_end && is_sound(c.active) && is_sound(c.x) && is_sound(c.y) &&
               is_sound(c.z) && is_sound(c.distance.value_or(Value{})) && is_sound(c.stiffness) &&
               is_sound(c.damping);
    }

    void check(const StrandConstraint& c, const std::string& element)
    {
        if (!refers_well(c))
            return fault(c.origin, element, "no-such-object",
                         "names an object, a path or a value that does not exist",
                         "use numbers of elements of the scene");
        if (!rides(c.a))
            return fault(c.origin, element, "holds-no-strand",
                         "this holds something that is not a point of a strand",
                         "name one first: `braid at 1 along`");
        if (c.a == c.b)
            fault(c.origin, element, "held-to-itself", "a point cannot be held to itself",
                  "name two different points");
        if (!(c.ease >= 0 && std::isfinite(c.ease)))
            fault(c.origin, element, "out-of-range",
                  "'ease' must not be negative, is " + number_text(c.ease), "give 0 or more");
        check_numbers(c, element);
        check_target(c, element);
    }

    void check_numbers(const StrandConstraint& c, const std::string& element)
    {
        if (c.kind == Kind::spring && !c.distance)
            fault(c.origin, element, "spring-without-length", "a spring has a rest length",
                  "set `distance`");
        for (const Value value : {c.stiffness, c.damping, c.distance.value_or(Value{})})
            if (c.kind == Kind::spring && value.is_constant() && value.number < 0)
                return fault(c.origin, element, "out-of-range",
                             "lengths, stiffness and damping of a spring must not be negative",
                             "give 0 or more");
        for (const std::optional<double>& bound : {c.low, c.high})
            if (bound && (!std::isfinite(*bound) || (c.kind != Kind::joint && *bound < 0)))
                return fault(c.origin, element, "out-of-range",
                             "bounds must be finite, and those of a distance not negative",
                             "give 0 or more");
        if (c.low && c.high && *c.low > *c.high)
            fault(c.origin, element, "empty-range", "the lower limit is above the upper one",
                  "swap them");
        if (c.kind != Kind::joint)
            return;
        if (!c.distance && !c.low && !c.high)
            fault(c.origin, element, "joint-angle", "this sets nothing for the joint",
                  "set `distance`, its angle, or bounds");
        if (c.distance && !is_known_in_advance(scene_, *c.distance))
            fault(c.origin, element, "position-not-known",
                  "the angle of a joint may depend on time alone",
                  "use numbers, tracks or formulas of `time`");
    }

    /// What is not an object must be known at any time within a step.
    void check_target(const StrandConstraint& c, const std::string& element)
    {
        if (c.b.is_valid() || c.kind == Kind::joint)
            return;
        const bool is_turn = c.kind == Kind::orientation;
        if (!is_turn && scene_.paths[c.path.index].kind != PathKind::point)
            return fault(c.origin, element, "position-not-a-point",
                         "a position is a point, not a curve", "write `point(x, y, z)`");
        const ObjectId frame = is_turn ? c.frame : scene_.paths[c.path.index].frame;
        const Value* first =
            is_turn ? nullptr : &scene_.values[scene_.paths[c.path.index].points.first];
        const std::array<Value, 3> values =
            is_turn ? std::array{c.x, c.y, c.z} : std::array{first[0], first[1], first[2]};
        bool is_known = true, is_zero = is_turn;
        for (const Value value : values) {
            is_known = is_known && is_known_in_advance(scene_, value);
            is_zero = is_zero && value.is_constant() && value.number == 0;
        }
        if (is_zero)
            fault(c.origin, element, "no-direction", "a direction of no length says nothing",
                  "give it a part that is not 0");
        if (!is_known || !is_frame_known(frame))
            fault(c.origin, element, "position-not-known",
                  "where a strand is held may depend on time alone, or be an object",
                  "use numbers, tracks or formulas of `time`; or hold it to the object: "
                  "fusion(a, b, tangent = free)");
    }

    bool is_frame_known(ObjectId id) const
    {
        for (; id.is_valid(); id = frame_parent(scene_.objects[id.index])) {
            const Object& object = scene_.objects[id.index];
            const bool is_body = std::ranges::any_of(scene_.bodies, [&](const RigidBody& body) {
                return body.object == id && !body.is_obstacle();
            });
            if (is_site_[id.index] || is_body)
                return false;
            for (std::uint32_t k = 0; k < object.transformation_count; ++k)
                if (!is_known_in_advance(
                        scene_, scene_.transformations[object.first_transformation + k].amount))
                    return false;
        }
        return true;
    }

    const Scene& scene_;
    std::vector<bool> is_site_;
    Problems problems_;
};

} // namespace

Problems validate_held(const Scene& scene)
{
    return scene.strand_constraints.empty() && scene.trees.empty() ? Problems{}
                                                                   : HeldValidator(scene).run();
}

} // namespace sinew
