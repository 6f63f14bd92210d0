#include "models/linkage/events/corners.h"

#include "math/functions.h"

namespace sinew {

namespace {

/// The first border between pieces on the way from a to b.
std::optional<double> find_border(double pieces, double a, double b)
{
    const double x = a * pieces, to = b * pieces;
    const double border = b > a ? floor(x + pieces * kBeyondCorner / 2) + 1
                                : ceil(x - pieces * kBeyondCorner / 2) - 1;
    const bool is_inside = border > 0 && border < pieces; // at its ends it goes on straight
    const bool is_passed = b > a ? to > border : to < border;
    return is_inside && is_passed ? std::optional(border / pieces) : std::nullopt;
}

} // namespace

std::optional<Corner> find_corner(const LinkagePlan& plan, std::span<const double> from,
                                  std::span<const double> to)
{
    std::optional<Corner> first;
    double earliest = 2;
    for (const PlannedPath& path : plan.paths) {
        if (path.kind != PathKind::polyline)
            continue; // splines are smooth enough for the error control
        const double a = from[path.column], b = to[path.column];
        const auto border = find_border(path.values.count / 3.0 - 1, a, b);
        if (!border)
            continue;
        const double share = (*border - a) / (b - a);
        if (share < earliest) {
            earliest = share;
            first = Corner{path.column, *border, b > a ? 1.0 : -1.0};
        }
    }
    return first;
}

std::optional<std::uint32_t> find_at_corner(const LinkagePlan& plan, std::span<const double> state)
{
    constexpr double kNear = 1e-6;
    for (const PlannedPath& path : plan.paths) {
        if (path.kind != PathKind::polyline)
            continue;
        const double pieces = path.values.count / 3.0 - 1, x = state[path.column] * pieces;
        const double border = round(x);
        if (border > 0 && border < pieces && abs(x - border) < kNear)
            return path.column;
    }
    return std::nullopt;
}

} // namespace sinew
