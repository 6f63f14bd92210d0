#pragma once

// Shapes as triangles with smooth normals, in their own frame.

#include "sinew/display.h"
#include "sinew/math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::picture {

struct Triangles {
    std::vector<Vec3> vertices, normals; ///< as many of each
    std::vector<std::array<std::uint32_t, 3>> corners;
};

/// A ring of a surface of revolution about y, with the normal there.
struct Ring {
    double radius, y;
    double slope_radius, slope_y;
};

/// The surface through the rings, in their order.
void add_revolution(Triangles& out, std::span<const Ring> rings);

Triangles make_box(const Vec3& size);
Triangles make_cylinder(double radius, double height);
Triangles make_cone(double radius, double height);
Triangles make_capsule(double radius, double straight);
Triangles make_mesh(const DisplayMesh& mesh);

/// The same with edges that catch light: rounded by a small part of the shortest side.
Triangles make_rounded_box(const Vec3& size);
Triangles make_rounded_cylinder(double radius, double height);

/// Smooth where faces meet at a small angle; sharp edges stay.
Triangles make_smooth_mesh(const DisplayMesh& mesh);

/// A plate: the outline in the middle of its thickness. Empty where it encloses nothing.
Triangles make_plate(std::span<const Vec3> outline, double thickness);

/// The outline in triangles by cutting ears; those of a flat projection along its normal.
std::vector<std::array<std::uint32_t, 3>> cut_ears(std::span<const Vec3> outline,
                                                   const Vec3& normal);

/// The points of a coil from a to b, for a smooth curve through them.
std::vector<Vec3> make_coil(const Vec3& a, const Vec3& b, double radius, int turns);

} // namespace sinew::picture
