// The three passes over a script: declare, instance, state. See evaluator.h.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace sinew::charli {

Evaluator::Evaluator(const Limits& limits, Symbols& symbols, Report& report,
                     const ReadFile& read_file, const ReadOptions& options)
    : limits_(limits), symbols_(symbols), report_(report), read_file_(read_file), options_(options)
{
}

void Evaluator::run(const Tree& main, const std::string& folder)
{
    main_ = &main;
    folder_ = folder;
    include_stack_.push_back(std::filesystem::path(main.source.name).filename().string());
    files_by_name_.emplace(include_stack_.back(), &main);

    const ObjectId world = add_object(kNoSymbol, "world", Object::kNoIndex, kNoScope, {}, true);
    object_scopes_[0] = scopes_.add(kNoScope, world);
    run_body({&main, main.root, object_scopes_[0]}, world);
    close_object(world);
    all_objects_exist_ = true;
    number_siblings();
    resolve_pending();
    finish_parameters();
    carry_out_statements();
    tells_of_strands_ = spoiling_errors_ == 0;
    finish_strands();
    tell_of_curves();
    finish_bodies();
    close_rods();
    cut_rods();
    sort_constraints();
    check_unused_defs(0);
    check_attribute_names();
    warn_unused();
    finish_frames();
    finish_smooth_tracks();
    check_formulas();
    name_coordinates();
    scene.files = report_.files;
    scene.assets = assets_;
}

void Evaluator::run_body(Site block, ObjectId)
{
    const std::size_t first_binding = scopes_.bindings().size();
    Block actions;
    declare_block(block, actions);
    force_values(first_binding);
    instance_block(actions);
}

void Evaluator::instance_block(const Block& block)
{
    for (const Action& action : block.actions) {
        if (is_exhausted_)
            return;
        if (action.block >= 0) {
            const Block inner = std::move(blocks_[action.block]);
            const ObjectId object =
                add_object(inner.name, std::string(name(inner.name)), Object::kNoIndex,
                           action.site.scope, inner.origin, false);
            if (!object.is_valid())
                return;
            object_is_named_[object.index] = true;
            object_scopes_[object.index] = inner.scope;
            scopes_[inner.scope].object = object;
            instance_block(inner);
            close_object(object);
            continue;
        }
        const Tree& tree = *action.site.tree;
        const Node& node = tree.nodes[action.site.node];
        current_event_ = action.event;
        if (node.kind != NodeKind::assign) {
            instance_item(action.site, kNoSymbol, Object::kNoIndex, {});
            continue;
        }
        const NodeId target = node.first_child;
        std::int64_t index = Object::kNoIndex;
        if (tree.nodes[target].first_child != kNoNode) {
            const NodeId index_node = tree.nodes[tree.nodes[target].first_child].first_child;
            const auto whole = evaluate_whole({&tree, index_node, action.site.scope}, "an index");
            if (!whole)
                continue;
            index = *whole;
        }
        const Token& token = tree.first_token(target);
        instance_item({&tree, tree.nodes[target].next, action.site.scope}, token.symbol, index,
                      tree.origin(token));
    }
}

void Evaluator::carry_out_statements()
{
    // Statements of defs that are only looked at come later and are carried out there.
    for (std::size_t i = 0; i < statements_.size() && !is_exhausted_; ++i)
        carry_out(statements_[i]);
    statements_.clear();
}

