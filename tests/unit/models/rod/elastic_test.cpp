// Energy, its slope, and frames of rods.

#include "models/rod/elastic.h"
#include "models/rod/span.h"
#include "models/rod/span_lanes.h"
#include "some_rods.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

namespace sinew::rod {

namespace {

const Material kCable{.radius = 0.01, .young = 2e6, .poisson = 0.4, .density = 1100};

struct Shaken {
    Made made;
    std::vector<double> v;

    Configuration at() const { return {made.x, v, made.references}; }
};

Shaken shake(const Drawing& drawing, double size)
{
    Shaken shaken{make_plan(drawing), {}};
    Dice dice(7);
    shaken.v.assign(shaken.made.x.size(), 0);
    for (std::size_t i = 0; i < shaken.v.size(); ++i) {
        shaken.made.x[i] += size * dice() * (i % 4 == 3 ? 10 : 1);
        shaken.v[i] = dice();
    }
    return shaken;
}

double elastic_energy(const Shaken& rod)
{
    return compute_energy(rod.made.plan, rod.at(), {}).elastic;
}

/// −∂E/∂x by central differences against add_force.
void check_gradient(Shaken rod)
{
    rod.v.assign(rod.v.size(), 0.0);
    std::vector<double> force(rod.v.size(), 0.0);
    SpanRoom room;
    add_force(rod.made.plan, rod.at(), {}, room, force);
    double largest = 0;
    for (const double f : force)
        largest = std::max(largest, std::abs(f));
    for (std::size_t i = 0; i < force.size(); ++i) {
        const double h = 1e-6;
        Shaken left = rod, right = rod;
        left.made.x[i] -= h;
        right.made.x[i] += h;
        const double slope = (elastic_energy(right) - elastic_energy(left)) / (2 * h);
        CHECK(-force[i] == doctest::Approx(slope).epsilon(1e-7).scale(largest));
    }
}

/// Calls call(node, nodes behind, row, column) for the lower half of a matrix.
template <class Call>
void for_each_entry(std::size_t nodes, Call&& call)
{
    for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t k = 0; k <= ChainLdl::kReach && i + k < nodes; ++k)
            for (std::size_t r = 0; r < kNumbers; ++r)
                for (std::size_t c = 0; c < kNumbers; ++c)
                    if (k > 0 || r >= c)
                        call(i, k, r, c);
}

/// Forces and the matrix without M in lanes against those of span after span.
void check_lanes(const Shaken& rod, const Loads& loads)
{
    const Plan& plan = rod.made.plan;
    const double theta = 0.02;
    ChainLdl found(plan.node_count), wanted(plan.node_count);
    std::vector<double> force(plan.size(), 0.0), wanted_force(plan.size(), 0.0);
    SpanRoom room;
    add_lane_force(plan, rod.at(), loads, true, room, force);
    add_lane_matrix(plan, room, theta, found);
    SpanTerms terms;
    std::array<Aside, 4> asides;
    for (std::size_t span = 0; span < plan.spans; ++span) {
        measure_span(plan, rod.at(), span, terms);
        add_span_force(plan, rod.at(), loads, terms, wanted_force);
        add_span_matrix(terms, theta, asides.data(), measure_asides(plan, terms, theta, asides),
                        wanted);
    }

    double largest = 0, largest_force = 0;
    for (const double f : wanted_force)
        largest_force = std::max(largest_force, std::abs(f));
    for (std::size_t i = 0; i < force.size(); ++i)
        CHECK(std::abs(force[i] - wanted_force[i]) <= 1e-11 * largest_force);
    for_each_entry(plan.node_count,
                   [&](std::size_t i, std::size_t k, std::size_t r, std::size_t c) {
                       largest = std::max(largest, std::abs(wanted.entry(i, k, r, c)));
                   });
    for_each_entry(
        plan.node_count, [&](std::size_t i, std::size_t k, std::size_t r, std::size_t c) {
            CHECK(std::abs(found.entry(i, k, r, c) - wanted.entry(i, k, r, c)) <= 1e-12 * largest);
        });
    std::vector<double> memory;
    for (const Reference& own : rod.made.references)
        memory.insert(memory.end(), {own.t.x, own.t.y, own.t.z, own.t_s.x, own.t_s.y, own.t_s.z,
                                     own.a.x, own.a.y, own.a.z, own.twist});
    carry_lanes(plan, rod.made.x, room, memory);
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const Reference carried =
            carry(rod.made.references[i], local_at(plan.points[i], rod.made.x));
        const double* own = memory.data() + Reference::kNumbers * i;
        CHECK(length(carried.t - Vec3{own[0], own[1], own[2]}) < 1e-13);
        CHECK(length(carried.t_s - Vec3{own[3], own[4], own[5]}) < 1e-10);
        CHECK(length(carried.a - Vec3{own[6], own[7], own[8]}) < 1e-13);
        CHECK(std::abs(carried.twist - own[9]) < 1e-11);
    }
}

} // namespace

