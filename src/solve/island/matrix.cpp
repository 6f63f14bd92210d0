// Plan, filling and factors of an island's matrix. A plan stays while the pattern does.

#include "solve/island/matrix.h"

#include "base/clones.h"

#include <algorithm>

namespace sinew::island {

namespace {

constexpr double kGive = 1e-7; // ε, of K: what an equal row gives within a step; steps take it back
constexpr std::uint32_t kRowsOwner = 0xffffffff;

std::uint32_t equal_count(const Group& group)
{
    return std::uint32_t(
        std::count(group.law.begin(), group.law.begin() + group.row_count, Law::equal));
}

std::uint64_t pack(std::uint32_t a, std::uint32_t b)
{
    return std::uint64_t(std::max(a, b)) << 32 | std::min(a, b);
}

/// to ← to + Σ e sᵀ over `count` rows, `width` numbers apart.
template <std::uint32_t kRows, std::uint32_t kColumns>
SINEW_IN_CLONES void add_outer(const double* e, const double* s, std::uint32_t count,
                               std::uint32_t width, double* to)
{
    double sum[kRows * kColumns] = {};
    for (std::uint32_t r = 0; r < count; ++r, e += width, s += width)
        for (std::uint32_t i = 0; i < kRows; ++i)
            for (std::uint32_t j = 0; j < kColumns; ++j)
                sum[i * kColumns + j] += e[i] * s[j];
    for (std::uint32_t i = 0; i < kRows * kColumns; ++i)
        to[i] += sum[i];
}

} // namespace

/// The same, rows × columns: bodies have six numbers, control points four.
SINEW_CLONES void add_products(const double* e, const double* s, std::uint32_t count,
                               std::uint32_t width, std::uint32_t rows, std::uint32_t columns,
                               double* to)
{
    if (rows == 6 && columns == 6)
        return add_outer<6, 6>(e, s, count, width, to);
    if (rows == 4 && columns == 4)
        return add_outer<4, 4>(e, s, count, width, to);
    if (rows == 6 && columns == 4)
        return add_outer<6, 4>(e, s, count, width, to);
    if (rows == 4 && columns == 6)
        return add_outer<4, 6>(e, s, count, width, to);
    for (std::uint32_t r = 0; r < count; ++r, e += width, s += width)
        for (std::uint32_t i = 0; i < rows; ++i)
            for (std::uint32_t j = 0; j < columns; ++j)
                to[i * columns + j] += e[i] * s[j];
}

/// y ← y − A x of one block below the diagonal and its transposed one above it, both rows ×
/// columns; x and y at its rows and at its columns.
SINEW_CLONES void subtract_block(const double* lower, const double* upper, std::uint32_t rows,
                                 std::uint32_t columns, const double* x_r, const double* x_c,
                                 double* __restrict y_r, double* __restrict y_c)
{
    for (std::uint32_t r = 0; r < rows; ++r, lower += columns, upper += columns) {
        double sum = 0;
        const double x = x_r[r];
        for (std::uint32_t c = 0; c < columns; ++c) {
            sum += lower[c] * x_c[c];
            y_c[c] -= upper[c] * x;
        }
        y_r[r] -= sum;
    }
}

void Matrix::note_shape(const System& system, std::vector<std::uint32_t>& shape) const
{
    shape.clear();
    shape.push_back(std::uint32_t(system.blocks.size()));
    for (const Block& block : system.blocks)
        shape.insert(shape.end(), {block.vertices, block.size, block.reach, block.is_unit});
    for (const Group& group : system.groups) {
        shape.insert(shape.end(), {group.slot_count, equal_count(group), group.first_row});
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            shape.push_back(std::uint32_t(group.law[r]));
        shape.insert(shape.end(), system.slots_of(group).begin(), system.slots_of(group).end());
    }
}

void Matrix::begin(const System& system)
{
    note_shape(system, asked_);
    if (asked_ == shape_)
        return;
    std::swap(asked_, shape_);
    plan(system);
    ++plan_count_;
}

/// Vertices of all blocks, then one for the equal rows of each group; every pair that W or a group
/// joins is one block of numbers.
void Matrix::plan(const System& system)
{
    pattern_.clear();
    for (const Vertex& vertex : system.vertices)
        pattern_.add_vertex(vertex.size, vertex.block, false);
    place_.assign(system.row_count(), kNone);
    equal_vertex_.assign(system.groups.size(), kNone);
    for (std::size_t g = 0; g < system.groups.size(); ++g) {
        const Group& group = system.groups[g];
        const std::uint32_t count = equal_count(group);
        if (count == 0)
            continue;
        std::uint32_t place = std::uint32_t(pattern_.size());
        equal_vertex_[g] = pattern_.add_vertex(count, kRowsOwner, true);
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] == Law::equal)
                place_[group.first_row + r] = place++;
    }
    std::vector<std::uint64_t> joined;
    for (const Block& block : system.blocks)
        for (std::uint32_t i = 0; i < block.vertices; ++i)
            for (std::uint32_t k = 0; k <= block.reach && i + k < block.vertices; ++k)
                joined.push_back(pack(block.first_vertex + i + k, block.first_vertex + i));
    for (const Group& group : system.groups)
        if (equal_count(group) < group.row_count)
            for (const std::uint32_t a : system.slots_of(group))
                for (const std::uint32_t b : system.slots_of(group))
                    joined.push_back(pack(a, b));
    std::ranges::sort(joined);
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    std::vector<std::uint32_t> first(joined.size());
    for (std::size_t i = 0; i < joined.size(); ++i)
        first[i] = pattern_.add_block(std::uint32_t(joined[i] >> 32), std::uint32_t(joined[i]));
    const auto find = [&](std::uint32_t a, std::uint32_t b) {
        return first[std::size_t(std::ranges::lower_bound(joined, pack(a, b)) - joined.begin())];
    };
    inertia_.clear();
    for (const Block& block : system.blocks)
        for (std::uint32_t i = 0; i < block.vertices; ++i)
            for (std::uint32_t k = 0; k <= block.reach && i + k < block.vertices; ++k)
                inertia_.push_back(find(block.first_vertex + i + k, block.first_vertex + i));
    pairs_.clear();
    first_pair_.clear();
    first_equal_.clear();
    for (std::size_t g = 0; g < system.groups.size(); ++g) {
        const Group& group = system.groups[g];
        first_pair_.push_back(std::uint32_t(pairs_.size()));
        if (equal_count(group) < group.row_count)
            for (const std::uint32_t a : system.slots_of(group))
                for (const std::uint32_t b : system.slots_of(group))
                    pairs_.push_back({find(a, b), a < b});
        first_equal_.push_back(pattern_.value_count);
        if (equal_vertex_[g] == kNone)
            continue;
        pattern_.add_block(equal_vertex_[g], equal_vertex_[g]);
        for (const std::uint32_t a : system.slots_of(group))
            pattern_.add_block(equal_vertex_[g], a);
    }
    plan_ = FrontPlan(pattern_);
    symmetric_ = std::make_unique<FrontLdl>(plan_);
    general_.reset();
    has_factors_ = false;
}

