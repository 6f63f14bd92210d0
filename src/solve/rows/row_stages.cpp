#include "solve/rows/row_stages.h"

#include "base/contract.h"

namespace sinew {

int stage_count(Scheme scheme) { return scheme == Scheme::euler ? 1 : 2; }

Stage make_stage(Scheme scheme, int index, double t0, double h)
{
    if (scheme == Scheme::euler)
        return {.time = t0 + h, .theta = h, .step = h, .index = index, .count = 1};
    const double theta = kGamma * h;
    return {.time = index == 0 ? t0 + theta : t0 + h,
            .theta = theta,
            .step = h,
            .index = index,
            .count = 2};
}

void begin_flat_stage(const BlockShape& block, const Stage& stage, Trial& trial)
{
    SINEW_ASSERT(block.x_count == block.v_count);
    ModelState& now = trial.state;
    for (std::uint32_t i = 0; i < block.v_count; ++i) {
        const std::uint32_t ix = block.x_first + i, iv = block.v_first + i;
        // Stage two stands on the slopes of stage one, which are v and (v − v_start)/θ there.
        const double rest = stage.index == 0 ? 0 : stage.step - stage.theta;
        trial.x_base[ix] = trial.x_start[ix] + rest * now.v[iv];
        trial.v_base[iv] = trial.v_start[iv] + rest / stage.theta * (now.v[iv] - trial.v_start[iv]);
        now.v[iv] = trial.v_base[iv];
        now.x[ix] = trial.x_base[ix] + stage.theta * now.v[iv];
    }
}

} // namespace sinew
