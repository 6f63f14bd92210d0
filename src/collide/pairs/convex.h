#pragma once

#include "collide/shape.h"

#include <array>
#include <cstdint>

namespace sinew {

/// A convex body as the search for nearest places sees it: a core, and all within `radius` of it.
/// Coordinates are those of the search: the frame of one of the two shapes.
struct Convex {
    const CollisionShape* shape = nullptr; ///< null: a triangle
    Vec3 x = {0, 0, 0};
    Mat3 R = Mat3::identity();
    std::array<Vec3, 3> triangle = {};
    Vec3 triangle_normal = {0, 0, 0};
    double radius = 0; ///< of spheres and capsules about their cores; else 0
    double size = 0;   ///< about half its width: the scale of what is small

    Vec3 to_search(const Vec3& local) const { return x + R * local; }
    Vec3 to_local(const Vec3& search) const { return transpose(R) * (search - x); }
    Vec3 centre() const;
    /// Of a cylinder, cone or capsule.
    Vec3 axis() const { return R.y; }
    bool is_revolved() const
    {
        return shape &&
               (shape->kind == CollisionKind::cylinder || shape->kind == CollisionKind::cone);
    }
    bool has_hull() const
    {
        return shape && (shape->kind == CollisionKind::box || shape->kind == CollisionKind::hull);
    }
};

/// A shape where it is in the frame of another. Requires that it is convex and no plane.
Convex seen_from(const Placed& frame, const Placed& placed);
Convex make_triangle(const std::array<Vec3, 3>& corner, const Vec3& normal);

/// The place of the core farthest along n, of any length.
Vec3 core_support(const Convex& c, const Vec3& n);

/// s(n) = min over b of n·x − max over a of n·x, radii included. Requires |n| = 1.
double separation_along(const Convex& a, const Convex& b, const Vec3& n);

/// The direction of a cylinder's or cone's side that looks most along d: a unit vector across the
/// axis; the shape's own x axis where d says nothing. All in the shape's frame.
Vec3 radial_along(const Vec3& d);

/// The outward normal of a cylinder's or cone's side above such a direction, in the shape's frame.
Vec3 side_normal(const CollisionShape& shape, const Vec3& radial);

/// Where a convex body would touch a plane with normal d: a polygon, a disc, a line or a point.
struct SupportFace {
    static constexpr int kMostCorners = 64;

    std::array<Vec3, kMostCorners> corner; ///< of a polygon counter-clockwise from outside; of a
                                           ///< disc: eight of its rim, the farthest along d first
    std::array<std::uint32_t, kMostCorners> id;
    int count = 0;
    Vec3 normal = {0, 0, 0}; ///< of a polygon or disc
    bool is_disc = false;
    Vec3 centre = {0, 0, 0};
    double radius = 0;

    bool is_flat() const { return count >= 3; }
    void add(const Vec3& place, std::uint32_t number)
    {
        if (count < kMostCorners) {
            corner[static_cast<std::size_t>(count)] = place;
            id[static_cast<std::size_t>(count++)] = number;
        }
    }
};

/// The face or line that looks most along d, of unit length. Discs whose tilt lifts their rim by
/// less than `flat` start at the shape's own x axis, so that rest does not flicker.
void find_support_face(const Convex& c, const Vec3& d, double flat, SupportFace& face);

/// The places within `tolerance` of the farthest along d: a line (2) or one point (1).
void find_support_line(const Convex& c, const Vec3& d, double tolerance, SupportFace& line);

} // namespace sinew
