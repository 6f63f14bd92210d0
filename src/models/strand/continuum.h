#pragma once

// Hair as a fluid of its neighbours [HadapMagnenat01]: where it is denser than it likes it pushes
// apart, and neighbours drag each other along.

#include "sinew/math.h"

#include <span>
#include <vector>

namespace sinew::strand {

/// What a continuum is made of.
struct Continuum {
    double size = 0;     ///< how far a place reaches [m]
    double density = 0;  ///< above it hair pushes apart [kg/m³]
    double pressure = 0; ///< at twice the density [Pa]
};

/// A node of a strand.
struct Particle {
    Vec3 place, velocity;
    double mass = 0;
};

/// What the neighbours of a node do: how they push it [m/s²], and how they move together with it
/// [m/s].
struct Surrounding {
    Vec3 push = {0, 0, 0}, flow = {0, 0, 0};
    double density = 0; ///< [kg/m³]
};

/// For each particle, itself among its neighbours:
///
///     ρᵢ = Σⱼ mⱼ W(xᵢ − xⱼ),    pᵢ = P max(0, ρᵢ/ρ₀ − 1)                            [eq. 21]
///     aᵢ = −Σⱼ mⱼ (pᵢ/ρᵢ² + pⱼ/ρⱼ²) ∇W(xᵢ − xⱼ)
///     uᵢ = Σⱼ mⱼ vⱼ W(xᵢ − xⱼ) / ρᵢ
///
/// with W(r) = 315/(64π s³) (1 − r²/s²)³ within the size s. Pushes are equal and opposite: no
/// momentum is made. Sums run in the order of places: the same bits for any number of threads.
std::vector<Surrounding> find_surroundings(const Continuum& continuum,
                                           std::span<const Particle> particles, int threads);

} // namespace sinew::strand
