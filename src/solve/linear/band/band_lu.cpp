#include "solve/linear/band/band_lu.h"

#include "math/rank.h"
#include "solve/linear/sparse/dissection.h"

#include <algorithm>
#include <cmath>

namespace sinew {

BandLu::BandLu(const BlockPattern& pattern) : size_(pattern.size()), place_(size_), sorted_(size_)
{
    Graph graph(pattern.vertices.size());
    for (const BlockPattern::Block& block : pattern.blocks)
        if (block.row != block.column) {
            graph[block.row].push_back(block.column);
            graph[block.column].push_back(block.row);
        }
    std::uint32_t next = 0;
    for (const std::uint32_t vertex : find_band_order(graph))
        for (std::uint32_t i = 0; i < pattern.vertices[vertex].size; ++i)
            place_[pattern.start[vertex] + i] = next++;
    for (const BlockPattern::Block& block : pattern.blocks)
        for (std::uint32_t r = 0; r < pattern.vertices[block.row].size; ++r)
            for (std::uint32_t c = 0; c < pattern.vertices[block.column].size; ++c) {
                const std::int64_t apart = std::int64_t(place_[pattern.start[block.row] + r]) -
                                           std::int64_t(place_[pattern.start[block.column] + c]);
                half_ = std::max(half_, std::size_t(std::abs(apart)));
            }
    height_ = 3 * half_ + 1; // row exchanges reach as far again
    band_.resize(height_ * size_);
    exchange_.resize(size_);
}

namespace {

constexpr double kGive = 1e-7; // of what rows are moved by

/// What each row is moved by, as if the numbers of models were moved one by one: Σ J² / W.
std::vector<double> find_terms(const BlockPattern& pattern, std::span<const double> values)
{
    std::vector<double> diagonal(pattern.size()), terms(pattern.size());
    for (const BlockPattern::Block& block : pattern.blocks)
        for (std::uint32_t r = 0; block.row == block.column && r < pattern.vertices[block.row].size;
             ++r)
            diagonal[pattern.start[block.row] + r] =
                std::abs(values[block.first + r * pattern.vertices[block.row].size + r]);
    for (const BlockPattern::Block& block : pattern.blocks) {
        const std::uint32_t columns = pattern.vertices[block.column].size;
        if (!pattern.vertices[block.row].is_row || pattern.vertices[block.column].is_row)
            continue;
        for (std::uint32_t r = 0; r < pattern.vertices[block.row].size; ++r)
            for (std::uint32_t c = 0; c < columns; ++c) {
                const double entry = values[block.first + r * columns + c];
                terms[pattern.start[block.row] + r] +=
                    entry * entry / diagonal[pattern.start[block.column] + c];
            }
    }
    for (std::size_t v = 0; v < pattern.vertices.size(); ++v)
        for (std::uint32_t r = 0; pattern.vertices[v].is_row && r < pattern.vertices[v].size; ++r)
            terms[pattern.start[v] + r] += diagonal[pattern.start[v] + r];
    return terms;
}

} // namespace

/// Where rows are redundant all of them give a little, as in FrontLdl.
bool BandLu::factor(const BlockPattern& pattern, std::span<const double> values)
{
    fill(pattern, values);
    const bool is_regular = eliminate();
    has_dependent_rows_ = has_vanished_;
    if (has_dependent_rows_) {
        fill(pattern, values);
        const std::vector<double> terms = find_terms(pattern, values);
        for (std::size_t i = 0; i < size_; ++i)
            at(place_[i], place_[i]) -= kGive * terms[i];
        eliminate();
    }
    return is_regular;
}

void BandLu::fill(const BlockPattern& pattern, std::span<const double> values)
{
    std::ranges::fill(band_, 0.0);
    for (const BlockPattern::Block& block : pattern.blocks) {
        const std::uint32_t columns = pattern.vertices[block.column].size;
        for (std::uint32_t r = 0; r < pattern.vertices[block.row].size; ++r)
            for (std::uint32_t c = 0; c < (block.row == block.column ? r + 1 : columns); ++c) {
                const std::size_t i = place_[pattern.start[block.row] + r];
                const std::size_t j = place_[pattern.start[block.column] + c];
                const double entry = values[block.first + r * columns + c];
                at(i, j) += entry;
                if (i != j)
                    at(j, i) += entry;
            }
    }
}

bool BandLu::eliminate()
{
    bool is_regular = true;
    double largest = 0;
    std::vector<double> of_column(size_);
    for (std::size_t i = 0; i < band_.size(); ++i) {
        largest = std::max(largest, std::abs(band_[i]));
        of_column[i / height_] = std::max(of_column[i / height_], std::abs(band_[i]));
    }
    has_vanished_ = false;
    for (std::size_t k = 0; k < size_; ++k) {
        const std::size_t below = std::min(half_, size_ - 1 - k);
        const std::size_t reach = std::min(2 * half_, size_ - 1 - k);
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i <= k + below; ++i)
            if (std::abs(at(i, k)) > std::abs(at(pivot, k)))
                pivot = i;
        exchange_[k] = pivot;
        if (pivot != k)
            for (std::size_t j = k; j <= k + reach; ++j)
                std::swap(at(pivot, j), at(k, j));
        has_vanished_ |= std::abs(at(k, k)) <= kDependent * of_column[k];
        if (std::abs(at(k, k)) <= 1e-300 + 1e-18 * largest) {
            is_regular = false;
            at(k, k) = 1e-300 + 1e-18 * largest;
        }
        for (std::size_t i = k + 1; i <= k + below; ++i)
            at(i, k) /= at(k, k);
        for (std::size_t j = k + 1; j <= k + reach; ++j)
            if (const double factor = at(k, j); factor != 0)
                for (std::size_t i = k + 1; i <= k + below; ++i)
                    at(i, j) -= at(i, k) * factor;
    }
    return is_regular;
}

void BandLu::solve(std::span<double> x)
{
    for (std::size_t i = 0; i < size_; ++i)
        sorted_[place_[i]] = x[i];
    for (std::size_t k = 0; k < size_; ++k) {
        std::swap(sorted_[k], sorted_[exchange_[k]]);
        for (std::size_t i = k + 1; i <= std::min(k + half_, size_ - 1); ++i)
            sorted_[i] -= at(i, k) * sorted_[k];
    }
    for (std::size_t k = size_; k-- > 0;) {
        for (std::size_t j = k + 1; j <= std::min(k + 2 * half_, size_ - 1); ++j)
            sorted_[k] -= at(k, j) * sorted_[j];
        sorted_[k] /= at(k, k);
    }
    for (std::size_t i = 0; i < size_; ++i)
        x[i] = sorted_[place_[i]];
}

} // namespace sinew
