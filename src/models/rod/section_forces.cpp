// Section forces from the strains of spans.
//
//   in:  control points, their rates, reference frames
//   out: T = EA (e + T_d e'), M = EI (κ₁ m₁ + κ₂ m₂) and GJ τ likewise, at nodes
//
// Moments are known at the Gauss points of spans, where a cubic bends as the rod does to a higher
// order than elsewhere; between two of them they are taken as linear.

#include "models/rod/section_forces.h"

#include "math/functions.h"
#include "models/rod/span.h"

namespace sinew::rod {

namespace {

constexpr double kGaussPlace = 0.21132486540518711775; // of a span: from its end to a Gauss point

/// The moments of a spline at the Gauss points of its spans.
struct Moments {
    std::vector<Vec3> bending = {};
    std::vector<double> twist = {};
};

/// Terms of a spline's span: the stretch as a whole or at each point, and at each point two of
/// bending and one of twist behind it.
void add_moments(const SpanTerms& terms, const Plan& plan, std::span<const double> v,
                 std::array<Vec3, 2>& bending, std::array<double, 2>& twist, double& tension)
{
    const bool is_whole = terms.term_count == 7;
    std::size_t next = 0;
    double length = 0, stretched = 0;
    const auto strain = [&] { return damped_strain(terms, terms.term[next++], v); };
    if (is_whole)
        tension = plan.stiffness[0] * strain();
    for (std::size_t k = 0; k < terms.point_count; ++k) {
        const double of_point = plan.points[terms.first_point + k].length;
        if (!is_whole) {
            stretched += strain() * of_point;
            length += of_point;
        }
        const Strains& at = terms.strains[k];
        const double k_1 = strain(), k_2 = strain();
        bending[k] =
            at.m_1 * (plan.stiffness[1] * k_1) + cross(at.t, at.m_1) * (plan.stiffness[2] * k_2);
        twist[k] = plan.stiffness[3] * strain();
    }
    if (!is_whole)
        tension = plan.stiffness[0] * stretched / length;
}

/// From Gauss points to nodes: the mean of the two beside a node, straight on at the ends.
template <class T>
std::vector<T> to_nodes(const std::vector<T>& at_points)
{
    constexpr double kBeyond = kGaussPlace / (1 - 2 * kGaussPlace);
    const std::size_t count = at_points.size();
    std::vector<T> nodes;
    nodes.push_back(at_points[0] + (at_points[0] - at_points[1]) * kBeyond);
    for (std::size_t i = 1; i + 1 < count; i += 2)
        nodes.push_back((at_points[i] + at_points[i + 1]) * 0.5);
    nodes.push_back(at_points[count - 1] + (at_points[count - 1] - at_points[count - 2]) * kBeyond);
    return nodes;
}

SectionForces of_spline(const Plan& plan, const Configuration& at)
{
    SectionForces forces;
    Moments moments;
    SpanTerms terms;
    for (std::size_t span = 0; span < plan.spans; ++span) {
        std::array<Vec3, 2> bending;
        std::array<double, 2> twist;
        double tension = 0;
        measure_span(plan, at, span, terms);
        add_moments(terms, plan, at.v, bending, twist, tension);
        forces.tension.push_back(tension);
        moments.bending.insert(moments.bending.end(), bending.begin(), bending.end());
        moments.twist.insert(moments.twist.end(), twist.begin(), twist.end());
    }
    forces.bending = to_nodes(moments.bending);
    forces.twist = to_nodes(moments.twist);
    return forces;
}

/// A chain bends at its inner nodes alone, and does not twist.
SectionForces of_chain(const Plan& plan, const Configuration& at, const Loads& loads)
{
    SectionForces forces{.bending = std::vector<Vec3>(plan.node_count, Vec3{0, 0, 0}),
                         .twist = std::vector<double>(plan.node_count, 0.0)};
    SpanTerms terms;
    Vec3 before{0, 0, 0};
    for (std::size_t span = 0; span < plan.spans; ++span) {
        double tension = 0;
        if (!loads.is_idle(span)) {
            measure_span(plan, at, span, terms);
            tension = plan.stiffness[0] * damped_strain(terms, terms.term[0], at.v);
        }
        forces.tension.push_back(tension);
        const Vec3 along = terms.strains[0].t;
        if (span > 0 && !loads.is_idle(span) && !loads.is_idle(span - 1)) {
            measure_kink(plan, at, span, terms);
            Vec3 kink{0, 0, 0};
            for (int axis = 0; axis < 3; ++axis)
                kink[axis] = damped_strain(terms, terms.term[std::size_t(axis)], at.v) *
                             terms.term[std::size_t(axis)].stiffness;
            forces.bending[span] = cross(normalised(before + along), kink);
        }
        before = along;
    }
    return forces;
}

} // namespace

SectionForces compute_section_forces(const Plan& plan, const Configuration& at, const Loads& loads)
{
    return plan.is_chain ? of_chain(plan, at, loads) : of_spline(plan, at);
}

std::vector<double> tension_at_nodes(std::span<const double> of_spans)
{
    const std::size_t count = of_spans.size();
    // The smaller of two slopes that agree, else none.
    const auto slope = [&](std::size_t end, std::size_t next, std::size_t third) {
        if (count < 3)
            return count < 2 ? 0.0 : of_spans[end] - of_spans[next];
        const double near = of_spans[end] - of_spans[next], far = of_spans[next] - of_spans[third];
        return near * far <= 0 ? 0.0 : abs(near) < abs(far) ? near : far;
    };
    std::vector<double> nodes;
    nodes.push_back(of_spans[0] + 0.5 * slope(0, 1, 2));
    for (std::size_t i = 1; i < count; ++i)
        nodes.push_back(0.5 * (of_spans[i - 1] + of_spans[i]));
    nodes.push_back(of_spans[count - 1] + 0.5 * slope(count - 1, count - 2, count - 3));
    return nodes;
}

std::vector<SectionForce> at_nodes(const SectionForces& forces)
{
    const std::vector<double> tension = tension_at_nodes(forces.tension);
    std::vector<SectionForce> nodes(tension.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {tension[i], length(forces.bending[i]), forces.twist[i]};
    return nodes;
}

} // namespace sinew::rod
