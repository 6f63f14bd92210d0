// Instances and how they are named: the tree of objects, and designators that lead into it.

#include "charli/evaluator.h"

#include "base/text.h"

#include <algorithm>
#include <map>

namespace sinew::charli {

namespace {

std::string with_index(std::string_view name, std::int64_t index)
{
    std::string text(name);
    if (index != Object::kNoIndex)
        text += "[" + std::to_string(index) + "]";
    return text;
}

} // namespace

// --- making instances
// -----------------------------------------------------------------------------

ObjectId Evaluator::add_object(Symbol symbol, std::string object_name, std::int64_t index,
                               ScopeId scope, Origin origin, bool anonymous)
{
    const ObjectId id{static_cast<std::uint32_t>(scene.objects.size())};
    if (is_exhausted_)
        return {};
    if (scene.objects.size() > limits_.object_count) {
        is_exhausted_ = true;
        error(origin, "too-many-objects",
              "the script makes more than " + std::to_string(limits_.object_count) + " objects",
              "let its loops end earlier");
        return {};
    }
    Object object{.name = std::move(object_name), .index = index, .is_anonymous = anonymous};
    object.parent = scope == kNoScope ? ObjectId{} : scopes_[scope].object;
    object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
    object.origin = origin;
    scene.objects.push_back(std::move(object));
    object_symbols_.push_back(symbol);
    object_scopes_.push_back(kNoScope);
    object_names_at_.push_back(origin);
    object_is_named_.push_back(false);
    if (!anonymous) {
        objects_by_name_[symbol].push_back(id);
        const auto [old, is_new] =
            direct_.emplace(NameKey{scene.objects[id.index].parent.index, symbol, index}, id);
        if (!is_new)
            old->second = {};
    }
    return id;
}

void Evaluator::close_object(ObjectId object)
{
    scene.objects[object.index].end = static_cast<std::uint32_t>(scene.objects.size());
}

/// The def a name leads to, through namespaces.
BindingId Evaluator::find_callee(Site callee)
{
    const Tree& tree = *callee.tree;
    if (tree.nodes[callee.node].first_child == kNoNode) {
        const Token& token = tree.first_token(callee.node);
        const BindingId found = scopes_.find(callee.scope, token.symbol);
        if (found != kNoBinding)
            link(tree.origin(token), scopes_.binding(found).origin);
        return found;
    }
    BindingId found = kNoBinding;
    for (const NodeId part : children(tree, callee.node)) {
        const Token& token = tree.first_token(part);
        if (tree.nodes[part].first_child != kNoNode)
            return kNoBinding;
        if (found == kNoBinding)
            found = scopes_.find(callee.scope, token.symbol);
        else if (scopes_.binding(found).kind == BindingKind::name_space)
            found = scopes_.find_here(scopes_.binding(found).number, token.symbol);
        else
            return kNoBinding;
        if (found == kNoBinding)
            return kNoBinding;
        link(tree.origin(token), scopes_.binding(found).origin);
    }
    return found;
}

void Evaluator::instance_item(Site item, Symbol own_name, std::int64_t index, Origin name_origin)
{
    const Tree& tree = *item.tree;
    const NodeKind kind = tree.nodes[item.node].kind;
    const NodeId head = kind == NodeKind::item ? tree.nodes[item.node].first_child : item.node;
    const bool is_call = tree.nodes[head].kind == NodeKind::call;
    const NodeId callee_node = is_call ? tree.nodes[head].first_child : head;
    const bool is_named = own_name != kNoSymbol;
    if (tree.nodes[callee_node].kind != NodeKind::name ||
        tree.first_token(callee_node).kind == TokenKind::kw_initial)
        return report_undeclared(own_name, name_origin, tree, item.node);

    const Site callee{&tree, callee_node, item.scope};
    const Origin origin = tree.origin(callee_node);
    const Symbol symbol = tree.last_name(callee_node).symbol;
    const BindingId def = find_callee(callee);
    const bool is_def = def != kNoBinding && scopes_.binding(def).kind == BindingKind::def;
    const bool is_plain = tree.nodes[callee_node].first_child == kNoNode;
    if (def != kNoBinding && !is_def && scopes_.binding(def).bound.kind == Bound::Kind::poison)
        return; // its fault is told
    const Word* word = def == kNoBinding && is_plain ? find_statement_word(name(symbol)) : nullptr;

    if (!is_def && !word) {
        const bool is_value =
            is_named && kind != NodeKind::item &&
            (def != kNoBinding || (is_plain && find_any_word(name(symbol))) || !is_call);
        if (is_value)
            return report_undeclared(own_name, name_origin, tree, item.node);
        report_no_def(callee, def);
        add_transformations(item, {});
        return;
    }
    if (word)
        return instance_word(item, head, *word, own_name, index, name_origin);

    scopes_.binding(def).is_used = true;
    if (is_named && !claim_name(item.scope, own_name, index, name_origin))
        return;
    const ObjectId object =
        add_object(is_named ? own_name : symbol, std::string(name(is_named ? own_name : symbol)),
                   index, item.scope, is_named ? name_origin : origin, false);
    if (!object.is_valid())
        return;
    object_names_at_[object.index] = is_named ? name_origin : scopes_.binding(def).origin;
    if (is_named)
        note_name(object, name_origin);
    add_transformations(item, object);
    add_on(item, object);
    instance_def(def, {&tree, head, item.scope}, object);
    close_object(object);
}

/// A built-in as a statement; in an object of its own when it is transformed or named.
void Evaluator::instance_word(Site item, NodeId head, const Word& word, Symbol own_name,
                              std::int64_t index, Origin name_origin)
{
    const Tree& tree = *item.tree;
    const bool is_named = own_name != kNoSymbol;
    bool is_moved = false, is_on = false;
    if (head != item.node)
        for (NodeId part = tree.nodes[head].next; part != kNoNode; part = tree.nodes[part].next) {
            is_on = is_on || tree.nodes[part].kind == NodeKind::on;
            is_moved = is_moved || tree.nodes[part].kind == NodeKind::call;
        }
    const bool has_place = word.kind == WordKind::primitive || word.kind == WordKind::drawing;
    const std::string quoted = "'" + std::string(word.name) + "'";
    if (!has_place && (is_moved || is_named || (is_on && !word.takes_on))) {
        error(is_named
                  ? name_origin
                  : tree.origin(tree.nodes[head].next == kNoNode ? head : tree.nodes[head].next),
              "no-place", quoted + " has no place: it can be neither named nor transformed",
              "write it alone: `" + std::string(word.example) + "`");
        return;
    }
    ObjectId object = scopes_[item.scope].object;
    const bool needs_object = is_moved || is_named || (is_on && !word.takes_on);
    if (needs_object) {
        if (is_named && !claim_name(item.scope, own_name, index, name_origin))
            return;
        object = add_object(is_named ? own_name : kNoSymbol,
                            std::string(is_named ? name(own_name) : word.name), index, item.scope,
                            is_named ? name_origin : tree.origin(head), !is_named);
        if (!object.is_valid())
            return;
        object_scopes_[object.index] = scopes_.add(item.scope, object);
        if (is_named)
            note_name(object, name_origin);
        add_transformations(item, object);
        if (!word.takes_on)
            add_on(item, object);
        close_object(object);
    }
    statements_.push_back({item, &word, object});
}

void Evaluator::add_on(Site item, ObjectId object)
{
    const Tree& tree = *item.tree;
    if (tree.nodes[item.node].kind != NodeKind::item)
        return;
    for (const NodeId part : children(tree, item.node)) {
        if (tree.nodes[part].kind != NodeKind::on)
            continue;
        const NodeId first = tree.nodes[part].first_child;
        if (tree.nodes[first].next != kNoNode)
            error(tree.origin(tree.nodes[first].next), "on-several",
                  "an object rides on one other only",
                  "name one frame, or make an instance for each");
        else
            pending_on_.push_back({object, {&tree, first, item.scope}});
    }
}

/// False, with an error, when a sibling has that name already.
bool Evaluator::claim_name(ScopeId scope, Symbol symbol, std::int64_t index, Origin origin)
{
    const auto key = std::make_tuple(scopes_[scope].object.index, symbol, index);
    const auto [old, is_new] = named_at_.emplace(key, origin);
    if (is_new)
        return true;
    const bool same_statement =
        old->second.file == origin.file && old->second.offset == origin.offset;
    Problem& problem = error(
        origin, "named-twice",
        "there is already an object '" + with_index(name(symbol), index) + "' here",
        same_statement ? "each round makes it: write " + std::string(name(symbol)) + "[i] = ..."
                       : "give one of them another name");
    report_.remark(problem, old->second, "the first one");
    return false;
}

void Evaluator::note_name(ObjectId object, Origin origin)
{
    object_is_named_[object.index] = true;
    link(origin, origin);
}

void Evaluator::instance_def(BindingId def, Site call, ObjectId object)
{
    const Binding binding = scopes_.binding(def);
    const Tree& tree = *binding.tree;
    Depth depth(*this);
    const std::uint32_t last = tree.nodes[binding.node].last_token;
    const bool is_closed = tree.tokens[last].kind == TokenKind::kw_end ||
                           tree.tokens[last - 1].kind == TokenKind::kw_end;
    instance_stack_.push_back(binding.symbol);
    if (static_cast<int>(instance_stack_.size()) > limits_.nesting) {
        const Symbol outer =
            instance_stack_[instance_stack_.size() / 2]; // in the midst of the recursion
        if (is_closed) // else it contains its own instance for want of an `end`
            error(binding.origin, "instances-too-deep",
                  "instances are nested more than " + std::to_string(limits_.nesting) +
                      " deep: does '" + std::string(name(outer)) + "' contain itself?",
                  "end the recursion with an `if`");
        is_exhausted_ = true;
    } else if (!depth.is_too_deep(binding.origin)) {
        const ScopeId body = scopes_.add(binding.value_scope, object);
        object_scopes_[object.index] = body;
        bind_def_arguments(def, call, body);
        NodeId block = tree.nodes[binding.node].first_child;
        while (tree.nodes[block].kind != NodeKind::block)
            block = tree.nodes[block].next;
        run_body({&tree, block, body}, object);
    }
    instance_stack_.pop_back();
}

void Evaluator::bind_def_arguments(BindingId def, Site call, ScopeId body)
{
    const Binding binding = scopes_.binding(def);
    const Tree& def_tree = *binding.tree;
    std::vector<const Token*> parameters;
    const NodeId list = def_tree.nodes[binding.node].first_child;
    if (def_tree.nodes[list].kind == NodeKind::parameters) {
        const Node& node = def_tree.nodes[list];
        for (std::uint32_t i = node.first_token; i <= node.last_token; ++i)
            if (def_tree.tokens[i].kind == TokenKind::identifier)
                parameters.push_back(&def_tree.tokens[i]);
    }
    std::vector<Bound> values(parameters.size());
    std::vector<bool> is_given(parameters.size(), call.tree == nullptr);
    if (call.tree == nullptr)
        std::fill(values.begin(), values.end(), poison());
    std::string form = std::string(name(binding.symbol)) + "(";
    for (std::size_t i = 0; i < parameters.size(); ++i)
        form += (i == 0 ? "" : ", ") + std::string(name(parameters[i]->symbol));
    form += ")";

    std::size_t next = 0;
    bool is_misnamed = false;
    if (call.tree && call.tree->nodes[call.node].kind == NodeKind::call) {
        const Tree& tree = *call.tree;
        for (NodeId node = tree.nodes[tree.nodes[call.node].first_child].next; node != kNoNode;
             node = tree.nodes[node].next) {
            std::size_t i = next;
            NodeId value = node;
            if (tree.nodes[node].kind == NodeKind::named) {
                const Token& token = tree.first_token(node);
                i = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const Token* p) { return p->symbol == token.symbol; }) -
                    parameters.begin();
                value = tree.nodes[node].first_child;
                if (i == parameters.size()) {
                    std::vector<std::string_view> candidates;
                    for (const Token* p : parameters)
                        candidates.push_back(name(p->symbol));
                    error(tree.origin(token), "unknown-argument",
                          "'" + std::string(name(binding.symbol)) + "' has no parameter '" +
                              std::string(name(token.symbol)) + "'",
                          similar_hint(name(token.symbol), candidates, "it is " + form));
                    is_misnamed = true;
                    continue;
                }
            }
            if (i >= parameters.size()) {
                error(tree.origin(node), "too-many-arguments",
                      "'" + std::string(name(binding.symbol)) + "' takes " +
                          std::to_string(parameters.size()) + " arguments, here is one more",
                      "it is " + form);
                break;
            }
            if (is_given[i]) {
                error(tree.origin(node), "argument-twice",
                      "'" + std::string(name(parameters[i]->symbol)) + "' is given twice",
                      "remove one");
                is_misnamed = true;
            }
            values[i] = evaluate({&tree, value, call.scope});
            is_given[i] = true;
            next = i + 1;
        }
    }
    std::string missing;
    int missing_count = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!is_given[i]) {
            missing += (missing_count++ == 0 ? "'" : ", '") +
                       std::string(name(parameters[i]->symbol)) + "'";
            values[i] = poison();
        }
    if (missing_count > 0 && !is_misnamed)
        error(call.tree->origin(call.node), "missing-argument",
              "'" + std::string(name(binding.symbol)) + "' needs its " +
                  (missing_count == 1 ? "argument " : "arguments ") + missing,
              "write " + form);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const BindingId id =
            add_binding({&def_tree, list, body}, *parameters[i], BindingKind::local);
        if (id == kNoBinding)
            continue;
        scopes_.binding(id).state = Binding::State::done;
        scopes_.binding(id).bound = values[i];
    }
}

