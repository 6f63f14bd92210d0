// Node by node from both ends: the four pivots of a node, then the nodes they reach. A node's four
// columns have sixteen rows each, those of the four nodes from it on, so that vectors of four never
// straddle what another wrote.

#include "solve/linear/band/chain_ldl.h"

#include "base/contract.h"
#include "math/wide.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kColumn = ChainLdl::kColumn, kNode = ChainLdl::kNode;
constexpr std::size_t kLane = 8; // right sides at a time

SINEW_IN_CLONES void take(double* from, const Four& v) { put(four(from) - v, from); }

/// 1/d of a pivot, made positive where it is not.
SINEW_IN_CLONES double inverse_of(double d, bool& is_positive)
{
    if (!(d > 0)) {
        is_positive = false;
        d = std::max(std::abs(d), 1e-300);
    }
    return 1 / d;
}

/// The columns of the node K behind one, less what its four pivots explain of them: u = L D.
template <std::size_t K>
SINEW_IN_CLONES void update_node(double* A, const Four (&u)[4][3])
{
    double* to = A + K * kNode;
    for (std::size_t j = 0; j < 4; ++j, to += kColumn) {
        const double *l = A + 4 * K + j, a = l[0], b = l[kColumn], c = l[2 * kColumn],
                     d = l[3 * kColumn];
        for (std::size_t m = K - 1; m < 3; ++m)
            take(to + 4 * (m + 1 - K), (a * u[0][m] + b * u[1][m]) + (c * u[2][m] + d * u[3][m]));
    }
}

/// A node's columns become L and 1/D; the nodes it reaches are updated.
SINEW_IN_CLONES bool eliminate_node(double* A)
{
    double *a = A, *b = a + kColumn, *c = b + kColumn, *d = c + kColumn;
    bool is_positive = true;
    const double p = inverse_of(a[0], is_positive);
    const double l10 = a[1] * p, l20 = a[2] * p, l30 = a[3] * p;
    const double q = inverse_of(b[1] - l10 * a[1], is_positive);
    const double u21 = b[2] - l20 * a[1], u31 = b[3] - l30 * a[1];
    const double l21 = u21 * q, l31 = u31 * q;
    const double r = inverse_of((c[2] - l20 * a[2]) - l21 * u21, is_positive);
    const double u32 = (c[3] - l30 * a[2]) - l31 * u21, l32 = u32 * r;
    const double s = inverse_of(((d[3] - l30 * a[3]) - l31 * u31) - l32 * u32, is_positive);
    Four u[4][3];
    for (std::size_t m = 0; m < 3; ++m) {
        const std::size_t row = 4 + 4 * m;
        u[0][m] = four(a + row);
        u[1][m] = four(b + row) - l10 * u[0][m];
        u[2][m] = (four(c + row) - l20 * u[0][m]) - l21 * u[1][m];
        u[3][m] = ((four(d + row) - l30 * u[0][m]) - l31 * u[1][m]) - l32 * u[2][m];
        put(u[0][m] * p, a + row);
        put(u[1][m] * q, b + row);
        put(u[2][m] * r, c + row);
        put(u[3][m] * s, d + row);
    }
    a[0] = p, a[1] = l10, a[2] = l20, a[3] = l30;
    b[1] = q, b[2] = l21, b[3] = l31;
    c[2] = r, c[3] = l32;
    d[3] = s;
    update_node<1>(A, u);
    update_node<2>(A, u);
    update_node<3>(A, u);
    return is_positive;
}

/// Four numbers of a node, then those of the three behind it; Way: 1 onwards, −1 back.
template <int Way>
SINEW_IN_CLONES void forward_node(const double* L, double* x)
{
    const double *a = L, *b = a + kColumn, *c = b + kColumn, *d = c + kColumn;
    const double p = x[0];
    const double q = x[1] -= a[1] * p;
    const double r = x[2] = (x[2] - a[2] * p) - b[2] * q;
    const double s = x[3] = ((x[3] - a[3] * p) - b[3] * q) - c[3] * r;
    for (int k = 1; k <= 3; ++k)
        take(x + 4 * Way * k, (four(a + 4 * k) * p + four(b + 4 * k) * q) +
                                  (four(c + 4 * k) * r + four(d + 4 * k) * s));
}

