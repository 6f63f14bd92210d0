#include "scene/reading/kinks.h"

#include "math/functions.h"
#include "scene/formula.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// More switches than this of one operation are no kinks any more but a texture.
constexpr std::size_t kMostKinks = 100000;

/// True for operations that go over from one smooth function to another.
bool is_switch(Operation operation)
{
    switch (operation) {
    case Operation::absolute:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::remainder:
    case Operation::round_down:
    case Operation::round_up:
    case Operation::less:
    case Operation::choose: return true;
    default: return false;
    }
}

/// Calls use(formula) for every operation that switches in a value.
template <class Use>
void for_each_switch(const Scene& scene, Value value, Use& use)
{
    if (value.is_constant())
        return;
    const Formula& formula = scene.formulas[value.formula];
    if (is_switch(formula.operation))
        use(formula);
    if (formula.operation == Operation::track)
        for (const Key& key : scene.tracks[formula.index].keys)
            for_each_switch(scene, key.value, use);
    for_each_switch(scene, formula.a, use);
    for_each_switch(scene, formula.b, use);
}

/// A function that says which branch an operation is on: its sign, or its whole part.
class Switch {
public:
    Switch(const Scene& scene, const Formula& formula) : scene_(scene), formula_(formula) {}

    bool is_known() const
    {
        return is_known_in_advance(scene_, formula_.a) &&
               (formula_.operation == Operation::choose || is_known_in_advance(scene_, formula_.b));
    }

    /// The argument and its rate.
    Rates at(double time) const
    {
        const Rates a = rates_at(scene_, formula_.a, time);
        if (formula_.operation == Operation::choose)
            return {a.value - 0.5, a.first, 0};
        const Rates b = rates_at(scene_, formula_.b, time);
        switch (formula_.operation) {
        case Operation::minimum:
        case Operation::less:
        case Operation::maximum: return {a.value - b.value, a.first - b.first, 0};
        case Operation::remainder:
            return {a.value / b.value, (a.first - a.value / b.value * b.first) / b.value, 0};
        default: return a;
        }
    }
    double branch(double time) const
    {
        const double x = at(time).value;
        switch (formula_.operation) {
        case Operation::remainder:
        case Operation::round_down:
        case Operation::round_up: return floor(x);
        default: return x < 0 ? -1 : 1;
        }
    }

    /// All switches between two times, as far as the argument is monotonic between them.
    void find(double low, double high, std::vector<double>& out) const
    {
        while (branch(low) != branch(high) && out.size() < kMostKinks) {
            const double first = branch(low);
            double inside = low, outside = high;
            for (double middle = (inside + outside) / 2; middle != inside && middle != outside;
                 middle = (inside + outside) / 2)
                (branch(middle) == first ? inside : outside) = middle;
            out.push_back(outside);
            low = outside;
        }
    }

    /// A place between two times where the argument turns round; the first time if it does not.
    double find_turn(double low, double high) const
    {
        const double slope = at(low).first;
        if (!(slope * at(high).first < 0))
            return low;
        for (int i = 0; i < 60; ++i) {
            const double middle = (low + high) / 2;
            (slope * at(middle).first > 0 ? low : high) = middle;
        }
        return low;
    }

private:
    const Scene& scene_;
    const Formula& formula_;
};

/// Where to look does not depend on how long is simulated, up to where it ends: a run that is
/// continued for longer must find the same.
std::vector<double> find_stops(const Scene& scene, Value value)
{
    constexpr double kStride = 1. / 256, kMostStrides = 1e6;
    const Settings& settings = scene.settings;
    std::vector<double> stops = key_times(scene, value);
    for (double k = 0; k < kMostStrides && settings.start + k * kStride < settings.end; ++k)
        stops.push_back(settings.start + k * kStride);
    stops.push_back(settings.end);
    std::erase_if(stops, [&](double t) { return t < settings.start || t > settings.end; });
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

} // namespace

bool has_switches(const Scene& scene, Value value)
{
    bool has = false;
    const auto use = [&](const Formula&) { has = true; };
    for_each_switch(scene, value, use);
    return has;
}

std::vector<double> find_kinks(const Scene& scene, Value value)
{
    std::vector<double> kinks;
    if (!has_switches(scene, value))
        return kinks;
    const std::vector<double> stops = find_stops(scene, value);
    const auto use = [&](const Formula& formula) {
        const Switch function(scene, formula);
        for (std::size_t i = 0; function.is_known() && i + 1 < stops.size(); ++i) {
            const double turn = function.find_turn(stops[i], stops[i + 1]);
            function.find(stops[i], turn, kinks);
            function.find(turn, stops[i + 1], kinks);
        }
    };
    for_each_switch(scene, value, use);
    std::sort(kinks.begin(), kinks.end());
    kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());
    return kinks;
}

std::vector<std::uint32_t> find_switches_of_state(const Scene& scene, Value value)
{
    std::vector<std::uint32_t> found;
    const auto use = [&](const Formula& formula) {
        bool is_of_state = false, is_of_event = false;
        for (const Value operand : {formula.a, formula.b})
            for_each_leaf(scene, operand, [&](const Formula& leaf) {
                const bool is_coordinate = leaf.operation == Operation::coordinate;
                is_of_event = is_of_event || (is_coordinate && scene.coordinates[leaf.index].kind ==
                                                                   CoordinateKind::event);
                is_of_state = is_of_state || is_coordinate || leaf.operation == Operation::position;
            });
        if (is_of_state && !is_of_event && formula.operation != Operation::choose)
            found.push_back(static_cast<std::uint32_t>(&formula - scene.formulas.data()));
    };
    for_each_switch(scene, value, use);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sinew