void Evaluator::add_transformations(Site item, ObjectId object)
{
    const Tree& tree = *item.tree;
    if (tree.nodes[item.node].kind != NodeKind::item)
        return;
    for (NodeId part = tree.nodes[tree.nodes[item.node].first_child].next; part != kNoNode;
         part = tree.nodes[part].next) {
        if (tree.nodes[part].kind != NodeKind::call)
            continue;
        const NodeId callee = tree.nodes[part].first_child;
        const std::string_view word_name = name(tree.first_token(callee).symbol);
        const Word* word = find_word(word_name, WordKind::transformation);
        if (!word) {
            std::vector<std::string_view> candidates;
            for (const Word& row : words())
                if (row.kind == WordKind::transformation)
                    candidates.push_back(row.name);
            error(tree.origin(callee), "unknown-transformation",
                  "unknown transformation '" + std::string(word_name) + "'",
                  similar_hint(word_name, candidates,
                               find_any_word(word_name) ||
                                       scopes_.find(item.scope, tree.first_token(callee).symbol) !=
                                           kNoBinding
                                   ? "write ';' before it if it is a statement of its own"
                                   : "`sinew help transformations` lists them"));
            continue;
        }
        const Arguments arguments = bind_arguments({&tree, part, item.scope}, *word);
        if (!arguments.is_good || !object.is_valid())
            continue;
        const Origin origin = tree.origin(part);
        const bool each_axis = word->code == static_cast<std::uint8_t>(TransformationKind::scale) &&
                               arguments.bound.size() == 3;
        for (std::size_t i = 0; i < arguments.bound.size(); ++i)
            scene.transformations.push_back(
                {static_cast<TransformationKind>(word->code + each_axis + i),
                 arguments.bound[i].value, origin});
    }
    if (object.is_valid())
        scene.objects[object.index].transformation_count =
            static_cast<std::uint32_t>(scene.transformations.size()) -
            scene.objects[object.index].first_transformation;
}

