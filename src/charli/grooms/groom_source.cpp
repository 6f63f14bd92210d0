#include "charli/grooms/groom_source.h"

#include "base/hash.h"

#include <algorithm>

namespace sinew::charli {

GroomSource::GroomSource(CurveSet curves, std::vector<StrandRoot> roots)
    : curves_(std::move(curves)), roots_(std::move(roots))
{
    std::size_t next = 0;
    for (const std::uint32_t count : curves_.counts) {
        first_.push_back(next);
        next += count;
    }
}

GroomSource::GroomSource(Grower grower, std::optional<std::uint32_t> skin,
                         std::vector<double> stiffness)
    : grower_(std::move(grower)), skin_(skin), stiffness_(std::move(stiffness))
{
}

std::uint32_t GroomSource::count() const
{
    return grower_ ? grower_->growth().count : static_cast<std::uint32_t>(first_.size());
}

ValueList GroomSource::make(std::uint32_t curve, Scene& scene)
{
    const auto [known, is_new] = made_.try_emplace(curve);
    if (!is_new)
        return known->second;
    const std::vector<Vec3> points = this->points(curve);
    known->second = {static_cast<std::uint32_t>(scene.values.size()),
                     static_cast<std::uint32_t>(3 * points.size())};
    for (const Vec3& point : points)
        for (int axis = 0; axis < 3; ++axis)
            scene.values.push_back({point[axis]});
    return known->second;
}

std::vector<Vec3> GroomSource::points(std::uint32_t curve)
{
    if (grower_)
        return grower_->points(curve);
    const auto first = curves_.points.begin() + std::ptrdiff_t(first_[curve]);
    return {first, first + std::ptrdiff_t(curves_.counts[curve])};
}

std::optional<StrandRoot> GroomSource::root(std::uint32_t curve) const
{
    if (!roots_.empty())
        return roots_[curve];
    if (!grower_ || !skin_)
        return std::nullopt;
    const MeshPlace place = grower_->root(curve);
    return StrandRoot{*skin_, place.triangle, place.u, place.v};
}

std::optional<double> GroomSource::stiffness(std::uint32_t curve) const
{
    if (stiffness_.empty())
        return std::nullopt;
    return grower_->value_at(stiffness_, grower_->root(curve));
}

double GroomSource::identity() const
{
    Hash hash;
    for (const std::uint32_t count : curves_.counts)
        hash.add(count);
    for (const Vec3& point : curves_.points)
        hash.add(point.x).add(point.y).add(point.z);
    for (const StrandRoot& root : roots_)
        hash.add(root.triangle).add(root.u).add(root.v);
    if (grower_)
        hash.add(grower_->identity());
    return double(hash.value() >> 11) * 0x1p-53;
}

} // namespace sinew::charli

namespace sinew {

void UnmadeCurves::add(std::uint32_t first_path, std::shared_ptr<charli::GroomSource> source)
{
    runs_.emplace_back(first_path, std::move(source)); // paths are added in their order
}

void UnmadeCurves::make(const PartPlan& plan, int part, Scene& scene)
{
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        if (plan.part_of[i] != 0 && plan.part_of[i] != static_cast<std::uint32_t>(part))
            continue;
        const StrandCurve& strand = scene.strands[i];
        const auto next = std::ranges::upper_bound(runs_, strand.path.index, {},
                                                   [](const auto& run) { return run.first; });
        if (next == runs_.begin())
            continue;
        const auto& [first, source] = *std::prev(next);
        const std::uint32_t curve = strand.path.index - first;
        if (curve >= source->count())
            continue;
        const ValueList points = source->make(curve, scene);
        scene.paths[strand.path.index].points = points;
        if (const auto root = source->root(curve))
            scene.strand_roots[strand.root] = *root;
    }
}

} // namespace sinew
