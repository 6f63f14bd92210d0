// Joints of an island that hold exactly: velocities go to the nearest ones, in the metric of
// masses, at which no row is off.                                                       [eq. 8]

#include "models/rigid/islands/island_solver.h"

#include <algorithm>

namespace sinew {

/// Entries of other islands' bodies are never looked at.
void IslandSolver::number_members()
{
    if (node_.size() != pile_->bodies.size())
        node_.assign(pile_->bodies.size(), kFixed);
    for (std::uint32_t k = 0; k < members.size(); ++k)
        node_[members[k]] = k;
}

void IslandSolver::find_held()
{
    held_.clear();
    held_joints_.clear();
    stiff_ = nullptr;
    are_masses_factored_ = false;
    if (joints.empty())
        return;
    number_members();
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const JointRows& rows = *joints[j];
        if (rows.equal_count == 0)
            continue;
        held_.push_back({node_[rows.a], node_[rows.b], std::uint32_t(rows.equal_count)});
        held_joints_.push_back(j);
    }
    set_inertia();
}

std::size_t IslandSolver::held_row_count() const
{
    std::size_t count = 0;
    for (const JointedFactor::Joint& joint : held_)
        count += joint.rows;
    return count;
}

void IslandSolver::set_held_rows(JointedFactor& factor)
{
    for (std::size_t j = 0; j < held_joints_.size(); ++j) {
        const JointRows& rows = *joints[held_joints_[j]];
        for (std::size_t k = 0; k < rows.equal_count; ++k)
            factor.set_row(j, k, rows.row[k]);
    }
}

bool IslandSolver::factor_masses()
{
    ++factor_count;
    masses_ = &(*plans_)[members[0]].masses;
    masses_->plan(std::uint32_t(members.size()), {}, held_);
    masses_->clear();
    for (std::uint32_t n = 0; n < members.size(); ++n) {
        Matrix6 M = {};
        masses_->add_body(n, mass_block(n, M));
    }
    set_held_rows(*masses_);
    return masses_->factor();
}

/// −(w + b) of the rows; returns the largest.
double IslandSolver::held_errors(std::vector<double>& errors) const
{
    double worst = 0;
    errors.clear();
    for_each_held([&](const JointRows& rows, const JointRow& row, std::size_t) {
        errors.push_back(-(row_velocity(row, body(rows.a), body(rows.b)) + row.bias));
        worst = max(worst, abs(errors.back()));
    });
    return worst;
}

/// Impulses of the rows that always hold, so that they do; those of contacts, motors and limits
/// stay. Once more for what rounding, or rows that say the same twice, left.
void IslandSolver::hold_joints()
{
    constexpr int kMostPasses = 3;
    constexpr double kExact = 1e-5; // of the tolerance
    for (int pass = 0; !held_.empty() && pass < kMostPasses; ++pass) {
        if (held_errors(held_error_) <= kExact * settings_.tolerance)
            return;
        if (!are_masses_factored_ && !factor_masses())
            return;
        are_masses_factored_ = true;
        right_.assign(members.size(), Row6{});
        masses_->solve(right_, held_error_);
        ++solve_count;
        for_each_held([&](const JointRows& rows, JointRow& row, std::size_t i) {
            row.impulse += held_error_[i];
            push(row, held_error_[i], body(rows.a), body(rows.b));
        });
    }
}

} // namespace sinew
