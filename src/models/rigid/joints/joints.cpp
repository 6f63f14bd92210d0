#include "models/rigid/joints/joints.h"

#include "geometry/mass_properties.h"
#include "models/rigid/motion.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

/// Where a joint's frames are in the world.
struct JointPlace {
    Vec3 at_a, at_b;
    Quat q_a, q_b;
    Vec3 axis, across, along; ///< of a's frame: x, y, z
    const BodyState &a, &b;

    /// Of another instant, with axes across that turn only as the axis does.
    JointPlace(const JointModel& joint, const BodyState& body_a, const BodyState& body_b,
               const Vec3& across_then)
        : JointPlace(joint, body_a, body_b)
    {
        if (joint.pair.kind != PairLaw::Kind::none)
            return; // its rows are of these axes themselves
        across = normalised(across_then - axis * dot(across_then, axis));
        along = cross(axis, across);
    }
    JointPlace(const JointModel& joint, const BodyState& body_a, const BodyState& body_b)
        : at_a(body_a.x + rotate(body_a.q, joint.in_a.translation)),
          at_b(body_b.x + rotate(body_b.q, joint.in_b.translation)),
          q_a(body_a.q * joint.in_a.rotation), q_b(body_b.q * joint.in_b.rotation),
          axis(rotate(q_a, Vec3{1, 0, 0})), across(rotate(q_a, Vec3{0, 1, 0})),
          along(rotate(q_a, Vec3{0, 0, 1})), a(body_a), b(body_b)
    {
    }
};

/// Lays rows one after the other.
class RowMaker {
public:
    RowMaker(const JointPlace& place, JointRows& rows) : place_(place), rows_(rows)
    {
        rows_.count = 0;
    }

    /// Velocity of b against a at `at` along l.
    void add_line(const Vec3& l, const Vec3& at, double error)
    {
        add({.l = l,
             .turn_a = cross(at - place_.a.x, l),
             .turn_b = cross(at - place_.b.x, l),
             .low = -kAny,
             .high = kAny,
             .error = error});
    }
    /// Spin of b against a about an axis.
    void add_turn(const Vec3& axis, double error)
    {
        add({.turn_a = axis, .turn_b = axis, .low = -kAny, .high = kAny, .error = error});
    }
    void add_point()
    {
        const Vec3 at = (place_.at_a + place_.at_b) * 0.5, error = place_.at_b - place_.at_a;
        for (int i = 0; i < 3; ++i)
            add_line(unit(i), at, error[i]);
    }
    void add_turns()
    {
        const Vec3 error = log_quat(place_.q_b * conjugate(place_.q_a));
        for (int i = 0; i < 3; ++i)
            add_turn(unit(i), error[i]);
    }
    void add_pair(const PairRow& row)
    {
        const bool is_turn = row.l == Vec3{0, 0, 0};
        const auto moment = [&](const Vec3& centre, const Vec3& twist) {
            return is_turn ? twist : cross(row.at - centre, row.l) + twist;
        };
        add({.l = row.l,
             .turn_a = moment(place_.a.x, row.twist_a),
             .turn_b = moment(place_.b.x, row.twist_b),
             .low = -kAny,
             .high = kAny,
             .error = row.error});
    }

private:
    static Vec3 unit(int i) { return {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0}; }
    void add(const JointRow& row)
    {
        const double impulse = rows_.row[rows_.count].impulse;
        rows_.row[rows_.count] = row;
        rows_.row[rows_.count++].impulse = impulse;
    }
    const JointPlace& place_;
    JointRows& rows_;
};

/// Whether a motor drives its free coordinate, with a speed or to a target.
bool is_motorised(const JointModel& joint) { return joint.has_motor || joint.has_servo; }

bool has_cone(const JointModel& joint)
{
    return joint.kind == JointKind::ball && joint.cone < kAny;
}
bool has_twist(const JointModel& joint)
{
    return joint.kind == JointKind::ball && joint.twist < kAny;
}

