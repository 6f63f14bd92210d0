#include "islands/rows/row_geometry.h"

#include "islands/rows/pair_rows.h"

#include "math/functions.h"
#include "math/so3.h"
#include "math/spline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

std::array<Vec3, 2> make_tangents(const Vec3& n)
{
    const Vec3 size = {std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    const Vec3 away = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                      : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                           : Vec3{0, 0, 1};
    const Vec3 first = normalised(cross(n, away));
    return {first, cross(n, first)};
}

CurvePoint point_on(const GuideCurve& guide, double u)
{
    switch (guide.kind) {
    case PathKind::spline: return evaluate_bspline(guide.points, u);
    case PathKind::spline_through: return evaluate_through(guide.points, guide.moments, u);
    case PathKind::closed_spline: return evaluate_closed(guide.points, guide.moments, u);
    default: return evaluate_polyline(guide.points, u);
    }
}

double nearest_parameter(const GuideCurve& guide, const Vec3& x, double u)
{
    constexpr int kMost = 30;
    for (int i = 0; i < kMost; ++i) {
        const CurvePoint c = point_on(guide, u);
        const double square = dot(c.first, c.first);
        if (!(square > 0))
            break;
        const double bend = square - dot(x - c.point, c.second);
        const double step = dot(x - c.point, c.first) / (bend > 0.1 * square ? bend : square);
        u += std::clamp(step, -0.1, 0.1);
        if (std::abs(step) < 1e-14)
            break;
    }
    return u;
}

namespace {

using Kind = Attachment::Kind;

constexpr double kPi = 3.14159265358979323846;

struct Laws {
    std::uint8_t count = 0;
    std::array<Law, 6> law = {};
};

/// Friction rows of a contact.
int tangent_count(const Attachment& attachment)
{
    return attachment.friction <= 0 ? 0 : attachment.has_one_tangent ? 1 : 2;
}

/// The number of equal rows of an attachment that has no others; else 0.
int equal_count(Kind kind)
{
    switch (kind) {
    case Kind::distance:
    case Kind::turn:
    case Kind::angle:
    case Kind::feed:
    case Kind::eye_feed: return 1;
    case Kind::align:
    case Kind::threaded_align:
    case Kind::on_axis:
    case Kind::on_curve: return 2;
    case Kind::tie:
    case Kind::eye_carry: return 3;
    case Kind::hinge:
    case Kind::slider: return 5;
    case Kind::fixed: return 6;
    default: return 0;
    }
}

Laws repeated(int count, Law law)
{
    Laws laws = {std::uint8_t(count), {}};
    std::fill_n(laws.law.begin(), count, law);
    return laws;
}

Laws laws_of(const Attachment& attachment)
{
    if (const int count = equal_count(attachment.kind); count > 0)
        return repeated(count, Law::equal);
    if (attachment.kind == Kind::pair)
        return repeated(int(pair_of(attachment).equal_count()), Law::equal);
    switch (attachment.kind) {
    case Kind::spring: return repeated(3, Law::box);
    case Kind::pull:
    case Kind::motor:
    case Kind::rub:
    case Kind::eye:
    case Kind::eye_rub: return repeated(1, Law::box);
    case Kind::limit:
    case Kind::stop: return repeated(1, Law::push);
    case Kind::level: return repeated(1, attachment.is_one_sided ? Law::push : Law::equal);
    case Kind::thread:
        return {std::uint8_t(attachment.friction > 0 ? 3 : 2),
                {Law::equal, Law::equal, Law::slide}};
    default: break; // planes and contacts
    }
    Laws laws = {1, {Law::push}};
    for (int i = tangent_count(attachment); i > 0; --i)
        laws.law[laws.count++] = Law::disc;
    for (int i = attachment.rolling > 0 ? 2 : 0; i > 0; --i)
        laws.law[laws.count++] = Law::roll;
    return laws;
}

/// The row along `axis` at `place`: a is pushed along it, b against it.
void set_direction(const RowGroup& group, int row, const Vec3& axis, const Vec3& place_a,
                   const Vec3& place_b, std::span<const SiteMotion> motion, RowSet& rows)
{
    const Vec3 arm_a = place_a - motion[group.first_side].pose.translation;
    const Vec3 arm_b = place_b - motion[group.first_side + 1].pose.translation;
    rows.direction[group.first_direction + row] = force_at(axis, arm_a);
    rows.direction[group.first_direction + group.row_count + row] = force_at(-axis, arm_b);
}

/// The row about `axis`: a is turned about it, b against it.
void set_turn(const RowGroup& group, int row, const Vec3& axis, RowSet& rows)
{
    rows.direction[group.first_direction + row] = {axis, {0, 0, 0}};
    rows.direction[group.first_direction + group.row_count + row] = {-axis, {0, 0, 0}};
}

/// A group, its attachment, where its sides are, what is written: all that contacts need, of which
/// there are many.
struct Sides {
    const Attachment& attachment;
    const RowGroup& group;
    std::span<const SiteMotion> motion;
    RowSet& rows;
    const Pose& X_WA = motion[group.first_side].pose;
    const Pose& X_WB = motion[group.first_side + 1].pose;

    void line(int row, const Vec3& axis, const Vec3& at_a, const Vec3& at_b, double gap) const
    {
        set_direction(group, row, axis, at_a, at_b, motion, rows);
        rows.gap[group.first_row + row] = gap;
    }
    void contact() const;
    /// Friction along the tangents of n, rolling resistance about them.
    void friction(const Vec3& n, const Vec3& at_a, const Vec3& at_b) const;
};

/// The same with the points and axes of the sides.
struct Laying : Sides {
    Vec3 a = apply_to_point(X_WA, attachment.point_a);
    Vec3 b = apply_to_point(X_WB, attachment.point_b);
    Quat q_a = X_WA.rotation * attachment.axes_a, q_b = X_WB.rotation * attachment.axes_b;
    Lean lean = {};
    const EyeLegs* legs = nullptr; ///< of a span that runs through eyes; large

    Vec3 axis_b(int i) const { return rotate(q_b, unit(i)); }
    static Vec3 unit(int i) { return {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0}; }

    void turn(int row, const Vec3& axis, double gap) const
    {
        set_turn(group, row, axis, rows);
        rows.gap[group.first_row + row] = gap;
    }

    void tie() const
    {
        for (int i = 0; i < 3; ++i)
            line(i, unit(i), a, b, a[i] - b[i]);
    }
    /// The rotation vector from b's x axis, which leans, to a's.
    void parallel_axes(int first) const
    {
        const bool leans = lean.y != 0 || lean.z != 0;
        const Quat q = leans ? q_b * exp_quat(Vec3{0, lean.y, lean.z}) : q_b;
        const Vec3 wanted = rotate(q, unit(0)), is = rotate(q_a, unit(0)), off = cross(wanted, is);
        const double sine = length(off), cosine = dot(wanted, is);
        const bool is_opposite = sine < 1e-12 && cosine < 0;
        const double stretch = sine > 0 ? atan2(sine, cosine) / sine : 1;
        for (int i = 0; i < 2; ++i) {
            const Vec3 axis = rotate(q, unit(1 + i));
            turn(first + i, axis, is_opposite ? (i == 0 ? kPi : 0) : stretch * dot(off, axis));
        }
    }
    /// The tangent turns also by what slides past, u̇ = t · (v_b − v_a) / |x′|: on a bent rod the
    /// hole pushes along it too.
    void threaded_align() const
    {
        const SiteMotion& site = motion[group.first_side];
        const Vec3 t = tangent_a(), arm_a = a - X_WA.translation, arm_b = b - X_WB.translation;
        const double size = length(site.tangent);
        parallel_axes(0);
        for (int i = 0; i < 2 && size > 0; ++i) {
            const Vec3 push = t * (dot(cross(axis_b(0), site.bend), axis_b(1 + i)) / size);
            Wrench* unit = &rows.direction[group.first_direction + i];
            unit[0] += force_at(-push, arm_a);
            unit[group.row_count] += force_at(push, arm_b);
        }
    }
    void parallel_frames(int first) const
    {
        const Vec3 off = log_quat(q_a * conjugate(q_b));
        for (int i = 0; i < 3; ++i)
            turn(first + i, unit(i), off[i]);
    }
    void on_axis() const
    {
        for (int i = 0; i < 2; ++i)
            line(i, axis_b(1 + i), a, a, dot(a - b, axis_b(1 + i)));
    }
    void apart() const
    {
        const double d = length(a - b);
        line(0, d > 0 ? (a - b) / d : unit(0), a, b, d - attachment.length);
    }
    void level() const
    {
        const bool keeps = attachment.keeps_direction;
        const Vec3 n = keeps ? attachment.normal : apply_to_direction(X_WB, attachment.normal);
        line(0, n, a, keeps ? b : a, dot(n, a - b));
    }
    Vec3 tangent_a() const
    {
        const Vec3& along = motion[group.first_side].tangent;
        const double size = length(along);
        return size > 0 ? along / size : unit(0);
    }
    void thread() const
    {
        const Vec3 t = tangent_a();
        const std::array<Vec3, 2> across = make_tangents(t);
        for (int i = 0; i < 2; ++i)
            line(i, across[std::size_t(i)], a, b, dot(a - b, across[std::size_t(i)]));
        if (group.row_count > 2)
            line(2, t, a, b, 0);
    }
    /// Along the rod: what is left of the way is the slider's, so there is no gap.
    void along_rod() const { line(0, tangent_a(), a, b, 0); }
    void stop() const
    {
        const Vec3 t = tangent_a() * attachment.side;
        line(0, -t, a, b, dot(t, b - a));
    }
    void angle() const
    {
        const Vec3 x_a = rotate(q_a, unit(0)), x_b = axis_b(0), n = cross(x_b, x_a);
        constexpr double kParallel = 1e-9; // below, n is rounding
        const double sine = length(n);
        turn(0, sine > kParallel ? n / sine : make_tangents(x_b)[0],
             atan2(sine, dot(x_a, x_b)) - attachment.length);
    }
    /// Of a's frame against b's about x, continued from the last.
    double turn_about_x() const
    {
        constexpr double kTurn = 6.283185307179586;
        const Quat between = conjugate(q_b) * q_a;
        const double q = 2 * atan2(between.x, between.w);
        return q + kTurn * round((attachment.last - q) / kTurn);
    }
    /// Rows push a as a joint pushes its second body.
    void pair() const
    {
        std::array<PairRow, kMostPairRows> pairs;
        const std::size_t count =
            lay_pair(pair_of(attachment), {b, a, q_b, q_a}, attachment.last, pairs);
        for (std::size_t i = 0; i < count; ++i) {
            const PairRow& row = pairs[i];
            line(int(i), row.l, row.at, row.at, row.error);
            Wrench* unit = &rows.direction[group.first_direction + i];
            unit[0] += Wrench{row.twist_b, {0, 0, 0}};
            unit[group.row_count] += Wrench{-row.twist_a, {0, 0, 0}};
        }
    }
    void on_curve() const;
    void eye() const;
    void eye_slide() const;
    void eye_carry() const;
    /// The direction of a row at an end of a rope that runs through eyes, where it arrives at one
    /// of these, and where it leaves it.
    void set_end(std::size_t end, const Vec3& force, std::uint32_t row = 0) const
    {
        rows.direction[group.first_direction + end * group.row_count + row] =
            force_at(force, {0, 0, 0});
    }
    void set_eye(std::size_t eye, const Vec3& arriving, const Vec3& leaving,
                 std::uint32_t row = 0) const
    {
        const Vec3& origin = motion[group.first_side + 2 + eye].pose.translation;
        Wrench& wrench = rows.direction[group.first_direction + (2 + eye) * group.row_count + row];
        wrench = force_at(arriving, legs->arrive[eye] - origin);
        const Wrench other = force_at(leaving, legs->leave[eye] - origin);
        wrench = {wrench.torque + other.torque, wrench.force + other.force};
    }
    void limit() const;
    void motor() const;
    void plane() const;
};

void Sides::friction(const Vec3& n, const Vec3& at_a, const Vec3& at_b) const
{
    if (group.row_count == 1)
        return;
    if (tangent_count(attachment) == 1)
        return set_direction(group, 1, attachment.tangent, at_a, at_b, motion, rows);
    const std::array<Vec3, 2> tangents = make_tangents(n);
    int row = 1;
    for (int i = 0; i < 2 && tangent_count(attachment) > 0; ++i)
        set_direction(group, row++, tangents[std::size_t(i)], at_a, at_b, motion, rows);
    for (int i = 0; i < 2 && attachment.rolling > 0; ++i)
        set_turn(group, row++, tangents[std::size_t(i)], rows);
}

/// Tension λ pulls the ends of the rope towards their eyes, and eyes into the corner.
///                                                                       [notes: rods, eq. 10]
void Laying::eye() const
{
    const std::size_t count = attachment.path->passes.size();
    set_end(0, legs->unit[0]);
    set_end(1, -legs->unit[count]);
    for (std::size_t i = 0; i < count; ++i)
        set_eye(i, -legs->unit[i], legs->unit[i + 1]);
    rows.gap[group.first_row] = attachment.path->length + lean.fed - legs->total();
}

/// What slides through an eye: half of what the path before it grows by, less that behind it.
///                                                                       [notes: rods, eq. 11]
void Laying::eye_slide() const
{
    const std::size_t count = attachment.path->passes.size(), own = attachment.pass;
    set_end(0, legs->unit[0] * -0.5);
    set_end(1, legs->unit[count] * -0.5);
    for (std::size_t i = 0; i < count; ++i)
        set_eye(i, legs->unit[i] * (i <= own ? 0.5 : -0.5),
                legs->unit[i + 1] * (i >= own ? 0.5 : -0.5));
    rows.gap[group.first_row] = 0;
}

/// A node on a wheel goes with the rope along it, and with the wheel across it.
///                                                                       [notes: rods, eq. 14]
void Laying::eye_carry() const
{
    const EyePath& path = *attachment.path;
    const std::size_t count = path.passes.size(), own = attachment.pass;
    const double share = attachment.length;
    PathPlace at = place_on(path, *legs, share * legs->total());
    Vec3 n = legs->wheel[own].axis;
    if (path.passes[own].radius == 0) {
        // At a hole it goes on along the leg that it was on: there the rope may turn by any angle.
        at.tangent = legs->unit[own + (attachment.side > 0 ? 1 : 0)];
        n = make_tangents(at.tangent)[0];
    }
    const Vec3 axes[3] = {at.tangent, n, cross(at.tangent, n)};
    for (std::uint32_t row = 0; row < 3; ++row) {
        const std::size_t first = group.first_direction + row;
        for (std::size_t side = 0; side < 2 + count; ++side)
            rows.direction[first + side * group.row_count] = {};
        rows.direction[first + (2 + count) * group.row_count] = force_at(axes[row], {0, 0, 0});
        rows.gap[group.first_row + row] = 0;
    }
    const auto surface = [&](std::uint32_t row) {
        const Vec3& origin = motion[group.first_side + 2 + own].pose.translation;
        Wrench& wrench = rows.direction[group.first_direction + (2 + own) * group.row_count + row];
        const Wrench taken = force_at(-axes[row], at.point - origin);
        wrench = {wrench.torque + taken.torque, wrench.force + taken.force};
    };
    set_end(0, legs->unit[0] * (share - 1));
    set_end(1, legs->unit[count] * -share);
    for (std::size_t i = 0; i < count; ++i)
        set_eye(i, legs->unit[i] * (i <= own ? 1 - share : -share),
                legs->unit[i + 1] * (i >= own ? share : share - 1));
    for (std::uint32_t row = 0; row < 3; ++row)
        surface(row);
}

void Laying::limit() const
{
    const double side = attachment.side, bound = attachment.length;
    if (attachment.coordinate == Attachment::Coordinate::turn)
        return turn(0, axis_b(0) * side, side * (turn_about_x() - bound));
    if (attachment.coordinate == Attachment::Coordinate::way)
        return line(0, axis_b(0) * side, a, a, side * (dot(a - b, axis_b(0)) - bound));
    const double d = length(a - b);
    line(0, (d > 0 ? (a - b) / d : unit(0)) * side, a, b, side * (d - bound));
}

void Laying::motor() const
{
    if (attachment.coordinate == Attachment::Coordinate::turn)
        turn(0, axis_b(0), 0);
    else
        line(0, axis_b(0), a, a, 0);
}

namespace {

/// The rotation vector from q₀ to q. In a step things turn little: there the logarithm is a short
/// series, and the arc of log_quat(), which is computed beside it, is not needed.
Vec3 turn_since(const Quat& q, const Quat& q0)
{
    const Quat by = q * conjugate(q0);
    const double x = dot(by.vector(), by.vector()) / (by.w * by.w);
    if (!(x < 1e-6))
        return log_quat(by);
    return by.vector() * (2 * (1 - x * (1. / 3 - x * (1. / 5 - x / 7))) / by.w);
}

} // namespace

/// Arms and normal as they were when the step began, gaps as they change by what bodies move and
/// turn: a ball rolls on without its material point rising.
void Sides::contact() const
{
    const Vec3 &arm_a = attachment.point_a, &arm_b = attachment.point_b, &n = attachment.normal;
    const Vec3 turn_a = turn_since(X_WA.rotation, attachment.axes_a);
    const Vec3 turn_b = turn_since(X_WB.rotation, attachment.axes_b);
    const Vec3 at_a = X_WA.translation + arm_a, at_b = X_WB.translation + arm_b;
    const Vec3 way =
        X_WA.translation - X_WB.translation + cross(turn_a, arm_a) - cross(turn_b, arm_b);
    line(0, n, at_a, at_b, attachment.length + dot(n, way));
    friction(n, at_a, at_b);
}

void Laying::on_curve() const
{
    const Vec3 inside = apply_to_point(inverse(X_WB), a);
    const CurvePoint c =
        point_on(*attachment.curve, nearest_parameter(*attachment.curve, inside, attachment.last));
    const Vec3 place = apply_to_point(X_WB, c.point);
    const double size = length(c.first);
    const Vec3 t = size > 0 ? apply_to_direction(X_WB, c.first / size) : unit(0);
    const std::array<Vec3, 2> across = make_tangents(t);
    for (int i = 0; i < 2; ++i)
        line(i, across[std::size_t(i)], a, a, dot(a - place, across[std::size_t(i)]));
}

void Laying::plane() const
{
    const Vec3 n = apply_to_direction(X_WB, attachment.normal);
    const double gap = dot(n, a - b) - attachment.radius;
    const Vec3 touching = a - n * (attachment.radius + gap); // on the plane, below the ball
    const Vec3 lowest = a - n * attachment.radius;
    line(0, n, lowest, touching, gap);
    friction(n, lowest, touching);
}

std::uint8_t side_count_of(const Attachment& attachment)
{
    return std::uint8_t(2 + (is_eye(attachment) ? attachment.path->passes.size() : 0) +
                        (attachment.kind == Kind::eye_carry ? 1 : 0));
}

/// Where only the sites' points matter: at a, at b.
std::array<bool, 2> find_points(const Attachment& attachment)
{
    const auto is_zero = [](const Vec3& v) { return v.x == 0 && v.y == 0 && v.z == 0; };
    const bool a = is_zero(attachment.point_a), b = is_zero(attachment.point_b);
    switch (attachment.kind) {
    case Kind::tie:
    case Kind::spring:
    case Kind::distance:
    case Kind::pull:
    case Kind::thread:
    case Kind::rub:
    case Kind::feed:
    case Kind::eye:
    case Kind::eye_rub:
    case Kind::eye_feed:
    case Kind::eye_carry:
    case Kind::stop: return {a, b};
    case Kind::on_axis:
    case Kind::on_curve:
    case Kind::level: return {a, false};
    default: return {false, false};
    }
}

} // namespace

void add_group(const Attachment& attachment, RowSet& rows)
{
    const Laws laws = laws_of(attachment);
    const RowGroup group = {.key = attachment.key.bits(),
                            .first_row = std::uint32_t(rows.gap.size()),
                            .first_side = std::uint32_t(rows.site.size()),
                            .first_direction = std::uint32_t(rows.direction.size()),
                            .row_count = laws.count,
                            .side_count = side_count_of(attachment),
                            .law = laws.law};
    rows.site.insert(rows.site.end(), {attachment.a, attachment.b});
    const auto [a_is_point, b_is_point] = find_points(attachment);
    rows.site[group.first_side].is_point = a_is_point;
    rows.site[group.first_side + 1].is_point = b_is_point;
    for (std::size_t i = 0; is_eye(attachment) && i < attachment.path->passes.size(); ++i)
        rows.site.push_back(attachment.path->passes[i].site);
    if (attachment.kind == Kind::eye_carry) {
        rows.site.push_back(attachment.carried);
        rows.site.back().is_point = true;
    }
    rows.direction.resize(rows.direction.size() + std::size_t(group.side_count * group.row_count));
    const std::size_t count = rows.gap.size() + group.row_count;
    for (std::vector<double>* numbers :
         {&rows.velocity, &rows.gap, &rows.bias, &rows.compliance, &rows.impulse, &rows.held})
        numbers->resize(count, 0);
    const double bound = is_spring(attachment) ? std::numeric_limits<double>::infinity() : 0;
    rows.lo.resize(count, -bound);
    rows.hi.resize(count, bound);
    if (attachment.kind == Kind::eye) // a rope pulls, and never pushes
        rows.lo.back() = 0;
    rows.friction.resize(count, attachment.friction);
    for (std::uint32_t r = 0; r < group.row_count; ++r)
        if (group.law[r] == Law::roll)
            rows.friction[group.first_row + r] = attachment.rolling;
    if (attachment.kind == Kind::distance || attachment.kind == Kind::turn ||
        attachment.kind == Kind::feed || attachment.kind == Kind::eye_feed)
        rows.bias.back() = -attachment.speed;
    if (attachment.kind == Kind::eye_rub)
        rows.bias.back() = 0.5 * (attachment.path->feed[1] - attachment.path->feed[0]);
    if (attachment.kind == Kind::eye_carry)
        rows.bias[group.first_row] = -attachment.speed;
    for (int i = 0; i < 3 && attachment.kind == Kind::tie && attachment.speed != 0; ++i)
        rows.bias[group.first_row + i] = -attachment.speed * attachment.normal[i];
    rows.group.push_back(group);
}

namespace {

/// Rows of ropes that run through eyes are measured on the straight legs of their spans.
void update_eye(Laying& laying)
{
    const EyeLegs legs =
        measure_legs(*laying.attachment.path, laying.motion.subspan(laying.group.first_side));
    laying.legs = &legs;
    switch (laying.attachment.kind) {
    case Kind::eye: return laying.eye();
    case Kind::eye_carry: return laying.eye_carry();
    default: return laying.eye_slide(); // feed and friction
    }
}

} // namespace

void update_geometry(const Attachment& attachment, const RowGroup& group,
                     std::span<const SiteMotion> motion, RowSet& rows, const Lean& lean)
{
    const Sides sides{attachment, group, motion, rows};
    if (attachment.kind == Kind::contact)
        return sides.contact();
    Laying laying{sides};
    laying.lean = lean;
    if (is_eye(attachment))
        return update_eye(laying);
    switch (attachment.kind) {
    case Kind::tie:
    case Kind::spring: return laying.tie();
    case Kind::hinge: laying.tie(); return laying.parallel_axes(3);
    case Kind::slider: laying.on_axis(); return laying.parallel_frames(2);
    case Kind::fixed: laying.tie(); return laying.parallel_frames(3);
    case Kind::distance:
    case Kind::pull: return laying.apart();
    case Kind::turn:
        return laying.turn(0, laying.axis_b(0), laying.turn_about_x() - attachment.length);
    case Kind::limit: return laying.limit();
    case Kind::motor: return laying.motor();
    case Kind::plane: return laying.plane();
    case Kind::align: return laying.parallel_axes(0);
    case Kind::threaded_align: return laying.threaded_align();
    case Kind::on_axis: return laying.on_axis();
    case Kind::level: return laying.level();
    case Kind::on_curve: return laying.on_curve();
    case Kind::thread: return laying.thread();
    case Kind::rub:
    case Kind::feed: return laying.along_rod();
    case Kind::stop: return laying.stop();
    case Kind::angle: return laying.angle();
    case Kind::pair: return laying.pair();
    default: return; // contacts, and eyes: update_eye
    }
}

namespace {

/// What drums at the ends of a rope add to the velocity of one of its rows [m/s].
double feed_of(const Attachment& made)
{
    if (!is_eye(made))
        return 0;
    const std::array<double, 2>& feed = made.path->feed;
    return made.kind == Kind::eye ? feed[0] + feed[1] : 0.5 * (feed[1] - feed[0]);
}

} // namespace

void update_spring(const Attachment& spring, const RowGroup& group, double theta, double pull,
                   RowSet& rows)
{
    if (spring.kind == Kind::motor) {
        const double most = spring.most > 0 ? spring.most * theta : rows.hi[group.first_row];
        rows.bias[group.first_row] = -spring.speed;
        rows.lo[group.first_row] = -most;
        rows.hi[group.first_row] = most;
        return;
    }
    if (spring.kind == Kind::eye_rub && spring.damping == 0) { // [notes: rods, eq. 12]
        const double most = spring.path->passes[spring.pass].grip * std::max(pull, 0.0);
        rows.lo[group.first_row] = -most;
        rows.hi[group.first_row] = most;
        return;
    }
    if (spring.kind == Kind::eye) {
        rows.lo[group.first_row] = theta * spring.path->least;
        rows.hi[group.first_row] = theta * spring.path->most;
    }
    const double k = spring.stiffness, c = spring.damping;
    const double compliance = 1 / (theta * (theta * k + c));
    for (std::uint32_t row = group.first_row; row < group.first_row + group.row_count; ++row) {
        rows.compliance[row] = compliance;
        rows.bias[row] = theta * k * (rows.gap[row] - theta * rows.velocity[row]) * compliance +
                         theta * c * feed_of(spring) * compliance;
    }
}

SiteMotion GroundMotion::motion_at(double time) const
{
    const double ahead = time - at;
    const Vec3 arm = about + place.at(ahead), spin = turn.rate_at(ahead);
    SiteMotion motion;
    motion.pose.rotation = exp_quat(turn.at(ahead));
    motion.pose.translation = arm - rotate(motion.pose.rotation, about);
    motion.twist = {spin, place.rate_at(ahead) + cross(spin, motion.pose.translation - arm)};
    return motion;
}

CubicWay CubicWay::between(const Vec3& way, const Vec3& begin_rate, const Vec3& end_rate, double h)
{
    const Vec3 third = ((begin_rate + end_rate) * h - way * 2.0) / (h * h * h);
    return {end_rate, (end_rate - begin_rate) / (2 * h) + third * (1.5 * h), third};
}

double row_velocity(const RowGroup& group, int row, const RowSet& rows,
                    std::span<const SiteMotion> motion)
{
    double w = 0;
    for (int side = 0; side < group.side_count; ++side)
        w += dot(motion[group.first_side + side].twist,
                 rows.direction[group.first_direction + side * group.row_count + row]);
    return w;
}

// ---------------------------------------------------------------- ease

namespace {

/// The first of the two rows that keep axes parallel; none: −1.
int first_turning(const Attachment& attachment)
{
    switch (attachment.kind) {
    case Kind::align:
    case Kind::threaded_align: return 0;
    case Kind::hinge: return 3;
    default: return -1;
    }
}

bool is_turning(const Attachment& attachment, int row)
{
    const int first = first_turning(attachment);
    return first >= 0 && (row == first || row == first + 1);
}

/// Angular velocity of the axis, about the axes of its frame that leans, and the rate of φ:
/// along φ they are the same, across it the first is less by sin |φ| / |φ|.
Lean across(const Lean& lean, const Lean& rate, double factor)
{
    const double square = lean.y * lean.y + lean.z * lean.z;
    const double along = square > 0 ? (lean.y * rate.y + lean.z * rate.z) / square : 0;
    const Lean same = {along * lean.y, along * lean.z};
    return {same.y + factor * (rate.y - same.y), same.z + factor * (rate.z - same.z)};
}

double sine_by_angle(const Lean& lean)
{
    const double angle = hypot(lean.y, lean.z);
    return angle > 0 ? sin(angle) / angle : 1;
}

} // namespace

Lean lean_at(const Attachment& attachment, double time)
{
    if (attachment.kind == Kind::eye) {
        const EyePath& path = *attachment.path;
        return {.fed = (path.feed[0] + path.feed[1]) * (time - path.begin)};
    }
    const int first = first_turning(attachment);
    if (!attachment.ease || first < 0)
        return {};
    const std::size_t row = std::size_t(first);
    return {attachment.ease->gap_at(row, time), attachment.ease->gap_at(row + 1, time)};
}

double eased_gap(const Attachment& attachment, int row, double time)
{
    return !attachment.ease || is_turning(attachment, row)
               ? 0
               : attachment.ease->gap_at(std::size_t(row), time);
}

double eased_rate(const Attachment& attachment, int row, double time)
{
    if (!attachment.ease)
        return 0;
    if (!is_turning(attachment, row))
        return attachment.ease->rate_at(std::size_t(row), time);
    const std::size_t first = std::size_t(first_turning(attachment));
    const Lean lean = lean_at(attachment, time);
    const Lean rate = {attachment.ease->rate_at(first, time),
                       attachment.ease->rate_at(first + 1, time)};
    const Lean turns = across(lean, rate, sine_by_angle(lean));
    return std::size_t(row) == first ? turns.y : turns.z;
}

void measure_opening(const Attachment& attachment, std::span<const SiteMotion> motion,
                     std::span<double, 6> gap, std::span<double, 6> rate)
{
    constexpr double kLeast = 0.1; // of sin φ / φ: beyond, the axes point nearly opposite ways
    RowSet rows;
    add_group(attachment, rows);
    const RowGroup& group = rows.group[0];
    update_geometry(attachment, group, motion, rows);
    std::ranges::copy(rows.gap, gap.begin());
    const int first = first_turning(attachment);
    const std::size_t row = std::size_t(std::max(first, 0));
    const Lean lean = first < 0 ? Lean{} : Lean{gap[row], gap[row + 1]};
    update_geometry(attachment, group, motion, rows, lean);
    for (int r = 0; r < group.row_count; ++r)
        rate[std::size_t(r)] = row_velocity(group, r, rows, motion);
    if (first < 0)
        return;
    const Lean turns =
        across(lean, {rate[row], rate[row + 1]}, 1 / std::max(kLeast, sine_by_angle(lean)));
    rate[row] = turns.y;
    rate[row + 1] = turns.z;
}

} // namespace sinew
