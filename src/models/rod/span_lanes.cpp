// Spans in lanes: numbers of control points and frames lie field by field, so that a span's
// neighbour is the next number. Lanes behind the last span repeat it on a rod that goes on
// straight.

#include "models/rod/span_lanes.h"

#include "math/functions.h"
#include "math/wide.h"
#include "models/rod/span.h"

#include <algorithm>
#include <cmath>

namespace sinew::rod {

namespace {

constexpr std::size_t kLane = 8;
constexpr double kStraightBack = 1e-9; // as in strain.cpp
constexpr double kLeastSize = 1e-12;

typedef long long Mask __attribute__((vector_size(64)));

SINEW_IN_CLONES Eight all(double x) { return Eight{} + x; }
SINEW_IN_CLONES Eight root(Eight a)
{
    for (std::size_t i = 0; i < kLane; ++i)
        a[i] = std::sqrt(a[i]);
    return a;
}
SINEW_IN_CLONES Eight larger(const Eight& a, const Eight& b) { return a < b ? b : a; }

struct V3 {
    Eight x, y, z;
};
SINEW_IN_CLONES V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SINEW_IN_CLONES V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SINEW_IN_CLONES V3 operator*(const V3& a, const Eight& s) { return {a.x * s, a.y * s, a.z * s}; }
SINEW_IN_CLONES Eight dot(const V3& a, const V3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
SINEW_IN_CLONES V3 cross(const V3& a, const V3& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SINEW_IN_CLONES V3 select(const Mask& mask, const V3& yes, const V3& no)
{
    return {mask ? yes.x : no.x, mask ? yes.y : no.y, mask ? yes.z : no.z};
}

/// Fields of a point in lanes, one after the other.
using Field = SpanLanes::Field;

/// One of a span's two points, of eight spans.
struct Place {
    const double* constants; ///< of SpanLanes
    const double* reference; ///< of SpanRoom
    std::size_t stride;

    SINEW_IN_CLONES Eight of(std::size_t field) const { return eight(constants + field * stride); }
    SINEW_IN_CLONES V3 vector_of(std::size_t field) const
    {
        const double* at = reference + field * stride;
        return {eight(at), eight(at + stride), eight(at + 2 * stride)};
    }
};

/// Derivatives along the rest length of what has four numbers a control point.
struct LaneLocal {
    V3 p, q;
    Eight phi, omega;
};

SINEW_IN_CLONES LaneLocal local_at(const Place& place, const double* x, std::size_t x_stride)
{
    LaneLocal out{};
    for (std::size_t i = 0; i < 4; ++i) {
        const Eight along = place.of(Field::along + i), bend = place.of(Field::bend + i);
        const Eight a = eight(x + i), b = eight(x + x_stride + i), c = eight(x + 2 * x_stride + i),
                    d = eight(x + 3 * x_stride + i);
        out.p = out.p + V3{a * along, b * along, c * along};
        out.q = out.q + V3{a * bend, b * bend, c * bend};
        out.omega += along * d;
        out.phi += place.of(Field::weight + i) * d;
    }
    return out;
}

/// Strains 1 to 3 with their slopes, and the stretch: see compute_strains(). The slope of the
/// stretch is t, that of the twist in ω one.
struct LaneStrains {
    V3 t;
    Eight size, stretch;
    Eight strain[3];
    V3 p[3], q[3];
    Eight phi[2];
};

struct LaneCurve {
    V3 t, t_s;
    Eight size, by_size;
};

SINEW_IN_CLONES LaneCurve curve_of(const LaneLocal& local)
{
    const Eight size = larger(root(dot(local.p, local.p)), all(kLeastSize)), by_size = 1.0 / size;
    const V3 t = local.p * by_size;
    return {t, (local.q - t * dot(t, local.q)) * by_size, size, by_size};
}

/// A director across t for a rod that does not know its frame: nearly a of the reference.
SINEW_IN_CLONES V3 any_director(const V3& t, const V3& t_0, const V3& a)
{
    const V3 m = a - t * dot(t, a);
    const Eight across = root(dot(m, m));
    const Mask is_good = across > 0.1;
    bool is_all = true;
    for (std::size_t i = 0; i < kLane; ++i)
        is_all &= is_good[i] != 0;
    if (is_all)
        return m * (1.0 / across);
    const V3 other = cross(t, t_0 + m);
    return select(is_good, m * (1.0 / across), other * (1.0 / root(dot(other, other))));
}

SINEW_IN_CLONES LaneStrains strains_at(const Place& place, const LaneLocal& local,
                                       const double* turn, bool is_curved)
{
    const V3 t_0 = place.vector_of(0), t_0s = place.vector_of(3), a_0 = place.vector_of(6);
    const Eight twist_0 = eight(place.reference + 9 * place.stride);
    const LaneCurve curve = curve_of(local);
    const V3& t = curve.t;
    const Eight& by_size = curve.by_size;
    LaneStrains out{};
    out.t = t;
    out.size = curve.size;
    out.stretch = curve.size - 1.0;

    const Eight by_d = 1.0 / larger(1.0 + dot(t_0, t), all(kStraightBack));
    const V3 turning = cross(t, t_0) * by_d;
    V3 m_1 = any_director(t, t_0, a_0), spin{};
    if (is_curved) {
        const Mask knows = place.of(Field::curved) > 0.5;
        const V3 a = a_0 - (t_0 + t) * (dot(t, a_0) * by_d);
        m_1 = select(knows, a * eight(turn) + cross(t, a) * eight(turn + kLane), m_1);
        spin = select(knows, turning, spin);
    }
    const V3 m_2 = cross(t, m_1);
    const Eight inverse = by_size * by_size;
    const V3 c = cross(local.p, local.q) * inverse;
    const Eight k_1 = dot(c, m_1), k_2 = dot(c, m_2);
    out.strain[0] = k_1 - place.of(Field::kappa_1);
    out.strain[1] = k_2 - place.of(Field::kappa_2);
    out.p[0] = cross(local.q, m_1) * inverse - t * (2.0 * k_1 * by_size);
    out.q[0] = cross(m_1, local.p) * inverse;
    out.p[1] = cross(local.q, m_2) * inverse - t * (2.0 * k_2 * by_size);
    out.q[1] = cross(m_2, local.p) * inverse;
    if (is_curved) {
        out.p[0] = out.p[0] + spin * (k_2 * by_size);
        out.p[1] = out.p[1] - spin * (k_1 * by_size);
        out.phi[0] = k_2 * place.of(Field::curved);
        out.phi[1] = -k_1 * place.of(Field::curved);
    }

    const V3 sum = t_0s + curve.t_s;
    const Eight carried = dot(turning, sum);
    out.strain[2] = local.omega + twist_0 + carried - place.of(Field::tau);
    const V3 n = (cross(t_0, sum) - t_0 * carried) * by_d;
    const V3 by_t = n - turning * (dot(t, local.q) * by_size);
    out.p[2] = (by_t - t * (dot(t, by_t) + dot(turning, curve.t_s))) * by_size;
    out.q[2] = turning * by_size;
    return out;
}

/// Slopes of a span for its matrix: of each of its points t, then p and q of three strains, four
/// numbers each (the last of p is by ω); then what depends on the stretch.
struct Slopes {
    static constexpr std::size_t kPoint = 7 * 4, kTension = 2 * kPoint, kPhi = kTension + 2,
                                 kAll = SpanRoom::kSlopes;
};

SINEW_IN_CLONES void put(const V3& v, const Eight& last, double* to)
{
    for (std::size_t i = 0; i < kLane; ++i, to += Slopes::kAll) {
        to[0] = v.x[i];
        to[1] = v.y[i];
        to[2] = v.z[i];
        to[3] = last[i];
    }
}

SINEW_IN_CLONES void put_slopes(const LaneStrains (&strains)[2], const Eight (&tension)[2],
                                double* to)
{
    const Eight none{}, one = all(1);
    for (std::size_t g = 0; g < 2; ++g) {
        const LaneStrains& own = strains[g];
        double* at = to + g * Slopes::kPoint;
        put(own.t, none, at);
        for (std::size_t k = 0; k < 3; ++k) {
            put(own.p[k], k == 2 ? one : none, at + 4 + 8 * k);
            put(own.q[k], none, at + 8 + 8 * k);
        }
        const Eight pull = tension[g] / own.size;
        for (std::size_t i = 0; i < kLane; ++i) {
            double* last = to + i * Slopes::kAll;
            last[Slopes::kTension + g] = pull[i];
            last[Slopes::kPhi + 2 * g] = own.phi[0][i];
            last[Slopes::kPhi + 2 * g + 1] = own.phi[1][i];
        }
    }
}

/// The rod as lanes see it.
struct LaneRod {
    std::size_t spans, stride, x_stride;
    const double *constants, *reference, *x, *v, *turn, *air;
    double stiffness[4], damping[4], drag_along, drag_across;
    bool is_curved, is_dragged, is_damped, counts_damped_tension;
};

/// Forces of eight spans on their control points.
SINEW_IN_CLONES void measure_eight(const LaneRod& rod, std::size_t span, double* force,
                                   double* slopes)
{
    LaneStrains strains[2];
    Eight rate[2][4] = {}, felt[2], tension[2];
    Place place[2];
    for (std::size_t g = 0; g < 2; ++g) {
        place[g] = {rod.constants + g * SpanLanes::kFields * rod.stride + span,
                    rod.reference + g * Reference::kNumbers * rod.stride + span, rod.stride};
        const double* turn = rod.turn + 2 * (g * rod.stride + span);
        strains[g] = strains_at(place[g], local_at(place[g], rod.x + span, rod.x_stride), turn,
                                rod.is_curved);
        if (rod.is_damped) {
            const LaneStrains& own = strains[g];
            const LaneLocal dot_x = local_at(place[g], rod.v + span, rod.x_stride);
            rate[g][0] = dot(own.t, dot_x.p);
            for (std::size_t k = 0; k < 3; ++k)
                rate[g][k + 1] = dot(own.p[k], dot_x.p) + dot(own.q[k], dot_x.q);
            rate[g][1] += own.phi[0] * dot_x.phi;
            rate[g][2] += own.phi[1] * dot_x.phi;
            rate[g][3] += dot_x.omega;
        }
    }
    // A span inside the rod is stretched as a whole: see measure_span().
    const auto mean = [&](const Eight& first, const Eight& second) -> Eight {
        return (first * place[0].of(Field::length) + second * place[1].of(Field::length)) *
               place[0].of(Field::by_length);
    };
    const Eight whole = mean(strains[0].stretch, strains[1].stretch);
    const Eight whole_rate = mean(rate[0][0], rate[1][0]);
    const Mask is_whole = place[0].of(Field::by_length) > 0.0;
    for (std::size_t g = 0; g < 2; ++g) {
        felt[g] = is_whole ? whole : strains[g].stretch;
        const Eight elastic = felt[g];
        felt[g] += rod.damping[0] * (is_whole ? whole_rate : rate[g][0]);
        tension[g] =
            rod.stiffness[0] * larger(rod.counts_damped_tension ? felt[g] : elastic, Eight{});
    }
    V3 along[2], bend[2];
    Eight by_omega[2], by_phi[2];
    for (std::size_t g = 0; g < 2; ++g) {
        const LaneStrains& own = strains[g];
        const Eight length = place[g].of(Field::length);
        Eight pull[3];
        for (std::size_t k = 0; k < 3; ++k)
            pull[k] = rod.stiffness[k + 1] * length *
                      (own.strain[k] + rod.damping[k + 1] * rate[g][k + 1]);
        along[g] = ((own.t * (rod.stiffness[0] * length * felt[g]) + own.p[0] * pull[0]) +
                    own.p[1] * pull[1]) +
                   own.p[2] * pull[2];
        bend[g] = (own.q[0] * pull[0] + own.q[1] * pull[1]) + own.q[2] * pull[2];
        by_omega[g] = pull[2];
        by_phi[g] = own.phi[0] * pull[0] + own.phi[1] * pull[1];
    }
    V3 drag[2] = {};
    for (std::size_t g = 0; rod.is_dragged && g < 2; ++g) {
        const double* air = rod.air + 3 * g * rod.stride + span;
        V3 wind = V3{} - V3{eight(air), eight(air + rod.stride), eight(air + 2 * rod.stride)};
        for (std::size_t i = 0; i < 4; ++i) {
            const double* v = rod.v + span + i;
            wind = wind + V3{eight(v), eight(v + rod.x_stride), eight(v + 2 * rod.x_stride)} *
                              place[g].of(Field::weight + i);
        }
        const V3& t = strains[g].t;
        const V3 lengthwise = t * dot(t, wind);
        drag[g] = (lengthwise * all(rod.drag_along) + (wind - lengthwise) * all(rod.drag_across)) *
                  place[g].of(Field::length);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        V3 sum{};
        Eight turn{};
        for (std::size_t g = 0; g < 2; ++g) {
            const Eight &by_p = place[g].of(Field::along + i), &by_q = place[g].of(Field::bend + i),
                        &weight = place[g].of(Field::weight + i);
            sum = sum + (along[g] * by_p + bend[g] * by_q);
            turn += by_p * by_omega[g] + weight * by_phi[g];
            if (rod.is_dragged)
                sum = sum + drag[g] * weight;
        }
        double* to = force + 4 * i * rod.stride + span;
        sinew::put(sum.x, to);
        sinew::put(sum.y, to + rod.stride);
        sinew::put(sum.z, to + 2 * rod.stride);
        sinew::put(turn, to + 3 * rod.stride);
    }
    if (slopes)
        put_slopes(strains, tension, slopes + span * Slopes::kAll);
}

} // namespace

SINEW_CLONES void measure_lanes(const LaneRod& rod, double* force, double* slopes)
{
    for (std::size_t span = 0; span < rod.spans; span += kLane)
        measure_eight(rod, span, force, slopes);
}

namespace {

/// The rows of a span's strains in its control points, and their weights.
struct SpanRows {
    Four row[8][4];     ///< stretch at both points; three strains of the one, of the other
    double weight[6];   ///< of the strains
    double stretch[3];  ///< of stretch: first, between, second
    double aside[4][4]; ///< what resists whatever way it goes, between control points
};

SINEW_IN_CLONES void set_rows(const Plan& plan, std::size_t span, const double* slopes,
                              double theta, bool is_turned, SpanRows& rows)
{
    const auto factor = [&](std::size_t k) {
        return (theta * theta + theta * plan.damping[k]) * plan.stiffness[k];
    };
    const double drag = theta * std::max(plan.drag_along, plan.drag_across);
    const Point* points = &plan.points[2 * span];
    double resist[2];
    for (std::size_t g = 0; g < 2; ++g) {
        const Point& point = points[g];
        const double *own = slopes + g * Slopes::kPoint, *phi = slopes + Slopes::kPhi + 2 * g;
        resist[g] = theta * theta * point.length * slopes[Slopes::kTension + g];
        for (std::size_t k = 0; k < 3; ++k)
            rows.weight[3 * g + k] = factor(k + 1) * point.length;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t to = is_turned ? 3 - i : i;
            const double along = point.along[i], bend = point.bend[i];
            rows.row[g][to] = four(own) * along;
            for (std::size_t k = 0; k < 3; ++k) {
                Four& row = rows.row[2 + 3 * g + k][to];
                row = four(own + 4 + 8 * k) * along + four(own + 8 + 8 * k) * bend;
                if (k < 2)
                    row[3] += point.basis.weight[i] * phi[k];
            }
        }
    }
    const double length = points[0].length + points[1].length;
    const bool is_whole = span > 0 && span + 1 < plan.spans;
    const double pull = factor(0);
    for (std::size_t g = 0; g < 2; ++g)
        rows.stretch[2 * g] =
            pull * points[g].length * (is_whole ? points[g].length / length : 1) - resist[g];
    rows.stretch[1] = is_whole ? pull * points[0].length * points[1].length / length : 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i; j < 4; ++j) {
            const std::size_t a = is_turned ? 3 - i : i, b = is_turned ? 3 - j : j;
            double sum = 0;
            for (std::size_t g = 0; g < 2; ++g)
                sum +=
                    resist[g] * points[g].along[a] * points[g].along[b] +
                    drag * points[g].length * points[g].basis.weight[a] * points[g].basis.weight[b];
            rows.aside[i][j] = sum;
        }
}

/// Four columns of what a span adds, from its I-th control point on.
template <std::size_t I>
SINEW_IN_CLONES void add_columns(const SpanRows& rows, double* columns)
{
    for (std::size_t a = 0; a < 4; ++a) {
        Four sum[4 - I] = {};
        const auto add = [&](std::size_t k, double scaled) {
            for (std::size_t j = I; j < 4; ++j)
                sum[j - I] += scaled * rows.row[k][j];
        };
        const double first = rows.row[0][I][a], second = rows.row[1][I][a];
        add(0, rows.stretch[0] * first + rows.stretch[1] * second);
        add(1, rows.stretch[1] * first + rows.stretch[2] * second);
        for (std::size_t k = 0; k < 6; ++k)
            add(2 + k, rows.weight[k] * rows.row[2 + k][I][a]);
        double* to = columns + (4 * I + a) * ChainLdl::kColumn;
        for (std::size_t j = I; j < 4; ++j)
            sinew::put(four(to + 4 * (j - I)) + sum[j - I], to + 4 * (j - I));
    }
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t j = I; j < 4; ++j)
            columns[(4 * I + a) * ChainLdl::kColumn + 4 * (j - I) + a] += rows.aside[I][j];
}

} // namespace

