#pragma once

// The system at an instant, ready for accelerations or velocities.

#include "models/linkage/paper/equations/kkt.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinew::charli_method {

/// The first entry that is no finite number.
std::optional<std::size_t> find_not_finite(std::span<const double> values);

struct Evaluator {
    Evaluator(System made, std::vector<ImportFunction> functions, const CharliOptions& chosen);

    std::size_t width() const { return system.width(); }

    /// Overwrites the knowns and the equations at an instant. At the start of a step, or behind a
    /// key, it is also chosen which distances are zero.
    void look_at(double t, Side side, double h, std::span<const double> state);

    /// Takes the instant looked at as typical, for all scales.
    void prepare();

    /// M x + Jᵀλ = forces, J x = right at the instant looked at.
    std::optional<Problem> solve(double noise, std::span<double> out);

    /// The rate of a state: velocities and accelerations. The rates of followers are updated.
    std::optional<Problem> find_slope(double t, Side side, double h, std::span<double> state,
                                      std::span<double> out);

    /// The largest violation in metres that an equation has, or would have `ahead` seconds later at
    /// its present rate, and its row.
    std::pair<double, std::uint32_t> worst_violation(double ahead) const;

    System system;
    std::vector<ImportFunction> imports;
    CharliOptions options;
    double extent = 0; ///< of the mechanism at its start [m]
    std::optional<Kkt> kkt = {};

    // Scratch, written before it is read.
    Instant instant = {};
    RowValues rows = {};
    std::vector<char> is_zero = {}; ///< of each distance
    std::vector<double> forces = {}, right = {};
};

} // namespace sinew::charli_method
