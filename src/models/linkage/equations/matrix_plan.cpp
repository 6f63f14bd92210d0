// Two orders for little fill are tried, in both of which every row follows all of its unknowns. So
// the block in front of any row is positive definite in the unknowns, the pivot of an unknown is
// positive, that of a row negative, and zero only if the row depends on rows before it: no pivoting
// is needed, and dependence shows in one number.

#include "models/linkage/equations/matrix.h"

#include <algorithm>
#include <unordered_map>

namespace sinew {

namespace {

class Entries {
public:
    explicit Entries(std::vector<MatrixEntry>& list) : list_(list) {}

    std::uint32_t add(std::uint32_t a, std::uint32_t b)
    {
        const std::uint64_t key = (std::uint64_t(std::max(a, b)) << 32) | std::min(a, b);
        const auto [entry, is_new] =
            index_.try_emplace(key, static_cast<std::uint32_t>(list_.size()));
        if (is_new)
            list_.push_back({std::max(a, b), std::min(a, b)});
        return entry->second;
    }

    void add_pairs(std::span<const std::uint32_t> columns, std::vector<std::uint32_t>& out)
    {
        for (std::size_t i = 0; i < columns.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j)
                out.push_back(add(columns[i], columns[j]));
    }

private:
    std::vector<MatrixEntry>& list_;
    std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

std::span<const std::uint32_t> columns_of_point(const LinkagePlan& plan, std::uint32_t point)
{
    const Range range = plan.points[point].partials;
    return {plan.partial_columns.data() + range.first, range.count};
}

std::span<const std::uint32_t> columns_of_row(const LinkagePlan& plan, const PlannedRow& row)
{
    return {plan.row_columns.data() + row.columns.first, row.columns.count};
}

/// Which unknowns move a mass, directly or through relays.
std::vector<bool> find_massive_columns(const LinkagePlan& plan)
{
    std::vector<bool> has_mass(plan.column_count);
    for (const PlannedMass& mass : plan.masses)
        for (const std::uint32_t c : columns_of_point(plan, mass.point))
            has_mass[c] = true;
    for (std::size_t r = plan.relays.size(); r-- > 0;) { // children first
        const PlannedRelay& relay = plan.relays[r];
        if (has_mass[relay.first_column])
            for (std::uint32_t i = relay.walk.first; i < relay.walk.end(); ++i)
                has_mass[plan.walk_columns[i]] = true;
    }
    for (const PlannedRelay& relay : plan.relays)
        for (std::uint32_t i = 0; i < 6; ++i)
            has_mass[relay.first_column + i] = true; // its own rows see to that
    return has_mass;
}

/// The terms of a pair of points: columns of a, then of b.
std::vector<std::uint32_t> terms_of_pair(const LinkagePlan& plan, std::uint32_t a, std::uint32_t b)
{
    std::vector<std::uint32_t> terms;
    for (const std::uint32_t point : {a, b}) {
        const std::span<const std::uint32_t> columns = columns_of_point(plan, point);
        terms.insert(terms.end(), columns.begin(), columns.end());
    }
    return terms;
}

/// Little fill of W + JᵀJ; every row follows the last of its unknowns. Best where W ties the
/// unknowns to one another: relays.
std::vector<std::uint32_t> order_by_columns(const LinkagePlan& plan, const MatrixPlan& matrix)
{
    std::vector<MatrixEntry> pattern;
    for (const MatrixEntry& entry : matrix.entries)
        if (entry.row < plan.column_count)
            pattern.push_back(entry);
    for (const PlannedRow& row : plan.rows) {
        const std::span<const std::uint32_t> columns = columns_of_row(plan, row);
        for (std::size_t i = 0; i < columns.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                pattern.push_back({columns[i], columns[j]});
    }
    const std::vector<std::uint32_t> columns = find_elimination_order(plan.column_count, pattern);
    std::vector<std::uint32_t> place(columns.size());
    for (std::uint32_t k = 0; k < columns.size(); ++k)
        place[columns[k]] = k;
    std::vector<std::vector<std::uint32_t>> rows_behind(columns.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < plan.rows.size(); ++r) {
        std::uint32_t last = 0;
        for (const std::uint32_t c : columns_of_row(plan, plan.rows[r]))
            last = std::max(last, place[c]);
        if (plan.rows[r].columns.count == 0)
            order.push_back(plan.column_count + r); // moves nothing: dropped by its zero pivot
        else
            rows_behind[last].push_back(plan.column_count + r);
    }
    for (std::uint32_t k = 0; k < columns.size(); ++k) {
        order.push_back(columns[k]);
        order.insert(order.end(), rows_behind[k].begin(), rows_behind[k].end());
    }
    return order;
}

/// Little fill of the whole matrix; unknowns are moved in front of the first of their rows. Best
/// where only rows tie the masses: a net falls apart without the threads across a line, but by its
/// knots only without three unknowns each and all the rows that wait for them.
std::vector<std::uint32_t> order_by_all(const LinkagePlan& plan, const MatrixPlan& matrix)
{
    std::vector<bool> is_placed(plan.matrix_size());
    std::vector<std::uint32_t> order;
    const auto place = [&](std::uint32_t i) {
        if (!is_placed[i])
            order.push_back(i);
        is_placed[i] = true;
    };
    for (const std::uint32_t i : find_elimination_order(plan.matrix_size(), matrix.entries)) {
        if (i >= plan.column_count)
            for (const std::uint32_t c : columns_of_row(plan, plan.rows[i - plan.column_count]))
                place(c);
        place(i);
    }
    return order;
}

std::vector<std::uint32_t> find_order(const LinkagePlan& plan, const MatrixPlan& matrix)
{
    const auto cost_of = [&](const std::vector<std::uint32_t>& order) {
        return LdlPlan(plan.matrix_size(), matrix.entries, order).factor_cost();
    };
    std::vector<std::uint32_t> by_columns = order_by_columns(plan, matrix);
    std::vector<std::uint32_t> by_all = order_by_all(plan, matrix);
    return cost_of(by_all) < cost_of(by_columns) ? by_all : by_columns;
}

} // namespace

MatrixPlan make_matrix_plan(const LinkagePlan& plan, bool stabilise_all, bool with_springs)
{
    MatrixPlan matrix;
    Entries entries(matrix.entries);
    for (std::uint32_t i = 0; i < plan.matrix_size(); ++i)
        entries.add(i, i);
    for (const PlannedMass& mass : plan.masses)
        entries.add_pairs(columns_of_point(plan, mass.point), matrix.mass_entries);
    for (const PlannedTurn& turn : plan.turns)
        entries.add_pairs(turn.columns, matrix.turn_entries);
    const std::vector<bool> has_mass = find_massive_columns(plan);
    for (const PlannedRow& row : plan.rows) {
        bool is_stabilised = stabilise_all || row.statement == kNoIndex;
        for (const std::uint32_t c : columns_of_row(plan, row))
            is_stabilised = is_stabilised || !has_mass[c];
        matrix.is_stabilised.push_back(is_stabilised);
        if (is_stabilised)
            entries.add_pairs(columns_of_row(plan, row), matrix.stabiliser_entries);
    }
    matrix.has_springs = with_springs;
    if (with_springs) {
        for (const PlannedPointSpring& spring : plan.point_springs)
            entries.add_pairs(terms_of_pair(plan, spring.a, spring.b), matrix.spring_entries);
        for (const PlannedTie& tie : plan.ties)
            if (tie.kind == TieKind::distance)
                entries.add_pairs(terms_of_pair(plan, tie.a, tie.b), matrix.spring_entries);
        for (const PlannedDrag& drag : plan.drags)
            entries.add_pairs(columns_of_point(plan, drag.point), matrix.drag_entries);
    }
    for (std::uint32_t r = 0; r < plan.rows.size(); ++r)
        for (const std::uint32_t c : columns_of_row(plan, plan.rows[r]))
            matrix.jacobian_entries.push_back(entries.add(plan.column_count + r, c));
    matrix.order = find_order(plan, matrix);
    matrix.pivot_kinds.assign(plan.column_count, PivotKind::mass);
    matrix.pivot_kinds.resize(plan.matrix_size(), PivotKind::constraint);
    return matrix;
}

} // namespace sinew
