#include "models/linkage/paper/start.h"

#include "math/functions.h"
#include "models/linkage/paper/equations/rows.h"
#include "scene/kinematics.h"
#include "scene/reading/equations.h"

#include <optional>

namespace sinew::charli_method {

namespace {

/// The scene with its imports replaced by the numbers they have now.
Scene without_imports(const Scene& scene, const std::vector<Jet2>& imports)
{
    Scene copy = scene;
    for (Formula& formula : copy.formulas)
        if (formula.operation == Operation::imported)
            formula = {.operation = Operation::negate, .a = {-imports[formula.index].value}};
    return copy;
}

class Start {
public:
    Start(const System& system, Instant& at, std::span<double> values, std::span<double> rates,
          Places places)
        : system_(system), at_(at), values_(values), rates_(rates), places_(places)
    {
    }

    void define(std::size_t j)
    {
        const Definition& definition = system_.unknowns[j].definition;
        switch (definition.kind) {
        case DefinitionKind::script: return;
        case DefinitionKind::cosine: return set(j, cos(angle(definition.index)));
        case DefinitionKind::sine: return set(j, sin(angle(definition.index)));
        case DefinitionKind::row:
            set(j, 0);
            return set(j, -evaluate_row(system_, at_, system_.rows[definition.index]));
        case DefinitionKind::place: return find_place(j, system_.curves[definition.index]);
        case DefinitionKind::seen: {
            const View& view = system_.views[definition.index];
            return set(j, local(view.chain, view.point)[int(definition.axis)]);
        }
        }
    }

private:
    void set(std::size_t j, const Jet2& jet)
    {
        values_[j] = jet.value;
        rates_[j] = jet.first;
    }

    Jet2 angle(std::uint32_t number) const
    {
        const Turn& turn = system_.turns[number];
        if (turn.script != kNone)
            return {at_.coordinates[turn.script], at_.coordinate_rates[turn.script]};
        return at_.jet({false, turn.theta});
    }

    /// A point of the world in the frame that a chain starts from.
    Vec3T<Jet2> local(const Chain& chain, const Triple& point) const
    {
        const auto jet = [&](Factor factor) { return at_.jet(factor); };
        return undo_chain<Jet2>(chain, {jet(point[0]), jet(point[1]), jet(point[2])}, jet);
    }

    void find_place(std::size_t j, const Curve& curve)
    {
        if (places_ == Places::find) {
            if (!scene_) {
                scene_ = without_imports(system_.scene, at_.imports);
                kinematics_.emplace(*scene_, at_.coordinates, at_.time);
            }
            const Path& path = scene_->paths[curve.path.index];
            values_[j] = find_nearest(*scene_, *kinematics_, path, at_.place(curve.on_it)).u;
        }
        const Vec3T<Jet2> x = local(curve.chain, curve.on_it);
        const CurveMotion c = curve_motion(at_, curve);
        const Vec3 slip = Vec3{x.x.first, x.y.first, x.z.first} - c.velocity;
        const double speed2 = dot(c.tangent, c.tangent);
        rates_[j] = speed2 > 0 ? dot(slip, c.tangent) / speed2 : 0;
    }

    const System& system_;
    Instant& at_;
    std::span<double> values_, rates_;
    Places places_;
    std::optional<Scene> scene_;
    std::optional<Kinematics> kinematics_;
};

} // namespace

void place_unknowns(const System& system, std::span<const ImportFunction> imports, double time,
                    Places places, std::span<const double> coordinates,
                    std::span<const double> coordinate_rates, std::span<double> values,
                    std::span<double> rates)
{
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (const std::uint32_t unknown = system.script_unknowns[i]; unknown != kNone) {
            values[unknown] = coordinates[i];
            rates[unknown] = coordinate_rates[i];
        }
    for (std::size_t k = 0; k < system.followers.size(); ++k) {
        values[system.unknowns.size() + k] = coordinates[system.followers[k]];
        rates[system.unknowns.size() + k] = coordinate_rates[system.followers[k]];
    }
    Instant instant{.time = time, .values = values, .rates = rates};
    update_instant(system, imports, instant);
    Start start(system, instant, values, rates, places);
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
        start.define(j);
}

void update_follower_rates(const System& system, std::span<const double> values,
                           std::span<double> rates)
{
    for (std::size_t k = 0; k < system.followers.size(); ++k)
        if (const std::uint32_t number = system.script_turns[system.followers[k]];
            number != kNone) {
            const Turn& turn = system.turns[number];
            const double xi = values[turn.xi], eta = values[turn.eta];
            rates[system.unknowns.size() + k] =
                (xi * rates[turn.eta] - eta * rates[turn.xi]) / (xi * xi + eta * eta);
        }
}

void settle_followers(const System& system, std::span<double> values)
{
    for (std::size_t k = 0; k < system.followers.size(); ++k)
        if (const std::uint32_t number = system.script_turns[system.followers[k]];
            number != kNone) {
            const Turn& turn = system.turns[number];
            double& theta = values[system.unknowns.size() + k];
            const double xi = values[turn.xi], eta = values[turn.eta];
            const double c = cos(theta), s = sin(theta);
            theta += atan2(eta * c - xi * s, xi * c + eta * s);
        }
}

} // namespace sinew::charli_method
