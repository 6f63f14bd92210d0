#include "constraints/rod_links.h"

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "math/so3.h"
#include "math/spline.h"

#include <algorithm>

namespace sinew {

namespace {

using Kind = Attachment::Kind;

constexpr double kNearEnd = 0.1; // of a rod: nearer, its end may stop what slides

/// Turns x to y: axes of rows lie along x, those of rods along y.
const Quat& along_rod()
{
    static const Quat turn = rotation_quat(Mat3{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
    return turn;
}

Quat frame_along(const Vec3& x)
{
    const std::array<Vec3, 2> across = make_tangents(x);
    return rotation_quat(Mat3{x, across[0], across[1]});
}

bool has_low_stop(const RodConstraint& c) { return c.end != RodEnd::leave || c.low > 0; }
bool has_high_stop(const RodConstraint& c) { return c.end != RodEnd::leave || c.high < 1; }

class RowMaker {
public:
    RowMaker(const RodLinkInput& input, std::vector<Attachment>& attachments)
        : in_(input), out_(attachments)
    {
    }

    void run()
    {
        switch (in_.constraint.kind) {
        case RodConstraintKind::position: add(Kind::tie); return;
        case RodConstraintKind::orientation: return align(add(Kind::align));
        case RodConstraintKind::plane: return level();
        case RodConstraintKind::axis:
            add(Kind::on_axis).axes_b = frame_along(in_.direction);
            return;
        case RodConstraintKind::circle: level(); return distance();
        case RodConstraintKind::trajectory: {
            Attachment& made = add(Kind::on_curve);
            made.curve = &in_.link.curve;
            made.last = in_.state.u;
            made.point_b = {0, 0, 0};
            made.ground = {};
            return;
        }
        case RodConstraintKind::distance: return distance();
        case RodConstraintKind::fusion: return fusion();
        case RodConstraintKind::keyhole:
        case RodConstraintKind::pulley:
        case RodConstraintKind::winch:
        case RodConstraintKind::pearl: return thread();
        case RodConstraintKind::spring: return spring();
        }
    }

private:
    Attachment& add(Kind kind)
    {
        Attachment& made = out_.emplace_back();
        made.key = in_.key.after(part_++);
        made.kind = kind;
        made.a = in_.link.a.site;
        made.point_a = in_.link.a.in_site.translation;
        made.axes_a = in_.link.a.in_site.rotation;
        made.b = in_.link.b.site;
        made.point_b = in_.link.b.in_site.translation;
        made.axes_b = in_.link.b.in_site.rotation;
        if (made.a.block == kGround) { // the ground is always b
            std::swap(made.a, made.b);
            std::swap(made.point_a, made.point_b);
            std::swap(made.axes_a, made.axes_b);
        }
        if (made.b.block == kGround)
            stand_on_ground(made);
        return made;
    }

    void stand_on_ground(Attachment& made) const
    {
        made.point_b = in_.place.then;
        made.axes_b = in_.place.then_turn;
        made.ground = ground_of(in_);
    }

    void align(Attachment& made) const
    {
        made.axes_a = made.axes_a * along_rod();
        made.axes_b = made.b.block == kGround && !in_.constraint.b.is_valid()
                          ? frame_along(in_.direction)
                          : made.axes_b * frame_along(in_.constraint.direction);
    }

    void level()
    {
        Attachment& made = add(Kind::level);
        made.normal = in_.direction;
        made.keeps_direction = true;
        made.is_one_sided = in_.constraint.is_at_least;
    }

    void distance()
    {
        const RodConstraint& c = in_.constraint;
        const bool is_limit =
            c.kind == RodConstraintKind::distance && (c.is_at_most || c.is_at_least);
        if (in_.way)
            return meet(*in_.way);
        Attachment& made = add(is_limit ? Kind::limit : Kind::distance);
        made.length = is_limit ? in_.distance : abs(in_.distance);
        made.coordinate = Attachment::Coordinate::distance;
        made.side = c.is_at_most ? -1 : 1;
        if (!is_limit)
            made.speed = (abs(in_.distance) - abs(in_.distance_now)) / (in_.end - in_.begin);
    }

    /// A distance near zero has no direction of its own: the two come together, and apart again,
    /// on a straight line.
    void meet(const Vec3& way)
    {
        Attachment& made = add(Kind::tie);
        const bool is_turned = made.a.block != in_.link.a.site.block;
        made.normal = is_turned ? -way : way;
        made.speed = (in_.distance - in_.distance_now) / (in_.end - in_.begin);
        const Vec3 offset = made.normal * in_.distance;
        made.point_b += made.b.block == kGround ? offset : rotate(conjugate(in_.turn_b), offset);
    }

    void fusion()
    {
        if (in_.constraint.tangent == RodTangent::fixed && !in_.link.is_hinge) {
            Attachment& made = add(Kind::fixed);
            made.axes_b = made.axes_b * in_.link.turn;
            return;
        }
        add(Kind::tie);
        if (in_.constraint.tangent != RodTangent::along && !in_.constraint.angle)
            return;
        Attachment& made = add(in_.constraint.angle ? Kind::angle : Kind::align);
        made.length = in_.constraint.angle.value_or(0);
        made.axes_a = made.axes_a * along_rod();
        made.axes_b = made.axes_b * along_rod();
    }

    void spring()
    {
        if (!(in_.stiffness > 0 || in_.damping > 0))
            return;
        Attachment& made = add(Kind::pull);
        made.length = in_.distance;
        made.stiffness = in_.stiffness;
        made.damping = in_.damping;
    }

    void thread()
    {
        const RodConstraint& c = in_.constraint;
        if (in_.is_closing) {
            part_ = kClosingKey;
            add(Kind::tie).a.u = in_.state.u;
            return;
        }
        if (is_clamped(c, in_.state)) {
            part_ = kClosingKey;
            add(Kind::tie).a.u = in_.state.u <= c.low ? c.low : c.high;
            return;
        }
        if (!in_.link.is_eye)
            slide();
        if (c.slide)
            return;
        part_ = 4; // the same key whether others are there or not
        if (has_low_stop(c) && in_.state.u < c.low + kNearEnd)
            stop(c.low, 1);
        part_ = 5;
        if (has_high_stop(c) && in_.state.u > c.high - kNearEnd)
            stop(c.high, -1);
    }

    void slide()
    {
        const RodConstraint& c = in_.constraint;
        const auto slider = [&](Kind kind) -> Attachment& {
            Attachment& made = add(kind);
            made.a.u = in_.state.u;
            return made;
        };
        slider(Kind::thread).friction = c.slide ? 0 : c.friction;
        if (c.viscous > 0 && !c.slide)
            slider(Kind::rub).damping = c.viscous;
        if (c.slide)
            slider(Kind::feed).speed = speed_to_stops(in_);
        if (c.is_oriented)
            align(slider(Kind::threaded_align));
    }

    void stop(double u, double side)
    {
        Attachment& made = add(Kind::stop);
        made.a.u = u;
        made.side = side;
    }

    const RodLinkInput& in_;
    std::vector<Attachment>& out_;
    std::uint64_t part_ = 0;
};

} // namespace

GroundMotion ground_of(const RodLinkInput& input)
{
    const double h = input.end - input.begin;
    const HeldPlace& place = input.place;
    const Vec3 way = place.then - place.now;
    const Vec3 turn = log_quat(place.then_turn * conjugate(place.now_turn));
    const HeldRates rates = place.rates.value_or(HeldRates{way / h, way / h, turn / h, turn / h});
    return {.place = CubicWay::between(way, rates.now, rates.then, h),
            .turn = CubicWay::between(turn, rates.now_spin, rates.then_spin, h),
            .about = place.then,
            .at = input.end};
}

double speed_to_stops(const RodLinkInput& input)
{
    const RodConstraint& c = input.constraint;
    const double per_u = input.length_per_u / (input.end - input.begin);
    double speed = input.slide;
    if (has_low_stop(c))
        speed = min(speed, (input.state.u - c.low) * per_u);
    if (has_high_stop(c))
        speed = max(speed, (input.state.u - c.high) * per_u);
    return speed;
}

void add_rod_rows(const RodLinkInput& input, std::vector<Attachment>& attachments)
{
    RowMaker(input, attachments).run();
}

bool is_finite_curve(const GuideCurve& guide)
{
    return std::ranges::all_of(guide.points, [](const Vec3& point) { return is_finite(point); });
}

const char* find_not_finite(const RodLinkInput& in, const RodInstant& end)
{
    const HeldPlace& place = in.place;
    const bool is_placed = is_finite(place.now) && is_finite(place.then) &&
                           is_finite(place.now_turn) && is_finite(place.then_turn);
    bool is_curve = is_finite_curve(in.link.curve); // as the step begins
    for (std::uint32_t k = 0; k < in.link.curve.points.size(); ++k)
        is_curve = is_curve && is_finite(end.point(end.scene.paths[in.constraint.path.index], k));
    return !is_placed                                               ? "position"
           : !is_curve                                              ? "curve"
           : !is_finite(in.direction)                               ? "direction"
           : !is_finite(in.distance) || !is_finite(in.distance_now) ? "length"
           : !is_finite(in.stiffness)                               ? "stiffness"
           : !is_finite(in.damping)                                 ? "damping"
           : !is_finite(in.slide)                                   ? "'slide'"
                                                                    : nullptr;
}

double find_parameter(const GuideCurve& guide, const Vec3& x)
{
    constexpr int kTried = 400;
    double best = 0, least = -1;
    for (int k = 0; k <= kTried; ++k) {
        const double u = double(k) / kTried;
        const Vec3 way = point_on(guide, u).point - x;
        if (const double square = dot(way, way); least < 0 || square < least) {
            least = square;
            best = u;
        }
    }
    return nearest_parameter(guide, x, best);
}

} // namespace sinew
