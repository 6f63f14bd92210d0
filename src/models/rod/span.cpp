#include "models/rod/span.h"

#include "math/functions.h"

namespace sinew::rod {

namespace {

/// A strain's slope in the control points of its span.
void spread(const Point& point, const Slope& slope, Row& row)
{
    const double along[kNumbers] = {slope.p.x, slope.p.y, slope.p.z, slope.omega};
    const double bend[kNumbers] = {slope.q.x, slope.q.y, slope.q.z, 0};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t c = 0; c < kNumbers; ++c)
            row[4 * i + c] = point.along[i] * along[c] + point.bend[i] * bend[c];
        row[4 * i + 3] += point.basis.weight[i] * slope.phi;
    }
}

Vec3 node_at(std::span<const double> x, std::size_t node)
{
    return {x[4 * node], x[4 * node + 1], x[4 * node + 2]};
}

/// What the unit vectors of two neighbours of a chain differ by, in twelve numbers: three rows.
struct Kink {
    Vec3 strain;
    std::array<Row, 3> slope = {};
    std::size_t first = 0; ///< number, of the first of three control points
};

Kink kink_at(std::span<const double> x, std::size_t node)
{
    Kink kink;
    kink.first = 4 * (node - 1);
    Vec3 unit[2];
    double size[2];
    for (std::size_t k = 0; k < 2; ++k) {
        const Vec3 d = node_at(x, node + k) - node_at(x, node + k - 1);
        size[k] = max(length(d), 1e-12);
        unit[k] = d / size[k];
    }
    kink.strain = unit[1] - unit[0];
    for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t k = 0; k < 2; ++k) {
                const double part =
                    ((c == axis ? 1.0 : 0.0) - unit[k][c] * unit[k][axis]) / size[k];
                const double sign = k == 1 ? 1 : -1;
                kink.slope[std::size_t(c)][4 * (k + 1) + std::size_t(axis)] += sign * part;
                kink.slope[std::size_t(c)][4 * k + std::size_t(axis)] -= sign * part;
            }
    return kink;
}

/// EI/l of a chain's inner points.
double kink_stiffness(const Plan& plan) { return plan.stiffness[1] * plan.spans / plan.length; }

/// What stiffens across a span that pulls, none where it pushes.
double tension_of(const Plan& plan, const Configuration& at, const SpanTerms& terms,
                  const Term& stretch)
{
    double felt = stretch.strain;
    for (std::size_t i = 0; at.counts_damped_tension && i < terms.count; ++i)
        felt += stretch.damping * stretch.row[i] * at.v[terms.first + i];
    return plan.stiffness[0] * max(felt, 0.0);
}

} // namespace

/// Inside, a span is stretched as a whole: at each of its points a curve of cubics could not keep
/// its length and bend. The first and the last are felt at both points, else two ways to stretch
/// and shrink in turns would be free.
void measure_span(const Plan& plan, const Configuration& at, std::size_t span, SpanTerms& out)
{
    out.point_count = plan.points.size() / plan.spans;
    out.first_point = span * out.point_count;
    out.term_count = 0;
    const Point* points = &plan.points[out.first_point];
    out.first = 4 * std::size_t(points->basis.first);
    out.count = 4 * std::size_t(points->basis.count);
    const bool is_whole = !plan.is_chain && span > 0 && span + 1 < plan.spans;
    double length = 0, stretched = 0;
    Term* whole = is_whole ? &out.add(0, 0, plan.damping[0]) : nullptr;
    for (std::size_t k = 0; k < out.point_count; ++k) {
        const Point& point = points[k];
        Strains& strains = out.strains[k];
        compute_strains(local_at(point, at.x), at.references[out.first_point + k], point.rest,
                        strains);
        if (is_whole) {
            Row stretch;
            spread(point, strains.slope[0], stretch);
            length += point.length;
            stretched += strains.strain[0] * point.length;
            for (std::size_t i = 0; i < stretch.size(); ++i)
                whole->row[i] = (k == 0 ? 0 : whole->row[i]) + stretch[i] * point.length;
        } else {
            Term& own =
                out.add(plan.stiffness[0] * point.length, strains.strain[0], plan.damping[0]);
            spread(point, strains.slope[0], own.row);
            out.tension[k] = tension_of(plan, at, out, own);
        }
        for (std::size_t i = 1; i < 4 && !plan.is_chain; ++i)
            spread(
                point, strains.slope[i],
                out.add(plan.stiffness[i] * point.length, strains.strain[i], plan.damping[i]).row);
    }
    if (!is_whole)
        return;
    for (double& number : whole->row)
        number /= length;
    whole->stiffness = plan.stiffness[0] * length;
    whole->strain = stretched / length;
    out.tension.fill(tension_of(plan, at, out, *whole));
}

