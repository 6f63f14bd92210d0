#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sinew {

/// The number of a thing in its list: `scene.objects[id.index]`. The tag keeps an object's number
/// from being taken for a coordinate's.
template <class Tag>
struct Id {
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::uint32_t index = kNone;

    constexpr bool is_valid() const { return index != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

using ObjectId = Id<struct ObjectTag>;
using CoordinateId = Id<struct CoordinateTag>;
using ImportId = Id<struct ImportTag>;
using PathId = Id<struct PathTag>;
using TrackId = Id<struct TrackTag>;

} // namespace sinew

template <class Tag>
struct std::hash<sinew::Id<Tag>> {
    std::size_t operator()(sinew::Id<Tag> id) const noexcept { return id.index; }
};
