#pragma once

#include "models/linkage/equations/constraints.h"
#include "models/linkage/equations/forces.h"
#include "models/linkage/equations/matrix.h"
#include "models/linkage/equations/recursion.h"
#include "models/linkage/motion.h"

#include <memory>
#include <span>
#include <vector>

namespace sinew {

/// More rows than this that nearly depend on others stay as the order of elimination has them.
constexpr std::size_t kMostPostponed = 400;

/// How a linkage's equations are solved: by their sparse matrix, or by a recursion over its frames
/// where nothing but frames ties it.
enum class Elimination : std::uint8_t { sparse, recursive_if_possible };

/// The equations of a linkage at an instant, and their solutions. Works in place; allocates only
/// when it is made.
///
///     [M Jᵀ; J 0] [a; λ] = [f; b]                                 [HerrWyvill90, figure 10]
///
///   symbol | code          | unit       | meaning
///   -------|---------------|------------|-------------------------------------------------------
///   M      | masses        | kg, kg m²  | Σ m PᵀP over the mass points
///   P      | partials      | m, m/rad   | how the unknowns move a point
///   J      | jacobian      | 1, m       | how the unknowns change the rows
///   a      | solution      | m/s², ...  | of the unknowns; the relays' are auxiliary
///   λ      | solution      | N          | forces in the rows
///
/// Differs from the paper: the relays take the part of its additional coordinates, so the state
/// holds the script's coordinates only; ρ JᵀJ joins M in rows that hold something without mass
/// (which changes no solution, for J a = b there), so that no pivoting is needed.
class LinkageSystem {
public:
    LinkageSystem(const LinkagePlan& plan, const MatrixPlan& matrix_plan,
                  const std::vector<ImportFunction>& imports,
                  Elimination elimination = Elimination::sparse);

    /// Looks at an instant. False when something is not finite.
    bool update(const Instant& instant, std::span<const double> memory);

    /// Factors the matrix at the instant last looked at, without the rows that the memory says are
    /// dropped. False when a direction has no mass: `singular_column` says which.
    bool factor(double tolerance = 0);

    /// Decides where it is needed which rows depend on others, notes it in the memory, and factors.
    /// For states that lie on the constraints: elsewhere dependent rows look independent.
    /// [notes: linkages, dependent rows]
    /// What was decided before stays while it is strong. `is_new`: nothing has been decided yet;
    /// else as many rows stay as there were, for a mechanism may pass a singular posture.
    bool decide_rows(std::span<double> memory, bool is_new);

    /// The same, but always, and for a given number of the script's rows.
    bool choose_rows(std::span<double> memory, std::uint32_t count);
    std::uint32_t count_rows(std::span<const double> memory) const;

    /// How far the rows last factored are from depending on each other, and axes from coinciding: 1
    /// far, 0 where they do. It falls with the square of the way to a singular posture.
    double weakest() const { return weakest_; }
    bool is_delicate() const { return weakest_row_ < 3e-5; }

    /// So near to a singular posture that J says nothing about what lies on either side of it.
    bool is_singular() const { return weakest_ < 1e-9; }

    /// Finds the weakest of the rows last factored, and of the axes.
    void update_weakest();

    /// Takes out of an error of the state what the projections take out of the state itself.
    void filter_error(std::span<double> positions, std::span<double> rates);

    /// For states far from the constraints: leaves out what is nearly dependent.
    bool factor_freely(double tolerance);
    std::uint32_t singular_column() const { return singular_column_; }
    bool is_dropped(std::uint32_t row) const { return matrix_.is_dropped(row); }

    /// Solves with the last factors; right-hand sides for the columns and the rows. The solution
    /// stands in `solution()`: columns, then multipliers.
    void solve(std::span<const double> column_side, std::span<const double> row_side);
    std::span<const double> solution() const { return solution_; }

    /// Accelerations of the state at the instant last looked at and factored; multipliers are
    /// those of J a = b, with forces from outside where there are any: at points, or on the
    /// columns.
    void solve_accelerations(std::span<double> accelerations,
                             std::span<const PointForce> outside = {},
                             std::span<const double> on_columns = {});

