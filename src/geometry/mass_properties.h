#pragma once

#include "sinew/math.h"
#include "sinew/shapes.h"

#include <span>

namespace sinew {

/// Volume, centre and inertia of a solid of density one.
///
///   symbol | code    | unit | meaning
///   -------|---------|------|--------------------------------------------------------
///   V      | volume  | m³   |
///   c      | centre  | m    | ∫ x dV / V
///   I      | inertia | m⁵   | ∫ (|y|² 1 − y yᵀ) dV with y = x − c, about the centre
struct MassProperties {
    double volume = 0;
    Vec3 centre = {0, 0, 0};
    Mat3 inertia = Mat3::diagonal({0, 0, 0});
};

/// The solids of the language, in their own frames.
MassProperties sphere_mass(double radius);
MassProperties box_mass(const Vec3& size);                 ///< full lengths
MassProperties capsule_mass(double radius, double length); ///< along y; length of the straight part
MassProperties cylinder_mass(double radius, double length);
MassProperties ellipsoid_mass(const Vec3& radii);
MassProperties cone_mass(double radius, double length); ///< foot at −length/2, tip at +length/2

/// A closed surface; negative volume when it is inside out. Exact for the polyhedron.
MassProperties mesh_mass(const TriangleMesh& mesh);

/// The same solid elsewhere.
MassProperties moved(const MassProperties& solid, const Pose& X);

/// Several solids as one. Where they overlap, both count.
MassProperties joined(std::span<const MassProperties> solids);

/// The axes about which a solid turns without wobbling: I = R diag(moments) Rᵀ, moments ascending.
struct PrincipalAxes {
    Quat rotation;
    Vec3 moments;
};
PrincipalAxes principal_axes(const Mat3& inertia);

} // namespace sinew