/// Unnamed instances of one def in one place are told apart by number.
void Evaluator::number_siblings()
{
    std::map<std::pair<std::uint32_t, Symbol>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 1; i < scene.objects.size(); ++i)
        if (!object_is_named_[i] && !scene.objects[i].is_anonymous)
            groups[{scene.objects[i].parent.index, object_symbols_[i]}].push_back(i);
    for (const auto& [key, members] : groups)
        for (std::size_t k = 0; members.size() > 1 && k < members.size(); ++k)
            scene.objects[members[k]].ordinal = static_cast<std::uint32_t>(k + 1);
}

/// Coordinates get their full names.
void Evaluator::name_coordinates()
{
    for (std::size_t i = 0; i < scene.coordinates.size() && i < coordinate_objects_.size(); ++i)
        if (const ObjectId object = coordinate_objects_[i]; object.is_valid() && object.index > 0)
            scene.coordinates[i].name = path_of(object) + "." + scene.coordinates[i].name;
}

std::string Evaluator::path_of(ObjectId object) const
{
    std::string path;
    for (ObjectId id = object; id.is_valid() && id.index > 0; id = scene.objects[id.index].parent) {
        const Object& o = scene.objects[id.index];
        std::string part = with_index(o.name, o.index);
        if (o.ordinal > 0)
            part += "#" + std::to_string(o.ordinal);
        path = path.empty() ? part : part + "." + path;
    }
    return path;
}