    /// The force on a tie's point b in the last solution; its a, if it has one, feels the opposite.
    Vec3 tie_force(const PlannedTie& tie) const;

    /// The generalised force of a tie of a coordinate in the last solution.
    double coordinate_force(const PlannedTie& tie) const
    {
        return -solution_[plan_->column_count + tie.first_row];
    }

    /// The smallest change of the unknowns, in the metric of the masses, that takes `rows` away.
    void solve_correction(std::span<const double> rows);

    /// The change of the rates that comes nearest to the given velocities of the masses and agrees
    /// with the constraints.
    void solve_velocities(std::span<const Vec3> velocities);

    const Motion& motion() const { return motion_; }
    const Constraints& constraints() const { return constraints_; }
    const LinkagePlan& plan() const { return *plan_; }

private:
    struct RowSquares {
        double point = 0, place = 0;
    };
    RowSquares squares_of(const PlannedTie& tie, std::uint32_t row) const;
    void update_grips();
    double strength(std::uint32_t row) const { return matrix_.share(row) * grip_[row]; }
    bool choose(std::span<double> dropped, std::uint32_t most, double tolerance);
    bool find_postponed(std::span<double> dropped);
    void update_remainders();
    bool check(bool is_factored);

    const LinkagePlan* plan_;
    std::span<const double> memory_; ///< of the instant
    Motion motion_;
    Constraints constraints_;
    LinkageMatrix<double> matrix_;
    std::unique_ptr<LinkageRecursion> recursion_; ///< instead of the matrix; there are no rows then
    std::vector<double> solution_, column_side_, row_side_;
    std::uint32_t singular_column_ = 0;
    double weakest_ = 1, weakest_row_ = 1;
    std::vector<double> grip_; ///< of each row: how much of what moves its ends it feels
    std::vector<std::uint32_t> postponed_; ///< rows that are nearly dependent, or left out
    std::vector<double> postponed_scale_;  ///< of their pivots
    std::vector<double> remainder_;        ///< J K⁻¹ Jᵀ of these, K without them
};

/// What a linkage's state is while it is being advanced.
struct LinkageState {
    std::span<double> x, v;   ///< of the state
    std::span<double> memory; ///< directions of distances that may vanish, then dropped rows
};

/// Moves positions onto the constraints, the shortest way in the metric of the masses. False when
/// they cannot be met. With a tolerance, rows that are nearly dependent are left out instead of
/// those that the memory says.
bool project_positions(LinkageSystem& system, double time, Side side, const LinkageState& state,
                       int most_iterations, double tolerance = 0);

/// Makes rates agree with the constraints, changing them as little as possible in the same metric.
bool project_rates(LinkageSystem& system, double time, Side side, const LinkageState& state);

/// Passes a key at which driven rates may jump: the masses keep their velocities as far as the
/// constraints allow. `velocities` is room for one vector for each mass.
bool pass_key(LinkageSystem& system, double time, const LinkageState& state,
              std::span<Vec3> velocities);

/// Σ m |ṗ⁺ − ṗ⁻|² of a key that was passed: the velocities before it, the system behind it.
double blow_of(const LinkageSystem& system, std::span<const Vec3> velocities);

/// The ties whose distance comes to zero at a key and goes away from it again: their ends may pass
/// through each other or turn back.
std::vector<std::uint32_t> find_reversals(LinkageSystem& system, double time,
                                          const LinkageState& state);

/// A start may stand in a singular posture: there more rows depend on others than anywhere else.
/// Decides them anew a little way along the motion, and keeps what was decided where it is more.
/// Requires rows decided at this state, and its factors.
void decide_rows_along(LinkageSystem& system, double time, const LinkageState& state);

/// Remembers the directions of the distances that become short at this time.
void note_directions(LinkageSystem& system, double time, const LinkageState& state);

} // namespace sinew
