// W = m + θ D + θ² K, of which K keeps what is positive: tension across a spring, and its stiffness
// along it.

#include "support/cloth/cloth.h"

#include "math/so3.h"
#include "solve/rows/row_stages.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace sinew::test {

namespace {

Vec3 load(std::span<const double> numbers, std::size_t i)
{
    return {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

void add(std::span<double> numbers, std::size_t i, const Vec3& value)
{
    for (int axis = 0; axis < 3; ++axis)
        numbers[3 * i + std::size_t(axis)] += value[axis];
}

} // namespace

struct Cloth::ClothScratch : Scratch {
    Vec3 gravity = {0, 0, 0};
    Eigen::LLT<Eigen::MatrixXd> W;

    std::vector<double> solved(std::span<const double> b) const
    {
        const Eigen::VectorXd x =
            W.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), Eigen::Index(b.size())));
        return {x.data(), x.data() + x.size()};
    }
};

/// Of an edge and the triangle at it: e₁ = p₁ − p₀ = l x, e₂ = p₂ − p₀ = a x + b y.
struct Cloth::Frame {
    Vec3 x, y, z;
    double l = 0, a = 0, b = 0;
};

Cloth::Cloth(ClothOptions options) : options_(std::move(options))
{
    const int m = options_.columns, n = options_.rows;
    const auto number = [&](int i, int j) { return std::uint32_t(j * m + i); };
    const auto is_in = [&](int i, int j) { return i >= 0 && i < m && j >= 0 && j < n; };
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            points_.push_back(options_.origin + options_.along * (options_.spacing * i) +
                              options_.across * (options_.spacing * j));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            for (const auto& [di, dj] : {std::pair(1, 0), {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}})
                if (is_in(i + di, j + dj)) {
                    const std::uint32_t a = number(i, j), b = number(i + di, j + dj);
                    springs_.push_back({a, b, length(points_[a] - points_[b])});
                }
            const int i_side = i + 1 < m ? i + 1 : i - 1, j_side = j + 1 < n ? j + 1 : j - 1;
            if (i + 1 < m)
                edges_.push_back({{number(i, j), number(i + 1, j), number(i, j_side)}});
            if (j + 1 < n)
                edges_.push_back({{number(i, j), number(i, j + 1), number(i_side, j)}});
        }
    const auto count = std::uint32_t(3 * points_.size());
    shape_ = {.x_count = count, .v_count = count};
}

Site Cloth::site_at(int column, int row) const
{
    const auto point = std::uint32_t(row * options_.columns + column);
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
        for (const std::size_t end : {0, 1})
            if (edges_[e].point[end] == point)
                return {.block = {0, 0}, .element = e, .u = double(end)};
    return {};
}

ModelState Cloth::start() const
{
    ModelState state;
    for (const Vec3& x : points_)
        for (int axis = 0; axis < 3; ++axis) {
            state.x.push_back(x[axis]);
            state.v.push_back(options_.velocity[axis]);
        }
    return state;
}

std::unique_ptr<Scratch> Cloth::make_scratch() const { return std::make_unique<ClothScratch>(); }

void Cloth::prepare(const ModelStepInput& step, Trial& trial) const noexcept
{
    static_cast<ClothScratch&>(*trial.scratch).gravity = step.gravity;
}

/// Balls on the points, capsules between them.
void Cloth::add_surfaces(const ModelState& state, std::vector<ContactCapsule>& surfaces) const
{
    const SurfaceFeel feel{.friction = options_.friction};
    const auto add_piece = [&](const Site& from, double to, std::array<bool, 2> yields) {
        Site end = from;
        end.u = to;
        const SiteMotion a = motion_of(state, from), b = motion_of(state, end);
        surfaces.push_back({.site = from,
                            .u_end = to,
                            .a = a.pose.translation,
                            .b = b.pose.translation,
                            .velocity_a = a.twist.linear,
                            .velocity_b = b.twist.linear,
                            .rotation = a.pose.rotation,
                            .radius = options_.radius,
                            .feel = feel,
                            .yields = yields});
    };
    for (int j = 0; j < options_.rows; ++j)
        for (int i = 0; i < options_.columns; ++i)
            add_piece(site_at(i, j), site_at(i, j).u, {});
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
        add_piece({.block = {0, 0}, .element = e}, 1, {true, true});
}

// ---------------------------------------------------------------- sites

Cloth::Frame Cloth::frame_of(const ModelState& state, std::uint32_t edge) const
{
    const auto& [p, q, r] = edges_[edge].point;
    const Vec3 first = load(state.x, q) - load(state.x, p);
    const Vec3 second = load(state.x, r) - load(state.x, p);
    Frame frame;
    frame.l = length(first);
    frame.x = first / frame.l;
    frame.z = normalised(cross(first, second));
    frame.y = cross(frame.z, frame.x);
    frame.a = dot(second, frame.x);
    frame.b = dot(second, frame.y);
    return frame;
}

