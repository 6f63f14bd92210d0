// The three passes over a script: declare, instance, state. See evaluator.h.

#include "charli/evaluator.h"
#include "charli/lexer.h"
#include "charli/parser.h"

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
    check_unused_defs(0);
    check_attribute_names();
    warn_unused();
    finish_frames();
    check_formulas();
    name_coordinates();
    scene.files = report_.files;
}

// --- declare
// --------------------------------------------------------------------------------------

void Evaluator::run_body(Site block, ObjectId)
{
    const std::size_t first_binding = scopes_.bindings().size();
    Block actions;
    declare_block(block, actions);
    force_values(first_binding);
    instance_block(actions);
}

/// Names first, so that a statement may use what a later one declares.
void Evaluator::declare_names(Site block)
{
    for (const NodeId node : children(*block.tree, block.node)) {
        const Site site{block.tree, node, block.scope};
        switch (block.tree->nodes[node].kind) {
        case NodeKind::declare: declare_variables(site); break;
        case NodeKind::param: declare_param(site); break;
        case NodeKind::def: declare_def(site); break;
        default: break;
        }
    }
    for (const NodeId node : children(*block.tree, block.node))
        if (block.tree->nodes[node].kind == NodeKind::fault)
            declare_faulty({block.tree, node, block.scope});
}

/// Names in a statement that could not be read: their fault is told, nothing else is to be said of
/// them.
void Evaluator::declare_faulty(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    bool declares_all = false, declares_next = false;
    constexpr std::size_t kMost = 4'000'000; // a long one in a loop is met again in each round
    faulty_tokens_ += node.last_token - node.first_token;
    if (faulty_tokens_ > kMost)
        return;
    for (std::uint32_t i = node.first_token; i <= node.last_token; ++i) {
        const Token& token = tree.tokens[i];
        const TokenKind next = tree.tokens[i + 1].kind;
        if (token.kind != TokenKind::identifier) {
            const bool is_list = token.kind == TokenKind::kw_var ||
                                 token.kind == TokenKind::kw_dynamic ||
                                 token.kind == TokenKind::kw_import;
            declares_all = is_list || (declares_all && token.kind == TokenKind::comma);
            declares_next = token.kind == TokenKind::kw_def || token.kind == TokenKind::kw_param;
            continue;
        }
        const bool is_introduced = declares_all || declares_next || next == TokenKind::assign ||
                                   (i == node.first_token && next == TokenKind::left_bracket);
        BindingId id = scopes_.find_here(site.scope, token.symbol);
        if (id == kNoBinding && is_introduced)
            id = add_binding(site, token, BindingKind::local);
        if (id == kNoBinding)
            id = scopes_.find(site.scope, token.symbol);
        if (id == kNoBinding)
            continue;
        Binding& binding = scopes_.binding(id);
        binding.is_used = binding.is_used || binding.kind != BindingKind::def;
        if (is_introduced && binding.state == Binding::State::unassigned &&
            binding.kind != BindingKind::def && binding.kind != BindingKind::dynamic) {
            binding.state = Binding::State::done;
            binding.bound = poison();
        }
    }
}

void Evaluator::declare_block(Site block, Block& out)
{
    if (is_exhausted_)
        return;
    declare_names(block);
    // Plain values come first: a loop or a condition may stand before the value it needs.
    for (const NodeId node : children(*block.tree, block.node)) {
        const Site site{block.tree, node, block.scope};
        if (block.tree->nodes[node].kind != NodeKind::assign)
            continue;
        const NodeId target = block.tree->nodes[node].first_child;
        if (block.tree->nodes[target].first_child == kNoNode)
            if (const BindingId found = find_assigned(site); found != kNoBinding)
                assign_value(site, found);
    }
    for (const NodeId node : children(*block.tree, block.node)) {
        if (!spend(block.tree->origin(block.tree->first_token(node))))
            return;
        declare_statement({block.tree, node, block.scope}, out);
    }
}

void Evaluator::declare_statement(Site site, Block& out)
{
    switch (site.tree->nodes[site.node].kind) {
    case NodeKind::assign: return declare_assign(site, out);
    case NodeKind::item:
    case NodeKind::name:
    case NodeKind::call: out.actions.push_back({site}); return;
    case NodeKind::loop: return declare_loop(site, out);
    case NodeKind::branch: return declare_branch(site, out);
    case NodeKind::include: return declare_include(site, out);
    default: return;
    }
}

