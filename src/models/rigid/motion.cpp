#include "models/rigid/motion.h"

#include "base/parallel.h"
#include "models/rigid/joints/joints.h"

#include <algorithm>
#include <atomic>

namespace sinew {

namespace {

constexpr std::size_t kPortion = 128;      // bodies or contacts that one thread takes at once
constexpr std::size_t kIslandPortion = 16; // islands, likewise

Vec3 to_body(const Quat& q, const Vec3& x) { return rotate(conjugate(q), x); }

} // namespace

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

namespace {

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

/// From q on with a constant L for a time h, in as many parts as |w| asks for.
Quat turn_on(const Body& body, Quat q, const Vec3& L, const Vec3& w, double h)
{
    const int parts = parts_of(length(w) * h);
    for (int i = 0; i < parts; ++i)
        q = turn_freely(body, q, L, h / parts);
    return q;
}

} // namespace

Quat turn_with(const Body& body, const Quat& q, const Vec3& L, double h)
{
    const Vec3 w = spin_of(body, q, L);
    return is_ball(body) ? turn_by(q, w * h) : turn_on(body, q, L, w, h);
}

namespace {

/// At q with the momentum L that was `w` before; what spins too fast to be followed keeps its axis
/// instead: never more energy.
Turned finish_turn(const Body& body, const Vec3& L, const Vec3& w, const Quat& q,
                   const Quat& otherwise)
{
    constexpr double kMostGain = 1e-3;
    const Vec3 spin = spin_of(body, q, L);
    return dot(L, spin) <= dot(L, w) * (1 + kMostGain) ? Turned{q, spin} : Turned{otherwise, w};
}

/// How a body turns in a step: ω as solved for and after impacts, at `turned`.
struct Turning {
    const Quat& turned;
    Vec3 w, after;
    bool means; ///< the step's mean counts: as it was up to `turned`, as it is from there
};

void turn_body(const Body& body, double h, const Turning& turning, BodyState& state)
{
    const Vec3 mean = turning.means ? (state.w + turning.w) * 0.5 : turning.w;
    if (!is_turning(body, mean, h)) {
        state.q = turn_by(state.q, mean * h);
        state.w = turning.after;
        return;
    }
    const bool is_half = turning.means && turning.turned != state.q; // it has turned so far already
    const Vec3& w = is_half ? turning.w : mean;
    const Vec3 L = momentum_of(body, turning.turned, w);
    const Quat q =
        is_half ? turn_on(body, turning.turned, L, w, 0.5 * h) : turn_on(body, state.q, L, w, h);
    const Turned end = finish_turn(body, momentum_of(body, turning.turned, turning.after),
                                   turning.after, q, turn_by(state.q, turning.w * h));
    state.q = end.q;
    state.w = end.w;
}

} // namespace

namespace {

/// Lowers a number that others lower too: whoever comes first, the least stays.
void lower(char& number, char to)
{
    std::atomic_ref<char> shared(number);
    for (char now = shared.load(std::memory_order_relaxed);
         now > to && !shared.compare_exchange_weak(now, to, std::memory_order_relaxed);)
        ;
}

} // namespace

void find_smooth(const Pile& pile, const PileState& state, std::span<const JointRows> joints,
                 int threads, std::vector<char>& smoothness)
{
    smoothness.assign(pile.bodies.size(), kFlies);
    for (std::size_t j = 0; j < pile.joints.size(); ++j)
        if (!state.joints[j].is_broken && !pile.joints[j].is_off)
            for (const std::uint32_t i : {pile.joints[j].a, pile.joints[j].b})
                smoothness[i] = std::min(smoothness[i], joints[j].is_followed ? kSwings : kHeld);
    for_each_portion(
        state.contacts.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            for (const ContactState& contact :
                 std::span(state.contacts).subspan(begin, end - begin)) {
                if (contact.manifold.count == 0 ||
                    std::ranges::all_of(contact.impulse, [](double l) { return l == 0; }))
                    continue;
                for (const std::uint32_t shape : {contact.shapes.a, contact.shapes.b})
                    if (const std::uint32_t i = pile.shapes[shape].body; pile.bodies[i].is_free())
                        lower(smoothness[i], contact.age < 2 ? char(0) : kHeld);
            }
        });
}

bool moves_by_mean(char smoothness, const Vec3& dv, const StepLengths& lengths)
{
    const double most = 1.5 * lengths.speed;
    return smoothness >= kSwings || (smoothness != 0 && squared_length(dv) < most * most);
}

double kinetic_energy(const Body& body, const BodyState& state)
{
    return 0.5 * (body.mass * squared_length(state.v) +
                  dot(state.w, momentum_of(body, state.q, state.w)));
}

bool is_turning(const Body& body, const Vec3& w, double h)
{
    constexpr double kSlow = 1e-4; // rad in a step: the axes hardly move
    return body.is_free() && !is_ball(body) && squared_length(w) * h * h >= kSlow * kSlow;
}

