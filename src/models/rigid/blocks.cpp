#include "models/rigid/blocks.h"

#include "math/so3.h"
#include "models/rigid/motion.h"
#include "models/rigid/riders.h"

namespace sinew {

namespace {

/// What the world does not keep: when the step began, and W and W⁻¹ as last predicted.
struct BlockScratch final : Scratch {
    double begin = 0;
    std::vector<Mat3> inertia, inverse_inertia;
    std::vector<char> is_driven;
    std::vector<Wrench> push; ///< of each body besides gravity: force, torque about its centre

    /// What stands on a body: their force where it accelerates so, and how that changes.
    struct Riding {
        BodyRiders on = {};
        Wrench push = {};
        Vec3 acceleration = {0, 0, 0}, spinning = {0, 0, 0};
        RidersFactor factor = {};
    };
    std::vector<Riding> riding;
    std::vector<int> rides; ///< of each body: which of these, or −1

    Riding* riding_of(std::size_t body) { return rides[body] < 0 ? nullptr : &riding[rides[body]]; }
};

BlockScratch& scratch_of(const Trial& trial) { return static_cast<BlockScratch&>(*trial.scratch); }

Vec3 load(const std::vector<double>& numbers, std::size_t first)
{
    return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

void store(std::vector<double>& numbers, std::size_t first, const Vec3& value)
{
    for (int k = 0; k < 3; ++k)
        numbers[first + std::size_t(k)] = value[k];
}

Quat load_turn(const std::vector<double>& x, std::size_t body)
{
    const std::size_t k = 7 * body + 3;
    return {x[k], x[k + 1], x[k + 2], x[k + 3]};
}

void store_turn(std::vector<double>& x, std::size_t body, const Quat& q)
{
    const std::size_t k = 7 * body + 3;
    x[k] = q.x, x[k + 1] = q.y, x[k + 2] = q.z, x[k + 3] = q.w;
}

Quat turned(const Quat& q, const Vec3& by) { return normalised(exp_quat(by) * q); }

Mat3 inverse_inertia_at(const Body& body, const Quat& q)
{
    return inertia_at(q, {1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z});
}

constexpr double kAnyWork = 1e30; // [J]: no gain of energy is too much

/// What riders push a body with that nothing else touches.               [notes: strands, eq. 34]
Wrench alone_with(const BlockScratch::Riding& riding, const Body& model, const Vec3& gravity,
                  const Wrench& push, double h, const BodyState& body)
{
    const Vec3 dv = (riding.acceleration - gravity - push.force / model.mass) * h;
    const Vec3 dw = (riding.spinning - inverse_inertia_at(model, body.q) * push.torque) * h;
    const BodyRiders& on = riding.on;
    const RidersFactor::Change change =
        riding.factor.solve(riding.push.force * h + on.mass * dv + transpose(on.arm) * dw,
                            riding.push.torque * h + on.arm * dv + on.inertia * dw);
    return {inertia_at(body.q, model.inertia) * (change.w / h), change.v * (model.mass / h)};
}

} // namespace

RigidBlocks::RigidBlocks(const Pile& pile) : pile_(&pile)
{
    for (std::uint32_t i = 0; i < pile.bodies.size(); ++i) {
        const Body& body = pile.bodies[i];
        const Vec3& I = body.inertia;
        const double reach = body.is_free() ? sqrt(max(I.x, max(I.y, I.z)) / body.mass) : 1;
        shapes_.push_back({.x_first = 7 * i,
                           .x_count = 7,
                           .v_first = 6 * i,
                           .v_count = 6,
                           .response = ResponseKind::body,
                           .driven = !body.is_free(),
                           .length = max(1.0, reach)});
    }
}

void RigidBlocks::prepare(std::span<const char> members, std::span<const BodyForce> forces,
                          Trial& trial) const
{
    BlockScratch& scratch = scratch_of(trial);
    for (std::size_t i = 0; i < shapes_.size(); ++i)
        scratch.is_driven[i] = shapes_[i].driven || !members[i];
    scratch.push.assign(shapes_.size(), {});
    for (const BodyForce& force : forces) {
        scratch.push[force.body].force += force.force;
        scratch.push[force.body].torque += force.torque;
    }
}

void RigidBlocks::carry(std::span<const BodyRiders> riders, const std::vector<BodyState>& bodies,
                        double h, Trial& trial) const
{
    BlockScratch& scratch = scratch_of(trial);
    scratch.rides.assign(shapes_.size(), -1);
    scratch.riding.clear();
    for (const BodyRiders& on : riders) {
        const BodyState& body = bodies[on.body];
        scratch.rides[on.body] = static_cast<int>(scratch.riding.size());
        scratch.riding.push_back({on,
                                  {on.twist / h, on.push / h},
                                  (on.v - body.v) / h,
                                  (on.w - body.w) / h,
                                  RidersFactor(pile_->bodies[on.body], body.q, on)});
    }
}

ModelState RigidBlocks::make_state(const std::vector<BodyState>& bodies) const
{
    ModelState state;
    update_state(bodies, state);
    return state;
}

void RigidBlocks::update_state(const std::vector<BodyState>& bodies, ModelState& state) const
{
    state.x.resize(7 * bodies.size());
    state.v.resize(6 * bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        store(state.x, 7 * i, bodies[i].x);
        store_turn(state.x, i, bodies[i].q);
        store(state.v, 6 * i, bodies[i].v);
        store(state.v, 6 * i + 3, bodies[i].w);
    }
}

BodyState RigidBlocks::body_of(const ModelState& state, std::size_t i) const
{
    return {.x = load(state.x, 7 * i),
            .q = load_turn(state.x, i),
            .v = load(state.v, 6 * i),
            .w = load(state.v, 6 * i + 3)};
}

std::unique_ptr<Scratch> RigidBlocks::make_scratch() const
{
    auto scratch = std::make_unique<BlockScratch>();
    scratch->inertia.resize(pile_->bodies.size());
    scratch->inverse_inertia.resize(pile_->bodies.size());
    scratch->push.resize(pile_->bodies.size());
    scratch->rides.assign(pile_->bodies.size(), -1);
    for (const BlockShape& shape : shapes_)
        scratch->is_driven.push_back(shape.driven);
    return scratch;
}

void RigidBlocks::drive(double t0, double, Trial& trial) const noexcept
{
    scratch_of(trial).begin = t0;
}

void RigidBlocks::locate(const Trial& trial, double time, std::span<const Site> sites,
                         std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::uint32_t i = sites[s].block.index;
        BodyState body = body_of(trial.state, i);
        if (scratch_of(trial).is_driven[i]) {
            const double t = time - scratch_of(trial).begin;
            body.x += body.v * t;
            body.q = turned(body.q, body.w * t);
        }
        motions[s] = {.pose = {body.q, body.x}, .twist = {body.w, body.v}, .tangent = {0, 0, 0}};
    }
}

/// v_base holds the velocity and, in place of a spin, the angular momentum at the base.
void RigidBlocks::begin_stage(const Cohort& cohort, const Stage& stage, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::size_t i = member.block, x = 7 * i, v = 6 * i;
        const Vec3& I = pile_->bodies[i].inertia;
        const BodyState now = body_of(trial.state, i);
        const Vec3 v0 = load(trial.v_start, v), w0 = load(trial.v_start, v + 3);
        const Quat q0 = load_turn(trial.x_start, i);
        const Vec3 L0 = inertia_at(q0, I) * w0;
        Vec3 x_base = load(trial.x_start, x), v_base = v0, L_base = L0;
        Quat q_base = q0;
        if (stage.index > 0) { // stands on the slopes of the stage before
            const double rest = stage.step - stage.theta, share = rest / stage.theta;
            x_base += now.v * rest;
            q_base = turned(q0, now.w * rest);
            v_base += (now.v - v0) * share;
            L_base += (inertia_at(now.q, I) * now.w - L0) * share;
        }
        store(trial.x_base, x, x_base);
        store_turn(trial.x_base, i, q_base);
        store(trial.v_base, v, v_base);
        store(trial.v_base, v + 3, L_base);
        const Vec3 w = inverse_inertia_at(pile_->bodies[i], q_base) * L_base;
        store(trial.state.v, v, v_base);
        store(trial.state.v, v + 3, w);
        store(trial.state.x, x, x_base + v_base * stage.theta);
        store_turn(trial.state.x, i, turned(q_base, w * stage.theta));
    }
}