SINEW_CLONES void add_span_columns(const Plan& plan, std::size_t span, const double* slopes,
                                   double theta, bool is_turned, double* columns)
{
    SpanRows rows;
    set_rows(plan, span, slopes, theta, is_turned, rows);
    add_columns<0>(rows, columns);
    add_columns<1>(rows, columns);
    add_columns<2>(rows, columns);
    add_columns<3>(rows, columns);
}

/// References of eight spans' points, carried.
SINEW_CLONES void carry_eight(const LaneRod& rod, std::size_t span, double* reference)
{
    for (std::size_t g = 0; g < 2; ++g) {
        const Place place{rod.constants + g * SpanLanes::kFields * rod.stride + span,
                          reference + g * Reference::kNumbers * rod.stride + span, rod.stride};
        const V3 t_0 = place.vector_of(0), t_0s = place.vector_of(3), a_0 = place.vector_of(6);
        const LaneCurve curve = curve_of(local_at(place, rod.x + span, rod.x_stride));
        const V3& t = curve.t;
        const Eight by_d = 1.0 / larger(1.0 + dot(t_0, t), all(kStraightBack));
        V3 a = a_0 - (t_0 + t) * (dot(t, a_0) * by_d);
        a = a - t * dot(t, a);
        a = a * (1.0 / root(dot(a, a)));
        const Eight twist = dot(cross(t, t_0), t_0s + curve.t_s) * by_d;
        double* to = reference + g * Reference::kNumbers * rod.stride + span;
        const Eight* const numbers[] = {&t.x,         &t.y, &t.z, &curve.t_s.x, &curve.t_s.y,
                                        &curve.t_s.z, &a.x, &a.y, &a.z};
        for (const Eight* number : numbers) {
            sinew::put(*number, to);
            to += rod.stride;
        }
        sinew::put(eight(to) + twist, to);
    }
}