bool has_rope_limits(const JointModel& joint) { return joint.low > -kAny || joint.high < kAny; }

PairFrames frames_of(const JointPlace& place)
{
    return {place.at_a, place.at_b, place.q_a, place.q_b};
}

void add_pair_rows(const PairLaw& law, const JointPlace& place, double last, RowMaker& maker)
{
    std::array<PairRow, kMostPairRows> pair;
    const std::size_t count = lay_pair(law, frames_of(place), last, pair);
    for (std::size_t i = 0; i < count; ++i)
        maker.add_pair(pair[i]);
}

/// What always holds. Impulses stay as they are.
void add_equal_rows(const JointModel& joint, const JointPlace& place, double last, RowMaker& maker)
{
    switch (joint.kind) {
    case JointKind::universal:
    case JointKind::locks:
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::screw: return add_pair_rows(joint.pair, place, last, maker);
    case JointKind::ball: return maker.add_point();
    case JointKind::hinge: {
        maker.add_point();
        const Vec3 off = cross(place.axis, rotate(place.q_b, Vec3{1, 0, 0}));
        maker.add_turn(place.across, dot(off, place.across));
        return maker.add_turn(place.along, dot(off, place.along));
    }
    case JointKind::slider: {
        const Vec3 off = place.at_b - place.at_a;
        maker.add_line(place.across, place.at_b, dot(off, place.across));
        maker.add_line(place.along, place.at_b, dot(off, place.along));
        return maker.add_turns();
    }
    case JointKind::fixed: maker.add_point(); return maker.add_turns();
    case JointKind::distance: break;
    }
}

/// The row of the free coordinate: of a hinge about the axis, of a slider along it, of a distance
/// along the line.
void add_free_row(const JointModel& joint, const JointPlace& place, RowMaker& maker)
{
    if (joint.kind == JointKind::hinge)
        return maker.add_turn(place.axis, 0);
    if (joint.kind == JointKind::slider)
        return maker.add_line(place.axis, place.at_b, 0);
    const Vec3 way = place.at_b - place.at_a;
    const double d = length(way);
    const Vec3 l = d > 0 ? way / d : Vec3{1, 0, 0};
    maker.add_line(l, place.at_b, d - joint.length);
}

bool has_free_row(const JointModel& joint)
{
    return joint.kind == JointKind::hinge || joint.kind == JointKind::slider;
}

/// Rates of swing and twist of a ball, whose axes a and b began as one: θ of cos θ = a·b grows with
/// the turn about a × b, the twist with that about (a + b) / (1 + a·b).                  [eq. 11]
void add_ball_rows(const JointModel& joint, const JointPlace& place, RowMaker& maker)
{
    const Vec3 axis_b = rotate(place.q_b, Vec3{1, 0, 0}), normal = cross(place.axis, axis_b);
    const double sine = length(normal), cosine = dot(place.axis, axis_b);
    constexpr double kStraight = 1e-9; // no further than rounding: any way is outwards
    if (has_cone(joint))
        maker.add_turn(sine > kStraight ? normal / sine : place.across, 0);
    if (has_twist(joint))
        maker.add_turn((place.axis + axis_b) / max(1 + cosine, kStraight), 0);
}

/// Where a body flies to in a time t.
BodyState advanced(const Body& body, const BodyState& state, double t)
{
    const Turned turned = turn_ahead(body, state, t);
    return {.x = state.x + state.v * t, .q = turned.q, .v = state.v, .w = turned.w};
}

