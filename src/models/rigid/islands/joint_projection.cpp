// Closes what joints have drifted apart: minimises ½ |δx|²_M + ½ Σ ρ (J δx + e)² with a large ρ, by
// one factorisation over the jointed bodies. Loops and long chains are no harder than one joint.

#include "models/rigid/islands/joints.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kNoNode = 0xffffffff;

void set_nodes(const Pile& pile, JointWork& work)
{
    std::vector<BlockCholesky::Link> links;
    const std::vector<std::uint32_t> before = std::move(work.members);
    work.members.clear();
    work.node.assign(pile.bodies.size(), kNoNode);
    const auto add = [&](std::uint32_t body) {
        if (!pile.bodies[body].is_free() || work.node[body] != kNoNode)
            return;
        work.node[body] = static_cast<std::uint32_t>(work.members.size());
        work.members.push_back(body);
    };
    for (const JointRows& rows : work.rows) {
        add(rows.a);
        add(rows.b);
        if (work.node[rows.a] != kNoNode && work.node[rows.b] != kNoNode)
            links.push_back({work.node[rows.a], work.node[rows.b]});
    }
    if (links == work.links && before == work.members)
        return;
    work.links = std::move(links);
    work.cholesky.plan(static_cast<std::uint32_t>(work.members.size()), work.links);
}

void set_line(const JointRow& row, const Vec3& turn, double (&j)[6])
{
    for (int k = 0; k < 3; ++k) {
        j[k] = row.l[k];
        j[3 + k] = turn[k];
    }
}

void add_masses(const Pile& pile, const PileState& state, JointWork& work)
{
    work.cholesky.clear();
    for (std::uint32_t n = 0; n < work.members.size(); ++n) {
        const Body& body = pile.bodies[work.members[n]];
        const Mat3 inertia = inertia_at(state.bodies[work.members[n]].q, body.inertia);
        Matrix6 M = {};
        for (int i = 0; i < 3; ++i) {
            M[i][i] = body.mass;
            for (int k = 0; k < 3; ++k)
                M[3 + i][3 + k] = inertia(i, k);
        }
        work.cholesky.add_diagonal(n, M);
    }
}

void add_outer(const double (&a)[6], const double (&b)[6], double factor, Matrix6& M)
{
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            M[i][k] = factor * a[i] * b[k];
}

/// A limit that is not passed is not in force.
bool is_closed(const JointRows& rows, std::size_t i)
{
    return i < rows.equal_count || rows.row[i].error != 0;
}

void add_row(const JointRows& rows, const JointRow& row, JointWork& work, std::vector<Row6>& right)
{
    constexpr double kStiff = 1e7;
    const double rho = kStiff / row.response;
    const std::uint32_t a = work.node[rows.a], b = work.node[rows.b];
    double ja[6], jb[6];
    set_line(row, row.turn_a, ja);
    set_line(row, row.turn_b, jb);
    Matrix6 M;
    if (a != kNoNode) {
        add_outer(ja, ja, rho, M);
        work.cholesky.add_diagonal(a, M);
    }
    if (b != kNoNode) {
        add_outer(jb, jb, rho, M);
        work.cholesky.add_diagonal(b, M);
    }
    if (a != kNoNode && b != kNoNode) {
        add_outer(ja, jb, -rho, M);
        work.cholesky.add_link(a, b, M);
    }
    for (int k = 0; k < 6; ++k) {
        if (a != kNoNode)
            right[a][k] += rho * row.error * ja[k];
        if (b != kNoNode)
            right[b][k] -= rho * row.error * jb[k];
    }
}

} // namespace

namespace {

/// True when something else moves what the joint holds.
bool is_taken(const Pile& pile, const PileState& state, std::size_t joint)
{
    const JointModel& j = pile.joints[joint];
    return state.rest[j.a].is_taken || state.rest[j.b].is_taken;
}

/// One linear step towards closed joints. Returns the largest error before it [m].
double close_once(const Pile& pile, PileState& state, double least, JointWork& work)
{
    work.rows.clear();
    double worst = 0;
    for (std::uint32_t j = 0; j < pile.joints.size(); ++j) {
        if (!is_in_force(pile, state, j) || is_taken(pile, state, j))
            continue;
        make_error_rows(pile, state, j, work.rows.emplace_back());
        const JointRows& rows = work.rows.back();
        for (std::size_t i = 0; i < rows.count; ++i)
            if (is_closed(rows, i))
                worst = max(worst, abs(rows.row[i].error));
    }
    if (!(worst > least))
        return worst;
    set_nodes(pile, work);
    add_masses(pile, state, work);
    std::vector<Row6> right(work.members.size(), Row6{});
    for (const JointRows& rows : work.rows)
        for (std::size_t i = 0; i < rows.count; ++i)
            if (is_closed(rows, i))
                add_row(rows, rows.row[i], work, right);
    if (!work.cholesky.factor())
        return worst;
    work.cholesky.solve(right);
    for (std::size_t n = 0; n < work.members.size(); ++n) {
        BodyState& body = state.bodies[work.members[n]];
        const Row6& d = right[n];
        body.x += Vec3{d[0], d[1], d[2]};
        body.q = normalised(exp_quat(Vec3{d[3], d[4], d[5]}) * body.q);
    }
    return worst;
}

} // namespace

double close_joints(const Pile& pile, PileState& state, const StepLengths& lengths, JointWork& work)
{
    constexpr int kMostSteps = 4; // what whirls needs more than one: turning is not linear
    const double before = close_once(pile, state, 1e-6 * lengths.unit, work);
    double left = before;
    for (int i = 1; i < kMostSteps && left > 0.1 * lengths.unit; ++i)
        left = close_once(pile, state, 0.01 * lengths.unit, work);
    return before;
}

} // namespace sinew
