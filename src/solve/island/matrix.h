#pragma once

/// The matrix of an island's Newton step, and its factors:
///
///     [W + Eᵀ S E    Jᵀ + Eᵀ T]  [  δu  ]
///     [J             −(Σ + ε) ]  [ −δλₑ ]                                  [notes: island, eq. 5]
///
/// J, λₑ are of equal rows; E, S, T of the others. Symmetric where nothing slips.

#include "solve/island/laws.h"
#include "solve/linear/sparse/front_ldl.h"
#include "solve/linear/sparse/front_lu.h"

#include <memory>

namespace sinew::island {

class Matrix {
public:
    /// Plans where the pattern is not the one before.
    void begin(const System& system);

    std::size_t size() const { return pattern_.size(); }
    /// Where the number of an equal row stands in vectors; others have none.
    static constexpr std::uint32_t kNone = 0xffffffff;
    std::uint32_t place_of(std::size_t row) const { return place_[row]; }

    /// Multiplications of a factorisation.
    double cost() const { return plan_.cost; }
    int plan_count() const { return plan_count_; }

    /// Fills and factors the matrix. False where it has no factors; true without work where it is
    /// the one before.
    bool factor(const System& system, const RowNumbers& rows, std::span<const Piece> pieces);
    int symmetric_count = 0, general_count = 0; ///< factorisations, to be counted by the caller

    /// x ← A⁻¹ x, refined once.
    void solve(std::span<double> x);

private:
    struct Pair { ///< of two slots of a group: where its numbers are added
        std::uint32_t first = 0;
        bool is_turned = false;
    };

    void plan(const System& system);
    void note_shape(const System& system, std::vector<std::uint32_t>& shape) const;
    void fill(const System& system, const RowNumbers& rows, std::span<const Piece> pieces,
              bool is_symmetric);
    void fill_inertia(const System& system);
    void add_stiffness(const System& system, const Group& group, const Piece& piece,
                       const Pair* pairs, bool is_symmetric);
    void add_multipliers(const System& system, const RowNumbers& rows, const Group& group,
                         const Piece& piece, std::size_t g, bool is_symmetric);
    void subtract_product(std::span<const double> x, std::span<double> y) const;

    BlockPattern pattern_;
    FrontPlan plan_;
    std::unique_ptr<FrontLdl> symmetric_;
    std::unique_ptr<FrontLu> general_;
    std::vector<std::uint32_t> shape_, asked_; ///< what the plan is for, what is asked for
    std::vector<std::uint32_t> place_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_pair_;                 ///< of each group
    std::vector<std::uint32_t> equal_vertex_, first_equal_; ///< of each group: vertex, first block
    std::vector<std::uint32_t> inertia_; ///< of each pair of vertices with W: where
    std::vector<double> lower_, upper_, old_lower_, old_upper_;
    std::vector<double> left_, product_;
    bool has_factors_ = false, is_symmetric_ = true;
    int plan_count_ = 0;
};

} // namespace sinew::island
