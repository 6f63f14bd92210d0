// The laws of a contact patch, solved for one patch alone.                            [eqs 2, 3]

#include "models/rigid/contacts/patch.h"

#include "models/rigid/contacts/surfaces.h"

#include <algorithm>

namespace sinew {

namespace {

void set_frame(const Vec3& n, Patch& p)
{
    p.n = n;
    p.t1 = normalised(abs(n.x) < 0.7 ? Vec3{0, n.z, -n.y} : Vec3{-n.z, 0, n.x});
    p.t2 = cross(n, p.t1);
}

/// G of balls: what pushes across the normal turns them about the other tangent, no more.
void set_ball_response(const SolverBody& a, const SolverBody& b, Patch& p)
{
    const double light = a.inverse_mass + b.inverse_mass;
    const double turn_a = a.inverse_inertia(0, 0), turn_b = b.inverse_inertia(0, 0);
    const double arm_a = dot(p.arm_a, p.n), arm_b = dot(p.arm_b, p.n);
    const double coupled = arm_a * turn_a + arm_b * turn_b;
    for (auto& row : p.G)
        for (double& entry : row)
            entry = 0;
    p.G[0][0] = p.G[1][1] = light + arm_a * arm_a * turn_a + arm_b * arm_b * turn_b;
    p.G[2][2] = light;
    p.G[3][3] = p.G[4][4] = p.G[5][5] = turn_a + turn_b;
    p.G[0][4] = p.G[4][0] = coupled;
    p.G[1][3] = p.G[3][1] = -coupled;
}

/// G = J M⁻¹ Jᵀ at c.
void set_patch_response(const SolverBody& a, const SolverBody& b, Patch& p)
{
    if (is_ball_patch(p, a, b))
        return set_ball_response(a, b, p);
    const Vec3 axes[3] = {p.t1, p.t2, p.n};
    Vec3 turn_a[6], turn_b[6], by_a[6], by_b[6];
    for (int i = 0; i < 6; ++i) {
        turn_a[i] = i < 3 ? cross(p.arm_a, axes[i]) : axes[i - 3];
        turn_b[i] = i < 3 ? cross(p.arm_b, axes[i]) : axes[i - 3];
        by_a[i] = a.inverse_inertia * turn_a[i];
        by_b[i] = b.inverse_inertia * turn_b[i];
    }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j)
            p.G[i][j] = p.G[j][i] = dot(turn_a[i], by_a[j]) + dot(turn_b[i], by_b[j]) +
                                    (i == j && i < 3 ? a.inverse_mass + b.inverse_mass : 0);
}

void set_point_response(Patch& p)
{
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        double g[3];
        for (int k = 0; k < 3; ++k)
            g[k] = p.G[2 + k][2] + p.y[i] * p.G[2 + k][3] - p.x[i] * p.G[2 + k][4];
        for (std::size_t j = 0; j < std::size_t(p.count); ++j)
            p.K[j][i] = g[0] + p.y[j] * g[1] - p.x[j] * g[2];
    }
}

