#include "world/row_geometry.h"

#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Two unit vectors across n. The same n gives the same bits.
std::array<Vec3, 2> make_tangents(const Vec3& n)
{
    const Vec3 size = {std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    const Vec3 away = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                      : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                           : Vec3{0, 0, 1};
    const Vec3 first = normalised(cross(n, away));
    return {first, cross(n, first)};
}

/// The row along `axis` at `place`: a is pushed along it, b against it.
void set_direction(const RowGroup& group, int row, const Vec3& axis, const Vec3& place_a,
                   const Vec3& place_b, std::span<const SiteMotion> motion, RowSet& rows)
{
    const Vec3 arm_a = place_a - motion[group.first_side].pose.translation;
    const Vec3 arm_b = place_b - motion[group.first_side + 1].pose.translation;
    rows.direction[group.first_direction + row] = force_at(axis, arm_a);
    rows.direction[group.first_direction + group.row_count + row] = force_at(-axis, arm_b);
}

} // namespace

void add_group(const Attachment& attachment, RowSet& rows)
{
    RowGroup group = {.key = attachment.key,
                      .first_row = std::uint32_t(rows.gap.size()),
                      .first_side = std::uint32_t(rows.site.size()),
                      .first_direction = std::uint32_t(rows.direction.size()),
                      .row_count = 3,
                      .side_count = 2};
    const bool is_spring = attachment.kind == Attachment::Kind::spring;
    if (attachment.kind == Attachment::Kind::tie) {
        group.law = {Law::equal, Law::equal, Law::equal};
    } else if (is_spring) {
        group.law = {Law::box, Law::box, Law::box};
    } else {
        group.law = {Law::push, Law::disc, Law::disc};
        group.row_count = attachment.friction > 0 ? 3 : 1;
    }
    rows.site.insert(rows.site.end(), {attachment.a, attachment.b});
    rows.direction.resize(rows.direction.size() + std::size_t(group.side_count * group.row_count));
    const std::size_t count = rows.gap.size() + group.row_count;
    for (std::vector<double>* numbers :
         {&rows.velocity, &rows.gap, &rows.bias, &rows.compliance, &rows.impulse, &rows.held})
        numbers->resize(count, 0);
    const double bound = is_spring ? std::numeric_limits<double>::infinity() : 0;
    rows.lo.resize(count, -bound);
    rows.hi.resize(count, bound);
    rows.friction.resize(count, attachment.friction);
    rows.group.push_back(group);
}

void update_geometry(const Attachment& attachment, const RowGroup& group,
                     std::span<const SiteMotion> motion, RowSet& rows)
{
    const Pose& X_WA = motion[group.first_side].pose;
    const Pose& X_WB = motion[group.first_side + 1].pose;
    const Vec3 a = apply_to_point(X_WA, attachment.point_a);
    const Vec3 b = apply_to_point(X_WB, attachment.point_b);
    if (attachment.kind != Attachment::Kind::plane) {
        const std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        for (int i = 0; i < 3; ++i) {
            set_direction(group, i, axes[std::size_t(i)], a, b, motion, rows);
            rows.gap[group.first_row + i] = a[i] - b[i];
        }
        return;
    }
    const Vec3 n = apply_to_direction(X_WB, attachment.normal);
    const double gap = dot(n, a - b) - attachment.radius;
    const Vec3 touching = a - n * (attachment.radius + gap); // on the plane, below the ball
    const Vec3 lowest = a - n * attachment.radius;
    set_direction(group, 0, n, lowest, touching, motion, rows);
    rows.gap[group.first_row] = gap;
    if (group.row_count == 1)
        return;
    const std::array<Vec3, 2> tangents = make_tangents(n);
    for (int i = 1; i < 3; ++i)
        set_direction(group, i, tangents[std::size_t(i) - 1], lowest, touching, motion, rows);
}

void update_spring(const Attachment& spring, const RowGroup& group, double theta, RowSet& rows)
{
    const double k = spring.stiffness, c = spring.damping;
    const double compliance = 1 / (theta * (theta * k + c));
    for (std::uint32_t row = group.first_row; row < group.first_row + group.row_count; ++row) {
        rows.compliance[row] = compliance;
        rows.bias[row] = theta * k * (rows.gap[row] - theta * rows.velocity[row]) * compliance;
    }
}

double row_velocity(const RowGroup& group, int row, const RowSet& rows,
                    std::span<const SiteMotion> motion)
{
    double w = 0;
    for (int side = 0; side < group.side_count; ++side)
        w += dot(motion[group.first_side + side].twist,
                 rows.direction[group.first_direction + side * group.row_count + row]);
    return w;
}

} // namespace sinew
