#include "constraints/coordinate_rows.h"

#include "constraints/models.h"

#include <cmath>

namespace sinew {

namespace {

/// By linkage: whether a row holds it.
std::vector<char> find_held(std::size_t count, std::span<const Attachment> found)
{
    std::vector<char> is_held(count);
    const auto mark = [&](const Site& site) {
        if (site.block.model == kLinkages)
            is_held[site.block.index] = 1;
    };
    for (const Attachment& made : found) {
        mark(made.a);
        mark(made.b);
        if (is_eye(made))
            for (const EyePass& pass : made.path->passes)
                mark(pass.site);
    }
    return is_held;
}

/// The coordinate stays on one side of a bound: above it for a side of 1, below for −1.
Attachment make_stop(const CoordinateStop& stop, double side)
{
    Attachment made;
    made.kind = Attachment::Kind::plane;
    made.a = stop.site;
    made.normal = {side, 0, 0};
    made.point_b = {side > 0 ? stop.low : stop.high, 0, 0};
    made.restitution = stop.bounce;
    return made;
}

} // namespace

CoordinateRows::CoordinateRows(const LinkageModel& linkages)
    : linkages_(&linkages), stops_(linkages.stops(kLinkages)), grips_(linkages.grips(kLinkages))
{
}

void CoordinateRows::add_attachments(std::span<const Trial> trials, double t0, double /*t1*/,
                                     std::vector<Attachment>& found) const noexcept
{
    const std::vector<char> is_held = find_held(linkages_->blocks().size(), found);
    for (std::size_t i = 0; i < stops_.size(); ++i)
        for (const double side : {1.0, -1.0}) {
            const double bound = side > 0 ? stops_[i].low : stops_[i].high;
            if (!is_held[stops_[i].site.block.index] || !std::isfinite(bound))
                continue;
            found.push_back(make_stop(stops_[i], side));
            found.back().key = {KeySource::linkage_stop, 2 * i + (side < 0)};
        }
    for (std::size_t i = 0; i < grips_.size(); ++i) {
        if (!is_held[grips_[i].site.block.index])
            continue;
        const double most = linkages_->most_of(grips_[i], t0, trials[kLinkages]);
        if (!(most > 0))
            continue;
        Attachment& made = found.emplace_back();
        made.kind = Attachment::Kind::motor;
        made.key = {KeySource::linkage_friction, i};
        made.a = grips_[i].site;
        made.coordinate = Attachment::Coordinate::way;
        made.most = most;
    }
}

} // namespace sinew