// ---------------------------------------------------------------- in and out of lanes

namespace {

/// Field by field, behind the last on a straight line.
void spread_nodes(std::span<const double> x, std::size_t nodes, std::size_t stride, double* to)
{
    for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t c = 0; c < kNumbers; ++c)
            to[c * stride + i] = x[kNumbers * i + c];
    for (std::size_t c = 0; c < kNumbers; ++c) {
        double* field = to + c * stride;
        const double step = field[nodes - 1] - field[nodes - 2];
        for (std::size_t i = nodes; i < nodes + kLane; ++i)
            field[i] = field[i - 1] + step;
    }
}

void set_rod(const Plan& plan, std::span<const double> x, SpanRoom& room, LaneRod& rod)
{
    const std::size_t stride = plan.lanes.stride, x_stride = plan.node_count + kLane;
    room.x.resize(kNumbers * x_stride);
    room.reference.resize(2 * Reference::kNumbers * stride);
    spread_nodes(x, plan.node_count, x_stride, room.x.data());
    rod.spans = plan.spans;
    rod.stride = stride;
    rod.x_stride = x_stride;
    rod.constants = plan.lanes.numbers.data();
    rod.reference = room.reference.data();
    rod.x = room.x.data();
}

/// Calls call(place in the lanes, point) for every point, and again for the lanes behind the last.
template <class Call>
void for_each_lane(const Plan& plan, Call&& call)
{
    for (std::size_t span = 0; span < plan.lanes.stride; ++span)
        for (std::size_t g = 0; g < 2; ++g)
            call(g, span, 2 * std::min<std::size_t>(span, plan.spans - 1) + g);
}

} // namespace

