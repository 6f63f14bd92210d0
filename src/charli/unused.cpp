// Names that are declared and then forgotten: mostly slips of the pen.

#include "charli/evaluator.h"

namespace sinew::charli {

void Evaluator::warn_unused()
{
    if (is_exhausted_)
        return;                                        // the rest of the script was not looked at
    const bool has_objects = scene.objects.size() > 1; // else the script is a fragment or a library
    for (const Binding& binding : scopes_.bindings()) {
        const bool is_value =
            binding.kind == BindingKind::variable || binding.kind == BindingKind::dynamic;
        if (!is_value || binding.is_used || binding.element != INT64_MIN ||
            binding.origin.file != 0)
            continue;
        const std::string quoted = "'" + std::string(name(binding.symbol)) + "'";
        const bool is_assigned =
            binding.state != Binding::State::unassigned || binding.has_elements;
        if (!is_assigned)
            report_.warning(binding.origin, "never-used", quoted + " is declared but never used",
                            "remove it");
        else if (has_objects && binding.kind == BindingKind::dynamic)
            report_.warning(binding.origin, "moves-nothing", "dynamic " + quoted + " moves nothing",
                            "use it in a transformation, or remove it");
        else if (has_objects && !binding.has_elements)
            report_.warning(binding.origin, "never-used", quoted + " has a value but is never used",
                            "use it or remove it");
    }
}

} // namespace sinew::charli
