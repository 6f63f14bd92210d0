#include "solve/island/system.h"

#include "base/contract.h"

#include <algorithm>
#include <type_traits>

namespace sinew::island {

void System::clear()
{
    blocks.clear();
    vertices.clear();
    groups.clear();
    slots.clear();
    W.clear();
    weight.clear();
    number_count_ = 0;
}

std::uint32_t System::add_block(std::uint32_t vertex_count, std::uint32_t size, std::uint32_t reach)
{
    Block block{.vertices = vertex_count, .size = size, .reach = reach};
    block.first_vertex = std::uint32_t(vertices.size());
    block.first_number = std::uint32_t(number_count_);
    block.first_value = std::uint32_t(W.size());
    const std::uint32_t index = std::uint32_t(blocks.size());
    std::size_t pairs = 0;
    for (std::uint32_t i = 0; i < vertex_count; ++i) {
        vertices.push_back({index, size, std::uint32_t(number_count_)});
        number_count_ += size;
        pairs += std::min(reach, vertex_count - 1 - i) + 1;
    }
    W.resize(W.size() + pairs * size * size);
    blocks.push_back(block);
    return index;
}

std::uint32_t System::add_unit_block(std::uint32_t size)
{
    const std::size_t values = W.size();
    const std::uint32_t index = add_block(1, size, 0);
    W.resize(values);
    blocks[index].is_unit = true;
    return index;
}

std::span<double> System::W_of(const Block& block)
{
    const std::size_t next = std::size_t(&block - blocks.data()) + 1;
    const std::size_t end = next < blocks.size() ? blocks[next].first_value : W.size();
    return std::span(W).subspan(block.first_value, end - block.first_value);
}

void System::add_group(const RowGroup& group, std::uint32_t first_row)
{
    groups.push_back({.key = group.key,
                      .law = group.law,
                      .row_count = group.row_count,
                      .first_row = first_row,
                      .first_slot = std::uint32_t(slots.size()),
                      .first_weight = std::uint32_t(weight.size())});
}

void System::add_vertex(std::uint32_t vertex)
{
    Group& group = groups.back();
    if (std::ranges::find(slots_of(group), vertex) != slots_of(group).end())
        return;
    slots.push_back(vertex);
    ++group.slot_count;
    group.width += vertices[vertex].size;
}

void System::end_group()
{
    const Group& group = groups.back();
    weight.resize(group.first_weight + std::size_t(group.row_count) * group.width, 0.0);
}

void System::add_weights(std::uint32_t row, std::uint32_t vertex, std::span<const double> numbers)
{
    const Group& group = groups.back();
    std::size_t at = group.first_weight + std::size_t(row) * group.width;
    for (const std::uint32_t slot : slots_of(group)) {
        if (slot == vertex)
            break;
        at += vertices[slot].size;
    }
    SINEW_ASSERT(at + numbers.size() <= weight.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        weight[at + i] += numbers[i];
}

void System::set_row_count(std::size_t count)
{
    for (std::vector<double>* list : {&velocity, &compliance, &friction, &lo, &hi, &held})
        list->resize(count);
}

namespace {

/// Calls call(weights, numbers, size) for the vertices of a group: size is a constant for bodies
/// and for control points, so that loops over it are unrolled.
template <class Call>
void for_each_slot(const System& system, const Group& group, Call&& call)
{
    const double* weights = system.weight.data() + group.first_weight;
    for (const std::uint32_t slot : system.slots_of(group)) {
        const Vertex& vertex = system.vertices[slot];
        if (vertex.size == 6)
            call(weights, vertex.first_number, std::integral_constant<std::uint32_t, 6>{});
        else if (vertex.size == 4)
            call(weights, vertex.first_number, std::integral_constant<std::uint32_t, 4>{});
        else
            call(weights, vertex.first_number, vertex.size);
        weights += vertex.size;
    }
}

} // namespace

void multiply_rows(const System& system, std::span<const double> u, std::span<double> w)
{
    for (const Group& group : system.groups) {
        double sum[6] = {};
        for_each_slot(system, group, [&](const double* weights, std::uint32_t first, auto size) {
            for (std::uint32_t r = 0; r < group.row_count; ++r, weights += group.width)
                for (std::uint32_t i = 0; i < size; ++i)
                    sum[r] += weights[i] * u[first + i];
        });
        std::copy_n(sum, group.row_count, w.data() + group.first_row);
    }
}

void add_impulses(const System& system, std::span<const double> impulse, double factor,
                  std::span<double> y)
{
    for (const Group& group : system.groups)
        for_each_slot(system, group, [&](const double* weights, std::uint32_t first, auto size) {
            for (std::uint32_t r = 0; r < group.row_count; ++r, weights += group.width) {
                const double by = factor * impulse[group.first_row + r];
                for (std::uint32_t i = 0; i < size; ++i)
                    y[first + i] += weights[i] * by;
            }
        });
}

} // namespace sinew::island