// --- finding instances
// ----------------------------------------------------------------------------

/// The only object of a name below another; several are collected.
ObjectId Evaluator::find_object_part(ObjectId inside, Symbol symbol, std::int64_t index,
                                     std::vector<ObjectId>& several) const
{
    several.clear();
    const auto list = objects_by_name_.find(symbol);
    if (list == objects_by_name_.end())
        return {};
    const std::uint32_t end = inside.index == 0 ? static_cast<std::uint32_t>(scene.objects.size())
                                                : scene.objects[inside.index].end;
    const auto direct = direct_.find(NameKey{inside.index, symbol, index});
    if (direct != direct_.end() && direct->second.is_valid()) { // nearer than anything further down
        several.push_back(direct->second);
        return direct->second;
    }
    constexpr std::size_t kShown = 4;
    auto at = std::upper_bound(list->second.begin(), list->second.end(), inside);
    for (; at != list->second.end() && at->index < end && several.size() < kShown; ++at)
        if (index == Object::kNoIndex || scene.objects[at->index].index == index)
            several.push_back(*at);
    return several.size() == 1 ? several.front() : ObjectId{};
}

ObjectId Evaluator::find_object(Site site)
{
    const Tree& tree = *site.tree;
    if (tree.nodes[site.node].kind == NodeKind::along) {
        const ObjectId object = find_object({&tree, tree.nodes[site.node].first_child, site.scope});
        if (object.is_valid())
            error(tree.origin(site.node), "not-a-curve",
                  "'" + path_of(object) + "' is neither a strand nor a rod: nothing lies along it",
                  "name the object alone");
        return {};
    }
    if (tree.nodes[site.node].kind != NodeKind::name) {
        error(tree.origin(site.node), "expected-object",
              "'" + excerpt(tree.text(site.node)) + "' is no object", "name an instance");
        return {};
    }
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    return resolve_name_parts(site, parts, kNoSymbol);
}

