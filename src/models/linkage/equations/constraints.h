#pragma once

#include "models/linkage/motion.h"

#include <span>
#include <vector>

namespace sinew {

/// The rows of a linkage at an instant: g(q, t) = 0, its rate and bias along the motion, and J.
///
///   distance f ≠ 0   |b − a| − |f| = 0                     [HerrWyvill90, dist_constraints]
///   distance 0       b − a = 0, three rows
///   short distance   b − a − f n = 0 with the direction n it had before, three rows
///   path             x − P(u) = 0, three rows, u an unknown of its own; of a point: without u
///   coordinate       q − place = 0, at a stop or stuck by friction
///   relay            w − Σ S q̇ = 0, six rows: motion of a frame from those above it
///
/// Differs from the paper: the distance itself instead of its square, so that all rows are metres.
class Constraints {
public:
    explicit Constraints(const LinkagePlan& plan);

    /// `memory`: directions of short distances, as the state keeps them.
    void update(const Motion& motion, std::span<const double> memory);

    std::span<const double> residual() const { return residual_; } ///< g
    std::span<const double> rate() const { return rate_; }         ///< dg/dt
    std::span<const double> bias() const { return bias_; }         ///< d²g/dt² with q̈ = 0
    std::span<const double> jacobian() const { return jacobian_; } ///< as LinkagePlan::row_columns

    /// How far from the origin the ends of the script's constraints are [m]: rounding grows with
    /// it.
    double magnitude() const { return magnitude_; }

    /// Largest |g| of the script's constraints [m], and its row.
    double largest_residual(std::uint32_t* row = nullptr) const;

private:
    void update_relay(const Motion& motion, const PlannedRelay& relay);
    void update_distance(const Motion& motion, const PlannedTie& tie,
                         std::span<const double> memory);
    void update_off(const Motion& motion, const PlannedTie& tie);
    void update_coincidence(const Motion& motion, const PlannedTie& tie);
    void update_coordinate(const Motion& motion, const PlannedTie& tie,
                           std::span<const double> memory);
    void update_path(const Motion& motion, const PlannedTie& tie);
    void update_path_points(const Motion& motion, const PlannedPath& path);
    void set_row(std::uint32_t row, const Jet2& g);
    double* row_values(std::uint32_t row)
    {
        return jacobian_.data() + plan_->rows[row].columns.first;
    }

    const LinkagePlan* plan_;
    std::vector<double> residual_, rate_, bias_, jacobian_;
    std::vector<std::vector<Vec3T<Jet2>>> path_points_, path_moments_; ///< in the path's frame
    std::vector<double> weights_[3];                                   ///< of a natural spline
    std::vector<double> value_partials_;
    double magnitude_ = 0;
};

/// Motion of the relays that follows from that of the state: their own unknown is the last of each
/// of their rows, with factor one.
template <class S>
void extend(const LinkagePlan& plan, std::span<const double> jacobian, std::span<S> columns)
{
    for (const PlannedRelay& relay : plan.relays)
        for (std::uint32_t i = 0; i < 6; ++i) {
            const Range own = plan.rows[relay.first_row + i].columns;
            S sum(0);
            for (std::uint32_t c = own.first; c + 1 < own.end(); ++c)
                sum -= jacobian[c] * columns[plan.row_columns[c]];
            columns[relay.first_column + i] = sum;
        }
}

/// What the memory says of a tie that may let go.
constexpr double kHolds = 0, kOffForGood = 1, kOffForNow = 2;

/// True when a tie does not hold.
inline bool is_off(const PlannedTie& tie, std::span<const double> memory)
{
    return tie.release != kNoIndex && memory[tie.release] != 0;
}

/// True when the distance of a tie is in one of its zero windows at an instant.
bool is_short(const PlannedTie& tie, const Instant& instant);

} // namespace sinew