void Evaluator::carry_out(const Statement& statement)
{
    const Site site = statement.site;
    const Tree& tree = *site.tree;
    const NodeId head = tree.nodes[site.node].kind == NodeKind::item
                            ? tree.nodes[site.node].first_child
                            : site.node;
    Arguments arguments = bind_arguments({&tree, head, site.scope}, *statement.word);

    std::vector<ObjectId> on;
    for (const NodeId part : children(tree, site.node)) {
        if (tree.nodes[part].kind != NodeKind::on || !statement.word->takes_on)
            continue;
        for (const NodeId designator : children(tree, part)) {
            const ObjectId object = find_object({&tree, designator, site.scope});
            arguments.is_good = arguments.is_good && object.is_valid();
            on.push_back(object);
        }
    }
    if (statement.word->takes_on && on.empty() && statement.word->kind != WordKind::strand) {
        error(tree.origin(head), "missing-on",
              "'" + std::string(statement.word->name) + "' acts on nothing",
              "say on what: `" + std::string(statement.word->example) + "`");
        return;
    }
    if (!arguments.is_good)
        return;
    if (!statement.word->add)
        return carry_out_echo(site, *statement.word, arguments);
    const Surface surface = find_surface({&tree, head, site.scope}, *statement.word, arguments);
    const Groom* groom = find_groom({&tree, head, site.scope}, *statement.word, arguments);
    const auto shot = find_shot({&tree, head, site.scope}, *statement.word, arguments);
    const ObjectId object =
        find_frame({&tree, head, site.scope}, *statement.word, statement.object, arguments);
    if (!arguments.is_good)
        return;
    if (groom && groom->unmade)
        unmade.add(static_cast<std::uint32_t>(scene.paths.size()), groom->unmade);
    if (groom && !groom->stiffness.empty())
        mapped_grooms_[static_cast<std::uint32_t>(scene.paths.size())] = groom;
    std::vector<CallFault> faults;
    const Bound event = statement.event.tree ? event_of(statement.event) : Bound{};
    if (event.kind == Bound::Kind::poison)
        return;
    const auto made = std::ranges::find_if(
        scene.events, [&](const Event& each) { return each.time == event.coordinate; });
    std::vector<Event::RateSet> rates;
    const std::vector<std::size_t> before = sizes_of_acting();
    const std::size_t drawing_count = scene.drawings.size();
    statement.word->add({.word = *statement.word,
                         .signature = arguments.signature,
                         .arguments = arguments.bound,
                         .points = arguments.points,
                         .on = on,
                         .object = object,
                         .frame = scopes_[site.scope].object,
                         .origin = tree.statement_origin(site.node),
                         .surface = surface,
                         .groom = groom,
                         .shot = shot ? &*shot : nullptr,
                         .constraints = &constraints_,
                         .rates = statement.event.tree ? &rates : nullptr,
                         .faults = &faults},
                        scene);
    if (statement.event.tree) {
        made->rates.insert(made->rates.end(), rates.begin(), rates.end());
        begin_at(event.value, before);
    }
    if (statement.word->name == "probe")
        for (std::size_t i = drawing_count; i < scene.drawings.size(); ++i)
            probes_.emplace_back(static_cast<std::uint32_t>(i), scopes_[site.scope].object);
    if (statement.named.is_valid() && constraints_.size() == before[0] + 1)
        named_constraints_[statement.named.index] = before[0];
    else if (statement.named.is_valid() && faults.empty())
        error(tree.origin(head), "no-ends",
              "'" + std::string(statement.word->name) +
                  "' holds no two things here, so that it cannot be named",
              "write it alone");
    for (CallFault& fault : faults)
        error(fault.origin, fault.code, std::move(fault.what), std::move(fault.hint));
}

void Evaluator::finish_parameters()
{
    for (const auto& [wanted, text] : options_.parameters) {
        const auto found =
            std::find_if(scene.parameters.begin(), scene.parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == wanted; });
        if (found != scene.parameters.end())
            continue;
        std::vector<std::string_view> candidates;
        for (const Parameter& parameter : scene.parameters)
            candidates.push_back(parameter.name);
        Problem& problem =
            error({}, "unknown-param", "the script has no param '" + wanted + "'",
                  similar_hint(wanted, candidates,
                               candidates.empty()
                                   ? "the script declares no param"
                                   : "its first param is '" + std::string(candidates[0]) + "'"));
        problem.place.file = "-D " + wanted + "=" + text;
    }
}

/// Keys counted in frames become seconds, now that the frame rate is known; all keys must rise.
void Evaluator::finish_frames()
{
    if (options_.frame_rate)
        scene.settings.frame_rate = *options_.frame_rate;
    for (const PendingFrames& pending : pending_frames_)
        scene.tracks[pending.track].keys[pending.key].at /= scene.settings.frame_rate;
    for (const PendingFrames& pending : pending_frames_) {
        const Track& track = scene.tracks[pending.track];
        const auto falls = [](const Key& a, const Key& b) { return !(a.at < b.at); };
        if (std::adjacent_find(track.keys.begin(), track.keys.end(), falls) != track.keys.end())
            error(track.origin, "keys-out-of-order",
                  "at " + number_text(scene.settings.frame_rate) +
                      " frames per second the keys of this track are not in order",
                  "let each key come later than the one before");
    }
}

Problem& Evaluator::error(Origin origin, std::string_view code, std::string what, std::string hint)
{
    ++spoiling_errors_;
    return report_.error(origin, code, std::move(what), std::move(hint));
}

void Evaluator::link(Origin use, Origin definition)
{
    if (keep_links)
        links.push_back({use, definition});
}

bool Evaluator::spend(Origin origin)
{
    if (is_exhausted_)
        return false;
    if (++spent_ <= limits_.statement_count)
        return true;
    is_exhausted_ = true;
    error(origin, "too-much-work",
          "the script carries out more than " + std::to_string(limits_.statement_count) +
              " statements",
          "let its loops or its recursion end earlier");
    return false;
}

bool Evaluator::Depth::is_too_deep(Origin origin)
{
    constexpr int kDeepest = 400; // sanitizers need up to 15 kB of stack for each
    if (evaluator_.depth_ <= kDeepest)
        return false;
    if (!std::exchange(evaluator_.is_too_deep_, true))
        evaluator_.error(origin, "values-too-deep", "values here depend on one another too deeply",
                         "compute some of them before, as numbers");
    return true;
}

} // namespace sinew::charli
