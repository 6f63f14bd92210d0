#include "solve/rows/merged_rows.h"

#include "math/rank.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {

namespace {

constexpr double kFar = 0.1; // of the largest column, where rows contradict each other
constexpr std::uint32_t kNone = 0xffffffff;
constexpr double kShared = 1e4;      // of the tolerance: what rows that agree may leave
constexpr double kContradict = 1e-4; // of what rows are off by: the same

double dot_of(const double* a, const double* b, std::size_t count)
{
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

} // namespace

void MergedMatrix::begin(bool is_banded)
{
    values.assign(pattern.value_count, 0.0);
    if (pattern == given_ && is_banded == is_banded_)
        return;
    is_banded_ = is_banded;
    given_ = pattern;
    is_planned_ = false;
    find_sets();
    make_pattern();
}

namespace {

using List = std::vector<std::uint32_t>;

/// Vertices of rows that touch the same.
struct Crowd {
    List touched, members;
    bool is_crowded = false; ///< more rows than that has numbers
    bool is_taken = false;
};

std::size_t count_numbers(const BlockPattern& pattern, const List& vertices)
{
    std::size_t sum = 0;
    for (const std::uint32_t v : vertices)
        sum += pattern.vertices[v].size;
    return sum;
}

std::vector<Crowd> find_crowds(const BlockPattern& pattern)
{
    std::vector<List> columns(pattern.vertices.size());
    for (const BlockPattern::Block& block : pattern.blocks)
        if (pattern.vertices[block.row].may_merge && block.row != block.column)
            columns[block.row].push_back(block.column);
    std::map<List, List> sets;
    for (std::uint32_t v = 0; v < columns.size(); ++v)
        if (std::ranges::adjacent_find(columns[v], std::greater_equal{}) == columns[v].end() &&
            !columns[v].empty()) // ascending, each once
            sets[columns[v]].push_back(v);
    std::vector<Crowd> crowds;
    for (const auto& [touched, members] : sets)
        crowds.push_back(
            {touched, members, count_numbers(pattern, members) > count_numbers(pattern, touched)});
    return crowds;
}

bool do_meet(const List& a, const List& b)
{
    return std::ranges::any_of(a,
                               [&](std::uint32_t v) { return std::ranges::binary_search(b, v); });
}

void join(List& to, const List& more)
{
    to.insert(to.end(), more.begin(), more.end());
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
}

} // namespace

/// Crowds, each with all rows that touch some of the same: where some contradict others, they would
/// stand against what is left of these.
void MergedMatrix::find_sets()
{
    members_.clear();
    touched_.clear();
    std::vector<Crowd> crowds = find_crowds(pattern);
    for (Crowd& first : crowds) {
        if (!first.is_crowded || first.is_taken)
            continue;
        first.is_taken = true;
        List touched = first.touched, members = first.members;
        std::vector<const Crowd*> open = {&first};
        while (!open.empty()) {
            const Crowd& crowd = *open.back();
            open.pop_back();
            for (Crowd& other : crowds) {
                if (other.is_taken || !do_meet(other.touched, crowd.touched))
                    continue;
                other.is_taken = true;
                join(touched, other.touched);
                join(members, other.members);
                if (other.is_crowded)
                    open.push_back(&other);
            }
        }
        members_.push_back(std::move(members));
        touched_.push_back(std::move(touched));
    }
}

/// What stays in its order, then the sets.
void MergedMatrix::make_pattern()
{
    constexpr std::uint32_t kMerged = 0xffffffff;
    BlockPattern& to = merged_.pattern;
    sets_.clear();
    copies_.clear();
    kept_.clear();
    if (members_.empty())
        return;
    std::vector<std::uint32_t> place(pattern.vertices.size(), 0);
    for (const std::vector<std::uint32_t>& members : members_)
        for (const std::uint32_t v : members)
            place[v] = kMerged;
    to.clear();
    for (std::uint32_t v = 0; v < pattern.vertices.size(); ++v) {
        if (place[v] == kMerged)
            continue;
        const BlockPattern::Vertex& vertex = pattern.vertices[v];
        place[v] = to.add_vertex(vertex.size, vertex.owner, vertex.is_row);
        for (std::uint32_t r = 0; vertex.is_row && r < vertex.size; ++r)
            kept_.push_back(pattern.start[v] + r - first_row);
    }
    for (const BlockPattern::Block& block : pattern.blocks)
        if (place[block.row] != kMerged && place[block.column] != kMerged)
            copies_.push_back(
                {block.first, to.add_block(place[block.row], place[block.column]),
                 pattern.vertices[block.row].size * pattern.vertices[block.column].size});
    for (std::size_t i = 0; i < members_.size(); ++i)
        add_set(members_[i], touched_[i]);
}

/// Requires that what it touches stands where it stood: numbers of rods come first, and all stay.
void MergedMatrix::add_set(std::span<const std::uint32_t> vertices,
                           std::span<const std::uint32_t> columns)
{
    Set& set = sets_.emplace_back();
    std::uint32_t width = 0;
    for (const std::uint32_t column : columns)
        width += pattern.vertices[column].size;
    BlockPattern& to = merged_.pattern;
    const std::uint32_t vertex = to.add_vertex(width, pattern.vertices[vertices[0]].owner, true);
    set.first = to.start[vertex] - first_row;
    set.diagonal = to.add_block(vertex, vertex);
    for (const std::uint32_t column : columns) {
        const std::uint32_t size = pattern.vertices[column].size;
        const std::uint32_t first = to.add_block(vertex, column);
        for (std::uint32_t c = 0; c < size; ++c) {
            set.to.push_back(first + c);
            set.stride.push_back(size);
        }
    }
    for (const std::uint32_t v : vertices)
        for (std::uint32_t r = 0; r < pattern.vertices[v].size; ++r)
            set.row.push_back(pattern.start[v] + r - first_row);
    std::vector<std::map<std::uint32_t, std::uint32_t>> entries(pattern.vertices.size());
    for (const BlockPattern::Block& block : pattern.blocks)
        if (block.row != block.column && std::ranges::binary_search(vertices, block.row))
            entries[block.row][block.column] = block.first;
    for (const std::uint32_t v : vertices)
        for (std::uint32_t r = 0; r < pattern.vertices[v].size; ++r)
            for (const std::uint32_t column : columns) {
                const std::uint32_t size = pattern.vertices[column].size;
                const auto first = entries[v].find(column);
                for (std::uint32_t c = 0; c < size; ++c)
                    set.entry.push_back(first == entries[v].end() ? kNone
                                                                  : first->second + r * size + c);
            }
}

/// A = Q N, column by column, the largest of what is left first; those below `rank` of it are left
/// out: their rows of N are empty.
void MergedMatrix::fill(Set& set, double rank_share)
{
    const std::size_t m = set.height(), c = set.width();
    std::vector<double>&Q = set.Q, &N = set.N;
    Q.resize(m * c);
    N.assign(c * c, 0.0);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < c; ++j)
            Q[j * m + i] = set.entry[i * c + j] == kNone ? 0 : values[set.entry[i * c + j]];
    std::vector<std::size_t>& order = set.order;
    order.resize(c);
    for (std::size_t j = 0; j < c; ++j)
        order[j] = j;
    double largest = 0;
    std::size_t rank = 0;
    for (; rank < c; ++rank) {
        std::size_t best = rank;
        double size = -1;
        for (std::size_t j = rank; j < c; ++j)
            if (const double square = dot_of(&Q[j * m], &Q[j * m], m); square > size) {
                size = square;
                best = j;
            }
        size = std::sqrt(size);
        largest = std::max(largest, size);
        if (!(size > rank_share * largest))
            break;
        std::swap_ranges(&Q[rank * m], &Q[rank * m] + m, &Q[best * m]);
        std::swap(order[rank], order[best]);
        double* q = &Q[rank * m];
        for (std::size_t k = 0; k < rank; ++k) { // what rounding left of those before
            const double part = dot_of(&Q[k * m], q, m);
            N[k * c + order[rank]] += part;
            for (std::size_t i = 0; i < m; ++i)
                q[i] -= part * Q[k * m + i];
        }
        size = std::sqrt(dot_of(q, q, m));
        N[rank * c + order[rank]] = size;
        for (std::size_t i = 0; i < m; ++i)
            q[i] /= size;
        for (std::size_t j = rank + 1; j < c; ++j) {
            const double part = dot_of(q, &Q[j * m], m);
            N[rank * c + order[j]] = part;
            for (std::size_t i = 0; i < m; ++i)
                Q[j * m + i] -= part * q[i];
        }
    }
    std::fill(Q.begin() + std::ptrdiff_t(rank * m), Q.end(), 0.0);
    for (std::size_t k = 0; k < c; ++k) {
        for (std::size_t j = 0; j < c; ++j)
            merged_.values[set.to[j] + k * set.stride[j]] = N[k * c + j];
        for (std::size_t j = 0; j < c; ++j)
            merged_.values[set.diagonal + k * c + j] = j == k && k >= rank ? -1 : 0;
    }
}

