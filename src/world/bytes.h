#pragma once

/// Numbers as bytes, the least first, and back.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

inline void put_bits(std::uint64_t bits, std::vector<std::byte>& bytes)
{
    std::array<std::byte, 8> eight;
    for (std::size_t i = 0; i < 8; ++i)
        eight[i] = static_cast<std::byte>(bits >> (8 * i));
    bytes.insert(bytes.end(), eight.begin(), eight.end());
}

/// Reads what put_bits() wrote; afterwards `is_good` says whether all of it was there.
struct ByteReader {
    std::span<const std::byte> bytes;
    bool is_good = true;

    std::uint64_t get()
    {
        if (bytes.size() < 8) {
            is_good = false;
            return 0;
        }
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i)
            bits |= std::uint64_t(bytes[static_cast<std::size_t>(i)]) << (8 * i);
        bytes = bytes.subspan(8);
        return bits;
    }
    double get_number() { return std::bit_cast<double>(get()); }

    /// Number of things that follow, each of at least `bytes_each` bytes.
    std::size_t get_count(std::size_t bytes_each)
    {
        const std::uint64_t count = get();
        is_good = is_good && count <= bytes.size() / bytes_each;
        return is_good ? static_cast<std::size_t>(count) : 0;
    }
    void expect_count(std::size_t wanted)
    {
        const std::uint64_t count = get(); // says itself when it is missing
        is_good = is_good && count == wanted;
    }
    void get_numbers(std::span<double> numbers)
    {
        for (std::size_t i = 0; i < numbers.size() && is_good; ++i)
            numbers[i] = get_number();
    }
};

} // namespace sinew
