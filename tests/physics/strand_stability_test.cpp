// Where strands lose their stability, against loads derived for the continuum in
// docs/theory/strands.md.

#include "math/functions.h"
#include "models/strand/lanes/kernel.h"
#include "models/strand/statics.h"
#include "unit/models/strand/some_trees.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <numbers>

namespace sinew::strand {

namespace {

/// Where the answer turns from yes to no, between two numbers.
template <class Question>
double find_border(double yes, double no, Question&& question)
{
    for (int i = 0; i < 14; ++i) {
        const double middle = 0.5 * (yes + no);
        (question(middle) ? yes : no) = middle;
    }
    return 0.5 * (yes + no);
}

// ---------------------------------------------------------------- a twisted rod, clamped twice

/// A straight rod of unit length and EI = 1 along y; its last segment, of no mass, is the far
/// clamp.
struct ClampedRod {
    int count;
    double GJ;
    std::vector<SegmentData> segments = {};
    std::vector<double> params = {};

    ClampedRod(int n, double twist) : count(n), GJ(twist)
    {
        const double l = 1.0 / n;
        for (int i = 0; i <= n; ++i) {
            SegmentData s;
            s.parent = i - 1;
            s.length = s.mass = l;
            s.inertia = inertia_of_cylinder(l, l, 0.01);
            const double f = (i == 0 || i == n ? 4 : 2) / l; // half a cell at either clamp
            s.stiffness = {f, f * GJ, f};
            segments.push_back(s);
        }
        params = make_params(segments, Units{});
    }

    /// Twisted evenly, by a torque M.
    std::vector<Quat> twisted(double M) const
    {
        std::vector<Quat> turns;
        for (int i = 0; i <= count; ++i) {
            const double angle = 2 * atan2(M, segments[i].stiffness.y);
            turns.push_back((i > 0 ? turns[i - 1] : Quat{}) * rotation_about(Vec3{0, 1, 0}, angle));
        }
        return turns;
    }

    /// How the energy changes with the turns of all but the clamp: t − t of the next.
    Eigen::VectorXd slope(const std::vector<Quat>& turns) const
    {
        const TreeShape shape(segments);
        std::vector<double> numbers(turns.size() * Trail::count), load(turns.size() * Load::count),
            residual(turns.size() * 3);
        const Rows<double> trail{numbers.data(), Trail::count}, out{residual.data(), 3};
        const Rows<double> param{const_cast<double*>(params.data()), Param::count};
        for (int i = 0; i <= count; ++i)
            trail.put(i, Trail::turn, turns[i]);
        find_residuals<false, double>(shape.view(), trail, param, {load.data(), Load::count},
                                      StageOf<double>{}, {}, out);
        Eigen::VectorXd g(3 * count);
        for (int i = 0; i < 3 * count; ++i)
            g(i) = residual[i] - residual[i + 3];
        return g;
    }

