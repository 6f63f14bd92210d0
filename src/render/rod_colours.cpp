// Rods coloured by what they carry.

#include "sinew/render.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

double load_of(const SectionForce& section, RodLoad load)
{
    switch (load) {
    case RodLoad::tension: return section.tension;
    case RodLoad::bending: return section.bending;
    case RodLoad::twist: return std::abs(section.twist);
    }
    return 0;
}

} // namespace

Vec3 LoadScale::colour(double value) const
{
    constexpr int kSteps = 256; // of the ramp of layers
    const double part = high > low ? (value - low) / (high - low) : 0;
    const double within = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0;
    return layer_colour(1 + int(within * (kSteps - 1)), kSteps);
}

std::vector<double> rod_loads(const Frame& frame, RodLoad load)
{
    std::vector<double> loads;
    for (const SectionForce& section : frame.sections)
        loads.push_back(load_of(section, load));
    return loads;
}

/// Nodes of rods come after those of strands.
std::vector<Vec3> colour_rods(const Display& display, const Frame& frame, const LoadScale& scale)
{
    const std::vector<double> loads = rod_loads(frame, scale.load);
    if (loads.empty() || loads.size() > frame.nodes.size())
        return {};
    const std::size_t strand_nodes = frame.nodes.size() - loads.size();
    std::vector<Vec3> colours(display.point_count, Vec3{-1, -1, -1});
    std::size_t point = 0;
    for (const DisplaySource& source : display.sources) {
        if (source.kind == DisplaySource::Kind::pose || source.kind == DisplaySource::Kind::plane)
            continue;
        if (source.kind == DisplaySource::Kind::nodes && source.index >= strand_nodes)
            for (std::uint32_t k = 0; k < source.count; ++k)
                colours[point + k] = scale.colour(loads[source.index - strand_nodes + k]);
        point += source.count;
    }
    return colours;
}

} // namespace sinew
