#pragma once

/// The equations of bodies whose joints hold exactly,
///
///     [H  Jᵀ] [ d ]   [ r ]
///     [J  0 ] [−μ] = [−e]                                                [notes: rigid, eq. 8]
///
/// one vertex of six numbers for each body and one for the rows of each joint: factored by fronts,
/// in linear time where bodies and joints form trees.
///
///   symbol | code       | unit     | meaning
///   -------|------------|----------|------------------------------------------------------
///   H      | add_body   | kg, kg m²| masses, and how stiff contacts are
///   J      | set_row    | 1, m     | rows of joints
///   r, e   | body, rows | N s, m/s | what moves the bodies; how far the rows are off

#include "models/rigid/joints/joints.h"
#include "solve/linear/sparse/front_ldl.h"

#include <memory>
#include <span>
#include <vector>

namespace sinew {

class JointedFactor {
public:
    static constexpr std::uint32_t kFixed = 0xffffffff;
    using Matrix = double[6][6];

    /// A joint: nodes of its bodies, kFixed for what is not solved for, and how many rows.
    struct Joint {
        std::uint32_t a = 0, b = 0, rows = 0;

        bool operator==(const Joint&) const = default;
    };

    /// Plans for bodies with links between some of them; nothing happens where the plan is the
    /// one before.
    void plan(std::uint32_t bodies, std::span<const BlockCholesky::Link> links,
              std::span<const Joint> joints);

    double cost() const { return plan_.cost; }

    void clear();
    void add_body(std::uint32_t i, const Matrix& S);
    /// Adds S to the block in row a, column b, and its transpose to b, a.
    void add_link(std::uint32_t a, std::uint32_t b, const Matrix& S);
    void set_row(std::size_t joint, std::size_t k, const JointRow& row);

    /// False when H is not positive.
    bool factor();

    /// In: r and −e. Out: d and μ. The rows of joints follow each other.
    void solve(std::span<Row6> bodies, std::span<double> rows);

    std::size_t row_count() const { return row_count_; }

private:
    void make_pattern(std::uint32_t bodies);
    void make_plan();
    void solve_once(std::vector<double>& x);

    BlockPattern pattern_;
    FrontPlan plan_;
    std::unique_ptr<FrontLdl> ldl_;
    std::vector<BlockCholesky::Link> links_; ///< ascending, each once
    std::vector<BlockCholesky::Link> given_; ///< as they came
    std::vector<Joint> joints_;
    std::vector<std::uint32_t> body_, link_, side_a_, side_b_; ///< where their numbers begin
    std::size_t row_count_ = 0, body_count_ = 0;
    std::vector<double> values_, side_, x_, left_;
};

} // namespace sinew
