#pragma once

// Several numbers that are computed with as one, each in a lane of its own: one strand per lane.

#include "math/functions.h"

#include <cstring>
#include <type_traits>

namespace sinew {

/// W numbers of type S, W a power of two. `Isa` only keeps code apart that is compiled for
/// different instruction sets. Every operation is that of the lanes one by one: no lane's result
/// depends on W or on its neighbours.
template <class S, int W, class Isa>
struct Lanes {
    typedef S Vector __attribute__((vector_size(sizeof(S) * W)));
    using Bits = std::conditional_t<sizeof(S) == 8, long long, int>;
    typedef Bits Mask __attribute__((vector_size(sizeof(S) * W)));

    Vector v;

    Lanes() = default;
    Lanes(Vector vector) : v(vector) {}
    Lanes(double x) : v(Vector{} + static_cast<S>(x)) {}

    S operator[](int lane) const { return v[lane]; }
    void set(int lane, S x) { v[lane] = x; }

    friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
    friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
    friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
    friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
    friend Lanes operator-(Lanes a) { return -a.v; }
    Lanes& operator+=(Lanes b) { return *this = *this + b; }
    Lanes& operator-=(Lanes b) { return *this = *this - b; }
    friend Mask operator<(Lanes a, Lanes b) { return a.v < b.v; }
    friend Lanes sqrt(Lanes a)
    {
        for (int i = 0; i < W; ++i)
            a.v[i] = sinew::sqrt(a.v[i]);
        return a;
    }
    friend Lanes select(Mask mask, Lanes yes, Lanes no) { return mask ? yes.v : no.v; }
};

/// What a scalar type is made of, so that one template serves lanes and plain numbers.
template <class T>
struct LaneTraits {
    using Scalar = T;
    using Mask = bool;
    static constexpr int kWidth = 1;
};

template <class S, int W, class Isa>
struct LaneTraits<Lanes<S, W, Isa>> {
    using Scalar = S;
    using Mask = typename Lanes<S, W, Isa>::Mask;
    static constexpr int kWidth = W;
};

template <class T>
typename LaneTraits<T>::Scalar get_lane(const T& x, int lane)
{
    if constexpr (LaneTraits<T>::kWidth == 1)
        return x;
    else
        return x[lane];
}

template <class T>
void set_lane(T& x, int lane, double value)
{
    using S = typename LaneTraits<T>::Scalar;
    if constexpr (LaneTraits<T>::kWidth == 1)
        x = static_cast<T>(value);
    else
        x.set(lane, static_cast<S>(value));
}

} // namespace sinew