BindingId Evaluator::add_binding(Site site, const Token& token, BindingKind kind)
{
    const Origin origin = site.tree->origin(token);
    if (const BindingId old = scopes_.find_here(site.scope, token.symbol); old != kNoBinding) {
        Problem& problem = error(origin, "declared-twice",
                                 "'" + std::string(name(token.symbol)) + "' is declared twice",
                                 "give one of them another name");
        report_.remark(problem, scopes_.binding(old).origin,
                       "first declared here, as " +
                           std::string(name_of(scopes_.binding(old).kind)));
        scopes_.binding(old).is_used = true;
        return kNoBinding;
    }
    link(origin, origin);
    Binding binding{.symbol = token.symbol, .kind = kind};
    binding.scope = site.scope;
    binding.origin = origin;
    return scopes_.bind(std::move(binding));
}

void Evaluator::declare_variables(Site site)
{
    const Tree& tree = *site.tree;
    const Node& node = tree.nodes[site.node];
    const TokenKind keyword = tree.tokens[node.first_token].kind;
    const BindingKind kind = keyword == TokenKind::kw_var       ? BindingKind::variable
                             : keyword == TokenKind::kw_dynamic ? BindingKind::dynamic
                                                                : BindingKind::import;
    for (std::uint32_t i = node.first_token + 1; i <= node.last_token; ++i) {
        if (tree.tokens[i].kind != TokenKind::identifier)
            continue;
        const BindingId id = add_binding(site, tree.tokens[i], kind);
        if (id != kNoBinding && kind == BindingKind::import) {
            Binding& binding = scopes_.binding(id);
            binding.number = static_cast<std::uint32_t>(scene.imports.size());
            scene.imports.push_back({std::string(tree.text(tree.tokens[i])), binding.origin});
        }
    }
}

void Evaluator::declare_param(Site site)
{
    const Tree& tree = *site.tree;
    const Token& token = tree.tokens[tree.nodes[site.node].first_token + 1];
    if (scopes_[site.scope].parent != kNoScope) {
        error(tree.origin(token), "param-inside",
              "'" + std::string(tree.text(token)) + "' is a param inside a def or a loop",
              "params belong to the script as a whole: move it out, or write `var`");
        declare_faulty(site);
        return;
    }
    const BindingId id = add_binding(site, token, BindingKind::param);
    if (id == kNoBinding)
        return;
    Binding& binding = scopes_.binding(id);
    binding.tree = site.tree;
    binding.node = site.node;
    binding.value_scope = site.scope;
    binding.state = Binding::State::waiting;
    binding.number = static_cast<std::uint32_t>(scene.parameters.size());
    std::string prefix;
    for (const Symbol part : namespaces_)
        prefix += std::string(name(part)) + ".";
    scene.parameters.push_back(
        {.name = prefix + std::string(tree.text(token)), .origin = binding.origin});
    params_.push_back(id);
}

void Evaluator::declare_def(Site site)
{
    const Tree& tree = *site.tree;
    const BindingId id =
        add_binding(site, tree.tokens[tree.nodes[site.node].first_token + 1], BindingKind::def);
    if (id == kNoBinding)
        return;
    scopes_.binding(id).tree = site.tree;
    scopes_.binding(id).node = site.node;
    scopes_.binding(id).value_scope = site.scope;
}

void Evaluator::declare_assign(Site site, Block& out)
{
    const BindingId found = find_assigned(site);
    if (found == kNoBinding)
        out.actions.push_back({site}); // an instance, or a fault that is reported there
    else
        assign_value(site, found);
}

/// What holds values and stands left of `=`.
BindingId Evaluator::find_assigned(Site site) const
{
    const NodeId target = site.tree->nodes[site.node].first_child;
    const BindingId found = scopes_.find(site.scope, site.tree->first_token(target).symbol);
    const bool is_value = found != kNoBinding && scopes_.binding(found).kind != BindingKind::def &&
                          scopes_.binding(found).kind != BindingKind::name_space;
    return is_value ? found : kNoBinding;
}

