// What is said when a name leads nowhere, or to several things.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"

#include <algorithm>

namespace sinew::charli {

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
              ? (path_of(several[0]) == path_of(several[1])
                     ? "give one of them a name that is not its def's"
                     : "say which one: " + path_of(several[0]))
              : "name the instances, `left = " + parting.name + " ...;`, and write left" + rest);
}

void Evaluator::report_unknown(Site site, Symbol symbol, std::int64_t index, Origin origin,
                               bool as_value)
{
    const std::string word(name(symbol));
    const BindingId id = scopes_.find(site.scope, symbol);
    if (id != kNoBinding && scopes_.binding(id).kind == BindingKind::def &&
        scopes_.binding(id).is_used) {
        Problem& problem =
            error(origin, "only-named-instances",
                  "every instance of '" + word + "' that can be meant here has a name of its own",
                  "use that name instead of '" + word + "'");
        report_.remark(problem, scopes_.binding(id).origin, "defined here");
        return;
    }
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
              "the array has other indices");
        return;
    }
    if (const std::string qualified = find_in_namespaces(site.scope, symbol); !qualified.empty()) {
        error(origin, as_value ? "unknown-name" : "unknown-object",
              "there is no '" + word + "' here", "did you mean '" + qualified + "'?");
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
                       as_value ? "declare it: `var " + word + ";`, or check the spelling"
                                : "make one: `" + word + " = ...;`"));
}

/// An object's name where a number is wanted, or no name at all.
void Evaluator::report_unknown_object(Site site)
{
    // `a at 0.5 along` names a; everything else that gets here is a name itself.
    const Tree& tree = *site.tree;
    const NodeId node = tree.nodes[site.node].kind == NodeKind::along
                            ? tree.nodes[site.node].first_child
                            : site.node;
    const Symbol symbol = tree.last_name(node).symbol;
    const Origin origin = tree.origin(site.node);
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

std::vector<std::string_view> Evaluator::names_of_defs() const
{
    constexpr std::size_t kMost = 2000; // a slip among more is not worth the wait
    std::vector<std::string_view> names;
    for (const Binding& binding : const_cast<Scopes&>(scopes_).bindings())
        if (binding.kind == BindingKind::def && names.size() < kMost)
            names.push_back(name(binding.symbol));
    return names;
}

void Evaluator::report_no_def(Site callee, BindingId found)
{
    const Tree& tree = *callee.tree;
    const Origin origin = tree.origin(callee.node);
    if (report_.is_told(origin, "unknown-def"))
        return;
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
        scopes_.binding(found).is_used = true;
        const bool hides_word =
            find_any_word(word) && tree.nodes[callee.node].first_child == kNoNode;
        Problem& problem =
            error(origin, "not-a-def",
                  "'" + word + "' is a " + std::string(name_of(scopes_.binding(found).kind)) +
                      ", it cannot be instanced",
                  hides_word ? "it hides the word `" + word + "`: give it another name"
                             : "name a def, or assign with `=`");
        report_.remark(problem, scopes_.binding(found).origin, "declared here");
        return;
    }
    if (const Word* other = find_any_word(word)) {
        const bool is_transformation = other->kind == WordKind::transformation;
        const bool is_motion = other->kind == WordKind::motion;
        error(origin, "word-out-of-place",
              is_transformation ? "'" + word + "' is a transformation: it follows an object"
              : is_motion ? "'" + word + "' sets bodies and strands in motion: it follows an object"
                          : "'" + word + "' returns a value: it cannot be a statement by itself",
              "for example: `" + std::string(other->example) + "`");
        return;
    }
    std::vector<std::string_view> candidates = names_of_defs();
    std::string defs;
    for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 5); ++i)
        defs += (i == 0 ? "" : ", ") + std::string(candidates[i]);
    for (const Word& row : words())
        if (is_statement(row.kind))
            candidates.push_back(row.name);
    candidates.push_back("initial");
    const std::string qualified =
        find_in_namespaces(callee.scope, tree.last_name(callee.node).symbol);
    if (!qualified.empty()) {
        error(origin, "unknown-def", "there is no def or word '" + word + "' here",
              "did you mean '" + qualified + "'?");
        return;
    }
    error(origin, "unknown-def", "there is no def or word '" + word + "'",
          similar_hint(word, candidates,
                       defs.empty() ? "define it: `def " + word + " ... end;`"
                                    : "the defs of this script are: " + defs));
}

/// "parts.bar" when a namespace that can be seen from a scope has the name; else empty.
std::string Evaluator::find_in_namespaces(ScopeId scope, Symbol symbol) const
{
    for (const Binding& binding : const_cast<Scopes&>(scopes_).bindings())
        if (binding.kind == BindingKind::name_space &&
            scopes_.find(scope, binding.symbol) != kNoBinding &&
            scopes_.find_here(binding.number, symbol) != kNoBinding)
            return std::string(name(binding.symbol)) + "." + std::string(name(symbol));
    return "";
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

} // namespace sinew::charli
