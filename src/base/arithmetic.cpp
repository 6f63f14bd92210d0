#include "base/arithmetic.h"

#include "base/hash.h"

#include <cmath>
#include <limits>

namespace sinew {

std::uint64_t arithmetic_hash()
{
    constexpr int kCount = 1000;
    Hash hash;
    double x = 1e-3;
    for (int i = 0; i < kCount; ++i) {
        for (const double value :
             {std::sin(x), std::cos(x), std::tan(x), std::atan(x), std::exp(-x), std::log(x),
              std::sinh(x), std::cosh(x), std::tanh(x)})
            hash.add(value);
        const double small = 1 / (1 + x);
        hash.add(std::asin(small)).add(std::acos(small)).add(std::atan2(small, -x));
        hash.add(std::pow(x, small)).add(std::hypot(x, small)).add(std::sqrt(x));
        hash.add(x * small - small * small); // a fused operation rounds once less
        hash.add(x / 3 + small / 7).add(std::floor(100 * x)).add(std::nearbyint(100 * x));
        hash.add(std::numeric_limits<double>::min() * small); // flushed to zero by some settings
        hash.add(float(x) * float(small));
        x *= 1.009;
    }
    return hash.value();
}

std::string machine_text()
{
#if defined(__x86_64__)
    std::string text = "x86-64";
#elif defined(__aarch64__)
    std::string text = "aarch64";
#else
    std::string text = "another processor";
#endif
#if defined(__clang__)
    text += ", clang " + std::to_string(__clang_major__);
#elif defined(__GNUC__)
    text += ", g++ " + std::to_string(__GNUC__);
#endif
    return text;
}

} // namespace sinew