/// Follows a.b[1].c downwards. `last` replaces the last name: `tip` for `left.tip_x`.
ObjectId Evaluator::resolve_name_parts(Site site, const std::vector<NodeId>& parts, Symbol last)
{
    const Tree& tree = *site.tree;
    if (parts.empty()) {
        const Token& token = tree.first_token(site.node);
        Origin origin = tree.origin(token);
        if (last != kNoSymbol)
            origin.length -= 2; // without _x
        return resolve_first_part(site, last == kNoSymbol ? token.symbol : last, Object::kNoIndex,
                                  origin);
    }
    ObjectId object;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Token& token = tree.first_token(parts[i]);
        const bool is_last = i + 1 == parts.size();
        const Symbol symbol = is_last && last != kNoSymbol ? last : token.symbol;
        std::int64_t index = Object::kNoIndex;
        if (tree.nodes[parts[i]].first_child != kNoNode) {
            const auto whole =
                evaluate_whole({&tree, tree.nodes[parts[i]].first_child, site.scope}, "an index");
            if (!whole)
                return {};
            index = *whole;
        }
        Origin origin = tree.origin(token);
        if (symbol != token.symbol)
            origin.length -= 2;
        if (i == 0) {
            object = resolve_first_part(site, symbol, index, origin);
        } else {
            const ObjectId inside = object;
            std::vector<ObjectId> several;
            object = find_object_part(inside, symbol, index, several);
            if (!object.is_valid() && !several.empty())
                report_several(origin, symbol, several);
            else if (!object.is_valid())
                error(origin, "unknown-object",
                      "'" + path_of(inside) + "' has no '" + with_index(name(symbol), index) +
                          "' in it",
                      "`sinew check` lists the objects");
            else
                link(origin, object_names_at_[object.index]);
        }
        if (!object.is_valid())
            return {};
    }
    return object;
}

