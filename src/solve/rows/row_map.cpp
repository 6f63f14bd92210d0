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

#include "solve/rows/row_map.h"

#include "base/contract.h"
#include "solve/linear/dense/dense_kernels.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Eigen::Index;

constexpr double kIdle = 1e-15;     // diagonal, against the largest: below, the row moves nothing
constexpr double kRounding = 1e-13; // of velocities
constexpr std::size_t kNone = std::size_t(-1);

// ---------------------------------------------------------------- scaling

/// First row after `first` that does not share its disc: two tangents, then a twist alone; two
/// rows of rolling resistance.
std::size_t end_of_disc(const std::vector<Law>& law, std::size_t first, std::size_t normal)
{
    const bool may_pair =
        law[first] == Law::roll || (law[first] == Law::disc && first == normal + 1);
    const bool has_two = may_pair && first + 1 < law.size() && law[first + 1] == law[first];
    return first + (has_two ? 2 : 1);
}

/// The two rows before a slide row are what it rubs by.
void add_rub(const RowProblem& problem, const std::vector<std::size_t>& place, std::size_t i,
             ScaledProblem& scaled)
{
    SINEW_EXPECTS(i >= 2);
    Rub rub{.row = place[i]};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t normal = place[i - 2 + k];
        if (normal == kNone)
            continue;
        rub.normal[k] = normal;
        rub.friction[k] = problem.friction[Index(i)] * scaled.scale[rub.row] / scaled.scale[normal];
    }
    scaled.rubs.push_back(rub);
}

void add_discs(const RowProblem& problem, const std::vector<std::size_t>& place,
               ScaledProblem& scaled)
{
    std::size_t normal = kNone;
    for (std::size_t i = 0; i < problem.law.size();) {
        const Law law = problem.law[i];
        SINEW_EXPECTS(!follows_push(law) || normal != kNone);
        if (law == Law::slide && place[i] != kNone)
            add_rub(problem, place, i, scaled);
        const std::size_t end = end_of_disc(problem.law, i, normal);
        if (follows_push(law) && place[i] != kNone) {
            const std::size_t n = place[normal], t = place[i];
            // A contact whose normal moves nothing has no friction either.
            const double ratio = n == kNone ? 0 : scaled.scale[t] / scaled.scale[n];
            scaled.discs.push_back(
                {t, end - i, n == kNone ? t : n, problem.friction[Index(i)] * ratio});
        }
        if (!follows_push(law))
            normal = law == Law::push ? i : kNone;
        i = end;
    }
}

/// √ of the diagonal; the tangents of a disc share the larger one.
void update_scales(const RowProblem& problem, std::vector<double>& scale)
{
    const std::size_t n = problem.law.size();
    scale.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        scale[i] =
            std::sqrt(std::max(0.0, problem.C(Index(i), Index(i)) + problem.compliance[Index(i)]));
    for (std::size_t i = 0, normal = kNone; i < n;) {
        const Law law = problem.law[i];
        const std::size_t end = end_of_disc(problem.law, i, normal);
        const auto first = scale.begin() + std::ptrdiff_t(i),
                   last = scale.begin() + std::ptrdiff_t(end);
        std::fill(first, last, *std::max_element(first, last));
        if (law == Law::push)
            normal = i;
        i = end;
    }
}

} // namespace

void update_scaled(const RowProblem& problem, std::span<const char> is_awake,
                   std::vector<std::size_t>& place, ScaledProblem& scaled)
{
    const std::size_t count = problem.law.size();
    update_scales(problem, scaled.scale);
    double largest = 0; // without compliance: a spring that gives moves nothing else less
    for (std::size_t i = 0; i < count; ++i)
        if (is_awake[i])
            largest = std::max(largest, problem.C(Index(i), Index(i)));
    const double least = std::sqrt(kIdle * largest);
    place.assign(count, kNone);
    scaled.row.clear();
    scaled.law.clear();
    scaled.discs.clear();
    scaled.rubs.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (is_awake[i] && scaled.scale[i] > least) {
            place[i] = scaled.row.size();
            scaled.scale[place[i]] = scaled.scale[i]; // at or before i
            scaled.row.push_back(std::uint32_t(i));
            scaled.law.push_back(problem.law[i]);
        }
    const std::size_t n = scaled.row.size();
    scaled.scale.resize(n);
    scaled.A.resize(n * n);
    for (std::vector<double>* list : {&scaled.b, &scaled.lo, &scaled.hi})
        list->resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Index row = scaled.row[i];
        const double s = scaled.scale[i], inverse = 1 / s;
        scaled.b[i] = problem.q[row] * inverse;
        scaled.lo[i] = problem.lo[row] * s;
        scaled.hi[i] = problem.hi[row] * s;
        const double* column = problem.C.data() + row * problem.C.rows();
        double* to = scaled.A.data() + i * n;
        for (std::size_t j = 0; j < n; ++j)
            to[j] = column[scaled.row[j]] * inverse * (1 / scaled.scale[j]);
        to[i] += problem.compliance[row] * inverse * inverse;
    }
    add_discs(problem, place, scaled);
}

// ---------------------------------------------------------------- the natural map

/// u = A y + b.
SINEW_CLONES void multiply_rows(const double* A, std::size_t n, const double* y, const double* b,
                                double* u)
{
    for (std::size_t i = 0; i < n; ++i)
        u[i] = dot_product(A + i * n, y, n) + b[i];
}

/// The largest of (|A| |y| + |b|) scale.
SINEW_CLONES double largest_terms(const double* A, std::size_t n, const double* y, const double* b,
                                  const double* scale)
{
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double part[8] = {};
        for (std::size_t j = 0; j < n; ++j)
            part[j % 8] += std::abs(A[i * n + j] * y[j]);
        double sum = std::abs(b[i]);
        for (const double p : part)
            sum += p;
        largest = std::max(largest, sum * scale[i]);
    }
    return largest;
}