Wrench RigidBlocks::residual(const Cohort& cohort, const Member& member, const RowSet& rows,
                             std::span<const double> impulse, double theta,
                             const Trial& trial) const
{
    const std::size_t i = member.block, v = 6 * i;
    const Body& body = pile_->bodies[i];
    const BodyState now = body_of(trial.state, i);
    const Wrench& push = scratch_of(trial).push[i];
    Wrench r;
    r.force =
        (now.v - load(trial.v_base, v) - pile_->gravity * theta) * body.mass - push.force * theta;
    r.torque =
        inertia_at(now.q, body.inertia) * now.w - load(trial.v_base, v + 3) - push.torque * theta;
    if (const BlockScratch::Riding* riding = scratch_of(trial).riding_of(i)) {
        const Vec3 begin =
            inverse_inertia_at(body, load_turn(trial.x_base, i)) * load(trial.v_base, v + 3);
        const Vec3 dv = now.v - load(trial.v_base, v) - riding->acceleration * theta;
        const Vec3 dw = now.w - begin - riding->spinning * theta;
        const BodyRiders& on = riding->on;
        r.force += on.mass * dv + transpose(on.arm) * dw - riding->push.force * theta;
        r.torque += on.arm * dv + on.inertia * dw - riding->push.torque * theta;
    }
    for (const Touch& touch : cohort.touches_of(member)) {
        r.force -= rows.direction[touch.direction].force * impulse[touch.row];
        r.torque -= rows.direction[touch.direction].torque * impulse[touch.row];
    }
    return r;
}

