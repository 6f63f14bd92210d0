#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace sinew {

/// Which element of an array, told apart by type: `using BodyId = Id<struct BodyTag>`. An id of
/// bodies cannot be mistaken for one of strands, nor for a count. Without an index it names
/// nothing.
template <class Tag>
struct Id {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t index = kNone;

    constexpr bool is_valid() const { return index != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

} // namespace sinew

template <class Tag>
struct std::hash<sinew::Id<Tag>> {
    std::size_t operator()(sinew::Id<Tag> id) const noexcept { return id.index; }
};
