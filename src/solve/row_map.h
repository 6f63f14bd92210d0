#pragma once

/// The laws of rows as one equation F(y) = 0: scaling, the natural map, its slopes.

#include "solve/row_newton.h"

#include <array>

namespace sinew {

/// The two tangents, or the twist, of one contact.
struct Disc {
    Eigen::Index first = 0, count = 0, normal = 0;
    double friction = 0; ///< between scaled impulses
};

/// Friction of what slides along a curve: bounded by what the two rows before it press.
struct Rub {
    Eigen::Index row = 0;
    std::array<Eigen::Index, 2> normal = {}; ///< −1: moves nothing
    std::array<double, 2> friction = {};     ///< between scaled impulses
};

/// A RowProblem in y = s λ, without the rows that move nothing. s² is the diagonal of C + Σ, so
/// that the matrix has a unit diagonal (the tangents of a disc share the larger s).
struct ScaledProblem {
    Eigen::MatrixXd A;
    Eigen::VectorXd b, scale, lo, hi;
    std::vector<Law> law;
    std::vector<Disc> discs;
    std::vector<Rub> rubs;
    std::vector<Eigen::Index> row; ///< of the problem it came from

    Eigen::Index size() const { return b.size(); }
};

/// The natural map at one place, and the smooth piece that place is on.
struct Piece {
    Eigen::VectorXd F;
    Eigen::MatrixXd slope;   ///< ∂F/∂y of the rows that are not bound
    std::vector<char> bound; ///< F = y − constant
};

ScaledProblem make_scaled(const RowProblem& problem);

/// F at y, and the slopes when asked for.
void update_piece(const ScaledProblem& p, const Eigen::VectorXd& y, bool with_slope, Piece& piece);

/// Largest |F| as a velocity [m/s].
double residual_of(const ScaledProblem& p, const Piece& piece);

/// What rounding leaves of the residual at best [m/s].
double rounding_of(const ScaledProblem& p, const Eigen::VectorXd& y);

} // namespace sinew
