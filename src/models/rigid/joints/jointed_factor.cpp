#include "models/rigid/joints/jointed_factor.h"

#include "models/rigid/joints/joint_tree.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kGive = 1e-6; // of rows in loops that say much twice: solved again, they hold

} // namespace

void JointedFactor::plan(std::uint32_t bodies, std::span<const BlockCholesky::Link> links,
                         std::span<const Joint> joints)
{
    if (ldl_ && bodies == body_count_ && std::ranges::equal(links, given_) &&
        std::ranges::equal(joints, joints_))
        return;
    given_.assign(links.begin(), links.end());
    joints_.assign(joints.begin(), joints.end());
    links_.clear();
    for (const BlockCholesky::Link& link : links)
        links_.push_back({std::max(link.a, link.b), std::min(link.a, link.b)});
    std::ranges::sort(links_);
    links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
    make_pattern(bodies);
    make_plan();
    ldl_ = std::make_unique<FrontLdl>(plan_, kGive);
    values_.resize(pattern_.value_count);
    for (std::vector<double>* vector : {&side_, &x_, &left_})
        vector->resize(pattern_.size());
}

void JointedFactor::make_pattern(std::uint32_t bodies)
{
    body_count_ = bodies;
    pattern_.clear();
    for (std::vector<std::uint32_t>* list : {&body_, &link_, &side_a_, &side_b_})
        list->clear();
    for (std::uint32_t i = 0; i < bodies; ++i)
        body_.push_back(pattern_.add_block(pattern_.add_vertex(6, i, false), i));
    for (const BlockCholesky::Link& link : links_)
        link_.push_back(pattern_.add_block(link.a, link.b));
    row_count_ = 0;
    for (const Joint& joint : joints_) {
        row_count_ += joint.rows;
        const std::uint32_t rows = pattern_.add_vertex(joint.rows, bodies, true);
        pattern_.add_block(rows, rows);
        side_a_.push_back(joint.a == kFixed ? kFixed : pattern_.add_block(rows, joint.a));
        side_b_.push_back(joint.b == kFixed ? kFixed : pattern_.add_block(rows, joint.b));
    }
}

/// From the leaves to the root no pivot cancels, but contacts between branches may fill: then an
/// order that fills little, with rows behind what they need.
void JointedFactor::make_plan()
{
    constexpr double kCheap = 1e4; // multiplications a vertex: as a chain, or a few loops
    constexpr double kWorth = 4;   // times the cost for pivots without cancellation
    const JointTree tree(std::uint32_t(body_count_), joints_);
    plan_ = FrontPlan(pattern_, tree.order());
    if (plan_.cost <= kCheap * double(pattern_.vertices.size()))
        return;
    FrontPlan narrow(pattern_, find_block_order(pattern_, tree.needs()));
    if (plan_.cost > kWorth * narrow.cost)
        plan_ = std::move(narrow);
}

void JointedFactor::clear() { std::ranges::fill(values_, 0.0); }

void JointedFactor::add_body(std::uint32_t i, const Matrix& S)
{
    double* to = &values_[body_[i]];
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            *to++ += S[r][c];
}

void JointedFactor::add_link(std::uint32_t a, std::uint32_t b, const Matrix& S)
{
    const BlockCholesky::Link link{std::max(a, b), std::min(a, b)};
    const auto at = std::ranges::lower_bound(links_, link);
    double* to = &values_[link_[std::size_t(at - links_.begin())]];
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            *to++ += a > b ? S[r][c] : S[c][r];
}

void JointedFactor::set_row(std::size_t joint, std::size_t k, const JointRow& row)
{
    const auto write = [&](std::uint32_t first, const Vec3& turn, double sign) {
        if (first == kFixed)
            return;
        double* to = &values_[first + 6 * k];
        for (int i = 0; i < 3; ++i) {
            to[i] = sign * row.l[i];
            to[3 + i] = sign * turn[i];
        }
    };
    write(side_a_[joint], row.turn_a, -1);
    write(side_b_[joint], row.turn_b, 1);
}

bool JointedFactor::factor() { return ldl_->factor(values_); }

/// Twice, the second time for what rounding left of the first.
void JointedFactor::solve_once(std::vector<double>& x)
{
    ldl_->solve(x);
    std::ranges::fill(left_, 0.0);
    add_product(pattern_, values_, x, left_);
    for (std::size_t i = 0; i < left_.size(); ++i)
        left_[i] = side_[i] - left_[i];
    ldl_->solve(left_);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += left_[i];
}

void JointedFactor::solve(std::span<Row6> bodies, std::span<double> rows)
{
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k)
            side_[6 * i + k] = bodies[i][k];
    const std::size_t first = 6 * bodies.size();
    std::ranges::copy(rows, side_.begin() + std::ptrdiff_t(first));
    x_ = side_;
    solve_once(x_);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k)
            bodies[i][k] = x_[6 * i + k];
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = -x_[first + i];
}

} // namespace sinew
