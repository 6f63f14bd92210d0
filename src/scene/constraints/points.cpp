#include "scene/constraints/points.h"

#include "scene/constraints/ends.h"

#include <algorithm>
#include <optional>

namespace sinew {

namespace {

bool names_point(const Scene& scene, const Constraint& c)
{
    const bool may =
        std::holds_alternative<PositionLaw>(c.law) || std::holds_alternative<DistanceLaw>(c.law);
    if (!may || !c.b.is_path())
        return false;
    const Path& path = scene.paths[c.b.path.index];
    return path.kind == PathKind::point && path.points.count >= 3;
}

/// An object without a name of its own at a point, which may move, in the frame of the point.
ObjectId add_object_at(Scene& scene, const Path& path, Origin origin)
{
    using Kind = TransformationKind;
    const ObjectId id{static_cast<std::uint32_t>(scene.objects.size())};
    Object object{.name = "point", .is_anonymous = true, .parent = ObjectId{0}, .on = path.frame};
    object.end = id.index + 1;
    object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
    object.transformation_count = 3;
    object.origin = origin;
    std::uint32_t value = path.points.first;
    for (const Kind kind : {Kind::translate_x, Kind::translate_y, Kind::translate_z})
        scene.transformations.push_back({kind, scene.values[value++], origin});
    scene.objects.push_back(object);
    scene.objects[0].end = id.index + 1;
    return id;
}

} // namespace

std::vector<Constraint> place_points(Scene& scene, std::span<const Constraint> constraints)
{
    std::vector<Constraint> placed(constraints.begin(), constraints.end());
    if (std::ranges::none_of(placed, [&](const Constraint& c) { return names_point(scene, c); }))
        return placed;
    const EndMap ends(scene);
    const auto count = static_cast<std::uint32_t>(scene.objects.size());
    for (Constraint& c : placed) {
        if (!names_point(scene, c) || !c.a.object.is_valid() || c.a.object.index >= count)
            continue;
        const bool is_position = std::holds_alternative<PositionLaw>(c.law);
        if (ends.is_on_rod(c.a.object) || (is_position && ends.is_on_strand(c.a.object)))
            continue;
        c.b = {.object = add_object_at(scene, scene.paths[c.b.path.index], c.origin)};
    }
    return placed;
}

} // namespace sinew
