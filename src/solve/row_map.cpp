// The natural map of row laws.
//
//   in:  C = J W⁻¹ Jᵀ, velocities q without impulses, laws
//   out: F(y) and ∂F/∂y
//
// Everything is scaled first, y = s λ and u = w/s with s = √(C + Σ)ᵢᵢ, so that masses drop out and
// y² is an energy. A law is then y = P(y − u), P the projection on what the law allows, and
//
//     F(y) = y − P(y − u(y)),     u(y) = A y + b                              [notes: rows, eq. 4]
//
// is zero at the solutions [AlartCurnier91]. The disc of a contact has the radius μ (y_n − u_n)⁺,
// which at a solution is μ y_n.
//
//   symbol | code         | unit  | meaning
//   -------|--------------|-------|------------------------------------------
//   y, u   | y, u         | √J    | scaled impulse and velocity
//   A, b   | A, b         | -, √J | scaled C + Σ and q
//   s      | scale        | 1/√kg | of each row

#include "solve/row_map.h"

#include "base/contract.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr double kIdle = 1e-15;     // diagonal, against the largest: below, the row moves nothing
constexpr double kRounding = 1e-13; // of velocities

// ---------------------------------------------------------------- scaling

/// First row after `first` that does not share its disc: two tangents, then a twist alone.
Index end_of_disc(const std::vector<Law>& law, Index first, Index behind_normal)
{
    const bool has_two = behind_normal == 1 && first + 1 < Index(law.size()) &&
                         law[std::size_t(first) + 1] == Law::disc;
    return first + (has_two ? 2 : 1);
}

/// The two rows before a slide row are what it rubs by.
void add_rub(const RowProblem& problem, const std::vector<Index>& place, Index i,
             ScaledProblem& scaled)
{
    SINEW_EXPECTS(i >= 2);
    Rub rub{.row = place[std::size_t(i)]};
    for (std::size_t k = 0; k < 2; ++k) {
        rub.normal[k] = place[std::size_t(i) - 2 + k];
        if (rub.normal[k] >= 0)
            rub.friction[k] =
                problem.friction[i] * scaled.scale[rub.row] / scaled.scale[rub.normal[k]];
    }
    scaled.rubs.push_back(rub);
}

void add_discs(const RowProblem& problem, const std::vector<Index>& place, ScaledProblem& scaled)
{
    Index normal = -1;
    for (Index i = 0; i < problem.size();) {
        const Law law = problem.law[std::size_t(i)];
        SINEW_EXPECTS(law != Law::disc || normal >= 0);
        if (law == Law::slide && place[std::size_t(i)] >= 0)
            add_rub(problem, place, i, scaled);
        const Index end = law == Law::disc ? end_of_disc(problem.law, i, i - normal) : i + 1;
        if (law == Law::disc && place[std::size_t(i)] >= 0) {
            const Index n = place[std::size_t(normal)], t = place[std::size_t(i)];
            // A contact whose normal moves nothing has no friction either.
            const double ratio = n < 0 ? 0 : scaled.scale[t] / scaled.scale[n];
            scaled.discs.push_back({t, end - i, n < 0 ? t : n, problem.friction[i] * ratio});
        }
        if (law != Law::disc)
            normal = law == Law::push ? i : -1;
        i = end;
    }
}

/// √ of the diagonal; the tangents of a disc share the larger one.
VectorXd make_scales(const RowProblem& problem)
{
    VectorXd s = (problem.C.diagonal() + problem.compliance).cwiseMax(0).cwiseSqrt();
    for (Index i = 0, normal = -1; i < problem.size();) {
        const Law law = problem.law[std::size_t(i)];
        const Index end = law == Law::disc ? end_of_disc(problem.law, i, i - normal) : i + 1;
        s.segment(i, end - i).setConstant(s.segment(i, end - i).maxCoeff());
        if (law == Law::push)
            normal = i;
        i = end;
    }
    return s;
}

} // namespace

ScaledProblem make_scaled(const RowProblem& problem)
{
    const VectorXd s = make_scales(problem);
    const double least = std::sqrt(kIdle) * (s.size() ? s.maxCoeff() : 0);
    ScaledProblem scaled;
    std::vector<Index> place(std::size_t(problem.size()), -1);
    for (Index i = 0; i < problem.size(); ++i)
        if (s[i] > least) {
            place[std::size_t(i)] = Index(scaled.row.size());
            scaled.row.push_back(i);
            scaled.law.push_back(problem.law[std::size_t(i)]);
        }
    const VectorXd inverse = s(scaled.row).cwiseInverse();
    scaled.scale = s(scaled.row);
    scaled.A = problem.C(scaled.row, scaled.row);
    scaled.A.diagonal() += problem.compliance(scaled.row);
    scaled.A = inverse.asDiagonal() * scaled.A * inverse.asDiagonal();
    scaled.b = problem.q(scaled.row).cwiseProduct(inverse);
    scaled.lo = problem.lo(scaled.row).cwiseProduct(scaled.scale);
    scaled.hi = problem.hi(scaled.row).cwiseProduct(scaled.scale);
    add_discs(problem, place, scaled);
    return scaled;
}

