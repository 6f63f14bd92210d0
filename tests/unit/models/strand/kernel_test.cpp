// The sweeps over a tree against dense algebra, complex steps and counted operations.

#include "models/strand/lanes/touch.h"
#include "some_trees.h"

#include <Eigen/Dense>
#include <complex>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

using Complex = std::complex<double>;

/// The arrays of one strand in the middle of a stage.
template <class T>
struct Bench {
    std::vector<SegmentData> segments;
    TreeShape shape;
    std::vector<T> trail, param, load, factor, residual;
    std::vector<Demand<T>> slots;
    std::vector<SymmetricDemand<T>> symmetric_slots;
    std::vector<Load6<T>> sums;
    StageOf<T> stage;

    explicit Bench(const std::vector<SegmentData>& tree, double theta, unsigned seed)
        : segments(tree), shape(segments), trail(segments.size() * Trail::count),
          load(segments.size() * Load::count), factor(segments.size() * Factor::count),
          residual(segments.size() * 3), slots(shape.slots), symmetric_slots(shape.slots),
          sums(shape.slots)
    {
        for (const double x : make_params(segments, Units{}))
            param.push_back(T(x));
        std::mt19937 random(seed);
        const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
        const auto vector = [&](double s) {
            const double x = s * uniform(), y = s * uniform(), z = s * uniform();
            return Vec3T<T>{T(x), T(y), T(z)};
        };
        std::vector<Quat> turn(segments.size());
        for (int i = 0; i < count(); ++i) {
            const Quat before = shape.parent[i] >= 0 ? turn[shape.parent[i]] : Quat{};
            const double a = uniform(), b = uniform(), c = uniform();
            turn[i] = before * segments[i].rest * exp_quat(Vec3{a, b, c} * 0.5);
            const QuatT<T> q{T(turn[i].x), T(turn[i].y), T(turn[i].z), T(turn[i].w)};
            rows(trail, Trail::count).put(i, Trail::base_turn, q);
            const Vec3T<T> rate = vector(5);
            rows(trail, Trail::count).put(i, Trail::base_rate, rate);
            rows(trail, Trail::count).put(i, Trail::rate, rate + vector(1.5));
            rows(load, Load::count).put(i, Load::force, vector(3));
            rows(load, Load::count).put(i, Load::air, vector(2));
            trail[i * Trail::count + Trail::weight] = T(1);
            trail[i * Trail::count + Trail::bend_sign] = T(1);
        }
        const Quat base = exp_quat(Vec3{0.1, 0.2, 0.3});
        stage.theta = T(theta), stage.inverse_theta = T(1 / theta);
        stage.turn = {T(base.x), T(base.y), T(base.z), T(base.w)};
        stage.rate = vector(0.6), stage.spinning = vector(2);
        stage.velocity = vector(0.5), stage.acceleration = vector(5);
    }

    int count() const { return static_cast<int>(shape.parent.size()); }
    static Rows<T> rows(std::vector<T>& numbers, int fields) { return {numbers.data(), fields}; }
    T& rate(int column) { return trail[column / 3 * Trail::count + Trail::rate + column % 3]; }

    template <bool kDrag>
    void find()
    {
        place_segments(shape.view(), rows(trail, Trail::count), rows(param, Param::count), stage);
        find_residuals<kDrag, T>(shape.view(), rows(trail, Trail::count), rows(param, Param::count),
                                 rows(load, Load::count), stage, sums, rows(residual, 3));
    }

    template <bool kDrag, bool kGiven>
    void eliminate_once()
    {
        eliminate<kDrag, kGiven, false, T>(
            shape.view(), rows(trail, Trail::count), rows(param, Param::count),
            rows(load, Load::count), stage, slots, rows(factor, Factor::count), rows(residual, 3));
    }

