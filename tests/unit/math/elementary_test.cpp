// Elementary functions beside those of long doubles, which have eleven bits more, and beside a hash
// that must be the same on every machine.

#include "math/elementary.h"

#include "base/hash.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace sinew;

namespace {

constexpr int kTries = 20000;

/// Distance in units of the last place of what is right.
double error_of(double made, long double right)
{
    int exponent = 0;
    std::frexp(static_cast<double>(right), &exponent);
    return static_cast<double>(std::abs(made - right) /
                               std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

using Function = std::function<double(double)>;
using Reference = std::function<long double(long double)>;

/// The largest error for arguments between two, evenly or in all sizes.
double worst_of(const Function& made, const Reference& right, double low, double high,
                bool is_by_size = false)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> between(low, high);
    double worst = 0;
    for (int i = 0; i < kTries; ++i) {
        const double x =
            is_by_size ? std::exp2(between(random)) * (i % 2 ? 1 : -1) : between(random);
        worst = std::max(worst, error_of(made(x), right(x)));
    }
    return worst;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("elementary functions are within a unit of the last place")
{
    namespace e = elementary;
    using L = long double;
    const auto check = [](const char* name, const Function& made, const Reference& right,
                          double low, double high, bool is_by_size = false) {
        CAPTURE(name);
        CHECK(worst_of(made, right, low, high, is_by_size) < 0.8);
    };
    check(
        "sin", e::sin, [](L x) { return std::sin(x); }, -10, 10);
    check(
        "sin", e::sin, [](L x) { return std::sin(x); }, -40, 30, true);
    check(
        "cos", e::cos, [](L x) { return std::cos(x); }, -10, 10);
    check(
        "cos", e::cos, [](L x) { return std::cos(x); }, -40, 30, true);
    check(
        "tan", e::tan, [](L x) { return std::tan(x); }, -1.5, 1.5);
    check(
        "asin", e::asin, [](L x) { return std::asin(x); }, -1, 1);
    check(
        "acos", e::acos, [](L x) { return std::acos(x); }, -1, 1);
    check(
        "atan", e::atan, [](L x) { return std::atan(x); }, -60, 60, true);
    check(
        "exp", e::exp, [](L x) { return std::exp(x); }, -700, 700);
    check(
        "exp", e::exp, [](L x) { return std::exp(x); }, -50, 3, true);
    check(
        "sinh", e::sinh, [](L x) { return std::sinh(x); }, -20, 9, true);
    check(
        "cosh", e::cosh, [](L x) { return std::cosh(x); }, -20, 9, true);
    check(
        "tanh", e::tanh, [](L x) { return std::tanh(x); }, -20, 5, true);
    check(
        "log", e::log, [](L x) { return std::log(x); }, 0.5, 2);
    check(
        "log", [](double x) { return elementary::log(std::abs(x)); },
        [](L x) { return std::log(std::abs(x)); }, -1000, 1000, true);
    check(
        "pow", [](double x) { return elementary::pow(1.7, x); },
        [](L x) { return std::pow(L(1.7), x); }, -100, 100);
    check(
        "atan2", [](double x) { return elementary::atan2(x, -2.5); },
        [](L x) { return std::atan2(x, L(-2.5)); }, -60, 60, true);
    check(
        "hypot", [](double x) { return elementary::hypot(x, 3.25); },
        [](L x) { return std::hypot(x, L(3.25)); }, -60, 60, true);
}

TEST_CASE("elementary functions of special values are those of IEEE 754")
{
    namespace e = elementary;
    for (const auto function : {e::sin, e::tan, e::asin, e::atan, e::sinh, e::tanh})
        CHECK(std::signbit(function(-0.0)));
    for (const auto function : {e::sin, e::cos, e::tan}) {
        CHECK(std::isnan(function(kInfinity)));
        CHECK(std::isnan(function(std::nan(""))));
    }
    CHECK(e::exp(kInfinity) == kInfinity);
    CHECK(e::exp(-kInfinity) == 0);
    CHECK(e::exp(710) == kInfinity);
    CHECK(e::exp(0) == 1);
    CHECK(e::log(0) == -kInfinity);
    CHECK(e::log(1) == 0);
    CHECK(std::isnan(e::log(-1)));
    CHECK(std::isnan(e::acos(1.1)));
    CHECK(e::acos(1) == 0);
    CHECK(e::pow(-2, 3) == -8);
    CHECK(e::pow(10, 2) == 100);
    CHECK(std::isnan(e::pow(-2, 0.5)));
    CHECK(e::pow(0, -1) == kInfinity);
    CHECK(e::pow(kInfinity, -1) == 0);
    CHECK(e::pow(std::nan(""), 0) == 1);
    CHECK(e::atan2(0, -1) == std::atan2(0.0, -1.0));
    CHECK(e::atan2(-0.0, -1) == -e::atan2(0, -1));
    CHECK(e::atan2(1, 0) == std::acos(0.0));
    CHECK(e::atan2(kInfinity, -kInfinity) == 0.75 * e::atan2(0, -1));
    CHECK(e::hypot(3e300, 4e300) == 5e300);
    CHECK(e::hypot(kInfinity, std::nan("")) == kInfinity);
}

TEST_CASE("elementary functions have the same bits on every machine")
{
    namespace e = elementary;
    Hash hash;
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
        // Without a distribution: those are the library's own.
        const double u = static_cast<double>(random() >> 11) * 0x1p-53;
        const double x = (2 * u - 1) * 20, large = x * 1e200;
        for (const double value :
             {e::sin(x), e::cos(x), e::sin(large), e::tan(x), e::asin(x / 20), e::acos(x / 20),
              e::atan(x), e::atan2(x, u), e::sinh(x), e::cosh(x), e::tanh(x / 10), e::exp(x),
              e::log(u), e::pow(u, x), e::hypot(x, u)})
            hash.add(value);
    }
    CHECK(hash.value() == 0xcc251108fa0dd08bu);
}

TEST_CASE("the library's calls of the C library go to ours")
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const double x = static_cast<double>(random() >> 11) * 0x1p-50;
        CHECK(std::sin(x) == elementary::sin(x));
        CHECK(std::exp(-x) == elementary::exp(-x));
        CHECK(std::pow(x, 0.3) == elementary::pow(x, 0.3));
    }
}
