#pragma once

/// Attachments as rows: laws once, directions and gaps from where the sites are.

#include "math/spline.h"
#include "world/ensemble.h"

namespace sinew {

/// Two unit vectors across n. The same n gives the same bits.
std::array<Vec3, 2> make_tangents(const Vec3& n);

/// Appends the group of an attachment; directions and numbers are zero until update_geometry().
void add_group(const Attachment& attachment, RowSet& rows);

/// A guide at a parameter, and the parameter of its point nearest to x, from u on.
CurvePoint point_on(const GuideCurve& guide, double u);
double nearest_parameter(const GuideCurve& guide, const Vec3& x, double u);

/// Directions and gaps of a group. `motion` has one entry per side of the whole set.
void update_geometry(const Attachment& attachment, const RowGroup& group,
                     std::span<const SiteMotion> motion, RowSet& rows);

/// A spring's rows in a stage: λ = −θ (k g + c w) at its end, with g there ≈ g + θ (w' − w) seen
/// from the trial, as w' + bias + compliance λ = 0.
void update_spring(const Attachment& spring, const RowGroup& group, double theta, RowSet& rows);

/// w of row `row` of the group, directions as they are: Σ twist · direction over its sides.
double row_velocity(const RowGroup& group, int row, const RowSet& rows,
                    std::span<const SiteMotion> motion);

} // namespace sinew
