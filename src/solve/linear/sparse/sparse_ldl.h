#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

/// Where an entry of a symmetric matrix stands; either triangle, each pair once.
struct MatrixEntry {
    std::uint32_t row = 0, column = 0;

    auto operator<=>(const MatrixEntry&) const = default;
};

/// An order of elimination with little fill for a symmetric pattern (approximate minimum degree).
/// Element k of the result is the index eliminated at place k.
std::vector<std::uint32_t> find_elimination_order(std::size_t size,
                                                  std::span<const MatrixEntry> entries);

/// All that the pattern decides about the factorisation A = L D Lᵀ: computed once.
///
/// Requires every diagonal entry among `entries`, each entry once, and `order` a permutation.
class LdlPlan {
public:
    LdlPlan(std::size_t size, std::span<const MatrixEntry> entries,
            std::vector<std::uint32_t> order);

    std::size_t size() const { return order_.size(); }
    std::size_t factor_entry_count() const { return column_start_.back(); }
    double factor_cost() const; ///< about how many multiplications a factorisation takes

private:
    template <class S>
    friend class Ldl;

    void plan_rows(std::span<const MatrixEntry> entries);
    void plan_panels();

    std::vector<std::uint32_t> order_; ///< place → index
    std::vector<std::uint32_t> place_; ///< index → place
    // A by rows of its lower triangle in places: which entry of A goes to which column.
    std::vector<std::uint32_t> input_start_, input_column_, input_entry_;
    // L by rows: columns in ascending order; and where each element lies in the storage by columns.
    std::vector<std::uint32_t> row_start_, row_column_, row_slot_;
    // L by columns, without the unit diagonal.
    std::vector<std::uint32_t> column_start_, column_row_;
    // How many columns from this one on make a panel: below it they have the same rows, and a row
    // that has one has all. Columns are visited a panel at a time; 0 inside a panel.
    static constexpr std::uint32_t kWidestPanel = 4;
    std::vector<std::uint8_t> panel_width_;
    bool factors_by_panels_ = false; ///< where columns are short, one by one is faster
};

/// What a unknown is, for the signs that its pivot may have.
enum class PivotKind : std::uint8_t {
    mass,       ///< must be positive: a direction that something resists
    constraint, ///< negative, or dropped when it depends on those before it
    dropped,    ///< a constraint that is left out: its unknown becomes zero
    any
};

/// The numbers of the factorisation A = L D Lᵀ, row by row, without pivoting and without
/// allocation: the plan's order must keep the pivots away from zero. For symmetric quasi-definite
/// matrices, real or complex (then symmetric, not Hermitian).
template <class S>
class Ldl {
public:
    explicit Ldl(const LdlPlan& plan);

    /// Factors the matrix with the plan's entries. A constraint whose pivot cancels to less than
    /// `tolerance` of its terms depends on the others: its unknown becomes zero. The index of a
    /// mass or other pivot that vanishes comes back in `singular()`.
    bool factor(std::span<const S> values, std::span<const PivotKind> kinds, double tolerance);

    std::uint32_t singular() const { return singular_; }

    /// What is left of a pivot in parts of its terms, and the sum of their sizes, whether it was
    /// kept or not: a share near zero where constraints nearly depend on each other.
    double share(std::size_t index) const { return share_[plan_->place_[index]]; }
    double terms(std::size_t index) const { return terms_[plan_->place_[index]]; }
    bool is_dropped(std::size_t index) const
    {
        return pivot_inverse_[plan_->place_[index]] == S(0);
    }

    /// Overwrites the right-hand side with the solution.
    void solve(std::span<S> x);

private:
    /// A pivot while it is being made, and the sum of the sizes of what it is made of.
    struct Pivot {
        S value;
        double terms;
    };
    template <bool ByPanels>
    bool factor_rows(std::span<const S> values, std::span<const PivotKind> kinds, double tolerance);
    template <std::uint32_t Width>
    Pivot eliminate(std::uint32_t p, Pivot pivot);
    template <std::uint32_t Width>
    void substitute(std::uint32_t k);

    const LdlPlan* plan_;
    std::vector<S> factor_;             ///< L by columns
    std::vector<S> pivot_inverse_;      ///< 1 / D, zero for a dropped constraint
    std::vector<double> share_, terms_; ///< of the pivots
    std::vector<S> work_;
    std::uint32_t singular_ = 0;
};

extern template class Ldl<double>;
extern template class Ldl<std::complex<double>>;

} // namespace sinew