/// (K + ε)⁻¹ by Gauss and Jordan; K is symmetric, positive with ε: four points of a plane are one
/// too many.
void invert_point_response(Patch& p)
{
    const int n = p.count;
    double trace = 0, A[4][8];
    for (int i = 0; i < n; ++i)
        trace += p.K[i][i];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            A[i][j] = p.K[i][j] + (i == j ? 1e-3 * trace / n : 0);
            A[i][n + j] = i == j;
        }
    for (int c = 0; c < n; ++c) {
        const double inverse = 1 / A[c][c];
        for (int j = c; j < 2 * n; ++j)
            A[c][j] *= inverse;
        for (int r = 0; r < n; ++r) {
            const double share = A[r][c];
            for (int j = c; r != c && j < 2 * n; ++j)
                A[r][j] -= share * A[c][j];
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            p.K_inverse[i][j] = A[i][n + j];
}

/// The inverse of the response of both tangents and the twist.
void invert_friction_response(Patch& p)
{
    const double a = p.G[0][0], b = p.G[0][1], c = p.G[1][1];
    p.slip = 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
    p.turn = p.G[5][5];
    if (!p.has_twist) {
        const double inverse = 1 / (a * c - b * b);
        p.T[0][0] = c * inverse;
        p.T[1][1] = a * inverse;
        p.T[0][1] = p.T[1][0] = -b * inverse;
        p.T[0][2] = p.T[2][0] = p.T[1][2] = p.T[2][1] = p.T[2][2] = 0;
        return;
    }
    const Mat3 inverted =
        inverse(Mat3{{a, b, p.G[0][5]}, {b, c, p.G[1][5]}, {p.G[0][5], p.G[1][5], p.turn}});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            p.T[i][j] = inverted(i, j);
}

/// Changes of the normal impulses: all at once where none would pull, else a few inner sweeps.
std::array<double, 4> solve_normals(const Patch& p, std::array<double, 4> w)
{
    constexpr int kInnerSweeps = 6;
    const auto n = std::size_t(p.count);
    std::array<double, 4> change = {};
    if (n == 1)
        return {max(-p.lambda[0], -w[0] / p.K[0][0])};
    bool pulls = false;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            change[i] -= p.K_inverse[i][j] * w[j];
        pulls = pulls || p.lambda[i] + change[i] < 0;
    }
    if (!pulls)
        return change;
    change = {};
    for (int sweep = 0; sweep < kInnerSweeps; ++sweep)
        for (std::size_t i = 0; i < n; ++i) {
            const double next = max(-p.lambda[i], change[i] - w[i] / p.K[i][i]);
            const double by = next - change[i];
            change[i] = next;
            for (std::size_t j = 0; j < n; ++j)
                w[j] += p.K[j][i] * by;
        }
    return change;
}

/// Friction that stops the slip where it may; else as much as it may, against it. A scalar step and
/// the projection give the right direction of slip, a full step does not.
std::array<double, 3> solve_friction(const Patch& p, double u1, double u2, double turn)
{
    const Load load = load_of(p);
    const double most = p.mu * load.sum, most_twist = p.has_twist ? p.mu * load.turning : 0;
    std::array<double, 3> f;
    for (std::size_t i = 0; i < 3; ++i)
        f[i] = p.f[i] - (p.T[i][0] * u1 + p.T[i][1] * u2 + p.T[i][2] * turn);
    if (f[0] * f[0] + f[1] * f[1] <= most * most && abs(f[2]) <= most_twist)
        return f;
    f[0] = p.f[0] - u1 / p.slip;
    f[1] = p.f[1] - u2 / p.slip;
    if (const double size = sqrt(f[0] * f[0] + f[1] * f[1]); size > most) {
        f[0] *= most / size;
        f[1] *= most / size;
    }
    f[2] = 0;
    if (p.has_twist) {
        const double left = turn + p.G[5][0] * (f[0] - p.f[0]) + p.G[5][1] * (f[1] - p.f[1]);
        f[2] = std::clamp(p.f[2] - left / p.turn, -most_twist, most_twist);
    }
    return f;
}

} // namespace

bool is_ball_patch(const Patch& p, const SolverBody& a, const SolverBody& b)
{
    constexpr double kNothing = 1e-12;
    const auto is_ball = [&](const SolverBody& body, const Vec3& arm) {
        const Mat3& I = body.inverse_inertia;
        return body.inverse_mass == 0 ||
               (I.y.y == I.x.x && I.z.z == I.x.x && I.x.y == 0 && I.x.z == 0 && I.y.z == 0 &&
                squared_length(cross(arm, p.n)) <= kNothing * kNothing * squared_length(arm));
    };
    return p.count == 1 && is_ball(a, p.arm_a) && is_ball(b, p.arm_b);
}

Load load_of(const Patch& p)
{
    Load load;
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        load.sum += p.lambda[i];
        load.turning += p.lambda[i] * p.r[i];
    }
    return load;
}

