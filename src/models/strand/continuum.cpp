// Neighbours through a grid with cells as wide as the reach: sorted by cell, the three cells of a
// row lie one behind the other, so a place looks through nine pieces of one list.

#include "models/strand/continuum.h"

#include "base/contract.h"
#include "base/parallel.h"
#include "math/functions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numbers>
#include <tuple>

namespace sinew::strand {

namespace {

struct Cell {
    std::int64_t x = 0, y = 0, z = 0;

    auto operator<=>(const Cell&) const = default;
};

struct Placed {
    Cell cell;
    std::uint32_t particle = 0;
};

class Neighbourhood {
public:
    Neighbourhood(const Continuum& continuum, std::span<const Particle> particles)
        : continuum_(continuum), particles_(particles)
    {
        for (std::uint32_t i = 0; i < particles.size(); ++i)
            placed_.push_back({cell_of(particles[i].place), i});
        std::ranges::sort(placed_, {},
                          [](const Placed& p) { return std::tuple(p.cell, p.particle); });
    }

    template <class Use>
    void for_each_near(const Vec3& place, Use&& use) const
    {
        const Cell here = cell_of(place);
        for (std::int64_t x = here.x - 1; x <= here.x + 1; ++x)
            for (std::int64_t y = here.y - 1; y <= here.y + 1; ++y) {
                auto at =
                    std::ranges::lower_bound(placed_, Cell{x, y, here.z - 1}, {}, &Placed::cell);
                const Cell last{x, y, here.z + 1};
                for (; at != placed_.end() && at->cell <= last; ++at) {
                    const Particle& other = particles_[at->particle];
                    const Vec3 off = place - other.place;
                    const double q = 1 - dot(off, off) / (continuum_.size * continuum_.size);
                    if (q > 0)
                        use(at->particle, other, off, q);
                }
            }
    }

private:
    Cell cell_of(const Vec3& place) const
    {
        constexpr double kFar = 1e15; // cells: beyond it whatever is not finite ends
        const auto number = [&](double x) {
            return static_cast<std::int64_t>(floor(min(max(x / continuum_.size, -kFar), kFar)));
        };
        return {number(place.x), number(place.y), number(place.z)};
    }

    const Continuum& continuum_;
    std::span<const Particle> particles_;
    std::vector<Placed> placed_;
};

/// In portions: a place is little work.
template <class Use>
void for_each_particle(std::size_t count, int threads, Use&& use)
{
    constexpr std::size_t kPortion = 256;
    for_each_index((count + kPortion - 1) / kPortion, threads, [&](std::size_t portion) {
        const std::size_t end = std::min(count, (portion + 1) * kPortion);
        for (std::size_t i = portion * kPortion; i < end; ++i)
            use(i);
    });
}

} // namespace

std::vector<Surrounding> find_surroundings(const Continuum& continuum,
                                           std::span<const Particle> particles, int threads)
{
    SINEW_EXPECTS(continuum.size > 0 && continuum.density > 0);
    const Neighbourhood near(continuum, particles);
    const double s = continuum.size, peak = 315 / (64 * std::numbers::pi * s * s * s);
    std::vector<Surrounding> found(particles.size());
    std::vector<double> strain(particles.size()); // p/ρ²
    for_each_particle(particles.size(), threads, [&](std::size_t i) {
        Vec3 momentum{0, 0, 0};
        double density = 0;
        near.for_each_near(particles[i].place,
                           [&](std::size_t, const Particle& other, const Vec3&, double q) {
                               const double share = other.mass * peak * q * q * q;
                               density += share;
                               momentum += other.velocity * share;
                           });
        found[i].density = density;
        found[i].flow = density > 0 ? momentum / density : particles[i].velocity;
        const double p = continuum.pressure * max(0.0, density / continuum.density - 1);
        strain[i] = density > 0 ? p / (density * density) : 0;
    });
    for_each_particle(particles.size(), threads, [&](std::size_t i) {
        near.for_each_near(particles[i].place,
                           [&](std::size_t j, const Particle& other, const Vec3& off, double q) {
                               const Vec3 gradient = off * (-6 * peak * q * q / (s * s));
                               found[i].push -= gradient * (other.mass * (strain[i] + strain[j]));
                           });
    });
    return found;
}

} // namespace sinew::strand