TEST_CASE("rods: eight spans at a time are the same as one by one")
{
    Material thick = kCable;
    thick.dampings = {0.03, 0.01, 0.01, 0.05};
    Material blown = thick;
    blown.drag_along = 0.1;
    blown.drag_across = 0.3;
    for (const int spans : {1, 2, 3, 7, 8, 9, 24}) {
        check_lanes(shake(straight(1, std::uint32_t(spans), kCable), 0.01), {});
        Loads wind;
        wind.air.assign(std::size_t(2 * spans), {3, -1, 2});
        check_lanes(shake(straight(1, std::uint32_t(spans), blown), 0.01), wind);
    }
    check_lanes(shake(helix(12, thick), 0.01), {});
}

TEST_CASE("rods: force is the slope of the energy [notes: rods, eqs 1-4]")
{
    SUBCASE("straight at rest") { check_gradient(shake(straight(1, 6, kCable), 0.01)); }
    SUBCASE("curved at rest") { check_gradient(shake(helix(8, kCable), 0.01)); }
    SUBCASE("one span") { check_gradient(shake(straight(0.5, 1, kCable), 0.02)); }
    SUBCASE("chain")
    {
        Drawing chain = straight(1, 6, kCable);
        chain.is_chain = true;
        check_gradient(shake(chain, 0.01));
    }
}

TEST_CASE("rods: as drawn nothing pulls, wherever it is turned [notes: rods, eqs 1-3]")
{
    Made made = make_plan(helix(10, kCable));
    std::vector<double> v(made.x.size(), 0.0), force(made.x.size(), 0.0);
    SpanRoom room;
    add_force(made.plan, {made.x, v, made.references}, {}, room, force);
    for (const double f : force)
        CHECK(std::abs(f) < 1e-9);

    // Turned as a whole the carried frame turns about the tangent too: only a turn of its angle,
    // the same everywhere, may be left, and no twist.
    const Quat turn = exp_quat(Vec3{0.4, -0.3, 0.5});
    for (std::size_t i = 0; i < made.x.size(); i += 4) {
        const Vec3 at = rotate(turn, Vec3{made.x[i], made.x[i + 1], made.x[i + 2]});
        made.x[i] = at.x, made.x[i + 1] = at.y, made.x[i + 2] = at.z;
    }
    for (std::size_t i = 0; i < made.plan.points.size(); ++i) {
        const Local local = local_at(made.plan.points[i], made.x);
        const Reference carried = carry(made.references[i], local);
        // The material director is the turned one: its angle from the carried one is φ.
        const Vec3 m = rotate(turn, made.references[i].a);
        const double phi = std::atan2(dot(m, cross(carried.t, carried.a)), dot(m, carried.a));
        Local free = local;
        free.phi = phi;
        const Strains bent = compute_strains(free, made.references[i], made.plan.points[i].rest);
        CHECK(std::abs(bent.strain[1]) < 1e-9);
        CHECK(std::abs(bent.strain[2]) < 1e-9);
    }
}