/// How fast what a joint holds turns with a body [rad/s]: its arm, and its axes. Spin about the
/// arm, as of a wheel on its axle, changes nothing.
double turn_rate(const JointModel& joint, const BodyState& body, const Pose& in_body)
{
    const auto rate_of = [&](const Vec3& local) {
        const double size = length(local);
        return size > 0 ? length(cross(body.w, rotate(body.q, local))) / size : 0;
    };
    if (joint.kind == JointKind::fixed || joint.kind == JointKind::slider ||
        joint.kind == JointKind::universal || joint.kind == JointKind::locks)
        return length(body.w);
    const double of_arm = rate_of(in_body.translation);
    return joint.kind != JointKind::ball && joint.kind != JointKind::distance
               ? max(of_arm, rate_of(rotate(in_body.rotation, Vec3{1, 0, 0})))
               : of_arm;
}

/// Whether a body spins in a joint much faster than what the joint sees of it turns.
bool is_gyroscope(const JointModel& joint, const BodyState& body, const Pose& in_body)
{
    constexpr double kMuch = 4;
    return length(body.w) > kMuch * turn_rate(joint, body, in_body);
}

double response_of(const JointRow& r, const JointRow& s, const SolverBody& a, const SolverBody& b)
{
    return dot(r.l, s.l) * (a.inverse_mass + b.inverse_mass) +
           dot(r.turn_a, a.inverse_inertia * s.turn_a) +
           dot(r.turn_b, b.inverse_inertia * s.turn_b);
}

/// Rows about an axis become speeds at the arm at which turning is as heavy as moving.
void scale_turns(const SolverBody& a, const SolverBody& b, JointRows& rows)
{
    for (std::size_t i = 0; i < rows.count; ++i) {
        JointRow& row = rows.row[i];
        rows.arm[i] = 1;
        if (row.l != Vec3{0, 0, 0})
            continue;
        const double heavy = response_of(row, row, a, b);
        const double arm = heavy > 0 ? sqrt((a.inverse_mass + b.inverse_mass) / heavy) : 1;
        row.turn_a *= arm;
        row.turn_b *= arm;
        row.error *= arm;
        rows.arm[i] = arm;
    }
}

/// J_mid v⁺ = −J_mid v⁻ keeps the energy, J_mid v⁺ = 0 loses some: nothing outside these.
double bias_of(double wanted, double before)
{
    return std::clamp(wanted, min(before, 0.0), max(before, 0.0));
}

