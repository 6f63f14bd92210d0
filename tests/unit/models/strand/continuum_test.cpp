// Hair as a fluid of its neighbours.

#include "models/strand/continuum.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace sinew;
using namespace sinew::strand;

namespace {

std::vector<Particle> cloud(int count, double side)
{
    std::mt19937 random(7);
    const auto number = [&] { return double(random() >> 1) / 2147483648.0 - 0.5; };
    std::vector<Particle> list;
    for (int i = 0; i < count; ++i)
        list.push_back({Vec3{number(), number(), number()} * side,
                        {number(), number(), number()},
                        1e-5 * (1.5 + number())});
    return list;
}

constexpr Continuum kHair{.size = 0.02, .density = 5, .pressure = 40};

/// All against all.
std::vector<Surrounding> obvious(const Continuum& c, const std::vector<Particle>& list)
{
    const double pi = 3.141592653589793, s = c.size;
    const auto q_of = [&](const Vec3& r) { return std::max(0.0, 1 - dot(r, r) / (s * s)); };
    const double peak = 315 / (64 * pi * s * s * s);
    std::vector<Surrounding> found(list.size());
    const auto pressure = [&](double density) {
        return c.pressure * std::max(0.0, density / c.density - 1);
    };
    for (std::size_t i = 0; i < list.size(); ++i)
        for (const Particle& other : list) {
            const double w = peak * std::pow(q_of(list[i].place - other.place), 3);
            found[i].density += other.mass * w;
            found[i].flow += other.velocity * (other.mass * w);
        }
    for (Surrounding& one : found)
        one.flow = one.flow / one.density;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = 0; j < list.size(); ++j) {
            const Vec3 r = list[i].place - list[j].place;
            const double a = pressure(found[i].density) / std::pow(found[i].density, 2) +
                             pressure(found[j].density) / std::pow(found[j].density, 2);
            found[i].push += r * (6 * peak * std::pow(q_of(r), 2) / (s * s) * list[j].mass * a);
        }
    return found;
}

} // namespace

TEST_CASE("[notes: strands, eq. 21] neighbours by the grid are neighbours of all against all")
{
    const std::vector<Particle> list = cloud(500, 0.08);
    const auto fast = find_surroundings(kHair, list, 1), plain = obvious(kHair, list);
    double largest = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        CHECK(fast[i].density == doctest::Approx(plain[i].density));
        CHECK(length(fast[i].flow - plain[i].flow) < 1e-12);
        CHECK(length(fast[i].push - plain[i].push) < 1e-9 * (1 + length(plain[i].push)));
        largest = std::max(largest, length(fast[i].push));
    }
    CHECK(largest > 1);
}

TEST_CASE("neighbours make no momentum, and the same bits on any number of threads")
{
    const std::vector<Particle> list = cloud(900, 0.08);
    const auto one = find_surroundings(kHair, list, 1), four = find_surroundings(kHair, list, 4);
    Vec3 sum{0, 0, 0};
    double all = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        sum += one[i].push * list[i].mass;
        all += length(one[i].push) * list[i].mass;
        CHECK(one[i].push == four[i].push);
        CHECK(one[i].flow == four[i].flow);
    }
    CHECK(length(sum) < 1e-12 * all);
}

TEST_CASE("thin hair does not push, and what moves as one does not drag")
{
    std::vector<Particle> list = cloud(200, 0.5);
    for (Particle& particle : list)
        particle.velocity = {1, 2, 3};
    for (const Surrounding& around : find_surroundings(kHair, list, 1)) {
        CHECK(around.push == Vec3{0, 0, 0});
        CHECK(length(around.flow - Vec3{1, 2, 3}) < 1e-12);
    }
}