double MergedMatrix::project(const Set& set, const ExposedRows& rows)
{
    const std::size_t m = set.height();
    double left = 0;
    for (std::size_t k = 0; k < set.width(); ++k) {
        off_[set.first + k] = 0;
        for (std::size_t i = 0; i < m; ++i)
            off_[set.first + k] += set.Q[k * m + i] * rows.off[set.row[i]];
    }
    for (std::size_t i = 0; i < m; ++i) {
        double off = rows.off[set.row[i]];
        for (std::size_t k = 0; k < set.width(); ++k)
            off -= set.Q[k * m + i] * off_[set.first + k];
        left = std::max(left, std::abs(off));
    }
    return left;
}

bool MergedMatrix::merge(const ExposedRows& rows, double tolerance)
{
    merged_.first_row = first_row;
    merged_.begin(is_banded_);
    for (const Copy& copy : copies_)
        std::copy_n(values.begin() + copy.from, copy.count, merged_.values.begin() + copy.to);
    const std::size_t count = merged_.pattern.size() - first_row;
    law_.assign(count, Law::equal);
    for (std::vector<double>* list : {&off_, &held_, &lo_, &hi_, &impulse_})
        list->assign(count, 0.0);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        law_[i] = rows.law[kept_[i]];
        off_[i] = rows.off[kept_[i]];
        held_[i] = rows.held[kept_[i]];
        lo_[i] = rows.lo[kept_[i]];
        hi_[i] = rows.hi[kept_[i]];
    }
    double scale = 0;
    for (const double off : rows.off)
        scale = std::max(scale, std::abs(off));
    const double allowed = std::max(kShared * tolerance, kContradict * scale);
    bool agree = true;
    for (Set& set : sets_) {
        fill(set, kNearlyDependent);
        if (project(set, rows) <= allowed)
            continue;
        agree = false;
        fill(set, kFar);
        project(set, rows);
    }
    return agree;
}

