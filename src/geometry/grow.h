#pragma once

// Hair that grows on a surface: roots spread evenly over its area, a curve from each.

#include "sinew/curves.h"
#include "sinew/shapes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sinew {

/// What is asked for. The same numbers give the same hair.
struct Growth {
    std::uint32_t count = 0;
    std::uint32_t seed = 1;
    std::uint32_t points = 2;          ///< of each curve
    std::optional<double> length = {}; ///< [m]; none: of the guides
    double vary = 0;                   ///< 0 to 1: how much lengths, curls and ways differ
    double droop = 0;                  ///< 0 stands up, 1 lies down and hangs along −y
    double curl = 0;                   ///< turns along a curve
    double curl_radius = 0;            ///< [m]
    std::uint32_t clumps = 0;          ///< 0: every curve for itself
    double clumping = 0;               ///< 0 to 1: how near tips come to the middle of theirs
    /// Factors for each vertex of the mesh; none: 1 everywhere.
    struct Maps {
        std::vector<double> density = {}, length = {}, curl = {}, clumping = {};
    } maps = {};
};

/// Where a curve stands: on a triangle, at (1 − u − v) a + u b + v c of its corners.
struct MeshPlace {
    std::uint32_t triangle = 0;
    double u = 0, v = 0;
};

/// Of each point the nearest place on a mesh. Requires a triangle.
std::vector<MeshPlace> nearest_places(const TriangleMesh& mesh, std::span<const Vec3> points);

struct Grown {
    CurveSet curves = {};
    std::vector<MeshPlace> roots = {}; ///< of each curve
};

/// Grows curves of `growth.points` points one at a time: none depends on which others were made.
/// With guides each curve is a mixture of the three whose roots are nearest, turned as the surface
/// turns from there to here. Requires a triangle with area, a count, two points, and a length or
/// guides; maps for all vertices that are not negative, the density somewhere above 0.
class Grower {
public:
    Grower(TriangleMesh mesh, const Growth& growth, const CurveSet& guides);

    const Growth& growth() const { return growth_; }
    MeshPlace root(std::uint32_t curve) const;

    /// What a map says at a place; 1 where there is none.
    double value_at(const std::vector<double>& map, const MeshPlace& place) const;
    std::vector<Vec3> points(std::uint32_t curve);

    /// One number for all that the curves depend on.
    std::uint64_t identity() const;

private:
    /// A guide by its arc length, from where it stands and with the surface's normal there.
    struct Guide {
        Vec3 root, normal;
        double length = 0;
        std::vector<Vec3> ways = {}; ///< from the root, at equal parts of its length
    };

    double part_at(std::size_t k) const { return double(k) / double(growth_.points - 1); }
    double draw(std::uint32_t curve, std::uint64_t use) const;
    std::uint32_t find_leader(std::uint32_t curve) const;
    Vec3 place_of(std::uint32_t curve) const;
    Vec3 normal_near(const Vec3& place) const;
    void add_guides(const CurveSet& curves);
    void add_leaders();
    std::vector<Vec3> grow_one(std::uint32_t curve) const;
    std::vector<Vec3> free_ways(std::uint32_t curve, const Vec3& normal) const;
    std::vector<Vec3> led_ways(const Vec3& place, const Vec3& normal) const;
    void add_curl(std::uint32_t curve, std::vector<Vec3>& ways) const;

    TriangleMesh mesh_;
    Growth growth_;
    std::vector<Guide> guides_ = {};
    std::vector<double> area_before_ = {};    ///< twice that of all triangles before each, times
                                              ///< their density
    double area_ = 0;                         ///< the same of all
    std::vector<std::uint32_t> leaders_ = {}; ///< curves in the middle of clumps
    std::vector<Vec3> leader_places_ = {};
    std::unordered_map<std::uint32_t, std::vector<Vec3>> leader_points_ = {}; ///< as they are asked
};

/// All curves.
Grown grow(const TriangleMesh& mesh, const Growth& growth, const CurveSet& guides);

} // namespace sinew