/// Inverse of the leading n × n part of K, by Gauss and Jordan: symmetric, positive with a ridge.
void invert(const double (&K)[JointRows::kMost][JointRows::kMost], std::size_t n,
            double (&inverse)[JointRows::kMost][JointRows::kMost])
{
    constexpr double kRidge = 1e-10;
    double A[JointRows::kMost][2 * JointRows::kMost] = {};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            A[i][j] = K[i][j];
        A[i][i] *= 1 + kRidge;
        A[i][n + i] = 1;
    }
    for (std::size_t c = 0; c < n; ++c) {
        const double pivot = A[c][c] > 0 ? 1 / A[c][c] : 0;
        for (std::size_t j = 0; j < 2 * n; ++j)
            A[c][j] *= pivot;
        for (std::size_t r = 0; r < n; ++r) {
            const double share = A[r][c];
            for (std::size_t j = 0; r != c && j < 2 * n; ++j)
                A[r][j] -= share * A[c][j];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            inverse[i][j] = A[i][n + j];
}

/// λ = −h (k (q̄ − q₀) + c (w̄ − u₀)) with means over the step that weigh its end by θ: a half, so
/// that what swings keeps its energy, or one where the spring is too stiff for the step. [eq. 10]
void set_spring(const JointModel& joint, double q, double h, double arm, double before,
                JointRow& row)
{
    const double k = joint.stiffness, c = joint.damping, light = row.response / (arm * arm);
    const bool is_soft = h * h * k * light <= 1 && h * c * light <= 1;
    const double theta = is_soft ? 0.5 : 1;
    const double grip = theta * (theta * h * k + c); // by w⁺ and h
    const double force = k * (q - joint.target) - c * joint.target_speed +
                         (1 - theta) * (theta * h * k + c) * before / arm;
    row.give = arm * arm / (h * grip);
    row.bias = arm * force / grip;
    row.low = -kAny;
    row.high = kAny;
}

/// One side of a coordinate q that must stay within low and high.
void set_limit(double q, double low, double high, double h, double arm, JointRow& limit)
{
    const bool is_low = q - low < high - q;
    const double left = is_low ? q - low : high - q;
    limit.bias = max(left, 0.0) / h * (is_low ? arm : -arm);
    limit.low = is_low ? 0 : -kAny;
    limit.high = is_low ? kAny : 0;
    limit.error = min(left, 0.0) * (is_low ? arm : -arm);
}

/// Bounds and biases of what is not always in force: the motor, which never drives beyond a limit,
/// spring, friction, and the nearer limit. `q`: the coordinate; arms turn it into the rows'
/// measure.
void set_drives(const JointModel& joint, double q, double h, JointRows& rows)
{
    std::size_t at = rows.equal_count;
    if (is_motorised(joint) && has_free_row(joint)) {
        const double arm = rows.arm[at];
        JointRow& motor = rows.row[at++];
        const double wanted = joint.has_servo ? (joint.target - q) / h : joint.speed;
        const double speed =
            std::clamp(wanted, min((joint.low - q) / h, 0.0), max((joint.high - q) / h, 0.0));
        motor.bias = -speed * arm;
        motor.high = joint.most_force > 0 ? joint.most_force * h / arm : kAny;
        motor.low = -motor.high;
    }
    if (joint.has_spring() && has_free_row(joint)) {
        set_spring(joint, q, h, rows.arm[at], rows.before[at], rows.row[at]);
        ++at;
    }
    if (joint.friction > 0 && has_free_row(joint)) {
        JointRow& friction = rows.row[at];
        friction.bias = 0;
        friction.high = joint.friction * h / rows.arm[at];
        friction.low = -friction.high;
        ++at;
    }
    if (at < rows.count)
        set_limit(q, joint.low, joint.high, h, rows.arm[at], rows.row[at]);
}

/// The same for a ball: its cone, and its twist q.
void set_ball_limits(const JointModel& joint, const JointPlace& place, double q, double h,
                     JointRows& rows)
{
    std::size_t at = rows.equal_count;
    if (has_cone(joint)) {
        const Vec3 axis_b = rotate(place.q_b, Vec3{1, 0, 0});
        const double swing = atan2(length(cross(place.axis, axis_b)), dot(place.axis, axis_b));
        set_limit(swing, -kAny, joint.cone, h, rows.arm[at], rows.row[at]);
        ++at;
    }
    if (has_twist(joint))
        set_limit(q, -joint.twist, joint.twist, h, rows.arm[at], rows.row[at]);
}

void set_bounds(const JointModel& joint, const JointPlace& place, double q, double h,
                JointRows& rows)
{
    if (joint.kind == JointKind::ball)
        set_ball_limits(joint, place, q, h, rows);
    else
        set_drives(joint, q, h, rows);
}

/// All rows of a joint somewhere, angles continued from rows.last.
void lay_rows(const JointModel& joint, const JointPlace& place, JointRows& rows)
{
    RowMaker maker(place, rows);
    add_equal_rows(joint, place, rows.last, maker);
    const bool is_rope = joint.kind == JointKind::distance && has_rope_limits(joint);
    if (joint.kind == JointKind::distance && !is_rope)
        add_free_row(joint, place, maker);
    rows.equal_count = rows.first_drive = rows.count;
    if (joint.kind == JointKind::ball)
        return add_ball_rows(joint, place, maker);
    for (const bool drives : {is_motorised(joint), joint.has_spring(), joint.friction > 0})
        if (has_free_row(joint) && drives)
            add_free_row(joint, place, maker);
    if ((has_free_row(joint) && has_rope_limits(joint)) || is_rope)
        add_free_row(joint, place, maker);
}

double row_velocity_of(const JointRow& row, const BodyState& a, const BodyState& b)
{
    return dot(row.l, b.v - a.v) + dot(row.turn_b, b.w) - dot(row.turn_a, a.w);
}

} // namespace

