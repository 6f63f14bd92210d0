#include "models/linkage/paper/instant.h"

#include "base/text.h"
#include "scene/formula.h"
#include "scene/validate/problems.h"

namespace sinew::charli_method {

namespace {

/// Leaves of values that depend on time and imports only.
struct KnownLeaves {
    double now;
    Side where;
    const std::vector<Jet2>& imports;

    Jet2 time() const { return Jet2::variable(now); }
    Jet2 along() const { return 0; }
    Side side() const { return where; }
    Jet2 coordinate(std::uint32_t) const { return 0; }
    Jet2 imported(std::uint32_t i) const { return imports[i]; }
    Jet2 position(const Formula&) const { return 0; }
};

/// An import along time, with the derivatives it knows; the others by five-point differences.
Jet2 follow_import(const ImportFunction& import, const Instant& instant)
{
    const auto at = [&](double time) {
        return import({time, instant.coordinates, instant.coordinate_rates});
    };
    const ImportValue here = at(instant.time);
    if (here.first && here.second)
        return {here.value, *here.first, *here.second};
    constexpr double kStep = 2e-3; // [s]: truncation step⁴ and rounding 1e-16/step² meet here
    const ImportValue far_back = at(instant.time - 2 * kStep), back = at(instant.time - kStep),
                      on = at(instant.time + kStep), far_on = at(instant.time + 2 * kStep);
    const auto slope = [&](double a, double b, double c, double d) {
        return (a - 8 * b + 8 * c - d) / (12 * kStep);
    };
    const double first =
        here.first ? *here.first : slope(far_back.value, back.value, on.value, far_on.value);
    if (here.second)
        return {here.value, first, *here.second};
    if (here.first && far_back.first && back.first && on.first && far_on.first)
        return {here.value, first, slope(*far_back.first, *back.first, *on.first, *far_on.first)};
    const double second =
        (-far_back.value + 16 * back.value - 30 * here.value + 16 * on.value - far_on.value) /
        (12 * kStep * kStep);
    return {here.value, first, second};
}

Jet2 evaluate_known(const Scene& scene, const Known& known, const std::vector<Jet2>& before,
                    const KnownLeaves& leaves)
{
    switch (known.kind) {
    case KnownKind::number: return known.number;
    case KnownKind::value: return evaluate<Jet2>(scene, known.value, leaves);
    case KnownKind::cosine: return cos(before[known.a]);
    case KnownKind::sine: return sin(before[known.a]);
    case KnownKind::add: return before[known.a] + before[known.b];
    case KnownKind::subtract: return before[known.a] - before[known.b];
    case KnownKind::multiply: return before[known.a] * before[known.b];
    }
    return 0;
}

} // namespace

void read_coordinates(const System& system, std::span<const double> values,
                      std::span<const double> rates, std::span<double> coordinates,
                      std::span<double> coordinate_rates)
{
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (const std::uint32_t unknown = system.script_unknowns[i]; unknown != kNone) {
            coordinates[i] = values[unknown];
            coordinate_rates[i] = rates[unknown];
        }
    for (std::size_t k = 0; k < system.followers.size(); ++k) {
        coordinates[system.followers[k]] = values[system.unknowns.size() + k];
        coordinate_rates[system.followers[k]] = rates[system.unknowns.size() + k];
    }
}

void update_instant(const System& system, std::span<const ImportFunction> imports, Instant& instant)
{
    instant.coordinates.resize(system.scene.coordinates.size());
    instant.coordinate_rates.resize(system.scene.coordinates.size());
    read_coordinates(system, instant.values, instant.rates, instant.coordinates,
                     instant.coordinate_rates);
    instant.imports.assign(imports.size(), {});
    for (std::size_t i = 0; i < imports.size(); ++i)
        if (system.driving_imports[i])
            instant.imports[i] = follow_import(imports[i], instant);
    const KnownLeaves leaves{instant.time, instant.side, instant.imports};
    instant.knowns.clear();
    for (const Known& known : system.knowns)
        instant.knowns.push_back(evaluate_known(system.scene, known, instant.knowns, leaves));
}

std::optional<Problem> find_import_of_state(const System& system,
                                            std::span<const ImportFunction> imports,
                                            const Instant& instant)
{
    const Scene& scene = system.scene;
    std::vector<double> elsewhere = instant.coordinates, otherwise = instant.coordinate_rates;
    for (std::size_t i = 0; i < elsewhere.size(); ++i) {
        elsewhere[i] += 0.3 + 0.1 * double(i % 5);
        otherwise[i] -= 0.2 + 0.1 * double(i % 7);
    }
    for (std::size_t i = 0; i < imports.size(); ++i) {
        if (!system.driving_imports[i] || elsewhere.empty())
            continue;
        const double there = imports[i]({instant.time, elsewhere, otherwise}).value;
        if (there != instant.imports[i].value)
            return make_problem(
                scene, Severity::error, "import-of-state", scene.imports[i].origin,
                "imports[" + std::to_string(i) + "]",
                "import '" + scene.imports[i].name +
                    "' drives a place and depends on coordinates or rates; `method = charli` takes "
                    "what drives a place as a function of time",
                "let it depend on time alone, use it in a force, or leave `method = charli` away");
    }
    return std::nullopt;
}

std::optional<Problem> find_not_finite(const System& system, const Instant& instant)
{
    for (std::size_t i = 0; i < instant.knowns.size(); ++i)
        if (!is_finite(instant.knowns[i]))
            return make_problem(system.scene, Severity::error, "not-finite",
                                system.knowns[i].origin, "values",
                                "at " + number_text(instant.time) +
                                    " s this, or its rate of change, is not a finite number",
                                "check for a division by zero, a root of zero or less");
    return std::nullopt;
}

} // namespace sinew::charli_method
