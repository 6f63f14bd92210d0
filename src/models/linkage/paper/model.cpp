#include "models/linkage/paper/model.h"

#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

std::vector<double> collect_key_times(const Scene& scene)
{
    std::vector<double> times;
    for (const Track& track : scene.tracks)
        if (!track.along)
            for (const Key& key : track.keys)
                times.push_back(key.at);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

} // namespace

Result<std::unique_ptr<CharliModel>> CharliModel::create(const Scene& scene,
                                                         const std::vector<ImportFunction>& imports)
{
    Result<CharliScheme> scheme = CharliScheme::create(scene, imports);
    if (!scheme)
        return scheme.problems();
    return std::unique_ptr<CharliModel>(new CharliModel(scene, std::move(*scheme)));
}

CharliModel::CharliModel(const Scene& scene, CharliScheme scheme)
    : scene_(&scene), scheme_(std::make_unique<CharliScheme>(std::move(scheme))),
      key_times_(collect_key_times(scene))
{
    shape_.x_count = static_cast<std::uint32_t>(scheme_->state_size());
}

ModelState CharliModel::initial_state(std::span<const double> coordinates,
                                      std::span<const double> rates) const
{
    ModelState state;
    state.x.resize(scheme_->state_size());
    scheme_->start(scene_->settings.start, coordinates, rates, state.x);
    return state;
}

void CharliModel::read_coordinates(const ModelState& state, std::span<double> coordinates,
                                   std::span<double> rates) const
{
    scheme_->read(state.x, coordinates, rates);
}

void CharliModel::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                                std::span<BlockReport> reports) const noexcept
{
    if (cohort.members.empty())
        return;
    BlockReport& report = reports[0];
    report.reached = t0;
    for (double t = t0; t < t1 && !report.fault && !is_stopping();) {
        const auto key = std::upper_bound(key_times_.begin(), key_times_.end(), t);
        const double limit = key != key_times_.end() && *key < t1 ? *key : t1;
        // Equal steps up to the limit, none longer than the scene's; rounding makes no extra one.
        const double count = max(1.0, ceil((limit - t) / scene_->settings.step * (1 - 1e-9)));
        const double begin = t, h = (limit - t) / count;
        for (double i = 0; i < count && !report.fault && !is_stopping(); ++i) {
            report.fault = scheme_->step(begin + i * h, h, trial.state.x);
            report.steps += report.fault ? 0 : 1;
        }
        if (!report.fault && key != key_times_.end() && *key == limit)
            report.fault = scheme_->pass_key(limit, trial.state.x);
        t = limit;
        if (!report.fault)
            report.reached = limit;
    }
}

std::unique_ptr<Scratch> CharliModel::make_scratch() const { return std::make_unique<Scratch>(); }

// No rows reach it: it is always alone.
void CharliModel::locate(const Trial&, double, std::span<const Site>,
                         std::span<SiteMotion>) const noexcept
{
}
void CharliModel::begin_stage(const Cohort&, const Stage&, Trial&) const noexcept {}
void CharliModel::predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept {}
void CharliModel::respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept {}
void CharliModel::correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept
{
}
void CharliModel::measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                          std::span<BlockReport>) const noexcept
{
}

} // namespace sinew
