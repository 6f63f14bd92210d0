#include "models/rigid/joints/joint_tree.h"

namespace sinew {

namespace {

constexpr std::uint32_t kFixed = JointedFactor::kFixed;

} // namespace

JointTree::JointTree(std::uint32_t bodies, std::span<const JointedFactor::Joint> joints)
    : nodes_(bodies)
{
    reach(joints);
    find_loops(joints);
}

/// Nearest to what is fixed first; bodies that nothing holds to it begin trees of their own.
void JointTree::reach(std::span<const JointedFactor::Joint> joints)
{
    std::vector<std::vector<std::uint32_t>> of_body(nodes_.size());
    std::vector<char> is_reached(nodes_.size(), 0);
    const auto take = [&](std::uint32_t body, std::uint32_t parent, std::uint32_t joint) {
        if (is_reached[body])
            return;
        is_reached[body] = 1;
        nodes_[body] = {parent, joint, parent == kNone ? 0 : nodes_[parent].depth + 1};
        reached_.push_back(body);
    };
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
        const auto [a, b, rows] = joints[j];
        if (a != kFixed && b != kFixed) {
            of_body[a].push_back(j);
            of_body[b].push_back(j);
        } else if (a != kFixed || b != kFixed) {
            take(a != kFixed ? a : b, kNone, j);
        }
    }
    std::size_t next = 0;
    for (std::uint32_t root = 0; root <= nodes_.size(); ++root) {
        for (; next < reached_.size(); ++next) {
            const std::uint32_t body = reached_[next];
            for (const std::uint32_t j : of_body[body])
                take(joints[j].a == body ? joints[j].b : joints[j].a, body, j);
        }
        if (root < nodes_.size())
            take(root, kNone, kNone);
    }
}

void JointTree::find_loops(std::span<const JointedFactor::Joint> joints)
{
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
        const auto [a, b, rows] = joints[j];
        const auto owns = [&](std::uint32_t body) {
            return body != kFixed && nodes_[body].joint == j;
        };
        if (!owns(a) && !owns(b))
            loops_.push_back({j, a, b, meeting_of(a, b)});
    }
}

/// The last body that both are reached by.
std::uint32_t JointTree::meeting_of(std::uint32_t a, std::uint32_t b) const
{
    while (a != kFixed && b != kFixed && a != b) {
        std::uint32_t& deeper = nodes_[a].depth >= nodes_[b].depth ? a : b;
        deeper = nodes_[deeper].parent; // kNone is kFixed
    }
    return a == b ? a : kNone;
}

std::vector<std::uint32_t> JointTree::order() const
{
    const auto bodies = std::uint32_t(nodes_.size());
    std::vector<std::vector<std::uint32_t>> before(nodes_.size() + 1);
    for (const Loop& loop : loops_)
        before[loop.start == kNone ? nodes_.size() : loop.start].push_back(bodies + loop.joint);
    std::vector<std::uint32_t> result;
    const auto add_loops = [&](std::size_t of) {
        result.insert(result.end(), before[of].begin(), before[of].end());
    };
    for (std::size_t k = reached_.size(); k-- > 0;) {
        const std::uint32_t body = reached_[k];
        add_loops(body);
        result.push_back(body);
        if (nodes_[body].joint != kNone)
            result.push_back(bodies + nodes_[body].joint);
    }
    add_loops(nodes_.size());
    return result;
}

std::vector<std::vector<std::uint32_t>> JointTree::needs() const
{
    const std::size_t bodies = nodes_.size();
    std::vector<std::vector<std::uint32_t>> result(bodies);
    const auto of_joint = [&](std::uint32_t joint) -> std::vector<std::uint32_t>& {
        if (result.size() <= bodies + joint)
            result.resize(bodies + joint + 1);
        return result[bodies + joint];
    };
    for (std::uint32_t i = 0; i < bodies; ++i)
        if (nodes_[i].joint != kNone)
            of_joint(nodes_[i].joint).push_back(i);
    for (const Loop& loop : loops_)
        for (std::uint32_t body : {loop.a, loop.b})
            for (; body != loop.start && body != kFixed; body = nodes_[body].parent)
                of_joint(loop.joint).push_back(body);
    return result;
}

} // namespace sinew
