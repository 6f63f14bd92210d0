#include "models/rigid/contacts/tips.h"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

/// The shape that has the corner, its body, and the corner in the shape's frame.
struct Corner {
    const BodyShape& shape;
    Vec3 place;
    bool is_of_b;
};

Corner corner_of(const Pile& pile, const ContactState& contact, std::size_t point)
{
    const Manifold& m = contact.manifold;
    return m.is_of_a ? Corner{pile.shapes[contact.shapes.b], m.point[point].on_b, true}
                     : Corner{pile.shapes[contact.shapes.a], m.point[point].on_a, false};
}

/// Which point of a patch bears all of its load, or is alone about to where nothing presses yet;
/// the count of points where it is none or several.
std::size_t bearing_point(const Patch& patch, double band)
{
    const auto count = std::size_t(patch.count);
    const auto only = [&](const auto& is_it) {
        std::size_t found = count;
        for (std::size_t i = 0; i < count; ++i)
            if (is_it(i) && std::exchange(found, i) != count)
                return count;
        return found;
    };
    const std::size_t loaded = only([&](std::size_t i) { return patch.lambda[i] > 0; });
    const bool is_idle = std::all_of(patch.lambda.begin(), patch.lambda.begin() + patch.count,
                                     [](double l) { return l == 0; });
    return is_idle ? only([&](std::size_t i) { return abs(patch.gap[i]) <= band; }) : loaded;
}

/// Whether a place of a shape is a corner, and no other place lies farther along d (shape's frame).
bool is_outermost(const CollisionShape& shape, const Vec3& place, const Vec3& d)
{
    const double nothing = 1e-6 * shape.bounding_radius;
    if (shape.kind == CollisionKind::cone) {
        const Vec3 tip = {0, shape.half.y, 0};
        const double foot = shape.radius * sqrt(d.x * d.x + d.z * d.z) - shape.half.y * d.y;
        return length(place - tip) <= nothing && foot < dot(tip, d);
    }
    if (shape.kind != CollisionKind::box && shape.kind != CollisionKind::hull)
        return false;
    bool is_corner = false;
    for (const Vec3& corner : shape.hull.vertices) {
        const bool is_it = length(corner - place) <= nothing;
        if (!is_it && dot(corner - place, d) > -nothing)
            return false;
        is_corner = is_corner || is_it;
    }
    return is_corner;
}

bool is_on_corner(const Corner& corner, const Quat& body, const Vec3& down)
{
    const Quat to_shape = conjugate(body * corner.shape.place.rotation);
    return is_outermost(*corner.shape.shape, corner.place, rotate(to_shape, down));
}

bool sticks(const Patch& patch, std::size_t point)
{
    const double most = patch.mu * patch.lambda[point];
    return patch.lambda[point] > 0 &&
           patch.f[0] * patch.f[0] + patch.f[1] * patch.f[1] < most * most;
}

} // namespace

bool make_tip(const Pile& pile, const PileState& state, const ContactState& contact,
              const Patch& patch, const StepLengths& lengths, Tip& tip)
{
    const double h = lengths.h;
    constexpr double kTurns = 0.02; // rad in a step
    const std::size_t point = bearing_point(patch, lengths.band);
    if (point >= std::size_t(patch.count) || patch.rolling > 0 ||
        (patch.lambda[point] > 0 && !sticks(patch, point)) || patch.drift != Vec3{0, 0, 0})
        return false;
    const Corner corner = corner_of(pile, contact, point);
    const std::uint32_t own = corner.is_of_b ? patch.b : patch.a;
    const std::uint32_t other = corner.is_of_b ? patch.a : patch.b;
    const BodyState &body = state.bodies[own], &base = state.bodies[other];
    if (!pile.bodies[own].is_free() || pile.bodies[other].is_free() || base.v != Vec3{0, 0, 0} ||
        base.w != Vec3{0, 0, 0} || !(length(body.w) * h > kTurns) ||
        !is_on_corner(corner, body.q, corner.is_of_b ? -patch.n : patch.n))
        return false;
    const Vec3 local = apply_to_point(corner.shape.place, corner.place);
    const Vec3 arm = rotate(body.q, local);
    if (length(body.v + cross(body.w, arm)) > lengths.speed)
        return false; // it lands
    const Pose in_own = {Quat{}, local};
    const Pose in_other = {Quat{}, rotate(conjugate(base.q), body.x + arm - base.x)};
    tip.joint = {.kind = JointKind::ball, .a = patch.a, .b = patch.b};
    tip.joint.in_a = corner.is_of_b ? in_other : in_own;
    tip.joint.in_b = corner.is_of_b ? in_own : in_other;
    tip.rows = {};
    tip.point = point;
    tip.rows.a = patch.a;
    tip.rows.b = patch.b;
    tip.rows.joint = kTipJoint;
    make_equal_rows(tip.joint, state.bodies[patch.a], state.bodies[patch.b], tip.rows);
    tip.rows.turn = h * length(cross(body.w, arm)) / length(arm);
    const Vec3 push = to_world(patch, patch.f[0], patch.f[1], patch.lambda[point]);
    for (int k = 0; k < 3; ++k) {
        tip.rows.row[std::size_t(k)].impulse = push[k];
        tip.rows.arm[std::size_t(k)] = 1;
    }
    return true;
}

bool take_tip(const Pile& pile, const ContactState& contact, const BodyState& end, const Tip& tip,
              Patch& patch)
{
    const auto& row = tip.rows.row;
    const Vec3 push = {row[0].impulse, row[1].impulse, row[2].impulse};
    const std::size_t point = tip.point;
    const Corner corner = corner_of(pile, contact, point);
    Patch next = patch;
    next.lambda[point] = dot(push, patch.n);
    next.f[0] = dot(push, patch.t1);
    next.f[1] = dot(push, patch.t2);
    next.f[2] = patch.x[point] * next.f[1] - patch.y[point] * next.f[0];
    if (!sticks(next, point) || !is_on_corner(corner, end.q, corner.is_of_b ? -patch.n : patch.n))
        return false;
    patch = next;
    return true;
}

} // namespace sinew
