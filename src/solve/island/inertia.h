#pragma once

/// W of an island's blocks, each factored by itself: what impulses alone would do.

#include "solve/island/system.h"
#include "solve/linear/band/band_ldl.h"

namespace sinew::island {

class Inertia {
public:
    void factor(const System& system);

    /// x ← W⁻¹ x.
    void solve(const System& system, std::span<double> x) const;

    /// K of every row: the diagonal of J W⁻¹ Jᵀ. Numbers of one block that are farther apart than
    /// its vertices reach count as if they did not know of each other: K is a scale.
    void update_responses(const System& system, std::span<double> K);

private:
    struct Part {
        std::uint32_t vertices = 0, size = 0, reach = 0;
        BandLdl W;
        std::vector<double> inverse; ///< W⁻¹ where W has numbers, as BandLdl stores them
    };
    double response(const System& system, std::uint32_t a, std::uint32_t b, const double* weight_a,
                    const double* weight_b) const;

    std::vector<Part> parts_;
};

/// y ← W x.
void multiply_inertia(const System& system, std::span<const double> x, std::span<double> y);

} // namespace sinew::island