SINEW_IN_CLONES double sum_of(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }

template <int Way>
SINEW_IN_CLONES void backward_node(const double* L, double* x)
{
    const double *a = L, *b = a + kColumn, *c = b + kColumn, *d = c + kColumn;
    const Four y = four(x + 4 * Way), z = four(x + 8 * Way), w = four(x + 12 * Way);
    const auto below = [&](const double* l) -> double {
        const Four sum = (four(l + 4) * y + four(l + 8) * z) + four(l + 12) * w;
        return sum_of(sum);
    };
    const double s = x[3] = x[3] * d[3] - below(d);
    const double r = x[2] = (x[2] * c[2] - below(c)) - c[3] * s;
    const double q = x[1] = ((x[1] * b[1] - below(b)) - b[3] * s) - b[2] * r;
    x[0] = (((x[0] * a[0] - below(a)) - a[3] * s) - a[2] * r) - a[1] * q;
}

/// The middle: three nodes with nothing behind them.
SINEW_IN_CLONES void forward_middle(const double* L, double* x)
{
    for (std::size_t i = 0; i < 12; ++i) {
        const double* column = L + (i / 4) * kNode + (i % 4) * kColumn;
        for (std::size_t j = i + 1; j < 12; ++j)
            x[j] -= column[j - i / 4 * 4] * x[i];
    }
}

SINEW_IN_CLONES void backward_middle(const double* L, double* x)
{
    for (std::size_t i = 12; i-- > 0;) {
        const double* column = L + (i / 4) * kNode + (i % 4) * kColumn;
        x[i] *= column[i % 4];
        for (std::size_t j = i + 1; j < 12; ++j)
            x[i] -= column[j - i / 4 * 4] * x[j];
    }
}

/// Four rows of `own` right sides, then the twelve behind them, then scaled by √(1/D).
SINEW_IN_CLONES void half_solve_node(const double* L, double* rows, std::ptrdiff_t node,
                                     std::size_t width, std::size_t own, std::size_t behind)
{
    const double *a = L, *b = a + kColumn, *c = b + kColumn, *d = c + kColumn;
    const double scale[4] = {std::sqrt(a[0]), std::sqrt(b[1]), std::sqrt(c[2]), std::sqrt(d[3])};
    for (std::size_t i = 0; i < own; i += kLane) {
        double* at = rows + i;
        const Eight p = eight(at);
        const Eight q = eight(at + width) - a[1] * p;
        const Eight r = (eight(at + 2 * width) - a[2] * p) - b[2] * q;
        const Eight s = ((eight(at + 3 * width) - a[3] * p) - b[3] * q) - c[3] * r;
        for (std::size_t k = 1; k <= behind; ++k) {
            double* to = at + std::ptrdiff_t(k) * node;
            for (std::size_t j = 4 * k; j < 4 * k + 4; ++j, to += width)
                put(eight(to) - ((a[j] * p + b[j] * q) + (c[j] * r + d[j] * s)), to);
        }
        put(p * scale[0], at);
        put(q * scale[1], at + width);
        put(r * scale[2], at + 2 * width);
        put(s * scale[3], at + 3 * width);
    }
}