ObjectId Evaluator::resolve_first_part(Site site, Symbol symbol, std::int64_t index, Origin origin)
{
    if (const BindingId id = scopes_.find(site.scope, symbol); id != kNoBinding) {
        const Binding& binding = scopes_.binding(id);
        if (binding.kind == BindingKind::local) {
            link(origin, binding.origin);
            return resolve_object(binding.bound, origin);
        }
        if (binding.kind == BindingKind::name_space) {
            link(origin, binding.origin);
            return scopes_[binding.number].object;
        }
    }
    std::vector<ObjectId> several;
    ObjectId tried;
    for (ScopeId scope = site.scope; scope != kNoScope; scope = scopes_[scope].parent) {
        const ObjectId inside = scopes_[scope].object;
        if (!inside.is_valid() || inside == tried)
            continue;
        tried = inside;
        const ObjectId found = find_object_part(inside, symbol, index, several);
        if (found.is_valid()) {
            link(origin, object_names_at_[found.index]);
            return found;
        }
        if (!several.empty()) {
            report_several(origin, symbol, several);
            return {};
        }
    }
    report_unknown(site, symbol, index, origin, false);
    return {};
}

ObjectId Evaluator::resolve_object(const Bound& bound_object, Origin use)
{
    if (bound_object.pending != Bound::kNotPending)
        return find_object(pending_objects_[bound_object.pending]);
    if (bound_object.kind != Bound::Kind::poison && bound_object.kind != Bound::Kind::object) {
        Problem& problem = error(use, "not-an-object",
                                 "this name stands for a value, not an object", "pass an instance");
        report_.remark(problem, bound_object.origin, "this is what was passed");
    }
    return bound_object.object;
}

ScopeId Evaluator::scope_of(ObjectId object) const { return object_scopes_[object.index]; }

/// What could not be known while instances were being made.
void Evaluator::resolve_pending()
{
    const auto positions = std::exchange(pending_positions_, {});
    for (const auto& [formula, site] : positions) {
        const Tree& tree = *site.tree;
        std::vector<NodeId> parts;
        for (const NodeId part : children(tree, site.node))
            parts.push_back(part);
        const Token& last = tree.first_token(parts.empty() ? site.node : parts.back());
        std::string_view base = name(last.symbol);
        Symbol symbol = kNoSymbol;
        if (base.size() == 1) {
            parts.pop_back(); // b[3].x
        } else {
            base.remove_suffix(2);
            symbol = parts.empty() ? symbols_.find(base) : symbols_.intern(base);
            if (symbol == kNoSymbol) {
                report_unknown(site, last.symbol, Object::kNoIndex, tree.origin(last), true);
                continue;
            }
        }
        const ObjectId object = resolve_name_parts(site, parts, symbol);
        scene.formulas[formula].index = object.is_valid() ? object.index : 0;
        if (!scene.formulas[formula].frame.is_valid())
            scene.formulas[formula].frame = scopes_[site.scope].object;
        if (!scene.formulas[formula].frame.is_valid())
            scene.formulas[formula].frame = ObjectId{0};
    }
    const auto values = std::exchange(pending_values_, {});
    for (const auto& [formula, site] : values) {
        const Bound result = evaluate_member(site);
        scene.formulas[formula].a = result.value;
        aliases_.push_back({formula, site});
    }
    for (const auto& [object, site] : std::exchange(pending_on_, {}))
        scene.objects[object.index].on = find_object(site);
}

/// The value `left.theta` stands for.
Bound Evaluator::evaluate_member(Site site)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    const NodeId last = parts.back();
    parts.pop_back();
    const ObjectId object = resolve_name_parts(site, parts, kNoSymbol);
    if (!object.is_valid())
        return poison();
    const Token& token = tree.first_token(last);
    const ScopeId scope = scope_of(object);
    BindingId found = scope == kNoScope ? kNoBinding : scopes_.find_here(scope, token.symbol);
    if (found != kNoBinding && tree.nodes[last].first_child != kNoNode) {
        const auto index =
            evaluate_whole({&tree, tree.nodes[last].first_child, site.scope}, "an index");
        found = index ? scopes_.find_element(found, *index) : kNoBinding;
    }
    if (found != kNoBinding && scopes_.binding(found).kind != BindingKind::def) {
        link(tree.origin(token), scopes_.binding(found).origin);
        return force(found, site);
    }
    std::vector<ObjectId> several;
    if (find_object_part(object, token.symbol, Object::kNoIndex, several).is_valid() ||
        !several.empty())
        return {.kind = Bound::Kind::object, .object = find_object(site)};
    const BindingId first = scopes_.find(site.scope, tree.first_token(site.node).symbol);
    const bool is_namespace =
        first != kNoBinding && scopes_.binding(first).kind == BindingKind::name_space;
    error(tree.origin(token), "unknown-member",
          "'" + path_of(object) + "' has no '" + std::string(name(token.symbol)) + "'",
          is_namespace ? "it must be declared in the included file"
                       : "it must be declared inside its def");
    return poison();
}