void RigidBlocks::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                          Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::size_t i = member.block, v = 6 * i;
        const Body& body = pile_->bodies[i];
        const Wrench r = residual(cohort, member, rows, rows.held, stage.theta, trial);
        Mat3& inverse = scratch_of(trial).inverse_inertia[i];
        inverse = inverse_inertia_at(body, load_turn(trial.state.x, i));
        if (member.is_exposed)
            scratch_of(trial).inertia[i] = inertia_at(load_turn(trial.state.x, i), body.inertia);
        Twist change{inverse * r.torque, r.force / body.mass};
        if (BlockScratch::Riding* riding = scratch_of(trial).riding_of(i)) {
            riding->factor = RidersFactor(body, load_turn(trial.state.x, i), riding->on);
            const auto [dv, dw] = riding->factor.solve(r.force, r.torque);
            change = {dw, dv};
        }
        store(trial.state.v, v, load(trial.state.v, v) - change.linear);
        store(trial.state.v, v + 3, load(trial.state.v, v + 3) - change.angular);
    }
}

void RigidBlocks::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                          Responses& responses) const noexcept
{
    for (const Member& member : cohort.members) {
        if (member.is_exposed)
            continue;
        const Mat3& inverse = scratch_of(trial).inverse_inertia[member.block];
        const double mass = pile_->bodies[member.block].mass;
        for (std::uint32_t t = 0; t < member.touch_count; ++t) {
            const Wrench& d = rows.direction[cohort.touches_of(member)[t].direction];
            Twist& response = responses.body[member.first_touch + t];
            response = {inverse * d.torque, d.force / mass};
            if (const auto* riding = scratch_of(trial).riding_of(member.block)) {
                const auto [dv, dw] = riding->factor.solve(d.force, d.torque);
                response = {dw, dv};
            }
        }
    }
}

Exposure RigidBlocks::exposure(std::uint32_t) const noexcept { return {1, 6, 0}; }

void RigidBlocks::expose(const Member& member, const Trial& trial,
                         std::span<double> values) const noexcept
{
    const Mat3& inertia = scratch_of(trial).inertia[member.block];
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            values[6 * i + j] = i < 3 || j < 3 ? (i == j) * pile_->bodies[member.block].mass
                                               : inertia(int(i) - 3, int(j) - 3);
    const auto* riding = scratch_of(trial).riding_of(member.block);
    for (int i = 0; riding && i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const auto at = [&](int row, int column) -> double& {
                return values[std::size_t(6 * row + column)];
            };
            at(i, j) += riding->on.mass(i, j);
            at(3 + i, j) += riding->on.arm(i, j);
            at(j, 3 + i) += riding->on.arm(i, j);
            at(3 + i, 3 + j) += riding->on.inertia(i, j);
        }
}