Mat3 inertia_at(const Quat& q, const Vec3& d)
{
    if (d.x == d.y && d.y == d.z)
        return Mat3::diagonal(d);
    const Mat3 R = rotation_matrix(q);
    return Mat3{R.x * d.x, R.y * d.y, R.z * d.z} * transpose(R);
}

void set_response(const Body& body, const Quat& q, SolverBody& solver, double extra)
{
    if (!body.is_free())
        return;
    solver.inverse_mass = 1 / body.mass;
    solver.extra = extra;
    const Vec3 inertia = body.inertia + Vec3{extra, extra, extra};
    solver.inverse_inertia = inertia_at(q, {1 / inertia.x, 1 / inertia.y, 1 / inertia.z});
}

namespace {

Vec3 place_of(const Pose& body, const BodyShape& shape, const Vec3& local)
{
    return apply_to_point(body, apply_to_point(shape.place, local));
}

/// Of a surface that moves by itself, world axes.
Vec3 own_velocity_of(const BodyShape& shape, const Pose& body, const Vec3& place)
{
    const Pose X = body * shape.place;
    return own_velocity({shape.shape.get(), X.translation, rotation_matrix(X.rotation)}, place);
}

/// Points in the plane of the patch about their mean; returns it.
Vec3 set_points(const Pile& pile, const ContactState& contact, Patch& p)
{
    const BodyShape& shape_a = pile.shapes[contact.shapes.a];
    const BodyShape& shape_b = pile.shapes[contact.shapes.b];
    std::array<Vec3, 4> at;
    Vec3 c{0, 0, 0};
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        const ContactPoint& point = contact.manifold.point[i];
        at[i] = (place_of(contact.found_a, shape_a, point.on_a) +
                 place_of(contact.found_b, shape_b, point.on_b)) *
                0.5;
        c += at[i] / double(p.count);
    }
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        p.x[i] = dot(p.t1, at[i] - c);
        p.y[i] = dot(p.t2, at[i] - c);
        p.r[i] = sqrt(p.x[i] * p.x[i] + p.y[i] * p.y[i]);
    }
    return c;
}

} // namespace

PairMaterial material_of(const Pile& pile, const BodyShape& a, const BodyShape& b)
{
    const auto pair = pile.pairs.find(std::minmax({a.body, b.body}));
    if (pair != pile.pairs.end())
        return pair->second;
    PairMaterial mean{sqrt(a.friction * b.friction), max(a.bounce, b.bounce),
                      max(a.rolling, b.rolling)};
    if (a.sliding || b.sliding)
        mean.sliding = sqrt(a.sliding.value_or(a.friction) * b.sliding.value_or(b.friction));
    return mean;
}

void set_responses(const SolverBody& a, const SolverBody& b, Patch& p)
{
    set_patch_response(a, b, p);
    set_point_response(p);
    if (p.count > 1)
        invert_point_response(p);
    invert_friction_response(p);
}

void make_patch(const Pile& pile, const ContactState& contact, Patch& p)
{
    const BodyShape& shape_a = pile.shapes[contact.shapes.a];
    const BodyShape& shape_b = pile.shapes[contact.shapes.b];
    const Manifold& m = contact.manifold;
    p.a = shape_a.body;
    p.b = shape_b.body;
    p.count = m.count;
    const PairMaterial material = material_of(pile, shape_a, shape_b);
    p.mu = p.sticking = material.friction;
    p.sliding = material.sliding.value_or(material.friction);
    p.bounce = material.bounce;
    p.rolling = material.rolling;
    p.has_twist = m.count > 1;
    set_frame(
        m.is_of_a
            ? rotate(contact.found_a.rotation, rotate(shape_a.place.rotation, m.local_normal))
            : rotate(contact.found_b.rotation, rotate(shape_b.place.rotation, m.local_normal)),
        p);
    const Vec3 c = set_points(pile, contact, p);
    p.arm_a = c - contact.found_a.translation;
    p.arm_b = c - contact.found_b.translation;
    p.drift =
        own_velocity_of(shape_b, contact.found_b, c) - own_velocity_of(shape_a, contact.found_a, c);
    SolverBody a{}, b{};
    set_response(pile.bodies[p.a], contact.found_a.rotation, a);
    set_response(pile.bodies[p.b], contact.found_b.rotation, b);
    set_responses(a, b, p);
}