    /// Smallest curvature of the energy in ways that leave the far end on the axis.
    double least_curvature(double M) const
    {
        const int n = 3 * count;
        const double h = 1e-5;
        const std::vector<Quat> turns = twisted(M);
        Eigen::MatrixXd H(n, n), aside = Eigen::MatrixXd::Zero(n, 2);
        for (int k = 0; k < n; ++k) {
            Vec3 axis{0, 0, 0};
            axis[k % 3] = 1;
            std::vector<Quat> up = turns, down = turns;
            up[k / 3] = exp_quat(axis * h) * turns[k / 3];
            down[k / 3] = exp_quat(axis * -h) * turns[k / 3];
            H.col(k) = (slope(up) - slope(down)) / (2 * h);
            const Vec3 way = cross(axis, Vec3{0, 1, 0});
            aside(k, 0) = way.x, aside(k, 1) = way.z;
        }
        const Eigen::MatrixXd Q = aside.householderQr().householderQ();
        const Eigen::MatrixXd Z = Q.rightCols(n - 2);
        const Eigen::MatrixXd projected = Z.transpose() * (0.5 * (H + H.transpose())) * Z;
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(projected, Eigen::EigenvaluesOnly)
            .eigenvalues()(0);
    }
};

/// x of tan x = x in the third quarter of a turn and beyond: 4.4934.
double root_of_tangent()
{
    return find_border(4.4, 4.6, [](double x) { return sin(x) > x * cos(x); });
}

} // namespace

TEST_CASE(
    "strands: a twisted rod between clamps buckles at tan x = x, M = 2x EI/L [notes: strands, "
    "eq. 16]")
{
    const double exact = 2 * root_of_tangent();
    CHECK(exact == doctest::Approx(8.9868).epsilon(1e-4));
    for (const double GJ : {1 / 1.3, 0.5}) { // how stiff it is in twist does not matter
        std::vector<double> errors;
        for (const int count : {8, 16, 32}) {
            const ClampedRod rod(count, GJ);
            const double M = find_border(
                6.0, 12.0, [&](double torque) { return rod.least_curvature(torque) > 0; });
            errors.push_back(abs(M - exact) / exact);
        }
        CAPTURE(GJ);
        CAPTURE(errors[0]);
        CAPTURE(errors[1]);
        CAPTURE(errors[2]);
        CHECK(errors[0] / errors[1] > 3.5); // second order
        CHECK(errors[1] / errors[2] > 3.5);
        CHECK(errors[2] < 0.01);
    }
}

// ---------------------------------------------------------------- a curl that hangs

namespace {

constexpr double kTwist = 1 / 1.3; // C/B

/// The continuum: a rod with B = κ = 1 clamped downwards, of a length and with a weight per length.
struct HangingCurl {
    double length, weight;
    int count = 200;

    double h() const { return length / count; }
    double pull(double s) const { return weight * (length - s); }

    /// θ″ = W sin θ, θ(0) = 0, θ′(L) = 1, from straight down; the rest curvature brought up.
    std::vector<double> angles() const
    {
        std::vector<double> theta(count + 1, 0.0);
        for (int part = 1; part <= 20; ++part)
            for (int i = 0; i < 60; ++i)
                if (improve(theta, part / 20.0) < 1e-12)
                    break;
        return theta;
    }

    /// One of Newton's steps, by elimination of three diagonals.
    double improve(std::vector<double>& theta, double curvature) const
    {
        const double d = 1 / (h() * h());
        std::vector<double> up(count + 1, 0.0), step(count + 1, 0.0);
        for (int i = 1; i <= count; ++i) {
            const bool is_end = i == count; // the node beyond it from θ′
            const double next = is_end ? theta[i - 1] + 2 * h() * curvature : theta[i + 1];
            const double below = is_end ? 2 * d : d, above = is_end ? 0 : d, W = pull(i * h());
            const double residual = (theta[i - 1] - 2 * theta[i] + next) * d - W * sin(theta[i]);
            const double pivot = -2 * d - W * cos(theta[i]) - below * up[i - 1];
            up[i] = above / pivot;
            step[i] = (-residual - below * step[i - 1]) / pivot;
        }
        double largest = 0;
        for (int i = count; i > 0; --i) {
            if (i < count)
                step[i] -= up[i] * step[i + 1];
            largest = max(largest, abs(step[i]));
        }
        for (int i = 1; i <= count; ++i)
            theta[i] += step[i] * (largest > 0.5 ? 0.5 / largest : 1);
        return largest;
    }

