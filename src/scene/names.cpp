// What people call the things of a scene, and where they wrote them.

#include "base/text.h"
#include "scene/problems.h"
#include "sinew/scene.h"

#include <unordered_map>

namespace sinew {

namespace {

std::string own_name(const Object& object)
{
    std::string name = object.name;
    if (object.index != Object::kNoIndex)
        name += "[" + std::to_string(object.index) + "]";
    if (object.ordinal > 0)
        name += "#" + std::to_string(object.ordinal);
    return name;
}

} // namespace

std::vector<std::string> object_names(const Scene& scene)
{
    std::vector<std::string> names;
    std::unordered_map<std::string, int> uses;
    for (const Object& object : scene.objects) {
        names.push_back(own_name(object));
        uses[names.back()] += !object.is_anonymous;
    }
    std::vector<std::string> result = names;
    for (std::size_t i = 1; i < scene.objects.size(); ++i) {
        if (uses[names[i]] == 1 && !scene.objects[i].is_anonymous)
            continue;
        for (ObjectId up = scene.objects[i].parent; up.is_valid() && up.index > 0;
             up = scene.objects[up.index].parent)
            result[i] = names[up.index] + "." + result[i];
    }
    return result;
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
    const std::vector<std::string> names = object_names(scene);
    std::vector<int> nameless(scene.objects.size()), seen(scene.objects.size());
    for (const StrandCurve& curve : scene.strands)
        nameless[curve.tree.index] += curve.object == curve.tree;
    std::vector<std::string> result;
    for (const StrandCurve& curve : scene.strands) {
        std::string name = names[curve.tree.index];
        if (curve.object != curve.tree) {
            const Object& own = scene.objects[curve.object.index];
            name += "." + own.name;
            if (own.index != Object::kNoIndex)
                name += "[" + std::to_string(own.index) + "]";
        } else if (nameless[curve.tree.index] > 1) {
            name += "#" + std::to_string(++seen[curve.tree.index]);
        }
        result.push_back(std::move(name));
    }
    return result;
}

std::vector<std::string> rod_names(const Scene& scene)
{
    const std::vector<std::string> names = object_names(scene);
    std::vector<std::string> result;
    for (const Rod& rod : scene.rods)
        result.push_back(names[rod.object.index]);
    return result;
}

} // namespace sinew