void update_patch(const ContactState& contact, const StepLengths& lengths, Patch& p)
{
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        p.gap[i] = contact.manifold.point[i].gap;
        p.bias[i] = max(p.gap[i] - lengths.band, 0.0) / lengths.h;
    }
    p.lambda = contact.impulse; // all of it: no point beyond the count may keep another patch's
    p.f = {dot(contact.friction, p.t1), dot(contact.friction, p.t2), contact.twist};
    p.roll = {dot(contact.roll, p.t1), dot(contact.roll, p.t2)};
    p.stiffness = contact.stiffness;
    p.struck = 0;
}

namespace {

constexpr int kSettled = 2; // steps: what has touched for so long moves by mean velocities

/// How the velocity of a place on a driven body changes in a time by which it turns.
Vec3 swept_velocity(const Body& model, const BodyState& body, const Vec3& arm, double time)
{
    if (model.is_free() || body.w == Vec3{0, 0, 0})
        return {0, 0, 0};
    return cross(body.w, rotate(exp_quat(body.w * time), arm) - arm);
}

} // namespace

void update_rubbing(const Pile& pile, const PileState& state, const StepLengths& lengths,
                    const ContactState& contact, Patch& p)
{
    constexpr double kSticks = 0.01; // of |g| h: slower ones do not slide
    const BodyShape& shape_a = pile.shapes[contact.shapes.a];
    const BodyShape& shape_b = pile.shapes[contact.shapes.b];
    const BodyState &a = state.bodies[p.a], &b = state.bodies[p.b];
    p.has_belt = shape_a.has_belt || shape_b.has_belt;
    const auto carries = [&](std::uint32_t i) {
        return !pile.bodies[i].is_free() && state.bodies[i].w != Vec3{0, 0, 0};
    };
    const bool is_carried = carries(p.a) || carries(p.b);
    if (p.has_belt || is_carried || p.was_carried) {
        const Vec3 c = contact.found_a.translation + p.arm_a;
        const double ahead = contact.age < kSettled ? 0.5 * lengths.h : lengths.h;
        const Vec3 along = rotate(b.q, shape_b.belt) - rotate(a.q, shape_a.belt) +
                           swept_velocity(pile.bodies[p.b], b, p.arm_b, ahead) -
                           swept_velocity(pile.bodies[p.a], a, p.arm_a, ahead);
        p.drift = own_velocity_of(shape_b, contact.found_b, c) -
                  own_velocity_of(shape_a, contact.found_a, c) + along - p.n * dot(p.n, along);
        p.was_carried = is_carried;
    }
    if (p.sliding == p.sticking)
        return;
    const Vec3 u = b.v - a.v + cross(b.w, p.arm_b) - cross(a.w, p.arm_a) + p.drift;
    const double slip = length(u - p.n * dot(p.n, u));
    p.mu = slip > kSticks * lengths.speed ? p.sliding : p.sticking;
}

namespace {

/// Not less than the largest response of both.
double roll_response(const Patch& p) { return p.G[3][3] + p.G[4][4]; }

/// Against rolling, as friction is against slipping.
std::array<double, 2> wanted_roll(const Patch& p, double w1, double w2)
{
    const double most = p.rolling * load_of(p).sum, by = 1 / roll_response(p);
    std::array<double, 2> roll = {p.roll[0] - w1 * by, p.roll[1] - w2 * by};
    if (const double size = sqrt(roll[0] * roll[0] + roll[1] * roll[1]); size > most) {
        roll[0] *= most / size;
        roll[1] *= most / size;
    }
    return roll;
}

void relax_roll(Patch& p, SolverBody& a, SolverBody& b)
{
    const Wrench6 U = relative_twist(p, a, b);
    const std::array<double, 2> roll = wanted_roll(p, U[3], U[4]);
    apply_wrench(p, {0, 0, 0, roll[0] - p.roll[0], roll[1] - p.roll[1], 0}, a, b);
    p.roll = roll;
}

} // namespace