void add_lane_force(const Plan& plan, const Configuration& at, const Loads& loads, bool with_slopes,
                    SpanRoom& room, std::span<double> force)
{
    LaneRod rod{};
    set_rod(plan, at.x, room, rod);
    room.v.resize(room.x.size());
    spread_nodes(at.v, plan.node_count, rod.x_stride, room.v.data());
    const std::size_t stride = rod.stride;
    rod.is_curved = plan.lanes.is_curved;
    rod.is_dragged = has_drag(plan);
    room.turn.resize(4 * stride);
    room.air.assign(6 * stride, 0.0);
    for_each_lane(plan, [&](std::size_t g, std::size_t span, std::size_t i) {
        const Reference& own = at.references[i];
        double* to = room.reference.data() + g * Reference::kNumbers * stride + span;
        for (const double number : {own.t.x, own.t.y, own.t.z, own.t_s.x, own.t_s.y, own.t_s.z,
                                    own.a.x, own.a.y, own.a.z, own.twist}) {
            *to = number;
            to += stride;
        }
        for (int axis = 0; !loads.air.empty() && axis < 3; ++axis)
            room.air[(3 * g + std::size_t(axis)) * stride + span] = loads.air[i][axis];
        if (rod.is_curved) {
            const Point& point = plan.points[i];
            double phi = 0;
            for (std::size_t k = 0; k < 4; ++k)
                phi += point.basis.weight[k] *
                       at.x[kNumbers * (std::size_t(point.basis.first) + k) + 3];
            double* turn =
                room.turn.data() + 2 * (g * stride + span / kLane * kLane) + span % kLane;
            turn[0] = cos(phi);
            turn[kLane] = sin(phi);
        }
    });
    std::ranges::copy(plan.stiffness, rod.stiffness);
    std::ranges::copy(plan.damping, rod.damping);
    rod.is_damped = std::ranges::any_of(plan.damping, [](double time) { return time > 0; });
    rod.counts_damped_tension = at.counts_damped_tension;
    rod.drag_along = plan.drag_along;
    rod.drag_across = plan.drag_across;
    rod.v = room.v.data();
    rod.turn = room.turn.data();
    rod.air = room.air.data();
    room.force.resize(4 * kNumbers * stride);
    room.slopes.resize(SpanRoom::kSlopes * stride);
    measure_lanes(rod, room.force.data(), with_slopes ? room.slopes.data() : nullptr);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t c = 0; c < kNumbers; ++c) {
            const double* from = room.force.data() + (kNumbers * i + c) * stride;
            for (std::size_t span = 0; span < plan.spans; ++span)
                force[kNumbers * (span + i) + c] -= from[span];
        }
}