void Matrix::fill_inertia(const System& system)
{
    auto to = inertia_.begin();
    for (const Block& block : system.blocks) {
        const double* value = system.W.data() + block.first_value;
        const std::uint32_t size = block.size;
        if (block.is_unit) {
            for (std::uint32_t r = 0; r < size; ++r)
                lower_[*to + r * size + r] = 1;
            ++to;
            continue;
        }
        for (std::uint32_t i = 0; i < block.vertices; ++i)
            for (std::uint32_t k = 0; k <= block.reach && i + k < block.vertices; ++k, ++to) {
                for (std::uint32_t r = 0; r < size; ++r)
                    for (std::uint32_t c = 0; c < size; ++c)
                        lower_[*to + r * size + c] =
                            k == 0 && c > r ? value[c * size + r] : value[r * size + c];
                value += size * size;
            }
    }
}

/// Eᵀ S E, pair by pair of the group's vertices.
void Matrix::add_stiffness(const System& system, const Group& group, const Piece& piece,
                           const Pair* pairs, bool is_symmetric)
{
    const std::uint32_t width = group.width, count = group.row_count;
    product_.assign(std::size_t(count) * width, 0.0); // S E
    bool has_stiffness = false;
    for (std::uint32_t r = 0; r < count; ++r)
        for (std::uint32_t q = 0; q < count; ++q)
            if (const double s = piece.S[r][q]; s != 0 && group.law[r] != Law::equal) {
                const double* from = system.weights_of(group, q);
                for (std::uint32_t i = 0; i < width; ++i)
                    product_[std::size_t(r) * width + i] += s * from[i];
                has_stiffness = true;
            }
    if (!has_stiffness) // an open contact
        return;
    std::uint32_t at_a = 0;
    for (const std::uint32_t a : system.slots_of(group)) {
        const std::uint32_t rows = system.vertices[a].size;
        std::uint32_t at_b = 0;
        for (const std::uint32_t b : system.slots_of(group)) {
            const std::uint32_t columns = system.vertices[b].size;
            const Pair pair = *pairs++;
            const double *E = system.weights_of(group, 0) + at_a, *SE = product_.data() + at_b;
            if (!pair.is_turned)
                add_products(E, SE, count, width, rows, columns, lower_.data() + pair.first);
            else if (!is_symmetric) // upper_ has the transposed blocks
                add_products(SE, E, count, width, columns, rows, upper_.data() + pair.first);
            at_b += columns;
        }
        at_a += rows;
    }
}

