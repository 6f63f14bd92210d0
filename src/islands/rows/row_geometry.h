#pragma once

/// Attachments as rows: laws once, directions and gaps from where the sites are.

#include "islands/ensemble.h"
#include "islands/rows/eye_geometry.h"
#include "math/spline.h"

namespace sinew {

/// Two unit vectors across n. The same n gives the same bits.
std::array<Vec3, 2> make_tangents(const Vec3& n);

/// Appends the group of an attachment; directions and numbers are zero until update_geometry().
void add_group(const Attachment& attachment, RowSet& rows);

/// A guide at a parameter, and the parameter of its point nearest to x, from u on.
CurvePoint point_on(const GuideCurve& guide, double u);
double nearest_parameter(const GuideCurve& guide, const Vec3& x, double u);

/// How far the axis that another is to be parallel to is turned from where it will be: a rotation
/// vector φ, about the y and z axes of its frame [rad].
struct Lean {
    double y = 0, z = 0;
    double fed = 0; ///< rope that drums have paid out since the step began [m]
};

/// Directions and gaps of a group. `motion` has one entry per side of the whole set.
void update_geometry(const Attachment& attachment, const RowGroup& group,
                     std::span<const SiteMotion> motion, RowSet& rows, const Lean& lean = {});

/// What is left of its ease at a time. Rows that keep axes parallel are eased by leaning: their gap
/// is an angle, and far from closed another row would turn the axis the wrong way.
Lean lean_at(const Attachment& attachment, double time);
double eased_gap(const Attachment& attachment, int row, double time);
double eased_rate(const Attachment& attachment, int row, double time);

/// How far a group of its own is open, and how fast: what Ease begins with.
void measure_opening(const Attachment& attachment, std::span<const SiteMotion> motion,
                     std::span<double, 6> gap, std::span<double, 6> rate);

/// A spring's rows in a stage: λ = −θ (k g + c w) at its end, with g there ≈ g + θ (w' − w) seen
/// from the trial, as w' + bias + compliance λ = 0.
/// `pull`: of friction at an eye, the mean of the tensions beside it [N s].
void update_spring(const Attachment& spring, const RowGroup& group, double theta, double pull,
                   RowSet& rows);

/// w of row `row` of the group, directions as they are: Σ twist · direction over its sides.
double row_velocity(const RowGroup& group, int row, const RowSet& rows,
                    std::span<const SiteMotion> motion);

} // namespace sinew