// ---------------------------------------------------------------- the natural map

namespace {

/// F of a disc, and (with `piece.slope`) its slope. z = y − u.
void add_disc(const ScaledProblem& p, const Disc& disc, const VectorXd& y, const VectorXd& u,
              bool with_slope, Piece& piece)
{
    const auto range = Eigen::seqN(disc.first, disc.count);
    const VectorXd z = y(range) - u(range);
    const double push = std::max(0.0, y[disc.normal] - u[disc.normal]);
    const double radius = disc.friction * push, reach = z.norm();
    const bool is_bound = radius == 0 && reach > 0;
    std::fill_n(piece.bound.begin() + disc.first, disc.count, char(is_bound));
    if (is_bound) {
        piece.F(range) = y(range);
    } else if (reach <= radius) { // sticks
        piece.F(range) = u(range);
        if (with_slope)
            piece.slope.middleRows(disc.first, disc.count) = p.A.middleRows(disc.first, disc.count);
    } else { // slips, against z
        const VectorXd d = z / reach;
        piece.F(range) = y(range) - radius * d;
        if (!with_slope)
            return;
        const double share = radius / reach;
        const MatrixXd across =
            share * (MatrixXd::Identity(disc.count, disc.count) - d * d.transpose());
        auto slope = piece.slope.middleRows(disc.first, disc.count);
        slope = across * p.A.middleRows(disc.first, disc.count) +
                disc.friction * d * p.A.row(disc.normal);
        slope.middleCols(disc.first, disc.count) +=
            MatrixXd::Identity(disc.count, disc.count) - across;
        slope.col(disc.normal) -= disc.friction * d;
    }
}

/// F of a slide row: y within ± μ |y of its normals|.
void add_rub(const ScaledProblem& p, const Rub& rub, const VectorXd& y, const VectorXd& u,
             bool with_slope, Piece& piece)
{
    double square = 0;
    for (std::size_t k = 0; k < 2; ++k)
        if (rub.normal[k] >= 0) {
            const double press = rub.friction[k] * y[rub.normal[k]];
            square += press * press;
        }
    const double radius = std::sqrt(square), z = y[rub.row] - u[rub.row];
    const bool is_bound = radius == 0 && z != 0;
    piece.bound[std::size_t(rub.row)] = is_bound;
    if (is_bound) {
        piece.F[rub.row] = y[rub.row];
    } else if (std::abs(z) <= radius) { // sticks
        piece.F[rub.row] = u[rub.row];
        if (with_slope)
            piece.slope.row(rub.row) = p.A.row(rub.row);
    } else { // slips
        const double side = z > 0 ? 1 : -1;
        piece.F[rub.row] = y[rub.row] - side * radius;
        if (!with_slope)
            return;
        piece.slope.row(rub.row).setZero();
        piece.slope(rub.row, rub.row) = 1;
        for (std::size_t k = 0; k < 2; ++k)
            if (rub.normal[k] >= 0)
                piece.slope(rub.row, rub.normal[k]) -=
                    side * rub.friction[k] * rub.friction[k] * y[rub.normal[k]] / radius;
    }
}

} // namespace

void update_piece(const ScaledProblem& p, const VectorXd& y, bool with_slope, Piece& piece)
{
    const VectorXd u = p.A * y + p.b;
    piece.F.resize(p.size());
    piece.bound.assign(std::size_t(p.size()), 0);
    if (with_slope)
        piece.slope.resize(p.size(), p.size());
    for (Index i = 0; i < p.size(); ++i) {
        const Law law = p.law[std::size_t(i)];
        if (law == Law::disc || law == Law::slide)
            continue;
        const double z = y[i] - u[i];
        const double lo = law == Law::push ? 0 : p.lo[i], hi = p.hi[i];
        const bool is_below = law != Law::equal && z <= lo;
        const bool is_above = law == Law::box && z >= hi;
        piece.F[i] = is_below ? y[i] - lo : is_above ? y[i] - hi : u[i];
        piece.bound[std::size_t(i)] = is_below || is_above;
        if (with_slope && !is_below && !is_above)
            piece.slope.row(i) = p.A.row(i);
    }
    for (const Disc& disc : p.discs)
        add_disc(p, disc, y, u, with_slope, piece);
    for (const Rub& rub : p.rubs)
        add_rub(p, rub, y, u, with_slope, piece);
}

double residual_of(const ScaledProblem& p, const Piece& piece)
{
    return p.size() ? piece.F.cwiseProduct(p.scale).cwiseAbs().maxCoeff() : 0;
}

/// What rounding leaves of the residual at best.
double rounding_of(const ScaledProblem& p, const VectorXd& y)
{
    if (p.size() == 0)
        return 0;
    const VectorXd terms = p.A.cwiseAbs() * y.cwiseAbs() + p.b.cwiseAbs();
    return kRounding * terms.cwiseProduct(p.scale).maxCoeff();
}

} // namespace sinew
