// The objects of a part: instances of trees that others compute are left out, so that a part's
// frames are as small as the part.

#include "sinew/part_objects.h"

#include "scene/ids_in.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sinew {

namespace {

/// Marks all objects that something names, other than the trees of other parts themselves.
class References {
public:
    References(const Scene& scene, const PartPlan& plan, int part)
        : named(scene.objects.size(), 0), scene_(scene)
    {
        std::vector<char> is_left_out(scene.paths.size(), 0);
        for (std::size_t i = 0; i < scene.strands.size(); ++i) {
            const StrandCurve& curve = scene.strands[i];
            if (plan.part_of[i] == 0 || plan.part_of[i] == std::uint32_t(part))
                mark(curve.tree), mark(curve.object);
            else
                is_left_out[curve.path.index] = 1;
        }
        for (std::size_t i = 0; i < scene.paths.size(); ++i)
            if (!is_left_out[i])
                mark(scene.paths[i].frame);
        for (const Object& object : scene.objects)
            mark(object.on);
        for (const StrandTree& tree : scene.trees)
            mark(tree.reference);
        for (const Air& air : scene.airs)
            mark(air.frame), mark(air.behind);
        for (const Formula& formula : scene.formulas)
            if (formula.operation == Operation::position || formula.operation == Operation::contact)
                mark(ObjectId{formula.index});
        mark_lists();
    }

    std::vector<char> named;

private:
    void mark(ObjectId object)
    {
        if (object.index < named.size())
            named[object.index] = 1;
    }
    void mark_lists()
    {
        constexpr std::array<std::string_view, 9> kSeen = {
            "objects", "paths",   "trees", "strands", "strand_properties",
            "airs",    "colours", "looks", "children"};
        for_each_field(
            [&](FieldName name, const auto& list) {
                if (std::ranges::find(kSeen, name.text) == kSeen.end())
                    for_each_id<ObjectId>(list, [&](const ObjectId& id) { mark(id); });
            },
            scene_);
    }

    const Scene& scene_;
};

} // namespace

std::vector<std::uint32_t> objects_of_part(const Scene& scene, const PartPlan& plan, int part)
{
    const std::vector<char> named = References(scene, plan, part).named;
    std::vector<char> is_there(scene.objects.size(), 1);
    for (const StrandTree& tree : scene.trees) {
        const auto first = named.begin() + tree.object.index;
        const auto end = named.begin() + scene.objects[tree.object.index].end;
        if (std::find(first, end, 1) == end)
            std::fill(is_there.begin() + (first - named.begin()),
                      is_there.begin() + (end - named.begin()), 0);
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < is_there.size(); ++i)
        if (is_there[i])
            kept.push_back(i);
    return kept;
}

} // namespace sinew
