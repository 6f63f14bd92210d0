// What is written and then forgotten: defs without an instance are looked into once, names that
// nothing uses get a warning. Mostly slips of the pen.

#include "charli/evaluate/evaluator.h"

#include "scene/fields.h"

#include <array>
#include <tuple>

namespace sinew::charli {

namespace {

/// How long each list of a scene is.
std::vector<std::size_t> sizes_of(const Scene& scene)
{
    std::vector<std::size_t> sizes;
    for_each_field(
        [&](FieldName, const auto& field) {
            if constexpr (requires { field.size(); })
                sizes.push_back(field.size());
        },
        scene);
    return sizes;
}

/// Cuts the lists of a scene back to what they were.
void cut_back(Scene& scene, const std::vector<std::size_t>& sizes)
{
    std::size_t k = 0;
    for_each_field(
        [&](FieldName, auto& field) {
            if constexpr (requires { field.size(); }) {
                field.erase(field.begin() + static_cast<std::ptrdiff_t>(sizes[k]), field.end());
                ++k;
            }
        },
        scene);
}

} // namespace

/// A def that nothing instances is carried out once, to find its mistakes, and taken out again.
/// A text may be bound many times, once for each instance around it; looking once is enough.
void Evaluator::check_unused_defs(std::size_t first_binding)
{
    const auto text_of = [&](const Binding& def) { return &def.tree->nodes[def.node]; };
    const std::size_t count = scopes_.bindings().size();
    for (std::size_t i = first_binding; i < count; ++i)
        if (const Binding& def = scopes_.bindings()[i];
            def.kind == BindingKind::def && def.is_used && def.tree)
            seen_defs_.insert(text_of(def));
    for (std::size_t i = first_binding; i < count && !is_exhausted_ && !report_.is_full(); ++i) {
        const Binding def = scopes_.bindings()[i]; // a copy: calling a function adds bindings
        if (def.kind == BindingKind::function && !def.is_used &&
            seen_defs_.insert(text_of(def)).second)
            call_function(static_cast<BindingId>(i), {});
        if (def.kind != BindingKind::def || def.is_used || !def.tree ||
            !seen_defs_.insert(text_of(def)).second)
            continue;
        scopes_.bindings()[i].is_used = true;
        look_into(static_cast<BindingId>(i));
    }
}

void Evaluator::look_into(BindingId id)
{
    const Binding def = scopes_.binding(id);
    const std::vector<std::size_t> sizes = sizes_of(scene);
    const std::size_t old_constraints = constraints_.size();
    const Settings settings = scene.settings;
    const std::size_t old_bindings = scopes_.bindings().size(), old_computed = computed_.size();
    const auto old_objects = static_cast<std::uint32_t>(scene.objects.size());
    const std::size_t old_triangles = triangle_count_;

    const NameKey own_key{scopes_[def.value_scope].object.index, def.symbol, Object::kNoIndex};
    const auto namesake = direct_.find(own_key);
    const std::optional<ObjectId> hidden =
        namesake == direct_.end() ? std::nullopt : std::optional(namesake->second);

    all_objects_exist_ = false;
    const ObjectId object = add_object(def.symbol, std::string(name(def.symbol)), Object::kNoIndex,
                                       def.value_scope, def.origin, false);
    if (!object.is_valid())
        return;
    instance_def(id, {}, object);
    close_object(object);
    scene.objects[0].end = static_cast<std::uint32_t>(scene.objects.size());
    all_objects_exist_ = true;
    resolve_pending();
    carry_out_statements();
    check_unused_defs(old_bindings); // defs inside it, while what is around them exists

    for (std::size_t i = scene.objects.size(); i-- > old_objects;) {
        const Object& gone = scene.objects[i];
        if (gone.is_anonymous && !named_constraints_.contains(static_cast<std::uint32_t>(i)))
            continue;
        const auto list = objects_by_name_.find(object_symbols_[i]);
        list->second.pop_back();
        if (list->second.empty())
            objects_by_name_.erase(list);
        const NameKey key{gone.parent.index, object_symbols_[i], gone.index};
        direct_.erase(key);
        if (i > object.index)
            named_at_.erase(key);
    }
    if (hidden)
        direct_.emplace(own_key, *hidden);
    cut_back(scene, sizes);
    constraints_.resize(old_constraints);
    constraint_questions_.clear(); // those of the scene have been answered
    std::erase_if(named_constraints_,
                  [&](const auto& named) { return named.first >= old_objects; });
    std::erase_if(probes_, [&](const auto& probe) { return probe.first >= scene.drawings.size(); });
    scene.settings = settings;
    triangle_count_ = old_triangles;
    motions_.clear();
    pending_sites_.clear();
    std::erase_if(surfaces_, [&](const auto& entry) {
        return entry.second.mesh != Shape::kNoMesh && entry.second.mesh >= scene.meshes.size();
    });
    scene.objects[0].end = old_objects;
    object_symbols_.resize(old_objects);
    object_scopes_.resize(old_objects);
    object_names_at_.resize(old_objects);
    object_is_named_.resize(old_objects);
    coordinate_scopes_.resize(scene.coordinates.size());
    traits_.resize(scene.formulas.size());
    std::erase_if(pending_frames_,
                  [&](const PendingFrames& p) { return p.track >= scene.tracks.size(); });
    std::erase_if(smooth_tracks_,
                  [&](std::uint32_t track) { return track >= scene.tracks.size(); });
    while (!aliases_.empty() && aliases_.back().formula >= scene.formulas.size())
        aliases_.pop_back();
    if (time_formula_ != Value::kNoFormula && time_formula_ >= scene.formulas.size())
        time_formula_ = Value::kNoFormula;
    // What was computed outside for its sake, a coordinate or an import, is gone as well.
    for (; computed_.size() > old_computed; computed_.pop_back())
        if (computed_.back() < old_bindings) {
            Binding& outer = scopes_.binding(computed_.back());
            outer.state =
                outer.node == kNoNode ? Binding::State::unassigned : Binding::State::waiting;
        }
}

void Evaluator::warn_unused()
{
    if (is_exhausted_)
        return;                                        // the rest of the script was not looked at
    const bool has_objects = scene.objects.size() > 1; // else the script is a fragment or a library
    note_empty_scene();
    // One declaration is bound once for each instance and round around it: one use is enough.
    const auto key = [](Origin origin) {
        return static_cast<std::uint64_t>(origin.file) << 32 | origin.offset;
    };
    std::unordered_set<std::uint64_t> used;
    for (const Binding& binding : scopes_.bindings())
        if (binding.is_used)
            used.insert(key(binding.origin));
    for (const Binding& binding : scopes_.bindings()) {
        const bool is_value =
            binding.kind == BindingKind::variable || binding.kind == BindingKind::dynamic;
        if (!is_value || binding.element != INT64_MIN || binding.origin.file != 0 ||
            used.contains(key(binding.origin)))
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

/// Defs, but nothing made of them: the last line was forgotten, or the file is there to be
/// included.
void Evaluator::note_empty_scene()
{
    if (scene.objects.size() > 1 || report_.has_errors())
        return;
    const Binding* last = nullptr;
    bool has_dynamic = false;
    for (const Binding& binding : scopes_.bindings()) {
        if (binding.origin.file != 0 || scopes_[binding.scope].parent != kNoScope)
            continue;
        has_dynamic = has_dynamic || binding.kind == BindingKind::dynamic;
        last = binding.kind == BindingKind::def ? &binding : last;
    }
    const bool is_empty = scene.masses.empty() && scene.box_masses.empty() &&
                          scene.labels.empty() && scene.drawings.empty() && scene.shapes.empty();
    if (last && has_dynamic && is_empty)
        report_.note(last->origin, "nothing-instanced", "the script defines objects but makes none",
                     "write `" + std::string(name(last->symbol)) + ";` to put one into the scene");
}

} // namespace sinew::charli