void add_lane_matrix(const Plan& plan, const SpanRoom& room, double theta, ChainLdl& W)
{
    for (std::size_t span = 0; span < plan.spans; ++span) {
        const ChainLdl::Group group = W.group(span, 4);
        add_span_columns(plan, span, room.slopes.data() + SpanRoom::kSlopes * span, theta,
                         group.is_turned, group.columns);
    }
}

void carry_lanes(const Plan& plan, std::span<const double> x, SpanRoom& room,
                 std::span<double> memory)
{
    LaneRod rod{};
    set_rod(plan, x, room, rod);
    const auto place = [&](std::size_t g, std::size_t span) {
        return room.reference.data() + g * Reference::kNumbers * rod.stride + span;
    };
    for_each_lane(plan, [&](std::size_t g, std::size_t span, std::size_t i) {
        for (std::size_t k = 0; k < Reference::kNumbers; ++k)
            place(g, span)[k * rod.stride] = memory[Reference::kNumbers * i + k];
    });
    for (std::size_t span = 0; span < plan.spans; span += kLane)
        carry_eight(rod, span, room.reference.data());
    for (std::size_t span = 0; span < plan.spans; ++span)
        for (std::size_t g = 0; g < 2; ++g)
            for (std::size_t k = 0; k < Reference::kNumbers; ++k)
                memory[Reference::kNumbers * (2 * span + g) + k] = place(g, span)[k * rod.stride];
}

