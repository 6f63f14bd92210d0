#pragma once

#include "charli/assist/symbols.h"
#include "charli/text/tree.h"
#include "charli/words/words.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sinew::charli {

using ScopeId = std::uint32_t;
using BindingId = std::uint32_t;
constexpr ScopeId kNoScope = 0xffffffff;
constexpr BindingId kNoBinding = 0xffffffff;

enum class BindingKind : std::uint8_t {
    variable,
    dynamic,
    import,
    param,
    local, ///< a def's parameter or a loop's variable
    def,
    function, ///< def f(x) = ...
    name_space,
};

/// True for names of what has a value of its own.
constexpr bool holds_value(BindingKind kind) { return kind < BindingKind::def; }

std::string_view name_of(BindingKind kind);

/// With its article: "a var", "an import".
std::string a_name_of(BindingKind kind);

/// What a name stands for in one scope.
struct Binding {
    enum class State : std::uint8_t { unassigned, waiting, busy, done };

    Symbol symbol = kNoSymbol;
    BindingKind kind = BindingKind::variable;
    State state = State::unassigned;
    bool is_used = false;
    bool has_elements = false; ///< `h[1] = ...`: the values are its elements'
    bool is_ball = false;      ///< of a dynamic: it is a turn in space
    ScopeId scope = kNoScope;
    Origin origin = {};                ///< of the declaration
    const Tree* tree = nullptr;        ///< of the assigned value, or of the def
    NodeId node = kNoNode;             ///< likewise
    ScopeId value_scope = kNoScope;    ///< where that value is written
    Origin assignment = {};            ///< of the name on the left of `=`
    Bound bound = {};                  ///< when done
    std::uint32_t number = 0xffffffff; ///< of the parameter, import; scope of a namespace
    std::int64_t element = INT64_MIN;  ///< of an element: its index
};

/// The names of one run through a block: of the script, a def's instance, a loop's round.
struct Scope {
    ScopeId parent = kNoScope; ///< where to look next: the text around, not the caller
    ObjectId object = {};      ///< the instance whose body this is
    bool has_names = false;    ///< bound in it
};

/// All scopes and what is bound in them.
class Scopes {
public:
    ScopeId add(ScopeId parent, ObjectId object);
    Scope& operator[](ScopeId id) { return scopes_[id]; }
    const Scope& operator[](ScopeId id) const { return scopes_[id]; }

    /// Requires that the scope has no such name yet.
    BindingId bind(Binding binding);

    BindingId find_here(ScopeId scope, Symbol symbol) const;
    BindingId find(ScopeId scope, Symbol symbol) const; ///< here or around

    BindingId find_element(BindingId row, std::int64_t index) const;
    BindingId add_element(BindingId row, std::int64_t index);

    Binding& binding(BindingId id) { return bindings_[id]; }
    const Binding& binding(BindingId id) const { return bindings_[id]; }
    std::vector<Binding>& bindings() { return bindings_; }

private:
    struct KeyHash {
        std::size_t operator()(std::uint64_t key) const
        {
            key *= 0x9e3779b97f4a7c15u;
            return key ^ (key >> 32);
        }
    };
    struct Element {
        BindingId row;
        std::int64_t index;
        bool operator==(const Element&) const = default;
    };
    struct ElementHash {
        std::size_t operator()(const Element& e) const
        {
            return KeyHash{}(static_cast<std::uint64_t>(e.index) * 0x100000001b3u + e.row);
        }
    };
    static std::uint64_t key(ScopeId scope, Symbol symbol)
    {
        return (static_cast<std::uint64_t>(scope) << 32) | symbol;
    }

    std::vector<Scope> scopes_;
    std::vector<Binding> bindings_;
    std::unordered_map<std::uint64_t, BindingId, KeyHash> by_name_;
    std::vector<bool> is_bound_; ///< by symbol: in any scope
    std::unordered_map<Element, BindingId, ElementHash> elements_;
};

} // namespace sinew::charli
