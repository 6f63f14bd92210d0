// Elimination row by row: each is freed of the pivots of those before it, the largest number that
// is left is the next pivot. Rows of rods have few columns, and stay short.

#include "islands/rows/redundant.h"

#include "math/rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sinew {

namespace {

using Numbers = std::map<std::uint32_t, double>;

double size_of(const Numbers& row)
{
    double largest = 0;
    for (const auto& [column, number] : row)
        largest = std::max(largest, std::abs(number));
    return largest;
}

/// The pivots so far: a row each, by age, and which a column belongs to.
struct Pivots {
    std::vector<Numbers> row;
    std::vector<std::uint32_t> column;
    std::map<std::uint32_t, std::size_t> of_column;
};

/// Takes the pivots out of a row, the oldest first: their rows hold none that are older.
void eliminate(const Pivots& pivots, Numbers& row)
{
    std::set<std::size_t> due;
    const auto note = [&](std::uint32_t column) {
        if (const auto found = pivots.of_column.find(column); found != pivots.of_column.end())
            due.insert(found->second);
    };
    for (const auto& [column, number] : row)
        note(column);
    while (!due.empty()) {
        const std::size_t k = *due.begin();
        due.erase(due.begin());
        const Numbers& pivot = pivots.row[k];
        const double factor = row[pivots.column[k]] / pivot.at(pivots.column[k]);
        for (const auto& [column, number] : pivot) {
            row[column] -= factor * number;
            if (column != pivots.column[k])
                note(column);
        }
        row.erase(pivots.column[k]);
    }
}

} // namespace

std::vector<std::size_t> find_redundant(std::span<const SparseRow> rows)
{
    std::vector<std::size_t> redundant;
    Pivots pivots;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Numbers row;
        for (const auto& [column, number] : rows[i])
            row[column] += number;
        const double least = kDependent * size_of(row);
        eliminate(pivots, row);
        std::erase_if(row, [&](const auto& entry) { return !(std::abs(entry.second) > least); });
        if (row.empty()) {
            redundant.push_back(i);
            continue;
        }
        const auto largest = std::ranges::max_element(
            row, {}, [](const auto& entry) { return std::abs(entry.second); });
        pivots.of_column[largest->first] = pivots.row.size();
        pivots.column.push_back(largest->first);
        pivots.row.push_back(std::move(row));
    }
    return redundant;
}

} // namespace sinew