/// Four rows of C from `i` on, eight columns from `j` on: the products of rows `first` to `end`.
SINEW_IN_CLONES void square_tile(const double* Z, std::size_t width, std::size_t first,
                                 std::size_t end, std::size_t i, std::size_t j, double* C)
{
    Eight p = eight(C + i * width + j), q = eight(C + (i + 1) * width + j),
          r = eight(C + (i + 2) * width + j), s = eight(C + (i + 3) * width + j);
    for (std::size_t k = first; k < end; ++k) {
        const double* z = Z + k * width;
        const Eight own = eight(z + j);
        p += z[i] * own;
        q += z[i + 1] * own;
        r += z[i + 2] * own;
        s += z[i + 3] * own;
    }
    put(p, C + i * width + j);
    put(q, C + (i + 1) * width + j);
    put(r, C + (i + 2) * width + j);
    put(s, C + (i + 3) * width + j);
}

} // namespace

SINEW_CLONES bool factor_chains(double* left, std::size_t own_left, double* right,
                                std::size_t own_right)
{
    bool is_positive = true;
    const std::size_t both = std::min(own_left, own_right);
    for (std::size_t i = 0; i < both; ++i) {
        const bool one = eliminate_node(left + i * kNode), two = eliminate_node(right + i * kNode);
        is_positive &= one & two;
    }
    for (std::size_t i = both; i < own_left; ++i)
        is_positive &= eliminate_node(left + i * kNode);
    for (std::size_t i = both; i < own_right; ++i)
        is_positive &= eliminate_node(right + i * kNode);
    double* middle = left + own_left * kNode;
    const double* other = right + own_right * kNode;
    for (std::size_t q = 0; q < 3; ++q) // the other end saw the middle turned round
        for (std::size_t p = q; p < 3; ++p)
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t r = 0; r < 4; ++r) {
                    const double* block = other + (2 - p) * kNode + 4 * (p - q);
                    middle[q * kNode + c * kColumn + 4 * (p - q) + r] +=
                        p == q ? block[std::min(r, c) * kColumn + std::max(r, c)]
                               : block[r * kColumn + c];
                }
    for (std::size_t q = 0; q < 3; ++q)
        is_positive &= eliminate_node(middle + q * kNode);
    return is_positive;
}

SINEW_CLONES void solve_chains(const double* left, std::size_t own_left, const double* right,
                               std::size_t own_right, double* x)
{
    double* last = x + 4 * (own_left + own_right + 2);
    const std::size_t both = std::min(own_left, own_right);
    for (std::size_t i = 0; i < both; ++i) {
        forward_node<1>(left + i * kNode, x + 4 * i);
        forward_node<-1>(right + i * kNode, last - 4 * i);
    }
    for (std::size_t i = both; i < own_left; ++i)
        forward_node<1>(left + i * kNode, x + 4 * i);
    for (std::size_t i = both; i < own_right; ++i)
        forward_node<-1>(right + i * kNode, last - 4 * i);
    forward_middle(left + own_left * kNode, x + 4 * own_left);
    backward_middle(left + own_left * kNode, x + 4 * own_left);
    for (std::size_t i = own_left; i-- > both;)
        backward_node<1>(left + i * kNode, x + 4 * i);
    for (std::size_t i = own_right; i-- > both;)
        backward_node<-1>(right + i * kNode, last - 4 * i);
    for (std::size_t i = both; i-- > 0;) {
        backward_node<1>(left + i * kNode, x + 4 * i);
        backward_node<-1>(right + i * kNode, last - 4 * i);
    }
}

/// `active`: of a node's end, rounded up to lanes. The columns of the right end begin with
/// `first_right`.
SINEW_CLONES void half_solve_chains(const double* left, std::size_t own_left, const double* right,
                                    std::size_t own_right, double* Z, std::size_t width,
                                    std::size_t first_right, const std::uint32_t* active)
{
    const std::size_t all = own_left + own_right + 3;
    const std::ptrdiff_t node = std::ptrdiff_t(4 * width);
    for (std::size_t i = 0; i < own_left; ++i)
        half_solve_node(left + i * kNode, Z + std::ptrdiff_t(i) * node, node, width, active[i], 3);
    for (std::size_t i = 0; i < own_right; ++i)
        half_solve_node(right + i * kNode,
                        Z + std::ptrdiff_t(all - 1 - i) * node + std::ptrdiff_t(first_right), -node,
                        width, active[all - 1 - i], 3);
    for (std::size_t i = own_left; i < own_left + 3; ++i)
        half_solve_node(left + i * kNode, Z + std::ptrdiff_t(i) * node, node, width, width,
                        own_left + 2 - i);
}