/// ω_z = ė₁·y / l,  ω_y = −ė₁·z / l,  ω_x = (ė₂·z + a ω_y) / b.
SiteMotion Cloth::motion_of(const ModelState& state, const Site& site) const
{
    const auto& [p, q, r] = edges_[site.element].point;
    const Frame f = frame_of(state, site.element);
    const Vec3 first = load(state.v, q) - load(state.v, p);
    const Vec3 second = load(state.v, r) - load(state.v, p);
    const double about_z = dot(first, f.y) / f.l, about_y = -dot(first, f.z) / f.l;
    const double about_x = (dot(second, f.z) + f.a * about_y) / f.b;
    const double u = site.u;
    return {.pose = {rotation_quat(Mat3{f.x, f.y, f.z}),
                     load(state.x, p) * (1 - u) + load(state.x, q) * u},
            .twist = {f.x * about_x + f.y * about_y + f.z * about_z,
                      load(state.v, p) * (1 - u) + load(state.v, q) * u},
            .tangent = load(state.x, q) - load(state.x, p)};
}

/// Jᵀ of a wrench at a site: the transpose of motion_of().
void Cloth::add_wrench(const ModelState& state, const Site& site, const Wrench& wrench,
                       double times, std::span<double> sum) const
{
    const auto& [p, q, r] = edges_[site.element].point;
    const Frame f = frame_of(state, site.element);
    const Vec3 force = wrench.force * times, torque = wrench.torque * times;
    const double x = dot(torque, f.x) / f.b;
    const double y = dot(torque, f.y) + f.a * x, z = dot(torque, f.z);
    const Vec3 on_q = f.y * (z / f.l) - f.z * (y / f.l), on_r = f.z * x;
    add(sum, p, force * (1 - site.u) - on_q - on_r);
    add(sum, q, force * site.u + on_q);
    add(sum, r, on_r);
}

void Cloth::locate(const Trial& trial, double, std::span<const Site> sites,
                   std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t i = 0; i < sites.size(); ++i)
        motions[i] = motion_of(trial.state, sites[i]);
}

void Cloth::add_rows(const Cohort& cohort, const RowSet& rows, const std::vector<double>& plus,
                     const std::vector<double>* minus, const ModelState& state,
                     std::span<double> sum) const
{
    for (const Touch& touch : cohort.touches_of(cohort.members[0]))
        add_wrench(state, rows.site[touch.side], rows.direction[touch.direction],
                   plus[touch.row] - (minus ? (*minus)[touch.row] : 0), sum);
}

// ---------------------------------------------------------------- stages

/// r = m (v − v_base) − θ f.
void Cloth::find_residual(const Stage& stage, const Trial& trial, std::span<double> r) const
{
    const double m = options_.mass / double(points_.size());
    const Vec3 gravity = static_cast<const ClothScratch&>(*trial.scratch).gravity;
    for (std::size_t i = 0; i < points_.size(); ++i)
        add(r, i,
            (load(trial.state.v, i) - load(trial.v_base, i)) * m - gravity * (m * stage.theta));
    for (const Spring& spring : springs_) {
        const Vec3 way = load(trial.state.x, spring.b) - load(trial.state.x, spring.a);
        const Vec3 rate = load(trial.state.v, spring.b) - load(trial.state.v, spring.a);
        const double d = length(way);
        const Vec3 n = way / d;
        const Vec3 pull = n * (stage.theta * (options_.stiffness * (d - spring.length) +
                                              options_.damping * dot(rate, n)));
        add(r, spring.a, -pull);
        add(r, spring.b, pull);
    }
}

void Cloth::factorise(const Stage& stage, const Trial& trial) const
{
    const double m = options_.mass / double(points_.size()), h = stage.theta;
    const auto size = Eigen::Index(3 * points_.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(size, size) * m;
    for (const Spring& spring : springs_) {
        const Vec3 way = load(trial.state.x, spring.b) - load(trial.state.x, spring.a);
        const double d = length(way);
        const Vec3 n = way / d;
        const double across = h * h * options_.stiffness * std::max(0.0, (d - spring.length) / d);
        const double along = h * h * options_.stiffness + h * options_.damping;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double k = (i == j ? across : 0) + (along - across) * n[i] * n[j];
                const Eigen::Index a = 3 * spring.a, b = 3 * spring.b;
                W(a + i, a + j) += k;
                W(b + i, b + j) += k;
                W(a + i, b + j) -= k;
                W(b + i, a + j) -= k;
            }
    }
    static_cast<ClothScratch&>(*trial.scratch).W.compute(W);
}

void Cloth::begin_stage(const Cohort&, const Stage& stage, Trial& trial) const noexcept
{
    begin_flat_stage(shape_, stage, trial);
}

