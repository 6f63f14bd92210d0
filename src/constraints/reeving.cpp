// A rope round wheels, as it lies at the start.
//
//   in:  the drawn rope, wheels
//   out: points at equal lengths along straight legs and arcs; which way the rope runs round each
//        wheel, by what angle, where on the rope
//
// Drawn points nearer to a wheel than kNear radii are left out: what is drawn there says which side
// of the wheel the rope is on, and nothing else.

#include "constraints/reeving.h"

#include "base/text.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kNear = 1.5;    // radii: drawn points within are left out
constexpr double kFar = 2;       // radii: a rope that is drawn farther away is not on the wheel
constexpr double kCentre = 0.05; // radii: a rope drawn through the middle is on neither side
constexpr double kPi = 3.14159265358979323846;

class Reever {
public:
    Reever(std::span<const Vec3> vertices, std::vector<ReevedWheel>& wheels)
        : vertices_(vertices), wheels_(wheels)
    {
    }

    Reeving run(std::size_t sample_count)
    {
        find_places();
        order_stops();
        for (std::size_t i = 0; i < stops_.size() && made_.fault.empty(); ++i)
            if (stops_[i].wheel >= 0)
                find_sense(i);
        if (!made_.fault.empty())
            return made_;
        lay();
        for (std::size_t k = 0; k <= sample_count && made_.fault.empty(); ++k)
            made_.samples.push_back(point_at(made_.length * double(k) / double(sample_count)));
        return made_;
    }

private:
    /// What the rope passes: a drawn point, or a wheel.
    struct Stop {
        double at = 0; ///< along the drawn rope [m]
        Vec3 point = {0, 0, 0};
        int wheel = -1;
    };
    /// A straight piece, or an arc.
    struct Piece {
        double length = 0;
        Vec3 from = {0, 0, 0}, to = {0, 0, 0}; ///< of an arc: the side it begins at
        int wheel = -1;
    };

    void fault(int wheel, std::string what, std::string hint)
    {
        if (!made_.fault.empty())
            return;
        made_.fault = std::move(what);
        made_.hint = std::move(hint);
        made_.faulty = std::size_t(wheel);
    }

    ReevedWheel& wheel_of(const Stop& stop) { return wheels_[std::size_t(stop.wheel)]; }

    /// Where the drawn rope is nearest to each wheel.
    void find_places()
    {
        at_ = {0};
        for (std::size_t i = 1; i < vertices_.size(); ++i)
            at_.push_back(at_.back() + length(vertices_[i] - vertices_[i - 1]));
        for (std::size_t w = 0; w < wheels_.size(); ++w) {
            const ReevedWheel& wheel = wheels_[w];
            Stop stop{.wheel = int(w)};
            if (wheel.is_drum) {
                stop.at = wheel.is_last ? at_.back() : 0;
                stop.point = wheel.is_last ? vertices_.back() : vertices_.front();
            } else {
                find_nearest(wheel, stop);
            }
            const double off = length(stop.point - wheel.wheel.centre);
            if (!(off <= kFar * wheel.wheel.radius))
                fault(int(w),
                      "the rope is drawn " + number_text(off) +
                          " m from the middle of this wheel, whose radius is " +
                          number_text(wheel.wheel.radius) + " m",
                      "draw it round the wheel, on the side where it is to lie");
            stops_.push_back(stop);
        }
    }

    void find_nearest(const ReevedWheel& wheel, Stop& stop) const
    {
        double least = -1;
        for (std::size_t i = 0; i + 1 < vertices_.size(); ++i) {
            const Vec3 way = vertices_[i + 1] - vertices_[i];
            const double size = at_[i + 1] - at_[i];
            double part =
                size > 0 ? std::clamp(dot(wheel.wheel.centre - vertices_[i], way) / (size * size),
                                      0.0, 1.0)
                         : 0;
            const double wanted = wheel.from * at_.back();
            if (wheel.from >= 0 && !(wanted >= at_[i] && wanted <= at_[i + 1]))
                continue;
            if (wheel.from >= 0)
                part = size > 0 ? (wanted - at_[i]) / size : 0;
            const Vec3 point = vertices_[i] + way * part;
            if (const double off = length(point - wheel.wheel.centre); least < 0 || off < least) {
                least = off;
                stop.at = at_[i] + part * size;
                stop.point = point;
            }
        }
    }

