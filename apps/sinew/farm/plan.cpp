// `sinew plan`: what of a shot can be computed in parts, and why not the rest.

#include "farm/parts.h"
#include "printing.h"

#include "sinew/language.h"
#include "sinew/parts.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sinew::app {

namespace {

void print_plan(const PlanOptions& options, const Scene& scene, const PartPlan& plan)
{
    fmt::print("{}: {} of strands and {} of rods can be cut into {}\n", options.script,
               count_of(std::int64_t(plan.tree_count), "tree", "trees"),
               count_of(std::int64_t(plan.island_count), "island", "islands"),
               count_of(plan.count, "part", "parts"));
    const auto print_own = [](const std::vector<std::size_t>& counts, const char* what) {
        const auto [least, most] = std::ranges::minmax(counts);
        if (most > 0)
            fmt::print("  each part    {} to {} {} of its own\n", least, most, what);
    };
    print_own(plan.segments, "segments");
    print_own(plan.spans, "spans");
    fmt::print("  every part   {}, {}, {} of rods, {} of strands\n",
               count_of(std::int64_t(scene.coordinates.size()), "coordinate", "coordinates"),
               count_of(std::int64_t(scene.bodies.size()), "body", "bodies"),
               count_of(std::int64_t(plan.shared_spans), "span", "spans"),
               count_of(std::int64_t(plan.shared_segments), "segment", "segments"));
    for (const PartPlan::Reason& reason : plan.reasons) {
        fmt::print("  not cut      {}: they {}, '{}' first\n",
                   count_of(std::int64_t(reason.count), reason.one.c_str(), reason.many.c_str()),
                   reason.why, printable(reason.example));
        if (!reason.hint.empty())
            fmt::print("               hint: {}\n", reason.hint);
    }
    if (plan.can_cut())
        fmt::print("sinew run {} --part K/{} for K = 1 to {}, then sinew join\n", options.script,
                   plan.count, plan.count);
}

void print_plan_json(const PartPlan& plan)
{
    nlohmann::json reasons = nlohmann::json::array();
    for (const PartPlan::Reason& reason : plan.reasons)
        reasons.push_back({{"what", reason.many},
                           {"why", reason.why},
                           {"example", reason.example},
                           {"count", reason.count}});
    print_json({{"parts", plan.count},
                {"trees", plan.tree_count},
                {"segments", plan.segments},
                {"shared_segments", plan.shared_segments},
                {"islands", plan.island_count},
                {"spans", plan.spans},
                {"shared_spans", plan.shared_spans},
                {"not_cut", reasons}});
}

} // namespace

ScriptReading read_own_part(const RunOptions& options, ScriptReading whole)
{
    const PartPlan plan = plan_parts(whole.scene, options.part_count);
    if (plan.can_cut())
        return read_part(std::move(whole), plan, options.part);
    whole.problems.push_back({.code = "parts-none",
                              .place = {.file = options.script},
                              .what = "nothing in it can be computed apart",
                              .hint = "`sinew plan` says why; run it as a whole"});
    return whole;
}

/// Counts the curves of the whole script, and looks for faults in the first part.
int plan(const PlanOptions& options)
{
    ScriptReading reading =
        read_script_file(options.script, {.parameters = options.parameters, .makes_curves = false});
    PartPlan made;
    if (reading.is_sound()) {
        made = plan_parts(reading.scene, options.parts);
        reading = read_part(std::move(reading), made, 1, {.check_start = false});
    }
    if (!reading.is_sound()) {
        print_refusal(options.script, reading.problems, options.colour);
        return 1;
    }
    if (options.json)
        print_plan_json(made);
    else
        print_plan(options, reading.scene, made);
    return made.can_cut() ? 0 : 1;
}

} // namespace sinew::app
