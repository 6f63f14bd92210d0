#include "charli/words/strand_words.h"

#include "base/text.h"

#include <cmath>
#include <optional>
#include <string>

namespace sinew::charli {

namespace {

constexpr std::uint32_t kMostSegments = 100'000;

/// The path with its numbers in the frame of the tree, wherever it was written.
PathId path_in_frame(PathId path, ObjectId frame, Scene& scene)
{
    if (scene.paths[path.index].frame == frame)
        return path;
    scene.paths.push_back(scene.paths[path.index]);
    scene.paths.back().frame = frame;
    return PathId{static_cast<std::uint32_t>(scene.paths.size() - 1)};
}

/// Nothing when there are too few or too many, which is told.
std::optional<std::uint32_t> segments_of(const Call& call)
{
    const Bound* given = call.find("segments");
    const double segments = given ? given->value.number : kSegments.fallback;
    if (segments >= 1 && segments <= kMostSegments)
        return static_cast<std::uint32_t>(segments);
    call.fault("segments-out-of-range",
               "a strand has 1 to " + std::to_string(kMostSegments) + " segments, not " +
                   std::to_string(static_cast<std::int64_t>(segments)),
               "its stiffness does not depend on their number: 20 are enough for most");
    return std::nullopt;
}

void add_curve(const Call& call, Scene& scene, std::uint32_t from, double from_along)
{
    if (const auto segments = segments_of(call))
        scene.strands.push_back({.tree = call.frame,
                                 .object = call.object,
                                 .path = path_in_frame(call.arguments[0].path, call.frame, scene),
                                 .segments = *segments,
                                 .from = from,
                                 .from_along = from_along,
                                 .origin = call.origin});
}

Air make_air(const Call& call, AirKind kind)
{
    Air air{.kind = kind, .frame = call.frame, .origin = call.origin};
    if (const Bound* strength = call.find("strength"))
        air.strength = strength->value;
    if (const Bound* size = call.find("size"))
        air.size = size->value.number;
    if (const Bound* period = call.find("period"))
        air.period = period->value.number;
    if (const Bound* seed = call.find("seed"))
        air.seed = static_cast<std::uint32_t>(seed->value.number);
    if (const Bound* weight = call.find("weight"))
        air.weight = weight->value;
    air.on = {call.on.begin(), call.on.end()};
    return air;
}

/// For the whole def, or for the curves behind `on`, whose numbers are those of objects until
/// finish_strands finds them.
void add_property(const Call& call, StrandProperty property, Scene& scene)
{
    if (call.on.empty())
        scene.strand_properties.push_back(property);
    for (const ObjectId object : call.on) {
        property.curve = object.index;
        scene.strand_properties.push_back(property);
    }
}

} // namespace

void add_strand(const Call& call, Scene& scene) { add_curve(call, scene, StrandCurve::kNone, 0); }

void add_groom(const Call& call, Scene& scene)
{
    const auto segments = segments_of(call);
    if (!segments)
        return;
    for (std::size_t i = 0; i < call.groom->curves.size(); ++i) {
        StrandCurve curve{.tree = call.frame,
                          .object = call.object,
                          .path = PathId{static_cast<std::uint32_t>(scene.paths.size())},
                          .segments = *segments,
                          .origin = call.origin};
        if (!call.groom->roots.empty()) {
            curve.root = static_cast<std::uint32_t>(scene.strand_roots.size());
            scene.strand_roots.push_back(call.groom->roots[i]);
        }
        scene.strands.push_back(curve);
        scene.paths.push_back({.kind = PathKind::polyline,
                               .frame = call.frame,
                               .points = call.groom->curves[i],
                               .origin = call.origin});
    }
}

/// `from` is the number of an object until finish_strands finds its curve.
void add_branch(const Call& call, Scene& scene)
{
    const Bound& from = call.arguments[1];
    const double along = from.value.number;
    if (!(along >= 0 && along <= 1))
        return call.fault("along-off-curve",
                          "a place along a strand lies between 0 and 1, this is " +
                              number_text(along),
                          "0 is its first point, 1 its last");
    add_curve(call, scene, from.object.index, along);
}

void add_strand_property(const Call& call, Scene& scene)
{
    const StrandProperty property{.kind = static_cast<StrandPropertyKind>(call.word.code),
                                  .tree = call.frame,
                                  .a = call.value(0),
                                  .b = call.has(1) ? call.value(1) : call.value(0),
                                  .origin = call.origin};
    add_property(call, property, scene);
}

/// `curve` is the number of an object until finish_strands finds its curve; none: the only one.
void add_pose(const Call& call, Scene& scene)
{
    StrandPose pose{.tree = call.frame,
                    .curve = StrandCurve::kNone,
                    .path = path_in_frame(call.arguments[0].path, call.frame, scene),
                    .strength = call.value(1),
                    .damping = call.value(2),
                    .origin = call.origin};
    if (call.on.empty())
        scene.strand_poses.push_back(pose);
    for (const ObjectId object : call.on) {
        pose.curve = object.index;
        scene.strand_poses.push_back(pose);
    }
}

void add_time_scale(const Call& call, Scene& scene)
{
    scene.trees.push_back(
        {.object = call.frame, .time_scale = call.value(0), .origin = call.origin});
}

void add_local_dynamics(const Call& call, Scene& scene)
{
    StrandTree wish{.object = call.frame, .local_dynamics = call.value(0), .origin = call.origin};
    if (const Bound* reference = call.find("reference"))
        wish.reference = reference->object;
    scene.trees.push_back(wish);
}

void add_blend(const Call& call, Scene& scene)
{
    scene.trees.push_back({.object = call.frame, .blend = call.value(0), .origin = call.origin});
}

void add_freeze(const Call& call, Scene& scene)
{
    scene.trees.push_back({.object = call.frame, .freeze = call.value(0), .origin = call.origin});
}

void add_surface(const Call& call, Scene& scene)
{
    add_property(call,
                 {.kind = StrandPropertyKind::surface,
                  .tree = call.frame,
                  .a = call.value(0),
                  .b = call.value(1),
                  .origin = call.origin},
                 scene);
    if (call.has(2))
        add_property(call,
                     {.kind = StrandPropertyKind::sliding,
                      .tree = call.frame,
                      .a = call.value(2),
                      .b = call.value(2),
                      .origin = call.origin},
                     scene);
}

void add_strand_hinge(const Call& call, Scene& scene)
{
    const double axis = double(call.arguments[0].text[0] - 'x');
    const StrandProperty property{.kind = StrandPropertyKind::hinge,
                                  .tree = call.frame,
                                  .a = {axis},
                                  .b = {axis},
                                  .origin = call.origin};
    add_property(call, property, scene);
}

void add_zero_gravity_rest(const Call& call, Scene& scene)
{
    scene.trees.push_back(
        {.object = call.frame, .has_zero_gravity_rest = true, .origin = call.origin});
}

void add_wind(const Call& call, Scene& scene)
{
    Air air = make_air(call, AirKind::wind);
    air.x = call.value(0);
    air.y = call.value(1);
    air.z = call.value(2);
    scene.airs.push_back(std::move(air));
}

void add_eddies(const Call& call, Scene& scene)
{
    scene.airs.push_back(make_air(call, static_cast<AirKind>(call.word.code)));
}

void add_vortex(const Call& call, Scene& scene)
{
    Air air = make_air(call, AirKind::vortex);
    const Path& path = scene.paths[call.arguments[0].path.index];
    double numbers[6] = {};
    bool is_constant = path.kind == PathKind::line;
    for (std::uint32_t k = 0; is_constant && k < 6; ++k) {
        const Value value = scene.values[path.points.first + k];
        is_constant = value.is_constant();
        numbers[k] = value.number;
    }
    air.frame = path.frame;
    air.point = {numbers[0], numbers[1], numbers[2]};
    const Vec3 along = Vec3{numbers[3], numbers[4], numbers[5]} - air.point;
    const double size = length(along);
    if (!is_constant || !(size > 0) || !std::isfinite(size))
        return call.fault("vortex-axis", "the axis of a vortex is a straight line that stays",
                          "write `" + std::string(call.word.example) + "`");
    air.axis = along / size;
    scene.airs.push_back(std::move(air));
}

void add_wake(const Call& call, Scene& scene)
{
    Air air = make_air(call, AirKind::wake);
    air.behind = call.arguments[0].object;
    if (!call.find("strength"))
        air.strength = {1};
    scene.airs.push_back(std::move(air));
}

/// Pressure, viscosity, density.
void add_continuum(const Call& call, Scene& scene)
{
    Air air = make_air(call, AirKind::continuum);
    air.x = call.value(2);
    air.y = call.value(3);
    air.z = call.value(1);
    scene.airs.push_back(std::move(air));
}

void set_strands(const Call& call, Scene& scene)
{
    StrandSettings& settings = scene.settings.strands;
    if (const Bound* method = call.find("method"))
        settings.method = method->text == "ida" ? StrandMethod::ida : StrandMethod::automatic;
    if (const Bound* precision = call.find("precision"))
        settings.is_float = precision->text == "float";
    if (const Bound* friction = call.find("friction"))
        settings.friction =
            friction->text == "hadap" ? StrandFriction::hadap : StrandFriction::disc;
    if (const Bound* touch = call.find("touch"))
        settings.touch_each_other = touch->text == "each_other";
    if (const Bound* tolerance = call.find("tolerance"))
        settings.tolerance = tolerance->value.number;
    if (const Bound* jacobian = call.find("jacobian"))
        settings.has_numerical_jacobian = jacobian->text == "numerical";
}

void set_settle(const Call&, Scene& scene) { scene.settings.settle = true; }

} // namespace sinew::charli
