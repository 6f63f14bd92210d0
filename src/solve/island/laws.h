#pragma once

/// The laws of rows, one group at a time: by how much they are broken, and a Newton step's share.

#include "solve/island/system.h"

namespace sinew::island {

/// What changes of all rows while an island is solved.
struct RowNumbers {
    std::vector<double> K; ///< diagonal of J W⁻¹ Jᵀ; the two tangents of a contact share one
    std::vector<double> scale;  ///< K + Σ: impulses and velocities are compared by it
    std::vector<double> give;   ///< Σ, and what a proximal step adds
    std::vector<double> shift;  ///< give beyond Σ, times the impulse that is stayed near to
    std::vector<double> lambda; ///< λ
    std::vector<double> w;      ///< J u + w_held

    void resize(std::size_t count);

    bool is_idle(std::size_t row) const { return scale[row] == 0; } ///< it moves nothing
    /// What a row's law speaks of.
    double velocity(std::size_t row) const { return w[row] + give[row] * lambda[row] - shift[row]; }
};

/// On which of its smooth pieces a row's law is.
enum class Side : std::uint8_t { none, low, high, holds, slips };

/// A group at one place: F of its laws, and on the smooth piece that place is on
///
///     δλ = a − S δw + T δλₑ,     λₑ of the group's equal rows               [notes: island, eq. 4]
struct Piece {
    std::array<double, 6> F = {}; ///< [N s]; zero where the laws hold
    std::array<double, 6> a = {};
    std::array<std::array<double, 6>, 6> S = {}, T = {};
    bool is_symmetric = true; ///< S is, and T is zero
    std::array<Side, 6> side = {};
};

/// Overwrites F; the others where slopes are asked for. Of equal rows a, S and T say nothing: their
/// impulses are unknowns.
void update_piece(const System& system, const Group& group, const RowNumbers& rows,
                  bool with_slopes, Piece& piece);

/// The two tangents of a contact get the larger number of both.
void share_scales(const System& system, std::span<double> scale);

/// Calls call(first, count, normal) for each disc of a group: rows of the group.
template <class Call>
void for_each_disc(const Group& group, Call&& call)
{
    std::uint32_t normal = 0;
    for (std::uint32_t r = 0; r < group.row_count;) {
        if (!follows_push(group.law[r])) {
            normal = r++;
            continue;
        }
        const bool may_pair = group.law[r] == Law::roll || r == normal + 1;
        const bool has_two =
            may_pair && r + 1 < group.row_count && group.law[r + 1] == group.law[r];
        call(r, has_two ? 2u : 1u, normal);
        r += has_two ? 2 : 1;
    }
}

} // namespace sinew::island
