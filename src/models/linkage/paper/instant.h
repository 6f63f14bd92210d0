#pragma once

// One instant of the system: the known numbers with their derivatives, and the state.

#include "models/linkage/paper/equations/system.h"

#include "math/jet.h"
#include "sinew/world.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew::charli_method {

struct Instant {
    double time = 0;
    Side side = Side::after;
    double step = 0;                ///< of the integration [s]; 0: none
    std::span<const double> values; ///< of the unknowns, then of the followers
    std::span<const double> rates;
    std::vector<Jet2> knowns = {};
    std::vector<Jet2> imports = {};                              ///< those that drive places
    std::vector<double> coordinates = {}, coordinate_rates = {}; ///< of the script

    /// A number along the motion without acceleration.
    Jet2 jet(Factor factor) const
    {
        return factor.is_known ? knowns[factor.index]
                               : Jet2(values[factor.index], rates[factor.index]);
    }
    double value(Factor factor) const
    {
        return factor.is_known ? knowns[factor.index].value : values[factor.index];
    }
    Vec3 place(const Triple& p) const { return {value(p[0]), value(p[1]), value(p[2])}; }
    Vec3 velocity(const Triple& p) const
    {
        return {jet(p[0]).first, jet(p[1]).first, jet(p[2]).first};
    }
};

/// Overwrites the script's coordinates and their rates from the state.
void read_coordinates(const System& system, std::span<const double> values,
                      std::span<const double> rates, std::span<double> coordinates,
                      std::span<double> coordinate_rates);

/// Overwrites what follows from time, side and state: coordinates and knowns.
void update_instant(const System& system, std::span<const ImportFunction> imports,
                    Instant& instant);

/// An import that drives a place and depends on the state: asked in another state it says something
/// else.
std::optional<Problem> find_import_of_state(const System& system,
                                            std::span<const ImportFunction> imports,
                                            const Instant& instant);

/// The first known that is no finite number.
std::optional<Problem> find_not_finite(const System& system, const Instant& instant);

/// x after the transformations of a chain.
template <class S, class Number>
Vec3T<S> apply_chain(const Chain& chain, Vec3T<S> x, const Number& number);

/// The x that the chain takes to `y`.
template <class S, class Number>
Vec3T<S> undo_chain(const Chain& chain, Vec3T<S> y, const Number& number);

// ---------------------------------------------------------------- the rest is how

template <class S>
Vec3T<S> apply_move(TransformationKind kind, Vec3T<S> x, const S& a, const S& sine)
{
    const auto number = static_cast<int>(kind);
    if (kind == TransformationKind::scale)
        return x * a;
    if (kind <= TransformationKind::translate_z) {
        x[number] = x[number] + a;
    } else if (kind <= TransformationKind::rotate_z) {
        const int i = (number + 1) % 3, j = (number + 2) % 3;
        const S before = x[i];
        x[i] = a * before - sine * x[j];
        x[j] = sine * before + a * x[j];
    } else {
        const int axis = number - static_cast<int>(TransformationKind::scale_x);
        x[axis] = x[axis] * a;
    }
    return x;
}

template <class S, class Number>
Vec3T<S> apply_chain(const Chain& chain, Vec3T<S> x, const Number& number)
{
    for (const Move& move : chain)
        x = apply_move<S>(move.kind, x, number(move.amount), number(move.sine));
    return x;
}

template <class S, class Number>
Vec3T<S> undo_chain(const Chain& chain, Vec3T<S> y, const Number& number)
{
    for (auto move = chain.rbegin(); move != chain.rend(); ++move) {
        const S a = number(move->amount), sine = number(move->sine);
        if (move->kind <= TransformationKind::translate_z) {
            y = apply_move<S>(move->kind, y, -a, sine);
        } else if (move->kind <= TransformationKind::rotate_z) {
            const S square = a * a + sine * sine; // one, but for the drift of ξ² + η² = 1
            y = apply_move<S>(move->kind, y, a / square, -sine / square);
        } else {
            y = apply_move<S>(move->kind, y, S(1) / a, sine);
        }
    }
    return y;
}

} // namespace sinew::charli_method