    /// Wheels and drawn points that stay, along the rope.
    void order_stops()
    {
        std::ranges::stable_sort(stops_, {}, &Stop::at);
        const std::vector<Stop> wheels = stops_;
        const bool has_first = !wheels.empty() &&
                               wheels_[std::size_t(wheels.front().wheel)].is_drum &&
                               !wheels_[std::size_t(wheels.front().wheel)].is_last;
        const bool has_last = !wheels.empty() &&
                              wheels_[std::size_t(wheels.back().wheel)].is_drum &&
                              wheels_[std::size_t(wheels.back().wheel)].is_last;
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            const bool is_first = i == 0, is_last = i + 1 == vertices_.size();
            if ((is_first && has_first) || (is_last && has_last))
                continue;
            const auto next =
                std::ranges::find_if(wheels, [&](const Stop& stop) { return stop.at >= at_[i]; });
            const auto is_near = [&](const Stop& stop) {
                const Wheel& wheel = wheels_[std::size_t(stop.wheel)].wheel;
                return length(vertices_[i] - wheel.centre) < kNear * wheel.radius;
            };
            const bool is_left_out = (next != wheels.end() && is_near(*next)) ||
                                     (next != wheels.begin() && is_near(*(next - 1)));
            if (is_first || is_last || !is_left_out)
                stops_.push_back({.at = at_[i], .point = vertices_[i]});
        }
        std::ranges::stable_sort(stops_, {}, &Stop::at);
    }

    Vec3 place_of(const Stop& stop)
    {
        return stop.wheel >= 0 ? wheel_of(stop).wheel.centre : stop.point;
    }

    /// On which side of a wheel the rope is drawn.
    void find_sense(std::size_t i)
    {
        const Stop& stop = stops_[i];
        ReevedWheel& reeved = wheel_of(stop);
        Wheel& wheel = reeved.wheel;
        const Vec3 before = i > 0 ? place_of(stops_[i - 1]) : stop.point,
                   behind = i + 1 < stops_.size() ? place_of(stops_[i + 1]) : stop.point;
        const Vec3 arm = stop.point - wheel.centre;
        double turn = dot(wheel.axis, cross(arm, behind - before));
        if (length(arm - wheel.axis * dot(wheel.axis, arm)) < kCentre * wheel.radius)
            turn = reeved.is_drum
                       ? 0
                       : dot(wheel.axis, cross(stop.point - before, behind - stop.point));
        const double scale = wheel.radius * length(behind - before);
        if (!(abs(turn) > 1e-9 * scale))
            return fault(stop.wheel, "the rope is drawn through the middle of this wheel",
                         reeved.is_drum
                             ? "let it begin at the side where it leaves the drum"
                             : "draw it round the wheel, on the side where it is to lie");
        wheel.sense = turn > 0 ? 1 : -1;
    }

    /// Pieces from stop to stop.
    void lay()
    {
        std::vector<Vec3> arriving(stops_.size()), leaving(stops_.size());
        for (std::size_t i = 0; i + 1 < stops_.size(); ++i) {
            const Stop &a = stops_[i], &b = stops_[i + 1];
            if (a.wheel >= 0 && b.wheel >= 0) {
                const WheelLeg leg = find_leg(wheel_of(a).wheel, wheel_of(b).wheel);
                leaving[i] = leg.from;
                arriving[i + 1] = leg.to;
            } else if (b.wheel >= 0) {
                arriving[i + 1] = wheel_of(b).wheel.arrival_from(a.point);
            } else if (a.wheel >= 0) {
                leaving[i] = wheel_of(a).wheel.departure_to(b.point);
            }
        }
        const auto edge = [&](std::size_t i, const Vec3& side) {
            return stops_[i].wheel < 0
                       ? stops_[i].point
                       : wheel_of(stops_[i]).wheel.centre + side * wheel_of(stops_[i]).wheel.radius;
        };
        for (std::size_t i = 0; i < stops_.size(); ++i) {
            if (stops_[i].wheel >= 0)
                wind(stops_[i], arriving[i], leaving[i]);
            if (i + 1 == stops_.size())
                break;
            const Vec3 from = edge(i, leaving[i]), to = edge(i + 1, arriving[i + 1]);
            pieces_.push_back({.length = length(to - from), .from = from, .to = to});
            made_.length += pieces_.back().length;
        }
        for (ReevedWheel& wheel : wheels_)
            wheel.middle /= made_.length;
    }

    void wind(const Stop& stop, const Vec3& arriving, const Vec3& leaving)
    {
        ReevedWheel& reeved = wheel_of(stop);
        const Wheel& wheel = reeved.wheel;
        Vec3 side = arriving;
        double angle = reeved.stored / wheel.radius;
        if (reeved.is_drum && !reeved.is_last)
            side = wheel.turned(leaving, -angle);
        if (!reeved.is_drum) {
            angle = wheel.angle_between(arriving, leaving);
            angle += (angle < -kPi / 2 ? 2 * kPi : 0) + 2 * kPi * reeved.turns;
            if (!(angle > 0))
                return fault(stop.wheel, "the rope does not touch this wheel",
                             "draw it round the wheel, on the side where it is to lie");
        }
        reeved.wrap = reeved.is_drum ? 0 : angle;
        const double on = angle * wheel.radius;
        reeved.middle = made_.length + (!reeved.is_drum ? on / 2 : reeved.is_last ? 0 : on);
        pieces_.push_back({.length = on, .from = side, .wheel = stop.wheel});
        made_.length += on;
    }

    Vec3 point_at(double s) const
    {
        double before = 0;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const Piece& piece = pieces_[i];
            if (s > before + piece.length && i + 1 < pieces_.size()) {
                before += piece.length;
                continue;
            }
            const double part = min(s - before, piece.length);
            if (piece.wheel < 0)
                return piece.length > 0
                           ? piece.from + (piece.to - piece.from) * (part / piece.length)
                           : piece.from;
            const Wheel& wheel = wheels_[std::size_t(piece.wheel)].wheel;
            return wheel.centre + wheel.turned(piece.from, part / wheel.radius) * wheel.radius;
        }
        return vertices_.front();
    }

    std::span<const Vec3> vertices_;
    std::vector<ReevedWheel>& wheels_;
    std::vector<double> at_; ///< of the vertices, along the drawn rope [m]
    std::vector<Stop> stops_;
    std::vector<Piece> pieces_;
    Reeving made_;
};

} // namespace

Reeving reeve(std::span<const Vec3> vertices, std::size_t sample_count,
              std::vector<ReevedWheel>& wheels)
{
    return Reever(vertices, wheels).run(sample_count);
}

} // namespace sinew