/// J, and what friction feels of the multipliers.
void Matrix::add_multipliers(const System& system, const RowNumbers& rows, const Group& group,
                             const Piece& piece, std::size_t g, bool is_symmetric)
{
    const std::uint32_t count = equal_count(group);
    std::uint32_t to = first_equal_[g], own = 0;
    for (std::uint32_t r = 0; r < group.row_count; ++r) {
        if (group.law[r] != Law::equal)
            continue;
        const std::size_t row = group.first_row + r;
        lower_[to + own * count + own] =
            rows.is_idle(row) ? -1e290 : -(rows.give[row] + kGive * rows.K[row]);
        std::uint32_t at = to + count * count, done = 0;
        for (const std::uint32_t a : system.slots_of(group)) {
            const std::uint32_t size = system.vertices[a].size;
            for (std::uint32_t i = 0; i < size; ++i) {
                const double weight = system.weights_of(group, r)[done + i];
                lower_[at + own * size + i] = weight;
                if (is_symmetric)
                    continue;
                double felt = weight;
                for (std::uint32_t q = r + 1; q < group.row_count; ++q)
                    felt += piece.T[q][r] * system.weights_of(group, q)[done + i];
                upper_[at + own * size + i] = felt;
            }
            at += count * size;
            done += size;
        }
        ++own;
    }
}

void Matrix::fill(const System& system, const RowNumbers& rows, std::span<const Piece> pieces,
                  bool is_symmetric)
{
    lower_.assign(pattern_.value_count, 0.0);
    fill_inertia(system);
    if (!is_symmetric)
        upper_ = lower_;
    for (std::size_t g = 0; g < system.groups.size(); ++g) {
        const Group& group = system.groups[g];
        if (equal_count(group) < group.row_count)
            add_stiffness(system, group, pieces[g], pairs_.data() + first_pair_[g], is_symmetric);
        if (equal_vertex_[g] != kNone)
            add_multipliers(system, rows, group, pieces[g], g, is_symmetric);
    }
}

bool Matrix::factor(const System& system, const RowNumbers& rows, std::span<const Piece> pieces)
{
    const bool is_symmetric =
        std::ranges::all_of(pieces, [](const Piece& piece) { return piece.is_symmetric; });
    fill(system, rows, pieces, is_symmetric);
    if (has_factors_ && is_symmetric_ == is_symmetric && lower_ == old_lower_ &&
        (is_symmetric || upper_ == old_upper_))
        return true;
    is_symmetric_ = is_symmetric;
    std::swap(old_lower_, lower_);
    if (is_symmetric) {
        ++symmetric_count;
        return has_factors_ = symmetric_->factor(old_lower_);
    }
    std::swap(old_upper_, upper_);
    if (!general_)
        general_ = std::make_unique<FrontLu>(plan_);
    ++general_count;
    return has_factors_ = general_->factor(old_lower_, old_upper_);
}

/// y ← y − A x.
void Matrix::subtract_product(std::span<const double> x, std::span<double> y) const
{
    const std::vector<double>& upper = is_symmetric_ ? old_lower_ : old_upper_;
    for (const BlockPattern::Block& block : pattern_.blocks) {
        const std::uint32_t rows = pattern_.vertices[block.row].size,
                            columns = pattern_.vertices[block.column].size;
        const std::uint32_t r0 = pattern_.start[block.row], c0 = pattern_.start[block.column];
        if (block.row != block.column) {
            subtract_block(&old_lower_[block.first], &upper[block.first], rows, columns, &x[r0],
                           &x[c0], &y[r0], &y[c0]);
            continue;
        }
        for (std::uint32_t r = 0; r < rows; ++r)
            for (std::uint32_t c = 0; c < columns; ++c)
                y[r0 + r] -= old_lower_[block.first + r * columns + c] * x[c0 + c];
    }
}

void Matrix::solve(std::span<double> x)
{
    const auto solve_once = [&](std::span<double> y) {
        if (is_symmetric_)
            symmetric_->solve(y);
        else
            general_->solve(y);
    };
    left_.assign(x.begin(), x.end());
    solve_once(x);
    subtract_product(x, left_);
    solve_once(left_);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += left_[i];
}

} // namespace sinew::island
