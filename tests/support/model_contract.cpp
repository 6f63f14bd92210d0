#include "support/model_contract.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <random>

namespace sinew::test {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// One model, its random rows, and a trial: what the world would hand it.
struct Bench {
    const Dynamics& model;
    ContractOptions options;
    Stage stage;
    RowSet rows;
    std::vector<Member> members;
    std::vector<Touch> touches;
    Responses responses;
    Trial trial;

    Bench(const Dynamics& m, const ModelState& state, std::span<const Site> sites,
          const ContractOptions& o);

    Cohort cohort() const { return {members, touches}; }

    std::vector<SiteMotion> locate(double time) const
    {
        std::vector<SiteMotion> motions(rows.site.size());
        model.locate(trial, time, rows.site, motions);
        return motions;
    }

    /// Row velocities, with the directions as they are.
    VectorXd velocities() const
    {
        const std::vector<SiteMotion> motions = locate(stage.time);
        return VectorXd::NullaryExpr(Index(motions.size()), [&](Index i) {
            return dot(motions[std::size_t(i)].twist, rows.direction[std::size_t(i)]);
        });
    }

    MatrixXd compute_C();
    BlockReport measure_worst() const;
};

Bench::Bench(const Dynamics& m, const ModelState& state, std::span<const Site> sites,
             const ContractOptions& o)
    : model(m), options(o),
      stage{.time = o.time + o.theta, .theta = o.theta, .step = o.theta, .index = 0, .count = 1}
{
    std::mt19937 engine(o.seed);
    const auto random = [&] { return double(engine()) / 2147483648.0 - 1; };
    const auto vector = [&] { return Vec3{random(), random(), random()}; };
    std::vector<Site> sorted(sites.begin(), sites.end());
    std::ranges::stable_sort(sorted, {}, [](const Site& site) { return site.block.index; });
    for (const Site& site : sorted)
        for (int r = 0; r < o.rows_per_site; ++r) {
            const auto row = std::uint32_t(rows.site.size());
            rows.group.push_back({row, row, row, row, 1, 1, {Law::equal}});
            rows.site.push_back(site);
            rows.direction.push_back({vector() * 0.3, vector()});
            rows.impulse.push_back(o.impulse * random());
            if (members.empty() || members.back().block != site.block.index)
                members.push_back({.block = site.block.index, .first_touch = row});
            ++members.back().touch_count;
            touches.push_back({row, row, row});
        }
    rows.held.resize(rows.impulse.size(), 0);
    std::uint32_t ports = 0;
    for (Member& member : members) {
        member.first_port = ports;
        ports += member.touch_count * member.touch_count;
    }
    responses.port.resize(ports);
    responses.body.resize(touches.size());
    trial.state = state;
    trial.x_start = trial.x_base = state.x;
    trial.v_start = trial.v_base = state.v;
    trial.scratch = model.make_scratch();
    if (o.prepare)
        o.prepare(trial);
    model.drive(o.time, stage.time, trial);
}

MatrixXd Bench::compute_C()
{
    model.respond(cohort(), rows, trial, responses);
    const std::vector<SiteMotion> motions = locate(stage.time);
    MatrixXd C = MatrixXd::Zero(Index(touches.size()), Index(touches.size()));
    for (const Member& member : members)
        for (std::uint32_t i = 0; i < member.touch_count; ++i)
            for (std::uint32_t j = 0; j < member.touch_count; ++j) {
                const std::uint32_t at = member.first_touch + i, of = member.first_touch + j;
                if (model.blocks()[member.block].response == ResponseKind::port) {
                    C(at, of) = responses.port_of(member)[i * member.touch_count + j];
                    continue;
                }
                const Twist& twist = responses.body[of];
                const Vec3 arm = motions[at].pose.translation - motions[of].pose.translation;
                C(at, of) = dot(Twist{twist.angular, velocity_at(twist, arm)}, rows.direction[at]);
            }
    return C;
}

BlockReport Bench::measure_worst() const
{
    std::vector<BlockReport> reports(members.size());
    model.measure(cohort(), rows, stage, trial, reports);
    return *std::ranges::max_element(reports, {}, &BlockReport::residual);
}

void check_responses(Bench bench)
{
    bench.model.begin_stage(bench.cohort(), bench.stage, bench.trial);
    bench.model.predict(bench.cohort(), bench.rows, bench.stage, bench.trial);
    const VectorXd free = bench.velocities();

    const MatrixXd C = bench.compute_C();

    const double size = C.cwiseAbs().maxCoeff();
    CHECK(C.allFinite());
    CHECK((C - C.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * size);
    const MatrixXd symmetric = (C + C.transpose()) / 2;
    CHECK(Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric).eigenvalues().minCoeff() >=
          -1e-12 * size);

    const std::vector<double> x = bench.trial.state.x;
    bench.model.correct(bench.cohort(), bench.rows, bench.stage, Part::velocity, bench.trial);
    bench.trial.state.x = x; // rows are linear about the place where they were made
    const VectorXd given =
        VectorXd::Map(bench.rows.impulse.data(), Index(bench.rows.impulse.size()));
    CHECK((bench.velocities() - free - C * given).norm() <= 1e-10 * (C * given).norm());
}

/// Displacements of the rows' sites along the rows, after correct(position) with impulses × scale;
/// what they differ by from C.
double position_error(Bench bench, double scale)
{
    bench.model.begin_stage(bench.cohort(), bench.stage, bench.trial);
    bench.model.predict(bench.cohort(), bench.rows, bench.stage, bench.trial);
    const MatrixXd C = bench.compute_C();
    const std::vector<SiteMotion> before = bench.locate(bench.stage.time);
    for (double& impulse : bench.rows.impulse)
        impulse *= scale;
    bench.model.correct(bench.cohort(), bench.rows, bench.stage, Part::position, bench.trial);
    const std::vector<SiteMotion> after = bench.locate(bench.stage.time);
    const VectorXd wanted = C * VectorXd::Map(bench.rows.impulse.data(), C.rows());
    double error = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3 moved = after[i].pose.translation - before[i].pose.translation;
        const Vec3 turned = log_quat(after[i].pose.rotation * conjugate(before[i].pose.rotation));
        error = std::max(
            error, std::abs(dot(Twist{turned, moved}, bench.rows.direction[i]) - wanted[Index(i)]));
    }
    return error / wanted.norm();
}

