#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew::island {

/// A block that answers by a matrix C = J W⁻¹ Jᵀ of its rows, as one whose W is 1: C = F Fᵀ, and F
/// holds the rows' directions. Overwrites F, `count` rows of `size` numbers; C is lost. Exact where
/// C has no higher rank than `size`. [notes: island, eq. 2]
void update_directions(std::span<double> C, std::size_t count, std::size_t size,
                       std::vector<double>& F);

} // namespace sinew::island
