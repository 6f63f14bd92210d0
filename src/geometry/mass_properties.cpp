#include "geometry/mass_properties.h"

#include "math/functions.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace sinew {

namespace {

constexpr double kPi = std::numbers::pi;

/// ∫ y yᵀ dV ↔ inertia: I = tr(C) 1 − C, and back.
Mat3 inertia_of(const Mat3& second)
{
    const double t = trace(second);
    return Mat3::diagonal({t, t, t}) - second;
}

Mat3 second_of(const Mat3& inertia)
{
    const double t = 0.5 * trace(inertia);
    return Mat3::diagonal({t, t, t}) - inertia;
}

/// Of revolution about y.
MassProperties turned(double volume, double centre, double across, double along)
{
    return {volume, {0, centre, 0}, Mat3::diagonal({across, along, across})};
}

} // namespace

MassProperties sphere_mass(double radius)
{
    const double volume = 4.0 / 3 * kPi * radius * radius * radius;
    const double moment = 0.4 * volume * radius * radius;
    return turned(volume, 0, moment, moment);
}

MassProperties box_mass(const Vec3& size)
{
    const double volume = size.x * size.y * size.z;
    const Vec3 s = {size.x * size.x, size.y * size.y, size.z * size.z};
    return {
        volume, {0, 0, 0}, Mat3::diagonal(Vec3{s.y + s.z, s.z + s.x, s.x + s.y} * (volume / 12))};
}

MassProperties cylinder_mass(double radius, double length)
{
    const double volume = kPi * radius * radius * length;
    return turned(volume, 0, volume * (3 * radius * radius + length * length) / 12,
                  0.5 * volume * radius * radius);
}

MassProperties capsule_mass(double radius, double length)
{
    const MassProperties trunk = cylinder_mass(radius, length);
    const double r = radius, ball = sphere_mass(radius).volume;
    // A half ball's centre is 3r/8 beyond the trunk's end.
    const double across = ball * (0.4 * r * r + 0.25 * length * length + 3.0 / 8 * length * r);
    return turned(trunk.volume + ball, 0, trunk.inertia.x.x + across,
                  trunk.inertia.y.y + 0.4 * ball * r * r);
}

MassProperties cone_mass(double radius, double length)
{
    const double volume = kPi * radius * radius * length / 3;
    return turned(volume, -0.25 * length,
                  volume * (0.15 * radius * radius + 3.0 / 80 * length * length),
                  0.3 * volume * radius * radius);
}

MassProperties ellipsoid_mass(const Vec3& radii)
{
    const double volume = 4.0 / 3 * kPi * radii.x * radii.y * radii.z, share = 0.2 * volume;
    const double x = radii.x * radii.x, y = radii.y * radii.y, z = radii.z * radii.z;
    return {volume, {0, 0, 0}, Mat3::diagonal({share * (y + z), share * (x + z), share * (x + y)})};
}

MassProperties mesh_mass(const TriangleMesh& mesh)
{
    if (mesh.vertices.empty())
        return {};
    // Tetrahedra to a point amidst the surface: little is lost by cancellation far from the origin.
    Vec3 middle{0, 0, 0};
    for (const Vec3& vertex : mesh.vertices)
        middle += vertex / double(mesh.vertices.size());
    double volume = 0;
    Vec3 first{0, 0, 0};
    Mat3 second = Mat3::diagonal({0, 0, 0});
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 a = mesh.vertices[i] - middle, b = mesh.vertices[j] - middle,
                   c = mesh.vertices[k] - middle;
        const double six = dot(a, cross(b, c)); // times its volume
        const Vec3 sum = a + b + c;
        volume += six / 6;
        first += sum * (six / 24);
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (six / 120);
    }
    if (volume == 0)
        return {0, middle, Mat3::diagonal({0, 0, 0})};
    const Vec3 centre = first / volume;
    return {volume, middle + centre, inertia_of(second - outer(centre, centre) * volume)};
}

MassProperties moved(const MassProperties& solid, const Pose& X)
{
    const Mat3 R = rotation_matrix(X.rotation);
    return {solid.volume, R * solid.centre + X.translation, R * solid.inertia * transpose(R)};
}

MassProperties joined(std::span<const MassProperties> solids)
{
    MassProperties sum;
    for (const MassProperties& solid : solids) {
        sum.volume += solid.volume;
        sum.centre += solid.centre * solid.volume;
    }
    if (sum.volume == 0)
        return sum;
    sum.centre /= sum.volume;
    Mat3 second = Mat3::diagonal({0, 0, 0});
    for (const MassProperties& solid : solids) {
        const Vec3 arm = solid.centre - sum.centre;
        second += second_of(solid.inertia) + outer(arm, arm) * solid.volume;
    }
    sum.inertia = inertia_of(second);
    return sum;
}

PrincipalAxes principal_axes(const Mat3& inertia)
{
    constexpr int kMostTurns = 50;
    Mat3 A = inertia, R = Mat3::identity();
    for (int turn = 0; turn < kMostTurns; ++turn) { // Jacobi: the largest off the diagonal goes
        int p = 0, q = 1;
        for (const auto& [i, j] : {std::pair{0, 2}, std::pair{1, 2}})
            if (abs(A(i, j)) > abs(A(p, q)))
                p = i, q = j;
        if (!(abs(A(p, q)) > 1e-16 * trace(A)))
            break;
        const double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
        const double t = (theta < 0 ? -1 : 1) / (abs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        Mat3 J = Mat3::identity();
        J(p, p) = J(q, q) = c;
        J(p, q) = s;
        J(q, p) = -s;
        A = transpose(J) * A * J;
        R = R * J;
    }
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int j) { return A(i, i) < A(j, j); });
    const Vec3 x = R[order[0]], y = R[order[1]];
    return {rotation_quat(Mat3{x, y, cross(x, y)}),
            {A(order[0], order[0]), A(order[1], order[1]), A(order[2], order[2])}};
}

} // namespace sinew
