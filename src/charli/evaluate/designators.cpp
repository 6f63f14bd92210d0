// Finding instances: how a.b[1].c leads down the tree of objects.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"

#include <algorithm>
#include <utility>

namespace sinew::charli {

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
    if (tree.nodes[site.node].kind == NodeKind::along)
        return add_site(site);
    if (tree.nodes[site.node].kind != NodeKind::name) {
        error(tree.origin(site.node), "expected-object",
              "'" + excerpt(tree.text(site.node)) + "' is not an object", "name an instance");
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
        return as_place(resolve_first_part(site, last == kNoSymbol ? token.symbol : last,
                                           Object::kNoIndex, origin),
                        origin);
    }
    ObjectId object;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Token& token = tree.first_token(parts[i]);
        const bool is_last = i + 1 == parts.size();
        const Symbol symbol = is_last && last != kNoSymbol ? last : token.symbol;
        std::int64_t index = Object::kNoIndex;
        if (const NodeId first = tree.nodes[parts[i]].first_child; first != kNoNode) {
            if (tree.nodes[first].next != kNoNode) {
                error(tree.origin(tree.nodes[first].next), "several-indices",
                      "an object has one index", "write name[i]");
                return {};
            }
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
    return as_place(object, tree.origin(site.node));
}

/// A constraint has a name, but no place.
ObjectId Evaluator::as_place(ObjectId object, Origin use)
{
    if (!object.is_valid() || takes_constraints_ || !named_constraints_.contains(object.index))
        return object;
    const std::string path = path_of(object);
    error(use, "names-constraint", "'" + path + "' is a constraint, and has no place",
          "name what it holds; a constraint has constraint_force(" + path + "), tension(" + path +
              "), constraint_length(" + path + ")");
    return {};
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
        Problem& problem =
            error(use, "not-an-object", "this is the name of a value, not of an object",
                  "pass an instance");
        report_.remark(problem, bound_object.origin, "this is what was passed");
    }
    return bound_object.object;
}

ScopeId Evaluator::scope_of(ObjectId object) const { return object_scopes_[object.index]; }

/// A coordinate of the place of an object: `a.at`, or `a` where a point is wanted.
void Evaluator::resolve_place(std::uint32_t formula, Site site)
{
    const Tree& tree = *site.tree;
    std::vector<NodeId> parts;
    for (const NodeId part : children(tree, site.node))
        parts.push_back(part);
    const bool has_at = tree.nodes[site.node].kind == NodeKind::name && !parts.empty() &&
                        tree.first_token(parts.back()).kind == TokenKind::kw_at;
    if (has_at)
        parts.pop_back();
    const ObjectId object = has_at ? resolve_name_parts(site, parts, kNoSymbol) : find_object(site);
    Formula& place = scene.formulas[formula];
    place.index = object.is_valid() ? object.index : 0;
    if (!place.frame.is_valid())
        place.frame = scopes_[site.scope].object;
    if (!place.frame.is_valid())
        place.frame = ObjectId{0};
}

/// What could not be known while instances were being made.
void Evaluator::resolve_pending()
{
    const auto positions = std::exchange(pending_positions_, {});
    for (const auto& [formula, site, names_object] : positions) {
        if (names_object) {
            resolve_place(formula, site);
            continue;
        }
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
            const bool is_new = !parts.empty() || base == "here";
            symbol = is_new ? symbols_.intern(base) : symbols_.find(base);
            if (symbol == kNoSymbol) {
                report_unknown(site, last.symbol, Object::kNoIndex, tree.origin(last), true);
                continue;
            }
        }
        if (parts.empty() && base == "here" && !objects_by_name_.contains(symbol)) {
            scene.formulas[formula].operation = Operation::here;
            scene.formulas[formula].index = 0;
            if (!scene.formulas[formula].frame.is_valid())
                scene.formulas[formula].frame = ObjectId{0};
            continue;
        }
        const ObjectId object = resolve_name_parts(site, parts, symbol);
        scene.formulas[formula].index = object.is_valid() ? object.index : 0;
        if (!scene.formulas[formula].frame.is_valid())
            scene.formulas[formula].frame = scopes_[site.scope].object;
        if (!scene.formulas[formula].frame.is_valid())
            scene.formulas[formula].frame = ObjectId{0};
    }
    resolve_measures();
    const auto values = std::exchange(pending_values_, {});
    for (const auto& [formula, site, names_object] : values) {
        const Bound result = evaluate_member(site);
        scene.formulas[formula].a = result.value;
        aliases_.push_back({formula, site});
    }
    for (const auto& [object, site] : std::exchange(pending_on_, {}))
        scene.objects[object.index].on = find_object(site);
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
