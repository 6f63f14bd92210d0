#pragma once

// Values of prims from frames of an exported scene.

#include "formats/usd/usd_layer.h"
#include "formats/writer.h"

#include <span>
#include <vector>

namespace sinew::formats {

UsdValue linear_colour(const Vec3& srgb);
UsdValue counts_of_triangles(std::size_t count);
UsdValue corners_of(const std::vector<std::array<std::uint32_t, 3>>& triangles);
/// Two corners of the box around points, each with a radius where there are any.
UsdValue extent_of(std::span<const Vec3> points, std::span<const double> radii);

UsdValue origins_of(const ExportFrame& frame, std::span<const std::size_t> bodies);
UsdValue turns_of(const ExportFrame& frame, std::span<const std::size_t> bodies, bool is_half);
UsdValue sizes_of(const ExportFrame& frame, std::span<const std::size_t> bodies);
UsdValue origin_velocities(const Window& window, std::span<const std::size_t> bodies, double rate);

/// Points of a group whose curves of the exported basis pass through the nodes.
std::vector<Vec3> control_points(const ExportScene& exported, const ExportGroup& group,
                                 const ExportFrame& frame);
/// By central differences [units/s]; at the ends to one side.
UsdValue point_velocities(const ExportScene& exported, const ExportGroup& group,
                          const Window& window, double rate);

} // namespace sinew::formats
