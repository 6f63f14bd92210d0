// Impulses of rows, against three things that share no code with the solver: the laws themselves,
// enumeration of everything a small problem could do, and projected Gauss-Seidel.

#include "solve/rows/row_newton.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace sinew;
using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RowProblem make_problem(MatrixXd C, VectorXd q, std::vector<Law> law, double friction = 0)
{
    const Index n = q.size();
    return {.C = std::move(C),
            .q = std::move(q),
            .compliance = VectorXd::Zero(n),
            .law = std::move(law),
            .friction = VectorXd::Constant(n, friction),
            .lo = VectorXd::Constant(n, -kInfinity),
            .hi = VectorXd::Constant(n, kInfinity)};
}

/// Numbers in [−1, 1], from a seed that RapidCheck chooses.
struct Dice {
    std::mt19937 engine;
    double operator()() { return double(engine()) / 2147483648.0 - 1; }
    VectorXd vector(Index n)
    {
        return VectorXd::NullaryExpr(n, [&](Index) { return (*this)(); });
    }
    MatrixXd matrix(Index rows, Index columns)
    {
        return MatrixXd::NullaryExpr(rows, columns, [&](Index, Index) { return (*this)(); });
    }
    /// B Bᵀ of the given rank, some rows a thousand times lighter than others.
    MatrixXd psd(Index n, Index rank)
    {
        MatrixXd B = matrix(n, rank);
        for (Index i = 0; i < n; ++i)
            B.row(i) *= i % 4 == 3 ? 30 : 1;
        return B * B.transpose();
    }
};

Dice make_dice() { return {std::mt19937(*rc::gen::inRange<unsigned>(0, 1u << 30))}; }

/// How far λ is from fulfilling the laws, from their definition: impulses are weighed with what
/// velocity they make.
double law_error(const RowProblem& p, const VectorXd& impulse)
{
    const VectorXd w = p.C * impulse + p.compliance.cwiseProduct(impulse) + p.q;
    double error = 0;
    Index normal = -1;
    for (Index i = 0; i < p.size(); ++i) {
        const double weight = p.C(i, i) + p.compliance[i], l = impulse[i] * weight;
        switch (p.law[std::size_t(i)]) {
        case Law::equal: error = std::max(error, std::abs(w[i])); break;
        case Law::push:
            error = std::max({error, -l, -w[i], std::min(std::abs(l), std::abs(w[i]))});
            normal = i;
            break;
        case Law::box: {
            const double below = (impulse[i] - p.lo[i]) * weight,
                         above = (p.hi[i] - impulse[i]) * weight;
            error = std::max({error, -below, -above, std::min(std::max(w[i], 0.0), below),
                              std::min(std::max(-w[i], 0.0), above)});
            break;
        }
        case Law::disc:
        case Law::roll: {
            const Law law = p.law[std::size_t(i)];
            const bool has_two = (law == Law::roll || i == normal + 1) && i + 1 < p.size() &&
                                 p.law[std::size_t(i) + 1] == law;
            const Index count = has_two ? 2 : 1;
            const VectorXd lt = impulse.segment(i, count) * weight, wt = w.segment(i, count);
            const double radius = p.friction[i] * impulse[normal] * weight;
            error = std::max(error, lt.norm() - radius);
            error = std::max(error, std::min(wt.norm(), radius - lt.norm())); // slips: at the edge
            if (lt.norm() > 1e-8) // and against the motion
                error = std::max(error, (wt.norm() * lt.norm() + wt.dot(lt)) / lt.norm());
            i += count - 1;
            break;
        }
        case Law::slide: error = kInfinity; break;
        }
    }
    return error;
}