void Evaluator::assign_value(Site site, BindingId found)
{
    const Tree& tree = *site.tree;
    const NodeId target = tree.nodes[site.node].first_child;
    const Token& token = tree.first_token(target);
    const std::string quoted = "'" + std::string(name(token.symbol)) + "'";
    const Origin origin = tree.origin(token);
    const bool is_plain = tree.nodes[target].first_child == kNoNode;
    if (const Binding& known = scopes_.binding(found);
        is_plain && known.node == tree.nodes[target].next && known.tree == &tree &&
        known.value_scope == site.scope)
        return; // seen before the loops and conditions of the block
    link(origin, scopes_.binding(found).origin);

    if (const Binding& faulty = scopes_.binding(found);
        faulty.state == Binding::State::done && faulty.bound.kind == Bound::Kind::poison)
        return; // its fault is told
    if (const BindingKind kind = scopes_.binding(found).kind;
        kind != BindingKind::variable && kind != BindingKind::dynamic) {
        Problem& problem =
            error(origin, "cannot-assign",
                  quoted + " is a " + std::string(name_of(kind)) + " and cannot be assigned",
                  kind == BindingKind::param ? "its value stands in its declaration; or pass -D " +
                                                   std::string(name(token.symbol)) + "=..."
                                             : "choose another name");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        return;
    }
    if (scopes_[scopes_.binding(found).scope].object != scopes_[site.scope].object) {
        Problem& problem =
            error(origin, "assigned-from-inside", quoted + " is declared outside this def",
                  "declare it inside, or assign it where it is declared");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        if (Binding& outer = scopes_.binding(found); outer.state == Binding::State::unassigned &&
                                                     outer.kind == BindingKind::variable &&
                                                     !outer.has_elements) {
            outer.state = Binding::State::done;
            outer.bound = poison();
        }
        return;
    }
    BindingId id = found;
    if (!is_plain) { // h[i] = ...
        const NodeId index_node = tree.nodes[tree.nodes[target].first_child].first_child;
        const auto index = evaluate_whole({&tree, index_node, site.scope}, "an index");
        if (!index)
            return;
        id = scopes_.find_element(found, *index);
        if (id == kNoBinding)
            id = scopes_.add_element(found, *index);
    }
    Binding& binding = scopes_.binding(id);
    if (binding.state != Binding::State::unassigned || (id == found && binding.has_elements)) {
        const bool in_loop = binding.node == tree.child(site.node, 1) && binding.tree == &tree;
        Problem& problem = error(
            origin, "assigned-twice", quoted + " is given a second value",
            in_loop
                ? "each round assigns it: declare it inside the loop, or write " +
                      std::string(name(token.symbol)) + "[i]"
                : "a variable has one value: use another name, or a track that changes in time");
        report_.remark(problem, binding.assignment, "first value here");
        return;
    }
    binding.tree = &tree;
    binding.node = tree.child(site.node, 1);
    binding.value_scope = site.scope;
    binding.assignment = origin;
    binding.state = Binding::State::waiting;
}

void Evaluator::declare_loop(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const NodeId from_node = tree.child(site.node, 0), to_node = tree.child(site.node, 1);
    const auto from = evaluate_whole({&tree, from_node, site.scope}, "the first number of a loop");
    const auto to = evaluate_whole({&tree, to_node, site.scope}, "the last number of a loop");
    if (!from || !to)
        return;
    if (*from <= *to && static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from) >=
                            limits_.statement_count) {
        error(tree.origin(to_node), "loop-too-long",
              "this loop has more rounds than the " + std::to_string(limits_.statement_count) +
                  " statements a script may carry out",
              "let it end earlier");
        return;
    }
    const Token& variable = tree.tokens[tree.nodes[site.node].first_token + 1];
    const NodeId body = tree.child(site.node, 2);
    for (std::int64_t i = *from; i <= *to; ++i) {
        if (!spend(tree.origin(tree.first_token(site.node))))
            return;
        const ScopeId round = scopes_.add(site.scope, scopes_[site.scope].object);
        const BindingId id = add_binding({&tree, site.node, round}, variable, BindingKind::local);
        Binding& binding = scopes_.binding(id);
        binding.state = Binding::State::done;
        binding.is_used = true;
        binding.bound = bound({static_cast<double>(i)}, binding.origin);
        declare_block({&tree, body, round}, out);
    }
}

void Evaluator::declare_branch(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const auto condition = evaluate_condition({&tree, tree.child(site.node, 0), site.scope});
    if (!condition)
        return;
    const NodeId chosen = tree.child(site.node, *condition ? 1 : 2);
    if (chosen != kNoNode)
        declare_block({&tree, chosen, site.scope}, out);
}

