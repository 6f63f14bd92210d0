#pragma once

// All numbers of one kind that a thing refers to others by.

#include "scene/fields.h"

#include <type_traits>

namespace sinew {

/// Calls visit(id) for all ids of a kind in a thing, a list or an optional of things.
template <class Id, class T, class Visit>
void for_each_id(T& thing, const Visit& visit)
{
    if constexpr (std::is_same_v<std::remove_const_t<T>, Id>)
        visit(thing);
    else if constexpr (HasFields<T>)
        for_each_field([&](FieldName, auto& field) { for_each_id<Id>(field, visit); }, thing);
    else if constexpr (requires { thing.has_value(); }) {
        if (thing)
            for_each_id<Id>(*thing, visit);
    } else if constexpr (requires { typename T::value_type; }) {
        using Element = typename T::value_type;
        if constexpr (HasFields<Element> || std::is_same_v<Element, Id>)
            for (auto& each : thing)
                for_each_id<Id>(each, visit);
    }
}

} // namespace sinew
