// The `scene` message: objects, elements, meshes, constraints, parameters.

#include "encode.h"

#include "sinew/language.h"
#include "sinew/names.h"
#include "sinew/render.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace sinew::viewer {

namespace {

using nlohmann::json;

json vector_json(const Vec3& v) { return {v.x, v.y, v.z}; }

const char* word_of(ElementKind kind)
{
    switch (kind) {
    case ElementKind::sphere: return "sphere";
    case ElementKind::curve: return "curve";
    case ElementKind::spring: return "spring";
    case ElementKind::polygon: return "polygon";
    case ElementKind::surface: return "surface";
    case ElementKind::box: return "box";
    case ElementKind::capsule: return "capsule";
    case ElementKind::cylinder: return "cylinder";
    case ElementKind::cone: return "cone";
    case ElementKind::plane: return "plane";
    case ElementKind::mesh: return "mesh";
    }
    return "";
}

const char* word_of(ElementRole role)
{
    switch (role) {
    case ElementRole::thing: return "thing";
    case ElementRole::constraint: return "constraint";
    case ElementRole::label: return "label";
    case ElementRole::frame: return "frame";
    case ElementRole::twist: return "twist";
    case ElementRole::mount: return "mount";
    }
    return "";
}

json element_json(const Element& element, const Display& display)
{
    json out{{"kind", word_of(element.kind)},
             {"role", word_of(element.role)},
             {"colour", vector_json(element.colour)},
             {"first", element.first}};
    if (element.object.is_valid())
        out["object"] = element.object.index;
    for (const auto& [name, part] : {std::pair{"roughness", element.look.roughness},
                                     {"metal", element.look.metal},
                                     {"transparency", element.look.transparency},
                                     {"glow", element.look.glow}})
        if (part != 0)
            out[name] = part;
    if (element.radius != 0)
        out["radius"] = element.radius;
    if (element.radii != 0xffffffff) {
        json radii = json::array();
        for (std::uint32_t i = 0; i < element.count; ++i)
            radii.push_back(float(display.radii[element.radii + i]));
        out["radii"] = std::move(radii);
    }
    if (element.size != Vec3{})
        out["size"] = vector_json(element.size);
    if (element.kind < ElementKind::box)
        out["count"] = element.count;
    if (element.mesh != 0xffffffff)
        out["mesh"] = element.mesh;
    if (element.constraint != 0xffffffff)
        out["constraint"] = element.constraint;
    if (element.body != 0xffffffff)
        out["body"] = element.body;
    if (element.turns != 0)
        out["turns"] = element.turns;
    if (element.is_closed)
        out["is_closed"] = true;
    return out;
}

json meshes_json(const Display& display)
{
    json list = json::array();
    for (const DisplayMesh& mesh : display.meshes) {
        json vertices = json::array(), triangles = json::array();
        for (const Vec3& v : mesh.vertices)
            for (int i = 0; i < 3; ++i)
                vertices.push_back(v[i]);
        for (const auto& triangle : mesh.triangles)
            for (const std::uint32_t corner : triangle)
                triangles.push_back(corner);
        list.push_back({{"vertices", std::move(vertices)}, {"triangles", std::move(triangles)}});
    }
    return list;
}

/// Lines of the script the page shows; 0 for what stands in an included file.
int line_of(const Scene& scene, Origin origin)
{
    return origin.file == 0 ? place_of(scene, origin).line : 0;
}

json objects_json(const Session& session, const std::vector<std::string>& names)
{
    const Scene& scene = session.scene();
    const auto& handles = session.handles();
    std::vector<double> masses(scene.objects.size());
    for (const Mass& mass : scene.masses)
        masses[mass.object.index] += mass.mass;
    for (const BoxMass& box : scene.box_masses)
        masses[box.object.index] += box.mass;
    const std::vector<double> of_bodies = read_scene(scene).body_masses;
    for (std::size_t i = 0; i < of_bodies.size(); ++i)
        masses[scene.bodies[i].object.index] += of_bodies[i];
    std::vector<char> is_body(scene.objects.size());
    for (const RigidBody& body : scene.bodies)
        is_body[body.object.index] = !body.is_obstacle();
    std::vector<const char*> curve(scene.objects.size(), nullptr);
    for (const StrandCurve& strand : scene.strands)
        curve[strand.object.index] = curve[strand.tree.index] = "strand";
    for (const Rod& rod : scene.rods)
        curve[rod.object.index] = "rod";
    json list = json::array();
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const Object& object = scene.objects[i];
        const Session::Handle handle = i < handles.size() ? handles[i] : Session::Handle{};
        list.push_back({{"name", names[i]},
                        {"parent", object.parent.is_valid() ? object.parent.index : 0},
                        {"is_dynamic", handle.grip.is_valid()},
                        {"is_body", bool(is_body[i])},
                        {"curve", curve[i] ? json(curve[i]) : json()},
                        {"is_fixed", handle.is_fixed},
                        {"is_pinned", handle.is_pinned},
                        {"mass", masses[i]},
                        {"line", line_of(scene, object.origin)}});
    }
    return list;
}