SpanLanes make_lanes(const Plan& plan)
{
    SpanLanes lanes;
    lanes.stride = (plan.spans + kLane - 1) / kLane * kLane;
    lanes.numbers.resize(2 * SpanLanes::kFields * lanes.stride);
    for (std::size_t span = 0; span < lanes.stride; ++span)
        for (std::size_t g = 0; g < 2; ++g) {
            const std::size_t own = std::min<std::size_t>(span, plan.spans - 1);
            const Point& point = plan.points[2 * own + g];
            double* to = lanes.numbers.data() + g * SpanLanes::kFields * lanes.stride + span;
            const auto set = [&](std::size_t field, double value) {
                to[field * lanes.stride] = value;
            };
            for (std::size_t i = 0; i < 4; ++i) {
                set(Field::along + i, point.along[i]);
                set(Field::bend + i, point.bend[i]);
                set(Field::weight + i, point.basis.weight[i]);
            }
            set(Field::length, point.length);
            set(Field::kappa_1, point.rest.kappa_1);
            set(Field::kappa_2, point.rest.kappa_2);
            set(Field::tau, point.rest.tau);
            set(Field::curved, point.rest.is_curved ? 1 : 0);
            const bool is_whole = own > 0 && own + 1 < plan.spans;
            set(Field::by_length,
                is_whole ? 1 / (plan.points[2 * own].length + plan.points[2 * own + 1].length) : 0);
            lanes.is_curved |= point.rest.is_curved;
        }
    return lanes;
}

} // namespace sinew::rod