void Evaluator::declare_include(Site site, Block& out)
{
    const Tree& tree = *site.tree;
    const NodeId text_node = tree.nodes[site.node].first_child;
    const Tree* file = load_file(site, std::string(tree.text(text_node)));
    if (!file)
        return;
    include_stack_.push_back(std::filesystem::path(file->source.name)
                                 .lexically_relative(folder_.empty() ? "." : folder_)
                                 .generic_string());
    const Node& node = tree.nodes[site.node];
    if (!(node.flags & Node::kHasNamespace)) {
        declare_block({file, file->root, site.scope}, out);
    } else {
        std::uint32_t at = node.last_token; // the last identifier before `;`
        while (tree.tokens[at].kind != TokenKind::identifier)
            --at;
        const BindingId id = add_binding(site, tree.tokens[at], BindingKind::name_space);
        if (id != kNoBinding) {
            const ScopeId scope = scopes_.add(kNoScope, {});
            scopes_.binding(id).number = scope;
            scopes_.binding(id).is_used = true;
            const int block = static_cast<int>(blocks_.size());
            blocks_.emplace_back();
            Block inner{.actions = {},
                        .name = tree.tokens[at].symbol,
                        .scope = scope,
                        .origin = tree.origin(tree.tokens[at])};
            out.actions.push_back({site, block});
            const std::size_t first_binding = scopes_.bindings().size();
            namespaces_.push_back(tree.tokens[at].symbol);
            declare_block({file, file->root, scope}, inner);
            namespaces_.pop_back();
            force_values(first_binding);
            blocks_[block] = std::move(inner);
        }
    }
    include_stack_.pop_back();
}

/// Finds a file relative to the one that includes it, below the main script's folder.
const Tree* Evaluator::load_file(Site site, const std::string& quoted)
{
    namespace fs = std::filesystem;
    const Tree& tree = *site.tree;
    const NodeId text_node = tree.nodes[site.node].first_child;
    const Origin origin = tree.origin(text_node);
    if (quoted.size() < 2 || quoted.back() != '"')
        return nullptr; // an open string, reported by the lexer
    const std::string wanted = quoted.substr(1, quoted.size() - 2);
    const fs::path here = fs::path(include_stack_.back()).parent_path();
    const fs::path path = (here / fs::path(wanted)).lexically_normal();
    const std::string file_name = path.generic_string();
    const std::string shown = "'" + wanted + "'";
    const bool leads_out = fs::path(wanted).is_absolute() || file_name.starts_with("..") ||
                           wanted.find('\\') != std::string::npos ||
                           wanted.find('\0') != std::string::npos;
    if (wanted.empty() || file_name == ".") {
        error(origin, "no-file-name", "the name of the file is empty",
              "name a script in this folder");
        return nullptr;
    }
    if (leads_out) {
        error(origin, "file-outside", shown + " lies outside the script's folder",
              "a script reads only its own folder and what is below: copy the file there");
        return nullptr;
    }
    if (std::find(include_stack_.begin(), include_stack_.end(), file_name) !=
        include_stack_.end()) {
        std::string chain;
        for (const std::string& link_name : include_stack_)
            chain += link_name + " → ";
        error(origin, "include-cycle", shown + " includes itself: " + chain + file_name,
              "put what both need into a third file");
        return nullptr;
    }
    if (static_cast<int>(include_stack_.size()) > limits_.include_depth) {
        error(origin, "includes-too-deep",
              "files include one another more than " + std::to_string(limits_.include_depth) +
                  " deep",
              "include from the main script");
        return nullptr;
    }
    if (const auto found = files_by_name_.find(file_name); found != files_by_name_.end())
        return found->second;

    FileText file = read_file_(file_name);
    if (file.status == FileText::Status::ok && file.text.size() > limits_.file_bytes)
        file.status = FileText::Status::too_large;
    switch (file.status) {
    case FileText::Status::ok: break;
    case FileText::Status::missing:
        error(origin, "file-missing", "there is no file " + shown,
              "names are relative to the file that includes");
        break;
    case FileText::Status::outside:
        error(origin, "file-outside", shown + " lies outside the script's folder",
              "a script reads only its own folder and what is below: copy the file there");
        break;
    case FileText::Status::unreadable:
        error(origin, "file-unreadable", shown + " cannot be read",
              "is it a file, and may you read it?");
        break;
    case FileText::Status::too_large:
        error(origin, "file-too-large",
              shown + " is larger than " + std::to_string(limits_.file_bytes >> 20) + " MiB",
              "split it into several files");
        break;
    }
    if (file.status != FileText::Status::ok) {
        files_by_name_.emplace(file_name, nullptr);
        return nullptr;
    }
    SourceFile source{folder_.empty() ? file_name : folder_ + "/" + file_name,
                      std::make_shared<const std::string>(std::move(file.text))};
    const std::size_t errors_before = report_.error_count();
    included_.push_back(parse(std::move(source), limits_, symbols_, report_));
    spoiling_errors_ += report_.error_count() - errors_before;
    files_by_name_.emplace(file_name, &included_.back());
    return &included_.back();
}

