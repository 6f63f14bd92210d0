#pragma once

/// The laws of rows as one equation F(y) = 0: scaling, the natural map, its slopes.

#include "solve/rows/row_newton.h"

#include <array>

namespace sinew {

/// The two tangents, or the twist, of one contact.
struct Disc {
    std::size_t first = 0, count = 0, normal = 0;
    double friction = 0; ///< between scaled impulses
};

/// Friction of what slides along a curve: bounded by what the two rows before it press.
struct Rub {
    static constexpr std::size_t kIdle = std::size_t(-1); ///< moves nothing

    std::size_t row = 0;
    std::array<std::size_t, 2> normal = {kIdle, kIdle};
    std::array<double, 2> friction = {}; ///< between scaled impulses
};

/// A RowProblem in y = s λ, without the rows that move nothing. s² is the diagonal of C + Σ, so
/// that the matrix has a unit diagonal (the tangents of a disc share the larger s).
struct ScaledProblem {
    std::vector<double> A; ///< by rows, symmetric
    std::vector<double> b, scale, lo, hi;
    std::vector<Law> law;
    std::vector<Disc> discs;
    std::vector<Rub> rubs;
    std::vector<std::uint32_t> row; ///< of the problem it came from

    std::size_t size() const { return b.size(); }
    const double* row_of(std::size_t i) const { return A.data() + i * size(); }
};

/// The natural map at one place, and the smooth piece that place is on.
struct Piece {
    std::vector<double> F;
    std::vector<double> slope; ///< ∂F/∂y of the rows that are not bound, by rows
    std::vector<char> bound;   ///< F = y − constant
    std::vector<double> u;     ///< room
};

/// The rows of a problem that are awake, contacts as a whole. `place` is room.
void update_scaled(const RowProblem& problem, std::span<const char> is_awake,
                   std::vector<std::size_t>& place, ScaledProblem& scaled);

/// F at y, and the slopes when asked for.
void update_piece(const ScaledProblem& p, std::span<const double> y, bool with_slope, Piece& piece);

/// Largest |F| as a velocity [m/s].
double residual_of(const ScaledProblem& p, const Piece& piece);

/// What rounding leaves of the residual at best [m/s].
double rounding_of(const ScaledProblem& p, std::span<const double> y);

} // namespace sinew
