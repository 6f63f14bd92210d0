#pragma once

// Lists of numbers, one of each strand, into lanes and back: a square of W numbers of W strands at
// a time. The numbers are those that would be moved one by one.

#include "models/strand/lanes/lanes.h"

#include <array>
#include <utility>

namespace sinew::strand {

/// Goes from number to number in lanes: kEach of every segment, from a field of its row on.
template <class T, int kEach>
struct LaneField {
    T* place = nullptr; ///< of the first segment's first
    int fields = 0;     ///< of a row
    int passed = 0;     ///< of this segment

    T& next()
    {
        T* now = place++;
        if (++passed == kEach)
            place += fields - kEach, passed = 0;
        return *now;
    }
};

namespace detail {

/// Of two rows of blocks of d: the upper right and the lower left change places.
template <int d, class V, int... e>
void exchange(V& a, V& b, std::integer_sequence<int, e...>)
{
    constexpr int W = sizeof...(e);
    const V upper = __builtin_shufflevector(a, b, ((e & d) ? W + e - d : e)...);
    b = __builtin_shufflevector(a, b, ((e & d) ? W + e : e + d)...);
    a = upper;
}

template <int d, class T, std::size_t W>
void transpose_blocks(std::array<T, W>& rows)
{
    constexpr int kWidth = static_cast<int>(W);
    for (int j = 0; j < kWidth; ++j)
        if ((j & d) == 0)
            exchange<d>(rows[j].v, rows[j + d].v, std::make_integer_sequence<int, kWidth>{});
    if constexpr (d > 1)
        transpose_blocks<d / 2>(rows);
}

/// K numbers of type S.
template <class S, int K>
struct Piece {
    typedef S Vector __attribute__((vector_size(sizeof(S) * K)));
};

template <class V, int... e>
auto joined(V low, V high, std::integer_sequence<int, e...>)
{
    return __builtin_shufflevector(low, high, e...);
}

template <int first, class V, int... e>
auto part_of(V whole, std::integer_sequence<int, e...>)
{
    return __builtin_shufflevector(whole, whole, (first + e)...);
}

/// K numbers times a factor, rounded to S. In vectors of at most 64 bytes, which compilers know.
template <class S, int K>
typename Piece<S, K>::Vector rounded(const double* from, double factor)
{
    if constexpr (K > 8)
        return joined(rounded<S, K / 2>(from, factor), rounded<S, K / 2>(from + K / 2, factor),
                      std::make_integer_sequence<int, K>{});
    else {
        typename Piece<double, K>::Vector x;
        std::memcpy(&x, from, sizeof x);
        return __builtin_convertvector(x * factor, typename Piece<S, K>::Vector);
    }
}

/// And back.
template <int K, class V>
void put_widened(V x, double factor, double* to)
{
    if constexpr (K > 8) {
        constexpr auto half = std::make_integer_sequence<int, K / 2>{};
        put_widened<K / 2>(part_of<0>(x, half), factor, to);
        put_widened<K / 2>(part_of<K / 2>(x, half), factor, to + K / 2);
    } else {
        const auto wide = __builtin_convertvector(x, typename Piece<double, K>::Vector) * factor;
        std::memcpy(to, &wide, sizeof wide);
    }
}

} // namespace detail

/// As many rows as each has lanes.
template <class T, std::size_t W>
void transpose_lanes(std::array<T, W>& rows)
{
    detail::transpose_blocks<static_cast<int>(W / 2)>(rows);
}

/// Number i of strand k, times its factor, to lane k of the i-th place.
template <class T, int kEach, std::size_t W>
void fill_lanes(int count, const std::array<const double*, W>& from,
                const std::array<double, W>& factors, LaneField<T, kEach> to)
{
    using S = typename LaneTraits<T>::Scalar;
    constexpr int kWidth = static_cast<int>(W);
    int i = 0;
    if constexpr (kWidth > 1)
        for (; i + kWidth <= count; i += kWidth) {
            std::array<T, W> square;
            for (int k = 0; k < kWidth; ++k)
                square[k] = detail::rounded<S, kWidth>(from[k] + i, factors[k]);
            transpose_lanes(square);
            for (int e = 0; e < kWidth; ++e)
                to.next() = square[e];
        }
    for (; i < count; ++i) {
        T& numbers = to.next();
        for (int k = 0; k < kWidth; ++k)
            set_lane(numbers, k, from[k][i] * factors[k]);
    }
}

/// Back: lane k of the i-th place, times its factor, to number i of strand k; of those that have a
/// place.
template <class T, int kEach, std::size_t W>
void empty_lanes(int count, LaneField<T, kEach> from, const std::array<double, W>& factors,
                 const std::array<double*, W>& to)
{
    constexpr int kWidth = static_cast<int>(W);
    int i = 0;
    if constexpr (kWidth > 1)
        for (; i + kWidth <= count; i += kWidth) {
            std::array<T, W> square;
            for (int e = 0; e < kWidth; ++e)
                square[e] = from.next();
            transpose_lanes(square);
            for (int k = 0; k < kWidth; ++k)
                if (to[k])
                    detail::put_widened<kWidth>(square[k].v, factors[k], to[k] + i);
        }
    for (; i < count; ++i) {
        const T& numbers = from.next();
        for (int k = 0; k < kWidth; ++k)
            if (to[k])
                to[k][i] = static_cast<double>(get_lane(numbers, k)) * factors[k];
    }
}

} // namespace sinew::strand