Turned turn_ahead(const Body& body, const BodyState& state, double t)
{
    if (!is_turning(body, state.w, t))
        return {turn_by(state.q, state.w * t), state.w};
    const Vec3 L = momentum_of(body, state.q, state.w);
    return finish_turn(body, L, state.w, turn_on(body, state.q, L, state.w, t),
                       turn_by(state.q, state.w * t));
}

namespace {

void move_body(const Pile& pile, std::size_t i, const StepLengths& lengths,
               const SolvedMotion& solved, char smoothness, BodyState& now)
{
    const double h = lengths.h;
    if (!pile.bodies[i].is_free()) {
        now.x += now.v * h;
        now.q = turn_by(now.q, now.w * h);
        return;
    }
    if (!solved.is_swung.empty() && solved.is_swung[i]) {
        now = solved.swung[i];
        return;
    }
    const SolverBody &body = solved.bodies[i], &after = solved.after[i];
    const Vec3 dv = body.v - now.v;
    const bool means = !solved.is_hit[i] && moves_by_mean(smoothness, dv, lengths);
    now.x += (body.v - dv * (means ? 0.5 : 0)) * h;
    now.v = after.v;
    turn_body(pile.bodies[i], h, {solved.turned[i], body.w, after.w, means}, now);
}

} // namespace

void move_bodies(const Pile& pile, PileState& state, const StepLengths& lengths, int threads,
                 const SolvedMotion& solved, std::span<const char> smoothness)
{
    for_each_portion(
        state.bodies.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                if (!is_asleep(state, i))
                    move_body(pile, i, lengths, solved, smoothness[i], state.bodies[i]);
        });
}

void fly(const Body& body, const Vec3& acceleration, const Vec3& torque, double h, BodyState& state)
{
    const Turned half = turn_ahead(body, state, 0.5 * h);
    SolverBody response{};
    set_response(body, half.q, response);
    const Vec3 w = half.w + response.inverse_inertia * torque * h;
    state.x += (state.v + acceleration * (0.5 * h)) * h;
    state.v += acceleration * h;
    turn_body(body, h, {half.q, w, w, true}, state);
}

namespace {

/// A point of a contact in the first-order world.
struct Push {
    std::uint32_t a, b;
    int count;  ///< of the points from here on that belong to one contact; 0 behind the first
    bool turns; ///< whether it turns the bodies: never where both are balls
    Vec3 n;
    Vec3 turn_a, turn_b;                     ///< arm × n
    Vec3 by_a = {0, 0, 0}, by_b = {0, 0, 0}; ///< how bodies turn for a unit of push
    double gap, push = 0, inverse = 0;
};

void set_response(const SolverBody& a, const SolverBody& b, Push& p)
{
    p.by_a = a.inverse_inertia * p.turn_a;
    p.by_b = b.inverse_inertia * p.turn_b;
    p.inverse =
        1 / (a.inverse_mass + b.inverse_mass + dot(p.turn_a, p.by_a) + dot(p.turn_b, p.by_b));
}

double opening(const Push& p, const SolverBody& a, const SolverBody& b)
{
    const double straight = dot(p.n, b.v - a.v);
    return p.turns ? straight + dot(p.turn_b, b.w) - dot(p.turn_a, a.w) : straight;
}

void relax_push(Push& p, SolverBody& a, SolverBody& b)
{
    const double left = opening(p, a, b) + p.gap;
    const double by = max(-p.push, -left * p.inverse);
    if (by == 0)
        return;
    p.push += by;
    if (b.inverse_mass > 0) { // fixed bodies are only read: other threads do so too
        b.v += p.n * (by * b.inverse_mass);
        if (p.turns)
            b.w += p.by_b * by;
    }
    if (a.inverse_mass > 0) {
        a.v -= p.n * (by * a.inverse_mass);
        if (p.turns)
            a.w -= p.by_a * by;
    }
}

/// All points of one contact, a few times where there are several.
void relax_pushes(std::span<Push> points, std::vector<SolverBody>& bodies)
{
    for (int inner = 0; inner < (points.size() > 1 ? 3 : 1); ++inner)
        for (Push& p : points)
            relax_push(p, bodies[p.a], bodies[p.b]);
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
    if (is_ball(body)) {
        const double inverse = body.mass / body.inertia.x;
        unit.inverse_inertia = Mat3::diagonal({inverse, inverse, inverse});
        return unit;
    }
    const Mat3 R = rotation_matrix(state.q);
    unit.inverse_inertia = R *
                           Mat3::diagonal({body.mass / body.inertia.x, body.mass / body.inertia.y,
                                           body.mass / body.inertia.z}) *
                           transpose(R);
    return unit;
}

} // namespace