void relax(Patch& p, SolverBody& a, SolverBody& b)
{
    const Wrench6 U = relative_twist(p, a, b);
    std::array<double, 4> w = {};
    bool is_idle = p.f[0] == 0 && p.f[1] == 0 && p.f[2] == 0 && p.roll[0] == 0 && p.roll[1] == 0;
    for (int i = 0; i < p.count; ++i) {
        w[std::size_t(i)] = point_velocity(p, i, U) + p.bias[std::size_t(i)];
        is_idle = is_idle && w[std::size_t(i)] >= 0 && p.lambda[std::size_t(i)] == 0;
    }
    if (is_idle)
        return;
    const std::array<double, 4> change = solve_normals(p, w);
    Wrench6 W = wrench_of(p, change, {});
    for (std::size_t i = 0; i < std::size_t(p.count); ++i)
        p.lambda[i] += change[i];
    const auto moved = [&](int row) {
        return U[std::size_t(row)] + p.G[row][2] * W[2] + p.G[row][3] * W[3] + p.G[row][4] * W[4];
    };
    const std::array<double, 3> f = solve_friction(p, moved(0), moved(1), moved(5));
    W[0] = f[0] - p.f[0];
    W[1] = f[1] - p.f[1];
    W[5] = f[2] - p.f[2];
    p.f = f;
    apply_wrench(p, W, a, b);
    if (p.rolling > 0)
        relax_roll(p, a, b);
}

void relax_friction(Patch& p, SolverBody& a, SolverBody& b)
{
    const Wrench6 U = relative_twist(p, a, b);
    const std::array<double, 3> f = solve_friction(p, U[0], U[1], U[5]);
    apply_wrench(p, {f[0] - p.f[0], f[1] - p.f[1], 0, 0, 0, f[2] - p.f[2]}, a, b);
    p.f = f;
}

double residual_of(const Patch& p, const SolverBody& a, const SolverBody& b)
{
    const Wrench6 U = relative_twist(p, a, b);
    const Load load = load_of(p);
    double worst = 0, rim = 0;
    for (int i = 0; i < p.count; ++i) {
        const auto k = std::size_t(i);
        const double w = point_velocity(p, i, U) + p.bias[k];
        worst = max(worst, abs(min(w, p.lambda[k] * p.K[k][k])));
        rim = max(rim, p.r[k]);
    }
    const double most = p.mu * load.sum;
    double g1 = p.f[0] - U[0] / p.slip, g2 = p.f[1] - U[1] / p.slip;
    if (const double size = sqrt(g1 * g1 + g2 * g2); size > most) {
        g1 *= most / size;
        g2 *= most / size;
    }
    worst =
        max(worst, p.slip * sqrt((g1 - p.f[0]) * (g1 - p.f[0]) + (g2 - p.f[1]) * (g2 - p.f[1])));
    if (p.has_twist) {
        const double most_twist = p.mu * load.turning;
        const double twist = std::clamp(p.f[2] - U[5] / p.turn, -most_twist, most_twist);
        worst = max(worst, p.turn * rim * abs(twist - p.f[2]));
    }
    if (p.rolling > 0) {
        const std::array<double, 2> roll = wanted_roll(p, U[3], U[4]);
        worst = max(worst, roll_response(p) * length(p.arm_b) *
                               sqrt((roll[0] - p.roll[0]) * (roll[0] - p.roll[0]) +
                                    (roll[1] - p.roll[1]) * (roll[1] - p.roll[1])));
    }
    return worst;
}

} // namespace sinew
