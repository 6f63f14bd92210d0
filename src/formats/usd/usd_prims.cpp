// An exported scene as prims of USD: meshes on matrices, instances where there are many, curves in
// groups, plates as meshes whose points move.

#include "formats/usd/usd_prims.h"

#include "formats/usd/usd_values.h"
#include "math/functions.h"

#include <algorithm>
#include <map>

namespace sinew::formats {

namespace {

constexpr std::size_t kMostMeshes = 256; // bodies with a prim each; more are instances

const char* basis_name(CurveBasis basis)
{
    return basis == CurveBasis::bspline ? "bspline" : "catmullRom";
}

class PrimMaker {
public:
    explicit PrimMaker(const Job& job) : job_(job), exported_(job.exported) {}

    UsdScene make();

private:
    UsdAttribute& add(UsdPrim& prim, std::string name, std::string type, UsdValue value)
    {
        prim.attributes.push_back(
            {.name = std::move(name), .type = std::move(type), .value = std::move(value)});
        return prim.attributes.back();
    }
    void add_token(UsdPrim& prim, std::string name, std::string value)
    {
        add(prim, std::move(name), "token", usd_text(UsdType::token, std::move(value))).is_uniform =
            true;
    }
    void animate(UsdPrim& prim, std::string name, std::string type, UsdSampler sampler,
                 std::string interpolation = "")
    {
        prim.attributes.push_back({.name = std::move(name),
                                   .type = std::move(type),
                                   .interpolation = std::move(interpolation),
                                   .is_animated = true});
        scene_.samplers.push_back(std::move(sampler));
    }
    std::string unique(const std::string& name);
    UsdPrim make_prim(const std::string& type, const std::string& name);
    void add_look(UsdPrim& prim, std::uint32_t colour);
    UsdPrim make_materials() const;
    void fill_mesh(UsdPrim& prim, const Triangles& triangles);
    void add_matrix(UsdPrim& prim, std::size_t body);
    UsdPrim make_body(std::size_t body);
    UsdPrim make_instances(const std::vector<std::size_t>& bodies);
    UsdPrim make_curves(const ExportGroup& group);
    void add_moving_points(UsdPrim& prim, const ExportGroup& group);
    UsdPrim make_plate(const ExportPlate& plate);

