#include "scene/objects/strand_section.h"

#include "math/functions.h"
#include "scene/formula.h"

#include <algorithm>
#include <numbers>

namespace sinew {

namespace {

using Kind = StrandPropertyKind;

/// EI = stiffest · μ L⁴ / s²: far above wood and steel in any use, far below what rounding bears.
constexpr double kStiffest = 1e12;

} // namespace

StrandSections::StrandSections(const Scene& scene, std::uint32_t curve, double length)
    : scene_(scene), segments_(scene.strands[curve].segments), length_(length)
{
    const ObjectId tree = scene.strands[curve].tree;
    const auto first =
        std::lower_bound(scene.strand_properties.begin(), scene.strand_properties.end(), tree,
                         [](const StrandProperty& p, ObjectId wanted) { return p.tree < wanted; });
    for (auto p = first; p != scene.strand_properties.end() && p->tree == tree; ++p)
        if (p->curve == StrandCurve::kNone || p->curve == curve) {
            const StrandProperty*& held = of_kind_[static_cast<std::size_t>(p->kind)];
            if (!held || held->curve == StrandCurve::kNone || p->curve != StrandCurve::kNone)
                held = &*p;
        }
    mass_at_start_ = mass(scene.settings.start);
    const double mean = mass_at_start_ / length_;
    stiffest_ = kStiffest * mean * length_ * length_ * length_ * length_;
}

double StrandSections::value(Kind kind, bool is_second, double otherwise, double time,
                             double along) const
{
    const StrandProperty* property = find(kind);
    if (!property)
        return otherwise;
    const Value wanted = is_second ? property->b : property->a;
    return wanted.is_constant() ? wanted.number : rates_at(scene_, wanted, time, along).value;
}

double StrandSections::mass_per_length(double radius, double time, double along) const
{
    using D = StrandDefaults;
    const double area = std::numbers::pi * radius * radius;
    return value(Kind::mass_per_length, false,
                 value(Kind::density, false, D::kDensity, time, along) * area, time, along);
}

StrandSection StrandSections::at(double time, double along) const
{
    using D = StrandDefaults;
    const auto first = [&](Kind kind, double otherwise) {
        return value(kind, false, otherwise, time, along);
    };
    const auto second = [&](Kind kind, double otherwise) {
        return value(kind, true, otherwise, time, along);
    };
    StrandSection s;
    s.radius = first(Kind::radius, D::kRadius);
    const double area = std::numbers::pi * s.radius * s.radius;
    s.mass_per_length = mass_per_length(s.radius, time, along);
    const double round = first(Kind::young, D::kYoung) * area * s.radius * s.radius / 4;
    s.bend_x = first(Kind::bend_stiffness, round);
    s.bend_z = second(Kind::bend_stiffness, round);
    const double bend = find(Kind::young) ? round : (s.bend_x + s.bend_z) / 2;
    s.twist = first(Kind::twist_stiffness, bend / (1 + first(Kind::poisson, D::kPoisson)));
    s.damping_bend = first(Kind::damping, D::kDamping);
    s.damping_twist = second(Kind::damping, D::kDamping);
    s.drag_along = first(Kind::air_drag, 0);
    s.drag_across = second(Kind::air_drag, 0);
    s.friction = first(Kind::surface, D::kFriction);
    s.bounce = second(Kind::surface, 0);
    s.sliding = first(Kind::sliding, s.friction);
    s.touches = first(Kind::contact, 1) > 0.5;
    s.least_radius = first(Kind::least_radius, 0);
    s.stretch = first(Kind::stretch, 1);
    s.stretch_stiffness = first(Kind::stretch_stiffness, 0);
    if (stiffest_ > 0) {
        for (double* stiffness : {&s.bend_x, &s.bend_z, &s.twist})
            *stiffness = min(*stiffness, stiffest_);
        s.stretch_stiffness = min(s.stretch_stiffness, stiffest_stretch());
    }
    return s;
}

std::optional<Axis> StrandSections::hinge() const
{
    const StrandProperty* property = find(Kind::hinge);
    if (!property)
        return std::nullopt;
    return static_cast<Axis>(static_cast<int>(property->a.number));
}

bool StrandSections::changes_in_time() const
{
    for (const StrandProperty* property : of_kind_) {
        if (!property)
            continue;
        bool changes = false;
        const auto look = [&](const Formula& leaf) {
            changes = changes || leaf.operation == Operation::time ||
                      (leaf.operation == Operation::track && !scene_.tracks[leaf.index].along);
        };
        for_each_leaf(scene_, property->a, look);
        for_each_leaf(scene_, property->b, look);
        if (changes)
            return true;
    }
    return false;
}

double StrandSections::mass(double time) const
{
    double sum = 0;
    for (std::uint32_t k = 0; k < segments_; ++k) {
        const double along = (k + 0.5) / segments_;
        const double radius = value(Kind::radius, false, StrandDefaults::kRadius, time, along);
        sum += mass_per_length(radius, time, along);
    }
    return sum * length_ / segments_;
}

} // namespace sinew