void Cloth::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                    Trial& trial) const noexcept
{
    std::vector<double> r(trial.state.v.size()), pushed(r.size());
    find_residual(stage, trial, r);
    add_rows(cohort, rows, rows.held, nullptr, trial.state, pushed);
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] -= pushed[i];
    factorise(stage, trial);
    const std::vector<double> change = static_cast<const ClothScratch&>(*trial.scratch).solved(r);
    for (std::size_t i = 0; i < r.size(); ++i)
        trial.state.v[i] -= change[i];
}

void Cloth::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                    Responses& responses) const noexcept
{
    const Member& member = cohort.members[0];
    const std::span<const Touch> touches = cohort.touches_of(member);
    std::vector<std::vector<double>> J;
    for (const Touch& touch : touches)
        add_wrench(trial.state, rows.site[touch.side], rows.direction[touch.direction], 1,
                   J.emplace_back(trial.state.v.size()));
    const std::span<double> port = responses.port_of(member);
    for (std::size_t i = 0; i < J.size(); ++i) {
        const std::vector<double> answer =
            static_cast<const ClothScratch&>(*trial.scratch).solved(J[i]);
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < answer.size(); ++k)
                sum += J[j][k] * answer[k];
            port[i * J.size() + j] = port[j * J.size() + i] = sum;
        }
    }
}

void Cloth::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                    Trial& trial) const noexcept
{
    std::vector<double> pushed(trial.state.v.size());
    add_rows(cohort, rows, rows.impulse, &rows.held, trial.state, pushed);
    const std::vector<double> change =
        static_cast<const ClothScratch&>(*trial.scratch).solved(pushed);
    std::vector<double>& changed = part == Part::velocity   ? trial.state.v
                                   : part == Part::position ? trial.state.x
                                                            : trial.v_start;
    for (std::size_t i = 0; i < change.size(); ++i)
        changed[i] += change[i];
    if (part == Part::velocity)
        for (std::size_t i = 0; i < change.size(); ++i)
            trial.state.x[i] = trial.x_base[i] + stage.theta * trial.state.v[i];
}

Energy Cloth::energy(const ModelState& state, const Vec3& gravity) const
{
    const double m = options_.mass / double(points_.size());
    Energy energy;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        energy.kinetic += 0.5 * m * dot(load(state.v, i), load(state.v, i));
        energy.potential -= m * dot(gravity, load(state.x, i));
    }
    for (const Spring& spring : springs_) {
        const double open =
            length(load(state.x, spring.b) - load(state.x, spring.a)) - spring.length;
        energy.potential += 0.5 * options_.stiffness * open * open;
    }
    return energy;
}

Momentum Cloth::momentum(const ModelState& state) const
{
    const double m = options_.mass / double(points_.size());
    Momentum sum;
    for (std::size_t i = 0; i < points_.size(); ++i)
        sum += {load(state.v, i) * m, cross(load(state.x, i), load(state.v, i) * m)};
    return sum;
}

void Cloth::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                    const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    const Energy now =
        energy(trial.state, static_cast<const ClothScratch&>(*trial.scratch).gravity);
    reports[0].kinetic = now.kinetic;
    reports[0].potential = now.potential;
    std::vector<double> r(trial.state.v.size()), pushed(r.size());
    find_residual(stage, trial, r);
    add_rows(cohort, rows, rows.impulse, nullptr, trial.state, pushed);
    for (std::size_t i = 0; i < r.size(); ++i) {
        reports[0].residual = std::max(reports[0].residual, std::abs(r[i] - pushed[i]));
        reports[0].finite = reports[0].finite && std::isfinite(trial.state.v[i]);
    }
}

void Cloth::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                          std::span<BlockReport> reports) const noexcept
{
    constexpr int kPasses = 20;
    constexpr double kEnough = 1e-12; // m/s
    trial.x_start = trial.state.x;
    trial.v_start = trial.state.v;
    for (int index = 0; index < stage_count(Scheme::sdirk2); ++index) {
        const Stage stage = make_stage(Scheme::sdirk2, index, t0, t1 - t0);
        begin_stage(cohort, stage, trial);
        for (int pass = 0; pass < kPasses; ++pass) {
            const std::vector<double> before = trial.state.v;
            predict(cohort, {}, stage, trial);
            double change = 0;
            for (std::size_t i = 0; i < before.size(); ++i) {
                trial.state.x[i] = trial.x_base[i] + stage.theta * trial.state.v[i];
                change = std::max(change, std::abs(trial.state.v[i] - before[i]));
            }
            if (change < kEnough)
                break;
        }
    }
    reports[0].reached = t1;
    reports[0].steps = reports[0].implicit_steps = 1;
    for (const double v : trial.state.v)
        reports[0].finite = reports[0].finite && std::isfinite(v);
}

} // namespace sinew::test