void measure_kink(const Plan& plan, const Configuration& at, std::size_t node, SpanTerms& out)
{
    const Kink kink = kink_at(at.x, node);
    out.first = kink.first;
    out.count = 12;
    out.point_count = out.term_count = 0;
    for (int c = 0; c < 3; ++c)
        out.add(kink_stiffness(plan), kink.strain[c], plan.damping[1]).row =
            kink.slope[std::size_t(c)];
}

std::size_t measure_asides(const Plan& plan, const SpanTerms& terms, double theta,
                           std::array<Aside, 4>& asides)
{
    std::size_t count = 0;
    for (std::size_t k = 0; k < terms.point_count; ++k) {
        const Point& point = plan.points[terms.first_point + k];
        const auto add = [&](double factor, const std::array<double, 4>& weight, const Vec3& t) {
            Aside& aside = asides[count++];
            aside.factor = factor;
            aside.weight = weight;
            for (int a = 0; a < 3; ++a)
                for (std::size_t j = 0; j < 4; ++j) {
                    for (int b = 0; b < 3; ++b)
                        aside.row[std::size_t(a)][4 * j + std::size_t(b)] =
                            weight[j] * ((a == b ? 1.0 : 0.0) - t[a] * t[b]);
                    aside.row[std::size_t(a)][4 * j + 3] = 0;
                }
        };
        if (terms.tension[k] > 0)
            add(theta * theta * point.length * terms.tension[k] / terms.strains[k].stretch,
                point.along, terms.strains[k].t);
        if (has_drag(plan)) // at least what it is
            add(theta * max(plan.drag_along, plan.drag_across) * point.length, point.basis.weight,
                {0, 0, 0});
    }
    return count;
}

void add_span_matrix(const SpanTerms& terms, double theta, const Aside* asides,
                     std::size_t aside_count, ChainLdl& W)
{
    const std::size_t nodes = terms.count / kNumbers;
    const ChainLdl::Group group = W.group(terms.first / kNumbers, nodes);
    const auto turned = [&](std::size_t n) { // where a number stands among those of its group
        return group.is_turned ? kNumbers * (nodes - 1 - n / kNumbers) + n % kNumbers : n;
    };
    for (std::size_t i = 0; i < terms.count; ++i)
        for (std::size_t j = 0; j < terms.count; ++j) {
            const std::size_t row = turned(i), column = turned(j), node = column / kNumbers;
            if (row / kNumbers < node)
                continue;
            double sum = 0;
            for (std::size_t k = 0; k < terms.term_count; ++k)
                sum += (theta * theta + theta * terms.term[k].damping) * terms.term[k].stiffness *
                       terms.term[k].row[i] * terms.term[k].row[j];
            for (std::size_t k = 0; j % kNumbers < 3 && k < aside_count; ++k)
                sum += asides[k].factor * asides[k].weight[j / kNumbers] *
                       asides[k].row[j % kNumbers][i];
            group.columns[column * ChainLdl::kColumn + row - kNumbers * node] += sum;
        }
}

} // namespace sinew::rod