/// Impulses of all rows from those of the few.
void MergedMatrix::part(const ExposedRows& rows) const
{
    for (std::size_t i = 0; i < kept_.size(); ++i)
        rows.impulse[kept_[i]] = impulse_[i];
    for (const Set& set : sets_)
        for (std::size_t i = 0; i < set.height(); ++i) {
            double impulse = rows.held[set.row[i]];
            for (std::size_t k = 0; k < set.width(); ++k)
                impulse += set.Q[k * set.height() + i] * impulse_[set.first + k];
            rows.impulse[set.row[i]] = impulse;
        }
}

RowSolveReport MergedMatrix::solve(const ExposedRows& rows, double tolerance, bool keeps_matrix)
{
    if (!sets_.empty()) {
        const bool agree = merge(rows, tolerance);
        RowSolveReport report = merged_.solve({law_, off_, held_, lo_, hi_, impulse_}, tolerance);
        report.is_redundant = true;
        report.converged &= agree;
        part(rows);
        return report;
    }
    if (!is_planned_) {
        all_.pattern = given_;
        all_.first_row = first_row;
        all_.begin(is_banded_);
        is_planned_ = true;
    }
    std::swap(values, all_.values);
    const RowSolveReport report = all_.solve(rows, tolerance, keeps_matrix);
    std::swap(values, all_.values);
    return report;
}

} // namespace sinew
