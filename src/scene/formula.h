#pragma once

#include "math/easing.h"
#include "math/functions.h"
#include "math/jet.h"
#include "sinew/scene.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

/// What a formula depends on; several may be combined.
struct Dependence {
    static constexpr std::uint8_t kTime = 1;
    static constexpr std::uint8_t kAlong = 2;
    static constexpr std::uint8_t kCoordinate = 4;
    static constexpr std::uint8_t kPosition = 8;
    static constexpr std::uint8_t kImport = 16;
    static constexpr std::uint8_t kHere = 32;     ///< the place that a field acts at
    static constexpr std::uint8_t kRate = 64;     ///< how fast a coordinate changes
    static constexpr std::uint8_t kContact = 128; ///< how strongly things touch
};

/// What a leaf `contact` tells, by its operand `a`: the normal forces between two objects, a
/// component of the constraint forces on one or of one constraint, energies of the whole scene,
/// what a rod carries at a point of it or, of a whole rod, at most, how strongly a constraint pulls
/// its ends together, by how much it is violated.
enum class Measure : std::uint8_t {
    contact,
    constraint,
    kinetic,
    potential,
    tension,
    bending,
    twist,
    error
};

/// The lists of a Scene that constraints are in, once they are sorted.
enum class ConstraintList : std::uint8_t { none, distance, path, spring, joint, strand, rod };
constexpr std::size_t kConstraintLists = 7;

/// Where a constraint is.
struct ConstraintPlace {
    ConstraintList list = ConstraintList::none;
    std::uint32_t index = 0;

    bool operator==(const ConstraintPlace&) const = default;
};

/// The constraint that a leaf `contact` asks for is its operand `b`; `index` is the object that
/// stands for its name.
inline Value operand_of(ConstraintPlace place)
{
    return {static_cast<double>(place.index * kConstraintLists) + static_cast<double>(place.list)};
}
inline ConstraintPlace constraint_of(const Formula& leaf)
{
    const auto code = static_cast<std::uint64_t>(leaf.b.number);
    return {static_cast<ConstraintList>(code % kConstraintLists),
            static_cast<std::uint32_t>(code / kConstraintLists)};
}

inline bool is_of_section(Measure what)
{
    return what == Measure::tension || what == Measure::bending || what == Measure::twist;
}

inline Measure measure_of(const Formula& leaf)
{
    return static_cast<Measure>(static_cast<int>(leaf.a.number));
}

/// The rate of change of a whole value, not of one coordinate.
inline bool is_rate_of_value(const Formula& formula)
{
    return formula.operation == Operation::rate && !formula.a.is_constant();
}

/// What is worth knowing of a formula before it is evaluated.
struct FormulaTraits {
    std::uint8_t dependence = 0;
    std::uint32_t depth = 0; ///< of the tree of formulas below it
    std::uint32_t size = 0;  ///< nodes visited by evaluating it
};

/// Longest chain and largest tree that may be evaluated: it is done by recursion, in every step.
constexpr std::uint32_t kDeepestFormula = 500;
constexpr std::uint32_t kLargestFormula = 5000;

/// Traits of one formula from those of the formulas it uses.
FormulaTraits make_traits(const Scene& scene, const Formula& formula,
                          const std::vector<FormulaTraits>& known);

/// Traits of all formulas, in any order of use; or the number of one that leads back to itself or
/// is too deep or too large.
std::optional<std::uint32_t> compute_traits(const Scene& scene, std::vector<FormulaTraits>& traits);

/// Calls use(formula) for every leaf a value is made of.
template <class Use>
void for_each_leaf(const Scene& scene, Value value, Use&& use)
{
    if (value.is_constant())
        return;
    const Formula& formula = scene.formulas[value.formula];
    switch (formula.operation) {
    case Operation::time:
    case Operation::coordinate:
    case Operation::imported:
    case Operation::position:
    case Operation::contact:
    case Operation::here: use(formula); return;
    case Operation::rate: // and what the value is made of that changes
        use(formula);
        for_each_leaf(scene, formula.a, use);
        return;
    case Operation::track:
        use(formula);
        for (const Key& key : scene.tracks[formula.index].keys)
            for_each_leaf(scene, key.value, use);
        return;
    default: for_each_leaf(scene, formula.a, use); for_each_leaf(scene, formula.b, use);
    }
}

