#include "scene/objects/drawn_strands.h"

#include "sinew/drawn_curves.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace sinew {

struct DrawnCurvesScope::Memory {
    std::vector<std::uint64_t> drawing; ///< all that the shapes follow from
    StrandShapes shapes;
};

namespace {

thread_local DrawnCurvesScope::Memory* remembered = nullptr;

/// Calls visit(bits) with all that the shapes of a scene's strands follow from, as long as it says
/// true.
template <class Visit>
bool visit_drawing(const Scene& scene, Visit visit)
{
    const auto of = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    for (const StrandCurve& curve : scene.strands) {
        const Path& path = scene.paths[curve.path.index];
        if (!visit(curve.segments) || !visit(curve.from) || !visit(of(curve.from_along)) ||
            !visit(static_cast<std::uint64_t>(path.kind)) || !visit(path.points.count))
            return false;
        for (std::uint32_t i = 0; i < path.points.count; ++i)
            if (!visit(of(scene.values[path.points.first + i].number)))
                return false;
    }
    return true;
}

bool is_drawn_so(const Scene& scene, const std::vector<std::uint64_t>& drawing)
{
    std::size_t at = 0;
    const auto is_next = [&](std::uint64_t bits) {
        return at < drawing.size() && drawing[at++] == bits;
    };
    return visit_drawing(scene, is_next) && at == drawing.size();
}

} // namespace

DrawnCurvesScope::DrawnCurvesScope()
    : memory_(std::make_unique<Memory>()), before_(std::exchange(remembered, memory_.get()))
{
}

DrawnCurvesScope::~DrawnCurvesScope() { remembered = before_; }

StrandShapes find_drawn_strands(const Scene& scene)
{
    const bool is_known =
        remembered && remembered->shapes && is_drawn_so(scene, remembered->drawing);
    return is_known ? remembered->shapes : nullptr;
}

StrandShapes drawn_strands(const Scene& scene, int threads)
{
    if (StrandShapes known = find_drawn_strands(scene))
        return known;
    if (remembered)
        remembered->shapes = nullptr; // before the others need room
    auto shapes = std::make_shared<const std::vector<StrandShape>>(sample_strands(scene, threads));
    if (!remembered)
        return shapes;
    remembered->drawing.clear();
    visit_drawing(scene, [](std::uint64_t bits) {
        remembered->drawing.push_back(bits);
        return true;
    });
    return remembered->shapes = std::move(shapes);
}

} // namespace sinew