    template <bool kDrag, bool kTension>
    void eliminate_symmetric_once()
    {
        eliminate_symmetric<kDrag, kTension, true, T>(
            shape.view(), rows(trail, Trail::count), rows(param, Param::count),
            rows(load, Load::count), stage, symmetric_slots, rows(factor, Factor::count),
            rows(residual, 3));
    }

    Vec3T<T> step_of(int i)
    {
        return substitute(i, shape.view(), rows(trail, Trail::count), rows(param, Param::count),
                          stage, rows(factor, Factor::count));
    }

    Vec3T<T> symmetric_step_of(int i)
    {
        return substitute_symmetric(i, shape.view(), rows(trail, Trail::count),
                                    rows(param, Param::count), stage, rows(factor, Factor::count));
    }
};

/// ∂(residual)/∂ω to rounding.
template <bool kDrag>
Eigen::MatrixXd jacobian(const std::vector<SegmentData>& segments, double theta, unsigned seed)
{
    Bench<Complex> bench(segments, theta, seed);
    const int n = 3 * bench.count();
    Eigen::MatrixXd J(n, n);
    for (int column = 0; column < n; ++column) {
        const Complex kept = bench.rate(column);
        bench.rate(column) += Complex(0, 1e-30);
        bench.find<kDrag>();
        for (int row = 0; row < n; ++row)
            J(row, column) = bench.residual[row].imag() / 1e-30;
        bench.rate(column) = kept;
    }
    return J;
}

Eigen::VectorXd collect(const std::vector<double>& numbers)
{
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(),
                                             static_cast<Eigen::Index>(numbers.size()));
}

/// Largest relative error of the step that the elimination gives, against a dense solve.
template <bool kDrag>
double error_of_step(const std::vector<SegmentData>& segments, double theta, unsigned seed)
{
    const Eigen::MatrixXd J = jacobian<kDrag>(segments, theta, seed);
    Bench<double> bench(segments, theta, seed);
    bench.find<kDrag>();
    const Eigen::VectorXd residual = collect(bench.residual);
    bench.eliminate_once<kDrag, false>();
    std::vector<double> step;
    for (int i = 0; i < bench.count(); ++i) {
        const Vec3 d = bench.step_of(i);
        step.insert(step.end(), {d.x, d.y, d.z});
    }
    const Eigen::VectorXd exact = J.partialPivLu().solve(-residual);
    return (collect(step) - exact).norm() / exact.norm();
}

} // namespace

TEST_CASE("strands: the elimination is the exact Newton step [eqs 7, 8]")
{
    CHECK(error_of_step<false>(random_tree(5, false, 50, 0, 1), 0.01, 1) < 1e-12);
    CHECK(error_of_step<false>(random_tree(12, false, 5, 0, 2), 0.03, 2) < 1e-11);
    CHECK(error_of_step<false>(random_tree(40, false, 1e6, 0, 3), 0.04, 3) < 1e-10);
    CHECK(error_of_step<false>(random_tree(25, false, 1e-9, 0, 4), 0.01, 4) < 1e-10);
    CHECK(error_of_step<false>(random_tree(40, true, 50, 0, 5), 0.02, 5) < 1e-10);
    CHECK(error_of_step<false>(random_tree(40, true, 50, 0, 6), 0.05, 6) < 1e-10);
}

TEST_CASE("strands: with drag the step is nearly exact, its own change with the turn left out")
{
    CHECK(error_of_step<true>(random_tree(20, false, 50, 0.3, 7), 0.002, 7) < 1e-2);
    CHECK(error_of_step<true>(random_tree(40, true, 50, 0.3, 8), 0.002, 8) < 1e-2);
}

