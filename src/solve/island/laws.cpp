// The natural map of row laws, group by group: F = λ − P(λ − v/k), v what the law speaks of, k the
// row's scale [notes: island, eq. 3]. A row that holds gives a little in a Newton step, ε of its K,
// so that its impulse can be eliminated and rows that say the same share it; steps take it back.

#include "solve/island/laws.h"

#include <algorithm>
#include <cmath>

namespace sinew::island {

namespace {

constexpr double kGive = 1e-7; // ε, of K

struct At {
    const System& system;
    const Group& group;
    const RowNumbers& rows;
    bool with_slopes;
    Piece& piece;

    std::size_t row(std::uint32_t r) const { return group.first_row + r; }
    double lambda(std::uint32_t r) const { return rows.lambda[row(r)]; }
    double trial(std::uint32_t r) const
    {
        return lambda(r) - rows.velocity(row(r)) / rows.scale[row(r)];
    }
    /// Of dz: what of dλ is left.
    double left(std::uint32_t r) const { return 1 - rows.give[row(r)] / rows.scale[row(r)]; }

    /// λ is to be `bound`.
    void bind(std::uint32_t r, double bound, Side side) const
    {
        piece.F[r] = lambda(r) - bound;
        piece.a[r] = -piece.F[r];
        piece.side[r] = side;
    }
    /// v is to be zero.
    void hold(std::uint32_t r) const
    {
        const double v = rows.velocity(row(r));
        const double give = rows.give[row(r)] + kGive * rows.K[row(r)];
        piece.F[r] = v / rows.scale[row(r)];
        piece.side[r] = Side::holds;
        piece.a[r] = -v / give;
        piece.S[r][r] = 1 / give;
    }
};

/// Rows whose law is theirs alone: equal, push, box.
void add_alone(const At& at, std::uint32_t r)
{
    const Law law = at.group.law[r];
    if (law == Law::equal)
        return at.hold(r);
    const double z = at.trial(r), lo = law == Law::push ? 0 : at.system.lo[at.row(r)];
    if (z <= lo)
        at.bind(r, lo, Side::low);
    else if (law == Law::box && z >= at.system.hi[at.row(r)])
        at.bind(r, at.system.hi[at.row(r)], Side::high);
    else
        at.hold(r);
}

/// A disc that slips along d, |d| = 1, with the share R/|z| of what would hold.
void add_slip(const At& at, std::uint32_t first, std::uint32_t count, std::uint32_t normal,
              const std::array<double, 2>& d, double share)
{
    Piece& piece = at.piece;
    const double mu = at.system.friction[at.row(first)], k = at.rows.scale[at.row(first)];
    const double across = 1 - share * at.left(first) + kGive;
    const double along = piece.F[first] * d[0] + (count > 1 ? piece.F[first + 1] * d[1] : 0);
    const double a = -along + mu * at.left(normal) * piece.a[normal];
    const double by_normal =
        mu * (at.left(normal) * piece.S[normal][normal] + 1 / at.rows.scale[at.row(normal)]);
    for (std::uint32_t i = 0; i < count; ++i) {
        piece.a[first + i] = d[i] * a - (piece.F[first + i] - d[i] * along) / across;
        for (std::uint32_t j = 0; j < count; ++j)
            piece.S[first + i][first + j] = share / (k * across) * ((i == j) - d[i] * d[j]);
        piece.S[first + i][normal] = d[i] * by_normal;
    }
    piece.is_symmetric = false;
}

/// Friction of a contact, or what resists rolling, whose normal is there.
void add_disc(const At& at, std::uint32_t first, std::uint32_t count, std::uint32_t normal)
{
    const std::size_t row = at.row(first);
    const bool has_normal = !at.rows.is_idle(at.row(normal));
    const double push = has_normal ? std::max(0.0, at.trial(normal)) : 0;
    const double R = at.system.friction[row] * push;
    std::array<double, 2> z = {};
    for (std::uint32_t i = 0; i < count; ++i)
        z[i] = at.trial(first + i);
    const double size = std::sqrt(z[0] * z[0] + z[1] * z[1]);
    const bool is_bound = R == 0, sticks = !is_bound && size <= R;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (is_bound)
            at.bind(first + i, 0, Side::low);
        else if (sticks)
            at.hold(first + i);
        else {
            at.piece.F[first + i] = at.lambda(first + i) - R * z[i] / size;
            at.piece.side[first + i] = Side::slips;
        }
    }
    if (at.with_slopes && !is_bound && !sticks)
        add_slip(at, first, count, normal, {z[0] / size, z[1] / size}, R / size);
}

/// Friction along a rod, bounded by what the two equal rows before it press with.
void add_slide(const At& at, std::uint32_t r)
{
    const double n1 = at.lambda(r - 2), n2 = at.lambda(r - 1);
    const double press = std::sqrt(n1 * n1 + n2 * n2), mu = at.system.friction[at.row(r)];
    const double R = mu * press, z = at.trial(r), side = z > 0 ? 1 : -1;
    if (R > 0 && std::abs(z) <= R)
        return at.hold(r);
    at.bind(r, side * R, side > 0 ? Side::high : Side::low);
    if (R == 0 || !at.with_slopes)
        return;
    at.piece.T[r][r - 2] = mu * side * n1 / press;
    at.piece.T[r][r - 1] = mu * side * n2 / press;
    at.piece.is_symmetric = false;
}

} // namespace

void RowNumbers::resize(std::size_t count)
{
    for (std::vector<double>* list : {&K, &scale, &give, &shift, &lambda, &w})
        list->resize(count);
}

void update_piece(const System& system, const Group& group, const RowNumbers& rows,
                  bool with_slopes, Piece& piece)
{
    piece.F = {};
    piece.side = {};
    if (with_slopes) {
        piece.a = {};
        piece.is_symmetric = true;
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            std::fill_n(piece.S[r].begin(), group.row_count, 0.0);
            std::fill_n(piece.T[r].begin(), group.row_count, 0.0);
        }
    }
    const At at{system, group, rows, with_slopes, piece};
    for (std::uint32_t r = 0; r < group.row_count; ++r)
        if (const Law law = group.law[r]; !follows_push(law) && !rows.is_idle(at.row(r)))
            law == Law::slide ? add_slide(at, r) : add_alone(at, r);
    for_each_disc(group, [&](std::uint32_t first, std::uint32_t count, std::uint32_t normal) {
        if (!rows.is_idle(at.row(first)))
            add_disc(at, first, count, normal);
    });
}

void share_scales(const System& system, std::span<double> scale)
{
    for (const Group& group : system.groups)
        for_each_disc(group, [&](std::uint32_t first, std::uint32_t count, std::uint32_t) {
            double* own = scale.data() + group.first_row + first;
            if (count == 2)
                own[0] = own[1] = std::max(own[0], own[1]);
        });
}

} // namespace sinew::island
