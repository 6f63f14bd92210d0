#pragma once

// Piles built body by body, for tests.

#include "models/rigid/pile.h"

#include "geometry/mass_properties.h"

#include <cmath>

namespace sinew::pile_tests {

constexpr double kStep = 0.01, kGravity = 9.81;

/// A pile and its state, built body by body.
struct TestPile {
    PileOptions options = {};
    Pile pile;
    std::vector<BodyState> start;
    PileState state;
    std::shared_ptr<PileWork> work = make_pile_work();

    std::uint32_t add(CollisionShape shape, double mass, const Vec3& inertia, const BodyState& at,
                      double friction = 0.5, double bounce = 0)
    {
        const auto body = std::uint32_t(pile.bodies.size());
        pile.shapes.push_back({.shape = std::make_shared<CollisionShape>(std::move(shape)),
                               .body = body,
                               .friction = friction,
                               .bounce = bounce});
        pile.bodies.push_back({mass, inertia, std::uint32_t(pile.shapes.size()) - 1, 1});
        start.push_back(at);
        return body;
    }
    std::uint32_t add_box(const Vec3& size, double mass, const BodyState& at, double friction = 0.5)
    {
        const MassProperties m = box_mass(size);
        const double density = mass / m.volume;
        return add(make_box(size), mass,
                   Vec3{m.inertia.x.x, m.inertia.y.y, m.inertia.z.z} * density, at, friction);
    }
    std::uint32_t add_ball(double radius, double mass, const BodyState& at, double bounce = 0)
    {
        const double moment = 0.4 * mass * radius * radius;
        return add(make_sphere(radius), mass, {moment, moment, moment}, at, 0, bounce);
    }
    void add_ground(double friction = 0.5, double bounce = 0)
    {
        add(make_plane(), 0, {0, 0, 0}, {}, friction, bounce);
    }
    void begin() { state = make_pile_state(pile, start); }
    PileReport run(double seconds, double h = kStep)
    {
        PileReport worst;
        for (int i = 0; i < int(std::lround(seconds / h)); ++i) {
            const PileReport report = step_pile(pile, options, h, state, *work);
            worst.residual = std::max(worst.residual, report.residual);
            worst.overlap = std::max(worst.overlap, report.overlap);
            worst.sweeps += report.sweeps;
        }
        return worst;
    }
    const BodyState& body(std::uint32_t i) const { return state.bodies[i]; }
    double drift() const
    {
        double most = 0;
        for (std::size_t i = 0; i < start.size(); ++i)
            most = std::max(most, length(state.bodies[i].x - start[i].x));
        return most;
    }
    Vec3 angular_momentum(std::uint32_t i) const
    {
        const Mat3 R = rotation_matrix(body(i).q);
        return R * (Mat3::diagonal(pile.bodies[i].inertia) * (transpose(R) * body(i).w));
    }
    double turning_energy(std::uint32_t i) const
    {
        return 0.5 * dot(body(i).w, angular_momentum(i));
    }
};

inline TestPile tower(int count, double top_mass = 1000, double size = 1)
{
    TestPile scene;
    scene.add_ground();
    for (int i = 0; i < count; ++i)
        scene.add_box({size, size, size}, i + 1 == count ? top_mass : 1000,
                      {.x = {0, (0.5 + i) * size, 0}});
    scene.begin();
    return scene;
}

} // namespace sinew::pile_tests