TouchWeights RigidBlocks::weigh(const Trial&, const Site&, const Wrench& unit) const noexcept
{
    return {
        0,
        1,
        {unit.force.x, unit.force.y, unit.force.z, unit.torque.x, unit.torque.y, unit.torque.z}};
}

void RigidBlocks::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                          Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::size_t i = member.block, x = 7 * i, v = 6 * i;
        Wrench sum;
        for (const Touch& touch : cohort.touches_of(member)) {
            const double by = rows.impulse[touch.row] - rows.held[touch.row];
            sum.force += rows.direction[touch.direction].force * by;
            sum.torque += rows.direction[touch.direction].torque * by;
        }
        Vec3 dv = sum.force / pile_->bodies[i].mass;
        Vec3 dw = scratch_of(trial).inverse_inertia[i] * sum.torque;
        if (const auto* riding = scratch_of(trial).riding_of(i)) {
            const RidersFactor::Change change = riding->factor.solve(sum.force, sum.torque);
            dv = change.v, dw = change.w;
        }
        if (part == Part::velocity) {
            const Vec3 after = load(trial.state.v, v) + dv;
            const Vec3 spin = load(trial.state.v, v + 3) + dw;
            store(trial.state.v, v, after);
            store(trial.state.v, v + 3, spin);
            store(trial.state.x, x, load(trial.x_base, x) + after * stage.theta);
            store_turn(trial.state.x, i, turned(load_turn(trial.x_base, i), spin * stage.theta));
        } else if (part == Part::position) {
            store(trial.state.x, x, load(trial.state.x, x) + dv);
            store_turn(trial.state.x, i, turned(load_turn(trial.state.x, i), dw));
        } else {
            store(trial.v_start, v, load(trial.v_start, v) + dv);
            store(trial.v_start, v + 3, load(trial.v_start, v + 3) + dw);
        }
    }
}

void RigidBlocks::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                          const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const std::size_t i = cohort.members[k].block;
        const Body& body = pile_->bodies[i];
        const BodyState now = body_of(trial.state, i);
        const Wrench& push = scratch_of(trial).push[i];
        const Wrench r =
            residual(cohort, cohort.members[k], rows, rows.impulse, stage.theta, trial);
        reports[k].residual = max(length(r.force), length(r.torque));
        reports[k].finite =
            is_finite(now.x) && is_finite(now.q) && is_finite(now.v) && is_finite(now.w);
        reports[k].kinetic = 0.5 * (body.mass * squared_length(now.v) +
                                    dot(now.w, inertia_at(now.q, body.inertia) * now.w));
        reports[k].potential = -body.gravity * body.mass * dot(pile_->gravity, now.x);
        reports[k].work =
            dot(push.force, now.x - load(trial.x_start, 7 * i)) +
            dot(push.torque, log_quat(now.q * conjugate(load_turn(trial.x_start, i))));
        if (scratch_of(trial).riding_of(i))
            reports[k].work = kAnyWork; // of what stands on it
    }
}

void RigidBlocks::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                                std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const std::size_t i = cohort.members[k].block;
        BodyState body = body_of(trial.state, i);
        Wrench push = scratch_of(trial).push[i];
        if (const auto* riding = scratch_of(trial).riding_of(i))
            push += alone_with(*riding, pile_->bodies[i], pile_->gravity, push, t1 - t0, body);
        fly(pile_->bodies[i], pile_->gravity + push.force / pile_->bodies[i].mass, push.torque,
            t1 - t0, body);
        store(trial.state.x, 7 * i, body.x);
        store_turn(trial.state.x, i, body.q);
        store(trial.state.v, 6 * i, body.v);
        store(trial.state.v, 6 * i + 3, body.w);
        reports[k].reached = t1;
        reports[k].steps = 1;
    }
}

} // namespace sinew