TEST_CASE("rods: the carried frame twists along the rod by what its turn says [notes: rods, eq. 3]")
{
    // Two curves s → t₀(s), t(s); the frame of the first, without twist, carried to the second.
    const auto first = [](double s) { return normalised(Vec3{1, 0.3 * s, 0.2 * s * s}); };
    const auto second = [](double s) {
        return normalised(Vec3{1 - 0.2 * s, 0.5 + 0.4 * s, std::sin(0.7 * s) - 0.3});
    };
    const double h = 1e-5;
    const auto slope = [&](const auto& f, double s) { return (f(s + h) - f(s - h)) / (2 * h); };
    const double s = 0.3;
    Reference here{first(s), slope(first, s), {}, 0};
    here.a = normalised(Vec3{0, 0, 1} - here.t * here.t.z);
    const auto carried_at = [&](double at) {
        // Without twist to first order: a_s is along t₀.
        Vec3 a = here.a - first(at) * dot(first(at), here.a);
        const Reference there{first(at), {0, 0, 0}, normalised(a), 0};
        return carry(there, Local{second(at), {0, 0, 0}}).a;
    };
    const Vec3 a = carried_at(s), a_s = (carried_at(s + h) - carried_at(s - h)) / (2 * h);
    const double twist = dot(a_s, cross(second(s), a));

    const Reference carried = carry(here, Local{second(s), slope(second, s)});

    CHECK(carried.twist == doctest::Approx(twist).epsilon(1e-7));
    CHECK(std::abs(twist) > 0.01);
}

TEST_CASE("rods: W is symmetric positive, and at rest M + θ²K is exact [notes: rods, eq. 5]")
{
    Shaken rod = shake(straight(1, 5, kCable), 0);
    rod.v.assign(rod.v.size(), 0.0);
    const std::size_t n = rod.v.size();
    const double theta = 0.05;
    ChainLdl W(n / kNumbers);
    std::vector<double> force(n, 0.0), alone(n, 0.0);
    SpanRoom room;
    assemble(rod.made.plan, rod.at(), {}, theta, 1, room, force, W);
    add_force(rod.made.plan, rod.at(), {}, room, alone);
    CHECK(force == alone);
    Eigen::MatrixXd K(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        const double h = 1e-6;
        Shaken left = rod, right = rod;
        left.made.x[i] -= h;
        right.made.x[i] += h;
        std::vector<double> f_left(n, 0.0), f_right(n, 0.0);
        add_force(rod.made.plan, left.at(), {}, room, f_left);
        add_force(rod.made.plan, right.at(), {}, room, f_right);
        for (std::size_t j = 0; j < n; ++j)
            K(Eigen::Index(j), Eigen::Index(i)) = -(f_right[j] - f_left[j]) / (2 * h);
    }
    const double scale = theta * theta * K.cwiseAbs().maxCoeff();
    for_each_entry(n / kNumbers, [&](std::size_t i, std::size_t k, std::size_t r, std::size_t c) {
        const Eigen::Index row(kNumbers * (i + k) + r), column(kNumbers * i + c);
        CHECK(W.entry(i, k, r, c) - rod.made.plan.mass.entry(i, k, r, c) ==
              doctest::Approx(theta * theta * K(row, column)).epsilon(1e-6).scale(scale));
    });
    CHECK(W.factor());
}