TEST_CASE("strands: a given right-hand side is solved for, whatever the residual")
{
    const std::vector<SegmentData> segments = random_tree(15, true, 20, 0, 9);
    const Eigen::MatrixXd J = jacobian<false>(segments, 0.02, 9);
    Bench<double> bench(segments, 0.02, 9);
    bench.find<false>();
    for (std::size_t i = 0; i < bench.residual.size(); ++i)
        bench.residual[i] = 1 + 0.1 * static_cast<double>(i);
    const Eigen::VectorXd given = collect(bench.residual);
    bench.eliminate_once<false, true>();
    std::vector<double> step;
    for (int i = 0; i < bench.count(); ++i) {
        const Vec3 d = bench.step_of(i);
        step.insert(step.end(), {d.x, d.y, d.z});
    }
    const Eigen::VectorXd x = collect(step);
    CHECK((J * x + given).norm() < 1e-11 * (J.norm() * x.norm()));
}

namespace {

/// M of the absolute angular accelerations, from the velocities of all mass points and the inertia
/// that is left: nothing of the recursion.
Eigen::MatrixXd assembled_mass(const std::vector<SegmentData>& segments,
                               const std::vector<Quat>& turns)
{
    const int n = static_cast<int>(segments.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    const auto skew = [](const Vec3& r) {
        Eigen::Matrix3d S;
        S << 0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0;
        return S;
    };
    const auto add_point = [&](int segment, double fraction, double mass) {
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, 3 * n); // velocity = J (angular velocities)
        for (int i = segment; i >= 0; i = segments[i].parent) {
            const Vec3 r = rotate(turns[i], Vec3{0, segments[i].length * fraction, 0});
            J.block<3, 3>(0, 3 * i) = -skew(r);
            fraction = segments[i].attach;
        }
        M += mass * J.transpose() * J;
    };
    for (int i = 0; i < n; ++i) {
        const SegmentData& s = segments[i];
        add_point(i, 1, s.mass / 2);
        add_point(i, 0, s.mass / 2);
        const double taken = s.mass / 2 * s.length * s.length;
        const Mat3 R = rotation_matrix(turns[i]);
        const Mat3 I = R * Mat3::diagonal(s.inertia - Vec3{taken, 0, taken}) * transpose(R);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                M(3 * i + a, 3 * i + b) += I(a, b);
    }
    return M;
}

} // namespace

TEST_CASE("strands: the residual's inertia is that of an assembled mass matrix [eqs 1, 6]")
{
    for (const unsigned seed : {1u, 2u, 3u}) {
        const std::vector<SegmentData> segments = random_tree(20, true, 0, 0, seed);
        Bench<double> bench(segments, 1e6, seed); // so long a stage that poses stay
        std::vector<Quat> turns;
        Eigen::VectorXd alpha(3 * bench.count());
        bench.stage.rate = bench.stage.spinning = bench.stage.acceleration = {0, 0, 0};
        bench.stage.theta = 0, bench.stage.inverse_theta = 1; // ω̇ = ω − ω̄, poses as they are
        for (int i = 0; i < bench.count(); ++i) {
            const Rows<double> trail = bench.rows(bench.trail, Trail::count);
            turns.push_back(trail.quat(i, Trail::base_turn));
            const Vec3 change = trail.vector(i, Trail::rate);
            trail.put(i, Trail::base_rate, -change); // at rest, ω̇ = change
            trail.put(i, Trail::rate, Vec3{0, 0, 0});
            bench.rows(bench.load, Load::count).put(i, Load::force, Vec3{0, 0, 0});
            const Vec3 world = rotate(turns.back(), change);
            for (int a = 0; a < 3; ++a)
                alpha(3 * i + a) = world[a];
        }
        bench.find<false>();
        const Eigen::VectorXd own = assembled_mass(segments, turns) * alpha;
        double worst = 0;
        for (int j = 0; j < bench.count(); ++j) // a joint's row is the sum over its subtree
            for (int a = 0; a < 3; ++a) {
                double sum = 0;
                for (int i = j; i < bench.count(); ++i) {
                    int up = i;
                    while (up > j)
                        up = segments[up].parent;
                    sum += up == j ? own(3 * i + a) : 0;
                }
                worst = std::max(worst, std::abs(sum - bench.residual[3 * j + a]));
            }
        CHECK(worst < 1e-12 * own.norm());
    }
}

