// The numbers that transformations and constraints are made of: known, coordinates of the script,
// or formulas, which are coordinates with an equation a − F(q, t) = 0 of their own.
//
// A rotation by a free amount has ξ and η with ξ² + η² − 1 = 0 instead of its angle θ
// [HerrWyvill90, f₇]. Differs from the paper: where something else needs the angle too (a formula,
// a translation by the same coordinate), θ is a coordinate as well, tied by θ̇ = ξη̇ − ηξ̇, so that
// it stays continuous over any number of turns.

#include "models/linkage/paper/builder.h"

#include "math/functions.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew::charli_method {

Factor Builder::add_number(double number)
{
    const auto [entry, is_new] = numbers_.try_emplace(number);
    if (is_new) {
        entry->second = {true, static_cast<std::uint32_t>(system_.knowns.size())};
        system_.knowns.push_back({.kind = KnownKind::number, .number = number});
    }
    return entry->second;
}

std::optional<double> Builder::number_of(Factor factor) const
{
    if (!factor.is_known || system_.knowns[factor.index].kind != KnownKind::number)
        return std::nullopt;
    return system_.knowns[factor.index].number;
}

Factor Builder::add_known(Value value, Origin origin)
{
    if (value.is_constant())
        return add_number(value.number);
    const auto [entry, is_new] = known_formulas_.try_emplace(value.formula);
    if (!is_new)
        return entry->second;
    for_each_leaf(scene_, value, [&](const Formula& formula) {
        if (formula.operation == Operation::imported)
            system_.driving_imports[formula.index] = true;
    });
    entry->second = {true, static_cast<std::uint32_t>(system_.knowns.size())};
    system_.knowns.push_back({.kind = KnownKind::value, .value = value, .origin = origin});
    return entry->second;
}

/// a ∘ b of knowns; constants are computed at once.
Factor Builder::combine(KnownKind kind, Factor a, Factor b)
{
    const std::optional<double> m = number_of(a), n = number_of(b);
    if (m && n) {
        switch (kind) {
        case KnownKind::cosine: return add_number(cos(*m));
        case KnownKind::sine: return add_number(sin(*m));
        case KnownKind::add: return add_number(*m + *n);
        case KnownKind::subtract: return add_number(*m - *n);
        default: return add_number(*m * *n);
        }
    }
    if (kind == KnownKind::multiply && (m == 0.0 || n == 0.0))
        return kZero;
    if ((kind == KnownKind::multiply && n == 1.0) ||
        ((kind == KnownKind::add || kind == KnownKind::subtract) && n == 0.0))
        return a;
    if ((kind == KnownKind::multiply && m == 1.0) || (kind == KnownKind::add && m == 0.0))
        return b;
    system_.knowns.push_back({.kind = kind, .a = a.index, .b = b.index});
    return {true, static_cast<std::uint32_t>(system_.knowns.size() - 1)};
}

std::uint32_t Builder::add_unknown(std::string name, bool is_length, Definition definition)
{
    system_.unknowns.push_back(
        {.name = std::move(name), .is_length = is_length, .definition = definition});
    return static_cast<std::uint32_t>(system_.unknowns.size() - 1);
}

void Builder::add_row(Row row, std::vector<std::uint32_t> columns)
{
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    row.first_column = static_cast<std::uint32_t>(system_.columns.size());
    row.column_count = static_cast<std::uint32_t>(columns.size());
    system_.columns.insert(system_.columns.end(), columns.begin(), columns.end());
    system_.rows.push_back(row);
}

void Builder::add_sum(std::vector<Term> terms, bool is_length, std::uint32_t statement,
                      std::uint32_t distance)
{
    Row row{.kind = RowKind::sum,
            .first = static_cast<std::uint32_t>(system_.terms.size()),
            .statement = statement,
            .is_length = is_length,
            .distance = distance,
            .is_for_zero = distance != kNone};
    std::vector<std::uint32_t> columns;
    for (Term& term : terms) {
        for (Factor* factor : {&term.a, &term.b})
            if (const auto number = number_of(*factor)) {
                term.coefficient *= *number;
                *factor = kOne;
            }
        if (term.coefficient == 0)
            continue;
        for (const Factor factor : {term.a, term.b})
            if (!factor.is_known)
                columns.push_back(factor.index);
        system_.terms.push_back(term);
        ++row.count;
    }
    add_row(row, std::move(columns));
}

void Builder::add_coincidence(const Triple& a, const Triple& b, std::uint32_t statement,
                              std::uint32_t distance)
{
    for (std::size_t k = 0; k < 3; ++k)
        add_sum({{1, a[k], kOne}, {-1, b[k], kOne}}, true, statement, distance);
}