/// Projected Gauss-Seidel until nothing moves.
VectorXd sweep_to_the_end(const RowProblem& p, int limit = 200000)
{
    VectorXd l = VectorXd::Zero(p.size());
    for (int sweep = 0; sweep < limit; ++sweep) {
        double change = 0;
        for (Index i = 0, normal = -1; i < p.size(); ++i) {
            const double weight = p.C(i, i) + p.compliance[i];
            const auto wanted = [&](Index r) {
                return l[r] - (p.C.row(r).dot(l) + p.compliance[r] * l[r] + p.q[r]) / weight;
            };
            const Law law = p.law[std::size_t(i)];
            if (follows_push(law)) { // always two here
                const double stiff = std::max(p.C(i, i), p.C(i + 1, i + 1));
                Eigen::Vector2d t = l.segment<2>(i) - ((p.C * l + p.q).segment<2>(i)) / stiff;
                const double radius = p.friction[i] * l[normal];
                if (t.norm() > radius)
                    t *= radius / t.norm();
                change = std::max(change, (t - l.segment<2>(i)).norm() * stiff);
                l.segment<2>(i++) = t;
                continue;
            }
            const double next = law == Law::equal  ? wanted(i)
                                : law == Law::push ? std::max(0.0, wanted(i))
                                                   : std::clamp(wanted(i), p.lo[i], p.hi[i]);
            if (law == Law::push)
                normal = i;
            change = std::max(change, std::abs(next - l[i]) * weight);
            l[i] = next;
        }
        if (change < 1e-14)
            break;
    }
    return l;
}

/// All solutions of a problem of contacts with a push row and one tangent each: every contact open,
/// sticking, or slipping one way or the other.
std::vector<VectorXd> enumerate(const RowProblem& p)
{
    const Index contacts = p.size() / 2;
    std::vector<VectorXd> found;
    for (int code = 0; code < 1 << (2 * contacts); ++code) {
        MatrixXd G = MatrixXd::Zero(p.size(), p.size());
        VectorXd r = VectorXd::Zero(p.size());
        for (Index c = 0; c < contacts; ++c) {
            const int mode = (code >> (2 * c)) & 3; // open, stick, slip with λ_t = ± μ λ_n
            const Index n = 2 * c, t = n + 1;
            if (mode == 0)
                G(n, n) = G(t, t) = 1;
            else {
                G.row(n) = p.C.row(n);
                r[n] = -p.q[n];
            }
            if (mode == 1) {
                G.row(t) = p.C.row(t);
                r[t] = -p.q[t];
            }
            if (mode >= 2) {
                G(t, t) = 1;
                G(t, n) = mode == 2 ? p.friction[t] : -p.friction[t];
            }
        }
        const VectorXd l = G.fullPivLu().solve(r);
        if ((G * l - r).norm() < 1e-9 && law_error(p, l) < 1e-8)
            found.push_back(l);
    }
    return found;
}

std::vector<Law> contact_laws(Index contacts, int tangents, int rolls = 0)
{
    std::vector<Law> law;
    for (Index c = 0; c < contacts; ++c) {
        law.push_back(Law::push);
        for (int t = 0; t < tangents; ++t)
            law.push_back(Law::disc);
        for (int r = 0; r < rolls; ++r)
            law.push_back(Law::roll);
    }
    return law;
}

} // namespace

TEST_CASE("a falling body is stopped by exactly the impulse that carries its momentum")
{
    const double mass = 2;
    const RowProblem p =
        make_problem(MatrixXd::Constant(1, 1, 1 / mass), VectorXd::Constant(1, -3), {Law::push});
    VectorXd impulse = VectorXd::Zero(1);

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK(report.converged);
    CHECK(impulse[0] == doctest::Approx(mass * 3).epsilon(1e-15));
}

