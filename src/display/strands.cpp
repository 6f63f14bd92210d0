// Strands: a tapered curve each, a line that shows its twist, axes of its segments.

#include "display/maker.h"

#include "scene/strand_section.h"
#include "scene/strands.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kThinnest = 0.2;            // of a strand, in units: what can just be seen
constexpr double kSlender = 0.002;           // of its length: but no more than this
constexpr double kStripe = 0.3;              // radius of the line of twist, of the strand's
constexpr double kAxisRadius = 0.1;          // in units
constexpr std::size_t kMostAxes = 500;       // segments
constexpr std::size_t kMostStriped = 50'000; // nodes: every frame has the points of the stripes
constexpr Vec3 kLightStripe = {0.96, 0.90, 0.74}, kDarkStripe = {0.16, 0.12, 0.10};

Vec3 stripe_colour(const Vec3& strand)
{
    const double light = 0.3 * strand.x + 0.6 * strand.y + 0.1 * strand.z;
    return light > 0.5 ? kDarkStripe : kLightStripe;
}

} // namespace

void DisplayMaker::add_strands()
{
    if (scene_.strands.empty())
        return;
    const std::vector<StrandShape> shapes = sample_strands(scene_);
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        const StrandCurve& strand = scene_.strands[i];
        const std::uint32_t count = strand.segments + 1;
        const auto first = std::uint32_t(display_.radii.size());
        const StrandSections sections(scene_, i, shapes[i].length);
        for (std::uint32_t k = 0; k < count; ++k)
            display_.radii.push_back(
                std::max(sections.at(first_.time, double(k) / strand.segments).radius,
                         std::min(kThinnest * sizes_.unit, kSlender * shapes[i].length)));
        Element& curve = add_points(ElementKind::curve, ElementRole::thing, strand.object, count);
        curve.colour = colours_.written(strand.object).value_or(colours::kStrand);
        curve.radius = *std::max_element(display_.radii.begin() + first, display_.radii.end());
        curve.radii = first;
        const Vec3 colour = stripe_colour(curve.colour);
        const double stripe_radius = kStripe * curve.radius;
        add_source(DisplaySource::Kind::nodes, first, 0, count);
        if (first_.nodes.size() > kMostStriped)
            continue;
        Element& stripe = add_points(ElementKind::curve, ElementRole::twist, strand.object, count);
        stripe.colour = colour;
        stripe.radius = stripe_radius;
        add_source(DisplaySource::Kind::stripe, first, i, count);
    }
}

/// Axes of segments, of every second or third where there are many.
void DisplayMaker::add_strand_axes()
{
    std::size_t count = 0;
    for (const StrandCurve& strand : scene_.strands)
        count += strand.segments;
    const auto every = std::uint32_t(count / kMostAxes + 1);
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < scene_.strands.size(); ++i) {
        const StrandCurve& strand = scene_.strands[i];
        for (std::uint32_t k = 0; k < strand.segments; k += every)
            for (std::uint32_t axis = 0; axis < 3; ++axis) {
                Element& line =
                    add_points(ElementKind::curve, ElementRole::frame, strand.object, 2);
                line.colour = colours::kAxes[axis];
                line.radius = kAxisRadius * sizes_.unit;
                add_source(DisplaySource::Kind::segment, first + k, 4 * i + 3);
                add_source(DisplaySource::Kind::segment, first + k, 4 * i + axis);
            }
        first += strand.segments + 1;
    }
}

} // namespace sinew