void update_responses(const SolverBody& a, const SolverBody& b, JointRows& rows)
{
    for (std::size_t i = 0; i < rows.count; ++i)
        for (std::size_t j = 0; j < rows.count; ++j)
            rows.K[i][j] =
                response_of(rows.row[i], rows.row[j], a, b) + (i == j ? rows.row[i].give : 0);
    for (std::size_t i = 0; i < rows.count; ++i)
        rows.row[i].response = max(rows.K[i][i], 1e-300);
    invert(rows.K, rows.equal_count, rows.equal_inverse);
    if (rows.count != rows.equal_count)
        invert(rows.K, rows.count, rows.all_inverse);
}

bool do_carriers_hold(const Pile& pile, const PileState& state, std::size_t joint)
{
    return std::ranges::all_of(pile.joints[joint].carriers, [&](std::uint32_t carrier) {
        return carrier == JointModel::kNone ||
               (!state.joints[carrier].is_broken && !pile.joints[carrier].is_off);
    });
}

bool is_in_force(const Pile& pile, const PileState& state, std::size_t joint)
{
    const JointModel& j = pile.joints[joint];
    return !state.joints[joint].is_broken && !j.is_off && do_carriers_hold(pile, state, joint) &&
           (pile.bodies[j.a].is_free() || pile.bodies[j.b].is_free());
}

double joint_coordinate(const JointModel& joint, const BodyState& a, const BodyState& b,
                        double last)
{
    constexpr double kTurn = 6.283185307179586;
    const JointPlace place(joint, a, b);
    if (joint.pair.kind != PairLaw::Kind::none)
        return pair_angle(joint.pair, frames_of(place), last);
    const Vec3 way = place.at_b - place.at_a;
    if (joint.kind == JointKind::distance)
        return length(way);
    if (joint.kind == JointKind::slider)
        return dot(way, place.axis);
    const Quat turn = conjugate(place.q_a) * place.q_b;
    const double angle = 2 * atan2(turn.x, turn.w);
    return angle + kTurn * round((last - angle) / kTurn);
}

namespace {

/// What a force of size f at an arm r turns a body back with, for each radian about an axis: f |r|
/// across the arm, nothing about it.
Mat3 restoring_torque(double f, const Vec3& r)
{
    const double size = length(r);
    if (!(size > 0))
        return Mat3{};
    const Vec3 along = r / size;
    const auto column = [&](const Vec3& e) { return (e - along * dot(along, e)) * (f * size); };
    return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

double largest_eigenvalue(const Mat3& symmetric)
{
    const Vec3 values = principal_axes(symmetric).moments;
    return max(values.x, max(values.y, values.z));
}

} // namespace

void slow_down_links(const Pile& pile, const PileState& state, double h,
                     std::span<const Quat> turned, std::vector<SolverBody>& bodies,
                     std::vector<double>& haste)
{
    haste.assign(pile.bodies.size(), 0.0);
    std::vector<Mat3> pull(pile.bodies.size()); // in the bodies' frames
    for (Mat3& S : pull)
        S = Mat3{};
    for (std::size_t j = 0; j < pile.joints.size(); ++j) {
        if (!is_in_force(pile, state, j))
            continue;
        const JointModel& joint = pile.joints[j];
        const double force = h * h * length(state.joints[j].force);
        pull[joint.a] = pull[joint.a] + restoring_torque(force, joint.in_a.translation);
        pull[joint.b] = pull[joint.b] + restoring_torque(force, joint.in_b.translation);
    }
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Vec3& I = pile.bodies[i].inertia;
        const Mat3& S = pull[i];
        if (!pile.bodies[i].is_free() || S.x.x + S.y.y + S.z.z <= min(I.x, min(I.y, I.z)))
            continue;
        const Mat3 root = Mat3::diagonal({1 / sqrt(I.x), 1 / sqrt(I.y), 1 / sqrt(I.z)});
        haste[i] = largest_eigenvalue(root * S * root);
        if (const double lacking = largest_eigenvalue(S - Mat3::diagonal(I)); lacking > 0)
            set_response(pile.bodies[i], turned[i], bodies[i], lacking);
    }
}

