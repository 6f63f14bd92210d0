#pragma once

/// Bodies and joints as a tree, and what closes its loops: in which order their equations are
/// eliminated so that no pivot cancels, whatever the masses.
///
/// Every body is reached from what is fixed, or from one body where nothing is, by the fewest
/// joints; the last of these is its own. A body and then the rows of its own joint leave behind, on
/// the body before, what the whole branch weighs there: sums of positive matrices
/// [Featherstone08, ch. 7]. Rows of a joint that closes a loop follow when only the body is left
/// at which the loop begins: what they ask for is then how far the branches may move against each
/// other, and is nothing just where the loop says it already.

#include "models/rigid/joints/jointed_factor.h"

namespace sinew {

class JointTree {
public:
    JointTree(std::uint32_t bodies, std::span<const JointedFactor::Joint> joints);

    /// Vertices from the leaves to the roots: bodies, then joints, as JointedFactor counts them.
    std::vector<std::uint32_t> order() const;

    /// For each vertex those that it must follow so that its pivot is not zero.
    std::vector<std::vector<std::uint32_t>> needs() const;

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Node {
        std::uint32_t parent = kNone; ///< kNone: a root, or held to what is fixed
        std::uint32_t joint = kNone;  ///< its own
        std::uint32_t depth = 0;
    };

    void reach(std::span<const JointedFactor::Joint> joints);
    void find_loops(std::span<const JointedFactor::Joint> joints);
    std::uint32_t meeting_of(std::uint32_t a, std::uint32_t b) const;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> reached_; ///< bodies, roots first
    struct Loop {
        std::uint32_t joint, a, b, start; ///< where it begins: kNone: at what is fixed
    };
    std::vector<Loop> loops_;
};

} // namespace sinew
