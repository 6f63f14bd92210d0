#include "models/linkage/events/zero_windows.h"

#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

/// Where |f| crosses `shortest` between a place inside the window and one outside.
template <class Function>
double find_crossing(const Function& f, double shortest, double inside, double outside)
{
    for (int i = 0; i < 200 && inside != outside; ++i) {
        const double middle = (inside + outside) / 2;
        if (middle == inside || middle == outside)
            break;
        (abs(f(middle)) <= shortest ? inside : outside) = middle;
    }
    return outside;
}

/// The place between two times where |f| is smallest: by sign where it changes, else by golden
/// sections, for tracks that touch zero.
template <class Function>
double find_smallest(const Function& f, double low, double high)
{
    if (f(low) * f(high) < 0) {
        const double sign = f(low) < 0 ? -1 : 1;
        for (int i = 0; i < 200; ++i) {
            const double middle = (low + high) / 2;
            (sign * f(middle) > 0 ? low : high) = middle;
        }
        return high;
    }
    constexpr double kGolden = 0.6180339887498949;
    for (int i = 0; i < 80; ++i) {
        const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
        (abs(f(a)) < abs(f(b)) ? high : low) = abs(f(a)) < abs(f(b)) ? b : a;
    }
    return (low + high) / 2;
}

} // namespace

std::vector<ZeroWindow> find_zero_windows(const Scene& scene, Value distance)
{
    // Where to look does not depend on how long is simulated, up to where it ends: a run that is
    // continued for longer must find the same.
    constexpr int kPieces = 64;      // of each stretch between keys
    constexpr double kStride = 0.02; // behind the last key [s]
    constexpr double kMostStrides = 1e6;
    const auto f = [&](double t) { return rates_at(scene, distance, t).value; };
    std::vector<double> stops = key_times(scene, distance);
    stops.push_back(scene.settings.start);
    std::sort(stops.begin(), stops.end());
    std::vector<double> times;
    for (std::size_t i = 0; i + 1 < stops.size(); ++i)
        for (int k = 0; k < kPieces && stops[i] < stops[i + 1]; ++k)
            times.push_back(stops[i] + (stops[i + 1] - stops[i]) * k / kPieces);
    times.push_back(stops.back());
    for (double k = 1; times.back() < scene.settings.end && k < kMostStrides; ++k)
        times.push_back(stops.back() + k * kStride);

    double largest = 0;
    for (const double t : stops)
        largest = max(largest, abs(f(t)));
    if (!(largest > 0)) // starts at zero, and no key says more
        largest = max(abs(f(stops.back() + 1)), abs(f(stops.back() + 0.1)));
    const double shortest = kShortestDistance * largest;

    // Times at which |f| is small, each with its neighbours that are not.
    std::vector<ZeroWindow> windows;
    const auto is_zero = [&](double t) { return abs(f(t)) <= shortest; };
    for (std::size_t i = 0; i < times.size() && !is_stopping(); ++i) {
        if (is_zero(times[i])) {
            std::size_t last = i;
            while (last + 1 < times.size() && is_zero(times[last + 1]) && !is_stopping())
                ++last;
            windows.push_back(
                {i == 0 ? -kForEver : find_crossing(f, shortest, times[i], times[i - 1]),
                 last + 1 == times.size()
                     ? kForEver
                     : find_crossing(f, shortest, times[last], times[last + 1])});
            i = last;
        } else if (i + 1 < times.size() && !is_zero(times[i + 1])) {
            const double t = find_smallest(f, times[i], times[i + 1]);
            if (is_zero(t))
                windows.push_back({find_crossing(f, shortest, t, times[i]),
                                   find_crossing(f, shortest, t, times[i + 1])});
        }
    }
    return windows;
}

} // namespace sinew
