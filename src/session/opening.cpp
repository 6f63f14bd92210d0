// What a script is before its first frame: read, its world made, its objects looked at.

#include "session/parts.h"
#include "sinew/names.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Whether everything that places an object is a constant.
bool is_fixed(const Scene& scene, ObjectId id)
{
    for (; id.is_valid() && id.index > 0;) {
        const Object& object = scene.objects[id.index];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k)
            if (!scene.transformations[object.first_transformation + k].amount.is_constant())
                return false;
        id = object.on.is_valid() ? object.on : object.parent;
    }
    return true;
}

std::vector<Session::Handle> find_handles(const Scene& scene, const World* world)
{
    std::vector<Session::Handle> handles(scene.objects.size());
    for (std::uint32_t i = 1; i < handles.size(); ++i) {
        if (world)
            handles[i].grip = world->find_grip({i});
        handles[i].is_fixed = !handles[i].grip.is_valid() && is_fixed(scene, {i});
    }
    for (const DistanceConstraint& constraint : scene.distance_constraints)
        if (is_pin(scene, constraint.b))
            handles[constraint.a.index].is_pinned = true;
    for (const ObjectId curve : pinned_curves(scene))
        handles[curve.index].is_pinned = true;
    if (!world || scene.joints.empty())
        return handles;
    const Frame start = world->frame();
    for (const RigidBody& body : scene.bodies)
        handles[body.object.index].is_pinned =
            find_body_pin(scene, body.object, start.objects[body.object.index].origin);
    return handles;
}

double extent_of(const Frame& frame)
{
    Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
    const auto add = [&](const Vec3& x) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    };
    for (const Affine& object : frame.objects)
        add(object.origin);
    for (const Vec3& point : frame.points)
        add(point);
    for (const Vec3& node : frame.nodes)
        add(node);
    const double extent = length(high - low);
    return extent > 0 && std::isfinite(extent) ? extent : 1;
}

Result<std::map<std::string, ImportFunction>> bind(const Scene& scene,
                                                   const SessionOptions& options)
{
    if (scene.imports.empty() || !options.bind_imports)
        return std::map<std::string, ImportFunction>{};
    return options.bind_imports(scene);
}

} // namespace

Result<World> make_world(const Era& era, const SessionOptions& options)
{
    Result<std::map<std::string, ImportFunction>> imports = bind(era.scene, options);
    if (!imports)
        return imports.problems();
    return World::create(
        era.scene,
        {.threads = options.threads, .imports = std::move(*imports), .bodies = era.bodies});
}

std::map<std::string, std::string> parameters_at(const Take& take, std::int64_t frame)
{
    std::map<std::string, std::string> parameters = take.parameters;
    for (const Input& input : take.inputs)
        if (input.kind == Input::Kind::parameter && input.frame <= frame)
            parameters[input.name] = script_number(input.value);
    return parameters;
}

const Input* find_grab(std::span<const Input> inputs, std::int64_t frame)
{
    const Input* found = nullptr;
    for (const Input& input : inputs)
        if (input.kind != Input::Kind::parameter && input.frame <= frame)
            found = &input;
    return found && found->kind == Input::Kind::grab ? found : nullptr;
}

bool has_same_parts(const Scene& a, const Scene& b)
{
    const auto drawn = [](const Scene& scene) {
        std::size_t count = 0;
        for (const Drawing& drawing : scene.drawings)
            count += drawing_point_count(scene, drawing);
        return count;
    };
    const auto same_name = [](const auto& x, const auto& y) { return x.name == y.name; };
    const auto same_spans = [](const Rod& x, const Rod& y) { return x.spans == y.spans; };
    const auto same_segments = [](const StrandCurve& x, const StrandCurve& y) {
        return x.segments == y.segments;
    };
    return std::ranges::equal(a.coordinates, b.coordinates, same_name) &&
           object_paths(a) == object_paths(b) && drawn(a) == drawn(b) &&
           a.drawings.size() == b.drawings.size() &&
           a.distance_constraints.size() == b.distance_constraints.size() &&
           a.path_constraints.size() == b.path_constraints.size() &&
           a.bodies.size() == b.bodies.size() && a.shapes.size() == b.shapes.size() &&
           a.joints.size() == b.joints.size() && std::ranges::equal(a.rods, b.rods, same_spans) &&
           std::ranges::equal(a.strands, b.strands, same_segments);
}

Result<Opening> Session::Parts::read(const Take& next, bool must_run) const
{
    ScriptReading reading =
        read_script(next.name, next.script, options.read_file,
                    {.parameters = next.parameters, .frame_rate = options.frame_rate});
    if (!reading.is_sound())
        return reading.problems;
    Opening opening{.scene = std::move(reading.scene), .problems = std::move(reading.problems)};
    Settings& settings = opening.scene.settings;
    settings.step = options.step.value_or(settings.step);
    if (options.seconds)
        settings.end = settings.start + *options.seconds;
    Result<World> made = make_world({.first = 0, .scene = opening.scene}, options);
    if (!made && must_run) {
        opening.problems.insert(opening.problems.end(), made.problems().begin(),
                                made.problems().end());
        return opening.problems;
    }
    opening.handles = find_handles(opening.scene, made ? &*made : nullptr);
    if (made)
        opening.world = std::move(*made);
    return opening;
}

/// What a change of parameters makes of the scene.
Result<Scene> Session::Parts::scene_from(const Take& from, std::int64_t frame) const
{
    ScriptReading reading =
        read_script(from.name, from.script, options.read_file,
                    {.parameters = parameters_at(from, frame), .frame_rate = options.frame_rate});
    if (!reading.is_sound())
        return reading.problems;
    reading.scene.settings.step = options.step.value_or(reading.scene.settings.step);
    return std::move(reading.scene);
}

void Session::Parts::begin(Take&& next, Opening&& opening)
{
    const bool fits = revision > 0 && has_same_parts(scene, opening.scene);
    take = std::move(next);
    scene = std::move(opening.scene);
    problems = std::move(opening.problems);
    handles = std::move(opening.handles);
    ++revision;
    invalidate(0);
    if (!fits) {
        shots.clear();
        shot_bytes = 0;
        stale = 0;
    }
    eras = {{.first = 0, .scene = scene}};
    world = std::move(opening.world);
    can_simulate = world.has_value();
    world_frame = world_era = 0;
    objects.clear();
    const std::vector<std::string> names = object_paths(scene);
    for (std::uint32_t i = 1; i < names.size(); ++i)
        objects.emplace(names[i], i);
    if (world)
        extent = extent_of(world->frame());
}

} // namespace sinew