namespace {

void copy_row(const ScaledProblem& p, std::size_t i, Piece& piece)
{
    std::copy_n(p.row_of(i), p.size(), piece.slope.data() + i * p.size());
}

/// The slope of the rows of a disc that slips along d, |d| = 1.
void add_slip(const ScaledProblem& p, const Disc& disc, const std::array<double, 2>& d,
              double share, Piece& piece)
{
    const std::size_t n = p.size();
    for (std::size_t k = 0; k < disc.count; ++k) {
        double* slope = piece.slope.data() + (disc.first + k) * n;
        const double rub = disc.friction * d[k];
        std::fill_n(slope, n, 0.0);
        for (std::size_t m = 0; m < disc.count; ++m) {
            const double across = share * ((k == m) - d[k] * d[m]);
            const double* from = p.row_of(disc.first + m);
            for (std::size_t j = 0; j < n; ++j)
                slope[j] += across * from[j];
            slope[disc.first + m] += (k == m) - across;
        }
        const double* normal = p.row_of(disc.normal);
        for (std::size_t j = 0; j < n; ++j)
            slope[j] += rub * normal[j];
        slope[disc.normal] -= rub;
    }
}

/// F of a disc, and (with `piece.slope`) its slope. z = y − u.
void add_disc(const ScaledProblem& p, const Disc& disc, std::span<const double> y, bool with_slope,
              Piece& piece)
{
    const std::vector<double>& u = piece.u;
    std::array<double, 2> z = {};
    double square = 0;
    for (std::size_t k = 0; k < disc.count; ++k) {
        z[k] = y[disc.first + k] - u[disc.first + k];
        square += z[k] * z[k];
    }
    const double push = std::max(0.0, y[disc.normal] - u[disc.normal]);
    const double radius = disc.friction * push, reach = std::sqrt(square);
    const bool is_bound = radius == 0 && reach > 0, sticks = !is_bound && reach <= radius;
    for (std::size_t k = 0; k < disc.count; ++k) {
        const std::size_t i = disc.first + k;
        z[k] /= reach > 0 ? reach : 1;
        piece.bound[i] = is_bound;
        piece.F[i] = is_bound ? y[i] : sticks ? u[i] : y[i] - radius * z[k];
        if (with_slope && sticks)
            copy_row(p, i, piece);
    }
    if (with_slope && !is_bound && !sticks) // slips, against z
        add_slip(p, disc, z, radius / reach, piece);
}

/// F of a slide row: y within ± μ |y of its normals|.
void add_rub(const ScaledProblem& p, const Rub& rub, std::span<const double> y, bool with_slope,
             Piece& piece)
{
    double square = 0;
    for (std::size_t k = 0; k < 2; ++k)
        if (rub.normal[k] != Rub::kIdle) {
            const double press = rub.friction[k] * y[rub.normal[k]];
            square += press * press;
        }
    const double radius = std::sqrt(square), z = y[rub.row] - piece.u[rub.row];
    const bool is_bound = radius == 0 && z != 0;
    piece.bound[rub.row] = is_bound;
    if (is_bound) {
        piece.F[rub.row] = y[rub.row];
    } else if (std::abs(z) <= radius) { // sticks
        piece.F[rub.row] = piece.u[rub.row];
        if (with_slope)
            copy_row(p, rub.row, piece);
    } else { // slips
        const double side = z > 0 ? 1 : -1;
        piece.F[rub.row] = y[rub.row] - side * radius;
        if (!with_slope)
            return;
        double* slope = piece.slope.data() + rub.row * p.size();
        std::fill_n(slope, p.size(), 0.0);
        slope[rub.row] = 1;
        for (std::size_t k = 0; k < 2; ++k)
            if (rub.normal[k] != Rub::kIdle)
                slope[rub.normal[k]] -=
                    side * rub.friction[k] * rub.friction[k] * y[rub.normal[k]] / radius;
    }
}

} // namespace

void update_piece(const ScaledProblem& p, std::span<const double> y, bool with_slope, Piece& piece)
{
    const std::size_t n = p.size();
    piece.u.resize(n);
    piece.F.resize(n);
    piece.bound.assign(n, 0);
    if (with_slope)
        piece.slope.resize(n * n);
    multiply_rows(p.A.data(), n, y.data(), p.b.data(), piece.u.data());
    for (std::size_t i = 0; i < n; ++i) {
        const Law law = p.law[i];
        if (follows_push(law) || law == Law::slide)
            continue;
        const double u = piece.u[i], z = y[i] - u;
        const double lo = law == Law::push ? 0 : p.lo[i], hi = p.hi[i];
        const bool is_below = law != Law::equal && z <= lo;
        const bool is_above = law == Law::box && z >= hi;
        piece.F[i] = is_below ? y[i] - lo : is_above ? y[i] - hi : u;
        piece.bound[i] = is_below || is_above;
        if (with_slope && !is_below && !is_above)
            copy_row(p, i, piece);
    }
    for (const Disc& disc : p.discs)
        add_disc(p, disc, y, with_slope, piece);
    for (const Rub& rub : p.rubs)
        add_rub(p, rub, y, with_slope, piece);
}

double residual_of(const ScaledProblem& p, const Piece& piece)
{
    double largest = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (const double size = std::abs(piece.F[i] * p.scale[i]); !(size <= largest))
            largest = std::isnan(largest) ? largest : size;
    return largest;
}

double rounding_of(const ScaledProblem& p, std::span<const double> y)
{
    return kRounding * largest_terms(p.A.data(), p.size(), y.data(), p.b.data(), p.scale.data());
}

} // namespace sinew
