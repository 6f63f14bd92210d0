#include "scene/formula.h"

namespace sinew {

namespace {

/// Calls use(value) for every value a formula is made of.
template <class Use>
void for_each_operand(const Scene& scene, const Formula& formula, Use use)
{
    use(formula.a);
    use(formula.b);
    if (formula.operation == Operation::track)
        for (const Key& key : scene.tracks[formula.index].keys)
            use(key.value);
}

std::uint8_t own_dependence(const Scene& scene, const Formula& formula)
{
    switch (formula.operation) {
    case Operation::time: return Dependence::kTime;
    case Operation::coordinate: return Dependence::kCoordinate;
    case Operation::imported: return Dependence::kImport;
    case Operation::position: return Dependence::kPosition;
    case Operation::here: return Dependence::kHere;
    case Operation::rate: return Dependence::kRate | Dependence::kCoordinate;
    case Operation::contact: return Dependence::kContact;
    case Operation::track:
        return scene.tracks[formula.index].along ? Dependence::kAlong : Dependence::kTime;
    default: return 0;
    }
}

/// Leaves for values that depend on time and place along a curve only. What depends on more has no
/// value in advance and counts as zero.
struct TimeLeaves {
    Jet2 time_, along_;
    Side side_;

    Jet2 time() const { return time_; }
    Jet2 along() const { return along_; }
    Side side() const { return side_; }
    Jet2 coordinate(std::uint32_t) const { return 0; }
    Jet2 imported(std::uint32_t) const { return 0; }
    Jet2 position(const Formula&) const { return 0; }
};

} // namespace

double round_offset(const Track& track, double time, Side side)
{
    const double first = track.keys.front().at, period = track.keys.back().at - first;
    double round = sinew::floor((time - first) / period);
    const auto is_behind = [&](double k) {
        const double begin = first + period * k;
        return side == Side::after ? begin <= time : begin < time;
    };
    if (!is_behind(round)) // rounding, or the end of a round seen from before
        --round;
    else if (is_behind(round + 1))
        ++round;
    return period * round;
}

namespace {

/// A polynomial of degree five in time, as the pieces of a smooth track are.
constexpr std::uint32_t kPieceSize = 32;

bool has_track(const Scene& scene, Value value)
{
    if (value.is_constant())
        return false;
    const Formula& formula = scene.formulas[value.formula];
    bool found = formula.operation == Operation::track;
    if (!found)
        for_each_operand(scene, formula,
                         [&](Value operand) { found = found || has_track(scene, operand); });
    return found;
}

/// Whether a key's value is a small formula without tracks: tracks of tracks could double their
/// size with every level.
bool is_piece(const Scene& scene, Value value, const FormulaTraits& traits)
{
    return traits.size <= kPieceSize && !has_track(scene, value);
}

} // namespace

/// Size bounds the work of a formula whose parts are shared. Pieces of a track do not count: one of
/// them is evaluated, and a track has as many as its text or file has keys.
FormulaTraits make_traits(const Scene& scene, const Formula& formula,
                          const std::vector<FormulaTraits>& known)
{
    const bool is_track = formula.operation == Operation::track;
    FormulaTraits traits{own_dependence(scene, formula), 0, 1};
    for_each_operand(scene, formula, [&](Value operand) {
        if (operand.is_constant())
            return;
        const FormulaTraits& below = known[operand.formula];
        traits.dependence |= below.dependence;
        traits.depth = std::max(traits.depth, below.depth);
        if (!is_track || !is_piece(scene, operand, below))
            traits.size = std::min(traits.size + below.size, kLargestFormula + 1);
    });
    ++traits.depth;
    return traits;
}

std::optional<std::uint32_t> compute_traits(const Scene& scene, std::vector<FormulaTraits>& traits)
{
    enum class Mark : std::uint8_t { unseen, open, done };
    std::vector<Mark> marks(scene.formulas.size(), Mark::unseen);
    traits.assign(scene.formulas.size(), {});
    std::vector<std::uint32_t> stack;
    for (std::uint32_t root = 0; root < scene.formulas.size(); ++root) {
        if (marks[root] == Mark::unseen)
            stack.push_back(root);
        while (!stack.empty()) {
            const std::uint32_t i = stack.back();
            bool is_ready = true, is_cyclic = false;
            if (marks[i] != Mark::done) {
                marks[i] = Mark::open;
                for_each_operand(scene, scene.formulas[i], [&](Value operand) {
                    if (operand.is_constant() || marks[operand.formula] == Mark::done)
                        return;
                    is_cyclic = is_cyclic || marks[operand.formula] == Mark::open;
                    is_ready = false;
                    stack.push_back(operand.formula);
                });
            }
            if (is_cyclic)
                return i;
            if (!is_ready)
                continue;
            stack.pop_back();
            if (marks[i] == Mark::done)
                continue;
            marks[i] = Mark::done;
            traits[i] = make_traits(scene, scene.formulas[i], traits);
            if (traits[i].depth > kDeepestFormula || traits[i].size > kLargestFormula)
                return i;
        }
    }
    return std::nullopt;
}

bool is_known_in_advance(const Scene& scene, Value value)
{
    if (value.is_constant())
        return true;
    const Formula& formula = scene.formulas[value.formula];
    if (own_dependence(scene, formula) & ~(Dependence::kTime | Dependence::kAlong))
        return false;
    bool known = true;
    for_each_operand(scene, formula,
                     [&](Value operand) { known = known && is_known_in_advance(scene, operand); });
    return known;
}

Rates rates_at(const Scene& scene, Value value, double time, double along, Side side)
{
    const Jet2 jet = evaluate<Jet2>(scene, value, TimeLeaves{Jet2::variable(time), along, side});
    return {jet.value, jet.first, jet.second};
}

Rates rates_along(const Scene& scene, Value value, double time, double along, Side side)
{
    const Jet2 jet = evaluate<Jet2>(scene, value, TimeLeaves{time, Jet2::variable(along), side});
    return {jet.value, jet.first, jet.second};
}

namespace {

/// The keys of a track; of one that repeats those between start and end of the simulation.
void collect_keys_of(const Track& track, const Settings& settings, std::vector<double>& keys)
{
    constexpr double kMostRounds = 1e5;
    const double period = track.keys.back().at - track.keys.front().at;
    double offset = track.repeats ? round_offset(track, settings.start, Side::after) : 0;
    const double end = track.repeats ? settings.end : 0;
    for (double round = 0; round < kMostRounds; ++round) {
        for (std::size_t i = 0; i + track.repeats < track.keys.size(); ++i)
            keys.push_back(track.keys[i].at + offset);
        offset = period * (sinew::floor(offset / period + 0.5) + 1);
        if (!track.repeats || track.keys.front().at + offset > end)
            return;
    }
}

void collect_keys(const Scene& scene, Value value, bool along, std::vector<double>& keys)
{
    if (value.is_constant())
        return;
    const Formula& formula = scene.formulas[value.formula];
    if (formula.operation == Operation::track && scene.tracks[formula.index].along == along)
        collect_keys_of(scene.tracks[formula.index], scene.settings, keys);
    for_each_operand(scene, formula,
                     [&](Value operand) { collect_keys(scene, operand, along, keys); });
}

std::vector<double> sorted_keys(const Scene& scene, Value value, bool along)
{
    std::vector<double> keys;
    collect_keys(scene, value, along, keys);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

} // namespace

std::vector<double> key_times(const Scene& scene, Value value)
{
    return sorted_keys(scene, value, false);
}

std::vector<double> key_places(const Scene& scene, Value value)
{
    return sorted_keys(scene, value, true);
}

} // namespace sinew
