// Where hairs are in a frame: between their guides, gathered, frizzy, out of obstacles.

#include "display/hair_obstacles.h"
#include "display/scatter.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

/// Directions across each point of a guide that turn with it.
struct Sides {
    std::vector<Vec3> x, z;
};

Sides make_sides(const Display& display, const DisplayFrame& frame, std::uint32_t number)
{
    const Element& guide = display.elements[number];
    const bool is_striped = number + 1 < display.elements.size() &&
                            display.elements[number + 1].role == ElementRole::twist;
    const Vec3* points = frame.points.data() + guide.first;
    Sides sides;
    Vec3 side = {1, 0, 0};
    for (std::uint32_t k = 0; k < guide.count; ++k) {
        const Vec3 step = points[std::min(k + 1, guide.count - 1)] - points[k > 0 ? k - 1 : 0];
        const double size = length(step);
        const Vec3 y = size > 0 ? step / size : Vec3{0, 1, 0};
        Vec3 x =
            is_striped ? frame.points[display.elements[number + 1].first + k] - points[k] : side;
        x -= y * dot(x, y);
        if (!(length(x) > 1e-12))
            x = cross(y, std::abs(y.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{0, 1, 0});
        side = normalised(x);
        sides.x.push_back(side);
        sides.z.push_back(cross(side, y));
    }
    return sides;
}

/// Smooth noise of one number, −1 to 1.
double wave(std::uint32_t seed, double s)
{
    const double at = floor(s), t = s - at, u = t * t * (3 - 2 * t);
    const auto knot = [&](double k) {
        return 2 * Scatter(seed + std::uint32_t(std::int64_t(k)) * 2654435761u)() - 1;
    };
    return knot(at) + (knot(at + 1) - knot(at)) * u;
}

/// Places the hairs of one group.
class Groomer {
public:
    Groomer(const Display& display, const DisplayFrame& frame, const HairObstacles& obstacles,
            HairCurves& out)
        : display_(display), frame_(frame), obstacles_(obstacles), out_(out),
          sides_(display.elements.size())
    {
    }

    void add(const HairGroup& group, std::uint32_t number)
    {
        for (const Hair& hair : group.hairs) {
            const std::uint32_t count = display_.elements[hair.guides[0]].count;
            for (std::uint32_t k = 0; k < count; ++k)
                add_point(group, hair, double(k) / (count - 1));
            out_.starts.push_back(std::uint32_t(out_.points.size()));
            out_.groups.push_back(number);
        }
    }

private:
    Vec3 on_guide(std::uint32_t guide, double s) const
    {
        const Element& element = display_.elements[guide];
        const double at = s * (element.count - 1);
        const auto k = std::min(std::uint32_t(at), element.count - 2);
        const Vec3 a = frame_.points[element.first + k], b = frame_.points[element.first + k + 1];
        return a + (b - a) * (at - k);
    }

    void add_point(const HairGroup& group, const Hair& hair, double part)
    {
        const Children& how = group.how;
        const double s = part * hair.length;
        const Vec3 own = on_guide(hair.guides[0], s);
        Vec3 x = own * double(hair.weights[0]);
        for (std::size_t k = 1; k < 3; ++k)
            if (hair.weights[k] > 0)
                x += on_guide(hair.guides[k], s) * double(hair.weights[k]);
        const double gathered = how.clump * s * (2 - s);
        x += (own - x) * gathered;
        const double stray = how.frizz * group.spacing * s;
        const double across = hair.spread_x * (1 - gathered) + stray * wave(hair.seed, 7 * s);
        const double behind = hair.spread_z * (1 - gathered) + stray * wave(~hair.seed, 7 * s);
        if (across != 0 || behind != 0) {
            const Sides& sides = sides_of(hair.guides[0]);
            const auto k = std::size_t(s * double(sides.x.size() - 1));
            x += sides.x[k] * across + sides.z[k] * behind;
        }
        const double radius = group.radius * (1 - how.taper * part * part);
        out_.points.push_back(obstacles_.moved_out(x, group.radius));
        out_.radii.push_back(float(radius));
    }

    const Sides& sides_of(std::uint32_t guide)
    {
        if (sides_[guide].x.empty())
            sides_[guide] = make_sides(display_, frame_, guide);
        return sides_[guide];
    }

    const Display& display_;
    const DisplayFrame& frame_;
    const HairObstacles& obstacles_;
    HairCurves& out_;
    std::vector<Sides> sides_;
};

} // namespace

void place_hairs(const Display& display, const DisplayFrame& frame, HairCurves& out)
{
    out.points.clear();
    out.radii.clear();
    out.groups.clear();
    out.starts.assign(1, 0);
    const HairObstacles obstacles(display, frame);
    Groomer groomer(display, frame, obstacles, out);
    for (std::uint32_t i = 0; i < display.hair_groups.size(); ++i)
        groomer.add(display.hair_groups[i], i);
}

} // namespace sinew
