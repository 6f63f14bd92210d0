#include "models/rigid/paper/erleben.h"

#include "models/rigid/paper/layers.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr int kUsualIterations = 10;

/// A point: along the normal, and across it twice.
struct PointRows {
    std::uint32_t a = 0, b = 0;
    std::size_t patch = 0, point = 0;
    double mu = 0;
    std::array<JointRow, 3> row = {};
};

double response_of(const JointRow& row, const SolverBody& a, const SolverBody& b)
{
    return squared_length(row.l) * (a.inverse_mass + b.inverse_mass) +
           dot(row.turn_a, a.inverse_inertia * row.turn_a) +
           dot(row.turn_b, b.inverse_inertia * row.turn_b);
}

class Erleben {
public:
    Erleben(const BodyIslands& islands, std::span<const char> is_solved,
            std::vector<Patch>& patches, std::vector<JointRows>& joints,
            std::vector<SolverBody>& bodies)
        : patches_(patches), joints_(joints), bodies_(bodies)
    {
        for (std::size_t k = 0; k < islands.list.size(); ++k) {
            if (!is_solved[k])
                continue;
            for (const std::uint32_t c : islands.contacts_of(islands.list[k]))
                add_contact(c);
            for (const std::uint32_t j : islands.joints_of(islands.list[k]))
                held_.push_back(j);
        }
        for (const std::uint32_t j : held_)
            for (JointRow& row : joints_[j].row)
                row.impulse = 0;
    }

    void sweep()
    {
        for (const std::uint32_t j : held_)
            relax(joints_[j], bodies_[joints_[j].a], bodies_[joints_[j].b]);
        for (PointRows& p : points_)
            relax_point(p);
    }

    /// Sweeps over what is between a layer and the next, as if all below could not move.
    void shock(const std::vector<int>& layers, int iterations)
    {
        const int top = *std::ranges::max_element(layers);
        const std::vector<SolverBody> before = bodies_;
        for (int layer = 0; layer < top; ++layer) {
            for (std::size_t i = 0; i < bodies_.size(); ++i)
                if (layers[i] >= 0 && layers[i] <= layer)
                    hold(bodies_[i]);
            update_joint_responses(layers, layer);
            for (int k = 0; k < iterations; ++k) {
                for (const std::uint32_t j : held_)
                    if (is_between(layers, joints_[j], layer))
                        relax(joints_[j], bodies_[joints_[j].a], bodies_[joints_[j].b]);
                for (PointRows& p : points_)
                    if (is_between(layers, p, layer))
                        relax_point(p);
            }
        }
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            bodies_[i].inverse_mass = before[i].inverse_mass;
            bodies_[i].inverse_inertia = before[i].inverse_inertia;
        }
        for (const std::uint32_t j : held_)
            update_responses(bodies_[joints_[j].a], bodies_[joints_[j].b], joints_[j]);
    }

    double theta() const
    {
        double worst = 0;
        for (const PointRows& p : points_) {
            const SolverBody &a = bodies_[p.a], &b = bodies_[p.b];
            for (const JointRow& row : p.row) {
                const double K = response_of(row, a, b);
                const double wanted = row.impulse - (row_velocity(row, a, b) + row.bias) / K;
                worst = max(worst, abs(std::clamp(wanted, row.low, row.high) - row.impulse) * K);
            }
        }
        for (const std::uint32_t j : held_)
            worst =
                max(worst, residual_of(joints_[j], bodies_[joints_[j].a], bodies_[joints_[j].b]));
        return worst;
    }

    void keep()
    {
        for (const std::uint32_t c : contacts_)
            patches_[c].lambda = {}, patches_[c].f = {};
        for (const PointRows& p : points_) {
            Patch& patch = patches_[p.patch];
            patch.lambda[p.point] = p.row[0].impulse;
            patch.f[0] += p.row[1].impulse;
            patch.f[1] += p.row[2].impulse;
        }
    }

private:
    void add_contact(std::uint32_t c)
    {
        contacts_.push_back(c);
        for (std::size_t i = 0; i < std::size_t(patches_[c].count); ++i)
            add_point(c, i);
    }
    void add_point(std::size_t patch, std::size_t i)
    {
        const Patch& p = patches_[patch];
        PointRows point{.a = p.a, .b = p.b, .patch = patch, .point = i, .mu = p.mu};
        const Vec3 off = p.t1 * p.x[i] + p.t2 * p.y[i];
        const Vec3 axes[3] = {p.n, p.t1, p.t2};
        for (std::size_t k = 0; k < 3; ++k) {
            JointRow& row = point.row[k];
            row.l = axes[k];
            row.turn_a = cross(p.arm_a + off, row.l);
            row.turn_b = cross(p.arm_b + off, row.l);
        }
        JointRow& normal = point.row[0];
        for (JointRow& row : point.row)
            row.bias = dot(p.drift, row.l);
        normal.bias += p.bias[i];
        normal.high = std::numeric_limits<double>::infinity();
        points_.push_back(point);
    }

    void relax_point(PointRows& p)
    {
        SolverBody &a = bodies_[p.a], &b = bodies_[p.b];
        for (std::size_t k = 0; k < 3; ++k) {
            JointRow& row = p.row[k];
            if (k > 0) {
                row.high = p.mu * p.row[0].impulse; // [Erleben04]: low and high as they must be
                row.low = -row.high;
            }
            const double K = response_of(row, a, b);
            if (!(K > 0))
                continue;
            const double wanted = row.impulse - (row_velocity(row, a, b) + row.bias) / K;
            const double next = std::clamp(wanted, row.low, row.high);
            push(row, next - row.impulse, a, b);
            row.impulse = next;
        }
    }

    static void hold(SolverBody& body)
    {
        body.inverse_mass = 0;
        body.inverse_inertia = Mat3::diagonal({0, 0, 0});
    }
    /// What is held answers no impulse.
    void update_joint_responses(const std::vector<int>& layers, int layer)
    {
        for (const std::uint32_t j : held_)
            if (is_between(layers, joints_[j], layer))
                update_responses(bodies_[joints_[j].a], bodies_[joints_[j].b], joints_[j]);
    }
    template <class Rows>
    static bool is_between(const std::vector<int>& layers, const Rows& p, int layer)
    {
        const int low = std::min(layers[p.a], layers[p.b]);
        const int high = std::max(layers[p.a], layers[p.b]);
        return high == layer + 1 && low >= layer;
    }

    std::vector<std::uint32_t> contacts_, held_; ///< joints
    std::vector<Patch>& patches_;
    std::vector<JointRows>& joints_;
    std::vector<SolverBody>& bodies_;
    std::vector<PointRows> points_;
};

} // namespace

void solve_erleben(const Pile& pile, const PileState& state, const PileOptions& options,
                   const StepLengths& lengths, const BodyIslands& islands,
                   std::span<const char> is_solved, std::vector<Patch>& patches,
                   std::vector<JointRows>& joints, std::vector<SolverBody>& bodies,
                   PileReport& report)
{
    const int iterations = options.iterations > 0 ? options.iterations : kUsualIterations;
    Erleben solver(islands, is_solved, patches, joints, bodies);
    const auto sweep = [&](int count) {
        for (int k = 0; k < count; ++k) {
            solver.sweep();
            ++report.sweeps;
            if (options.records_theta)
                report.theta.push_back(solver.theta());
        }
    };
    sweep(iterations);
    if (options.has_shock)
        solver.shock(compute_layers(pile, state, lengths.touch), iterations);
    sweep(options.smoothing);
    solver.keep();
    report.residual = max(report.residual, solver.theta());
}

} // namespace sinew