bool Builder::is_known(Value value) const
{
    return value.is_constant() || (traits_[value.formula].dependence &
                                   (Dependence::kCoordinate | Dependence::kPosition)) == 0;
}

Factor Builder::amount(Value value, Origin origin, bool is_length)
{
    if (is_known(value))
        return add_known(value, origin);
    const Formula& formula = scene_.formulas[value.formula];
    if (formula.operation == Operation::coordinate)
        return {false, script_unknown(formula.index, is_length)};
    if (const auto found = formula_unknowns_.find(value.formula); found != formula_unknowns_.end())
        return found->second;
    const Factor out{false, add_formula(value, origin, is_length)};
    formula_unknowns_[value.formula] = out;
    return out;
}

std::uint32_t Builder::script_unknown(std::uint32_t coordinate, bool is_length)
{
    std::uint32_t& unknown = system_.script_unknowns[coordinate];
    if (unknown == kNone) {
        unknown = add_unknown(scene_.coordinates[coordinate].name, is_length,
                              {DefinitionKind::script, coordinate});
        if (const std::uint32_t turn = system_.script_turns[coordinate]; turn != kNone) {
            system_.turns[turn].theta = unknown;
            tie_angle(turn);
        }
    }
    return unknown;
}

std::uint32_t Builder::add_formula(Value value, Origin origin, bool is_length)
{
    need_positions(value);
    std::vector<std::uint32_t> columns;
    for_each_leaf(scene_, value, [&](const Formula& formula) {
        if (formula.operation == Operation::coordinate)
            columns.push_back(script_unknown(formula.index, is_length));
        else if (formula.operation == Operation::position) {
            const Factor factor = system_.positions[&formula - scene_.formulas.data()];
            if (!factor.is_known)
                columns.push_back(factor.index);
        } else if (formula.operation == Operation::imported)
            system_.driving_imports[formula.index] = true;
    });
    const auto row = static_cast<std::uint32_t>(system_.rows.size());
    const std::string text = text_of(scene_, origin);
    const std::uint32_t out = add_unknown("`" + (text.empty() ? "formula" : text) + "`", is_length,
                                          {DefinitionKind::row, row});
    columns.push_back(out);
    add_row({.kind = RowKind::formula,
             .first = static_cast<std::uint32_t>(system_.formulas.size()),
             .is_length = is_length},
            std::move(columns));
    system_.formulas.push_back({value, out});
    return out;
}

/// The places a formula is made of become numbers of the system.
void Builder::need_positions(Value value)
{
    for_each_leaf(scene_, value, [&](const Formula& formula) {
        if (formula.operation != Operation::position)
            return;
        const Triple point = seen(ObjectId{formula.index}, formula.frame);
        system_.positions[&formula - scene_.formulas.data()] =
            point[static_cast<std::size_t>(formula.axis)];
    });
}

/// ξ and η of a rotation.
std::pair<Factor, Factor> Builder::turn(Value value, Origin origin)
{
    if (is_known(value)) {
        const Factor angle = add_known(value, origin);
        return {combine(KnownKind::cosine, angle), combine(KnownKind::sine, angle)};
    }
    const Formula& formula = scene_.formulas[value.formula];
    std::uint32_t number = kNone;
    if (formula.operation == Operation::coordinate) {
        const std::uint32_t script = formula.index;
        number = system_.script_turns[script];
        if (number == kNone)
            number = system_.script_turns[script] =
                add_turn(scene_.coordinates[script].name, script, system_.script_unknowns[script]);
    } else {
        const std::uint32_t theta = amount(value, origin, false).index;
        const auto [entry, is_new] = formula_turns_.try_emplace(theta);
        if (is_new)
            entry->second = add_turn(system_.unknowns[theta].name, kNone, theta);
        number = entry->second;
    }
    const Turn& turn = system_.turns[number];
    return {{false, turn.xi}, {false, turn.eta}};
}

std::uint32_t Builder::add_turn(std::string name, std::uint32_t script, std::uint32_t theta)
{
    const auto number = static_cast<std::uint32_t>(system_.turns.size());
    const std::uint32_t xi = add_unknown(name + ".xi", false, {DefinitionKind::cosine, number});
    const std::uint32_t eta = add_unknown(name + ".eta", false, {DefinitionKind::sine, number});
    system_.turns.push_back({xi, eta, script, theta});
    const Factor c{false, xi}, s{false, eta};
    add_sum({{1, c, c}, {1, s, s}, {-1, kOne, kOne}}, false); // [HerrWyvill90, f₇]
    if (theta != kNone)
        tie_angle(number);
    return number;
}

void Builder::tie_angle(std::uint32_t turn)
{
    const Turn& t = system_.turns[turn];
    add_row({.kind = RowKind::angle, .first = turn, .is_length = false}, {t.theta, t.xi, t.eta});
}

} // namespace sinew::charli_method
