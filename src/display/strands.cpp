// Strands and rods: a tapered curve each, a line that shows its twist, axes of its segments.

#include "display/maker.h"

#include "scene/objects/rods.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kThinnest = 0.2;            // of a strand, in units: what can just be seen
constexpr double kSlender = 0.002;           // of its length: but no more than this
constexpr double kHairlike = 0.008;          // of its length: thinner strands look like hair
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
    const std::vector<double> lengths = measure_strands(scene_);
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
        const StrandCurve& strand = scene_.strands[i];
        const StrandSections sections(scene_, i, lengths[i]);
        std::vector<double> radii;
        for (std::uint32_t k = 0; k <= strand.segments; ++k)
            radii.push_back(sections.at(first_.time, double(k) / strand.segments).radius);
        const double thickest = *std::ranges::max_element(radii);
        Element& curve = add_curve(number++, strand.object, std::move(radii), lengths[i],
                                   colours_.written(strand.object).value_or(colours::kStrand));
        curve.look = thickest < kHairlike * lengths[i] ? looks::kHair : looks::kStem;
    }
    const std::vector<RodShape> rods =
        scene_.rods.empty() ? std::vector<RodShape>{} : sample_rods(scene_);
    for (std::size_t i = 0; i < rods.size(); ++i) {
        const sinew::Rod& rod = scene_.rods[i];
        rod_elements_.push_back(std::uint32_t(display_.elements.size()));
        const auto colour = colours_.written(rod.object);
        Element& curve =
            add_curve(number++, rod.object, std::vector<double>(rod.spans + 1, rod.radius),
                      rods[i].length, colour.value_or(colours::kRope));
        curve.look = colour ? looks::kMatt : looks::kRope;
    }
}

/// A tapered curve through nodes, with its stripe: the number-th of strands and rods.
Element& DisplayMaker::add_curve(std::uint32_t number, ObjectId object, std::vector<double> radii,
                                 double size, const Vec3& colour)
{
    const std::size_t index = display_.elements.size();
    const auto count = std::uint32_t(radii.size());
    const auto first = std::uint32_t(display_.radii.size());
    for (const double radius : radii)
        display_.radii.push_back(
            std::max(radius, std::min(kThinnest * sizes_.unit, kSlender * size)));
    Element& curve = add_points(ElementKind::curve, ElementRole::thing, object, count);
    curve.colour = colour;
    curve.radius = *std::max_element(display_.radii.begin() + first, display_.radii.end());
    curve.radii = first;
    const double stripe_radius = kStripe * curve.radius;
    add_source(DisplaySource::Kind::nodes, first, 0, count);
    if (first_.nodes.size() > kMostStriped)
        return display_.elements[index];
    Element& stripe = add_points(ElementKind::curve, ElementRole::twist, object, count);
    stripe.colour = stripe_colour(colour);
    stripe.radius = stripe_radius;
    add_source(DisplaySource::Kind::stripe, first, number, count);
    return display_.elements[index];
}

/// Axes of segments, of every second or third where there are many.
void DisplayMaker::add_strand_axes()
{
    struct Curve {
        ObjectId object;
        std::uint32_t segments;
    };
    std::vector<Curve> curves;
    for (const StrandCurve& strand : scene_.strands)
        curves.push_back({strand.object, strand.segments});
    for (const sinew::Rod& rod : scene_.rods)
        curves.push_back({rod.object, rod.spans});
    std::size_t count = 0;
    for (const Curve& curve : curves)
        count += curve.segments;
    const auto every = std::uint32_t(count / kMostAxes + 1);
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < curves.size(); ++i) {
        for (std::uint32_t k = 0; k < curves[i].segments; k += every)
            for (std::uint32_t axis = 0; axis < 3; ++axis) {
                Element& line =
                    add_points(ElementKind::curve, ElementRole::frame, curves[i].object, 2);
                line.colour = colours::kAxes[axis];
                line.radius = kAxisRadius * sizes_.unit;
                add_source(DisplaySource::Kind::segment, first + k, 4 * i + 3);
                add_source(DisplaySource::Kind::segment, first + k, 4 * i + axis);
            }
        first += curves[i].segments + 1;
    }
}

} // namespace sinew
