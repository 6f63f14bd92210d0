#pragma once

// What hairs are kept out of, at one instant.

#include "sinew/display.h"

#include <span>
#include <vector>

namespace sinew {

/// A surface as distances at the corners of a grid, known near it.
class DistanceField {
public:
    DistanceField(std::span<const Vec3> vertices,
                  std::span<const std::array<std::uint32_t, 3>> triangles);

    /// How deep below the surface a place is, at least 0, and the way out. Zero where unknown.
    double depth(const Vec3& x, double margin, Vec3& out) const;

private:
    double at(int i, int j, int k) const;
    void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c);

    Vec3 low_ = {0, 0, 0};
    double cell_ = 1;
    int sizes_[3] = {0, 0, 0};
    std::vector<float> distances_;  ///< signed; kUnknown far away
    std::vector<float> alignments_; ///< how squarely the nearest triangle is seen
};

class HairObstacles {
public:
    HairObstacles(const Display& display, const DisplayFrame& frame);

    /// The place, moved out of all obstacles with a margin.
    Vec3 moved_out(Vec3 x, double margin) const;

private:
    struct Obstacle {
        const Element* element = nullptr;
        Vec3 centre = {0, 0, 0};
        Mat3 axes = {}; ///< columns of unit length
        double scale = 1;
        double reach = 0; ///< beyond, nothing is touched; 0: without end
        int field = -1;
    };
    Vec3 out_of(const Obstacle& obstacle, const Vec3& x, double margin) const;

    std::vector<Obstacle> obstacles_;
    std::vector<DistanceField> fields_;
};

} // namespace sinew
