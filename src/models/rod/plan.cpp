#include "models/rod/plan.h"

#include "math/functions.h"
#include "solve/linear/band/band_ldl.h"

#include <algorithm>

namespace sinew::rod {

namespace {

constexpr double kPi = 3.14159265358979323846;

/// Gauss-Legendre on [0, 1]: two points for strains, four for products of cubics.
constexpr std::array<std::array<double, 2>, 2> kGauss2 = {
    {{0.21132486540518711775, 0.5}, {0.78867513459481288225, 0.5}}};
constexpr std::array<std::array<double, 2>, 4> kGauss4 = {
    {{0.06943184420297371239, 0.17392742256872692869},
     {0.33000947820757186760, 0.32607257743127307131},
     {0.66999052179242813240, 0.32607257743127307131},
     {0.93056815579702628761, 0.17392742256872692869}}};

/// Control points of the curve nearest to the samples, its ends on theirs: least squares.
std::vector<Vec3> fit(const Plan& plan, const std::vector<Vec3>& samples)
{
    const std::size_t n = plan.node_count, inner = n - 2;
    std::vector<Vec3> points(n);
    points.front() = samples.front();
    points.back() = samples.back();
    if (inner == 0)
        return points;
    BandLdl normal(inner, 3);
    std::vector<double> sides[3];
    for (auto& side : sides)
        side.assign(inner, 0);
    for (std::size_t k = 1; k + 1 < samples.size(); ++k) {
        const CurveWeights basis = plan.basis_at(double(k) / double(samples.size() - 1));
        Vec3 wanted = samples[k];
        for (int i = 0; i < basis.count; ++i)
            if (const std::size_t node = std::size_t(basis.first + i); node == 0 || node + 1 == n)
                wanted -= points[node] * basis.weight[std::size_t(i)];
        for (int i = 0; i < basis.count; ++i) {
            const std::size_t row = std::size_t(basis.first + i) - 1;
            if (basis.first + i == 0 || row >= inner)
                continue;
            for (int axis = 0; axis < 3; ++axis)
                sides[axis][row] += basis.weight[std::size_t(i)] * wanted[axis];
            for (int j = i; j < basis.count && std::size_t(basis.first + j) <= inner; ++j)
                normal.column(row)[j - i] +=
                    basis.weight[std::size_t(i)] * basis.weight[std::size_t(j)];
        }
    }
    normal.factor();
    for (int axis = 0; axis < 3; ++axis) {
        normal.solve(sides[axis]);
        for (std::size_t i = 0; i < inner; ++i)
            points[i + 1][axis] = sides[axis][i];
    }
    return points;
}

void add_points(const Drawing& drawing, std::span<const double> x, Plan& plan)
{
    const double stretch = drawing.rest_length / drawing.drawn_length;
    const auto add = [&](double u, double share) {
        Point& point = plan.points.emplace_back();
        point.u = u;
        point.basis = plan.basis_at(u);
        point.speed = drawing.is_straight || plan.is_chain
                          ? drawing.rest_length
                          : length(curve_at(point.basis, x).first) * stretch;
        point.length = point.speed * share / plan.spans;
        for (std::size_t i = 0; i < std::size_t(point.basis.count); ++i) {
            point.along[i] = point.basis.first_derivative[i] / point.speed;
            point.bend[i] = point.basis.second_derivative[i] / (point.speed * point.speed);
        }
    };
    for (std::uint32_t k = 0; k < plan.spans; ++k)
        if (plan.is_chain)
            add((k + 0.5) / plan.spans, 1);
        else
            for (const auto& [at, share] : kGauss2)
                add((k + at) / plan.spans, share);
    for (const Point& point : plan.points)
        plan.length += point.length;
}

/// M = ∫ ρA bᵢ bⱼ ds + Σ m bᵢ bⱼ of riders; of φ with the polar moment. A chain's masses sit at its
/// points.
void add_mass(const Material& material, Plan& plan)
{
    const double polar = plan.polar = material.radius * material.radius / 2;
    plan.mass = ChainLdl(plan.node_count);
    plan.pair_mass.assign(plan.node_count, {});
    plan.node_mass.assign(plan.node_count, 0);
    const auto add = [&](std::size_t i, std::size_t j, double mass) {
        plan.node_mass[i] += mass;
        plan.pair_mass[i][j - i] += mass;
        if (i != j)
            plan.node_mass[j] += mass;
        const ChainLdl::Group group = plan.mass.group(i, j - i + 1);
        for (std::size_t c = 0; c < kNumbers; ++c)
            group.columns[c * ChainLdl::kColumn + kNumbers * (j - i) + c] +=
                c < 3 ? mass : mass * polar;
    };
    if (plan.is_chain) {
        for (const Point& point : plan.points)
            for (std::size_t i = 0; i < 2; ++i) {
                const std::size_t node = std::size_t(point.basis.first) + i;
                add(node, node, plan.mass_per_length * point.length / 2);
            }
        for (const Rider& rider : plan.riders) {
            const CurveWeights basis = plan.basis_at(rider.u);
            for (std::size_t i = 0; i < std::size_t(basis.count); ++i)
                add(std::size_t(basis.first) + i, std::size_t(basis.first) + i,
                    rider.mass * basis.weight[i]);
        }
        return;
    }
    const auto add_at = [&](double u, double mass) {
        const CurveWeights basis = plan.basis_at(u);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i; j < 4; ++j)
                add(std::size_t(basis.first) + i, std::size_t(basis.first) + j,
                    mass * basis.weight[i] * basis.weight[j]);
    };
    for (std::uint32_t k = 0; k < plan.spans; ++k)
        for (const auto& [at, share] : kGauss4) {
            const double before = plan.points[2 * k].speed, behind = plan.points[2 * k + 1].speed;
            const double speed =
                before + (behind - before) * (at - kGauss2[0][0]) / (kGauss2[1][0] - kGauss2[0][0]);
            add_at((k + at) / plan.spans, plan.mass_per_length * speed * share / plan.spans);
        }
    for (const Rider& rider : plan.riders)
        add_at(rider.u, rider.mass);
}

/// Frames carried along the rod by smallest turns, so that they do not twist. The first has for
/// a the axis least along the tangent.
std::vector<Reference> make_references(const Plan& plan, std::span<const double> x)
{
    std::vector<Reference> references;
    for (const Point& point : plan.points) {
        const Local local = local_at(point, x);
        if (references.empty()) {
            const Vec3 t = normalised(local.p);
            const Vec3 size = {abs(t.x), abs(t.y), abs(t.z)};
            constexpr double kNear = 1e-6; // equals go to the first axis, whatever the rounding
            Vec3 axis = {1, 0, 0};
            if (size.y < size.x - kNear && size.y <= size.z + kNear)
                axis = {0, 1, 0};
            else if (size.z < size.x - kNear)
                axis = {0, 0, 1};
            references.push_back({t, {0, 0, 0}, normalised(axis - t * dot(t, axis)), 0});
        }
        Reference next = carry(references.back(), local);
        next.twist = 0;
        references.push_back(next);
    }
    references.erase(references.begin());
    return references;
}

} // namespace

