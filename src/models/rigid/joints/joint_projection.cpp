// Closes what joints have drifted apart: minimises ½ |δx|²_M with J δx = −e, by one factorisation
// over the jointed bodies. Loops and long chains are no harder than one joint.          [eq. 8]

#include "models/rigid/joints/joint_projection.h"

#include <algorithm>

namespace sinew {

namespace {

void set_nodes(const Pile& pile, JointWork& work)
{
    work.members.clear();
    work.node.assign(pile.bodies.size(), JointedFactor::kFixed);
    const auto add = [&](std::uint32_t body) {
        if (!pile.bodies[body].is_free() || work.node[body] != JointedFactor::kFixed)
            return;
        work.node[body] = static_cast<std::uint32_t>(work.members.size());
        work.members.push_back(body);
    };
    work.shape.clear();
    for (const JointRows& rows : work.rows) {
        add(rows.a);
        add(rows.b);
        work.shape.push_back({work.node[rows.a], work.node[rows.b], std::uint32_t(rows.count)});
    }
    work.factor.plan(static_cast<std::uint32_t>(work.members.size()), {}, work.shape);
}

void add_masses(const Pile& pile, const PileState& state, JointWork& work)
{
    work.factor.clear();
    for (std::uint32_t n = 0; n < work.members.size(); ++n) {
        const Body& body = pile.bodies[work.members[n]];
        const Mat3 inertia = inertia_at(state.bodies[work.members[n]].q, body.inertia);
        JointedFactor::Matrix M = {};
        for (int i = 0; i < 3; ++i) {
            M[i][i] = body.mass;
            for (int k = 0; k < 3; ++k)
                M[3 + i][3 + k] = inertia(i, k);
        }
        work.factor.add_body(n, M);
    }
}

/// A limit that is not passed is not in force.
bool is_closed(const JointRows& rows, std::size_t i)
{
    return i < rows.equal_count || rows.row[i].error != 0;
}

/// True when something else moves what the joint holds.
bool is_taken(const Pile& pile, const PileState& state, std::size_t joint)
{
    const JointModel& j = pile.joints[joint];
    return state.rest[j.a].is_taken || state.rest[j.b].is_taken;
}

/// Rows of the joints where bodies are now, and how far they are off. Returns the largest error.
double find_errors(const Pile& pile, const PileState& state, JointWork& work)
{
    work.rows.clear();
    work.errors.clear();
    double worst = 0;
    for (std::uint32_t j = 0; j < pile.joints.size(); ++j) {
        if (!is_in_force(pile, state, j) || is_taken(pile, state, j))
            continue;
        JointRows& rows = work.rows.emplace_back();
        make_error_rows(pile, state, j, rows);
        if (rows.count == 0)
            work.rows.pop_back();
        for (std::size_t i = 0; i < rows.count; ++i) {
            const double error = is_closed(rows, i) ? rows.row[i].error : 0;
            work.errors.push_back(-error);
            if (abs(error) > worst) {
                worst = abs(error);
                work.worst = j;
            }
        }
    }
    return worst;
}

/// One linear step towards closed joints. Returns the largest error before it [m].
double close_once(const Pile& pile, PileState& state, double least, JointWork& work)
{
    const double worst = find_errors(pile, state, work);
    if (!(worst > least))
        return worst;
    set_nodes(pile, work);
    add_masses(pile, state, work);
    for (std::size_t j = 0; j < work.rows.size(); ++j)
        for (std::size_t i = 0; i < work.rows[j].count; ++i)
            if (is_closed(work.rows[j], i)) // others stay zero: they move nothing
                work.factor.set_row(j, i, work.rows[j].row[i]);
    if (!work.factor.factor())
        return worst;
    work.moved.assign(work.members.size(), Row6{});
    work.factor.solve(work.moved, work.errors);
    for (std::size_t n = 0; n < work.members.size(); ++n) {
        BodyState& body = state.bodies[work.members[n]];
        const Row6& d = work.moved[n];
        body.x += Vec3{d[0], d[1], d[2]};
        body.q = normalised(exp_quat(Vec3{d[3], d[4], d[5]}) * body.q);
    }
    return worst;
}

} // namespace

JointErrors close_joints(const Pile& pile, PileState& state, const StepLengths& lengths,
                         JointWork& work)
{
    constexpr int kMostSteps = 8; // what whirls needs more than one: turning is not linear
    const double enough = 1e-6 * lengths.unit;
    JointErrors errors{.before = close_once(pile, state, enough, work)};
    errors.after = errors.before;
    for (int i = 1; i < kMostSteps && errors.after > 0.01 * lengths.unit; ++i)
        errors.after = close_once(pile, state, enough, work);
    errors.worst = work.worst;
    return errors;
}

} // namespace sinew