/// Values in the order of the text: each mostly needs those before it, so nothing nests deeply.
void Evaluator::force_values(std::size_t first_binding)
{
    for (std::size_t i = first_binding; i < scopes_.bindings().size(); ++i) {
        const Binding& binding = scopes_.bindings()[i];
        if (binding.state == Binding::State::waiting)
            compute_binding(static_cast<BindingId>(i));
    }
}

// --- instance
// -------------------------------------------------------------------------------------

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

// --- state
// ----------------------------------------------------------------------------------------

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
    if (statement.word->takes_on && on.empty()) {
        error(tree.origin(head), "missing-on",
              "'" + std::string(statement.word->name) + "' acts on nothing",
              "say on what: `" + std::string(statement.word->example) + "`");
        return;
    }
    if (!arguments.is_good)
        return;
    statement.word->add({.word = *statement.word,
                         .signature = arguments.signature,
                         .arguments = arguments.bound,
                         .points = arguments.points,
                         .on = on,
                         .object = statement.object,
                         .frame = scopes_[site.scope].object,
                         .origin = tree.statement_origin(site.node)},
                        scene);
}

/// All lists of a scene, to be cut back to what they were.
static auto lists_of(Scene& scene)
{
    return std::tie(scene.coordinates, scene.imports, scene.formulas, scene.tracks, scene.values,
                    scene.transformations, scene.objects, scene.paths, scene.masses,
                    scene.box_masses, scene.labels, scene.drawings, scene.distance_constraints,
                    scene.path_constraints, scene.point_springs, scene.coordinate_springs,
                    scene.forces, scene.torques, scene.drags, scene.fields, scene.colours);
}

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
        const Binding& def = scopes_.bindings()[i];
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
    const auto sizes =
        std::apply([](auto&... list) { return std::array{list.size()...}; }, lists_of(scene));
    const Settings settings = scene.settings;
    const std::size_t old_bindings = scopes_.bindings().size(), old_computed = computed_.size();
    const auto old_objects = static_cast<std::uint32_t>(scene.objects.size());

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
        if (gone.is_anonymous)
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
    std::apply(
        [&](auto&... list) {
            std::size_t k = 0;
            ((list.erase(list.begin() + static_cast<std::ptrdiff_t>(sizes[k]), list.end()), ++k),
             ...);
        },
        lists_of(scene));
    scene.settings = settings;
    scene.objects[0].end = old_objects;
    object_symbols_.resize(old_objects);
    object_scopes_.resize(old_objects);
    object_names_at_.resize(old_objects);
    object_is_named_.resize(old_objects);
    coordinate_objects_.resize(scene.coordinates.size());
    traits_.resize(scene.formulas.size());
    std::erase_if(pending_frames_,
                  [&](const PendingFrames& p) { return p.track >= scene.tracks.size(); });
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

// --- common
// ---------------------------------------------------------------------------------------

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
    constexpr int kDeepest =
        1200; // of evaluation in evaluation; the stack holds several times that
    if (evaluator_.depth_ <= kDeepest)
        return false;
    if (!std::exchange(evaluator_.is_too_deep_, true))
        evaluator_.error(origin, "values-too-deep", "values here depend on one another too deeply",
                         "compute some of them before, as numbers");
    return true;
}

std::vector<std::string_view> Evaluator::names_in(ScopeId scope) const
{
    std::vector<std::string_view> names;
    constexpr std::size_t kMost = 4000;
    const auto& bindings = const_cast<Scopes&>(scopes_).bindings();
    for (; scope != kNoScope; scope = scopes_[scope].parent)
        for (std::size_t i = 0; i < std::min(bindings.size(), kMost); ++i)
            if (bindings[i].scope == scope)
                names.push_back(name(bindings[i].symbol));
    return names;
}

std::string Evaluator::similar_hint(std::string_view word,
                                    const std::vector<std::string_view>& candidates,
                                    const std::string& otherwise) const
{
    const std::string_view similar = find_similar(word, candidates);
    return similar.empty() ? otherwise : "did you mean '" + std::string(similar) + "'?";
}

} // namespace sinew::charli