TEST_CASE("rows of the equal law are solved at once, at any mass ratio")
{
    CHECK(rc::check("equal rows", [] {
        Dice dice = make_dice();
        const Index n = *rc::gen::inRange(1, 12);
        MatrixXd C = dice.psd(n, n) + 0.1 * MatrixXd::Identity(n, n);
        const VectorXd masses =
            VectorXd::NullaryExpr(n, [&](Index) { return std::pow(10.0, 3 * dice()); });
        C = masses.asDiagonal() * C * masses.asDiagonal();
        RowProblem p = make_problem(C, dice.vector(n), std::vector<Law>(std::size_t(n)));
        p.compliance = dice.vector(n).cwiseAbs();
        VectorXd impulse = dice.vector(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        RC_ASSERT(report.converged);
        RC_ASSERT(report.iterations == 1);
        const double largest = (C.cwiseAbs() * impulse.cwiseAbs()).maxCoeff();
        RC_ASSERT(law_error(p, impulse) < 1e-10 + 1e-14 * largest);
    }));
}

TEST_CASE("redundant equal rows that agree get an answer, the one with the smallest impulses")
{
    CHECK(rc::check("redundant equal rows", [] {
        Dice dice = make_dice();
        const Index n = *rc::gen::inRange(2, 12), rank = *rc::gen::inRange<Index>(1, n);
        const MatrixXd C = dice.psd(n, rank);
        const VectorXd q = C * dice.vector(n); // in the range: the rows do not contradict
        const RowProblem p = make_problem(C, q, std::vector<Law>(std::size_t(n)));
        VectorXd impulse = dice.vector(n) * 10;

        const RowSolveReport report = solve_rows(p, {}, impulse);

        RC_ASSERT(report.residual < 1e-9);
        RC_ASSERT(law_error(p, impulse) < 1e-9);
    }));

    const RowProblem twice = make_problem(MatrixXd::Constant(2, 2, 0.5), VectorXd::Constant(2, -3),
                                          {Law::equal, Law::equal});
    VectorXd impulse(2);
    impulse << 5, -7;
    CHECK(solve_rows(twice, {}, impulse).converged);
    CHECK(impulse[0] == doctest::Approx(3));
    CHECK(impulse[1] == doctest::Approx(3));
}

TEST_CASE("equal rows that contradict each other move nothing far for little")
{
    Eigen::Matrix<double, 3, 2> J;
    J << 1, 0, 1, 1e-5, 1, 0; // the second could be obeyed, by way of 0.2 / 1e-5
    const Eigen::Vector3d q(0, 0.2, 1);
    VectorXd impulse = VectorXd::Zero(3);

    const RowSolveReport report = solve_rows(
        make_problem(J * J.transpose(), q, std::vector<Law>(3, Law::equal)), {}, impulse);

    CHECK_FALSE(report.converged);
    CHECK((J.transpose() * impulse)[0] == doctest::Approx(-0.4)); // the mean
    CHECK(std::abs((J.transpose() * impulse)[1]) < 1e-3);
}

TEST_CASE("redundant equal rows that contradict each other are reported")
{
    VectorXd q(2), impulse = VectorXd::Zero(2);
    q << 1, -1;
    const RowProblem p = make_problem(MatrixXd::Constant(2, 2, 1), q, {Law::equal, Law::equal});

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK_FALSE(report.converged);
    CHECK(report.residual == doctest::Approx(1));
    CHECK(impulse.norm() < 1e-12);
}

TEST_CASE("a row that moves nothing gets no impulse and is counted")
{
    MatrixXd C = MatrixXd::Zero(3, 3);
    C(0, 0) = 2;
    VectorXd q(3), impulse = VectorXd::Ones(3);
    q << -1, -0.5, 4;
    const RowProblem p = make_problem(C, q, {Law::equal, Law::push, Law::equal});

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK(report.converged); // nobody could do better
    CHECK(report.idle_rows == 2);
    CHECK(report.idle_residual == 4);
    CHECK(impulse[0] == doctest::Approx(0.5));
    CHECK(impulse.tail(2) == VectorXd::Zero(2));
}

TEST_CASE("contacts never pull, and push only where they touch: unique when C is definite")
{
    CHECK(rc::check("push, equal and box rows against projected Gauss-Seidel", [] {
        Dice dice = make_dice();
        const Index n = *rc::gen::inRange(1, 10);
        const MatrixXd C = dice.psd(n, n) + 0.1 * MatrixXd::Identity(n, n);
        std::vector<Law> law(std::size_t(n), Law::push);
        for (Law& l : law)
            l = *rc::gen::element(Law::push, Law::push, Law::equal, Law::box);
        RowProblem p = make_problem(C, dice.vector(n), law);
        p.lo = -dice.vector(n).cwiseAbs();
        p.hi = dice.vector(n).cwiseAbs();
        for (Index i = 0; i < n; ++i)
            if (law[std::size_t(i)] == Law::box && i % 2)
                p.hi[i] = kInfinity;
        VectorXd impulse = dice.vector(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        RC_ASSERT(report.converged);
        RC_ASSERT(law_error(p, impulse) < 1e-9);
        RC_ASSERT((impulse - sweep_to_the_end(p)).norm() < 1e-7 * (1 + impulse.norm()));
    }));
}

TEST_CASE("with friction the answer is one of those that enumeration finds")
{
    CHECK(rc::check("contacts with one tangent", [] {
        Dice dice = make_dice();
        const Index contacts = *rc::gen::inRange(1, 5), n = 2 * contacts;
        const MatrixXd C = dice.psd(n, n) + 0.1 * MatrixXd::Identity(n, n);
        const RowProblem p = make_problem(C, dice.vector(n), contact_laws(contacts, 1),
                                          0.1 * *rc::gen::inRange(0, 11));
        VectorXd impulse = VectorXd::Zero(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        const std::vector<VectorXd> all = enumerate(p);
        RC_PRE(!all.empty()); // a large μ may leave none
        RC_ASSERT(report.converged);
        RC_ASSERT(std::ranges::any_of(
            all, [&](const VectorXd& l) { return (l - impulse).norm() < 1e-7 * (1 + l.norm()); }));
    }));
}

TEST_CASE("with friction on the disc the answer is that of projected Gauss-Seidel")
{
    CHECK(rc::check("contacts with two tangents", [] {
        Dice dice = make_dice();
        const Index contacts = *rc::gen::inRange(1, 6), n = 3 * contacts;
        const MatrixXd C = dice.matrix(n, n) * 0.2 + MatrixXd::Identity(n, n);
        const RowProblem p =
            make_problem(C * C.transpose(), dice.vector(n), contact_laws(contacts, 2), 0.3);
        VectorXd impulse = VectorXd::Zero(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        RC_ASSERT(report.converged);
        RC_ASSERT(law_error(p, impulse) < 1e-8);
        RC_ASSERT((impulse - sweep_to_the_end(p)).norm() < 1e-7 * (1 + impulse.norm()));
    }));
}

TEST_CASE("redundant contacts with friction: the laws hold though impulses are not unique")
{
    int unsolved = 0;
    CHECK(rc::check("semi-definite C", [&] {
        Dice dice = make_dice();
        const Index contacts = *rc::gen::inRange(2, 12), n = 3 * contacts;
        // One body of six freedoms moving anyhow, contacts anywhere: standing still would do.
        const MatrixXd J = dice.matrix(n, 6);
        const RowProblem p =
            make_problem(J * J.transpose(), J * dice.vector(6), contact_laws(contacts, 2), 0.5);
        VectorXd impulse = VectorXd::Zero(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        unsolved += !report.converged;
        if (report.converged)
            RC_ASSERT(law_error(p, impulse) < 1e-8);
        RC_ASSERT(report.residual == doctest::Approx(compute_row_residual(p, impulse)));
    }));
    CHECK(unsolved == 0);
}

TEST_CASE("a box on four corners is carried by them together, whatever each of them bears")
{
    // Unit cube of mass m on the plane y = 0; normals at (±½, ±½): rank 3 of 4.
    const double m = 5, inertia = m / 6, g = 9.81, h = 0.01;
    MatrixXd J(4, 3); // v_y, ω_z, ω_x
    J << 1, 0.5, 0.5, 1, 0.5, -0.5, 1, -0.5, 0.5, 1, -0.5, -0.5;
    const Eigen::DiagonalMatrix<double, 3> inverse(1 / m, 1 / inertia, 1 / inertia);
    const RowProblem p = make_problem(J * inverse * J.transpose(), VectorXd::Constant(4, -g * h),
                                      contact_laws(4, 0));
    VectorXd start = VectorXd::Zero(4);
    SUBCASE("cold") {}
    SUBCASE("warm, all on one diagonal") { start << m * g * h / 2, 0, 0, m * g * h / 2; }
    SUBCASE("warm, far too much") { start.setConstant(m); }
    VectorXd impulse = start;

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK(report.converged);
    CHECK(impulse.minCoeff() >= 0);
    CHECK((J.transpose() * impulse - Eigen::Vector3d(m * g * h, 0, 0)).norm() < 1e-12);
    if (start[1] == 0 && start[0] > 0)
        CHECK((impulse - start).norm() < 1e-12); // a good start is kept
}

TEST_CASE("a box on an incline sticks below tan α = μ and slides above, along the fall line")
{
    const double m = 3, g = 9.81, h = 0.01, mu = 0.3;
    for (const double tangent : {0.299, 0.3 - 1e-9, 0.3 + 1e-9, 0.301, 1.0})
        for (const double turn : {0.0, 0.5, 2.0, 4.0}) {
            const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
            VectorXd q(3), impulse = VectorXd::Zero(3);
            q << -g * h * cosine, g * h * sine * std::cos(turn), g * h * sine * std::sin(turn);
            const RowProblem p =
                make_problem(MatrixXd::Identity(3, 3) / m, q, contact_laws(1, 2), mu);

            const RowSolveReport report = solve_rows(p, {}, impulse);

            const Eigen::Vector2d w = q.tail(2) + impulse.tail(2) / m;
            const Eigen::Vector2d down(std::cos(turn), std::sin(turn));
            CHECK(report.converged);
            CHECK(impulse[0] == doctest::Approx(m * g * h * cosine));
            const double slip = std::max(0.0, g * h * (sine - mu * cosine));
            CHECK((w - slip * down).norm() < 1e-13);
        }
}

TEST_CASE("friction against twist is bounded by its own radius")
{
    const double mu = 0.5, radius = 0.1;
    RowProblem p =
        make_problem(MatrixXd::Identity(4, 4), VectorXd::Zero(4), contact_laws(1, 3), mu);
    p.q << -1, 2, 0, 3;
    p.friction[3] = mu * radius;
    VectorXd impulse = VectorXd::Zero(4);

    CHECK(solve_rows(p, {}, impulse).converged);

    CHECK(impulse[0] == doctest::Approx(1));
    CHECK(impulse[1] == doctest::Approx(-mu));
    CHECK(std::abs(impulse[2]) < 1e-15);
    CHECK(impulse[3] == doctest::Approx(-mu * radius));
}

TEST_CASE("a warm start that solves is left alone")
{
    Dice dice{std::mt19937(7)};
    const Index contacts = 8, n = 3 * contacts;
    const MatrixXd B = dice.matrix(n, n) * 0.2 + MatrixXd::Identity(n, n);
    const RowProblem p =
        make_problem(B * B.transpose(), dice.vector(n), contact_laws(contacts, 2), 0.3);
    VectorXd impulse = VectorXd::Zero(n);
    solve_rows(p, {}, impulse);
    const VectorXd first = impulse;

    const RowSolveReport again = solve_rows(p, {}, impulse);

    CHECK(again.iterations == 0);
    CHECK((impulse - first).norm() < 1e-15 * first.norm());
}

TEST_CASE("contacts sleep until they would be violated: the laws of all hold")
{
    // Balls in a row, each on a floor of its own and touching the next; some are thrown up, and one
    // is pushed along so that it wakes the others.
    const Index balls = 12;
    MatrixXd J = MatrixXd::Zero(3 * (2 * balls - 1), 3 * balls);
    VectorXd v = VectorXd::Zero(3 * balls);
    for (Index i = 0; i < balls; ++i) {
        J.block<3, 3>(3 * i, 3 * i).setIdentity(); // up, and two tangents
        v[3 * i] = i % 3 == 0 ? 0.5 : -0.1;
    }
    for (Index i = 0; i + 1 < balls; ++i) {
        const Eigen::Matrix3d along{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
        J.block<3, 3>(3 * (balls + i), 3 * (i + 1)) = along;
        J.block<3, 3>(3 * (balls + i), 3 * i) = -along;
    }
    v[1] = 3;
    const RowProblem p =
        make_problem(J * J.transpose(), J * v, contact_laws(2 * balls - 1, 2), 0.3);
    VectorXd impulse = VectorXd::Zero(p.size());

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK(report.converged);
    CHECK(compute_row_residual(p, impulse) < 1e-9);
    CHECK(impulse[3 * balls] > 0.1);            // the first meeting
    CHECK(impulse[3 * (2 * balls - 2)] > 1e-3); // and the last, that nothing spoke of at first
    CHECK(impulse[0] == 0);                     // what flies is not held
}

TEST_CASE("friction and rolling resistance are two discs of one contact")
{
    CHECK(rc::check("contacts with two tangents and two rows of rolling", [] {
        Dice dice = make_dice();
        const Index contacts = *rc::gen::inRange(1, 4), n = 5 * contacts;
        const MatrixXd C = 0.05 * dice.psd(n, n) + MatrixXd::Identity(n, n);
        RowProblem p = make_problem(C, dice.vector(n), contact_laws(contacts, 2, 2), 0.3);
        for (Index c = 0; c < contacts; ++c)
            p.friction.segment<2>(5 * c + 3).setConstant(0.02);
        VectorXd impulse = dice.vector(n);

        const RowSolveReport report = solve_rows(p, {}, impulse);

        RC_ASSERT(report.converged);
        RC_ASSERT(law_error(p, impulse) < 1e-8);
        RC_ASSERT((impulse - sweep_to_the_end(p)).norm() < 1e-6 * (1 + impulse.norm()));
    }));
}

TEST_CASE("no rows need no impulses")
{
    VectorXd impulse(0);
    CHECK(solve_rows(make_problem({}, VectorXd(0), {}), {}, impulse).converged);
}

TEST_CASE("a wall of bricks, nearly cold: redundant contacts are solved by proximal steps")
{
    // Three courses of three bricks 2 × 1 × 1, half a brick apart, four contacts at each interface.
    struct Contact {
        Index below, above; // −1: the ground
        Eigen::Vector3d place;
    };
    std::vector<Eigen::Vector3d> centre;
    std::vector<Contact> contacts;
    for (int course = 0; course < 3; ++course)
        for (int i = 0; i < 3; ++i) {
            centre.emplace_back(2 * i + course % 2, course + 0.5, 0);
            const auto me = Index(centre.size()) - 1;
            for (Index below = course ? 3 * course - 3 : -1; below < 3 * course; ++below) {
                const double apart =
                    course ? centre[std::size_t(below)].x() - centre.back().x() : 0;
                if (std::abs(apart) > 1.5)
                    continue;
                const double half = course ? 0.5 : 1;
                for (int corner = 0; corner < 4; ++corner)
                    contacts.push_back(
                        {below,
                         me,
                         {centre.back().x() + apart / 2 + (corner % 2 ? half : -half),
                          double(course), corner / 2 ? 0.5 : -0.5}});
            }
        }
    const Index n = 3 * Index(contacts.size()), freedoms = 6 * Index(centre.size());
    MatrixXd J = MatrixXd::Zero(n, freedoms);
    for (Index c = 0; c < Index(contacts.size()); ++c)
        for (Index axis = 0; axis < 3; ++axis) {
            const Contact& contact = contacts[std::size_t(c)];
            const Eigen::Vector3d d = Eigen::Vector3d::Unit((axis + 1) % 3); // y, z, x
            for (const Index body : {contact.below, contact.above})
                if (body >= 0) {
                    const double sign = body == contact.above ? 1 : -1;
                    const Eigen::Vector3d arm = contact.place - centre[std::size_t(body)];
                    J.block<1, 3>(3 * c + axis, 6 * body) = sign * d.transpose();
                    J.block<1, 3>(3 * c + axis, 6 * body + 3) = sign * arm.cross(d).transpose();
                }
        }
    VectorXd v = VectorXd::Zero(freedoms), inverse = VectorXd::Ones(freedoms);
    for (Index body = 0; body < Index(centre.size()); ++body) {
        v[6 * body] = body % 2 ? 0.005 : -0.005; // shoved
        v[6 * body + 1] = -9.81 / 240;
        inverse.segment<3>(6 * body + 3) << 6, 12 / 5.0, 12 / 5.0;
        if (body >= 6)
            inverse.segment<6>(6 * body) /= 1000; // the upper course is heavy
    }
    const RowProblem p = make_problem(J * inverse.asDiagonal() * J.transpose(), J * v,
                                      contact_laws(Index(contacts.size()), 2), 0.5);
    VectorXd impulse = VectorXd::Constant(n, 1e-12); // none sleeps

    const RowSolveReport report = solve_rows(p, {}, impulse);

    CHECK(report.proximal);
    CHECK(report.converged);
    CHECK(report.iterations < 100);
    CHECK(law_error(p, impulse) < 1e-8);
}

TEST_CASE("a slide row rubs against its motion, at most by what the two rows before it press")
{
    const std::vector<Law> laws = {Law::equal, Law::equal, Law::slide};
    const auto solve = [&](double speed) {
        MatrixXd C = MatrixXd::Identity(3, 3) * 2;
        C(0, 2) = C(2, 0) = 0.3; // pressing moves it along, too
        VectorXd impulse = VectorXd::Zero(3);
        const RowSolveReport report =
            solve_rows(make_problem(C, Eigen::Vector3d(-3, 4, speed), laws, 0.5), {}, impulse);
        CHECK(report.converged);
        return impulse;
    };
    // λ_n ≈ (1.5, −2): it may rub by about 1.25.
    const VectorXd sticks = solve(-1), left = solve(-9), right = solve(9);
    CHECK(std::abs(2 * sticks[2] + 0.3 * sticks[0] - 1) < 1e-9);
    CHECK(left[2] == doctest::Approx(0.5 * std::hypot(left[0], left[1])));
    CHECK(right[2] == doctest::Approx(-0.5 * std::hypot(right[0], right[1])));
}
