// How the work of an island grows with its parts: counted multiplications, not time.

#include "solve/island/solver.h"

#include <doctest/doctest.h>

#include "math/spatial.h"

#include <cmath>
#include <random>

using namespace sinew;
using namespace sinew::island;

namespace {

/// Cubes of 1 kg and 0.1 m with contacts and ties between them, which fall and are pulled aside.
class Cubes {
public:
    Solver solver;

    std::uint32_t add(const Vec3& place)
    {
        System& system = solver.system;
        const std::uint32_t block = system.add_block(1, 6, 0);
        for (std::uint32_t i = 0; i < 6; ++i)
            system.W_of(system.blocks[block])[i * 6 + i] = i < 3 ? 1 : kEdge * kEdge / 6;
        places_.push_back(place);
        return block;
    }

    static constexpr int kGround = -1;

    /// Of a with b, or with the ground: four points about `place`, each a contact with friction.
    void touch(int a, int b, const Vec3& place, const Vec3& normal)
    {
        const Vec3 t = std::abs(normal.y) > 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0},
                   s = cross(normal, t);
        for (const double u : {-0.5, 0.5})
            for (const double w : {-0.5, 0.5})
                add_rows(a, b, place + t * (u * kEdge) + s * (w * kEdge),
                         {{Law::push, normal}, {Law::disc, t}, {Law::disc, s}});
    }

    void tie(int a, int b, const Vec3& place)
    {
        add_rows(a, b, place,
                 {{Law::equal, {1, 0, 0}}, {Law::equal, {0, 1, 0}}, {Law::equal, {0, 0, 1}}});
    }

    /// A step of gravity, and pulls of which friction holds a part.
    Report solve(unsigned seed)
    {
        std::mt19937 random(seed);
        const auto any = [&] { return double(random()) / 4294967295.0 * 2 - 1; };
        System& system = solver.system;
        std::vector<double> motion(system.number_count());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            motion[6 * i] = 0.04 * any();
            motion[6 * i + 1] = -0.04;
            motion[6 * i + 2] = 0.04 * any();
        }
        multiply_rows(system, motion, system.velocity);
        solver.prepare();
        impulse_.assign(system.row_count(), 0.0);
        return solver.solve({.near = 1e-5, .patience = 12}, impulse_); // as islands of worlds are
    }

    static constexpr double kEdge = 0.1;

private:
    struct Row {
        Law law;
        Vec3 direction;
    };

    void add_rows(int a, int b, const Vec3& place, const std::vector<Row>& rows)
    {
        System& system = solver.system;
        RowGroup group{.key = system.groups.size() + 1};
        group.row_count = std::uint8_t(rows.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            group.law[r] = rows[r].law;
        system.add_group(group, std::uint32_t(system.row_count()));
        for (const int side : {a, b})
            if (side != kGround)
                system.add_vertex(std::uint32_t(side));
        system.end_group();
        for (std::uint32_t r = 0; r < rows.size(); ++r)
            for (const int side : {a, b}) {
                if (side == kGround)
                    continue;
                const Vec3 d = rows[r].direction * (side == a ? 1.0 : -1.0);
                const Vec3 m = cross(place - places_[std::size_t(side)], d);
                const std::array<double, 6> weights = {d.x, d.y, d.z, m.x, m.y, m.z};
                system.add_weights(r, std::uint32_t(side), weights);
            }
        system.set_row_count(system.row_count() + rows.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            system.friction[system.row_count() - 1 - r] = rows[0].law == Law::push ? 0.5 : 0;
    }

    std::vector<Vec3> places_;
    std::vector<double> impulse_;
};

/// A row of cubes on the ground, each tied to the next.
Report solve_chain(int count)
{
    Cubes cubes;
    const double l = Cubes::kEdge;
    for (int i = 0; i < count; ++i)
        cubes.add({l * i, l / 2, 0});
    for (int i = 0; i < count; ++i) {
        cubes.touch(i, Cubes::kGround, {l * i, 0, 0}, {0, 1, 0});
        if (i > 0)
            cubes.tie(i - 1, i, {l * (i - 0.5), l / 2, 0});
    }
    return cubes.solve(7);
}

/// The slope of a line through the points (ln n, ln work).
double exponent_of(const std::vector<std::array<double, 2>>& points)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [n, work] : points) {
        x += std::log(n), y += std::log(work);
        xx += std::log(n) * std::log(n), xy += std::log(n) * std::log(work);
    }
    const double count = double(points.size());
    return (count * xy - x * y) / (count * xx - x * x);
}

} // namespace

TEST_CASE(
    "a factorisation of a chain grows with its parts to the power 1.15 at most, with friction")
{
    std::vector<std::array<double, 2>> points, all;
    for (const int count : {10, 32, 100, 316, 1000}) {
        const Report report = solve_chain(count);
        CAPTURE(count);
        CHECK(report.converged);
        MESSAGE(count, " parts: ", report.factorisations, " factorisations, ", report.work);
        points.push_back({double(count), report.work / report.factorisations});
        all.push_back({double(count), report.work});
    }
    const double exponent = exponent_of(points);
    MESSAGE("exponent ", exponent, ", of all work from a cold start ", exponent_of(all));
    CHECK(exponent <= 1.15);
}
