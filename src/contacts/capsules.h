#pragma once

/// What any model offers to the search for contacts: straight pieces with a radius, each of them
/// along sites of one block.

#include "solve/rows/rows.h"

#include <array>
#include <cstdint>

namespace sinew {

/// How a surface feels.
struct SurfaceFeel {
    double friction = 0; ///< Coulomb's μ; that of a pair is the geometric mean
    double bounce = 0;   ///< restitution from 0 to 1; that of a pair is the larger
    bool touches = true;
};

/// A piece of a block: a capsule, a ball where both ends are one.
struct ContactCapsule {
    Site site = {};   ///< at `a`
    double u_end = 1; ///< Site::u at `b`
    Vec3 a = {0, 0, 0}, b = {0, 0, 0};
    Vec3 velocity_a = {0, 0, 0}, velocity_b = {0, 0, 0}; ///< [m/s]
    Quat rotation = {};                                  ///< of its sites
    double radius = 0;                                   ///< [m]
    SurfaceFeel feel = {};
    bool is_chord = false; ///< the block is curved between: only it knows where the sites are
    /// At `a`, at `b`: another capsule of its block ends there too, and is the one to touch.
    std::array<bool, 2> yields = {};

    Vec3 at(double part) const { return a + (b - a) * part; }
    Vec3 velocity_at(double part) const { return velocity_a + (velocity_b - velocity_a) * part; }
    Site site_at(double part) const
    {
        Site there = site;
        there.u += part * (u_end - site.u);
        return there;
    }
};

/// The nearest places of two straight pieces, as parts of them from 0 to 1.
struct NearestParts {
    double a = 0, b = 0;
    bool is_parallel = false; ///< nearly: in the middle of where they lie side by side
};

NearestParts find_nearest_parts(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

} // namespace sinew
