#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sinew {

/// FNV-1a over the bits of numbers, in the order they are added: same bits, same hash, on every
/// machine.
class Hash {
public:
    template <class T>
        requires std::is_arithmetic_v<T>
    Hash& add(T value)
    {
        if constexpr (std::is_floating_point_v<T>)
            return add_bits(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
        else
            return add_bits(static_cast<std::uint64_t>(value));
    }
    Hash& add(std::string_view text)
    {
        for (const char c : text)
            add_byte(static_cast<unsigned char>(c));
        return add_bits(text.size());
    }
    std::uint64_t value() const { return state_; }

private:
    Hash& add_bits(std::uint64_t bits)
    {
        for (int i = 0; i < 8; ++i)
            add_byte(static_cast<unsigned char>(bits >> (8 * i)));
        return *this;
    }
    void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }

    std::uint64_t state_ = 0xcbf29ce484222325u;
};

} // namespace sinew
