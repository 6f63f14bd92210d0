#include "support/tiny_models.h"

#include "solve/rows/row_stages.h"

#include <algorithm>
#include <cmath>

namespace sinew::test {

namespace {

Vec3 load(const std::vector<double>& numbers, std::size_t i)
{
    return {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

void store(std::vector<double>& numbers, std::size_t i, const Vec3& value)
{
    numbers[3 * i] = value.x;
    numbers[3 * i + 1] = value.y;
    numbers[3 * i + 2] = value.z;
}

} // namespace

Particles::Particles(std::vector<Particle> particles, Vec3 gravity)
    : particles_(std::move(particles)), gravity_(gravity)
{
    for (std::uint32_t i = 0; i < particles_.size(); ++i) {
        shapes_.push_back({.x_first = 3 * i, .x_count = 3, .v_first = 3 * i, .v_count = 3});
        shapes_[i].response = ResponseKind::body;
        shapes_[i].driven = particles_[i].driven;
    }
}

ModelState Particles::start() const
{
    ModelState state;
    state.x.resize(3 * particles_.size());
    state.v.resize(3 * particles_.size());
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        store(state.x, i, particles_[i].position);
        store(state.v, i, particles_[i].velocity);
    }
    return state;
}

Vec3 Particles::position(const ModelState& state, std::size_t i) { return load(state.x, i); }
Vec3 Particles::velocity(const ModelState& state, std::size_t i) { return load(state.v, i); }

double Particles::energy(const ModelState& state) const
{
    double sum = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i)
        if (!particles_[i].driven)
            sum += particles_[i].mass *
                   (0.5 * squared_length(velocity(state, i)) - dot(gravity_, position(state, i)));
    return sum;
}

namespace {

struct Weights final : Scratch {
    std::vector<double> W;
};

const std::vector<double>& weights(const Trial& trial)
{
    return static_cast<const Weights&>(*trial.scratch).W;
}

} // namespace

std::unique_ptr<Scratch> Particles::make_scratch() const
{
    auto scratch = std::make_unique<Weights>();
    scratch->W.resize(particles_.size());
    return scratch;
}

void Particles::locate(const Trial& trial, double time, std::span<const Site> sites,
                       std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::size_t i = sites[s].block.index;
        const Particle& particle = particles_[i];
        const Vec3 v = particle.driven ? particle.velocity : load(trial.state.v, i);
        const Vec3 x = particle.driven ? particle.position + v * time : load(trial.state.x, i);
        motions[s] = {.pose = {.rotation = {}, .translation = x}, .twist = {{}, v}, .tangent = {}};
    }
}

void Particles::begin_stage(const Cohort& cohort, const Stage& stage, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members)
        begin_flat_stage(shapes_[member.block], stage, trial);
}

Vec3 Particles::residual(const Cohort& cohort, const Member& member, const RowSet& rows,
                         const std::vector<double>& impulse, double theta, const Trial& trial) const
{
    const Particle& particle = particles_[member.block];
    const Vec3 v = load(trial.state.v, member.block);
    const Vec3 force = gravity_ * particle.mass - v * particle.drag;
    Vec3 r = (v - load(trial.v_base, member.block)) * particle.mass - force * theta;
    for (const Touch& touch : cohort.touches_of(member))
        r -= rows.direction[touch.direction].force * impulse[touch.row];
    return r;
}

void Particles::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                        Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::uint32_t i = member.block;
        const double W = particles_[i].mass + stage.theta * particles_[i].drag;
        static_cast<Weights&>(*trial.scratch).W[i] = W;
        const Vec3 r = residual(cohort, member, rows, rows.held, stage.theta, trial);
        store(trial.state.v, i, load(trial.state.v, i) - r / W);
    }
}

void Particles::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                        Responses& responses) const noexcept
{
    for (const Member& member : cohort.members)
        for (std::uint32_t t = 0; t < member.touch_count; ++t) {
            const Touch& touch = cohort.touches_of(member)[t];
            responses.body[member.first_touch + t] = {
                {}, rows.direction[touch.direction].force / weights(trial)[member.block]};
        }
}

void Particles::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                        Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::uint32_t i = member.block;
        Vec3 change = {};
        for (const Touch& touch : cohort.touches_of(member))
            change += rows.direction[touch.direction].force *
                      (rows.impulse[touch.row] - rows.held[touch.row]);
        change = change / weights(trial)[i];
        if (part == Part::velocity) {
            store(trial.state.v, i, load(trial.state.v, i) + change);
            store(trial.state.x, i, load(trial.x_base, i) + load(trial.state.v, i) * stage.theta);
        } else if (part == Part::position) {
            store(trial.state.x, i, load(trial.state.x, i) + change);
        } else {
            store(trial.v_start, i, load(trial.v_start, i) + change);
        }
    }
}

void Particles::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                        const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const Member& member = cohort.members[k];
        const double mass = particles_[member.block].mass;
        const Vec3 r = residual(cohort, member, rows, rows.impulse, stage.theta, trial);
        reports[k].residual = length(r);
        reports[k].kinetic = 0.5 * mass * squared_length(load(trial.state.v, member.block));
        reports[k].potential = -mass * dot(gravity_, load(trial.state.x, member.block));
    }
}

void Particles::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                              std::span<BlockReport> reports) const noexcept
{
    const double h = std::min(t1, stops_at) - t0;
    for (std::size_t k = 0; k < cohort.members.size();
         ++k) { // a parabola; with drag, an exponential
        const std::uint32_t i = cohort.members[k].block;
        const Particle& particle = particles_[i];
        const Vec3 x = load(trial.state.x, i), v = load(trial.state.v, i);
        const double rate = particle.drag / particle.mass;
        const double decay = rate > 0 ? -std::expm1(-rate * h) / rate : h;
        const double rest = rate > 0 ? (h - decay) / rate : h * h / 2;
        store(trial.state.x, i, x + v * decay + gravity_ * rest);
        store(trial.state.v, i, v + (gravity_ - v * rate) * decay);
        reports[k].reached = t0 + h;
        reports[k].steps = 1;
        if (t1 > stops_at)
            reports[k].fault = Problem{.code = "stopped", .what = "stops here"};
    }
}

} // namespace sinew::test