/// C ← Zᵀ Z, its lower half in tiles: each end with itself, all with all in the middle.
SINEW_CLONES void square_chains(const double* Z, std::size_t own_left, std::size_t own_right,
                                std::size_t width, std::size_t first_right,
                                const std::uint32_t* active, double* C)
{
    const std::size_t middle = 4 * own_left, end = middle + 12, all = end + 4 * own_right;
    for (std::size_t i = 0; i < width; i += 4)
        for (std::size_t j = 0; j < i + 4; j += kLane) {
            const bool is_left = i < first_right;
            std::size_t first = middle, last = end;
            if (is_left) {
                for (std::size_t k = own_left; k-- > 0 && active[k] > i;)
                    first = 4 * k;
            } else if (j >= first_right) {
                for (std::size_t k = own_left + 3; 4 * k < all && active[k] > i - first_right; ++k)
                    last = 4 * k + 4;
            }
            square_tile(Z, width, first, last, i, j, C);
        }
}

ChainLdl::ChainLdl(std::size_t nodes)
    : nodes_(nodes), own_left_(nodes > kReach ? (nodes - kReach) / 2 : 0),
      own_right_(nodes > kReach ? nodes - kReach - own_left_ : 0),
      entries_((own_left_ + own_right_ + 4 * kReach) * kNode / 8)
{
    clear();
}

void ChainLdl::clear()
{
    std::ranges::fill(entries_, Line{});
    for (std::size_t i = nodes_; i < kReach; ++i) // there is always a middle
        for (std::size_t c = 0; c < kNumbers; ++c)
            left()[i * kNode + c * (kColumn + 1)] = 1;
}

void ChainLdl::set_scaled(const ChainLdl& other, double factor)
{
    SINEW_EXPECTS(other.nodes_ == nodes_);
    const double* from = other.left();
    double* to = left();
    for (std::size_t i = 0; i < 8 * entries_.size(); ++i)
        to[i] = factor * from[i];
}

ChainLdl::Group ChainLdl::group(std::size_t first, std::size_t count)
{
    if (first < own_left_)
        return {left() + first * kNode, false};
    return {right() + turned(first + count - 1) * kNode, true};
}

double ChainLdl::entry(std::size_t i, std::size_t k, std::size_t r, std::size_t c) const
{
    double sum = 0;
    const auto at = [](const double* node, std::size_t behind, std::size_t row,
                       std::size_t column) {
        const bool is_above = behind == 0 && row < column;
        return node[(is_above ? row : column) * kColumn + 4 * behind + (is_above ? column : row)];
    };
    if (i + k < own_left_ + kReach)
        sum += at(left() + i * kNode, k, r, c);
    if (i >= own_left_)
        sum += at(right() + turned(i + k) * kNode, k, c, r);
    return sum;
}

bool ChainLdl::factor() { return factor_chains(left(), own_left_, right(), own_right_); }

void ChainLdl::solve(std::span<double> x) const
{
    if (nodes_ >= kReach)
        return solve_chains(left(), own_left_, right(), own_right_, x.data());
    std::array<double, kNumbers* kReach> padded = {};
    std::ranges::copy(x, padded.begin());
    solve_chains(left(), own_left_, right(), own_right_, padded.data());
    std::copy_n(padded.begin(), x.size(), x.begin());
}

