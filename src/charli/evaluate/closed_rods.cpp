// Rods drawn along a closed curve: belts and rings. Each is one rod whose last point is its first.

#include "charli/evaluate/evaluator.h"

#include "scene/kinematics.h"
#include "scene/objects/rods.h"

#include <algorithm>

namespace sinew::charli {

/// A point of a rod that no name leads to.
ObjectId Evaluator::add_rod_point(std::uint32_t number, const RodShape& shape, double along,
                                  const Origin& origin)
{
    const ObjectId point =
        add_object(kNoSymbol, "point", Object::kNoIndex, object_scopes_[0], origin, true);
    if (!point.is_valid())
        return {};
    close_object(point);
    close_object(ObjectId{0});
    ride(point, scene.rods[number].object, frame_on_rod(shape, along), origin);
    scene.rod_sites.push_back({point, number, along, origin});
    return point;
}

/// Holds the two ends of closed rods together: place, tangent and twist go on across the seam. A
/// chain bends freely at each of its points, and so it does there.
void Evaluator::close_rods()
{
    const auto is_sound = [&](const Rod& rod) {
        return rod.spans > 0 && has_constant_curve(scene, rod.path);
    };
    const bool has_closed =
        std::ranges::any_of(scene.rods, [&](const Rod& rod) { return is_closed(scene, rod); });
    if (!has_closed || spoiling_errors_ > 0 || !std::ranges::all_of(scene.rods, is_sound))
        return;
    const std::vector<RodShape> shapes = sample_rods(scene);
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        const Rod rod = scene.rods[i];
        if (!is_closed(scene, rod))
            continue;
        const ObjectId first = add_rod_point(i, shapes[i], 0, rod.origin),
                       last = add_rod_point(i, shapes[i], 1, rod.origin);
        if (!first.is_valid() || !last.is_valid())
            return;
        const bool is_chain = rod.kind == RodKind::chain;
        constraints_.push_back(
            {.law = FusionLaw{.tangent = is_chain ? RodTangent::free : RodTangent::fixed},
             .a = {.object = last},
             .b = {.object = first},
             .origin = rod.origin});
    }
}

} // namespace sinew::charli
