// Momenta and velocities of a plate are triples: along x, along y, about z.

#include "solve/rows/row_stages.h"
#include "support/tiny_models.h"

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

Plates::Plates(std::vector<Plate> plates, Vec3 gravity)
    : plates_(std::move(plates)), gravity_(gravity)
{
    for (std::uint32_t i = 0; i < plates_.size(); ++i)
        shapes_.push_back({.x_first = 3 * i,
                           .x_count = 3,
                           .v_first = 3 * i,
                           .v_count = 3,
                           .response = ResponseKind::body});
}

ModelState Plates::start() const
{
    ModelState state;
    for (const Plate& plate : plates_) {
        state.x.insert(state.x.end(), {plate.centre.x, plate.centre.y, plate.angle});
        state.v.insert(state.v.end(), {plate.velocity.x, plate.velocity.y, plate.spin});
    }
    return state;
}

double Plates::energy(const ModelState& state) const
{
    double sum = 0;
    for (std::size_t i = 0; i < plates_.size(); ++i) {
        const Vec3 x = load(state.x, i), v = load(state.v, i);
        sum += 0.5 * plates_[i].mass * (v.x * v.x + v.y * v.y) +
               0.5 * plates_[i].inertia * v.z * v.z -
               plates_[i].mass * (gravity_.x * x.x + gravity_.y * x.y);
    }
    return sum;
}

/// From the centre to a site, in world axes.
Vec3 Plates::arm(const ModelState& state, const Site& site) const
{
    const Vec3 p = plates_[site.block.index].points[site.element];
    const double angle = state.x[3 * site.block.index + 2];
    return {std::cos(angle) * p.x - std::sin(angle) * p.y,
            std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
}

Vec3 Plates::divided(const Vec3& momentum, std::size_t i) const
{
    return {momentum.x / plates_[i].mass, momentum.y / plates_[i].mass,
            momentum.z / plates_[i].inertia};
}

/// Σ Jᵀ (plus − minus) over the touches.
Vec3 Plates::impulse(const Cohort& cohort, const Member& member, const RowSet& rows,
                     const std::vector<double>& plus, const std::vector<double>* minus,
                     const Trial& trial) const
{
    Vec3 sum = {};
    for (const Touch& touch : cohort.touches_of(member)) {
        const Wrench& d = rows.direction[touch.direction];
        const Vec3 torque = d.torque + cross(arm(trial.state, rows.site[touch.side]), d.force);
        sum += Vec3{d.force.x, d.force.y, torque.z} *
               (plus[touch.row] - (minus ? (*minus)[touch.row] : 0));
    }
    return sum;
}

Vec3 Plates::residual(const Cohort& cohort, const Member& member, const RowSet& rows,
                      const std::vector<double>& lambda, double theta, const Trial& trial) const
{
    const Plate& plate = plates_[member.block];
    const Vec3 change = load(trial.state.v, member.block) - load(trial.v_base, member.block);
    const Vec3 weight = Vec3{gravity_.x, gravity_.y, 0} * (plate.mass * theta);
    return Vec3{change.x * plate.mass, change.y * plate.mass, change.z * plate.inertia} - weight -
           impulse(cohort, member, rows, lambda, nullptr, trial);
}

void Plates::locate(const Trial& trial, double, std::span<const Site> sites,
                    std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::size_t i = sites[s].block.index;
        const Vec3 x = load(trial.state.x, i), v = load(trial.state.v, i);
        const Vec3 to_site = arm(trial.state, sites[s]), spin = {0, 0, v.z};
        motions[s] = {.pose = {.rotation = rotation_about(Vec3{0, 0, 1}, x.z),
                               .translation = Vec3{x.x, x.y, 0} + to_site},
                      .twist = {spin, Vec3{v.x, v.y, 0} + cross(spin, to_site)},
                      .tangent = {}};
    }
}

void Plates::begin_stage(const Cohort& cohort, const Stage& stage, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members)
        begin_flat_stage(shapes_[member.block], stage, trial);
}

void Plates::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                     Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::size_t i = member.block;
        const Vec3 r = residual(cohort, member, rows, rows.held, stage.theta, trial);
        store(trial.state.v, i, load(trial.state.v, i) - divided(r, i));
    }
}

void Plates::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                     Responses& responses) const noexcept
{
    for (const Member& member : cohort.members)
        for (std::uint32_t t = 0; t < member.touch_count; ++t) {
            const Touch& touch = cohort.touches_of(member)[t];
            const Vec3 to_site = arm(trial.state, rows.site[touch.side]);
            const Wrench& d = rows.direction[touch.direction];
            const Vec3 torque = d.torque + cross(to_site, d.force);
            const Vec3 v = divided({d.force.x, d.force.y, torque.z}, member.block);
            const Vec3 spin = {0, 0, v.z};
            responses.body[member.first_touch + t] = {spin,
                                                      Vec3{v.x, v.y, 0} + cross(spin, to_site)};
        }
}

void Plates::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                     Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const std::size_t i = member.block;
        const Vec3 change =
            divided(impulse(cohort, member, rows, rows.impulse, &rows.held, trial), i);
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

void Plates::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                     const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const Member& member = cohort.members[k];
        const Plate& plate = plates_[member.block];
        const Vec3 x = load(trial.state.x, member.block), v = load(trial.state.v, member.block);
        reports[k].residual =
            length(residual(cohort, member, rows, rows.impulse, stage.theta, trial));
        reports[k].kinetic =
            0.5 * plate.mass * (v.x * v.x + v.y * v.y) + 0.5 * plate.inertia * v.z * v.z;
        reports[k].potential = -plate.mass * (gravity_.x * x.x + gravity_.y * x.y);
    }
}

void Plates::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                           std::span<BlockReport> reports) const noexcept
{
    const double h = t1 - t0;
    for (std::size_t k = 0; k < cohort.members.size(); ++k) { // a parabola
        const std::size_t i = cohort.members[k].block;
        const Vec3 g = {gravity_.x, gravity_.y, 0};
        const Vec3 x = load(trial.state.x, i), v = load(trial.state.v, i);
        store(trial.state.x, i, x + v * h + g * (h * h / 2));
        store(trial.state.v, i, v + g * h);
        reports[k].reached = t1;
        reports[k].steps = 1;
    }
}

} // namespace sinew::test
