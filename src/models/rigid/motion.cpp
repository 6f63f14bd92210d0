#include "models/rigid/motion.h"

#include "models/rigid/joints.h"

#include <algorithm>

namespace sinew {

namespace {

Vec3 to_body(const Quat& q, const Vec3& x) { return rotate(conjugate(q), x); }

/// ω of a body at an orientation that carries the angular momentum L.
Vec3 spin_of(const Body& body, const Quat& q, const Vec3& L)
{
    const Vec3 local = to_body(q, L);
    return rotate(q,
                  {local.x / body.inertia.x, local.y / body.inertia.y, local.z / body.inertia.z});
}

Vec3 momentum_of(const Body& body, const Quat& q, const Vec3& w)
{
    const Vec3 local = to_body(q, w);
    return rotate(q,
                  {local.x * body.inertia.x, local.y * body.inertia.y, local.z * body.inertia.z});
}

Quat turn_by(const Quat& q, const Vec3& by) { return normalised(exp_quat(by) * q); }

/// Turns with constant L for a time h: Runge and Kutta's method of order 4 on rotations
/// [MuntheKaas98], the commutator of the fourth stage left out as it is of order h⁵.
Quat turn_freely(const Body& body, const Quat& q, const Vec3& L, double h)
{
    const Vec3 k1 = spin_of(body, q, L) * h;
    const Vec3 k2 = spin_of(body, turn_by(q, k1 * 0.5), L) * h;
    const Vec3 k3 = spin_of(body, turn_by(q, k2 * 0.5 - cross(k1, k2) * 0.125), L) * h;
    const Vec3 k4 = spin_of(body, turn_by(q, k3), L) * h;
    const Vec3 sum = (k1 + k2 * 2 + k3 * 2 + k4) / 6;
    return turn_by(q, sum - cross(k1, k4) / 12);
}

bool is_ball(const Body& body)
{
    return body.inertia.x == body.inertia.y && body.inertia.y == body.inertia.z;
}

/// How many parts a step is turned in, for an angle in it [rad].
int parts_of(double angle)
{
    constexpr double kFollowed = 0.25, kMost = 32;
    return static_cast<int>(min(kMost, 1 + angle / kFollowed));
}

void turn_body(const Body& body, double h, const Vec3& w, const Vec3& mean_w, BodyState& state)
{
    constexpr double kSlow = 1e-4; // rad in a step: the axes hardly move
    if (is_ball(body) || squared_length(mean_w) * h * h < kSlow * kSlow) {
        state.q = turn_by(state.q, mean_w * h);
        state.w = w;
        return;
    }
    const Vec3 L = momentum_of(body, state.q, w), mean_L = momentum_of(body, state.q, mean_w);
    const int parts = parts_of(length(mean_w) * h);
    Quat q = state.q;
    for (int i = 0; i < parts; ++i)
        q = turn_freely(body, q, mean_L, h / parts);
    // What spins too fast to be followed keeps its axis instead: never more energy.
    constexpr double kMostGain = 1e-3;
    const double before = dot(L, w), after = dot(L, spin_of(body, q, L));
    if (!(after <= before * (1 + kMostGain))) {
        state.q = turn_by(state.q, w * h);
        state.w = w;
        return;
    }
    state.q = q;
    state.w = spin_of(body, q, L);
}

constexpr char kSwings = 2; ///< on joints alone: smooth however fast
constexpr char kFlies = 3;  // nothing touches it: forces alone change its velocity

/// Bodies none of whose loaded contacts is new.
void find_smooth(const Pile& pile, const PileState& state, std::vector<char>& is_smooth)
{
    is_smooth.assign(pile.bodies.size(), kFlies);
    for (std::size_t j = 0; j < pile.joints.size(); ++j)
        if (!state.joints[j].is_broken)
            is_smooth[pile.joints[j].a] = is_smooth[pile.joints[j].b] = kSwings;
    for (const ContactState& contact : state.contacts) {
        if (contact.manifold.count == 0 ||
            std::ranges::all_of(contact.impulse, [](double l) { return l == 0; }))
            continue;
        for (const std::uint32_t shape : {contact.shapes.a, contact.shapes.b}) {
            char& smooth = is_smooth[pile.shapes[shape].body];
            smooth = contact.age < 2 ? char(0) : std::min(smooth, char(1));
        }
    }
}

} // namespace

void move_bodies(const Pile& pile, PileState& state, const StepLengths& lengths,
                 const std::vector<SolverBody>& bodies, const std::vector<SolverBody>& after)
{
    std::vector<char> is_smooth;
    find_smooth(pile, state, is_smooth);
    const double most = 1.5 * lengths.speed, h = lengths.h;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        BodyState& now = state.bodies[i];
        if (is_asleep(state, i))
            continue;
        if (!pile.bodies[i].is_free()) {
            now.x += now.v * h;
            now.q = turn_by(now.q, now.w * h);
            continue;
        }
        const Vec3 dv = bodies[i].v - now.v, dw = bodies[i].w - now.w;
        const bool means =
            is_smooth[i] == kFlies ||
            (is_smooth[i] == kSwings && max(length(now.w), length(bodies[i].w)) * h < kMostTurn) ||
            (is_smooth[i] != 0 && squared_length(dv) < most * most);
        const double share = means ? 0.5 : 0;
        now.x += (bodies[i].v - dv * share) * h;
        now.v = after[i].v;
        turn_body(pile.bodies[i], h, after[i].w, bodies[i].w - dw * share, now);
    }
}

