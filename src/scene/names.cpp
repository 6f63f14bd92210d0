// What people call the things of a scene, and where they wrote them.

#include "sinew/names.h"
#include "base/text.h"
#include "scene/kinematics.h"
#include "scene/unique_names.h"
#include "scene/validate/problems.h"
#include "sinew/frame.h"

#include <optional>
#include <unordered_map>

namespace sinew {

namespace {

/// The first of several alike keeps the plain name: it stays when another one is added.
std::string own_name(const Object& object)
{
    std::string name = object.name;
    if (object.index != Object::kNoIndex)
        name += "[" + std::to_string(object.index) + "]";
    if (object.ordinal > 1)
        name += "#" + std::to_string(object.ordinal);
    return name;
}

} // namespace

std::vector<std::string> object_paths(const Scene& scene)
{
    std::vector<std::string> names;
    UniqueNames unique;
    for (const Object& object : scene.objects) {
        const bool is_below = object.parent.is_valid() && object.parent.index > 0;
        std::string name = (is_below ? names[object.parent.index] + "." : "") + own_name(object);
        names.push_back(object.is_anonymous ? std::move(name) : unique.take(std::move(name)));
    }
    return names;
}

std::vector<std::string> object_names(const Scene& scene)
{
    std::vector<std::string> names = object_paths(scene);
    std::unordered_map<std::string, int> uses;
    for (const Object& object : scene.objects)
        uses[own_name(object)] += !object.is_anonymous;
    for (std::size_t i = 1; i < scene.objects.size(); ++i)
        if (const Object& object = scene.objects[i];
            !object.is_anonymous && uses[own_name(object)] == 1)
            names[i] = own_name(object);
    return names;
}

std::optional<std::string> script_name(const Scene& scene, ObjectId object)
{
    for (ObjectId up = object; up.is_valid() && up.index > 0; up = scene.objects[up.index].parent)
        if (scene.objects[up.index].ordinal > 0 || scene.objects[up.index].is_anonymous)
            return std::nullopt;
    return object_paths(scene)[object.index];
}

Place place_of(const Scene& scene, Origin origin)
{
    if (origin.file >= scene.files.size())
        return {};
    const SourceFile& file = scene.files[origin.file];
    return locate(file.name, *file.text, origin.offset, origin.length);
}

std::string text_of(const Scene& scene, Origin origin)
{
    return origin.file < scene.files.size()
               ? scene.files[origin.file].text->substr(origin.offset, origin.length)
               : std::string();
}

Problem make_problem(const Scene& scene, Severity severity, std::string code, Origin origin,
                     std::string element, std::string what, std::string hint)
{
    Problem problem{.severity = severity,
                    .code = std::move(code),
                    .place = place_of(scene, origin),
                    .what = std::move(what),
                    .hint = std::move(hint)};
    if (origin.file < scene.files.size())
        problem.source_line = shown_line(*scene.files[origin.file].text, origin.offset);
    else
        problem.place.file = std::move(element);
    return problem;
}

std::vector<std::string> strand_names(const Scene& scene)
{
    const std::vector<std::string> names = object_paths(scene);
    UniqueNames unique;
    std::vector<std::string> result;
    for (const StrandCurve& curve : scene.strands) {
        const std::string& tree = names[curve.tree.index];
        result.push_back(curve.object == curve.tree
                             ? unique.take(tree)
                             : tree + "." + own_name(scene.objects[curve.object.index]));
    }
    return result;
}

namespace {

const char* word_of(StrandConstraintKind kind)
{
    switch (kind) {
    case StrandConstraintKind::position: return "position_constraint";
    case StrandConstraintKind::fusion: return "fusion";
    case StrandConstraintKind::orientation: return "orientation_constraint";
    case StrandConstraintKind::distance: return "dist_constraint";
    case StrandConstraintKind::above: return "above";
    case StrandConstraintKind::spring: return "spring_and_damper";
    case StrandConstraintKind::joint: return "joint_constraint";
    }
    return "";
}

const char* word_of(const RodConstraint& c)
{
    switch (c.kind) {
    case RodConstraintKind::position: return "position_constraint";
    case RodConstraintKind::orientation: return "orientation_constraint";
    case RodConstraintKind::plane: return "plane_constraint";
    case RodConstraintKind::axis: return "axis_constraint";
    case RodConstraintKind::circle: return "circle_constraint";
    case RodConstraintKind::trajectory: return "path_constraint";
    case RodConstraintKind::distance: return "dist_constraint";
    case RodConstraintKind::fusion: return "fusion";
    case RodConstraintKind::keyhole: return c.is_oriented ? "oriented_keyhole" : "keyhole";
    case RodConstraintKind::pulley: return "pulley";
    case RodConstraintKind::winch: return "winch";
    case RodConstraintKind::pearl: return "pearl";
    case RodConstraintKind::spring: return "spring_and_damper";
    }
    return "";
}

} // namespace

std::vector<std::string> constraint_names(const Scene& scene)
{
    const std::vector<std::string> names = object_paths(scene), strands = strand_names(scene),
                                   rods = rod_names(scene);
    const auto held = [&](ObjectId object) {
        for (ObjectId up = object; up.is_valid(); up = frame_parent(scene.objects[up.index])) {
            for (const StrandSite& site : scene.strand_sites)
                if (site.object == up)
                    return strands[site.curve];
            for (const RodSite& site : scene.rod_sites)
                if (site.object == up)
                    return rods[site.rod];
            if (!scene.objects[up.index].is_anonymous)
                return names[up.index];
        }
        return names[object.index];
    };
    std::vector<std::string> result;
    UniqueNames unique;
    for (const StrandConstraint& c : scene.strand_constraints)
        result.push_back(unique.take(held(c.a) + "." + word_of(c.kind)));
    for (const RodConstraint& c : scene.rod_constraints)
        result.push_back(unique.take(held(c.a) + "." + word_of(c)));
    return result;
}

std::vector<std::string> probe_names(const Scene& scene)
{
    const std::vector<std::string> names = object_paths(scene);
    UniqueNames unique;
    std::vector<std::string> result;
    for (const Drawing& drawing : scene.drawings) {
        if (drawing.kind != DrawingKind::probe)
            continue;
        const bool is_below = drawing.object.is_valid() && drawing.object.index > 0;
        result.push_back(
            unique.take((is_below ? names[drawing.object.index] + "." : "") + drawing.name));
    }
    return result;
}

std::vector<std::string> rod_names(const Scene& scene)
{
    const std::vector<std::string> names = object_paths(scene);
    std::vector<std::string> result;
    for (const Rod& rod : scene.rods)
        result.push_back(names[rod.object.index]);
    return result;
}

} // namespace sinew
