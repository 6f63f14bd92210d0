// Lengths that move: one more coordinate a segment, let go before the segment's turn.
//                                                                              [eqs 24 to 27]

#include "math/functions.h"
#include "models/strand/rows/dynamics_scratch.h"

namespace sinew::strand {

namespace {

/// A length is at least this part of what it was, from one pass to the next.
constexpr double kShortest = 0.25;

} // namespace

/// Q̄ and ω̄ of a stage, for lengths: L̄ = L + (1 − γ)hσ₁, σ̄ = σ + (1 − γ)hσ̇₁.
void StrandDynamics::begin_lengths(std::uint32_t block, const Stage& stage, Trial& trial) const
{
    const double rest = stage.index == 0 ? 0 : stage.step - stage.theta;
    for (std::size_t i = 0; i < plans_[block].segments.size(); ++i) {
        const std::size_t il = length_index(block, i), is = speed_index(block, i);
        const double now = trial.state.v[is], from = trial.v_start[is];
        trial.x_base[il] = trial.x_start[il] + rest * now;
        trial.v_base[is] = from + (now - from) * (rest / stage.theta);
        trial.state.v[is] = trial.v_base[is];
        trial.state.x[il] = trial.x_base[il] + stage.theta * trial.v_base[is];
        if (!(trial.state.x[il] > kShortest * trial.x_start[il])) {
            trial.state.x[il] = kShortest * trial.x_start[il];
            trial.state.v[is] = (trial.state.x[il] - trial.x_base[il]) / stage.theta;
        }
    }
}

/// Lengths and speeds as the kernels want them, and what the springs do there. Requires params.
void StrandDynamics::set_lengths(std::uint32_t block, const ModelState& state,
                                 BlockScratch& own) const
{
    const Rows<double> trail = own.trails(), param = rows_of(own.param, Param::count);
    const std::vector<SegmentData>& segments = plans_[block].segments;
    for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
        const SegmentData& s = segments[std::size_t(i)];
        const double length = length_at(state.x, block, std::size_t(i)),
                     speed = speed_at(state.v, block, std::size_t(i)), mass = s.spare_mass();
        const Stretching law = stretched(s, length);
        const double damping = s.stretch_damping / s.length,
                     wider = mass * (s.length * s.length - length * length);
        param(i, Param::length) = length;
        param(i, Param::inertia) += wider;
        param(i, Param::inertia + 2) += wider;
        trail(i, Axial::speed) = speed;
        trail(i, Axial::tension) = law.tension + damping * speed;
        trail(i, Axial::slope) = law.slope;
        trail(i, Axial::slope + 1) = damping;
        trail(i, Axial::mass) = mass;
    }
}

void StrandDynamics::set_gains(std::uint32_t block, const Stage& stage, const Trial& trial,
                               BlockScratch& own) const
{
    const Rows<double> trail = own.trails();
    for (std::size_t i = 0; i < plans_[block].segments.size(); ++i)
        trail(int(i), Axial::gain) =
            (trail(int(i), Axial::speed) - trial.v_base[speed_index(block, i)]) / stage.theta;
}

/// In a stage, before its place is known: not so fast that the segment vanishes.
void StrandDynamics::give_speed(std::uint32_t block, std::size_t segment, double change,
                                const Stage& stage, Trial& trial) const
{
    const std::size_t il = length_index(block, segment);
    const double least = (kShortest * trial.state.x[il] - trial.x_base[il]) / stage.theta;
    double& speed = trial.state.v[speed_index(block, segment)];
    speed = max(speed + change, least);
}

/// As `give`, of a length.
void StrandDynamics::give_length(std::uint32_t block, std::size_t segment, double change,
                                 const Stage& stage, Part part, Trial& trial) const
{
    const std::size_t il = length_index(block, segment), is = speed_index(block, segment);
    double& length = trial.state.x[il];
    if (part == Part::position)
        length = max(length + change, kShortest * length);
    else if (part == Part::impulse)
        trial.v_start[is] += change;
    else {
        give_speed(block, segment, change, stage, trial);
        length = trial.x_base[il] + stage.theta * trial.state.v[is];
    }
}

} // namespace sinew::strand