namespace {

/// A few points that may touch, with random laws, on the segments of a bench.
struct TouchBench {
    std::vector<double> rows, joints;
    std::vector<int> first;
    Touches<double> touches;

    TouchBench(Bench<double>& bench, unsigned seed)
    {
        std::mt19937 random(seed);
        const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
        for (int i = 0; i < bench.count(); ++i) {
            first.push_back(static_cast<int>(rows.size()) / Touching::count);
            for (int t = 0; t < i % 3; ++t) {
                rows.resize(rows.size() + Touching::count, 0.0);
                const Rows<double> row{rows.data(), Touching::count};
                const int r = first.back() + t;
                row(r, Touching::part) = 0.5 + 0.5 * uniform();
                row.put(r, Touching::normal, normalised(Vec3{uniform(), uniform(), uniform()}));
                row(r, Touching::gap) = 1e-4 * uniform();
                row(r, Touching::friction) = 0.5 + 0.5 * uniform();
                row.put(r, Touching::held, Vec3{uniform(), uniform(), uniform()} * 30.0);
            }
        }
        first.push_back(static_cast<int>(rows.size()) / Touching::count);
        joints.resize(3 * static_cast<std::size_t>(bench.count()));
        touches.row = {rows.data(), Touching::count};
        touches.joint = {joints.data(), 3};
        touches.first = first;
        touches.kappa = 300;
        touches.lanes = 1;
        bench.stage.part = 1;
        place_segments(bench.shape.view(), bench.rows(bench.trail, Trail::count),
                       bench.rows(bench.param, Param::count), bench.stage);
        touches.place(bench.shape.view(), bench.rows(bench.trail, Trail::count),
                      bench.rows(bench.param, Param::count), bench.stage);
        for (int i = 0; i < bench.count(); ++i) // so that some push, some do not
            for (int r = first[i]; r < first[i + 1]; ++r)
                touches.row.put(r, Touching::place,
                                point(bench, i, r) + Vec3{uniform(), uniform(), uniform()} * 1e-5);
    }

    Vec3 arm(Bench<double>& bench, int i, double part) const
    {
        const Quat q = bench.rows(bench.trail, Trail::count).quat(i, Trail::turn);
        return rotate(q, Vec3{0, bench.segments[i].length * part, 0});
    }
    Vec3 point(Bench<double>& bench, int i, int r) const
    {
        return touches.joint.vector(i, 0) + arm(bench, i, touches.row(r, Touching::part));
    }
};

std::vector<Vec3> solve_given(Bench<double>& bench, const std::vector<double>& given,
                              const Touches<double>* touches)
{
    bench.residual = given;
    const auto go = [&](const auto& touch) {
        eliminate_symmetric<false, false, true, double>(
            bench.shape.view(), bench.rows(bench.trail, Trail::count),
            bench.rows(bench.param, Param::count), bench.rows(bench.load, Load::count), bench.stage,
            bench.symmetric_slots, bench.rows(bench.factor, Factor::count),
            bench.rows(bench.residual, 3), Rows<double>{}, true, touch);
    };
    if (touches)
        go(*touches);
    else
        go(Untouched{});
    std::vector<Vec3> x;
    for (int i = 0; i < bench.count(); ++i) {
        bench.symmetric_step_of(i);
        x.push_back(bench.rows(bench.factor, Factor::count).vector(i, Factor::v));
    }
    return x;
}

} // namespace