json constraints_json(const Scene& scene, const std::vector<std::string>& names)
{
    json list = json::array();
    const auto add = [&](const char* kind, ObjectId a, ObjectId b, Origin origin) {
        list.push_back({{"name", names[a.index] + " – " + names[b.index]},
                        {"kind", kind},
                        {"objects", {a.index, b.index}},
                        {"line", line_of(scene, origin)}});
    };
    for (const DistanceConstraint& constraint : scene.distance_constraints)
        add("distance", constraint.a, constraint.b, constraint.origin);
    for (const PathConstraint& constraint : scene.path_constraints)
        add("path", constraint.point, scene.paths[constraint.path.index].frame, constraint.origin);
    return list;
}

/// What a parameter measures, as far as its statement says: that of the first unit in it.
std::string unit_of(const Scene& scene, Origin origin)
{
    constexpr std::pair<std::string_view, const char*> kUnits[] = {
        {"deg", "rad"}, {"rad", "rad"}, {"mm", "m"},    {"cm", "m"},  {"m", "m"},
        {"km", "m"},    {"g", "kg"},    {"gram", "kg"}, {"kg", "kg"}, {"ms", "s"},
        {"sec", "s"},   {"s", "s"},     {"fps", "1/s"}};
    if (origin.file >= scene.files.size())
        return "";
    // The statement ends where its line does, or sooner.
    const std::string& text = *scene.files[origin.file].text;
    const std::size_t end = std::min(text.find(';', origin.offset), text.size());
    const std::string statement = text.substr(origin.offset, end - origin.offset);
    for (const ScriptToken& token : script_tokens(statement))
        if (token.kind == ScriptToken::Kind::unit)
            for (const auto& [word, unit] : kUnits)
                if (word == std::string_view(statement).substr(token.offset, token.length))
                    return unit;
    return "";
}

json parameters_json(const Scene& scene, const std::map<std::string, double>& values)
{
    json list = json::array();
    for (const Parameter& parameter : scene.parameters) {
        const auto set = values.find(parameter.name);
        list.push_back({{"name", parameter.name},
                        {"value", set == values.end() ? parameter.value : set->second},
                        {"low", parameter.low ? json(*parameter.low) : json()},
                        {"high", parameter.high ? json(*parameter.high) : json()},
                        {"text", parameter.text},
                        {"unit", unit_of(scene, parameter.origin)}});
    }
    return list;
}

/// The ramp at equal steps, and the colour of what flies.
json layer_colours_json()
{
    constexpr int kSteps = 9;
    json ramp = json::array();
    for (int i = 1; i <= kSteps; ++i)
        ramp.push_back(vector_json(layer_colour(i, kSteps)));
    return {{"ramp", std::move(ramp)}, {"air", vector_json(layer_colour(-1, kSteps))}};
}

json camera_json(const std::optional<Camera>& camera)
{
    if (!camera)
        return {};
    return {{"position", vector_json(camera->position)},
            {"target", vector_json(camera->target)},
            {"fov", camera->field_of_view}};
}

json studio_json(const Studio& studio)
{
    const StudioHues hues = hues_of(studio);
    return {{"low", vector_json(hues.sky_low)},
            {"high", vector_json(hues.sky_high)},
            {"near", vector_json(hues.floor)},
            {"sun", vector_json(hues.to_sun)}};
}

} // namespace

bool is_moving(const Camera& camera) { return camera.frame.is_valid() || !camera.keys.empty(); }

std::optional<Camera> world_camera(const Scene& scene, const Frame& frame)
{
    if (!scene.settings.camera)
        return std::nullopt;
    Camera camera = camera_at(*scene.settings.camera, frame.time);
    if (camera.frame.index < frame.objects.size()) {
        const Affine& X = frame.objects[camera.frame.index];
        camera.position = apply(X, camera.position);
        camera.target = apply(X, camera.target);
    }
    return camera;
}

std::string encode(const SceneText& text)
{
    const Session& session = *text.session;
    const Scene& scene = session.scene();
    const Display& display = *text.display;
    const std::vector<std::string> names = object_names(scene);
    const Bounds bounds = text.bounds.is_empty() ? Bounds{{-1, -1, -1}, {1, 1, 1}} : text.bounds;
    json elements = json::array();
    for (const Element& element : display.elements)
        elements.push_back(element_json(element, display));
    const bool has_bodies = std::ranges::any_of(
        scene.bodies, [](const RigidBody& body) { return !body.is_obstacle(); });
    const bool has_curves = !scene.strands.empty() || !scene.rods.empty();
    const bool may_touch = has_bodies || (has_curves && !scene.bodies.empty()) ||
                           scene.settings.rods.contact == RodContact::all;
    json out{{"type", "scene"},
             {"revision", text.revision},
             {"frame_rate", scene.settings.frame_rate},
             {"start", scene.settings.start},
             {"frame_count", session.frame_count()},
             {"unit", display.unit},
             {"bounds", {vector_json(bounds.low), vector_json(bounds.high)}},
             {"camera", camera_json(text.camera)},
             {"point_count", display.point_count},
             {"pose_count", display.pose_count},
             {"objects", objects_json(session, names)},
             {"elements", std::move(elements)},
             {"meshes", meshes_json(display)},
             {"constraints", constraints_json(scene, names)},
             {"parameters", parameters_json(scene, text.values)},
             {"probes", probe_names(scene)},
             {"loads", constraint_names(scene)},
             {"has_contacts", may_touch && session.can_simulate()},
             {"has_layers", has_bodies && session.can_simulate()},
             {"layer_colours", layer_colours_json()}};
    if (scene.studio)
        out["studio"] = studio_json(*scene.studio);
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace sinew::viewer
