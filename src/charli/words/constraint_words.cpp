#include "charli/words/constraint_words.h"

#include "scene/constraints/law.h"

#include <cmath>
#include <optional>
#include <string>

namespace sinew::charli {

namespace {

std::optional<double> given(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? std::optional(bound->value.number) : std::nullopt;
}

std::optional<Value> given_value(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? std::optional(bound->value) : std::nullopt;
}

/// As given, or as when nothing is said.
double number_of(const Call& call, std::string_view name)
{
    for (std::size_t i = 0; i < call.signature.size(); ++i)
        if (call.signature[i].name == name)
            return call.number(i);
    return 0;
}

std::string_view word_of(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? bound->text : std::string_view{};
}

End end_of(const Bound* bound)
{
    return bound ? End{.object = bound->object, .path = bound->path} : End{};
}

Release release_of(const Call& call)
{
    Release release{.until = given(call, "until"),
                    .breaks = given(call, "breaks"),
                    .beyond = given(call, "beyond")};
    release.active = given_value(call, "active").value_or(release.active);
    release.ease = given(call, "ease").value_or(release.ease);
    return release;
}

/// Between the first two arguments, or the first and none.
Constraint make(const Call& call, Law law, ObjectId frame = {})
{
    Constraint made{.law = std::move(law),
                    .a = end_of(&call.arguments[0]),
                    .frame = frame,
                    .release = release_of(call),
                    .origin = call.origin};
    for (const std::string_view name : {"b", "point", "axis", "path"})
        if (const Bound* bound = call.find(name))
            made.b = end_of(bound);
    return made;
}

/// x, y, z as a direction; nothing where they have none, which is told.
std::optional<Vec3> direction_of(const Call& call)
{
    const Vec3 d{number_of(call, "x"), number_of(call, "y"), number_of(call, "z")};
    const double size = length(d);
    if (size > 0)
        return d / size;
    call.fault("no-direction",
               "the direction of '" + std::string(call.word.name) + "' has no length",
               "give x, y, z that are not all 0");
    return std::nullopt;
}

} // namespace

// --- distances, paths and springs

void add_dist_constraint(const Call& call, Scene&)
{
    call.constraints->push_back(make(call, DistanceLaw{.distance = call.value(2)}));
}

void add_path_constraint(const Call& call, Scene&)
{
    call.constraints->push_back(make(call, PathLaw{}));
}

void add_spring_and_damper(const Call& call, Scene& scene)
{
    if (call.signature[0].kind == ArgumentKind::turn)
        scene.turn_torques.push_back({.turn = call.arguments[0].coordinate,
                                      .stiffness = call.value(1),
                                      .damping = call.value(2),
                                      .origin = call.origin});
    else if (call.signature[0].kind == ArgumentKind::coordinate)
        scene.coordinate_springs.push_back({call.arguments[0].coordinate, call.value(1),
                                            call.value(2), call.value(3), call.origin});
    else
        call.constraints->push_back(
            make(call, SpringLaw{call.value(2), call.value(3), call.value(4)}));
}

// --- points of strands and rods

void add_position(const Call& call, Scene&)
{
    call.constraints->push_back(make(call, PositionLaw{}, call.frame));
}

void add_orientation(const Call& call, Scene&)
{
    const auto direction = direction_of(call);
    if (!direction)
        return;
    const Bound* b = call.find("b");
    call.constraints->push_back(make(call, OrientationLaw{*direction}, b ? b->object : call.frame));
}

void add_plane_constraint(const Call& call, Scene&)
{
    if (const auto normal = direction_of(call))
        call.constraints->push_back(
            make(call, PlaneLaw{*normal, word_of(call, "side") == "above"}, call.frame));
}

void add_axis_constraint(const Call& call, Scene&)
{
    call.constraints->push_back(make(call, PathLaw{.is_axis = true}, call.frame));
}

void add_circle(const Call& call, Scene&)
{
    if (const auto normal = direction_of(call))
        call.constraints->push_back(
            make(call, CircleLaw{*normal, *given_value(call, "radius")}, call.frame));
}

void add_fusion(const Call& call, Scene&)
{
    const std::string_view tangent = word_of(call, "tangent");
    call.constraints->push_back(make(call,
                                     FusionLaw{tangent == "fixed"      ? RodTangent::fixed
                                               : tangent == "parallel" ? RodTangent::along
                                                                       : RodTangent::free,
                                               given(call, "angle")},
                                     call.frame));
}

namespace {

SlidingLaw sliding_of(const Call& call)
{
    const std::string_view ends = word_of(call, "ends");
    return {.friction = number_of(call, "friction"),
            .viscous = number_of(call, "viscous"),
            .speed = given_value(call, "slide"),
            .end = ends == "leave"   ? RodEnd::leave
                   : ends == "clamp" ? RodEnd::clamp
                                     : RodEnd::stop,
            .low = given(call, "low").value_or(0),
            .high = given(call, "high").value_or(1)};
}

} // namespace

/// With a direction or without.
void add_keyhole(const Call& call, Scene&)
{
    SlidingLaw law = sliding_of(call);
    if (call.find("x")) {
        law.direction = direction_of(call);
        if (!law.direction)
            return;
    }
    Constraint made = make(call, law, call.frame);
    made.a.along = number_of(call, "from");
    call.constraints->push_back(made);
}

void add_pearl(const Call& call, Scene&)
{
    SlidingLaw law = sliding_of(call);
    law.is_pearl = true;
    Constraint made = make(call, law, call.frame);
    made.b = made.a;
    made.a = {.object = call.arguments[1].object, .along = number_of(call, "from")};
    call.constraints->push_back(made);
}

namespace {

/// What pulleys and winches share; nothing where the axis has no direction, which is told.
std::optional<WheelLaw> wheel_of(const Call& call)
{
    const auto axis = direction_of(call);
    if (!axis)
        return std::nullopt;
    return WheelLaw{.axis = *axis, .radius = number_of(call, "radius")};
}

} // namespace

void add_pulley(const Call& call, Scene&)
{
    auto law = wheel_of(call);
    if (!law)
        return;
    law->friction = number_of(call, "friction");
    law->viscous = number_of(call, "viscous");
    law->turns = static_cast<std::uint32_t>(number_of(call, "turns"));
    Constraint made = make(call, *law, call.frame);
    made.a.along = given(call, "from");
    call.constraints->push_back(made);
}

void add_winch(const Call& call, Scene&)
{
    auto law = wheel_of(call);
    if (!law)
        return;
    law->is_winch = true;
    law->is_last = word_of(call, "winds") == "last";
    law->speed = given_value(call, "speed");
    law->torque = given_value(call, "torque");
    law->stored = number_of(call, "stored");
    if (law->speed && law->torque)
        return call.fault("winch-speed-and-torque", "a winch has a speed or a torque, not both",
                          "leave one of them out");
    call.constraints->push_back(make(call, *law, call.frame));
}

/// A weak point is a cut that a fusion holds together; the evaluator finds its other end.
void add_cut(const Call& call, Scene& scene)
{
    if (call.find("breaks"))
        call.constraints->push_back({.law = FusionLaw{.tangent = RodTangent::fixed},
                                     .a = {.object = call.arguments[0].object},
                                     .release = {.breaks = given(call, "breaks")},
                                     .origin = call.origin});
    scene.rod_cuts.push_back(
        {.site = call.arguments[0].object, .when = given(call, "when"), .origin = call.origin});
}

void add_above(const Call& call, Scene&) { call.constraints->push_back(make(call, AboveLaw{})); }

void add_joint_constraint(const Call& call, Scene&)
{
    const AngleLaw law{.axis = static_cast<Axis>(call.arguments[1].text[0] - 'x'),
                       .angle = given_value(call, "angle"),
                       .low = given(call, "low"),
                       .high = given(call, "high")};
    const bool has_bounds = law.low || law.high;
    if (law.angle.has_value() == has_bounds)
        return call.fault("joint-angle",
                          has_bounds ? "a fixed angle has no limits"
                                     : "this sets nothing for the joint",
                          "write `angle = 20 deg`, or `low = -10 deg, high = 30 deg`");
    Constraint made = make(call, law);
    made.b = {};
    call.constraints->push_back(made);
}

// --- joints of bodies

namespace {

/// The numbers of a point or a line that stays; nothing where it does not, which is told.
std::optional<std::array<double, 6>> read_place(const Call& call, const Path& path,
                                                const Scene& scene, bool wants_point)
{
    const std::string quoted = "'" + std::string(call.word.name) + "'";
    if (path.kind != (wants_point ? PathKind::point : PathKind::line)) {
        call.fault(wants_point ? "joint-wants-point" : "joint-wants-line",
                   quoted + (wants_point ? " holds at a point, not along a curve"
                                         : " needs a straight line"),
                   "write `" + std::string(call.word.example) + "`");
        return std::nullopt;
    }
    std::array<double, 6> numbers = {};
    for (std::uint32_t k = 0; k < path.points.count && k < 6; ++k) {
        const Value value = scene.values[path.points.first + k];
        if (!value.is_constant()) {
            call.fault("joint-place-moves", "the place of " + quoted + " must not move",
                       "give numbers: where it is at the start; its bodies carry it along");
            return std::nullopt;
        }
        numbers[k] = value.number;
    }
    return numbers;
}

/// Of a hinge or slider; nothing where something is wrong, which is told.
std::optional<AxisJoint> axis_joint_of(const Call& call, const Path& path, const Scene& scene)
{
    const auto numbers = read_place(call, path, scene, false);
    if (!numbers)
        return std::nullopt;
    const auto& [x, y, z, to_x, to_y, to_z] = *numbers;
    AxisJoint joint{.point = {x, y, z}, .low = given(call, "low"), .high = given(call, "high")};
    const Vec3 along = Vec3{to_x, to_y, to_z} - joint.point;
    const double size = length(along);
    if (!(size > 0) || !std::isfinite(size)) {
        call.fault("line-without-direction",
                   "the line of '" + std::string(call.word.name) + "' has no direction",
                   "give two different points");
        return std::nullopt;
    }
    joint.axis = along / size;
    joint.motor = given_value(call, "motor");
    joint.motor_force = given(call, "motor_force").value_or(0);
    joint.target = given_value(call, "target");
    joint.stiffness = given(call, "stiffness").value_or(0);
    joint.damping = given(call, "damping").value_or(0);
    joint.friction = given(call, "friction").value_or(0);
    const bool is_servo = joint.target && joint.stiffness == 0;
    if (!joint.motor && !is_servo && joint.motor_force > 0) {
        call.fault("motor-without-speed", "'motor_force' limits a motor that is not there",
                   "give its speed too: `motor = 2, motor_force = 50`");
        return std::nullopt;
    }
    if (joint.motor && (joint.target || joint.stiffness > 0 || joint.damping > 0)) {
        call.fault("motor-and-target",
                   "a motor keeps a speed: it leaves nothing to a target, a stiffness or a damping",
                   "leave `motor` out, or the others");
        return std::nullopt;
    }
    return joint;
}

/// False: the limits are the wrong way round, which is told.
bool are_limits_sound(const Call& call)
{
    const auto low = given(call, "low"), high = given(call, "high");
    if (!low || !high || *low <= *high)
        return true;
    call.fault("limits-crossed", "the lower limit lies above the upper one",
               "write low = ..., high = ... with low below high");
    return false;
}

/// To another body, or to the world.
void add_joint(const Call& call, const Law& law, ObjectId frame)
{
    Constraint made = make(call, law, frame);
    made.breaks_torque = given(call, "breaks_torque");
    const Bound* b = call.find("b");
    made.b = {.object = b ? b->object : ObjectId{0}};
    call.constraints->push_back(made);
}

template <class JointLaw>
void add_axis_joint(const Call& call, Scene& scene)
{
    const Path& path = scene.paths[call.find("axis")->path.index];
    const ObjectId frame = path.frame;
    const auto joint = axis_joint_of(call, path, scene);
    if (joint && are_limits_sound(call))
        add_joint(call, JointLaw{*joint}, frame);
}

} // namespace

void add_ball_joint(const Call& call, Scene& scene)
{
    const Path& path = scene.paths[call.find("point")->path.index];
    const auto at = read_place(call, path, scene, true);
    if (!at)
        return;
    BallLaw law{.point = {(*at)[0], (*at)[1], (*at)[2]},
                .cone = given(call, "cone"),
                .twist = given(call, "twist")};
    if (call.find("x") || call.find("y") || call.find("z")) {
        const auto axis = direction_of(call);
        if (!axis)
            return;
        law.axis = *axis;
    }
    add_joint(call, law, path.frame);
}

void add_hinge_joint(const Call& call, Scene& scene) { add_axis_joint<HingeLaw>(call, scene); }

void add_slider_joint(const Call& call, Scene& scene) { add_axis_joint<SliderLaw>(call, scene); }

void add_fixed_joint(const Call& call, Scene&) { add_joint(call, FixedLaw{}, call.frame); }

namespace {

/// Where two lines meet; nothing where they do not, or not at a right angle, which is told.
std::optional<Vec3> find_cross(const Call& call, const AxisJoint& first, const AxisJoint& second)
{
    constexpr double kSame = 1e-6; // cosine, and of a metre: lines as they are drawn
    const double cosine = dot(first.axis, second.axis);
    const Vec3 apart = second.point - first.point;
    const Vec3 at = first.point + first.axis * dot(apart, first.axis);
    const Vec3 other = second.point - second.axis * dot(apart, second.axis);
    if (std::abs(cosine) < kSame && length(at - other) < kSame)
        return at;
    call.fault("axes-do-not-cross",
               "the two axes of a universal joint must meet at a right angle, as the arms of its "
               "cross do",
               "write `" + std::string(call.word.example) + "`");
    return std::nullopt;
}

/// Of a wheel, rack or screw.
PairJointLaw ratio_law(const Call& call, JointKind kind, std::string_view name)
{
    PairJointLaw law{.kind = kind, .ratio = call.find(name)->value.number};
    if (*law.ratio == 0)
        call.fault("ratio-zero", "'" + std::string(name) + "' must not be zero",
                   "write `" + std::string(call.word.example) + "`");
    return law;
}

} // namespace

void add_universal_joint(const Call& call, Scene& scene)
{
    const Path& first = scene.paths[call.find("axis")->path.index];
    const Path& second = scene.paths[call.find("second")->path.index];
    const auto a = axis_joint_of(call, first, scene), b = axis_joint_of(call, second, scene);
    if (!a || !b)
        return;
    if (const auto at = find_cross(call, *a, *b))
        add_joint(
            call,
            PairJointLaw{
                .kind = JointKind::universal, .point = *at, .axis = a->axis, .other = b->axis},
            first.frame);
}

void add_lock_axes(const Call& call, Scene&)
{
    PairJointLaw law{.kind = JointKind::locks};
    const auto mark = [&](std::string_view name) {
        const Bound* said = call.find(name);
        return said && said->text == "yes" ? 1.0 : 0.0;
    };
    law.other = {mark("x"), mark("y"), mark("z")};
    law.axis = {mark("turn_x"), mark("turn_y"), mark("turn_z")};
    if (law.other == Vec3{0, 0, 0} && law.axis == Vec3{0, 0, 0})
        return call.fault("locks-nothing", "this locks no axis",
                          "write `" + std::string(call.word.example) + "`");
    add_joint(call, law, call.frame);
}

void add_gear_joint(const Call& call, Scene&)
{
    add_joint(call, ratio_law(call, JointKind::gear, "ratio"), call.frame);
}

void add_rack_joint(const Call& call, Scene&)
{
    add_joint(call, ratio_law(call, JointKind::rack, "radius"), call.frame);
}

void add_screw_joint(const Call& call, Scene& scene)
{
    const Path& path = scene.paths[call.find("axis")->path.index];
    PairJointLaw law = ratio_law(call, JointKind::screw, "pitch");
    const auto axis = axis_joint_of(call, path, scene);
    if (!axis)
        return;
    law.point = axis->point;
    law.axis = axis->axis;
    add_joint(call, law, path.frame);
}

void add_dist_joint(const Call& call, Scene&)
{
    const DistanceLaw law{.distance = given_value(call, "distance"),
                          .low = given(call, "low"),
                          .high = given(call, "high"),
                          .is_joint = true};
    if (law.distance && (law.low || law.high))
        return call.fault("distance-and-limits", "a fixed distance has no limits",
                          "give one distance, or a rope's longest: `high = 2`");
    if (are_limits_sound(call))
        add_joint(call, law, call.frame);
}

} // namespace sinew::charli
