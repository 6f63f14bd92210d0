// Trees of rigid segments against motions computed by other means, with IDA and with fixed steps.

#include "math/functions.h"
#include "physics/motions.h"
#include "unit/models/strand/ida_runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>

namespace sinew::strand {

namespace {

SegmentData make_segment(int parent, double attach, double length, double mass, double radius,
                         const Vec3& rest)
{
    SegmentData s;
    s.parent = parent;
    s.attach = attach;
    s.length = length;
    s.mass = mass;
    s.inertia = inertia_of_cylinder(mass, length, radius);
    s.rest = exp_quat(rest);
    return s;
}

/// As in tests/physics/reference/strands.py.
std::vector<SegmentData> branched_tree()
{
    return {make_segment(-1, 1, 0.3, 0.05, 0.02, {0.4, 0, 1.2}),
            make_segment(0, 1, 0.25, 0.04, 0.02, {0.3, 0.2, 0.5}),
            make_segment(1, 1, 0.2, 0.02, 0.015, {-0.4, 0.1, 0.3}),
            make_segment(0, 0.6, 0.3, 0.03, 0.015, {0.9, 0, -0.7}),
            make_segment(3, 1, 0.2, 0.02, 0.01, {0.2, 0.5, 0.4}),
            make_segment(1, 1, 0.15, 0.01, 0.01, {-0.8, 0, -0.6})};
}

std::vector<SegmentData> driven_chain()
{
    std::vector<SegmentData> chain;
    for (int i = 0; i < 5; ++i) {
        chain.push_back(make_segment(i - 1, 1, 0.2 - 0.02 * i, 0.02 - 0.002 * i, 0.02,
                                     {0.3, 0.1, 0.2 - 0.1 * i}));
        chain.back().stiffness = {0.05, 0.03, 0.08};
        chain.back().damping = {0.0004, 0.0002, 0.0006};
        chain.back().offset = i == 0 ? Vec3{0.05, 0.02, -0.03} : Vec3{0, 0, 0};
    }
    return chain;
}

struct ShakenBase : StillBase {
    PoseMotion base_at(std::uint32_t, double t) const noexcept override
    {
        const Vec3 axis = Vec3{2, -1, 2} / 3.0;
        return {{exp_quat(axis * (0.4 * sin(3 * t))),
                 {0.1 * sin(5 * t), 0.05 * sin(3 * t), 0.08 * (1 - cos(4 * t))}},
                {0.5 * cos(5 * t), 0.15 * cos(3 * t), 0.32 * sin(4 * t)},
                axis * (1.2 * cos(3 * t)),
                {-2.5 * sin(5 * t), -0.45 * sin(3 * t), 1.28 * cos(4 * t)},
                axis * (-3.6 * sin(3 * t))};
    }
};

std::vector<SegmentData> ten_links()
{
    std::vector<SegmentData> chain;
    for (int i = 0; i < 10; ++i)
        chain.push_back(
            make_segment(i - 1, 1, 0.1, 0.01, 0, {0, 0, i == 0 ? -std::numbers::pi / 2 : 0.0}));
    return chain;
}

Runner make_branched(double step)
{
    Runner runner(branched_tree(), step);
    runner.rates = {1, 0.5, -1, 0, 2, 1, -1, 0, 2, 2, 1, 0, 0, 0, 3, 1, -1, 1};
    return runner;
}

/// Largest distance of a tip from the table, in world steps of IDA.
double error_with_ida(Runner runner, const BaseSource& base, const std::string& name,
                      double tolerance, int steps_per_row)
{
    const test::ReferenceTable table = test::read_reference_table(name);
    double time = 0, error = 0;
    for (std::size_t row = 0; row < table.times.size(); ++row) {
        const double h = (table.times[row] - time) / steps_per_row;
        for (int k = 0; k < steps_per_row; ++k)
            REQUIRE(step_with_ida(runner, base, {tolerance, false}, time + k * h,
                                  k + 1 < steps_per_row ? time + (k + 1) * h : table.times[row])
                        .is_finite);
        time = table.times[row];
        const std::vector<Vec3> tips = tips_of(runner, base.base_at(0, time));
        for (std::size_t i = 0; i < tips.size(); ++i)
            for (int c = 0; c < 3; ++c)
                error = std::max(error, std::abs(tips[i][c] - table.rows[row][3 * i + c]));
    }
    return error;
}

Vec3 tip_by_steps(Runner runner, const BaseSource& base, double until, int steps)
{
    for (int k = 0; k < steps; ++k)
        runner.step(base, until * k / steps, until * (k + 1) / steps, best_kernel(false));
    return tips_of(runner, base.base_at(0, until)).back();
}

Vec3 tip_by_ida(Runner runner, const BaseSource& base, double until)
{
    REQUIRE(step_with_ida(runner, base, {1e-11, false}, 0, until).is_finite);
    return tips_of(runner, base.base_at(0, until)).back();
}

/// From n segments to 2n to 4n, of a curve that falls from its rest shape.
double order_of_segments(int n, double young, const std::function<Vec3(double)>& direction)
{
    std::vector<Vec3> tips;
    for (const int count : {n, 2 * n, 4 * n}) {
        Runner runner(round_curve(count, 0.5, 0.002, 1200, young, 0.01, direction), 0.3);
        REQUIRE(step_with_ida(runner, StillBase(), {1e-8, false}, 0, 0.3).is_finite);
        tips.push_back(runner.tip());
    }
    const double coarse = length(tips[1] - tips[0]), fine = length(tips[2] - tips[1]);
    INFO(n << ": " << coarse << " m, " << 2 * n << ": " << fine << " m");
    CHECK(fine < 1e-3);
    return log(coarse / fine) / log(2.0);
}

/// Of the default method against IDA, from n steps to 2n; both errors are printed.
double order_of_steps(const Runner& runner, const BaseSource& base, double until, int steps)
{
    const Vec3 truth = tip_by_ida(runner, base, until);
    const double coarse = length(tip_by_steps(runner, base, until, steps) - truth);
    const double fine = length(tip_by_steps(runner, base, until, 2 * steps) - truth);
    INFO(steps << " steps: " << coarse << " m, twice as many: " << fine << " m");
    CHECK(fine < 1e-3);
    return log(coarse / fine) / log(2.0);
}

} // namespace

TEST_CASE("ten links without stiffness, released level: IDA at its own tolerance")
{
    const test::ReferenceTable table = test::read_reference_table("strand_pendulum10");
    const StillBase base;
    Runner runner(ten_links(), 0.1);
    for (std::size_t row = 0; row < table.times.size(); ++row) {
        const double from = row == 0 ? 0 : table.times[row - 1];
        REQUIRE(step_with_ida(runner, base, {}, from, table.times[row]).is_finite);
        const Vec3 tip = runner.tip();
        CHECK(std::abs(tip.x - table.rows[row][0]) < 1e-6);
        CHECK(std::abs(tip.y - table.rows[row][1]) < 1e-6);
        CHECK(std::abs(tip.z) < 1e-9);
    }
}

TEST_CASE("a branched pendulum in space: IDA's error follows its tolerance")
{
    const StillBase base;
    const Runner runner = make_branched(0.1);
    CHECK(error_with_ida(runner, base, "strand_branched", 1e-8, 1) < 1e-6);
    CHECK(error_with_ida(runner, base, "strand_branched", 1e-10, 1) < 3e-8);
    CHECK(error_with_ida(runner, base, "strand_branched", 1e-8, 5) < 1e-6); // begun afresh
}

TEST_CASE("an elastic chain, bent at rest, damped, on a shaken and turning base")
{
    const ShakenBase base;
    const Runner runner(driven_chain(), 0.1);
    CHECK(error_with_ida(runner, base, "strand_driven", 1e-8, 1) < 1e-6);
    CHECK(error_with_ida(runner, base, "strand_driven", 1e-10, 1) < 1e-8);
}

TEST_CASE("the default method goes where IDA goes, with order 2 in the step")
{
    CHECK(order_of_steps(Runner(driven_chain(), 1.0 / 400), ShakenBase(), 0.5, 200) > 1.9);
    CHECK(order_of_steps(make_branched(1.0 / 400), StillBase(), 0.5, 400) > 1.9);
    CHECK(order_of_steps(Runner(ten_links(), 1.0 / 1600), StillBase(), 0.5, 800) > 1.9);
}

TEST_CASE("the answer does not depend on the number of segments, but by an error of order 2")
{
    const auto bent = [](double u) { return Vec3{1, 0.3 * u, 0}; };
    const auto curl = [](double u) { return Vec3{0.3, cos(12 * u), sin(12 * u)}; };
    CHECK(order_of_segments(10, 1e8, bent) > 1.9);
    CHECK(order_of_segments(20, 2e7, curl) > 1.9);
}

} // namespace sinew::strand
