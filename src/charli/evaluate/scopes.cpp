#include "charli/evaluate/scopes.h"

#include <algorithm>

namespace sinew::charli {

std::string_view name_of(BindingKind kind)
{
    switch (kind) {
    case BindingKind::variable: return "var";
    case BindingKind::dynamic: return "dynamic";
    case BindingKind::import: return "import";
    case BindingKind::param: return "param";
    case BindingKind::local: return "parameter";
    case BindingKind::def: return "def";
    case BindingKind::function: return "function";
    case BindingKind::name_space: return "namespace";
    }
    return "";
}

std::string a_name_of(BindingKind kind)
{
    return (kind == BindingKind::import ? "an " : "a ") + std::string(name_of(kind));
}

ScopeId Scopes::add(ScopeId parent, ObjectId object)
{
    scopes_.push_back({parent, object});
    return static_cast<ScopeId>(scopes_.size() - 1);
}

BindingId Scopes::bind(Binding binding)
{
    const auto id = static_cast<BindingId>(bindings_.size());
    by_name_.emplace(key(binding.scope, binding.symbol), id);
    scopes_[binding.scope].has_names = true;
    if (binding.symbol != kNoSymbol) {
        is_bound_.resize(std::max(is_bound_.size(), binding.symbol + std::size_t{1}));
        is_bound_[binding.symbol] = true;
    }
    bindings_.push_back(std::move(binding));
    return id;
}

BindingId Scopes::find_here(ScopeId scope, Symbol symbol) const
{
    const auto found = by_name_.find(key(scope, symbol));
    return found == by_name_.end() ? kNoBinding : found->second;
}

BindingId Scopes::find(ScopeId scope, Symbol symbol) const
{
    if (symbol != kNoSymbol && (symbol >= is_bound_.size() || !is_bound_[symbol]))
        return kNoBinding;
    for (; scope != kNoScope; scope = scopes_[scope].parent) {
        const BindingId found =
            scopes_[scope].has_names ? find_here(scope, symbol) : BindingId{kNoBinding};
        if (found != kNoBinding)
            return found;
    }
    return kNoBinding;
}

BindingId Scopes::find_element(BindingId row, std::int64_t index) const
{
    const auto found = elements_.find({row, index});
    return found == elements_.end() ? kNoBinding : found->second;
}

BindingId Scopes::add_element(BindingId row, std::int64_t index)
{
    const auto id = static_cast<BindingId>(bindings_.size());
    Binding element{.symbol = bindings_[row].symbol, .kind = bindings_[row].kind};
    element.scope = bindings_[row].scope;
    element.origin = bindings_[row].origin;
    element.element = index;
    element.is_ball = bindings_[row].is_ball;
    bindings_.push_back(std::move(element));
    bindings_[row].has_elements = true;
    elements_.emplace(Element{row, index}, id);
    return id;
}

} // namespace sinew::charli