/// a ∘ b, or f(a). Requires an operation that is not a leaf.
template <class S>
S apply_operation(Operation operation, const S& a, const S& b)
{
    switch (operation) {
    case Operation::negate: return -a;
    case Operation::sine: return sin(a);
    case Operation::cosine: return cos(a);
    case Operation::tangent: return tan(a);
    case Operation::arcsine: return asin(a);
    case Operation::arccosine: return acos(a);
    case Operation::arctangent: return atan(a);
    case Operation::square_root: return sqrt(a);
    case Operation::exponential: return exp(a);
    case Operation::logarithm: return log(a);
    case Operation::absolute: return abs(a);
    case Operation::round_down: return floor(a);
    case Operation::round_up: return ceil(a);
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::arctangent2: return atan2(a, b);
    case Operation::power: return pow(a, b);
    case Operation::minimum: return min(a, b);
    case Operation::maximum: return max(a, b);
    case Operation::remainder: return a - b * floor(a / b);
    case Operation::less: return S(value_of(a) < value_of(b) ? 1 : 0);
    default: return a;
    }
}

/// Evaluates a value. `Leaves` offers time(), along(), side(), coordinate(i), imported(i) and
/// position(formula), all as S: numbers, or jets for derivatives; here(formula) where fields act,
/// rate(i) and rate_of(value) where forces are evaluated, contact(formula) where conditions are.
template <class S, class Leaves>
S evaluate(const Scene& scene, Value value, const Leaves& leaves);

/// How much later the keys of a track come in the round that a time falls into: multiples of the
/// time from the first key to the last, 0 for tracks that do not repeat.
double round_offset(const Track& track, double time, Side side);

/// The value of a track: a + (b − a) e(s) between two keys, s the fraction of the way.
template <class S, class Leaves>
S evaluate_track(const Scene& scene, const Track& track, const Leaves& leaves)
{
    const S place = track.along ? leaves.along() : leaves.time();
    const double at = value_of(place);
    const double offset = track.repeats ? round_offset(track, at, leaves.side()) : 0;
    const auto is_behind = [&](const Key& key) {
        return leaves.side() == Side::after ? key.at + offset <= at : key.at + offset < at;
    };
    // The last key of a round is the first of the next, and never behind.
    const auto next =
        std::find_if_not(track.keys.begin(), track.keys.end() - track.repeats, is_behind);
    if (next == track.keys.begin())
        return evaluate<S>(scene, track.keys.front().value, leaves);
    const Key& from = *(next - 1);
    if (next == track.keys.end() || next->easing == Easing::hold)
        return evaluate<S>(scene, from.value, leaves);
    const S s = (place - S(from.at + offset)) / S(next->at - from.at);
    const S a = evaluate<S>(scene, from.value, leaves);
    const S b = evaluate<S>(scene, next->value, leaves);
    return a + (b - a) * ease(next->easing, s);
}

template <class S, class Leaves>
S evaluate(const Scene& scene, Value value, const Leaves& leaves)
{
    if (value.is_constant())
        return S(value.number);
    const Formula& formula = scene.formulas[value.formula];
    switch (formula.operation) {
    case Operation::time: return leaves.time();
    case Operation::coordinate: return leaves.coordinate(formula.index);
    case Operation::imported: return leaves.imported(formula.index);
    case Operation::position: return leaves.position(formula);
    case Operation::here:
        if constexpr (requires { leaves.here(formula); })
            return leaves.here(formula);
        else
            return S(0);
    case Operation::rate:
        if (is_rate_of_value(formula)) {
            if constexpr (requires { leaves.rate_of(formula.a); })
                return leaves.rate_of(formula.a);
            else
                return S(0);
        }
        if constexpr (requires { leaves.rate(formula.index); })
            return leaves.rate(formula.index);
        else
            return S(0);
    case Operation::contact:
        if constexpr (requires { leaves.contact(formula); })
            return leaves.contact(formula);
        else
            return S(0);
    case Operation::track: return evaluate_track<S>(scene, scene.tracks[formula.index], leaves);
    case Operation::choose: {
        const Formula& either = scene.formulas[formula.b.formula];
        const bool is_first = value_of(evaluate<S>(scene, formula.a, leaves)) > 0.5;
        return evaluate<S>(scene, is_first ? either.a : either.b, leaves);
    }
    default: {
        const S a = evaluate<S>(scene, formula.a, leaves);
        const S b = evaluate<S>(scene, formula.b, leaves);
        return apply_operation(formula.operation, a, b);
    }
    }
}

} // namespace sinew