void ChainLdl::add_product(std::span<const double> x, std::span<double> y) const
{
    for (std::size_t i = 0; i < nodes_; ++i)
        for (std::size_t k = 0; k <= kReach && i + k < nodes_; ++k)
            for (std::size_t r = 0; r < kNumbers; ++r)
                for (std::size_t c = 0; c < kNumbers; ++c) {
                    const double a = entry(i, k, r, c);
                    y[kNumbers * (i + k) + r] += a * x[kNumbers * i + c];
                    if (k > 0)
                        y[kNumbers * i + c] += a * x[kNumbers * (i + k) + r];
                }
}

/// Columns in the order in which they begin, those of the left end first. Returns where those of
/// the right end begin.
std::size_t ChainLdl::place_sides(std::span<const Side> sides, Room& room) const
{
    const std::size_t all = own_left_ + own_right_ + kReach;
    const auto begin_of = [&](const Side& side) { // the node, counted from its end
        return side.first < own_left_ ? side.first
                                      : std::uint32_t(turned(side.first + side.count - 1));
    };
    room.active.assign(all, 0);
    room.place.resize(sides.size());
    std::uint32_t* of_left = room.active.data();
    std::uint32_t* of_right = of_left + all - 1;
    // Counting sort: how many begin at a node of an end, then how many have begun.
    for (const Side& side : sides)
        side.first < own_left_ ? ++of_left[side.first] : ++*(of_right - begin_of(side));
    for (std::size_t i = 1; i < own_left_; ++i)
        of_left[i] += of_left[i - 1];
    for (std::size_t i = 1; i < own_right_ + kReach; ++i)
        *(of_right - i) += *(of_right - i + 1);
    const auto rounded = [](std::size_t n) { return (n + kLane - 1) / kLane * kLane; };
    const std::size_t first_right = own_left_ > 0 ? rounded(of_left[own_left_ - 1]) : 0;
    for (std::size_t j = sides.size(); j-- > 0;)
        room.place[j] = sides[j].first < own_left_
                            ? --of_left[sides[j].first]
                            : std::uint32_t(first_right) + --*(of_right - begin_of(sides[j]));
    // Each now says how many began before its node: the next one's is what has begun with it.
    const auto left_count = std::uint32_t(
        std::ranges::count_if(sides, [&](const Side& side) { return side.first < own_left_; }));
    for (std::size_t i = 0; i < own_left_; ++i)
        of_left[i] = std::uint32_t(rounded(i + 1 < own_left_ ? of_left[i + 1] : left_count));
    for (std::size_t i = 0; i < own_right_; ++i)
        *(of_right - i) = std::uint32_t(rounded(*(of_right - i - 1)));
    return first_right;
}

void ChainLdl::respond(std::span<const Side> sides, Room& room, std::span<double> C) const
{
    SINEW_EXPECTS(C.size() == sides.size() * sides.size());
    if (sides.empty())
        return;
    const std::size_t first_right = place_sides(sides, room);
    std::size_t width = 0;
    for (const std::uint32_t place : room.place)
        width = std::max<std::size_t>(width, place / kLane * kLane + kLane);
    const std::size_t all = own_left_ + own_right_ + kReach, p = sides.size();
    room.sides.assign(kNumbers * all * width, 0.0);
    room.squares.assign(width * width, 0.0);
    for (std::size_t j = 0; j < p; ++j)
        for (std::size_t k = 0; k < kNumbers * sides[j].count; ++k)
            room.sides[(kNumbers * sides[j].first + k) * width + room.place[j]] =
                sides[j].numbers[k];
    half_solve_chains(left(), own_left_, right(), own_right_, room.sides.data(), width, first_right,
                      room.active.data());
    square_chains(room.sides.data(), own_left_, own_right_, width, first_right, room.active.data(),
                  room.squares.data());
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const std::size_t a = std::max(room.place[i], room.place[j]);
            const std::size_t b = std::min(room.place[i], room.place[j]);
            C[i * p + j] = C[j * p + i] = room.squares[a * width + b];
        }
}

} // namespace sinew