TEST_CASE("strands: where they touch, the elimination is that of the law's stiffness [eq. 23]")
{
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        Bench<double> bench(random_tree(14, seed % 2 == 0, 20, 0, seed), 0.02, seed);
        TouchBench touch(bench, seed);
        std::vector<double> given(3 * static_cast<std::size_t>(bench.count()));
        for (std::size_t i = 0; i < given.size(); ++i)
            given[i] = 1 + 0.1 * static_cast<double>(i % 7);
        const std::vector<Vec3> x = solve_given(bench, given, &touch.touches);

        // What the points' stiffness demands of the joints for that solution, added by hand.
        std::vector<double> with = given;
        const double theta2 = bench.stage.theta * bench.stage.theta;
        for (int i = 0; i < bench.count(); ++i)
            for (int r = touch.first[i]; r < touch.first[i + 1]; ++r) {
                const Vec3 place = touch.point(bench, i, r);
                const double l = bench.segments[i].length;
                const Rows<double> param = bench.rows(bench.param, Param::count);
                const double m = param(i, Param::tip_mass) + param(i, Param::joint_mass);
                const double k = 300 * m / theta2 + param(i, Param::stiffness) / (l * l);
                const Push<double> push = push_at<false>(r, place, k, 1.0, touch.touches.row);
                Vec3 way{0, 0, 0};
                double part = touch.touches.row(r, Touching::part);
                for (int j = i; j >= 0; part = bench.segments[j].attach, j = bench.shape.parent[j])
                    way += cross(x[j], touch.arm(bench, j, part));
                const Vec3 force = push.stiffness * way * theta2;
                for (int j = i; j >= 0; j = bench.shape.parent[j]) {
                    const Vec3 moment = cross(place - touch.touches.joint.vector(j, 0), force);
                    for (int a = 0; a < 3; ++a)
                        with[3 * static_cast<std::size_t>(j) + a] += moment[a];
                }
            }
        const std::vector<Vec3> y = solve_given(bench, with, nullptr);
        double worst = 0, largest = 0;
        for (int i = 0; i < bench.count(); ++i) {
            worst = std::max(worst, length(x[i] - y[i]));
            largest = std::max(largest, length(x[i]));
        }
        CHECK(touch.first.back() > 8);
        CHECK(worst < 1e-8 * largest);
    }
}

TEST_CASE("strands: the law of touch is the slope of a potential, its force within bounds [eq. 22]")
{
    std::mt19937 random(5);
    const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
    int pushing = 0, sliding = 0;
    for (int trial = 0; trial < 400; ++trial) {
        std::vector<double> numbers(Touching::count, 0.0);
        const Rows<double> row{numbers.data(), Touching::count};
        const Vec3 n = normalised(Vec3{uniform(), uniform(), uniform()});
        row.put(0, Touching::normal, n);
        row(0, Touching::gap) = uniform();
        row(0, Touching::friction) = 0.6;
        row.put(0, Touching::held, Vec3{uniform(), uniform(), uniform()} + n);
        const Vec3 x{uniform(), uniform(), uniform()};
        const double k = 3, bound = 0.6 * std::max(0.0, dot(n, row.vector(0, Touching::held)));
        const Push<double> at = push_at<false>(0, x, k, 1.0, row);
        const double up = dot(n, at.force);
        CHECK(up >= -1e-14);
        CHECK(length(at.force - n * up) <= bound + 1e-14);
        pushing += at.state > 0;
        sliding += at.state == 2;
        double worst = 0;
        for (int a = 0; a < 3; ++a) {
            Vec3 d{0, 0, 0};
            d[a] = 1e-6;
            const Vec3 slope = (push_at<false>(0, x - d, k, 1.0, row).force -
                                push_at<false>(0, x + d, k, 1.0, row).force) /
                               2e-6;
            for (int b = 0; b < 3; ++b) {
                worst = std::max(worst, std::abs(slope[b] - at.stiffness(b, a)));
                CHECK(at.stiffness(a, b) == doctest::Approx(at.stiffness(b, a)));
            }
        }
        CHECK(worst < 1e-4);
    }
    CHECK(pushing > 50);
    CHECK(sliding > 20);
}

} // namespace sinew::strand
