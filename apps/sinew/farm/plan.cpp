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
    const auto [least, most] = std::ranges::minmax(plan.segments);
    fmt::print("{}: {} of strands can be cut into {}\n", options.script,
               count_of(std::int64_t(plan.tree_count), "tree", "trees"),
               count_of(plan.count, "part", "parts"));
    if (plan.can_cut())
        fmt::print("  each part    {} to {} segments of its own\n", least, most);
    fmt::print("  every part   {}, {}, {}, {}\n",
               count_of(std::int64_t(scene.coordinates.size()), "coordinate", "coordinates"),
               count_of(std::int64_t(scene.bodies.size()), "body", "bodies"),
               count_of(std::int64_t(scene.rods.size()), "rod", "rods"),
               count_of(std::int64_t(plan.shared_segments), "segment", "segments"));
    for (const PartPlan::Reason& reason : plan.reasons) {
        fmt::print("  not cut      {}: they {}, '{}' first\n",
                   count_of(std::int64_t(reason.count), "tree", "trees"), reason.why,
                   printable(reason.example));
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
        reasons.push_back(
            {{"why", reason.why}, {"example", reason.example}, {"count", reason.count}});
    print_json({{"parts", plan.count},
                {"trees", plan.tree_count},
                {"segments", plan.segments},
                {"shared_segments", plan.shared_segments},
                {"not_cut", reasons}});
}

} // namespace

Result<Scene> scene_of_part(const RunOptions& options, const Scene& whole)
{
    const PartPlan plan = plan_parts(whole, options.part_count);
    if (plan.can_cut())
        return cut_scene(whole, plan, options.part);
    return Problem{.code = "parts-none",
                   .place = {.file = options.script},
                   .what = "nothing in it can be computed apart",
                   .hint = "`sinew plan` says why; run it as a whole"};
}

int plan(const PlanOptions& options)
{
    const ScriptReading reading =
        read_script_file(options.script, {.parameters = options.parameters});
    if (!reading.is_sound()) {
        print_refusal(options.script, reading.problems, options.colour);
        return 1;
    }
    const PartPlan made = plan_parts(reading.scene, options.parts);
    if (options.json)
        print_plan_json(made);
    else
        print_plan(options, reading.scene, made);
    return made.can_cut() ? 0 : 1;
}

} // namespace sinew::app