namespace {

/// Whether a push does not turn a body: the arm r lies along it. I⁻¹ is of the size of 1/r².
bool is_still(const Vec3& by, const Vec3& arm)
{
    constexpr double kNothing = 1e-12;
    return squared_length(by) * squared_length(arm) <= kNothing * kNothing;
}

/// The points of a contact, unless nothing can close them while overlap goes.
void add_pushes(const Pile& pile, const PileState& state, const StepLengths& lengths,
                const ContactWork& work, const ContactState& contact, double farthest,
                const std::vector<SolverBody>& bodies, std::vector<Push>& pushes)
{
    const Manifold& m = contact.manifold;
    const Placed &a = work.placed[contact.shapes.a], &b = work.placed[contact.shapes.b];
    const std::uint32_t body_a = pile.shapes[contact.shapes.a].body;
    const std::uint32_t body_b = pile.shapes[contact.shapes.b].body;
    if (bodies[body_a].inverse_mass + bodies[body_b].inverse_mass == 0)
        return;
    const std::size_t first = pushes.size();
    for (std::size_t i = 0; i < std::size_t(m.count); ++i) {
        if (m.point[i].gap > farthest)
            continue;
        // The corner: its foot on the other's face was left behind by what slides fast.
        const Vec3 at = m.is_of_a ? touching_place(b, a, m.point[i].on_b, -m.normal)
                                  : touching_place(a, b, m.point[i].on_a, m.normal);
        Push p{.a = body_a,
               .b = body_b,
               .count = 0,
               .turns = true,
               .n = m.normal,
               .turn_a = cross(at - state.bodies[body_a].x, m.normal),
               .turn_b = cross(at - state.bodies[body_b].x, m.normal),
               .gap = wanted_gap(m.point[i].gap, lengths)};
        set_response(bodies[body_a], bodies[body_b], p);
        p.turns = !(is_still(p.by_a, at - state.bodies[body_a].x) &&
                    is_still(p.by_b, at - state.bodies[body_b].x));
        pushes.push_back(p);
        ++pushes[first].count;
    }
}

double deepest_gap(const PileState& state, int threads, std::vector<double>& deepest)
{
    deepest.assign(state.contacts.size() / kPortion + 1, 0);
    for_each_portion(
        state.contacts.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            double& worst = deepest[begin / kPortion];
            for (std::size_t c = begin; c < end; ++c)
                for (int i = 0; i < state.contacts[c].manifold.count; ++i)
                    worst = min(worst, state.contacts[c].manifold.point[std::size_t(i)].gap);
        });
    return std::ranges::min(deepest);
}

void push_apart(int sweeps, std::vector<Push>& pushes, std::vector<SolverBody>& bodies)
{
    const auto relax_at = [&](std::size_t k) {
        if (pushes[k].count > 0)
            relax_pushes(std::span(pushes).subspan(k, std::size_t(pushes[k].count)), bodies);
    };
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t k = 0; k < pushes.size(); ++k)
            relax_at(sweep % 2 == 0 ? k : pushes.size() - 1 - k);
}

} // namespace

void project(const Pile& pile, PileState& state, const StepLengths& lengths, int threads,
             const ContactWork& work, const BodyIslands& islands, Projection& room,
             PileReport& report)
{
    constexpr int kSweeps = 4, kDeepSweeps = 8;
    constexpr double kFarthest = 10; // overlaps: nothing is pushed so far
    const double worst = deepest_gap(state, threads, room.deepest);
    report.overlap = -worst;
    if (worst > -lengths.band)
        return;
    std::vector<SolverBody>& bodies = room.bodies;
    bodies.resize(pile.bodies.size());
    for_each_portion(bodies.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            bodies[i] = is_asleep(state, i) ? SolverBody{{0, 0, 0}, {0, 0, 0}}
                                            : body_of_mass_one(pile.bodies[i], state.bodies[i]);
    });
    const int sweeps = worst < -2 * lengths.unit ? kDeepSweeps : kSweeps;
    const std::size_t count = islands.list.size();
    for_each_portion(count, kIslandPortion, threads, [&](std::size_t begin, std::size_t end) {
        std::vector<Push> pushes;
        for (std::size_t k = begin; k < end; ++k) {
            pushes.clear();
            for (const std::uint32_t c : islands.contacts_of(islands.list[k]))
                add_pushes(pile, state, lengths, work, state.contacts[c], -kFarthest * worst,
                           bodies, pushes);
            push_apart(sweeps, pushes, bodies);
        }
    });
    for_each_portion(bodies.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!pile.bodies[i].is_free() || is_asleep(state, i))
                continue;
            state.bodies[i].x += bodies[i].v;
            if (bodies[i].w != Vec3{0, 0, 0})
                state.bodies[i].q = turn_by(state.bodies[i].q, bodies[i].w);
        }
    });
}

} // namespace sinew