namespace {

/// A contact in the first-order world.
struct Push {
    std::uint32_t a, b;
    int count;
    Vec3 n;
    std::array<Vec3, 4> turn_a, turn_b;       ///< arm × n of the points
    std::array<Vec3, 4> by_a = {}, by_b = {}; ///< how bodies turn for a unit of push
    std::array<double, 4> gap, push = {}, inverse = {};
};

void set_responses(const SolverBody& a, const SolverBody& b, Push& p)
{
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        p.by_a[i] = a.inverse_inertia * p.turn_a[i];
        p.by_b[i] = b.inverse_inertia * p.turn_b[i];
        p.inverse[i] = 1 / (a.inverse_mass + b.inverse_mass + dot(p.turn_a[i], p.by_a[i]) +
                            dot(p.turn_b[i], p.by_b[i]));
    }
}

double opening(const Push& p, std::size_t i, const SolverBody& a, const SolverBody& b)
{
    return dot(p.n, b.v - a.v) + dot(p.turn_b[i], b.w) - dot(p.turn_a[i], a.w);
}

void relax_push(Push& p, SolverBody& a, SolverBody& b)
{
    const auto n = std::size_t(p.count);
    for (int inner = 0; inner < (n > 1 ? 3 : 1); ++inner)
        for (std::size_t i = 0; i < n; ++i) {
            const double left = opening(p, i, a, b) + p.gap[i];
            const double by = max(-p.push[i], -left * p.inverse[i]);
            if (by == 0)
                continue;
            p.push[i] += by;
            b.v += p.n * (by * b.inverse_mass);
            a.v -= p.n * (by * a.inverse_mass);
            b.w += p.by_b[i] * by;
            a.w -= p.by_a[i] * by;
        }
}

/// How much of a gap is to go at once: little of what rests (more keeps a wall that was hit
/// trembling), all of what is deeper than rest ever is.
double wanted_gap(double gap, const StepLengths& lengths)
{
    constexpr double kShare = 0.2, kMost = 20;
    if (gap >= 0)
        return gap;
    const double rest = min(0.0, max(gap + 0.5 * lengths.band, -lengths.unit));
    return kShare * rest + max(min(gap + lengths.unit, 0.0), -kMost * lengths.unit);
}

SolverBody body_of_mass_one(const Body& body, const BodyState& state)
{
    SolverBody unit{{0, 0, 0}, {0, 0, 0}};
    if (!body.is_free())
        return unit;
    unit.inverse_mass = 1;
    const Mat3 R = rotation_matrix(state.q);
    unit.inverse_inertia = R *
                           Mat3::diagonal({body.mass / body.inertia.x, body.mass / body.inertia.y,
                                           body.mass / body.inertia.z}) *
                           transpose(R);
    return unit;
}

} // namespace

void project(const Pile& pile, PileState& state, const StepLengths& lengths, ContactWork& work,
             PileReport& report)
{
    constexpr int kSweeps = 4, kDeepSweeps = 8;
    double worst = 0;
    for (const ContactState& contact : state.contacts)
        for (int i = 0; i < contact.manifold.count; ++i)
            worst = min(worst, contact.manifold.point[std::size_t(i)].gap);
    report.overlap = -worst;
    if (worst > -lengths.band)
        return;
    std::vector<SolverBody> bodies;
    for (std::size_t i = 0; i < pile.bodies.size(); ++i)
        bodies.push_back(is_asleep(state, i) ? SolverBody{{0, 0, 0}, {0, 0, 0}}
                                             : body_of_mass_one(pile.bodies[i], state.bodies[i]));
    std::vector<Push> pushes;
    for (const ContactState& contact : state.contacts) {
        const Manifold& m = contact.manifold;
        if (m.count == 0)
            continue;
        Push p{.a = pile.shapes[contact.shapes.a].body,
               .b = pile.shapes[contact.shapes.b].body,
               .count = m.count,
               .n = m.normal,
               .turn_a = {},
               .turn_b = {},
               .gap = {}};
        for (std::size_t i = 0; i < std::size_t(m.count); ++i) {
            const Vec3 at = (work.placed[contact.shapes.a].to_world(m.point[i].on_a) +
                             work.placed[contact.shapes.b].to_world(m.point[i].on_b)) *
                            0.5;
            p.turn_a[i] = cross(at - state.bodies[p.a].x, p.n);
            p.turn_b[i] = cross(at - state.bodies[p.b].x, p.n);
            p.gap[i] = wanted_gap(m.point[i].gap, lengths);
        }
        if (bodies[p.a].inverse_mass + bodies[p.b].inverse_mass == 0)
            continue;
        set_responses(bodies[p.a], bodies[p.b], p);
        pushes.push_back(p);
    }
    const int sweeps = worst < -2 * lengths.unit ? kDeepSweeps : kSweeps;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t k = 0; k < pushes.size(); ++k) {
            Push& p = pushes[sweep % 2 == 0 ? k : pushes.size() - 1 - k];
            relax_push(p, bodies[p.a], bodies[p.b]);
        }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!pile.bodies[i].is_free() || is_asleep(state, i))
            continue;
        state.bodies[i].x += bodies[i].v;
        if (bodies[i].w != Vec3{0, 0, 0})
            state.bodies[i].q = turn_by(state.bodies[i].q, bodies[i].w);
    }
}

} // namespace sinew