/// Away from the ends the knots are uniform, and the basis is the same four cubics everywhere.
CurveWeights Plan::basis_at(double u) const
{
    const double place = u * spans;
    if (is_chain || !(place >= 2 && place < double(spans) - 2))
        return bspline_basis(int(node_count), u, is_chain ? 1 : 3);
    const int piece = int(place);
    const double s = place - piece, r = 1 - s, n = spans;
    return {piece,
            4,
            {r * r * r / 6, (4 + s * s * (3 * s - 6)) / 6, (4 + r * r * (3 * r - 6)) / 6,
             s * s * s / 6},
            {-n * r * r / 2, n * s * (3 * s - 4) / 2, -n * r * (3 * r - 4) / 2, n * s * s / 2},
            {n * n * r, n * n * (3 * s - 2), n * n * (3 * r - 2), n * n * s}};
}

void add_momentum(const Plan& plan, std::span<const double> v, std::span<double> momentum)
{
    const double share[kNumbers] = {1, 1, 1, plan.polar};
    for (std::size_t i = 0; i < plan.node_count; ++i) {
        const double *own = &v[kNumbers * i], *pair = plan.pair_mass[i].data();
        double* to = &momentum[kNumbers * i];
        for (std::size_t c = 0; c < kNumbers; ++c)
            to[c] += share[c] * pair[0] * own[c];
        for (std::size_t k = 1; k < 4 && i + k < plan.node_count; ++k)
            for (std::size_t c = 0; c < kNumbers; ++c) {
                to[c] += share[c] * pair[k] * own[kNumbers * k + c];
                to[kNumbers * k + c] += share[c] * pair[k] * own[c];
            }
    }
}

