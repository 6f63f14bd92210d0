// The system that IDA integrates: its linear solver against dense differences, its slopes.

#include "ida_runner.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

/// A tree somewhere in a motion, with turns a little off unit length, as IDA has them.
struct Somewhere {
    std::vector<SegmentData> segments;
    TreeShape shape;
    StillBase base;
    SteadyTree tree;
    MotionSystem system;
    Eigen::VectorXd y, slope;

    Somewhere(std::vector<SegmentData> data, bool has_drag)
        : segments(std::move(data)), shape(segments), base(make_base()),
          tree(segments, Units{}, base), system(shape.view(), Units{}, has_drag, tree)
    {
        std::mt19937 random(5);
        const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
        y.resize(static_cast<Eigen::Index>(system.size()));
        slope.resize(y.size());
        std::vector<Quat> turns;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const double a = uniform(), b = uniform(), c = uniform();
            const Quat before = segments[i].parent < 0 ? Quat{} : turns[segments[i].parent];
            turns.push_back(before * segments[i].rest * exp_quat(Vec3{a, b, c} * 0.3));
            const double stretch = 1 + 0.01 * uniform();
            const Quat& q = turns[i];
            y.segment<4>(7 * i) = Eigen::Vector4d(q.x, q.y, q.z, q.w) * stretch;
            for (int k = 4; k < 7; ++k)
                y[7 * i + k] = 3 * uniform();
        }
        for (double& load : tree.loads)
            load = uniform();
        for (double& x : slope)
            x = 5 * uniform();
    }

    static StillBase make_base()
    {
        StillBase base;
        base.motion.pose.rotation = exp_quat(Vec3{0.1, 0.2, 0.3});
        base.motion.angular_velocity = {0.3, -0.5, 0.7};
        base.motion.angular_acceleration = {1, -2, 0.5};
        base.motion.velocity = {1, 2, 3};
        base.motion.acceleration = {3, 1, -2};
        return base;
    }

    Eigen::VectorXd residual(const Eigen::VectorXd& at, const Eigen::VectorXd& with)
    {
        Eigen::VectorXd F(y.size());
        CHECK(system.find_residual(0, at.data(), with.data(), F.data()));
        return F;
    }

    /// ∂F/∂y + c ∂F/∂y′ by differences.
    Eigen::MatrixXd matrix(double c)
    {
        Eigen::MatrixXd J(y.size(), y.size());
        for (Eigen::Index j = 0; j < y.size(); ++j) {
            const Eigen::VectorXd e = 1e-6 * Eigen::VectorXd::Unit(y.size(), j);
            J.col(j) = (residual(y + e, slope + c * e) - residual(y - e, slope - c * e)) / 2e-6;
        }
        return J;
    }

    double error_of_solve(double c)
    {
        Eigen::VectorXd b(y.size()), x(y.size());
        for (Eigen::Index i = 0; i < b.size(); ++i)
            b[i] = static_cast<double>(i % 5) - 1.7;
        const Eigen::VectorXd exact = matrix(c).partialPivLu().solve(b);
        system.hold(0, c, y.data(), slope.data());
        CHECK(system.solve(b.data(), x.data()));
        return (x - exact).norm() / exact.norm();
    }
};

} // namespace

TEST_CASE("strands: IDA's linear system is solved exactly in linear time [eqs 13, 14]")
{
    CHECK(Somewhere(random_tree(3, false, 50, 0, 1), false).error_of_solve(100) < 1e-7);
    CHECK(Somewhere(random_tree(12, true, 50, 0, 2), false).error_of_solve(30) < 1e-7);
    CHECK(Somewhere(random_tree(12, true, 0, 0, 3), false).error_of_solve(1000) < 1e-7);
    CHECK(Somewhere(random_tree(40, true, 5, 0, 4), false).error_of_solve(1000) < 1e-7);
    // Of drag, only what changes with accelerations.
    CHECK(Somewhere(random_tree(12, true, 50, 0.3, 5), true).error_of_solve(1000) < 1e-3);
}

TEST_CASE("strands: slopes that make the residual vanish [eq. 15]")
{
    for (const bool has_drag : {false, true}) {
        Somewhere at(random_tree(30, true, 20, has_drag ? 0.5 : 0, 6), has_drag);
        CHECK(at.residual(at.y, at.slope).norm() > 1);
        REQUIRE(at.system.find_slope(0, at.y.data(), at.slope.data()));
        CHECK(at.residual(at.y, at.slope).norm() < 1e-11 * at.slope.norm());
    }
}

TEST_CASE("strands: IDA with the dense numerical Jacobian and with ours go the same way")
{
    const StillBase base = Somewhere::make_base();
    Runner ours(random_tree(6, true, 2, 0.2, 7), 0.05), dense = ours;
    IdaSettings settings{1e-9, false};
    const StepOutcome first = step_with_ida(ours, base, settings, 0, 0.05);
    settings.has_numerical_jacobian = true;
    const StepOutcome second = step_with_ida(dense, base, settings, 0, 0.05);
    CHECK((first.is_finite && second.is_finite));
    CHECK(first.solves < 2 * second.solves);
    for (std::size_t i = 0; i < ours.turns.size(); ++i)
        CHECK(ours.turns[i] == doctest::Approx(dense.turns[i]).epsilon(1e-6));
    CHECK(ours.rates != Runner(ours.segments, 0.05).rates);
}

TEST_CASE("strands: what IDA cannot follow stays where it is, and says so")
{
    StillBase base;
    base.gravity = {0, -1e300, 0};
    Runner runner(random_tree(4, false, 1, 0, 8), 0.05);
    const std::vector<double> turns = runner.turns, rates = runner.rates;
    const StepOutcome outcome = step_with_ida(runner, base, {}, 0, 0.05);
    CHECK(!outcome.is_finite);
    CHECK(runner.turns == turns);
    CHECK(runner.rates == rates);
}

} // namespace sinew::strand
