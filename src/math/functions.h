#pragma once

#include <cmath>
#include <concepts>

/// The elementary functions, for every room. Only this room calls the C library's: their last bits
/// differ between libraries, so there is one place to replace them.
///
/// Templates, so that a call in a template takes the jet's or the lane's own function instead.

namespace sinew {

// clang-format off
template <std::floating_point S> S sin(S x) { return std::sin(x); }
template <std::floating_point S> S cos(S x) { return std::cos(x); }
template <std::floating_point S> S tan(S x) { return std::tan(x); }
template <std::floating_point S> S asin(S x) { return std::asin(x); }
template <std::floating_point S> S acos(S x) { return std::acos(x); }
template <std::floating_point S> S atan(S x) { return std::atan(x); }
template <std::floating_point S> S atan2(S y, S x) { return std::atan2(y, x); }
template <std::floating_point S> S sinh(S x) { return std::sinh(x); }
template <std::floating_point S> S cosh(S x) { return std::cosh(x); }
template <std::floating_point S> S tanh(S x) { return std::tanh(x); }
template <std::floating_point S> S exp(S x) { return std::exp(x); }
template <std::floating_point S> S log(S x) { return std::log(x); }
template <std::floating_point S> S sqrt(S x) { return std::sqrt(x); }
template <std::floating_point S> S pow(S x, S y) { return std::pow(x, y); }
template <std::floating_point S> S hypot(S x, S y) { return std::hypot(x, y); }
template <std::floating_point S> S fmod(S x, S y) { return std::fmod(x, y); }
template <std::floating_point S> S floor(S x) { return std::floor(x); }
template <std::floating_point S> S ceil(S x) { return std::ceil(x); }
template <std::floating_point S> S round(S x) { return std::round(x); }
template <std::floating_point S> constexpr S abs(S x) { return x < 0 ? -x : x + S(0); } // −0 → 0
template <std::floating_point S> constexpr S min(S a, S b) { return b < a ? b : a; }
template <std::floating_point S> constexpr S max(S a, S b) { return a < b ? b : a; }
// clang-format on

/// The number itself; for a jet, its value without derivatives.
constexpr double value_of(double x) { return x; }

} // namespace sinew
