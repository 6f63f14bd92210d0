// A tree at any time of a step, for an integrator that chooses its own times: everything that
// changes in the step is evaluated when and where it acts.

#include "models/strand/model.h"
#include "models/strand/ode/ida.h"

#include <algorithm>

namespace sinew {

using strand::Load;
using strand::Moment;

namespace {

/// Where objects are a part of the way from one time to another; axes need not be of unit length.
void put_between(std::span<const Affine> from, std::span<const Affine> to, double part,
                 std::vector<Affine>& out)
{
    out.resize(from.size());
    const auto mix = [&](const Vec3& a, const Vec3& b) { return a + (b - a) * part; };
    for (std::size_t i = 0; i < from.size(); ++i) {
        for (int c = 0; c < 3; ++c)
            out[i].linear[c] = mix(from[i].linear[c], to[i].linear[c]);
        out[i].origin = mix(from[i].origin, to[i].origin);
    }
}

} // namespace

class StrandModel::AnyTime final : public strand::MomentSource {
public:
    AnyTime(const StrandModel& model, const StrandSurroundings& around, std::uint32_t tree)
        : model_(model), around_(around), index_(tree), own_(model.trees_[tree]),
          units_{own_.units.length, own_.units.mass, 1},
          params_(strand::make_params(own_.segments, units_))
    {
        if (own_.has_loads)
            flows_ = model.flows_;
    }

    const strand::Units& units() const { return units_; }

    void update(double time, std::span<const double> turns, std::span<const double> rates,
                Moment& moment) override
    {
        moment.base = model_.bases_.base_at(index_, time);
        moment.gravity = model_.bases_.pull_at(index_, time);
        if (own_.is_timed) {
            model_.update_segments(around_.scene, time, own_);
            params_ = strand::make_params(own_.segments, units_);
        }
        moment.params = params_;
        moment.loads.assign(own_.segments.size() * Load::count, 0.0);
        if (own_.has_loads) {
            find_nodes(own_, turns.data(), rates.data(), {}, moment.base, nodes_);
            add_loads(time, nodes_, moment.loads);
        }
    }

private:
    void add_loads(double time, const Nodes& nodes, std::span<double> numbers)
    {
        const double span = around_.end - around_.begin, part = (time - around_.begin) / span;
        put_between(around_.now, around_.then, part - 1, before_);
        put_between(around_.now, around_.then, part, objects_);
        Posture posture = around_.posture;
        posture.time = time;
        for (strand::AirFlow& flow : flows_)
            flow.prepare(around_.scene, posture, before_, objects_, span);
        model_.add_loads_at(around_.scene, own_, nodes.tip, posture, objects_, flows_, numbers);
        scale_loads(units_, numbers);
    }

    const StrandModel& model_;
    const StrandSurroundings& around_;
    std::uint32_t index_;
    Tree own_;
    strand::Units units_;
    std::vector<double> params_;
    std::vector<strand::AirFlow> flows_ = {};
    std::vector<Affine> before_ = {}, objects_ = {};
    Nodes nodes_ = {};
};

void StrandModel::step_with_ida(const StrandSurroundings& around, ModelState& state,
                                std::uint32_t index, Work& work) const
{
    const Tree& tree = trees_[index];
    const StrandSettings& settings = around.scene.settings.strands;
    AnyTime source(*this, around, index);
    strand::MotionSystem system(shapes_[tree.shape].view(), source.units(),
                                tree.has_drag || tree.is_timed, source);
    work.outcomes[index] = strand::step_with_ida(
        system, {settings.tolerance, settings.has_numerical_jacobian}, around.begin, around.end,
        &state.x[4 * tree.first], &state.v[3 * tree.first]);
}

} // namespace sinew