TEST_CASE("rods: where asked for, what damping pulls with stiffens across the rod in W as in the "
          "force [notes: rods, eq. 5]")
{
    Material damped = kCable;
    damped.dampings = {0.03, 0, 0, 0};
    for (const bool is_chain : {false, true}) {
        CAPTURE(is_chain);
        Drawing drawing = straight(1, 10, damped);
        drawing.is_chain = is_chain;
        Shaken rod = shake(drawing, 0);
        const std::size_t n = rod.v.size();
        for (std::size_t i = 0; i < n; ++i) // it grows longer, and is not yet
            rod.v[i] = i % kNumbers == 0 ? rod.made.x[i] : 0;
        const double theta = 0.05;
        ChainLdl elastic(n / kNumbers), all(n / kNumbers);
        std::vector<double> force(n, 0.0);
        SpanRoom room;
        Configuration at = rod.at();
        assemble(rod.made.plan, at, {}, theta, 1, room, force, elastic);
        at.counts_damped_tension = true;
        assemble(rod.made.plan, at, {}, theta, 1, room, force, all);
        const std::size_t node = 5, y = kNumbers * node + 1;
        const double h = 1e-6;
        std::vector<double> slope(n, 0.0);
        for (const double side : {-1.0, 1.0}) {
            Shaken aside = rod;
            aside.made.x[y] += side * h;
            for (const bool moves : {false, true}) {
                std::vector<double> f(n, 0.0);
                if (!moves)
                    aside.v.assign(n, 0.0);
                else
                    aside.v = rod.v;
                add_force(rod.made.plan, aside.at(), {}, room, f);
                for (std::size_t i = 0; i < n; ++i)
                    slope[i] -= (moves ? 1 : -1) * side * f[i] / (2 * h);
            }
        }
        CHECK(slope[y] > 1);
        CHECK(all.entry(node, 0, 1, 1) - elastic.entry(node, 0, 1, 1) ==
              doctest::Approx(theta * theta * slope[y]).epsilon(1e-6));
        CHECK(all.entry(node, 1, 1, 1) - elastic.entry(node, 1, 1, 1) ==
              doctest::Approx(theta * theta * slope[y + kNumbers]).epsilon(1e-6));
        CHECK(all.entry(node, 0, 0, 0) == doctest::Approx(elastic.entry(node, 0, 0, 0)));
    }
}

TEST_CASE("rods: M has the rod's mass and moments")
{
    const Made made = make_plan(straight(2, 7, kCable));
    const Plan& plan = made.plan;
    const double mass = 1100 * 3.14159265358979 * 1e-4 * 2;
    std::vector<double> ones(plan.size(), 0.0), product(plan.size(), 0.0), along = ones;
    for (std::size_t i = 0; i < plan.size(); i += 4) {
        ones[i] = 1;
        along[i] = made.x[i]; // x itself: ∫ ρA x² ds is the moment about the first end
    }
    plan.mass.add_product(along, product);
    double total = 0, moment = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        total += ones[i] * product[i];
        moment += along[i] * product[i];
    }
    CHECK(plan.total_mass() == doctest::Approx(mass));
    CHECK(total == doctest::Approx(mass * 1));        // ∫ ρA x ds = m L/2
    CHECK(moment == doctest::Approx(mass * 4.0 / 3)); // m L²/3
}

TEST_CASE("rods: the basis away from the ends is that of Cox and de Boor")
{
    Plan plan;
    plan.spans = 9;
    plan.node_count = 12;
    for (int k = -2; k <= 92; ++k) {
        const CurveWeights found = plan.basis_at(k / 90.0);
        const CurveWeights wanted = bspline_basis(12, k / 90.0, 3);
        CHECK(found.first == wanted.first);
        CHECK(found.count == wanted.count);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(found.weight[i] == doctest::Approx(wanted.weight[i]).epsilon(1e-13));
            CHECK(found.first_derivative[i] ==
                  doctest::Approx(wanted.first_derivative[i]).epsilon(1e-12));
            CHECK(found.second_derivative[i] ==
                  doctest::Approx(wanted.second_derivative[i]).epsilon(1e-11));
        }
    }
}

TEST_CASE("rods: M v by pairs of control points is that of the matrix")
{
    const Made made = make_plan(helix(6, kCable));
    std::vector<double> v(made.plan.size()), found(v.size(), 0.0), wanted(v.size(), 0.0);
    Dice dice(3);
    for (double& number : v)
        number = dice();

    add_momentum(made.plan, v, found);
    made.plan.mass.add_product(v, wanted);

    for (std::size_t i = 0; i < v.size(); ++i)
        CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-12));
}

} // namespace sinew::rod