    const Job& job_;
    const ExportScene& exported_;
    UsdScene scene_;
    std::map<std::string, int> names_;
};

std::string PrimMaker::unique(const std::string& name)
{
    const std::string plain = usd_name(name);
    const int before = names_[plain]++;
    return before == 0 ? plain : unique(plain + "_" + std::to_string(before + 1));
}

UsdPrim PrimMaker::make_prim(const std::string& type, const std::string& name)
{
    UsdPrim prim{.type = type, .name = unique(name)};
    if (prim.name != name)
        prim.label = name;
    return prim;
}

UsdPrim PrimMaker::make_materials() const
{
    UsdPrim scope{.type = "Scope", .name = "Looks"};
    for (std::size_t i = 0; i < exported_.colours.size(); ++i) {
        const Look& look = exported_.looks[i];
        const std::string name = "colour_" + std::to_string(i);
        const std::string shader = "/World/Looks/" + name + "/surface";
        UsdPrim material{.type = "Material", .name = name};
        material.attributes.push_back({.name = "outputs:surface",
                                       .type = "token",
                                       .connection = shader + ".outputs:surface"});
        UsdPrim surface{.type = "Shader", .name = "surface"};
        surface.attributes = {
            {.name = "info:id",
             .type = "token",
             .value = usd_text(UsdType::token, "UsdPreviewSurface"),
             .is_uniform = true},
            {.name = "inputs:diffuseColor",
             .type = "color3f",
             .value = linear_colour(exported_.colours[i])},
            {.name = "inputs:roughness",
             .type = "float",
             .value = usd_float(to_float(look.roughness))},
            {.name = "inputs:metallic", .type = "float", .value = usd_float(to_float(look.metal))}};
        if (look.transparency > 0)
            surface.attributes.push_back(
                {.name = "inputs:opacity",
                 .type = "float",
                 .value = usd_float(to_float(1 - 0.85 * look.transparency))});
        if (look.glow > 0)
            surface.attributes.push_back({.name = "inputs:emissiveColor",
                                          .type = "color3f",
                                          .value = linear_colour(exported_.colours[i])});
        surface.attributes.push_back({.name = "outputs:surface", .type = "token"});
        material.children.push_back(std::move(surface));
        scope.children.push_back(std::move(material));
    }
    return scope;
}

void PrimMaker::add_look(UsdPrim& prim, std::uint32_t colour)
{
    prim.api_schemas.push_back("MaterialBindingAPI");
    UsdValue value = linear_colour(exported_.colours[colour]);
    value.is_array = true;
    add(prim, "primvars:displayColor", "color3f[]", std::move(value)).interpolation = "constant";
    prim.relationships.push_back(
        {"material:binding", {"/World/Looks/colour_" + std::to_string(colour)}});
}

void PrimMaker::fill_mesh(UsdPrim& prim, const Triangles& triangles)
{
    add(prim, "extent", "float3[]", extent_of(triangles.vertices, {}));
    add(prim, "faceVertexCounts", "int[]", counts_of_triangles(triangles.corners.size()));
    add(prim, "faceVertexIndices", "int[]", corners_of(triangles.corners));
    add(prim, "points", "point3f[]", usd_vectors(triangles.vertices));
    add(prim, "normals", "normal3f[]", usd_vectors(triangles.normals)).interpolation = "vertex";
    add_token(prim, "subdivisionScheme", "none");
    add(prim, "doubleSided", "bool", usd_boolean(true)).is_uniform = true;
}

void PrimMaker::add_matrix(UsdPrim& prim, std::size_t body)
{
    animate(prim, "xformOp:transform", "matrix4d",
            [body](const Window& window) { return usd_matrix(window.now.poses[body]); });
    add(prim, "xformOpOrder", "token[]", usd_texts(UsdType::token, {"xformOp:transform"}))
        .is_uniform = true;
}

UsdPrim PrimMaker::make_body(std::size_t i)
{
    const ExportBody& body = exported_.bodies[i];
    const bool is_camera = body.pose == ExportBody::Pose::camera;
    UsdPrim prim = make_prim(is_camera             ? "Camera"
                             : body.shape == kNone ? "Xform"
                                                   : "Mesh",
                             body.name);
    if (is_camera) {
        constexpr double kAperture = 15.2908; // of USD's own camera, in tenths of units
        const double half = job_.scene.settings.camera->field_of_view / 2;
        add(prim, "focalLength", "float", usd_float(to_float(kAperture / 2 / tan(half))));
        add(prim, "verticalAperture", "float", usd_float(to_float(kAperture)));
    }
    if (body.shape != kNone) {
        fill_mesh(prim, exported_.shapes[body.shape].triangles);
        add_look(prim, body.colour);
    }
    add_matrix(prim, i);
    return prim;
}

/// Bodies of one instancer, whose prototypes are their shapes in their colours.
UsdPrim PrimMaker::make_instances(const std::vector<std::size_t>& bodies)
{
    UsdPrim prim = make_prim("PointInstancer", "bodies");
    const std::string path = "/World/" + prim.name + "/Prototypes/";
    UsdPrim scope{.type = "Scope", .name = "Prototypes"};
    std::map<std::array<std::uint32_t, 2>, std::int32_t> kinds;
    std::vector<std::int32_t> of_kind;
    std::vector<std::int64_t> ids;
    UsdRelationship prototypes{.name = "prototypes", .targets = {}};
    for (const std::size_t i : bodies) {
        const ExportBody& body = exported_.bodies[i];
        const auto [kind, is_new] =
            kinds.emplace(std::array{body.shape, body.colour}, std::int32_t(kinds.size()));
        of_kind.push_back(kind->second);
        ids.push_back(std::int64_t(i));
        if (!is_new)
            continue;
        UsdPrim mesh{.type = "Mesh", .name = "kind_" + std::to_string(kind->second)};
        fill_mesh(mesh, exported_.shapes[body.shape].triangles);
        add_look(mesh, body.colour);
        prototypes.targets.push_back(path + mesh.name);
        scope.children.push_back(std::move(mesh));
    }
    add(prim, "protoIndices", "int[]",
        usd_array(UsdType::whole, std::span<const std::int32_t>(of_kind)));
    add(prim, "ids", "int64[]", usd_array(UsdType::whole64, std::span<const std::int64_t>(ids)));
    animate(prim, "positions", "point3f[]",
            [bodies](const Window& window) { return origins_of(window.now, bodies); });
    animate(prim, "orientations", "quath[]",
            [bodies](const Window& window) { return turns_of(window.now, bodies, true); });
    animate(prim, "orientationsf", "quatf[]",
            [bodies](const Window& window) { return turns_of(window.now, bodies, false); });
    animate(prim, "scales", "float3[]",
            [bodies](const Window& window) { return sizes_of(window.now, bodies); });
    const double rate = job_.scene.settings.frame_rate;
    animate(prim, "velocities", "vector3f[]", [bodies, rate](const Window& window) {
        return origin_velocities(window, bodies, rate);
    });
    prim.relationships.push_back(std::move(prototypes));
    prim.children.push_back(std::move(scope));
    return prim;
}

void PrimMaker::add_moving_points(UsdPrim& prim, const ExportGroup& group)
{
    const ExportScene* exported = &exported_;
    const ExportGroup* range = &group;
    const double rate = job_.scene.settings.frame_rate;
    animate(prim, "points", "point3f[]", [exported, range](const Window& window) {
        return usd_vectors(control_points(*exported, *range, window.now));
    });
    animate(prim, "velocities", "vector3f[]", [exported, range, rate](const Window& window) {
        return point_velocities(*exported, *range, window, rate);
    });
    animate(
        prim, "normals", "normal3f[]",
        [range](const Window& window) {
            return usd_vectors({&window.now.normals[range->first_point], range->point_count});
        },
        "vertex");
    animate(prim, "extent", "float3[]", [exported, range](const Window& window) {
        return extent_of(control_points(*exported, *range, window.now),
                         {&exported->radii[range->first_point], range->point_count});
    });
}

UsdPrim PrimMaker::make_curves(const ExportGroup& group)
{
    UsdPrim prim = make_prim("BasisCurves", group.name);
    const bool is_linear = exported_.options.basis == CurveBasis::linear;
    add_token(prim, "type", is_linear ? "linear" : "cubic");
    if (!is_linear)
        add_token(prim, "basis", basis_name(exported_.options.basis));
    add_token(prim, "wrap", group.is_closed ? "periodic" : is_linear ? "nonperiodic" : "pinned");
    std::vector<std::int32_t> counts, ids;
    std::vector<float> widths;
    for (std::uint32_t i = 0; i < group.curve_count; ++i) {
        counts.push_back(std::int32_t(exported_.curves[group.first_curve + i].count));
        ids.push_back(std::int32_t(group.first_curve + i));
    }
    for (std::uint32_t i = 0; i < group.point_count; ++i)
        widths.push_back(to_float(2 * exported_.radii[group.first_point + i]));
    add(prim, "curveVertexCounts", "int[]",
        usd_array(UsdType::whole, std::span<const std::int32_t>(counts)));
    add(prim, "primvars:id", "int[]", usd_array(UsdType::whole, std::span<const std::int32_t>(ids)))
        .interpolation = "uniform";
    add(prim, "widths", "float[]", usd_array(UsdType::single, std::span<const float>(widths)))
        .interpolation = "vertex";
    add_look(prim, group.colour);
    add_moving_points(prim, group);
    return prim;
}

UsdPrim PrimMaker::make_plate(const ExportPlate& plate)
{
    UsdPrim prim = make_prim("Mesh", plate.outline.name);
    const ExportPlate* kept = &plate;
    add(prim, "faceVertexCounts", "int[]", counts_of_triangles(plate.triangles.size()));
    add(prim, "faceVertexIndices", "int[]", corners_of(plate.triangles));
    add_token(prim, "subdivisionScheme", "none");
    add(prim, "doubleSided", "bool", usd_boolean(true)).is_uniform = true;
    add_look(prim, plate.outline.colour);
    animate(prim, "points", "point3f[]",
            [kept](const Window& window) { return usd_vectors(plate_corners(*kept, window.now)); });
    animate(prim, "extent", "float3[]", [kept](const Window& window) {
        return extent_of(plate_corners(*kept, window.now), {});
    });
    return prim;
}

UsdScene PrimMaker::make()
{
    UsdPrim world{.type = "Xform", .name = "World", .kind = "component"};
    names_["Looks"] = 1;
    world.children.push_back(make_materials());
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < exported_.bodies.size(); ++i)
        if (exported_.bodies[i].shape != kNone &&
            exported_.bodies[i].pose != ExportBody::Pose::plane)
            shown.push_back(i);
    const bool has_instances = shown.size() > kMostMeshes;
    for (std::size_t i = 0; i < exported_.bodies.size(); ++i)
        if (!has_instances || !std::binary_search(shown.begin(), shown.end(), i))
            world.children.push_back(make_body(i));
    if (has_instances)
        world.children.push_back(make_instances(shown));
    for (const ExportGroup& group : exported_.groups)
        world.children.push_back(make_curves(group));
    for (const ExportPlate& plate : exported_.plates)
        world.children.push_back(make_plate(plate));
    scene_.layer.prims.push_back(std::move(world));
    return std::move(scene_);
}

} // namespace

UsdScene make_usd_scene(const Job& job) { return PrimMaker(job).make(); }

void for_each_animated(std::vector<UsdPrim>& prims, const std::function<void(UsdAttribute&)>& call)
{
    for (UsdPrim& prim : prims) {
        for (UsdAttribute& attribute : prim.attributes)
            if (attribute.is_animated)
                call(attribute);
        for_each_animated(prim.children, call);
    }
}

} // namespace sinew::formats
