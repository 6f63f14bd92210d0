// Bases that are unknowns: of trees with free roots, and of those that stand on what they pull at.
//
// A base has no mass of its own. What the roots demand of it is eliminated last, six numbers:
//
//     [Â B̂; B̂ᵀ Ĉ] (x, δa) = −(N + p̂, F + f̂)                         [notes: strands, eq. 30]

#include "models/strand/rows/dynamics_scratch.h"

namespace sinew::strand {

std::size_t StrandDynamics::base_index(std::uint32_t block) const
{
    return shapes_[block].x_first + shapes_[block].x_count - kBaseNumbers;
}

std::size_t StrandDynamics::base_rate_index(std::uint32_t block) const
{
    return shapes_[block].v_first + shapes_[block].v_count - kBaseRates;
}

/// How the base of a tree moves as the trial has it; accelerations only where time moves it.
PoseMotion StrandDynamics::base_of(std::uint32_t block, const Trial& trial, double time) const
{
    if (!plans_[block].has_free_base)
        return bases_.base_at(plans_[block].number, time);
    const std::size_t ix = base_index(block), iv = base_rate_index(block);
    PoseMotion base;
    base.pose = {read_quat(trial.state.x, ix), read_vector(trial.state.x, ix + 4)};
    base.angular_velocity = rotate(base.pose.rotation, read_vector(trial.state.v, iv));
    base.velocity = read_vector(trial.state.v, iv + 3);
    return base;
}

/// As begin_stage() does it for segments.
void StrandDynamics::begin_base(std::uint32_t block, const Stage& stage, Trial& trial) const
{
    const double rest = stage.index == 0 ? 0 : stage.step - stage.theta;
    const std::size_t ix = base_index(block), iv = base_rate_index(block);
    const Vec3 rate = read_vector(trial.state.v, iv), v = read_vector(trial.state.v, iv + 3);
    const Quat start = read_quat(trial.x_start, ix);
    write(trial.x_base, ix, rest > 0 ? turned(start, rate * rest) : start);
    write(trial.x_base, ix + 4, read_vector(trial.x_start, ix + 4) + v * rest);
    for (const std::size_t part : {iv, iv + 3}) {
        const Vec3 from = read_vector(trial.v_start, part), now = read_vector(trial.state.v, part);
        write(trial.v_base, part, rest > 0 ? from + (now - from) * (rest / stage.theta) : from);
        write(trial.state.v, part, read_vector(trial.v_base, part));
    }
    place_base(block, stage, trial);
}

/// Where the rates of a stage lead.
void StrandDynamics::place_base(std::uint32_t block, const Stage& stage, Trial& trial) const
{
    const std::size_t ix = base_index(block), iv = base_rate_index(block);
    write(trial.state.x, ix,
          turned(read_quat(trial.x_base, ix), read_vector(trial.state.v, iv) * stage.theta));
    write(trial.state.x, ix + 4,
          read_vector(trial.x_base, ix + 4) + read_vector(trial.state.v, iv + 3) * stage.theta);
}

/// The Newton step of the base, for the sweep outward; its rates take it. Requires the demand.
BaseStep<double> StrandDynamics::predict_base(std::uint32_t block, BlockScratch& own,
                                              const Stage& stage, Trial& trial) const
{
    const SymmetricDemand<double>& d = own.base_demand;
    own.base_factor = BaseFactor<double>(d);
    const BaseStep<double> step =
        own.base_factor.solve(-(own.base_residual.N + d.p), -(own.base_residual.F + d.f));
    const std::size_t iv = base_rate_index(block);
    write(trial.state.v, iv,
          read_vector(trial.state.v, iv) + rotate(conjugate(own.base_turn), step.x) * stage.theta);
    write(trial.state.v, iv + 3, read_vector(trial.state.v, iv + 3) + step.a * stage.theta);
    return step;
}

/// A change of the base's rate and velocity, world axes; or of its pose.
void StrandDynamics::give_base(std::uint32_t block, const BaseStep<double>& change,
                               const Stage& stage, Part part, Trial& trial) const
{
    const std::size_t ix = base_index(block), iv = base_rate_index(block);
    const Quat q = read_quat(trial.state.x, ix);
    const Vec3 own = rotate(conjugate(q), change.x);
    if (part == Part::position) {
        write(trial.state.x, ix, turned(q, own));
        write(trial.state.x, ix + 4, read_vector(trial.state.x, ix + 4) + change.a);
        return;
    }
    std::vector<double>& v = part == Part::impulse ? trial.v_start : trial.state.v;
    write(v, iv, read_vector(v, iv) + own);
    write(v, iv + 3, read_vector(v, iv + 3) + change.a);
    if (part == Part::velocity)
        place_base(block, stage, trial);
}

} // namespace sinew::strand