void make_joint_rows(const Pile& pile, const PileState& state, std::uint32_t index, double h,
                     const std::vector<SolverBody>& bodies, JointRows& rows)
{
    const JointModel& joint = pile.joints[index];
    const JointState& kept = state.joints[index];
    const BodyState &now_a = state.bodies[joint.a], &now_b = state.bodies[joint.b];
    const auto at = [&](std::uint32_t i, double t) {
        return advanced(pile.bodies[i], state.bodies[i], t);
    };
    rows.a = joint.a;
    rows.b = joint.b;
    rows.joint = index;
    rows.stiffness = kept.stiffness;
    // What whirls faster than a step can follow is not extrapolated: that would drive it on.
    const double fastest =
        h * max(turn_rate(joint, now_a, joint.in_a), turn_rate(joint, now_b, joint.in_b));
    const double ahead = h * min(1.0, kMostTurn / max(fastest, kMostTurn));
    rows.turn = fastest;
    rows.is_followed = fastest < kMostTurn;
    rows.is_gyroscope =
        is_gyroscope(joint, now_a, joint.in_a) || is_gyroscope(joint, now_b, joint.in_b);
    const BodyState mid_a = at(joint.a, 0.5 * ahead), mid_b = at(joint.b, 0.5 * ahead);
    const BodyState end_a = at(joint.a, ahead), end_b = at(joint.b, ahead);
    const JointPlace mid(joint, mid_a, mid_b);
    JointRows end;
    end.last = rows.last = kept.coordinate;
    lay_rows(joint, JointPlace(joint, end_a, end_b, mid.across), end);
    lay_rows(joint, mid, rows);
    for (std::size_t i = 0; i < rows.count; ++i) {
        rows.before[i] = row_velocity_of(rows.row[i], mid_a, mid_b);
        rows.row[i].bias =
            bias_of(row_velocity_of(end.row[i], end_a, end_b) - rows.before[i], rows.before[i]);
    }
    const SolverBody &a = bodies[joint.a], &b = bodies[joint.b];
    scale_turns(a, b, rows);
    for (std::size_t i = 0; i < rows.count; ++i) {
        rows.row[i].bias *= rows.arm[i];
        rows.before[i] *= rows.arm[i];
        rows.row[i].impulse = kept.impulse[i];
    }
    rows.drive_arm = rows.count > 0 ? rows.arm[rows.count - 1] : 1;
    for (std::size_t i = rows.equal_count; i < rows.count; ++i)
        rows.row[i].response = response_of(rows.row[i], rows.row[i], a, b);
    if (rows.count > rows.equal_count)
        set_bounds(joint, JointPlace(joint, now_a, now_b),
                   joint_coordinate(joint, now_a, now_b, kept.coordinate), h, rows);
    for (std::size_t i = rows.equal_count; i < rows.count; ++i)
        rows.row[i].impulse = std::clamp(rows.row[i].impulse, rows.row[i].low, rows.row[i].high);
    if (rows.count > rows.first_drive && is_motorised(joint) && has_free_row(joint) &&
        joint.most_force == 0)
        ++rows.equal_count;
    update_responses(a, b, rows);
}