    /// Whether the second variation out of the plane is positive.                     [eq. 18]
    bool is_stable() const
    {
        const std::vector<double> theta = angles();
        Eigen::MatrixXd H = Eigen::MatrixXd::Zero(2 * count + 2, 2 * count + 2);
        const Eigen::Vector4d a(0.5, 0, 0.5, 0), c(0, 0.5, 0, 0.5);
        const Eigen::Vector4d da = Eigen::Vector4d(-1, 0, 1, 0) / h();
        const Eigen::Vector4d dc = Eigen::Vector4d(0, -1, 0, 1) / h();
        const auto both = [](const Eigen::Vector4d& x, const Eigen::Vector4d& y) {
            return Eigen::Matrix4d(0.5 * (x * y.transpose() + y * x.transpose()));
        };
        for (int e = 0; e < count; ++e) {
            const double k = (theta[e + 1] - theta[e]) / h(), m = k - 1, W = pull((e + 0.5) * h());
            const double middle = 0.5 * (theta[e] + theta[e + 1]);
            const Eigen::Vector4d bend = da + k * c, twist = dc - k * a;
            H.block<4, 4>(2 * e, 2 * e) +=
                h() * (both(bend, bend) + kTwist * both(twist, twist) -
                       m * k * (both(a, a) + both(c, c)) - m * (both(c, da) - both(a, dc)) +
                       W * (cos(middle) * both(a, a) + sin(middle) * both(a, c)));
        }
        const Eigen::MatrixXd free = H.bottomRightCorner(2 * count, 2 * count);
        return Eigen::LLT<Eigen::MatrixXd>(free).info() == Eigen::Success;
    }
};

/// The same as a strand of unit length.
struct CurlStrand {
    std::vector<SegmentData> segments;
    StillLoads loads;
    std::vector<Quat> straight;

    CurlStrand(double turned, double weight, int count)
    {
        constexpr double kRadius = 1e-3, kDensity = 1000, kGravity = 9.81;
        const double square = kRadius * kRadius, area = std::numbers::pi * square;
        const double B = kDensity * area * kGravity / (weight * turned * turned * turned);
        segments =
            round_curve(count, 1, kRadius, kDensity, B / (area * square / 4), 0, [&](double u) {
                return Vec3{-sin(turned * u), cos(turned * u), 0};
            });
        loads.base = rotation_about(Vec3{0, 0, 1}, std::numbers::pi); // y downwards
        loads.gravity = {0, -kGravity, 0};
        straight.assign(segments.size(), loads.base);
    }

    Equilibrium hang() const { return find_equilibrium(segments, loads, straight); }
};

double largest_aside(const Equilibrium& found)
{
    double z = 0, largest = 0;
    for (const Quat& q : found.turns) {
        z += rotate(q, Vec3{0, 1, 0}).z / static_cast<double>(found.turns.size());
        largest = max(largest, abs(z));
    }
    return largest;
}

} // namespace

TEST_CASE(
    "strands: a hanging curl leaves its plane where its second variation says [notes: strands, "
    "eqs 17, 18]")
{
    for (const double turned : {6.0, 10.0}) {
        const double exact = find_border(0.5, 0.11, [&](double weight) {
            return HangingCurl{turned, weight}.is_stable();
        });
        const double found = find_border(0.5, 0.11, [&](double weight) {
            const Equilibrium planar = CurlStrand(turned, weight, 80).hang();
            CHECK(planar.is_found);
            CHECK(largest_aside(planar) < 1e-9);
            return planar.is_stable;
        });
        CAPTURE(turned);
        CAPTURE(exact);
        CAPTURE(found);
        CHECK(found == doctest::Approx(exact).epsilon(0.01));
    }
}

TEST_CASE("strands: a curl that is too light for its plane hangs as a helix")
{
    CurlStrand curl(10, 0.11, 80);
    const Equilibrium planar = curl.hang();
    CHECK_FALSE(planar.is_stable);
    curl.straight = planar.turns;
    for (std::size_t i = 0; i < curl.straight.size(); ++i)
        curl.straight[i] = curl.straight[i] * exp_quat(Vec3{1e-3, 3e-4, 7e-4});

    const Equilibrium helix = curl.hang();

    CHECK(helix.is_found);
    CHECK(helix.is_stable);
    CHECK(largest_aside(helix) > 0.03); // of the length
}

} // namespace sinew::strand