// --- messages
// -------------------------------------------------------------------------------------

void Evaluator::report_several(Origin origin, Symbol symbol, const std::vector<ObjectId>& several)
{
    std::string list;
    for (const ObjectId id : several)
        list += (list.empty() ? "" : ", ") + path_of(id);
    // Where the ways down to them part, a name is wanted.
    const auto way_to = [&](ObjectId id) {
        std::vector<ObjectId> way;
        for (; id.is_valid() && id.index > 0; id = scene.objects[id.index].parent)
            way.insert(way.begin(), id);
        return way;
    };
    const std::vector<ObjectId> a = way_to(several[0]), b = way_to(several[1]);
    std::size_t k = 0;
    while (k + 1 < a.size() && k + 1 < b.size() && a[k] == b[k])
        ++k;
    const Object& parting = scene.objects[a[k].index];
    const std::string rest = k + 1 == a.size() ? "" : "." + std::string(name(symbol));
    error(origin, "several-objects",
          "'" + std::string(name(symbol)) + "' means several objects: " + list +
              (several.size() >= 4 ? ", ..." : ""),
          object_is_named_[a[k].index]
              ? "say which one: " + path_of(several[0])
              : "name the instances, `left = " + parting.name + " ...;`, and write left" + rest);
}

void Evaluator::report_unknown(Site site, Symbol symbol, std::int64_t index, Origin origin,
                               bool as_value)
{
    const std::string word(name(symbol));
    const BindingId id = scopes_.find(site.scope, symbol);
    if (id != kNoBinding && scopes_.binding(id).kind == BindingKind::def) {
        Problem& problem =
            error(origin, "never-instanced", "'" + word + "' is defined but never instanced",
                  "write `" + word + ";` to put one into the scene");
        report_.remark(problem, scopes_.binding(id).origin, "defined here");
        return;
    }
    if (id != kNoBinding) {
        error(origin, "not-an-object",
              "'" + word + "' is a " + std::string(name_of(scopes_.binding(id).kind)) +
                  ", not an object",
              "name an instance");
        return;
    }
    if (index != Object::kNoIndex && objects_by_name_.contains(symbol)) {
        error(origin, "unknown-object", "there is no object '" + with_index(word, index) + "'",
              "its row has other numbers");
        return;
    }
    std::vector<std::string_view> candidates = names_in(site.scope);
    for (const auto& [object_symbol, list] : objects_by_name_)
        if (candidates.size() < 4000 && object_symbol != kNoSymbol)
            candidates.push_back(name(object_symbol));
    std::sort(candidates.begin(), candidates.end()); // the map has no order of its own
    if (const BindingId meant =
            scopes_.find(site.scope, symbols_.find(find_similar(word, candidates)));
        meant != kNoBinding)
        scopes_.binding(meant).is_used = true; // as was meant
    error(origin, as_value ? "unknown-name" : "unknown-object",
          (as_value ? "unknown name '" : "there is no object '") + word + "'",
          similar_hint(word, candidates,
                       as_value ? "declare it: `var " + word + ";`, or look for a slip of the pen"
                                : "make one: `" + word + " = ...;`"));
}

/// An object's name where a number is wanted, or no name at all.
void Evaluator::report_unknown_object(Site site, Symbol symbol, Origin origin)
{
    const bool is_object = objects_by_name_.contains(symbol) || named_in_text(site, symbol);
    if (!is_object)
        return report_unknown(site, symbol, Object::kNoIndex, origin, true);
    const std::string word(name(symbol));
    error(origin, "object-as-number", "'" + word + "' is an object, not a number",
          "its position is " + word + "_x, " + word + "_y, " + word + "_z");
}

bool Evaluator::named_in_text(Site site, Symbol symbol) const
{
    const BindingId id = scopes_.find(site.scope, symbol);
    return id != kNoBinding && scopes_.binding(id).kind == BindingKind::def;
}