double update_biases(const Pile& pile, const PileState& state, double h,
                     const std::vector<SolverBody>& bodies, bool touches_nothing, JointRows& rows)
{
    constexpr double kPull = 0.4; // of what a row is off by: 0 keeps the energy, and every error
    if (!rows.is_followed)
        return 0;
    const JointModel& joint = pile.joints[rows.joint];
    const auto moving = [&](std::uint32_t i) { // in the middle, as solved for
        BodyState mid = advanced(pile.bodies[i], state.bodies[i], 0.5 * h);
        if (pile.bodies[i].is_free()) {
            mid.v = bodies[i].v;
            mid.w = bodies[i].w;
        }
        return mid;
    };
    const BodyState mid_a = moving(joint.a), mid_b = moving(joint.b);
    const BodyState end_a = advanced(pile.bodies[joint.a], mid_a, 0.5 * h);
    const BodyState end_b = advanced(pile.bodies[joint.b], mid_b, 0.5 * h);
    JointRows end;
    end.last = rows.last;
    lay_rows(joint, JointPlace(joint, end_a, end_b, JointPlace(joint, mid_a, mid_b).across), end);
    double most = 0;
    for (std::size_t i = 0; i < rows.first_drive; ++i) {
        const double wanted = rows.arm[i] * row_velocity_of(end.row[i], end_a, end_b) -
                              row_velocity_of(rows.row[i], mid_a, mid_b);
        const double before = rows.before[i];
        const double next = rows.is_gyroscope && touches_nothing
                                ? before + kPull * (wanted - before)
                                : bias_of(wanted, before);
        most = max(most, abs(next - rows.row[i].bias));
        rows.row[i].bias = next;
    }
    return most;
}

void make_equal_rows(const JointModel& joint, const BodyState& a, const BodyState& b,
                     JointRows& rows)
{
    const JointPlace place(joint, a, b);
    RowMaker maker(place, rows);
    add_equal_rows(joint, place, rows.last, maker);
    if (joint.kind == JointKind::distance && !has_rope_limits(joint))
        add_free_row(joint, place, maker);
    rows.equal_count = rows.first_drive = rows.count;
}

bool is_within_limits(const JointModel& joint, const BodyState& a, const BodyState& b, double last)
{
    const double q = joint_coordinate(joint, a, b, last);
    if (joint.kind != JointKind::ball)
        return q >= joint.low && q <= joint.high;
    const JointPlace place(joint, a, b);
    const Vec3 axis_b = rotate(place.q_b, Vec3{1, 0, 0});
    const double swing = atan2(length(cross(place.axis, axis_b)), dot(place.axis, axis_b));
    return swing <= joint.cone && abs(q) <= joint.twist;
}

void make_error_rows(const Pile& pile, const PileState& state, std::uint32_t index, JointRows& rows)
{
    JointModel joint = pile.joints[index];
    joint.has_motor = joint.has_servo = false; // they do not hold a place
    joint.stiffness = joint.damping = joint.friction = 0;
    const BodyState &now_a = state.bodies[joint.a], &now_b = state.bodies[joint.b];
    rows.a = joint.a;
    rows.b = joint.b;
    rows.last = state.joints[index].coordinate;
    lay_rows(joint, JointPlace(joint, now_a, now_b), rows);
    SolverBody a{}, b{};
    set_response(pile.bodies[joint.a], now_a.q, a);
    set_response(pile.bodies[joint.b], now_b.q, b);
    scale_turns(a, b, rows);
    if (rows.count > rows.equal_count)
        set_bounds(joint, JointPlace(joint, now_a, now_b),
                   joint_coordinate(joint, now_a, now_b, state.joints[index].coordinate), 1, rows);
    for (std::size_t i = 0; i < rows.count; ++i)
        rows.row[i].response = max(response_of(rows.row[i], rows.row[i], a, b), 1e-300);
}

