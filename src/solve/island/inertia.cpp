#include "solve/island/inertia.h"

#include <algorithm>

namespace sinew::island {

namespace {

/// Calls call(row, column, value) for the lower half of a block's W, numbers of the block.
template <class Call>
void for_each_entry(const System& system, const Block& block, Call&& call)
{
    const double* value = system.W.data() + block.first_value;
    for (std::uint32_t i = 0; i < block.vertices; ++i)
        for (std::uint32_t k = 0; k <= block.reach && i + k < block.vertices; ++k)
            for (std::uint32_t r = 0; r < block.size; ++r)
                for (std::uint32_t c = 0; c < block.size; ++c, ++value)
                    if (k > 0 || c <= r)
                        call((i + k) * block.size + r, i * block.size + c, *value);
}

/// The inverse of a band matrix where the matrix has numbers, from the last on: each entry by those
/// behind it [Takahashi73].
void update_selected_inverse(const BandLdl& L, std::size_t width, std::vector<double>& Z)
{
    const std::size_t n = L.size();
    Z.resize(n * width);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { // either triangle
        return i >= j ? Z[j * width + (i - j)] : Z[i * width + (j - i)];
    };
    for (std::size_t j = n; j-- > 0;) {
        const double* l = L.column(j);
        const std::size_t last = std::min(width, n - j);
        for (std::size_t m = last; m-- > 0;) {
            double sum = m == 0 ? 1 / l[0] : 0;
            for (std::size_t k = 1; k < last; ++k)
                sum -= l[k] * at(j + k, j + m);
            Z[j * width + m] = sum;
        }
    }
}

/// dᵀ Z d of a body's row.
double body_response(const double* Z, const double* d)
{
    constexpr std::size_t kSize = 6;
    double sum = 0;
    for (std::size_t i = 0; i < kSize; ++i)
        for (std::size_t j = 0; j < kSize; ++j)
            sum += d[i] * d[j] * (i >= j ? Z[j * kSize + i - j] : Z[i * kSize + j - i]);
    return sum;
}

} // namespace

void Inertia::factor(const System& system)
{
    parts_.resize(system.blocks.size());
    for (std::size_t b = 0; b < parts_.size(); ++b) {
        const Block& block = system.blocks[b];
        Part& part = parts_[b];
        if (block.is_unit)
            continue;
        const std::size_t width = std::size_t(block.size) * (block.reach + 1);
        if (part.vertices != block.vertices || part.size != block.size || part.reach != block.reach)
            part = {block.vertices,
                    block.size,
                    block.reach,
                    BandLdl(block.number_count(), width - 1),
                    {}};
        for_each_entry(system, block, [&](std::uint32_t r, std::uint32_t c, double value) {
            part.W.column(c)[r - c] = value;
        });
        part.W.factor();
    }
}

void Inertia::solve(const System& system, std::span<double> x) const
{
    for (std::size_t b = 0; b < parts_.size(); ++b)
        if (const Block& block = system.blocks[b]; !block.is_unit)
            parts_[b].W.solve(x.subspan(block.first_number, block.number_count()));
}

void Inertia::update_responses(const System& system, std::span<double> K)
{
    for (std::size_t b = 0; b < parts_.size(); ++b)
        if (const Block& block = system.blocks[b]; !block.is_unit)
            update_selected_inverse(parts_[b].W, std::size_t(block.size) * (block.reach + 1),
                                    parts_[b].inverse);
    for (const Group& group : system.groups)
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            double sum = 0;
            const double* at_a = system.weights_of(group, r);
            for (const std::uint32_t a : system.slots_of(group)) {
                const Vertex& va = system.vertices[a];
                const double* at_b = system.weights_of(group, r);
                for (const std::uint32_t b : system.slots_of(group)) {
                    const Vertex& vb = system.vertices[b];
                    if (va.block == vb.block && b <= a)
                        sum += (a == b ? 1 : 2) * response(system, a, b, at_a, at_b);
                    at_b += vb.size;
                }
                at_a += va.size;
            }
            K[group.first_row + r] = sum;
        }
}

double Inertia::response(const System& system, std::uint32_t a, std::uint32_t b,
                         const double* weight_a, const double* weight_b) const
{
    const Vertex &va = system.vertices[a], &vb = system.vertices[b];
    const Block& block = system.blocks[va.block];
    double sum = 0;
    if (block.is_unit) {
        for (std::uint32_t i = 0; i < va.size; ++i)
            sum += weight_a[i] * weight_b[i];
        return sum;
    }
    if (a - b > block.reach)
        return 0;
    const std::size_t width = std::size_t(block.size) * (block.reach + 1);
    const std::vector<double>& Z = parts_[va.block].inverse;
    if (block.size == 6 && block.vertices == 1) // a body: the same sum, unrolled
        return body_response(Z.data(), weight_a);
    for (std::uint32_t i = 0; i < va.size; ++i)
        for (std::uint32_t j = 0; j < vb.size; ++j) {
            const std::size_t row = va.first_number - block.first_number + i,
                              column = vb.first_number - block.first_number + j;
            sum +=
                weight_a[i] * weight_b[j] *
                (row >= column ? Z[column * width + row - column] : Z[row * width + column - row]);
        }
    return sum;
}

void multiply_inertia(const System& system, std::span<const double> x, std::span<double> y)
{
    std::ranges::fill(y, 0.0);
    for (const Block& block : system.blocks) {
        const double* from = x.data() + block.first_number;
        double* to = y.data() + block.first_number;
        if (block.is_unit) {
            std::copy_n(from, block.size, to);
            continue;
        }
        for_each_entry(system, block, [&](std::uint32_t r, std::uint32_t c, double value) {
            to[r] += value * from[c];
            if (r != c)
                to[c] += value * from[r];
        });
    }
}

} // namespace sinew::island