void Evaluator::report_no_def(Site callee, BindingId found)
{
    const Tree& tree = *callee.tree;
    const Origin origin = tree.origin(callee.node);
    const std::string word = excerpt(tree.text(callee.node), 60);
    if (const BindingId first = scopes_.find(callee.scope, tree.first_token(callee.node).symbol);
        first != kNoBinding && scopes_.binding(first).kind == BindingKind::name_space &&
        tree.nodes[callee.node].first_child != kNoNode) {
        std::vector<std::string_view> candidates;
        for (const Binding& binding : scopes_.bindings())
            if (binding.kind == BindingKind::def && binding.scope == scopes_.binding(first).number)
                candidates.push_back(name(binding.symbol));
        const std::string_view wanted = name(tree.last_name(callee.node).symbol);
        error(origin, "unknown-def",
              "the namespace '" + std::string(tree.text(tree.first_token(callee.node))) +
                  "' has no def '" + std::string(wanted) + "'",
              similar_hint(wanted, candidates,
                           candidates.empty()
                               ? "the included file has no defs"
                               : "its first def is '" + std::string(candidates[0]) + "'"));
        return;
    }
    if (found != kNoBinding) {
        Problem& problem =
            error(origin, "not-a-def",
                  "'" + word + "' is a " + std::string(name_of(scopes_.binding(found).kind)) +
                      ", it cannot be instanced",
                  "name a def, or assign with `=`");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        return;
    }
    if (const Word* other = find_any_word(word)) {
        const bool is_transformation = other->kind == WordKind::transformation;
        error(origin, "word-out-of-place",
              is_transformation ? "'" + word + "' is a transformation: it stands behind an object"
                                : "'" + word + "' gives a value: it cannot stand alone",
              "like this: `" + std::string(other->example) + "`");
        return;
    }
    std::vector<std::string_view> candidates;
    std::string defs;
    for (const Binding& binding : scopes_.bindings())
        if (binding.kind == BindingKind::def && candidates.size() < 2000) {
            candidates.push_back(name(binding.symbol));
            if (candidates.size() <= 5)
                defs += (defs.empty() ? "" : ", ") + std::string(name(binding.symbol));
        }
    for (const Word& row : words())
        if (is_statement(row.kind))
            candidates.push_back(row.name);
    error(origin, "unknown-def", "there is no def or word '" + word + "'",
          similar_hint(word, candidates,
                       defs.empty() ? "define it: `def " + word + " ... end;`"
                                    : "the defs of this script are: " + defs));
}

/// `length = 1;` without `var length;`. It harms nothing else: what uses the name says so itself.
void Evaluator::report_undeclared(Symbol symbol, Origin origin, const Tree& tree, NodeId value)
{
    const NodeKind kind = tree.nodes[value].kind;
    const bool is_dynamic =
        kind == NodeKind::call &&
        tree.first_token(tree.nodes[value].first_child).kind == TokenKind::kw_initial;
    const std::string word(name(symbol));
    std::vector<std::string_view> candidates;
    for (const std::string_view candidate : names_in(0))
        candidates.push_back(candidate);
    report_.error(origin, "undeclared", "'" + word + "' is not declared",
                  similar_hint(word, candidates,
                               std::string("declare it before: `") +
                                   (is_dynamic ? "dynamic " : "var ") + word + ";`"));
}

/// `var m0_x` would hide the position of m0.
void Evaluator::check_attribute_names()
{
    for (const Binding& binding : scopes_.bindings()) {
        const std::string_view word = name(binding.symbol);
        const bool is_value =
            binding.kind != BindingKind::def && binding.kind != BindingKind::name_space;
        if (!is_value || word.size() < 3 || word[word.size() - 2] != '_' || word.back() < 'x' ||
            word.back() > 'z')
            continue;
        const Symbol base = symbols_.find(word.substr(0, word.size() - 2));
        const ObjectId inside = scopes_[binding.scope].object;
        std::vector<ObjectId> several;
        if (base == kNoSymbol || !inside.is_valid() || inside.index >= scene.objects.size())
            continue;
        if (find_object_part(inside, base, Object::kNoIndex, several).is_valid() ||
            !several.empty()) {
            Problem& problem = error(binding.origin, "name-is-position",
                                     "'" + std::string(word) + "' already means a position of '" +
                                         path_of(several[0]) + "'",
                                     "give the variable another name");
            report_.remark(problem, object_names_at_[several[0].index], "the object");
        }
    }
}

} // namespace sinew::charli