void relax(JointRows& rows, SolverBody& a, SolverBody& b)
{
    double w[JointRows::kMost], change[JointRows::kMost] = {};
    for (std::size_t i = 0; i < rows.count; ++i)
        w[i] = row_velocity(rows.row[i], a, b) + rows.row[i].bias +
               rows.row[i].give * rows.row[i].impulse;
    const auto solve = [&](std::size_t n, const auto& inverse) {
        for (std::size_t i = 0; i < n; ++i) {
            change[i] = 0;
            for (std::size_t j = 0; j < n; ++j)
                change[i] -= inverse[i][j] * w[j];
        }
    };
    const std::size_t held = rows.equal_count;
    bool is_within = true;
    if (rows.count > held) {
        solve(rows.count, rows.all_inverse);
        // Motor and limit of one axis are the same row twice: then one by one.
        for (std::size_t i = held; i < rows.count; ++i) {
            const double next = rows.row[i].impulse + change[i];
            is_within = is_within && next >= rows.row[i].low && next <= rows.row[i].high;
        }
        is_within = is_within && rows.count == held + 1;
    } else {
        solve(held, rows.equal_inverse);
    }
    if (!is_within) {
        for (std::size_t i = held; i < rows.count; ++i) {
            JointRow& row = rows.row[i];
            const double next = std::clamp(row.impulse - w[i] / row.response, row.low, row.high);
            change[i] = next - row.impulse;
            for (std::size_t j = 0; j < rows.count; ++j)
                w[j] += rows.K[j][i] * change[i];
        }
        solve(held, rows.equal_inverse);
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
        rows.row[i].impulse += change[i];
        push(rows.row[i], change[i], a, b);
    }
}

double residual_of(const JointRows& rows, const SolverBody& a, const SolverBody& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < rows.count; ++i) {
        const JointRow& row = rows.row[i];
        const double off = row_velocity(row, a, b) + row.bias + row.give * row.impulse;
        const double wanted = row.impulse - off / row.response;
        worst = max(worst, abs(std::clamp(wanted, row.low, row.high) - row.impulse) * row.response);
    }
    return worst;
}

void add_spring_forces(const Pile& pile, const PileState& state, std::size_t index, double h,
                       std::vector<BodyForce>& forces)
{
    const JointModel& joint = pile.joints[index];
    if (!joint.has_spring() || !has_free_row(joint) || !is_in_force(pile, state, index))
        return;
    const BodyState &now_a = state.bodies[joint.a], &now_b = state.bodies[joint.b];
    JointRows rows;
    RowMaker maker(JointPlace(joint, now_a, now_b), rows);
    add_free_row(joint, JointPlace(joint, now_a, now_b), maker);
    const JointRow& row = rows.row[0];
    SolverBody a{}, b{};
    set_response(pile.bodies[joint.a], now_a.q, a);
    set_response(pile.bodies[joint.b], now_b.q, b);
    const double q = joint_coordinate(joint, now_a, now_b, state.joints[index].coordinate);
    const double w = row_velocity_of(row, now_a, now_b) - joint.target_speed;
    const double grip = h * joint.stiffness + joint.damping;
    const double pull = -(joint.stiffness * (q - joint.target) + grip * w) /
                        (1 + h * grip * response_of(row, row, a, b));
    if (pile.bodies[joint.b].is_free())
        forces.push_back({joint.b, row.l * pull, row.turn_b * pull});
    if (pile.bodies[joint.a].is_free())
        forces.push_back({joint.a, row.l * -pull, row.turn_a * -pull});
}

int keep_joint(const JointModel& joint, const JointRows& rows, double h, JointState& state)
{
    Vec3 force{0, 0, 0}, torque{0, 0, 0};
    for (std::size_t i = 0; i < rows.count; ++i) {
        const JointRow& row = rows.row[i];
        state.impulse[i] = row.impulse;
        force += row.l * (row.impulse / h);
        if (row.l == Vec3{0, 0, 0})
            torque += row.turn_b * (row.impulse / h);
    }
    state.stiffness = rows.stiffness;
    state.force = force;
    state.torque = torque;
    state.drive = 0;
    for (std::size_t i = rows.first_drive; i < rows.count; ++i)
        state.drive += rows.row[i].impulse / h * rows.drive_arm;
    if (!(length(force) > joint.breaks) && !(length(torque) > joint.breaks_torque))
        return 0;
    state = {.is_broken = true};
    return 1;
}

} // namespace sinew