CurvePoint curve_at(const CurveWeights& basis, std::span<const double> x)
{
    CurvePoint c{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (std::size_t i = 0; i < std::size_t(basis.count); ++i) {
        const double* node = &x[kNumbers * (std::size_t(basis.first) + i)];
        const Vec3 at{node[0], node[1], node[2]};
        c.point += at * basis.weight[i];
        c.first += at * basis.first_derivative[i];
        c.second += at * basis.second_derivative[i];
    }
    return c;
}

Local local_at(const Point& point, std::span<const double> x)
{
    double along[kNumbers] = {}, bend[kNumbers] = {}, phi = 0;
    const double* node = &x[kNumbers * std::size_t(point.basis.first)];
    for (std::size_t i = 0; i < std::size_t(point.basis.count); ++i, node += kNumbers) {
        for (std::size_t c = 0; c < kNumbers; ++c) {
            along[c] += point.along[i] * node[c];
            bend[c] += point.bend[i] * node[c];
        }
        phi += point.basis.weight[i] * node[3];
    }
    return {{along[0], along[1], along[2]}, {bend[0], bend[1], bend[2]}, phi, along[3]};
}

double Plan::total_mass() const
{
    double sum = mass_per_length * length;
    for (const Rider& rider : riders)
        sum += rider.mass;
    return sum;
}

Made make_plan(const Drawing& drawing)
{
    Made made;
    Plan& plan = made.plan;
    const Material& m = drawing.material;
    const double area = kPi * m.radius * m.radius, inertia = area * m.radius * m.radius / 4;
    plan.is_chain = drawing.is_chain;
    plan.spans = drawing.spans;
    plan.node_count = drawing.spans + (drawing.is_chain ? 1 : 3);
    plan.stiffness = {m.young * area, m.young * inertia, m.young * inertia,
                      m.young * inertia / (1 + m.poisson)};
    if (m.given)
        plan.stiffness = {(*m.given)[0], (*m.given)[1], (*m.given)[1], (*m.given)[2]};
    plan.mass_per_length = m.mass_per_length.value_or(m.density * area);
    plan.damping = m.dampings.value_or(std::array{m.damping, m.damping, m.damping, m.damping});
    plan.drag_along = m.drag_along;
    plan.drag_across = m.drag_across;
    plan.radius = m.radius;
    plan.riders = drawing.riders;
    for (const Vec3& point : fit(plan, drawing.samples))
        made.x.insert(made.x.end(), {point.x, point.y, point.z, 0});
    std::vector<double> at_rest = made.x;
    if (!drawing.rest_samples.empty()) {
        at_rest.clear();
        for (const Vec3& point : fit(plan, drawing.rest_samples))
            at_rest.insert(at_rest.end(), {point.x, point.y, point.z, 0});
    }
    add_points(drawing, at_rest, plan);
    add_mass(m, plan);
    made.references = make_references(plan, made.x);
    const std::vector<Reference> references = make_references(plan, at_rest);
    if (!drawing.is_straight && !plan.is_chain)
        for (std::size_t i = 0; i < plan.points.size(); ++i) {
            Rest& rest = plan.points[i].rest;
            rest = measure_rest(local_at(plan.points[i], at_rest), references[i]);
            rest.is_curved = hypot(rest.kappa_1, rest.kappa_2) * plan.length > 1e-9;
            if (!rest.is_curved)
                rest = {};
        }
    if (!plan.is_chain)
        plan.lanes = make_lanes(plan);
    return made;
}

} // namespace sinew::rod