void check_stage(Bench bench)
{
    bench.model.begin_stage(bench.cohort(), bench.stage, bench.trial);
    bench.rows.held = bench.rows.impulse;
    const double first = bench.measure_worst().residual;
    for (int i = 0; i < bench.options.passes; ++i) {
        bench.model.predict(bench.cohort(), bench.rows, bench.stage, bench.trial);
        bench.model.correct(bench.cohort(), bench.rows, bench.stage, Part::velocity, bench.trial);
    }
    CHECK(bench.measure_worst().residual <= bench.options.residual * std::max(first, 1.0));
}

void check_rates(Bench bench)
{
    const double h = 1e-6;
    const std::vector<SiteMotion> before = bench.locate(bench.options.time);
    bench.model.begin_stage(bench.cohort(), {.time = bench.options.time + h, .theta = h, .step = h},
                            bench.trial);
    const std::vector<SiteMotion> after = bench.locate(bench.options.time + h);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3 linear = (after[i].pose.translation - before[i].pose.translation) / h;
        const double size = 1 + length(before[i].twist.linear) + length(before[i].twist.angular);
        CHECK(length(linear - before[i].twist.linear) < 1e-4 * size * size);
        const Vec3 turned =
            log_quat(after[i].pose.rotation * conjugate(before[i].pose.rotation)) / h;
        if (after[i].pose.rotation != Quat{})
            CHECK(length(turned - before[i].twist.angular) < 1e-4 * size * size);
    }
}

void check_cohorts(Bench together, Bench apart)
{
    const auto run = [](Bench& bench, const Cohort& cohort) {
        bench.model.begin_stage(cohort, bench.stage, bench.trial);
        bench.model.predict(cohort, bench.rows, bench.stage, bench.trial);
        bench.model.respond(cohort, bench.rows, bench.trial, bench.responses);
        bench.model.correct(cohort, bench.rows, bench.stage, Part::velocity, bench.trial);
    };
    run(together, together.cohort());
    for (const Member& member : apart.members)
        run(apart, {{&member, 1}, apart.touches});
    CHECK(together.trial.state == apart.trial.state);
    CHECK(together.responses.port == apart.responses.port);
    CHECK(together.responses.body == apart.responses.body);
}

} // namespace

void check_model_contract(const Dynamics& model, const ModelState& state,
                          std::span<const Site> sites, const ContractOptions& options)
{
    const auto make = [&] { return Bench(model, state, sites, options); };
    check_responses(make());
    check_stage(make());
    check_rates(make());
    check_cohorts(make(), make());
    // What ⊞ adds to C is of second order: a tenth of the way, a tenth of the relative error.
    const double coarse = position_error(make(), 1), fine = position_error(make(), 0.1);
    CHECK(coarse < 0.1);
    CHECK(fine <= 0.2 * coarse + 1e-10);
}

} // namespace sinew::test
